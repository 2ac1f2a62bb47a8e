import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Connections } from '../accounts/connections.ts';
import { describeProblem } from '../accounts/problem.ts';
import { SignedOutError } from '../accounts/signedOutError.ts';
import { isUnrecognized } from '../api/unrecognized.ts';
import type { Commands } from '../commands.ts';
import { ActivityTree, type ActivityNode } from './activityTree.ts';
import { Feed } from './feed.ts';
import { Projects } from './projects.ts';

const eventsPerPage = 50;

/** The view "Activity": the feed of the account in use. */
export class ActivityView implements vscode.Disposable {
  readonly #accountInUse: AccountInUse;
  readonly #log: vscode.LogOutputChannel;
  readonly #feed: Feed;
  readonly #projects: Projects;
  readonly #tree: ActivityTree;
  readonly #view: vscode.TreeView<ActivityNode>;
  readonly #subscriptions: vscode.Disposable[];
  readonly commands: Commands = {
    'beacon.activity.refresh': () => this.refresh(),
    'beacon.activity.loadMore': () => this.loadMore(),
    'beacon.activity.openInBrowser': (node: ActivityNode) => this.openInBrowser(node),
    'beacon.activity.copyLink': (node: ActivityNode) => this.copyLink(node),
  };

  constructor(accountInUse: AccountInUse, connections: Connections, log: vscode.LogOutputChannel) {
    this.#accountInUse = accountInUse;
    this.#log = log;
    this.#feed = new Feed(async (from, signal) => {
      const { client } = await connections.current();
      const { value } = await client.events.mine({}, { from, perPage: eventsPerPage, signal }).next();
      return value ?? { items: [], next: undefined };
    });
    this.#projects = new Projects(async (id) => {
      const { client } = await connections.current();
      const { path_with_namespace, web_url } = await client.directory.project(id);
      return { path: path_with_namespace, webUrl: web_url ?? undefined };
    });
    this.#tree = new ActivityTree(this.#feed, this.#projects, () => new Date());
    this.#view = vscode.window.createTreeView('beacon.activity', { treeDataProvider: this.#tree });
    this.#subscriptions = [
      this.#tree,
      this.#view,
      accountInUse.onDidChange(() => this.#restart()),
      this.#view.onDidChangeVisibility(() => this.#loadWhenSeen()),
    ];
    this.#loadWhenSeen();
  }

  /**
   * Loads the newest events. A failure shows in the view.
   *
   * @throws SignedOutError if there is no account.
   */
  async refresh(): Promise<void> {
    await this.#load(() => this.#feed.refresh());
  }

  /**
   * Loads the next page of older events. A failure shows in the view.
   *
   * @throws SignedOutError if there is no account.
   */
  async loadMore(): Promise<void> {
    await this.#load(() => this.#feed.loadMore());
  }

  /** Opens the web page of what an event is about. */
  async openInBrowser(node: ActivityNode): Promise<void> {
    const link = this.#tree.linkOf(node);
    if (link !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
    }
  }

  /** Copies the web address of what an event is about. */
  async copyLink(node: ActivityNode): Promise<void> {
    await vscode.env.clipboard.writeText(this.#tree.linkOf(node) ?? '');
  }

  dispose(): void {
    this.#feed.reset();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Nothing is requested for a view that nobody sees. */
  #loadWhenSeen(): void {
    const { loaded, error } = this.#feed.state;
    if (this.#view.visible && this.#accountInUse.account && !loaded && error === undefined) {
      void this.refresh();
    }
  }

  #restart(): void {
    this.#feed.reset();
    this.#projects.clear();
    this.#update();
    this.#loadWhenSeen();
  }

  /** Shows what the feed holds; a failure as the view's message, which wraps where a tree item would be cut. */
  #update(): void {
    const { error } = this.#feed.state;
    this.#view.message = error === undefined ? '' : describeProblem(error).sentence;
    const { account } = this.#accountInUse;
    this.#view.description = account?.kind === 'instance' ? account.id : account ? vscode.l10n.t('Sandbox') : '';
    this.#tree.update();
  }

  async #load(step: () => Promise<void>): Promise<void> {
    if (!this.#accountInUse.account) {
      throw new SignedOutError();
    }
    await vscode.window.withProgress({ location: { viewId: 'beacon.activity' } }, step);
    this.#update();
    const { items, error } = this.#feed.state;
    if (error !== undefined) {
      this.#log.error(inspect(error));
    }
    // The events do not wait for their projects.
    const projectIds = items.flatMap((item) => (isUnrecognized(item) ? [] : (item.project_id ?? [])));
    if (await this.#projects.learn(projectIds)) {
      this.#tree.update();
    }
  }
}
