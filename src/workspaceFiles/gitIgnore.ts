import { execFile } from 'node:child_process';
import { relative, sep } from 'node:path';
import { promisify } from 'node:util';
import type * as vscode from 'vscode';
import { isBelow } from '../common/paths.ts';
import { findGit, type GitApi, type GitRepository } from './gitApi.ts';
import { Pace } from './pace.ts';

/** So many files are asked about one by one; beyond, a list of all that the repository ignores is there sooner. */
const mostAsked = 50;

/** The exit code of `git check-ignore` for paths of which none is ignored. */
const noneIgnored = 1;

/**
 * Which files git leaves alone, by the editor's Git extension. Where that is off, as it is in a workspace that is not
 * trusted, nothing is run and no file counts as ignored.
 */
export class GitIgnore {
  /**
   * The files among those given that git ignores. A tracked file is never ignored.
   *
   * @returns their URIs as strings.
   */
  async ignoredAmong(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
    const git = await findGit();
    if (!git) {
      return new Set();
    }
    // The API's own way to find the repository of a file takes a millisecond for each.
    const repositories = git.repositories.toSorted((one, other) => lengthOf(other) - lengthOf(one));
    const groups = new Map<GitRepository, vscode.Uri[]>();
    const pace = new Pace();
    for (const uri of uris) {
      const repository = repositories.find(({ rootUri }) => isBelow(rootUri, uri));
      if (repository) {
        const members = groups.get(repository) ?? [];
        members.push(uri);
        groups.set(repository, members);
      }
      await pace.rest();
    }
    const ignored = new Set<string>();
    for (const [repository, members] of groups) {
      // Git that fails must not keep a feature from the files.
      const isIgnored = await this.#ask(git, repository, members).catch(() => () => false);
      for (const uri of members) {
        if (isIgnored(uri)) {
          ignored.add(uri.toString());
        }
        await pace.rest();
      }
    }
    return ignored;
  }

  async #ask(
    git: GitApi,
    repository: GitRepository,
    members: readonly vscode.Uri[],
  ): Promise<(uri: vscode.Uri) => boolean> {
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

function lengthOf({ rootUri }: GitRepository): number {
  return rootUri.path.length;
}

/**
 * The paths among those given that a repository ignores. Compares each with all files that are tracked. The Git extension has
 * the same, which at times ends before it has read what git found.
 */
async function askIgnored(gitPath: string, root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const asking = promisify(execFile)(gitPath, ['check-ignore', '-z', '--stdin'], { cwd: root, windowsHide: true });
  // Git that ends early is told by its exit code.
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
