import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runQuietly } from './processes.ts';
import { projectRoot } from './project.ts';

/** Where the package goes that tests install. */
export const packagedExtension = join(projectRoot, 'beacon-gitlab.vsix');

/**
 * Builds and packages the extension as it is shipped; `.vscodeignore` says what is in the package. The same commit gives the
 * same bytes on any computer: vsce sorts the files and gives them the time of the commit, which it writes in the local zone, and
 * the build gives them the same modes.
 *
 * @param preRelease the version of a pre-release, instead of the one in the manifest.
 * @throws Error with what vsce has printed, if it fails.
 */
export async function packageExtension(file = packagedExtension, preRelease?: string): Promise<void> {
  const version =
    preRelease === undefined ? [] : [preRelease, '--no-update-package-json', '--no-git-tag-version', '--pre-release'];
  await runQuietly('vsce', ['package', ...version, '--no-dependencies', '--out', file], {
    cwd: projectRoot,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(commitTime()), TZ: 'UTC' },
  });
}

if (import.meta.main) {
  await packageExtension();
}

/**
 * When the commit was made that is packaged, in seconds since 1970; the earliest that a ZIP archive can hold if git does
 * not say.
 */
export function commitTime(): number {
  const git = ['log', '-1', '--format=%ct'];
  const { stdout } = spawnSync('git', git, { cwd: projectRoot, encoding: 'utf8' });
  return Number(process.env['SOURCE_DATE_EPOCH'] ?? (stdout?.trim() || Date.UTC(1980, 0, 2) / 1000));
}
