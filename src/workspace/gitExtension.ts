import * as vscode from 'vscode';
import type { Sha } from '../api/grammar.ts';
import { systemClock } from '../common/clock.ts';

/**
 * The subset of the API of the editor's Git extension that this extension uses. Text of others is never passed as a
 * revision.
 */
export interface Git {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  readonly git: { readonly path: string };
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
  /** The address of a file as it was in a commit. */
  toGitUri(uri: vscode.Uri, ref: Sha): vscode.Uri;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly upstream?: { readonly remote: string } } | undefined;
    readonly remotes: readonly Remote[];
    readonly onDidChange: vscode.Event<void>;
  };
  /** The configuration of git that holds for the repository. */
  getConfigs(): Promise<{ readonly key: string; readonly value: string }[]>;
  /** Rejects if the repository has no such commit. */
  getCommit(ref: Revision): Promise<Commit>;
  diffBetween(ref1: Sha, ref2: Sha): Promise<Change[]>;
  fetch(): Promise<void>;
}

interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
}

/** A file that differs between two commits. */
export interface Change {
  readonly uri: vscode.Uri;
  /** Where the file was before, if it was renamed. */
  readonly originalUri: vscode.Uri;
  /** Of the Git extension's kinds: 1 is added, 6 deleted. */
  readonly status: number;
}

export interface Remote {
  readonly name: string;
  readonly fetchUrl?: string;
  readonly pushUrl?: string;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): Git;
}

/**
 * The editor's Git extension, activated.
 *
 * @returns undefined where it is missing or switched off, such as in a workspace that is not trusted.
 */
export async function findGit(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = await extension?.activate().then(undefined, () => undefined);
  return git?.enabled === true ? git.getAPI(1) : undefined;
}

/** Milliseconds after which the Git extension is given up: a repository may be on a disk that does not answer. */
const longestSearch = 60_000;

/** Whether the Git extension, which does so after its activation, has looked through the folders of the workspace; waits until it has. */
export async function foundRepositories({
  state,
  onDidChangeState,
}: Pick<Git, 'state' | 'onDidChangeState'>): Promise<boolean> {
  if (state === 'initialized') {
    return true;
  }
  return await new Promise((resolve) => {
    const finish = (isFound: boolean): void => {
      subscription.dispose();
      cancel();
      resolve(isFound);
    };
    const subscription = onDidChangeState(() => finish(true));
    const cancel = systemClock.after(longestSearch, () => finish(false));
  });
}

/** A commit by its id, or one a number of commits before it. Any other text could be an option or an expression to git. */
export type Revision = Sha | (string & { readonly revision: unique symbol });

/** More than a push has commits. */
const mostAncestors = 100_000;

/** The commit a number of commits before another; undefined for what no push has. */
export function ancestorOf(commit: Sha, commits: number): Revision | undefined {
  return Number.isSafeInteger(commits) && commits > 0 && commits <= mostAncestors
    ? (`${commit}~${commits}` as Revision)
    : undefined;
}
