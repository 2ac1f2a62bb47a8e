import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { Connection } from '../../accounts/connections.ts';
import { joinSources, projectSource, type RecordSource, userSource } from '../../accounts/directorySearch.ts';
import { type Description, pick } from '../../accounts/pickers.ts';
import { notify } from '../../accounts/problem.ts';
import type { Commands } from '../../common/commands.ts';
import type { ActivityContext, Target } from '../context.ts';
import { usernameOf } from '../events/targets.ts';
import { choiceId, type FeedChoice, feedIcons, feedLabel, feedLabelAmong, feedNote } from '../feed/feedRef.ts';
import type { Polling } from '../feed/polling.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { DayNode } from '../tree/nodes.ts';

const { t } = vscode.l10n;

interface FeedLine {
  readonly id: string;
  readonly choice: FeedChoice;
  readonly name?: string | null | undefined;
  readonly section?: string;
}

export function feedCommands(view: ActivityContext, tree: ActivityTree, polling: Polling) {
  const { app, feeds, projects } = view;
  const { accountInUse, connections } = app;

  /**
   * Loads what is new: in a feed, or in all that are shown. A failure shows in the view.
   *
   * @returns when the rows show all that came of it.
   * @throws SignedOutError if there is no account.
   */
  async function refresh(target?: Target): Promise<void> {
    const only = target && view.feedOf(target);
    if (!accountInUse.account) {
      await connections.current();
    }
    projects.expire();
    polling.restart();
    await Promise.all((only ? [only] : feeds.all).map((feed) => feed.refresh()));
  }

  /** Loads the next page of older events and goes to the first of them. A failure shows in the view. */
  async function loadMore(target?: Target): Promise<void> {
    const feed = view.feedOf(target);
    if (!feed) {
      await connections.current();
      return;
    }
    const { length } = feed.state.shown;
    await feed.loadMore();
    await tree.reveal(feed, feed.state.shown[length]?.id);
  }

  async function select(): Promise<void> {
    const choice = await askFeed(view, t('Select Feed'));
    if (choice) {
      await feeds.choose(choice);
      await tree.revealChosen();
    }
  }

  /** Keeps a feed in the view, beside the one that is chosen: alone it looks as before, so that a message says what comes of it. */
  async function pin(target?: Target): Promise<void> {
    const shown = view.shownOf(target);
    if (shown) {
      await feeds.pin(shown.choice);
      const name = shown.feed ? feedLabelAmong(shown.feed.ref, app.accountInUse) : feedLabel(shown.choice);
      const message = t('Pinned {0}: it stays in the view of all windows when you select another feed.', name);
      const unpin = { title: t('Unpin'), run: () => feeds.unpin(shown.choice) };
      notify('info', message, [{ title: t('Select Another Feed…'), run: select }, unpin], app.log);
    }
  }

  return {
    // A title of a view hands over the row that has the focus, which is not what it is about.
    'beacon.activity.refresh': () => refresh(),
    'beacon.activity.refreshFeed': refresh,
    'beacon.activity.loadMore': loadMore,
    'beacon.activity.showMoreOfDay': (day?: DayNode) => day && tree.showMoreOf(day),
    'beacon.activity.selectFeed': select,
    'beacon.activity.pinFeed': pin,
    'beacon.activity.unpinFeed': async (target?: Target) => {
      const shown = view.shownOf(target);
      await (shown && feeds.unpin(shown.choice));
    },
  } satisfies Commands;
}

/**
 * Asks for a feed: one of those at hand, or that of a project or user, by name, path, id or web address.
 *
 * @returns undefined if the user gave up.
 */
export async function askFeed(view: ActivityContext, title: string): Promise<FeedChoice | undefined> {
  const { feeds, app } = view;
  const { accountInUse, connections } = app;
  const { account } = accountInUse;
  const source = joinSources(async () => sourcesOf(await connections.current()));
  // As they are by now: what is pinned while they are shown moves no line under the pointer.
  const lines = offered(view).map(lineOf);
  const line = await pick<FeedLine>(source, {
    title: account ? accountInUse.named(title, account.id) : title,
    accountId: account?.id,
    placeholder: t('Choose a feed, or search by name, path, ID or web address'),
    offered: lines,
    describe: (one) => describe(view, one),
    onButton: async ({ choice }) => await (feeds.isPinned(choice) ? feeds.unpin(choice) : feeds.pin(choice)),
  });
  return line?.choice;
}

/** The feed that is shown, the user's own, and those of the selected event; then those that are pinned or were chosen before. */
function offered(view: ActivityContext): FeedChoice[] {
  const { feeds, app } = view;
  const accountId = app.accountInUse.account?.id ?? '';
  const all: FeedChoice[] = [
    feeds.choice,
    { kind: 'allProjects', accountId },
    ...(app.workspaceProjects.current ? [{ kind: 'workspaceProject' } as const] : []),
    { kind: 'mine', accountId },
    ...ofSelected(view),
    ...feeds.pinned,
    ...feeds.recent,
  ];
  return all.filter((choice) => feeds.isThere(choice));
}

function ofSelected(view: ActivityContext): FeedChoice[] {
  const { item, feed, facts } = view.eventOf(undefined) ?? {};
  if (!item || !feed) {
    return [];
  }
  const { accountId } = feed.ref;
  const [id, authorId, username] = [item.project_id, item.author?.id ?? item.author_id, usernameOf(item)];
  return [
    ...(typeof id === 'number' && facts ? [{ kind: 'project', accountId, id, path: facts.path } as const] : []),
    ...(typeof authorId === 'number' && username !== undefined
      ? [{ kind: 'user', accountId, id: authorId, username, name: item.author?.name ?? username } as const]
      : []),
  ];
}

function describe(view: ActivityContext, { choice, name, section = '' }: FeedLine): Description {
  const { feeds, app } = view;
  const isPinned = feeds.isPinned(choice);
  const ofWorkspace = choice.kind === 'workspaceProject' ? app.workspaceProjects.current : undefined;
  const accountId = 'accountId' in choice ? choice.accountId : ofWorkspace?.accountId;
  const facts = [
    name,
    ofWorkspace?.path,
    choice.kind === 'user' ? `@${choice.username}` : undefined,
    accountId !== undefined && accountId !== app.accountInUse.account?.id ? accountLabel(accountId) : undefined,
    feeds.isChosen(choice) ? t('shown now') : undefined,
    feedNote(choice, app.accounts),
  ];
  return {
    label: feedLabel(choice),
    description: facts.filter(Boolean).join(' · '),
    icon: isPinned ? 'pinned' : feedIcons[choice.kind],
    section,
    button: isPinned
      ? { iconPath: new vscode.ThemeIcon('pinned'), tooltip: t('Unpin') }
      : { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Pin') },
  };
}

function lineOf(choice: FeedChoice): FeedLine {
  return { id: choiceId(choice), choice };
}

/** Where feeds are searched for: projects, and users as soon as something is typed. */
function sourcesOf(connection: Connection): RecordSource<FeedLine>[] {
  const { id: accountId } = connection.account;
  const users = userSource(connection, ({ id, username, name }) => ({
    ...lineOf({ kind: 'user', accountId, id, username, name: name ?? username }),
    section: t('users'),
  }));
  return [
    projectSource(connection, ({ id, path_with_namespace: path, name }) => ({
      ...lineOf({ kind: 'project', accountId, id, path }),
      ...{ name, section: t('projects, with merge requests and epics') },
    })),
    async function* lookForUsers(text, signal) {
      if (text !== '') {
        yield* users(text, signal);
      }
    },
  ];
}
