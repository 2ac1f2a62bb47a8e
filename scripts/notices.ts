import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { projectRoot } from './project.ts';

/** The file in `dist/` that names what others have written of it. */
export const noticesFile = 'THIRD_PARTY_NOTICES.txt';

/** The folders, below the project's, of the packages of which something is in a bundle. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The notices that go with the packages that are bundled: for each its name, version and licence.
 *
 * @param packages their folders, below the project's.
 * @throws Error if a package comes without the text of its licence.
 */
export async function thirdPartyNotices(packages: readonly string[]): Promise<string> {
  const notices = await Promise.all(packages.map(noticeOf));
  return `Beacon for GitLab contains parts of the packages below, under their own licences.\n${notices.join('')}`;
}

async function noticeOf(folder: string): Promise<string> {
  const cwd = join(projectRoot, folder);
  const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = globSync('{licen[sc]e,copying,notice,LICEN[SC]E,COPYING,NOTICE,Licen[sc]e}{,.md,.txt,-MIT,-MIT.txt}', {
    cwd,
  }).sort();
  if (files.length === 0) {
    throw new Error(`${manifest.name} comes without the text of its licence; THIRD_PARTY_NOTICES need it.`);
  }
  const texts = await Promise.all(files.map((file) => readFile(join(cwd, file), 'utf8')));
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
  return ['', '-'.repeat(80), title, '-'.repeat(80), '', ...texts.map((text) => text.trim()), ''].join('\n');
}
