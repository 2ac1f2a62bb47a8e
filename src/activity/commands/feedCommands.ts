import * as vscode from 'vscode';
import { type AccountInUse, accountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import {
  joinSources,
  mapSource,
  projectSource,
  type RecordSource,
  userSource,
} from '../../accounts/directorySearch.ts';
import { type Description, pick } from '../../accounts/pickers.ts';
import type { WorkspaceProject } from '../../accounts/workspaceProjects.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Commands } from '../../common/commands.ts';
import { setStatusBarMessage } from '../../common/inertWindow.ts';
import type { LoadedTree } from '../../common/trees.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { choiceId, type FeedChoice } from '../feed/feedRef.ts';
import { usernameOf } from '../feed/filter.ts';
import { type FeedChoices, feedIcon, feedLabel, feedLabelAmong, feedNote, type OpenFeeds } from '../feed/openFeeds.ts';
import type { FeedPolling } from '../feed/polling.ts';
import type { Projects } from '../feed/projects.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { ActivityNode, DayNode } from '../tree/nodes.ts';

/** What loading and choosing feeds depends on. */
export interface FeedCommandsDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'use'>;
  readonly choices: FeedChoices;
  readonly connections: Pick<Connections, 'current'>;
  readonly context: ViewContext;
  readonly feeds: Pick<OpenFeeds, 'followed'>;
  readonly polling: Pick<FeedPolling, 'restart'>;
  readonly projects: Projects;
  readonly tree: LoadedTree<ActivityNode, ActivityTree>;
  /** The full path of the project whose repository is open. */
  readonly workspaceProject: () => WorkspaceProject | undefined;
}

/** A feed that can be chosen. */
interface FeedLine {
  readonly id: string;
  readonly choice: FeedChoice;
  /** The name of a project that was found. */
  readonly name?: string;
}

