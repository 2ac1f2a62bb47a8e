import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { isBelow, isSamePlace } from '../../common/paths.ts';
import { findGit, foundRepositories, type Git } from '../../workspace/gitExtension.ts';

/** Milliseconds after which git is given up: a repository may be on a disk that does not answer. */
const longest = 60_000;

/** The editor's Git extension once it knows the repositories; undefined where it is off or the workspace not trusted. */
async function findInitializedGit(): Promise<Git | undefined> {
  const git = vscode.workspace.isTrusted ? await findGit() : undefined;
  return git && (await foundRepositories(git)) ? git : undefined;
}

/** What no configuration decides: a program that is run, where paths begin, and whether submodules are looked through, which fails. */
const settings = ['core.fsmonitor=false', 'grep.fullName=false', 'submodule.recurse=false'].flatMap((one) => [
  '-c',
  one,
]);

/** No program that the repository names is run with it, and none hangs for ever. @returns the paths that it writes. */
async function runGit(
  gitPath: string,
  cwd: string,
  args: readonly string[],
  input?: string,
): Promise<readonly string[]> {
  const running = promisify(execFile)(gitPath, [...settings, ...args], {
    cwd,
    // What a repository lacks, git would fetch from where, and by which program, its configuration says.
    env: { ...process.env, GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' },
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
    timeout: longest,
    killSignal: 'SIGKILL',
  });
  // If git ends early, its exit code says so.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  try {
    return (await running).stdout.split('\0').filter((path) => path !== '');
  } catch (error) {
    if ((error as { code?: unknown }).code === noneFound) {
      return [];
    }
    throw error;
  }
}

/** The exit code of `git check-ignore` for paths of which none is ignored, and of `git grep` for a pattern that no file has. */
const noneFound = 1;

/** Whether git ignores a file; undefined where it knows no repository of the file. */
export async function isIgnored(uri: vscode.Uri): Promise<boolean | undefined> {
  const git = await findInitializedGit();
  const isKnown = git?.repositories.some(({ rootUri }) => isBelow(rootUri, uri)) === true;
  return isKnown ? (await ignoredAmong([uri])).size > 0 : undefined;
}

export async function ignoredAmong(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  const git = await findInitializedGit();
  if (!git) {
    return new Set();
  }
  // `getRepository` of the API takes a millisecond per file.
  const repositories = git.repositories.toSorted((one, other) => other.rootUri.path.length - one.rootUri.path.length);
  const groups = Map.groupBy(uris, (uri) => repositories.find(({ rootUri }) => isBelow(rootUri, uri)));
  const ignored = new Set<string>();
  for (const [repository, members] of groups) {
    if (repository) {
      // The Git extension has the same, which at times ends before it has read what git found. Git that fails must not keep a feature
      // from the files.
      const input = members.map(({ fsPath }) => fsPath).join('\0');
      const ask = ['check-ignore', '-z', '--stdin'];
      const paths = new Set(await runGit(git.git.path, repository.rootUri.fsPath, ask, input).catch(() => []));
      members.filter(({ fsPath }) => paths.has(fsPath)).forEach((uri) => ignored.add(uri.toString()));
    }
  }
  return ignored;
}

/** At most this many paths are named when git is called: how long a command may be differs by the system. */
const mostNamed = 100;

/**
 * The files of a folder in which git finds a pattern, on any disk: tracked ones and others, ignored ones left out.
 * Takes a second for 50,000 files, and none of the thread's time.
 *
 * @param pattern an extended regular expression; letters stand for small and capital ones.
 * @returns undefined if git does not know the folder, or failed.
 */
export async function searchByGit(folder: vscode.Uri, pattern: string): Promise<readonly vscode.Uri[] | undefined> {
  const git = await findInitializedGit();
  const roots = git?.repositories.map(({ rootUri }) => rootUri) ?? [];
  const isInside = roots.some((root) => isSamePlace(root, folder) || isBelow(root, folder));
  if (!git || folder.scheme !== 'file' || !isInside) {
    return undefined;
  }
  // Each repository leaves those that are in it, such as submodules, to themselves.
  const places = [folder, ...roots.filter((root) => isBelow(folder, root))];
  try {
    const found = new Map<string, vscode.Uri>();
    for (const place of places) {
      const run = async (...args: string[]): Promise<readonly string[]> =>
        await runGit(git.git.path, place.fsPath, ['--literal-pathspecs', ...args]);
      const form = ['--threads=1', '-a', '-i', '-l', '-z', '--no-color', '-E', '-e', pattern];
      const paths = await run('grep', '--untracked', ...form, '--', '.');
      // That leaves out what is tracked though a rule says to ignore it.
      const others = await run('ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--', '.');
      const among = others.length > mostNamed ? ['.'] : others;
      const more = among.length > 0 ? await run('grep', '--no-untracked', ...form, '--', ...among) : [];
      for (const path of [...paths, ...more]) {
        const uri = vscode.Uri.joinPath(place, path);
        found.set(uri.toString(), uri);
      }
    }
    return [...found.values()];
  } catch {
    return undefined;
  }
}
