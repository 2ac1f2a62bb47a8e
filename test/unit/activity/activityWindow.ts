import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Account, sandboxAccount } from '../../../src/accounts/account.ts';
import { accountLabel } from '../../../src/accounts/accountInUse.ts';
import type { AccountChange } from '../../../src/accounts/accountStore.ts';
import type { InstanceAccount } from '../../../src/accounts/keptAccount.ts';
import type { Connection } from '../../../src/accounts/connections.ts';
import type { WorkspaceProject } from '../../../src/accounts/workspaceProjects.ts';
import { Activity } from '../../../src/activity/activity.ts';
import type { App } from '../../../src/app.ts';
import type { Command } from '../../../src/common/commands.ts';
import { Kept, Memento } from '../../support/editor/storage.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { type Row, View } from '../../support/editor/view.ts';

/** What the view shows, as its entry has it. */
type ActivityTree = Activity['tree'];
export type { InsightsState } from '../../../src/activity/insights/insightsPanel.ts';
export type Feed = Activity['feeds']['all'][number];
export type ActivityNode = Activity['treeView']['selection'][number];
export type EventNode = Extract<ActivityNode, { readonly kind: 'event' }>;
type Mute = Activity['readState']['mutes']['all'][number];

/** The feeds of the account that windows have first. */
export const mine = { kind: 'mine', accountId: 'sandbox' } as const;
export const allProjects = { kind: 'allProjects', accountId: 'sandbox' } as const;

/** The editor's side of the view: the rows that it has by now, from when it is first looked at. */
class EditorView extends View {
  /** The rows that it went to. */
  readonly revealed: ActivityNode[] = [];
  /** For which rows those below were asked for, in order; undefined for the top. */
  readonly asked: (ActivityNode | undefined)[] = [];
  override visible = true;
  #seen: readonly Row[] | undefined;

  constructor(tree: () => ActivityTree, onDidChangeTreeData: ActivityTree['onDidChangeTreeData']) {
    const provider: vscode.TreeDataProvider<ActivityNode> = {
      onDidChangeTreeData,
      getChildren: (node) => {
        this.asked.push(node);
        return tree().getChildren(node);
      },
      getParent: (node) => tree().getParent(node),
      getTreeItem: (node) => tree().getTreeItem(node),
    };
    super({ treeDataProvider: provider });
  }

  async look(): Promise<void> {
    this.#seen = await this.rows();
  }

  /** Resolves when it has all rows, if it was looked at. */
  async settled(): Promise<void> {
    await (this.#seen && this.look());
  }

  get nodes(): readonly ActivityNode[] {
    return this.#seen?.map(({ node }) => node as ActivityNode) ?? [];
  }

  /** What is read of a row. */
  itemOf(node: ActivityNode): vscode.TreeItem | undefined {
    return this.#seen?.find((row) => row.node === node)?.item;
  }

  override async reveal(node: object): Promise<void> {
    await super.reveal(node);
    await this.settled();
    this.revealed.push(node as ActivityNode);
  }
}

/** What a window has in common with another one, or differs in. */
export interface ActivityWindowOptions {
  /** What several windows share; a folder of its own if not given. */
  readonly folder?: string;
  readonly clock?: FakeClock;
  readonly globalState?: Memento;
  readonly workspaceState?: Memento;
}

/** The Activity view in a window whose accounts, clock, storage and rows on the screen are those of a test. */
export class ActivityWindow {
  readonly clock: FakeClock;
  readonly folder: string;
  readonly globalState: Memento;
  readonly workspaceState: Memento;
  readonly activity: Activity;
  /** What the editor shows of it. */
  readonly view: EditorView;
  /** Errors and warnings in the log. */
  readonly log: string[] = [];
  readonly accounts: InstanceAccount[] = [];
  readonly #accountsChanged = new vscode.EventEmitter<AccountChange>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #workspaceChanged = new vscode.EventEmitter<void>();
  readonly #rowsChanged = new vscode.EventEmitter<ActivityNode | ActivityNode[] | undefined>();
  #account: Account | undefined = sandboxAccount;
  #project: WorkspaceProject | undefined;

