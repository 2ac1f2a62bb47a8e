import * as vscode from 'vscode';
import { isSha } from '../../api/grammar.ts';
import {
  ancestorOf,
  type Change,
  findGit,
  type Git,
  commitRange,
  type Repository,
} from '../../workspace/gitExtension.ts';
import type { ActivityContext } from '../context.ts';
import type { EventNode } from '../tree/nodes.ts';

const mostTitles = 20;
/** Kinds of changes, as the Git extension numbers them. */
const [added, deleted] = [1, 6];

export class LocalCommits {
  readonly #view: ActivityContext;

  constructor(view: ActivityContext) {
    this.#view = view;
  }

  /** The first lines of a push's commits, the newest first, and its files; empty for what is no push or is in no open repository. */
  async read(node: EventNode): Promise<{ readonly commits: readonly string[]; readonly files: readonly string[] }> {
    const push = await this.#find(node).catch(() => undefined);
    if (!push) {
      return { commits: [], files: [] };
    }
    const { repository, from, to } = push;
    const [commits, changes] = await Promise.all([
      repository.log({ range: commitRange(from, to), maxEntries: mostTitles }).catch(() => []),
      from === undefined ? [] : repository.diffBetween(from, to).catch(() => []),
    ]);
    const root = `${repository.rootUri.path.replace(/\/$/, '')}/`;
    return {
      commits: commits.map(({ hash, message }) => `${hash.slice(0, 8)} ${message.split('\n')[0] ?? ''}`),
      files: changes.map(({ uri }) => uri.path.replace(root, '')),
    };
  }

  /** Shows what a push changed. @returns whether it could: its commits, and one before them, are in an open repository. */
  async show(node: EventNode): Promise<boolean> {
    const { git, repository, from, to } = (await this.#find(node)) ?? {};
    if (!git || !repository || !from || !to) {
      return false;
    }
    const changes = await repository.diffBetween(from, to);
    const sides = (change: Change): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => [
      change.uri,
      change.status === added ? undefined : git.toGitUri(change.originalUri, from),
      change.status === deleted ? undefined : git.toGitUri(change.uri, to),
    ];
    const title = `${from.slice(0, 8)}…${to.slice(0, 8)}`;
    await vscode.commands.executeCommand('vscode.changes', title, changes.map(sides));
    return true;
  }

  async repositoriesOf(node: EventNode): Promise<readonly Repository[]> {
    const git = await findGit();
    return git ? this.#candidates(git, node) : [];
  }

  /** The commits of a push in a repository; `from` is the one before the first, undefined if the push began the history. */
  async #find(node: EventNode) {
    const push = node.item.push_data;
    const to = push?.commit_to;
    // Whatever came before: this is where text of an instance would become an argument of a program.
    const git = isSha(to) ? await findGit() : undefined;
    if (!push || !isSha(to) || !git) {
      return undefined;
    }
    // A fork or a mirror has the same commits: any repository that is open will do.
    const likely = this.#candidates(git, node);
    for (const repository of new Set([...likely, ...git.repositories])) {
      const last = await repository.getCommit(to).catch(() => undefined);
      if (last) {
        const { commit_from: from, commit_count: count } = push;
        const first = isSha(from) ? from : ancestorOf(to, Math.max(1, count ?? 1));
        const before = first && (await repository.getCommit(first).catch(() => undefined));
        return { git, repository, to, from: [before?.hash, last.parents[0]].find(isSha) };
      }
    }
    return undefined;
  }

  #candidates(git: Git, { item, feed }: EventNode): Repository[] {
    const { accountId } = feed.ref;
    const { projects, app } = this.#view;
    const path = projects.get(accountId, item.project_id)?.path;
    return app.workspaceProjects.all
      .filter((project) => project.accountId === accountId && project.path === path)
      .flatMap(({ folder }) => git.getRepository(folder) ?? []);
  }
}
