import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { sandboxAccount, sandboxUsername } from '../accounts/account.ts';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import type { Clock } from '../common/clock.ts';
import { loadOnce } from '../common/commands.ts';
import { withProgress } from '../common/inertWindow.ts';
import type { LoadedTree } from '../common/trees.ts';
import { ActivityHeader, NewDecorations, NewsNotifier } from './activityHeader.ts';
import type { activityCommands } from './commands/activityCommands.ts';
import { firstChoice } from './feed/feedRef.ts';
import { FeedStore } from './feed/feedStore.ts';
import { FilterMemory } from './feed/filterMemory.ts';
import { FeedChoices, OpenFeeds } from './feed/openFeeds.ts';
import { FeedPolling } from './feed/polling.ts';
import { Projects } from './feed/projects.ts';
import { Mutes, ReadState } from './feed/readState.ts';
import type { ActivityTree } from './tree/activityTree.ts';
import type { ActivityNode } from './tree/nodes.ts';
import { ViewContext } from './viewContext.ts';

const viewId = 'beacon.activity';
/** How often rows say how long ago it is now, in milliseconds. */
const timesInterval = 30_000;

/** What the view is built from. */
export interface ActivityViewDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange' | 'state' | 'use'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current' | 'onDidChange'>;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** A folder that all windows share. */
  readonly storageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly windowFocus: { readonly isFocused: boolean; readonly onDidChange: vscode.Event<unknown> };
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

/** The view "Activity": builds its services and connects them. */
export class ActivityView implements vscode.Disposable {
  readonly choices: FeedChoices;
  readonly filters: FilterMemory;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  readonly projects: Projects;
  readonly store: FeedStore;
  readonly feeds: OpenFeeds;
  readonly header: ActivityHeader;
  readonly polling: FeedPolling;
  readonly context: ViewContext;
  /** Loads what a user does with the view. */
  readonly commands: () => Promise<ReturnType<typeof activityCommands>>;
  /** Loads and builds the rows, which `tree` shows. */
  readonly createTree: () => Promise<ActivityTree>;
  readonly #subscriptions: vscode.Disposable;

  constructor(
    deps: ActivityViewDeps,
    tree: LoadedTree<ActivityNode, ActivityTree>,
    view: vscode.TreeView<ActivityNode>,
  ) {
    const { accounts, accountInUse, connections, globalState, workspaceState, workspaceProjects } = deps;
    const { windowFocus, clock, log } = deps;
    const settings = () => vscode.workspace.getConfiguration(viewId);
    const accountIds = (): string[] => [...accounts.all.map(({ id }) => id), sandboxAccount.id];
    const projects = (this.projects = new Projects(async (accountId) => (await connections.of(accountId)).client));
    const store = (this.store = new FeedStore(join(pathOf(deps.storageUri), 'activity'), {
      note: (sentence) => log.warn(sentence),
      isKept: (accountId) => accountIds().includes(accountId),
    }));
    const filters = (this.filters = new FilterMemory(globalState));
    const readState = (this.readState = new ReadState(globalState, workspaceState));
    const mutes = (this.mutes = new Mutes(globalState));
    const choices = (this.choices = new FeedChoices(workspaceState, globalState, accountInUse, () =>
      firstChoice(
        { accountId: accountInUse.account?.id, workspaceProject: workspaceProjects.current },
        settings().get('defaultFeed'),
      ),
    ));
    const feeds = (this.feeds = new OpenFeeds({
      ...{
        choices,
        filters,
        accounts,
        accountInUse,
        workspaceProjects,
        connections,
        projects,
        readState,
        mutes,
        store,
        clock,
        log,
      },
      ownName: (accountId) => {
        const isSandbox = accountId === sandboxAccount.id;
        const name = isSandbox ? sandboxUsername : accounts.all.find(({ id }) => id === accountId)?.username;
        return settings().get('ownEventsAreNew', false) ? undefined : name;
      },
      language: vscode.env.language,
      showProgress: (task) => withProgress({ location: { viewId } }, task),
    }));
    const header = (this.header = new ActivityHeader({ feeds, readState, accounts, accountInUse, clock, view }));
    const polling = (this.polling = new FeedPolling({
      feeds,
      clock,
      window: {
        get isFocused() {
          return windowFocus.isFocused;
        },
        get isViewVisible() {
          return view.visible;
        },
        get pollingInterval() {
          return settings().get('pollingInterval', 60);
        },
      },
      notifier: new NewsNotifier(view, accounts, log),
    }));
    const context = (this.context = new ViewContext(feeds, view));
    this.commands = loadOnce(async () => {
      const loaded = await import('./commands/activityCommands.ts');
      return loaded.activityCommands({
        ...{ accounts, accountInUse, connections, workspaceProjects, choices, filters, context, clock },
        ...{ feeds, projects, readState, mutes, polling, store, tree, log },
        extensionUri: deps.extensionUri,
      });
    });
    this.createTree = async () => {
      const { ActivityTree } = await import('./tree/activityTree.ts');
      return new ActivityTree({
        ...{ feeds, workspaceProjects, accounts, clock, view, log },
        commands: this.commands,
      });
    };
    const updateTimes = (): void => {
      if (view.visible) {
        tree.rows?.updateTimes();
        header.update();
      }
    };
    const times = setInterval(updateTimes, timesInterval);
    this.#subscriptions = vscode.Disposable.from(
      ...[choices, filters, readState, mutes, feeds, new NewDecorations(), polling],
      { dispose: () => clearInterval(times) },
      accounts.onDidChange(() => {
        void store.keepOnly(accountIds());
        header.update();
      }),
      feeds.onDidChange((feed) => {
        header.update();
        if (!feed) {
          polling.update();
        }
      }),
      view.onDidChangeVisibility(() => {
        updateTimes();
        polling.update();
      }),
      windowFocus.onDidChange(() => polling.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(viewId)) {
          polling.update();
        }
      }),
    );
    header.update();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
