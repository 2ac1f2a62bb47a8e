import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { bundleExtension } from './bundle.ts';
import { projectRoot } from './project.ts';

export interface PackageOptions {
  /** Where the .vsix goes. */
  readonly packagePath: string;
  /** Instead of the one in the manifest. */
  readonly version?: string;
  /** Whether marketplaces offer it as a pre-release. */
  readonly preRelease?: boolean;
}

/**
 * Packages the extension as it is shipped. The same commit gives the same bytes on any computer: files are packed from a folder of
 * their own, so that neither their modes nor their times and order are those of this computer.
 *
 * @returns the folders, below the project's, of the packages of which something is in it.
 */
export async function packageExtension(options: PackageOptions): Promise<readonly string[]> {
  const { packagePath, version, preRelease = false } = options;
  const stage = await mkdtemp(join(tmpdir(), 'beacon-package-'));
  try {
    const packages = await stageExtension(stage, version);
    for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) {
        await chmod(join(entry.parentPath, entry.name), 0o644);
      }
    }
    // vsce sorts the files and gives them this time, which it writes in the local zone.
    await withEnvironment({ SOURCE_DATE_EPOCH: String(commitTime()), TZ: 'UTC' }, () =>
      createVSIX({ cwd: stage, packagePath, dependencies: false, preRelease }),
    );
    return packages;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/**
 * Puts all that is shipped into a folder, as it is in the package.
 *
 * @param version instead of the one in the manifest.
 * @returns the folders, below the project's, of the packages of which something is in it.
 */
export async function stageExtension(stage: string, version?: string): Promise<readonly string[]> {
  const { packages } = await bundleExtension('production', join(stage, 'dist'));
  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as ProjectManifest;
  const sources = globSync([...manifest.files], { cwd: projectRoot }).filter((file) => !/^dist[\\/]/.test(file));
  for (const file of sources) {
    await mkdir(dirname(join(stage, file)), { recursive: true });
    if (file.endsWith('.json')) {
      // Indentation costs a download more than some pages of code.
      const content: unknown = JSON.parse(await readFile(join(projectRoot, file), 'utf8'));
      await writeFile(join(stage, file), JSON.stringify(content));
    } else {
      await copyFile(join(projectRoot, file), join(stage, file));
    }
  }
  await writeFile(join(stage, 'package.json'), shippedManifest(manifest, version));
  return packages;
}

/**
 * When the commit was made that is packaged, in seconds since 1970; the earliest that a ZIP archive can hold if git does
 * not say.
 */
export function commitTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) {
    return Number(given);
  }
  try {
    const git = ['log', '-1', '--format=%ct'];
    return Number(
      execFileSync('git', git, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return Date.UTC(1980, 0, 2) / 1000;
  }
}

interface ProjectManifest {
  /** What is shipped besides the manifest itself, as glob patterns. */
  readonly files: readonly string[];
}

/** The manifest without what is for development alone: nothing is built or installed where it is packed or used. */
function shippedManifest(manifest: ProjectManifest, version: string | undefined): string {
  const shipped = Object.entries({ ...manifest, ...(version === undefined ? {} : { version }) }).filter(
    ([name]) => !['scripts', 'imports', 'devDependencies', 'allowScripts'].includes(name),
  );
  return JSON.stringify(Object.fromEntries(shipped));
}

/** Does something with other variables of the environment. */
async function withEnvironment(variables: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
  }
}
