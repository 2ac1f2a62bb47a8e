import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { relative, sep } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { isBelow, isSamePlace } from '../../common/paths.ts';
import { Yielder } from '../../workspace/batches.ts';
import { findGit, type Git, type Repository } from '../../workspace/gitExtension.ts';

/** The editor's Git extension once it knows the repositories; undefined where it is off, as in a workspace that is not trusted. */
async function findInitializedGit(): Promise<Git | undefined> {
  const git = vscode.workspace.isTrusted ? await findGit() : undefined;
  if (git && git.state !== 'initialized') {
    // The repositories of the workspace's folders are not known before.
    await new Promise<void>((resolve) => {
      const subscription = git.onDidChangeState(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
  return git;
}

/** So many files are asked about one by one; beyond, a list of all that the repository ignores is there sooner. */
const mostAsked = 50;

/** The exit code of `git check-ignore` for paths of which none is ignored. */
const noneIgnored = 1;

/**
 * Which files git leaves alone, by the editor's Git extension. Where that is off, as it is in a workspace that is not
 * trusted, nothing is run and no file counts as ignored.
 */
export class GitIgnore {
  /** Whether git ignores a file; undefined where it knows no repository of the file. */
  async isIgnored(uri: vscode.Uri): Promise<boolean | undefined> {
    const git = await findInitializedGit();
    const isKnown = git?.repositories.some(({ rootUri }) => isBelow(rootUri, uri)) === true;
    return isKnown ? (await this.ignoredAmong([uri])).size > 0 : undefined;
  }

  /**
   * The files among those given that git ignores. A tracked file is never ignored.
   *
   * @returns their URIs as strings.
   */
  async ignoredAmong(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
    const git = await findInitializedGit();
    if (!git) {
      return new Set();
    }
    // `getRepository` of the API takes a millisecond per file.
    const repositories = git.repositories.toSorted((one, other) => lengthOf(other) - lengthOf(one));
    const groups = new Map<Repository, vscode.Uri[]>();
    const yielder = new Yielder();
    for (const uri of uris) {
      const repository = repositories.find(({ rootUri }) => isBelow(rootUri, uri));
      if (repository) {
        const members = groups.get(repository) ?? [];
        members.push(uri);
        groups.set(repository, members);
      }
      await yielder.rest();
    }
    const ignored = new Set<string>();
    for (const [repository, members] of groups) {
      // Git that fails must not keep a feature from the files.
      const isIgnored = await this.#ask(git, repository, members).catch(() => () => false);
      for (const uri of members) {
        if (isIgnored(uri)) {
          ignored.add(uri.toString());
        }
        await yielder.rest();
      }
    }
    return ignored;
  }

  async #ask(git: Git, repository: Repository, members: readonly vscode.Uri[]): Promise<(uri: vscode.Uri) => boolean> {
    const root = repository.rootUri.fsPath;
    if (members.length <= mostAsked) {
      const paths = await askIgnored(
        git.git.path,
        root,
        members.map(({ fsPath }) => fsPath),
      );
      return ({ fsPath }) => paths.has(fsPath);
    }
    const ignored = await listIgnored(git.git.path, root);
    return ({ fsPath }) => isListed(ignored, relative(root, fsPath).replaceAll(sep, '/'));
  }
}

function lengthOf({ rootUri }: Repository): number {
  return rootUri.path.length;
}

/**
 * The paths among those given that a repository ignores. Compares each with all files that are tracked. The Git extension has
 * the same, which at times ends before it has read what git found.
 */
async function askIgnored(gitPath: string, root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const asking = promisify(execFile)(gitPath, ['check-ignore', '-z', '--stdin'], { cwd: root, windowsHide: true });
  // If git ends early, its exit code says so.
  asking.child.stdin?.on('error', () => {});
  asking.child.stdin?.end(paths.join('\0'));
  try {
    return new Set((await asking).stdout.split('\0'));
  } catch (error) {
    if ((error as { code?: unknown }).code === noneIgnored) {
      return new Set();
    }
    throw error;
  }
}

/** The paths of all that a repository ignores: files, and folders with a slash at the end for all that is in them. */
async function listIgnored(gitPath: string, root: string): Promise<ReadonlySet<string>> {
  const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const { stdout } = await promisify(execFile)(gitPath, list, {
    cwd: root,
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  });
  return new Set(stdout.split('\0'));
}

/** Whether a list has a path, or a folder that it is in. */
function isListed(list: ReadonlySet<string>, path: string): boolean {
  if (list.has(path)) {
    return true;
  }
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    if (list.has(path.slice(0, slash + 1))) {
      return true;
    }
  }
  return false;
}

/**
 * The files of a folder in which git finds a pattern, on any disk: tracked ones and others, ignored and binary ones left out.
 * Takes a second for 50,000 files, and none of the thread's time.
 *
 * @param pattern an extended regular expression; letters stand for small and capital ones.
 * @param signal ends the search.
 * @returns undefined if git does not know the folder, or failed.
 */
export async function searchByGit(
  folder: vscode.Uri,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly vscode.Uri[] | undefined> {
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
      // A search with files that are not tracked leaves out those that are tracked though a rule says to ignore them.
      for (const which of ['--no-untracked', '--untracked'] as const) {
        const uris = await grep({ gitPath: git.git.path, folder: place, which, pattern, signal });
        uris.forEach((uri) => found.set(uri.toString(), uri));
      }
    }
    return [...found.values()];
  } catch {
    return undefined;
  }
}

async function grep({
  gitPath,
  folder,
  which,
  pattern,
  signal,
}: {
  readonly gitPath: string;
  readonly folder: vscode.Uri;
  readonly which: '--untracked' | '--no-untracked';
  readonly pattern: string;
  readonly signal: AbortSignal;
}): Promise<readonly vscode.Uri[]> {
  const form = ['-I', '-i', '-l', '-z', '--no-color'];
  const search = ['grep', '--threads=1', which, ...form, '-E', '-e', pattern, '--', '.'];
  try {
    const searching = promisify(execFile)(gitPath, search, {
      cwd: folder.fsPath,
      maxBuffer: Number.POSITIVE_INFINITY,
      windowsHide: true,
      signal,
    });
    lowerPriority(searching.child.pid);
    const { stdout } = await searching;
    return stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => vscode.Uri.joinPath(folder, path));
  } catch (error) {
    // Nothing was found.
    if ((error as { code?: unknown }).code === 1) {
      return [];
    }
    throw error;
  }
}

/** Lets everything else on the computer go before a process, such as the window in which a user types. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    }
  } catch {
    // It has ended already, or the operating system does not let us.
  }
}
