import { inspect, isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope, type ProjectRef } from '../accounts/account.ts';
import type { Client } from '../api/client.ts';
import type { ClientKeyRecord, ErrorTrackingSettingsRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { plainText } from '../common/inertText.ts';
import { webAddress } from '../common/instanceUrl.ts';
import { isBelow } from '../common/paths.ts';

/** A project that the view shows, or that a command is about. */
export interface TrackedProject extends ProjectRef {
  readonly origin: 'workspace' | 'pinned';
  /** The full path by which it is known here: that of the remote, or of the pin. */
  readonly path: string;
  /** The root of the repository of a workspace's project, and whether that is its wiki. */
  readonly folder?: vscode.Uri;
  readonly isWiki?: boolean;
}

export type SettingsState =
  | { readonly kind: 'notSetUp' }
  | { readonly kind: 'integrated'; readonly active: boolean }
  /** A tracker other than the instance itself, which the API reports and cannot set; `url` is a web address. */
  | (Readonly<Record<'projectName' | 'url' | 'apiUrl', string | undefined>> & {
      readonly kind: 'external';
      readonly active: boolean;
    })
  /** The instance does not offer integrated error tracking, and the project uses no other. */
  | { readonly kind: 'notOffered' };

export interface Tracking {
  readonly settings: SettingsState;
  readonly keys: readonly ClientKeyRecord[];
  /** How many more keys there are that cannot be read. */
  readonly unreadableKeys: number;
}

/** What is known of a project and its error tracking. What a failure leaves known stays. */
export interface ProjectState {
  readonly facts?: { readonly id: number; readonly path: string; readonly webUrl: string | undefined };
  readonly tracking?: Tracking;
  readonly level?: string | undefined;
  readonly error?: unknown;
}

export interface KnownProject {
  readonly project: TrackedProject;
  readonly facts: NonNullable<ProjectState['facts']>;
  readonly tracking: Tracking;
}

export interface KnownKey extends KnownProject {
  readonly key: ClientKeyRecord;
}

/** The projects whose error tracking is of interest in this window, and what is known of them: by account and id. */
export class Projects implements vscode.Disposable {
  readonly #app: App;
  readonly #states = new Map<string, ProjectState>();
  readonly #loading = new Map<string, Promise<ProjectState>>();
  /** The ids of projects that are known by their paths alone. */
  readonly #ids = new Map<string, number>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(app: App) {
    this.#app = app;
    const notify = (): void => this.#changed.fire();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      app.workspaceProjects.onDidChange(notify),
      app.pins.onDidChange(notify),
      // What a project could not be read with may have been its token.
      app.accountInUse.onDidChange(() => this.clear()),
      app.accounts.onDidChange(({ id }) =>
        this.all.some(({ accountId }) => accountId === id) ? this.clear() : undefined,
      ),
    );
  }

  /** The workspace's first, then the pinned ones, each once. What a token cannot read is none: the view says what the token lacks. */
  get all(): readonly TrackedProject[] {
    const { accountInUse, workspaceProjects, pins } = this.#app;
    const { account } = accountInUse;
    if (!account) {
      return [];
    }
    const { all, current } = workspaceProjects;
    const isCurrent = ({ accountId, path }: ProjectRef & { readonly path: string }): boolean =>
      accountId === current?.accountId && path === current.path;
    // The sandbox is a world of its own.
    const ofWorkspace = (account.kind === 'sandbox' ? [] : all)
      .map(({ path, ...rest }): TrackedProject => ({ ...rest, origin: 'workspace', idOrPath: path, path }))
      .toSorted((one, other) => Number(isCurrent(other)) - Number(isCurrent(one)));
    const pinned = pins
      .of(account.id)
      .map(({ accountId, id, path }): TrackedProject => ({ origin: 'pinned', accountId, idOrPath: id, path }));
    const shown: TrackedProject[] = [];
    for (const project of [...ofWorkspace, ...pinned]) {
      const cannotRead = project.accountId === account.id && lacksReadScope(account);
      const isSame = (one: TrackedProject): boolean =>
        one.accountId === project.accountId && (one.path === project.path || this.#keyOf(one) === this.#keyOf(project));
      if (!cannotRead && !shown.some(isSame) && !this.#isWikiOfGroup(project)) {
        shown.push(project);
      }
    }
    return shown;
  }

  /** Resolves once there are any, or it is known that there are none. */
  async whenKnown(): Promise<void> {
    if (this.all.length === 0 && this.#app.accountInUse.account) {
      await this.#app.workspaceProjects.whenKnown;
    }
  }

  /** The project that a reference means, if it is in the view. */
  shown(project: ProjectRef): TrackedProject | undefined {
    const key = this.#keyOf(project);
    return this.all.find((one) => this.#keyOf(one) === key);
  }

  /** The project that a reference means, as the view shows it, else by what names it. */
  find({ accountId, idOrPath }: ProjectRef): TrackedProject {
    const named: TrackedProject = { origin: 'pinned', accountId, idOrPath, path: String(idOrPath) };
    return this.shown(named) ?? named;
  }

  projectOf(file: vscode.Uri): TrackedProject | undefined {
    return this.all
      .filter(({ folder }) => folder && isBelow(folder, file))
      .toSorted((one, other) => (other.folder?.path.length ?? 0) - (one.folder?.path.length ?? 0))[0];
  }

  get(project: ProjectRef): ProjectState | undefined {
    return this.#states.get(this.#keyOf(project));
  }

  /** What is known, loaded if it is not. Does not reject: failures are part of the state. */
  async load(project: ProjectRef): Promise<ProjectState> {
    return this.get(project) ?? (await this.reload(project));
  }

  /** Asks the instance again. Callers at the same time share the requests. */
  async reload(project: ProjectRef): Promise<ProjectState> {
    const key = this.#keyOf(project);
    const loading = this.#loading.get(key) ?? this.#ask(project);
    this.#loading.set(key, loading);
    const state = await loading;
    if (this.#loading.get(key) !== loading) {
      return state;
    }
    this.#loading.delete(key);
    const { accountId, idOrPath } = project;
    if (state.facts) {
      const { id, path } = state.facts;
      this.#ids.set(`${accountId} ${idOrPath}`, id);
      // A pin holds the project's number; its path follows.
      await this.#app.pins.updatePath({ accountId, id, path });
    }
    const known = this.#states.get(key);
    this.#states.set(this.#keyOf(project), state);
    // Rows that are drawn again take the focus from the list that a command of theirs has opened meanwhile.
    if (!isDeepStrictEqual(known, state)) {
      this.#changed.fire();
    }
    return state;
  }

  /** Asks the instance again after a change. A request under way may return the state before it. */
  async reloadChanged(project: ProjectRef): Promise<ProjectState> {
    this.#loading.delete(this.#keyOf(project));
    return await this.reload(project);
  }

  /** Asks again for a project, if it is one of those that are known, after its notification level has changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    const known = this.all.filter((one) => one.accountId === accountId && this.get(one)?.facts?.id === id);
    await Promise.all(known.map((project) => this.reloadChanged(project)));
  }

  /** Forgets everything, such as to ask again. */
  clear(): void {
    this.#states.clear();
    this.#loading.clear();
    this.#ids.clear();
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** The wiki of a group looks like that of a project, of which the instance then knows nothing. */
  #isWikiOfGroup(project: TrackedProject): boolean {
    return project.isWiki === true && isApiError(this.get(project)?.error, 'notFound');
  }

  #keyOf({ accountId, idOrPath }: ProjectRef): string {
    const key = `${accountId} ${idOrPath}`;
    return `${accountId} ${this.#ids.get(key) ?? idOrPath}`;
  }

  async #ask(project: ProjectRef): Promise<ProjectState> {
    const { accountId, idOrPath } = project;
    const before = this.get(project);
    let facts = before?.facts;
    try {
      const { client } = await this.#app.connections.of(accountId);
      const { id, path_with_namespace: path, web_url: webUrl } = await client.directory.project(idOrPath);
      facts = { id, path: plainText(path), webUrl: webAddress(webUrl) };
      const [tracking, level] = await Promise.all([readTracking(client, id), levelOf(client, id)]);
      return { facts, tracking, level };
    } catch (error) {
      this.#app.log.error(inspect(error));
      return {
        ...(facts ? { facts } : {}),
        ...(before?.tracking && isPassing(error) ? { tracking: before.tracking, level: before.level } : {}),
        error,
      };
    }
  }
}

