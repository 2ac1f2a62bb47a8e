import * as vscode from 'vscode';
import { notify } from '../../accounts/problem.ts';
import { isSha } from '../../api/grammar.ts';
import type { Commands } from '../../common/commands.ts';
import { chooseSeveral, copyText, showInformationMessage, withProgress } from '../../common/inertWindow.ts';
import { ancestorOf, type Change, findGit, type Git, type Repository } from '../../workspace/gitExtension.ts';
import type { ActivityContext, Target } from '../context.ts';
import type { EventPages } from '../document/eventPages.ts';
import { numberLabel } from '../events/eventLabel.ts';
import type { Feed } from '../feed/feed.ts';
import { feedLabelAmong } from '../feed/feedRef.ts';
import { mostMarks, type Mute } from '../feed/readState.ts';
import type { ActivityNode, EventNode } from '../tree/nodes.ts';

const { t } = vscode.l10n;

const muteIcons = { author: 'account', project: 'repo', kind: 'tag' } as const;

/** What is done with events: shown, marked as read, muted. */
export function eventCommands(view: ActivityContext, pages: EventPages) {
  const { app, feeds, readState } = view;
  const { mutes } = readState;

  /** The event of a command with its web address, when its project is looked up, as text of the view may not. */
  async function linkOf(target: Target): Promise<{ readonly node: EventNode; readonly link: string } | undefined> {
    const node = view.eventOf(target);
    const { project_id: id } = node?.item ?? {};
    if (node && typeof id === 'number') {
      await view.projects.learn(node.feed.ref.accountId, [id]);
    }
    const link = node && view.linkOf(node);
    return node && link !== undefined ? { node, link } : undefined;
  }

  async function openInBrowser(target?: Target): Promise<void> {
    const { node, link } = (await linkOf(target)) ?? {};
    if (node && link !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
      await pages.markOpened(node);
    }
  }

  async function copyLink(target?: Target): Promise<void> {
    const { link } = (await linkOf(target)) ?? {};
    if (link !== undefined) {
      await copyText(link);
    }
  }

  /** Shows what a push changed, from a repository that is open; where none has it, offers what can be done about that. */
  async function showChanges(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    const git = node && (await findGit());
    const repositories = git ? repositoriesOf(git, node) : [];
    if (!node || (git && (await showPush(git, repositories, node)))) {
      return;
    }
    const fetch = async (): Promise<void> => {
      await withProgress({ location: { viewId: 'beacon.activity' } }, () =>
        Promise.all(repositories.map(async (repository) => repository.fetch())),
      );
      await showChanges(node);
    };
    const cloneUrl = git && cloneUrlOf(node);
    const toGetOne = {
      [t('Open Folder…')]: () => vscode.commands.executeCommand('vscode.openFolder'),
      ...(cloneUrl && { [t('Clone…')]: () => vscode.commands.executeCommand('git.clone', cloneUrl) }),
    };
    const buttons: Record<string, () => Thenable<unknown>> = {
      ...(repositories.length > 0 ? { [t('Fetch')]: fetch } : toGetOne),
      [t('Open in Browser')]: () => openInBrowser(node),
    };
    const sentence = t('No open repository can show these changes.');
    const chosen = await showInformationMessage(sentence, ...Object.keys(buttons));
    await buttons[chosen ?? '']?.();
  }

  /** Where git clones the project of an event from: nowhere but from its own instance. */
  function cloneUrlOf({ item, feed }: EventNode): string | undefined {
    const { webUrl } = view.projects.get(feed.ref.accountId, item.project_id) ?? {};
    return webUrl?.startsWith(`${feed.state.instanceUrl}/`) ? `${webUrl}.git` : undefined;
  }

  /** The open repositories of the project of an event. */
  function repositoriesOf(git: Git, { item, feed }: EventNode): Repository[] {
    const { accountId } = feed.ref;
    const path = view.projects.get(accountId, item.project_id)?.path;
    return app.workspaceProjects.all
      .filter((project) => project.accountId === accountId && project.path === path)
      .flatMap(({ folder }) => git.getRepository(folder) ?? []);
  }

  /** Says what was done, and offers to take that back. @param takeBack may give what to say of it. */
  function offerUndo(message: string, takeBack: () => Promise<string | void>): void {
    // The view may show none of these events, or another account.
    const undo = async (): Promise<void> =>
      notify('info', (await takeBack()) ?? t('Undone: {0}', message), [], app.log);
    notify('info', message, [{ title: t('Undo'), run: undo }], app.log);
  }

  /** Marks all events as read: of the feed that the command was chosen on, else of all feeds of the view. */
  async function markAllRead(target?: Target): Promise<void> {
    const only = target ? view.feedOf(target) : undefined;
    const meant = only ? [only] : feeds.all;
    const done = await readState.markAllRead(meant);
    if (!done) {
      void showInformationMessage(t('Nothing is unread'));
      return;
    }
    const { marked, takeBack } = done;
    const list = (some: readonly Pick<Feed, 'ref'>[]): string =>
      new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format(
        some.map(({ ref }) => feedLabelAmong(ref, app.accountInUse)),
      );
    const message = marked.some(({ isFiltered, state }) => isFiltered || state.reading.onlyNew)
      ? t('Marked as read: {0}, also what is filtered out', list(marked))
      : t('Marked as read: {0}', list(marked));
    offerUndo(message, async () => {
      const restored = await takeBack();
      return restored.length > 0
        ? t('Unread again: {0}', list(restored))
        : t('Nothing was undone: more was marked as read since then.');
    });
  }

  async function markDayRead(target?: ActivityNode): Promise<void> {
    if (target?.kind !== 'day') {
      return;
    }
    const { accountId } = target.feed.ref;
    const ids = target.events.flatMap(({ isNew, item }) => (isNew ? item.id : [])).slice(0, mostMarks);
    await readState.setRead(accountId, ids, true);
    const message =
      ids.length === 1
        ? t('1 event was marked as read.')
        : t('{0} events were marked as read.', numberLabel(ids.length));
    offerUndo(message, () => readState.setRead(accountId, ids, false));
  }

  async function setRead(target: Target, isRead: boolean): Promise<void> {
    const node = view.eventOf(target);
    await (node && readState.setRead(node.feed.ref.accountId, [node.item.id], isRead));
  }

  async function setCounts(target: Target, counts: boolean): Promise<void> {
    const feed = view.feedOf(target);
    await (feed && readState.setCounts(feed.id, counts));
  }

  async function mute(target: Target, what: Mute['what']): Promise<void> {
    const node = view.eventOf(target);
    const subject = node?.subject(what);
    if (node && subject) {
      const muted = { accountId: node.feed.ref.accountId, what, ...subject };
      await mutes.add(muted);
      const account = app.accountInUse.labelOf(muted.accountId);
      const said = (sentence: string): string => [account, sentence].filter(Boolean).join(' · ');
      offerUndo(
        said(t('Muted {0}: these events are neither shown nor counted in any feed of this account.', muted.name)),
        async () => {
          await mutes.remove([muted]);
          return said(t('Shown and counted again: {0}', muted.name));
        },
      );
    }
  }

  async function manageMutes(): Promise<void> {
    if (mutes.all.length === 0) {
      await showInformationMessage(t('Nothing is muted.'));
      return;
    }
    const lines = mutes.all.map((muted) => ({
      muted,
      label: muted.name,
      description: app.accountInUse.labelOf(muted.accountId),
      iconPath: new vscode.ThemeIcon(muteIcons[muted.what]),
    }));
    const chosen = await chooseSeveral(lines, {
      title: t('Manage Muted Activity'),
      placeHolder: t('Select what you want to see again'),
    });
    if (chosen && chosen.length > 0) {
      await mutes.remove(chosen.map(({ muted }) => muted));
    }
  }

  return {
    'beacon.activity.showEvent': async (target?: Target) => {
      const node = view.eventOf(target);
      await (node && pages.show(node));
    },
    'beacon.activity.openInBrowser': openInBrowser,
    'beacon.activity.copyLink': copyLink,
    'beacon.activity.showCommits': showChanges,
    'beacon.activity.markAllRead': () => markAllRead(),
    'beacon.activity.markFeedRead': markAllRead,
    'beacon.activity.markDayRead': markDayRead,
    'beacon.activity.markRead': (target?: Target) => setRead(target, true),
    'beacon.activity.markUnread': (target?: Target) => setRead(target, false),
    'beacon.activity.leaveOutOfBadge': (target?: Target) => setCounts(target, false),
    'beacon.activity.countInBadge': (target?: Target) => setCounts(target, true),
    'beacon.activity.muteAuthor': (target?: Target) => mute(target, 'author'),
    'beacon.activity.muteProject': (target?: Target) => mute(target, 'project'),
    'beacon.activity.muteKind': (target?: Target) => mute(target, 'kind'),
    'beacon.activity.manageMutes': () => manageMutes(),
    'beacon.activity.showOnlyNew': () => readState.setOnlyNew(true),
    'beacon.activity.showRead': () => readState.setOnlyNew(false),
  } satisfies Commands;
}

