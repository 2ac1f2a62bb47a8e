import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { projectRoot } from './project.ts';

/**
 * The notices that go with the packages of which something is in bundles: for each its name, version and licence.
 *
 * @throws Error if a package comes without the text of its licence.
 */
export function thirdPartyNotices(metafiles: readonly Metafile[]): string {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  const notices = [...new Set(folders)].sort().map(noticeOf);
  return `Beacon for GitLab contains parts of the packages below, under their own licences.\n${notices.join('')}`;
}

function noticeOf(folder: string): string {
  const cwd = join(projectRoot, folder);
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  const { name, version, license } = JSON.parse(read('package.json')) as Readonly<Record<string, string>>;
  const files = globSync('{licen[sc]e,copying,notice,LICEN[SC]E,COPYING,NOTICE,Licen[sc]e}{,.md,.txt,-MIT,-MIT.txt}', {
    cwd,
  }).sort();
  if (files.length === 0) {
    throw new Error(`${name} comes without the text of its licence; THIRD_PARTY_NOTICES need it.`);
  }
  const [line, title] = ['-'.repeat(80), `${name} ${version} (${license ?? 'see below'})`];
  return ['', line, title, line, '', ...files.map((file) => read(file).trim()), ''].join('\n');
}
