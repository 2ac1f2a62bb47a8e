import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectPlace } from '../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Dialogs } from '../accounts/dialogs.ts';
import type { Pins } from '../accounts/pins.ts';
import type { Commands } from '../common/commands.ts';
import type { LoadedTree } from '../common/trees.ts';
import type { ErrorTrackingNode, ErrorTrackingTree } from './errorTrackingTree.ts';
import type { KeyFacts } from './keyFacts.ts';
import type { ProjectState, ProjectStates } from './projectStates.ts';
import type { RotationJournal } from './rotation/rotationJournal.ts';
import type { TrackedProject, TrackedProjects } from './trackedProjects.ts';

export interface ErrorTrackingViewDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly projects: TrackedProjects;
  readonly states: ProjectStates;
  readonly pins: Pins;
  readonly dialogs: () => Promise<Dialogs>;
  readonly journal: RotationJournal;
  readonly keyFacts: () => Promise<KeyFacts>;
  readonly log: vscode.LogOutputChannel;
  /** Shows what `createTree` makes. */
  readonly tree: LoadedTree<ErrorTrackingNode, ErrorTrackingTree>;
  readonly view: vscode.TreeView<ErrorTrackingNode>;
}

/** The view "Error Tracking": which projects it shows, and how they are loaded. */
export class ErrorTrackingView implements vscode.Disposable {
  readonly #deps: ErrorTrackingViewDeps;
  readonly #accountInUse: AccountInUse;
  readonly #connections: Connections;
  readonly #projects: TrackedProjects;
  readonly #states: ProjectStates;
  readonly #pins: Pins;
  readonly #log: vscode.LogOutputChannel;
  readonly #tree: LoadedTree<ErrorTrackingNode, ErrorTrackingTree>;
  readonly #view: vscode.TreeView<ErrorTrackingNode>;
  readonly #subscriptions: vscode.Disposable[];
  readonly commands: Commands = {
    'beacon.errorTracking.refresh': () => this.refresh(),
    'beacon.errorTracking.pinProject': () => this.pinProject(),
  };

  constructor(deps: ErrorTrackingViewDeps) {
    this.#deps = deps;
    this.#accountInUse = deps.accountInUse;
    this.#connections = deps.connections;
    this.#projects = deps.projects;
    this.#states = deps.states;
    this.#pins = deps.pins;
    this.#log = deps.log;
    this.#tree = deps.tree;
    this.#view = deps.view;
    this.#subscriptions = [
      this.#accountInUse.onDidChange(() => {
        this.#forget();
        this.#describe();
      }),
      deps.accounts.onDidChange((ids) => {
        // What a project of another account could not be read with may have been its token.
        const inUse = this.#accountInUse.account?.id;
        if (this.#projects.all.some(({ accountId }) => accountId !== inUse && ids.includes(accountId))) {
          this.#forget();
        }
        this.#describe();
      }),
      this.#projects.onDidChange(() => this.#describe()),
    ];
    this.#describe();
  }

  /** Loads and builds the rows. */
  async createTree(): Promise<ErrorTrackingTree> {
    const { accounts, journal, keyFacts: loadKeyFacts } = this.#deps;
    const [{ ErrorTrackingTree }, keyFacts] = await Promise.all([import('./errorTrackingTree.ts'), loadKeyFacts()]);
    return new ErrorTrackingTree({
      ...{ accounts, projects: this.#projects, states: this.#states, journal, keyFacts },
      load: (project) => this.#load(project),
    });
  }

  /**
   * Loads what is shown again. Failures show in the tree.
   *
   * @throws SignedOutError or UndecidedAccountError if there is no account in use.
   */
  async refresh(): Promise<void> {
    if (!this.#accountInUse.account) {
      await this.#connections.current();
    }
    const shown = this.#projects.all.filter((project) => this.#states.get(project));
    const [keyFacts, dialogs] = await Promise.all([this.#deps.keyFacts(), this.#deps.dialogs()]);
    await dialogs.viewProgress(() =>
      Promise.all([...shown.map((project) => this.#states.refresh(project)), keyFacts.refresh()]),
    );
    this.#tree.rows?.update();
  }

  /** Keeps a project of the account in use in the view. */
  async pinProject(): Promise<void> {
    const { pickUnpinned } = await import('./targets.ts');
    const project = await pickUnpinned(this.#deps, () => this.#accountLabel);
    if (project) {
      await this.#pins.add(project);
      if (this.#view.visible) {
        await this.#reveal(project);
      }
    }
  }

  /** Says above the rows that not all files were searched for DSNs, or no longer does. */
  showCompleteness(isComplete: boolean): void {
    this.#view.message = isComplete
      ? ''
      : vscode.l10n.t('This workspace has too many DSNs to examine: some files were not searched.');
  }

  /** Whether a project is shown without being pinned first. */
  shows(project: ProjectPlace): boolean {
    return this.#find(project) !== undefined;
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    if (!this.shows(project)) {
      await this.#pins.add({ kind: 'project', ...project });
    }
    await this.#reveal(project);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #find({ accountId, id, path }: ProjectPlace): TrackedProject | undefined {
    return this.#projects.all.find(
      (project) => project.accountId === accountId && (project.idOrPath === id || project.path === path),
    );
  }

  async #reveal(place: ProjectPlace): Promise<void> {
    const project = this.#find(place);
    const node = project && (await this.#tree.getChildren()).find((child) => child.project.path === project.path);
    if (node) {
      await this.#view.reveal(node, { expand: true, focus: true });
    }
  }

  async #load(project: TrackedProject): Promise<ProjectState> {
    const known = this.#states.get(project);
    if (known) {
      return known;
    }
    const dialogs = await this.#deps.dialogs();
    const state = await dialogs.viewProgress(() => this.#states.load(project));
    if (state.error !== undefined) {
      this.#log.error(inspect(state.error));
    }
    return state;
  }

  /** Shows what the instances say now. */
  #forget(): void {
    this.#states.clear();
    this.#tree.rows?.update();
  }

  #describe(): void {
    // Where another account reads rows, each names its own: the menu of the title is about the account of the window.
    this.#view.description = this.#projects.hasOtherAccounts ? '' : this.#accountLabel;
  }

  /** The name of the account in use; empty where there is no other that it could be mistaken for. */
  get #accountLabel(): string {
    const { account } = this.#accountInUse;
    // A token that is not enough is that of an account, which no row names.
    const isNamed = this.#deps.accounts.all.length > 1 || account?.kind === 'sandbox' || lacksReadScope(account);
    return account && isNamed ? accountLabel(account.id) : '';
  }
}
