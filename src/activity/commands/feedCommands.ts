import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import { pickProject, pickUser } from '../../accounts/pickers.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Commands } from '../../common/commands.ts';
import { createQuickPick } from '../../common/inertWindow.ts';
import type { LoadedTree } from '../../common/trees.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { choiceId, type FeedChoice } from '../feed/feedRef.ts';
import { usernameOf } from '../feed/filter.ts';
import { type FeedChoices, feedIcon, feedLabel, type OpenFeeds } from '../feed/openFeeds.ts';
import type { FeedPolling } from '../feed/polling.ts';
import type { Projects } from '../feed/projects.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { ActivityNode, DayNode } from '../tree/nodes.ts';

/** What loading and choosing feeds depends on. */
export interface FeedCommandsDeps {
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  readonly choices: FeedChoices;
  readonly connections: Pick<Connections, 'current'>;
  readonly context: ViewContext;
  readonly feeds: Pick<OpenFeeds, 'all'>;
  readonly polling: Pick<FeedPolling, 'restart'>;
  readonly projects: Projects;
  readonly tree: LoadedTree<ActivityNode, ActivityTree>;
  /** The full path of the project whose repository is open. */
  readonly workspaceProject: () => string | undefined;
}

interface FeedLine extends vscode.QuickPickItem {
  readonly choose?: () => Promise<FeedChoice | undefined>;
  /** What the line stands for, if that needs no further question. */
  readonly choice?: FeedChoice;
}