/** Kinds of changes, as the Git extension numbers them. */
const [added, deleted] = [1, 6];

/**
 * Shows what a push changed. A fork or a mirror has the same commits: any repository that is open will do.
 *
 * @param likely the repositories that are asked first.
 * @returns whether it could: its commits, and one before them, are in an open repository.
 */
export async function showPush(git: Git, likely: readonly Repository[], { item }: EventNode): Promise<boolean> {
  const { commit_from: from, commit_to: to, commit_count: count } = item.push_data ?? {};
  // Whatever came before: this is where text of an instance would become an argument of a program.
  if (!isSha(to)) {
    return false;
  }
  for (const repository of new Set([...likely, ...git.repositories])) {
    const last = await repository.getCommit(to).catch(() => undefined);
    const first = isSha(from) ? from : ancestorOf(to, Math.max(1, count ?? 1));
    const before = last && first && (await repository.getCommit(first).catch(() => undefined));
    const start = [before?.hash, last?.parents[0]].find(isSha);
    if (start) {
      const sides = ({
        uri,
        originalUri,
        status,
      }: Change): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => [
        uri,
        status === added ? undefined : git.toGitUri(originalUri, start),
        status === deleted ? undefined : git.toGitUri(uri, to),
      ];
      const changes = await repository.diffBetween(start, to);
      const title = `${start.slice(0, 8)}…${to.slice(0, 8)}`;
      await vscode.commands.executeCommand('vscode.changes', title, changes.map(sides));
      return true;
    }
  }
  return false;
}
