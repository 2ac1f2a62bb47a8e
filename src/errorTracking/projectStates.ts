import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ProjectRef } from '../accounts/account.ts';
import { isReadOnly } from '../accounts/account.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Client } from '../api/client.ts';
import type { ClientKeyRecord, ErrorTrackingSettingsRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import { isRecognized } from '../api/unrecognized.ts';
import { plainText } from '../common/inertText.ts';
import { webAddress } from '../common/instanceUrl.ts';

const { t } = vscode.l10n;

/** What the error tracking settings of a project say. */
export type SettingsState =
  | { readonly kind: 'notSetUp' }
  | { readonly kind: 'integrated'; readonly active: boolean }
  | { readonly kind: 'external'; readonly active: boolean; readonly tracker: ExternalTracker }
  /** The instance does not offer integrated error tracking, and the project uses no other. */
  | { readonly kind: 'notOffered' };

/** A tracker other than the instance itself. The API reports these and cannot set them. */
export interface ExternalTracker {
  readonly projectName: string | undefined;
  /** The tracker's page; undefined if it is no web address. */
  readonly url: string | undefined;
  readonly apiUrl: string | undefined;
}

export function settingsStateOf(record: ErrorTrackingSettingsRecord): SettingsState {
  const { active, integrated = false, project_name: name, tracker_external_url: url, api_url: apiUrl } = record;
  return integrated
    ? { kind: 'integrated', active }
    : {
        kind: 'external',
        active,
        tracker: { projectName: name ?? undefined, url: webAddress(url), apiUrl: apiUrl ?? undefined },
      };
}

/** Whether programs that send to a DSN of the project are heard. */
export function takesErrors(state: SettingsState): boolean {
  return state.kind === 'integrated' && state.active;
}

/** The label of a state in the tree. Names of trackers are text of the instance. */
export function settingsLabel(state: SettingsState): {
  readonly label: string;
  readonly description: string;
  readonly sentence: string;
} {
  switch (state.kind) {
    case 'notSetUp':
      return {
        label: t('Error tracking is not set up'),
        description: '',
        sentence: t('Error tracking is not set up for this project.'),
      };
    case 'notOffered':
      return {
        label: t('Integrated error tracking is not offered'),
        description: '',
        sentence: t('This instance does not offer integrated error tracking; its administrators can enable it.'),
      };
    case 'integrated':
      return state.active
        ? {
            label: t('Integrated error tracking'),
            description: t('enabled'),
            sentence: t('Integrated error tracking is enabled: errors are being received.'),
          }
        : {
            label: t('Integrated error tracking'),
            description: t('disabled'),
            sentence: t('Integrated error tracking is disabled: errors that programs send are refused.'),
          };
    case 'external': {
      const { projectName, url } = state.tracker;
      const name = plainText(projectName ?? hostOf(url) ?? t('unknown address'));
      return {
        label: t('External tracker: {0}', name),
        description: state.active ? t('enabled') : t('disabled'),
        sentence: state.active
          ? t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name))
          : t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name),
      };
    }
  }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}

/** A project as the instance names it. */
export interface TrackedProjectFacts {
  readonly id: number;
  /** The full path. */
  readonly path: string;
  /** The project's web address, if the instance gives it. */
  readonly webUrl: string | undefined;
}

/** The error tracking of a project. */
export interface ErrorTrackingState {
  readonly settings: SettingsState;
  readonly keys: readonly ClientKeyRecord[];
  /** How many more keys there are that cannot be read. */
  readonly unreadableKeys: number;
  /** Whether the token can change nothing. */
  readonly isReadOnly?: boolean;
}

/** What is known of a project and its error tracking. What a failure leaves known stays. */
export interface ProjectState {
  readonly facts?: TrackedProjectFacts;
  readonly tracking?: ErrorTrackingState;
  /** Why the last request failed. */
  readonly error?: unknown;
}