/** Loads, chooses, pins and unpins feeds. */
export class FeedCommands {
  readonly #deps: FeedCommandsDeps;
  readonly commands = {
    // A title of a view hands over the row that has the focus, which is not what it is about.
    'beacon.activity.refresh': () => this.refresh(),
    'beacon.activity.refreshFeed': (target?: Target) => this.refresh(target),
    'beacon.activity.loadMore': (target?: Target) => this.loadMore(target),
    'beacon.activity.showMoreOfDay': (day?: DayNode) => day && this.#deps.tree.rows?.showMoreOf(day),
    'beacon.activity.selectFeed': () => this.select(),
    'beacon.activity.pinFeed': (target?: Target) => this.pin(target),
    'beacon.activity.unpinFeed': (target?: Target) => this.unpin(target),
    'beacon.activity.renewToken': (target?: Target) =>
      vscode.commands.executeCommand('beacon.renewToken', this.#deps.context.feed(target)?.ref.accountId),
    'beacon.activity.openProjectFeed': (target?: Target) => this.openProjectFeed(target),
    'beacon.activity.openUserFeed': (target?: Target) => this.openUserFeed(target),
  } satisfies Commands;

  constructor(deps: FeedCommandsDeps) {
    this.#deps = deps;
  }

  /**
   * Loads what is new: in a feed, or in all that are shown. A failure shows in the view.
   *
   * @returns when the rows show all that came of it.
   * @throws SignedOutError if there is no account.
   */
  async refresh(target?: Target): Promise<void> {
    const { accountInUse, connections, context, feeds, polling, projects } = this.#deps;
    const only = target && context.feed(target);
    if (!accountInUse.account) {
      await connections.current();
    }
    projects.expire();
    polling.restart();
    await Promise.all((only ? [only] : feeds.followed).map((feed) => feed.refresh()));
  }

  /**
   * Loads the next page of older events and goes to the first of them. A failure shows in the view.
   *
   * @returns when the rows show all that came of it, and the first of them has the focus.
   * @throws SignedOutError if there is no account.
   */
  async loadMore(target?: Target): Promise<void> {
    const { connections, context, tree } = this.#deps;
    const feed = context.feed(target);
    if (!feed) {
      await connections.current();
      return;
    }
    const { length } = feed.state.shown;
    await feed.loadMore();
    await tree.rows?.reveal(feed, length);
  }

  /** Lets the user choose what to see, and pin it. */
  async select(): Promise<void> {
    const choice = await this.ask(vscode.l10n.t('Select Feed'));
    if (choice) {
      await this.#deps.choices.choose(choice);
      await this.#deps.tree.rows?.revealChosen();
    }
  }

  /**
   * Asks for a feed: one of those at hand, or that of a project or user, by name, path, id or web address.
   *
   * @returns undefined if the user gave up.
   */
  async ask(title: string): Promise<FeedChoice | undefined> {
    return (await this.#askLine(title, ''))?.choice;
  }

  async #askLine(title: string, text: string): Promise<FeedLine | undefined> {
    const { accounts, accountInUse, choices, connections } = this.#deps;
    const source = joinSources(async () => sourcesOf(await connections.current()));
    return await pick<FeedLine>(source, {
      // The list is that of the account, of which there may be several.
      title:
        accountInUse.account && accounts.all.length > 1
          ? `${title} · ${vscode.l10n.t('Account: {0}', accountLabel(accountInUse.account.id))}`
          : title,
      accountId: accountInUse.account?.id,
      text,
      placeholder: vscode.l10n.t('Choose a feed, or search by name, path, ID or web address'),
      icon: 'repo',
      offered: () => this.#offered().map(lineOf),
      describe: (line) => this.#describe(line),
      onButton: async ({ choice }) => await (choices.isPinned(choice) ? choices.unpin(choice) : choices.pin(choice)),
      again: (typed) => this.#askLine(title, typed),
    });
  }

  /** Keeps a feed in the view, beside the one that is chosen. */
  async pin(target?: Target): Promise<void> {
    const shown = this.#deps.context.shown(target);
    if (shown) {
      await this.#deps.choices.pin(shown.choice);
      // Alone it looks as before.
      const name = shown.feed ? feedLabelAmong(shown.feed.ref, this.#deps.accounts) : feedLabel(shown.choice);
      setStatusBarMessage(vscode.l10n.t('Pinned: {0}', name), 5000);
    }
  }

  async unpin(target?: Target): Promise<void> {
    const shown = this.#deps.context.shown(target);
    if (shown) {
      await this.#deps.choices.unpin(shown.choice);
    }
  }

  /** Shows the feed of an event's project; without an event that of this workspace's project, or of what the user selects. */
  async openProjectFeed(target?: Target): Promise<void> {
    const { choices, context, projects, workspaceProject } = this.#deps;
    const node = context.event(target);
    if (node && !isUnrecognized(node.item) && typeof node.item.project_id === 'number') {
      const { accountId } = node.feed.ref;
      const id = node.item.project_id;
      const path = projects.get(accountId, id)?.path;
      await (path !== undefined && choices.choose({ kind: 'project', accountId, id, path }));
      return;
    }
    await (workspaceProject() === undefined ? this.select() : choices.choose({ kind: 'workspaceProject' }));
  }

  /** Shows the feed of an event's author; without an event what the user selects. */
  async openUserFeed(target?: Target): Promise<void> {
    const { choices, context } = this.#deps;
    const node = context.event(target);
    if (node && !isUnrecognized(node.item)) {
      const { author, author_id } = node.item;
      const [id, username] = [author?.id ?? author_id, usernameOf(node.item)];
      if (typeof id === 'number' && username !== undefined) {
        const { accountId } = node.feed.ref;
        await choices.choose({ kind: 'user', accountId, id, username, name: author?.name ?? username });
        return;
      }
    }
    await this.select();
  }

  /** The user's own feeds, then those that are pinned or were chosen before. */
  #offered(): FeedChoice[] {
    const { choices, workspaceProject } = this.#deps;
    return [
      { kind: 'allProjects' },
      ...(workspaceProject() === undefined ? [] : [{ kind: 'workspaceProject' } as const]),
      { kind: 'mine' },
      ...[...choices.pinned, choices.chosen, ...choices.recent].filter((choice) => this.#isOfOne(choice)),
    ];
  }

  /** Whether a feed is that of one project or user, or the own one of another account that is signed in. */
  #isOfOne(choice: FeedChoice): boolean {
    const { accounts, accountInUse } = this.#deps;
    return (
      choice.kind === 'project' ||
      choice.kind === 'user' ||
      ('accountId' in choice &&
        choice.accountId !== accountInUse.account?.id &&
        accounts.all.some(({ id }) => id === choice.accountId))
    );
  }

  #describe({ choice, name }: FeedLine): Description {
    const { t } = vscode.l10n;
    const { accountInUse, choices, workspaceProject } = this.#deps;
    const isPinned = choices.isPinned(choice);
    const isAtHand = this.#offered().some((other) => choiceId(other) === choiceId(choice));
    const ofWorkspace = choice.kind === 'workspaceProject' ? workspaceProject() : undefined;
    const accountId = 'accountId' in choice ? choice.accountId : ofWorkspace?.accountId;
    const facts = [
      name,
      ofWorkspace?.path,
      choice.kind === 'user' ? `@${choice.username}` : undefined,
      accountId !== undefined && accountId !== accountInUse.account?.id ? accountLabel(accountId) : undefined,
      choices.idOf(choice) === choices.idOf(choices.chosen) ? t('shown now') : undefined,
      feedNote(choice),
    ];
    return {
      label: feedLabel(choice),
      description: facts.filter(Boolean).join(' · '),
      icon: isPinned ? 'pinned' : feedIcon(choice),
      section: !this.#isOfOne(choice)
        ? ''
        : isAtHand
          ? t('pinned and recent')
          : choice.kind === 'user'
            ? t('users')
            : t('projects, with merge requests and epics'),
      button: isPinned
        ? { iconPath: new vscode.ThemeIcon('pinned'), tooltip: t('Unpin') }
        : { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Pin') },
    };
  }
}

function lineOf(choice: FeedChoice): FeedLine {
  return { id: choiceId(choice), choice };
}

/** Where feeds are searched for: projects, and users as soon as something is typed. */
function sourcesOf(connection: Connection): RecordSource<FeedLine>[] {
  const { id: accountId } = connection.account;
  const users = userSource(connection);
  return [
    mapSource(projectSource(connection), ({ id, path_with_namespace: path, name }) => ({
      ...lineOf({ kind: 'project', accountId, id, path }),
      name,
    })),
    mapSource(
      {
        ...users,
        list: async function* listUsers(text, signal) {
          if (text !== '') {
            yield* users.list(text, signal);
          }
          return undefined;
        },
      },
      ({ id, username, name }) => lineOf({ kind: 'user', accountId, id, username, name: name ?? username }),
    ),
  ];
}
