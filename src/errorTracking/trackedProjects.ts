import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Pins } from '../accounts/pins.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { lacksReadScope, type ProjectRef } from '../accounts/account.ts';
import type { ProjectStates } from './projectStates.ts';

/** A project that the view shows. */
export interface TrackedProject extends ProjectRef {
  readonly place: 'workspace' | 'pinned';
  /** The full path by which it is known here: that of the remote, or of the pin. */
  readonly path: string;
  /** The root of the repository of a workspace's project. */
  readonly folder?: vscode.Uri;
}

/** The projects whose error tracking is of interest in this window: the workspace's first, then the pinned ones. */
export class TrackedProjects implements vscode.Disposable {
  readonly #inUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly #workspace: Pick<WorkspaceProjects, 'all' | 'current' | 'whenKnown' | 'onDidChange'>;
  readonly #pins: Pins;
  readonly #states: ProjectStates;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** Where pinned projects were before they moved, as found in this session. */
  readonly #movedFrom = new Map<number, string>();

  readonly onDidChange = this.#changed.event;

  constructor(
    inUse: Pick<AccountInUse, 'account' | 'onDidChange'>,
    workspace: Pick<WorkspaceProjects, 'all' | 'current' | 'whenKnown' | 'onDidChange'>,
    pins: Pins,
    states: ProjectStates,
  ) {
    this.#inUse = inUse;
    this.#workspace = workspace;
    this.#pins = pins;
    this.#states = states;
    const notify = (): void => this.#changed.fire();
    this.#subscription = vscode.Disposable.from(
      inUse.onDidChange(notify),
      workspace.onDidChange(notify),
      pins.onDidChange(notify),
      states.onDidChange((address) => this.#followPin(address)),
    );
  }

  /** Whether there is an account whose projects they are. */
  get hasAccount(): boolean {
    return this.#inUse.account !== undefined;
  }

  /** Resolves once there are any, or it is known that there are none. */
  async whenKnown(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const settle = (): void => {
      if (this.all.length > 0 || !this.hasAccount) {
        resolve();
      }
    };
    const subscription = this.onDidChange(settle);
    settle();
    await Promise.race([promise, this.#workspace.whenKnown]);
    subscription.dispose();
  }

  get all(): readonly TrackedProject[] {
    const { account } = this.#inUse;
    if (!account) {
      return [];
    }
    // The sandbox is a world of its own.
    const ofWorkspace = account.kind === 'sandbox' ? [] : this.#workspaceProjects();
    const pinned = this.#pins
      .of(account.id, 'project')
      .map(({ accountId, id, path }): TrackedProject => ({ place: 'pinned', accountId, idOrPath: id, path }))
      .filter((pin) => !ofWorkspace.some((project) => this.#isSame(project, pin)));
    // What a token cannot read is no row: the view says what the token lacks.
    const isReadable = ({ accountId }: TrackedProject): boolean => accountId !== account.id || !lacksReadScope(account);
    return [...ofWorkspace, ...pinned].filter(isReadable);
  }

  /** The project that a file of the workspace belongs to, if it is one on an instance. */
  projectOf(file: vscode.Uri): TrackedProject | undefined {
    return this.all
      .filter(({ folder }) => folder?.scheme === file.scheme && `${file.path}/`.startsWith(`${folder.path}/`))
      .toSorted((one, other) => (other.folder?.path.length ?? 0) - (one.folder?.path.length ?? 0))[0];
  }

  /** Whether some project is read and changed by another account than the window's, because that one does not reach it. */
  get hasOtherAccounts(): boolean {
    const { account } = this.#inUse;
    return account !== undefined && this.all.some(({ accountId }) => accountId !== account.id);
  }

  /** The full path where a project was before it moved; undefined if it did not. */
  movedFrom(project: TrackedProject): string | undefined {
    const facts = this.#states.get(project)?.facts;
    if (project.place === 'pinned') {
      return facts && this.#movedFrom.get(facts.id);
    }
    return facts && facts.path !== project.path ? project.path : undefined;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #workspaceProjects(): TrackedProject[] {
    const { all, current } = this.#workspace;
    const inOrder = current ? [current, ...all.filter((project) => !isEqual(project, current))] : all;
    return inOrder.map(({ accountId, path, folder }) => ({
      place: 'workspace',
      accountId,
      idOrPath: path,
      path,
      folder,
    }));
  }

  #isSame(project: TrackedProject, pin: TrackedProject): boolean {
    return (
      project.accountId === pin.accountId &&
      (project.path === pin.path || this.#states.get(project)?.facts?.id === pin.idOrPath)
    );
  }

  /** A pin holds the project's number; its path follows. */
  #followPin(address: ProjectRef): void {
    const facts = this.#states.get(address)?.facts;
    if (!facts) {
      return;
    }
    const pin = this.#pins.of(address.accountId, 'project').find(({ id }) => id === facts.id);
    if (pin && pin.path !== facts.path) {
      this.#movedFrom.set(facts.id, pin.path);
      void this.#pins.updatePath(pin, facts.path);
    }
  }
}

function isEqual(one: ProjectAddressByPath, other: ProjectAddressByPath): boolean {
  return one.accountId === other.accountId && one.path === other.path;
}

type ProjectAddressByPath = Pick<TrackedProject, 'accountId' | 'path'>;