/** Loads, chooses, pins and unpins feeds. */
export class FeedCommands {
  readonly #deps: FeedCommandsDeps;
  readonly commands = {
    'beacon.activity.refresh': (target?: Target) => this.refresh(target),
    'beacon.activity.loadMore': (target?: Target) => this.loadMore(target),
    'beacon.activity.showMoreOfDay': (day?: DayNode) => day && this.#deps.tree.rows?.showMoreOf(day),
    'beacon.activity.selectFeed': () => this.select(),
    'beacon.activity.pinFeed': (target?: Target) => this.pin(target),
    'beacon.activity.unpinFeed': (target?: Target) => this.unpin(target),
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
   * @throws SignedOutError if there is no account, UndecidedAccountError if it is not chosen yet.
   */
  async refresh(target?: Target): Promise<void> {
    const { accountInUse, connections, context, feeds, polling, projects } = this.#deps;
    const only = target && context.feed(target);
    if (!accountInUse.account) {
      await connections.current();
    }
    projects.expire();
    polling.restart();
    await Promise.all((only ? [only] : feeds.all).map((feed) => feed.refresh()));
  }

  /**
   * Loads the next page of older events and goes to the first of them. A failure shows in the view.
   *
   * @returns when the rows show all that came of it, and the first of them has the focus.
   * @throws SignedOutError if there is no account, UndecidedAccountError if it is not chosen yet.
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
    const placeholder = vscode.l10n.t('Choose the feed to show. Pinned feeds are shown beside it.');
    const choice = await this.ask(vscode.l10n.t('Select Feed'), placeholder);
    if (choice) {
      await this.#deps.choices.choose(choice);
    }
  }

  /**
   * Asks for a feed.
   *
   * @returns undefined if the user gave up.
   */
  async ask(title: string, placeholder?: string): Promise<FeedChoice | undefined> {
    const { choices } = this.#deps;
    const picker = createQuickPick<FeedLine>();
    Object.assign(picker, { title, placeholder, matchOnDescription: true });
    const show = (): void => {
      picker.items = this.#lines();
      picker.activeItems = picker.items.filter(
        ({ choice }) => choice !== undefined && choiceId(choice) === choiceId(choices.chosen),
      );
    };
    show();
    const chosen = await new Promise<FeedLine | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidTriggerItemButton(async ({ item: { choice } }) => {
        if (choice) {
          await (choices.isPinned(choice) ? choices.unpin(choice) : choices.pin(choice));
          show();
        }
      });
      picker.show();
    });
    picker.dispose();
    return chosen?.choice ?? (await chosen?.choose?.());
  }

  /** Keeps a feed in the view, beside the one that is chosen. */
  async pin(target?: Target): Promise<void> {
    const shown = this.#deps.context.shown(target);
    if (shown) {
      await this.#deps.choices.pin(shown.choice);
    }
  }

  async unpin(target?: Target): Promise<void> {
    const shown = this.#deps.context.shown(target);
    if (shown) {
      await this.#deps.choices.unpin(shown.choice);
    }
  }

  /** Shows the feed of an event's project; without an event that of this workspace's project, or of one that the user chooses. */
  async openProjectFeed(target?: Target): Promise<void> {
    const { choices, context, projects, workspaceProject } = this.#deps;
    const node = target?.kind === 'message' ? undefined : context.event(target);
    if (node && !isUnrecognized(node.item) && typeof node.item.project_id === 'number') {
      const { accountId } = node.feed.ref;
      const id = node.item.project_id;
      const path = projects.get(accountId, id)?.path ?? vscode.l10n.t('Project {0}', id);
      await choices.choose({ kind: 'project', accountId, id, path });
      return;
    }
    const choice: FeedChoice | undefined =
      workspaceProject() === undefined ? await this.#pickProject() : { kind: 'workspaceProject' };
    if (choice) {
      await choices.choose(choice);
    }
  }

  /** Shows the feed of an event's author; without an event that of a user whom the user chooses. */
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
    const choice = await this.#pickUser();
    if (choice) {
      await choices.choose(choice);
    }
  }

  #lines(): FeedLine[] {
    const { choices, workspaceProject } = this.#deps;
    const project = workspaceProject();
    const always: FeedChoice[] = [
      { kind: 'mine' },
      { kind: 'allProjects' },
      ...(project === undefined ? [] : [{ kind: 'workspaceProject' } as const]),
    ];
    const isAlways = (choice: FeedChoice): boolean => always.some((other) => choiceId(other) === choiceId(choice));
    const others = [...choices.pinned, choices.chosen, ...choices.recent].filter(
      (choice, index, all) =>
        !isAlways(choice) && all.findIndex((other) => choiceId(other) === choiceId(choice)) === index,
    );
    return [
      ...always.map((choice) => this.#line(choice, choice.kind === 'workspaceProject' ? project : undefined)),
      ...(others.length === 0 ? [] : [{ label: '', kind: vscode.QuickPickItemKind.Separator }]),
      ...others.map((choice) => this.#line(choice, choice.kind === 'user' ? `@${choice.username}` : undefined)),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      {
        label: vscode.l10n.t('Select Project…'),
        iconPath: new vscode.ThemeIcon('repo'),
        choose: () => this.#pickProject(),
      },
      {
        label: vscode.l10n.t('Select User…'),
        iconPath: new vscode.ThemeIcon('person'),
        choose: () => this.#pickUser(),
      },
    ];
  }

  #line(choice: FeedChoice, description: string | undefined): FeedLine {
    const isPinned = this.#deps.choices.isPinned(choice);
    return {
      choice,
      label: feedLabel(choice),
      ...(description === undefined ? {} : { description }),
      iconPath: new vscode.ThemeIcon(feedIcon(choice)),
      buttons: [
        isPinned
          ? { iconPath: new vscode.ThemeIcon('pinned'), tooltip: vscode.l10n.t('Unpin') }
          : { iconPath: new vscode.ThemeIcon('pin'), tooltip: vscode.l10n.t('Pin') },
      ],
    };
  }

  async #pickProject(): Promise<FeedChoice | undefined> {
    const connection = await this.#deps.connections.current();
    const project = await pickProject(connection, { title: vscode.l10n.t('Select Project') });
    return project && { ...project, kind: 'project' };
  }

  async #pickUser(): Promise<FeedChoice | undefined> {
    const connection = await this.#deps.connections.current();
    const user = await pickUser(connection, { title: vscode.l10n.t('Select User') });
    return (
      user && { kind: 'user', accountId: connection.account.id, id: user.id, username: user.username, name: user.name }
    );
  }
}