/** Loads the error tracking of projects and keeps what was loaded. */
export class ProjectStates implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #states = new Map<string, ProjectState>();
  readonly #loading = new Map<string, Promise<ProjectState>>();
  /** Accounts whose instance has refused to set integrated error tracking up. */
  readonly #notOffering = new Set<string>();
  readonly #changed = new vscode.EventEmitter<ProjectRef>();
  #generation = 0;

  /** Fires with the project whose state is another now. */
  readonly onDidChange = this.#changed.event;

  constructor(connections: Pick<Connections, 'of'>) {
    this.#connections = connections;
  }

  /** What is known by now; undefined before it was loaded. */
  get(address: ProjectRef): ProjectState | undefined {
    return this.#states.get(keyOf(address));
  }

  /** What is known, loaded if it is not. Callers at the same time share the requests. Does not reject: failures are part of the state. */
  async load(address: ProjectRef): Promise<ProjectState> {
    const known = this.get(address);
    return known ?? (await this.reload(address));
  }

  /** Asks the instance again. */
  async reload(address: ProjectRef): Promise<ProjectState> {
    const key = keyOf(address);
    const generation = this.#generation;
    const loading =
      this.#loading.get(key) ??
      this.#ask(address).finally(() => {
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
        }
      });
    this.#loading.set(key, loading);
    const state = await loading;
    const known = this.#states.get(key);
    // Rows that are drawn again take the focus from the list that a command of theirs has opened meanwhile.
    if (generation === this.#generation && !isDeepStrictEqual(known, state)) {
      this.#states.set(key, state);
      this.#changed.fire(address);
    }
    return state;
  }

  /** Asks the instance again, and believes nothing that it has said before. */
  async refresh(address: ProjectRef): Promise<ProjectState> {
    this.setOffered(address.accountId);
    return await this.reload(address);
  }

  /** Asks again about a project under whichever names it is known here. */
  async reloadAll(accountId: string, projectId: number): Promise<void> {
    const names = [...this.#states]
      .filter(([key, { facts }]) => key.startsWith(`${accountId}\n`) && facts?.id === projectId)
      .map(([key]) => key.slice(accountId.length + 1));
    await Promise.all(
      names.map((name) => {
        // A request under way may return the state before the change.
        this.#loading.delete(`${accountId}\n${name}`);
        return this.reload({ accountId, idOrPath: addressPart(name) });
      }),
    );
  }

  /** Remembers that the instance of an account does not offer integrated error tracking. */
  async setNotOffered(accountId: string, projectId: number): Promise<void> {
    this.#notOffering.add(accountId);
    await this.reloadAll(accountId, projectId);
  }

  /** Remembers that it does. */
  setOffered(accountId: string): void {
    this.#notOffering.delete(accountId);
  }

  /** Forgets everything, such as to ask again. */
  clear(): void {
    this.#generation += 1;
    this.#states.clear();
    this.#loading.clear();
    this.#notOffering.clear();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #ask({ accountId, idOrPath }: ProjectRef): Promise<ProjectState> {
    const before = this.get({ accountId, idOrPath });
    let facts: TrackedProjectFacts | undefined;
    try {
      const { client, account } = await this.#connections.of(accountId);
      const { id, path_with_namespace: path, web_url: webUrl } = await client.directory.project(idOrPath);
      facts = { id, path: plainText(path), webUrl: webAddress(webUrl) };
      const tracking = {
        ...(await readErrorTracking(client, id)),
        ...(isReadOnly(account) ? { isReadOnly: true } : {}),
      };
      const offered = !(this.#notOffering.has(accountId) && tracking.settings.kind === 'notSetUp');
      return { facts, tracking: offered ? tracking : { ...tracking, settings: { kind: 'notOffered' } } };
    } catch (error) {
      const known = facts ?? before?.facts;
      return {
        ...(known ? { facts: known } : {}),
        ...(before?.tracking && isPassing(error) ? { tracking: before.tracking } : {}),
        error,
      };
    }
  }
}

/**
 * Reads settings and keys. A project without settings answers 404, as does an instance that does not know
 * error tracking: that one has no client keys either.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export async function readErrorTracking(client: Client, projectId: number): Promise<ErrorTrackingState> {
  const [settings, keys] = await Promise.all([
    client.errorTracking.settings(projectId).then(settingsStateOf, missing),
    allKeys(client, projectId).catch(missing),
  ]);
  if (!keys) {
    return { settings: settings ?? { kind: 'notOffered' }, keys: [], unreadableKeys: 0 };
  }
  return { settings: settings ?? { kind: 'notSetUp' }, ...keys };
}

/**
 * All client keys of a project, each once: pages overlap if keys are created or deleted meanwhile, and rows are identified
 * by the id.
 */
export async function allKeys(
  client: Client,
  projectId: number,
): Promise<Pick<ErrorTrackingState, 'keys' | 'unreadableKeys'>> {
  const keys = new Map<number, ClientKeyRecord>();
  let unreadableKeys = 0;
  for await (const { items } of client.errorTracking.clientKeys(projectId, { perPage: 100 })) {
    const recognized = items.filter(isRecognized);
    recognized.forEach((key) => keys.set(key.id, key));
    unreadableKeys += items.length - recognized.length;
  }
  return { keys: [...keys.values()], unreadableKeys };
}

function missing(error: unknown): undefined {
  if (isApiError(error) && error.reason === 'notFound') {
    return undefined;
  }
  throw error;
}

/** Whether what was known before may still be so. */
function isPassing(error: unknown): boolean {
  return (
    isApiError(error) && ['unavailable', 'rateLimited', 'aborted', 'notAnInstance', 'inFront'].includes(error.reason)
  );
}

function keyOf({ accountId, idOrPath }: ProjectRef): string {
  return `${accountId}\n${idOrPath}`;
}

/** A full path has a slash, a number none. */
function addressPart(name: string): number | string {
  return /^\d+$/.test(name) ? Number(name) : name;
}