  private constructor(connect: (accountId: string) => Promise<Connection>, options: ActivityWindowOptions) {
    // The first hour of an afternoon, in any zone.
    this.clock = options.clock ?? new FakeClock(new Date(2026, 10, 21, 15, 0));
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), 'beacon-activity-'));
    this.globalState = options.globalState ?? new Memento();
    this.workspaceState = options.workspaceState ?? new Memento(new Kept({ 'activity.feed': { kind: 'mine' } }));
    const account = (): Account | undefined => this.#account;
    const project = (): WorkspaceProject | undefined => this.#project;
    const note = (entry: unknown): void => void this.log.push(String(entry));
    const nothing = (): void => undefined;
    const labelOf = (id: string): string => (this.accounts.length > 1 ? accountLabel(id) : '');
    const extension = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
    const app = {
      context: {
        globalStorageUri: vscode.Uri.file(this.folder),
        extensionUri: extension?.extensionUri ?? vscode.Uri.file(join(import.meta.dirname, '..', '..')),
      },
      log: { error: note, warn: note, info: nothing, debug: nothing, trace: nothing },
      clock: this.clock,
      globalState: this.globalState,
      workspaceState: this.workspaceState,
      accounts: {
        all: this.accounts,
        find: (id: string) => this.accounts.find((one) => one.id === id),
        onDidChange: this.#accountsChanged.event,
      },
      accountInUse: {
        get account() {
          return account();
        },
        get state() {
          return account()?.kind ?? 'none';
        },
        labelOf,
        named: (text: string, id: string) => (labelOf(id) === '' ? text : `${text} (${labelOf(id)})`),
        use: async (other: Account) => this.use(other),
        onDidChange: this.#changed.event,
      },
      connections: { of: connect, current: async () => connect(account()?.id ?? '') },
      workspaceProjects: {
        get all() {
          return [project()].filter((one) => one !== undefined);
        },
        get current() {
          return project();
        },
        onDidChange: this.#workspaceChanged.event,
      },
    } as unknown as App;
    this.view = new EditorView(() => this.tree, this.#rowsChanged.event);
    this.activity = new Activity(app, () => this.view as object as vscode.TreeView<ActivityNode>);
    this.tree.onDidChangeTreeData((changed) => this.#rowsChanged.fire(changed));
  }

  /** @param connect gives the connection of an account by its id. */
  static async open(
    connect: (accountId: string) => Promise<Connection>,
    options: ActivityWindowOptions = {},
  ): Promise<ActivityWindow> {
    return new ActivityWindow(connect, options);
  }

  /** What the rows are read from. */
  get tree(): ActivityTree {
    return this.activity.tree;
  }

  /** The one feed that is shown. */
  get feed(): Feed {
    const [feed] = this.activity.feeds.all;
    if (!feed) {
      throw new Error('No feed is shown');
    }
    return feed;
  }

  get now(): Date {
    return this.clock.date();
  }

  /** Sets the time of day, without letting time pass. */
  set now(date: Date) {
    this.clock.shift(date.getTime() - this.clock.date().getTime());
  }

  /** Works with another account from now on, or with none. */
  use(account: Account | undefined): void {
    this.#account = account;
    this.#changed.fire();
  }

  /** Stores an account, in place of the one with its id. */
  keepAccount(account: InstanceAccount): InstanceAccount {
    const index = this.accounts.findIndex(({ id }) => id === account.id);
    const [before] = this.accounts.splice(Math.max(index, 0), index < 0 ? 0 : 1, account);
    this.#accountsChanged.fire({ id: account.id, before, now: account });
    return account;
  }

  /** Removes an account from the store. */
  signOutOf(accountId: string): void {
    const index = this.accounts.findIndex(({ id }) => id === accountId);
    const [before] = this.accounts.splice(index, index < 0 ? 0 : 1);
    this.#accountsChanged.fire({ id: accountId, before, now: undefined });
  }

  /** Opens a repository of a project, or none. */
  openProject(project: { readonly accountId: string; readonly path: string } | undefined): void {
    this.#project = project && { ...project, folder: vscode.Uri.file('/w') };
    this.#workspaceChanged.fire();
  }

  /** Runs a command by its name without `beacon.activity.`. */
  async run(name: string, ...args: readonly unknown[]): Promise<void> {
    const { commands } = this.activity;
    const command = new Map<string, Command>(Object.entries(commands)).get(`beacon.activity.${name}`);
    if (!command) {
      throw new Error(`There is no command ${name}`);
    }
    await command(...(args as never[]));
  }

  async children(node?: ActivityNode): Promise<ActivityNode[]> {
    return await this.tree.getChildren(node);
  }

  /** All rows as labels, with those below them indented. */
  async rows(parent?: ActivityNode, indent = ''): Promise<string[]> {
    const rows: string[] = [];
    for (const node of await this.children(parent)) {
      rows.push(`${indent}${this.labelOf(node)}`, ...(await this.rows(node, `${indent}  `)));
    }
    return rows;
  }

  /** What the editor is given for a row. */
  item(node: ActivityNode | undefined): vscode.TreeItem {
    return this.tree.getTreeItem(node as ActivityNode);
  }

  /** The same for the rows below another one, or from the top. */
  async items(below?: ActivityNode): Promise<readonly vscode.TreeItem[]> {
    return (await this.children(below)).map((node) => this.item(node));
  }

  async eventItems(): Promise<readonly vscode.TreeItem[]> {
    return (await this.events()).map((node) => this.item(node));
  }

  labelOf(node: ActivityNode): string {
    const { label = '' } = this.item(node);
    return typeof label === 'string' ? label : label.label;
  }

  /** What the tree asks the editor to draw again from now on. */
  changes(): readonly unknown[] {
    const changes: unknown[] = [];
    this.tree.onDidChangeTreeData((change) => changes.push(change));
    return changes;
  }

  async mute(what: Mute['what'], value: string, name = value): Promise<Mute> {
    const mute = { accountId: 'sandbox', what, value, name };
    await this.activity.readState.mutes.add(mute);
    return mute;
  }

  /** The nodes of all events, from the top. */
  async events(parent?: ActivityNode): Promise<EventNode[]> {
    const found: EventNode[] = [];
    for (const node of await this.children(parent)) {
      found.push(...(node.kind === 'event' ? [node] : await this.events(node)));
    }
    return found;
  }

  dispose(): void {
    this.activity.dispose();
    this.view.dispose();
  }
}