/** The notification level of the user; undefined where it cannot be read, which hides nothing else. */
async function levelOf(client: Client, projectId: number): Promise<string | undefined> {
  return await client.notificationSettings.get({ project: projectId }).then(
    ({ level }) => level,
    () => undefined,
  );
}

/**
 * Reads settings and keys. A project without settings answers 404, as does an instance that does not know
 * error tracking: that one has no client keys either.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export async function readTracking(client: Client, projectId: number): Promise<Tracking> {
  const [settings, keys] = await Promise.all([
    client.errorTracking.settings(projectId).then(settingsStateOf, missing),
    allKeys(client, projectId).catch(missing),
  ]);
  return keys
    ? { settings: settings ?? { kind: 'notSetUp' }, ...keys }
    : { settings: settings ?? { kind: 'notOffered' }, keys: [], unreadableKeys: 0 };
}

/**
 * All client keys of a project, each once: pages overlap if keys are created or deleted meanwhile, and rows are identified
 * by the id.
 */
export async function allKeys(client: Client, projectId: number): Promise<Pick<Tracking, 'keys' | 'unreadableKeys'>> {
  const keys = new Map<number, ClientKeyRecord>();
  let unreadableKeys = 0;
  for await (const { items, misfits } of client.errorTracking.clientKeys(projectId, { perPage: 100 })) {
    items.forEach((key) => keys.set(key.id, key));
    unreadableKeys += misfits.length;
  }
  return { keys: [...keys.values()], unreadableKeys };
}

function settingsStateOf(record: ErrorTrackingSettingsRecord): SettingsState {
  const { active, integrated, project_name: name, tracker_external_url: url, api_url: apiUrl } = record;
  return integrated === true
    ? { kind: 'integrated', active }
    : { kind: 'external', active, projectName: name ?? undefined, url: webAddress(url), apiUrl: apiUrl ?? undefined };
}

/** Whether programs that send to a DSN of the project are heard. */
export function takesErrors(state: SettingsState): boolean {
  return state.kind === 'integrated' && state.active;
}

function missing(error: unknown): undefined {
  if (isApiError(error) && error.reason === 'notFound') {
    return undefined;
  }
  throw error;
}

/** Whether what was known before may still be so. */
function isPassing(error: unknown): boolean {
  const passing = ['unavailable', 'rateLimited', 'aborted', 'notAnInstance', 'inFront'];
  return isApiError(error) && passing.includes(error.reason);
}
