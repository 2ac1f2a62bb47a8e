import * as vscode from 'vscode';
import { commandAction, type Dialogs } from '../accounts/dialogs.ts';
import { ProblemError, problemOf } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { type ApiError, isApiError } from '../api/errors.ts';
import type { Commands } from '../common/commands.ts';
import { setStatusBarMessage } from '../common/inertWindow.ts';
import { allKeys, type ProjectStates, settingsLabel, takesErrors } from './projectStates.ts';
import {
  type CommandTarget,
  inactiveLabel,
  keyName,
  type ResolvedKey,
  type ResolvedProject,
  type TargetResolver,
} from './targets.ts';
import type { TrackedProject } from './trackedProjects.ts';
import { isAgreed, type KeyPlaces, mayBeUsed, type UsageSearch, usagesLabel } from './usages.ts';

/** Creates, copies and deletes client keys. */
export class KeyCommands {
  readonly #targets: TargetResolver;
  readonly #states: ProjectStates;
  readonly #usages: Pick<UsageSearch, 'find'>;
  readonly #dialogs: Dialogs;
  /** Creations under way: a second click meanwhile does not create another key. */
  readonly #creating = new Map<string, Promise<void>>();
  readonly commands = {
    'beacon.errorTracking.createKey': (chosen?: CommandTarget) => this.create(chosen),
    'beacon.errorTracking.copyDsn': (chosen?: CommandTarget) => this.copyDsn(chosen),
    'beacon.errorTracking.copyPublicKey': (chosen?: CommandTarget) => this.copyPublicKey(chosen),
    'beacon.errorTracking.deleteKey': (chosen?: CommandTarget) => this.delete(chosen),
  } satisfies Commands;

  constructor(targets: TargetResolver, states: ProjectStates, usages: Pick<UsageSearch, 'find'>, dialogs: Dialogs) {
    this.#targets = targets;
    this.#states = states;
    this.#usages = usages;
    this.#dialogs = dialogs;
  }

  /**
   * Makes a client key, by exactly one request however the network behaves.
   *
   * @throws ApiError if nothing was made for sure.
   */
  async create(chosen?: CommandTarget): Promise<void> {
    const project = await this.#targets.project(chosen, vscode.l10n.t('Create Client Key'));
    if (!project) {
      return;
    }
    const name = `${project.accountId}\n${project.idOrPath}`;
    const creating = this.#creating.get(name) ?? this.#create(project).finally(() => void this.#creating.delete(name));
    this.#creating.set(name, creating);
    await creating;
  }

  async copyDsn(chosen?: CommandTarget): Promise<void> {
    const known = await this.#targets.key(chosen, vscode.l10n.t('Copy DSN'), 'any');
    if (known) {
      await vscode.env.clipboard.writeText(known.key.tracker_dsn);
      setStatusBarMessage(this.#targets.withKey(vscode.l10n.t('DSN copied'), known), 5000);
      this.#warnOfInactive(known);
    }
  }

  async copyPublicKey(chosen?: CommandTarget): Promise<void> {
    const known = await this.#targets.key(chosen, vscode.l10n.t('Copy Public Key'), 'any');
    if (known) {
      await vscode.env.clipboard.writeText(known.key.public_key);
      setStatusBarMessage(this.#targets.withKey(vscode.l10n.t('Public key copied'), known), 5000);
      this.#warnOfInactive(known);
    }
  }

  /** Deletes a client key after one question that says where its DSN is used in the workspace. */
  async delete(chosen?: CommandTarget): Promise<void> {
    const known = await this.#targets.key(chosen, vscode.l10n.t('Delete Client Key'), 'any');
    if (!known) {
      return;
    }
    const { key, facts, project } = known;
    const path = this.#targets.pathOf(known);
    const chosenKey: CommandTarget = { project, key };
    const find = (): Promise<KeyPlaces | undefined> =>
      this.#dialogs.progress(vscode.l10n.t('Searching for uses of client key {0}', keyName(key)), async (signal) => {
        const found = await this.#usages.find(key.public_key, signal);
        return signal.aborted ? undefined : found;
      });
    const ask = (places: KeyPlaces): Promise<boolean> =>
      this.#dialogs.confirm({
        question: vscode.l10n.t('Delete client key {0} of {1}?', keyName(key), facts.path),
        detail: [
          key.active
            ? vscode.l10n.t(
                'Client key {0} ({1}) is active. Errors that programs send with it will be lost.',
                key.id,
                key.public_key,
              )
            : vscode.l10n.t('Client key {0} ({1}) is inactive.', key.id, key.public_key),
          usagesLabel(places),
          vscode.l10n.t('This cannot be undone: a new client key has another DSN.'),
        ].join('\n\n'),
        accountId: project.accountId,
        verb: vscode.l10n.t('Delete Client Key'),
        ...(mayBeUsed(places)
          ? {
              keep: vscode.l10n.t('Keep Client Key'),
              instead: commandAction(vscode.l10n.t('Rotate Instead…'), 'beacon.errorTracking.rotateKey', chosenKey),
            }
          : {}),
      });
    if (!(await isAgreed(find, ask))) {
      return;
    }
    const { client } = await this.#targets.connectionOf(project);
    try {
      await this.#dialogs.viewProgress(() => client.errorTracking.deleteClientKey(facts.id, key.id));
      this.#dialogs.notify('info', vscode.l10n.t('Client key {0} of {1} was deleted.', keyName(key), path));
    } catch (error) {
      if (!isApiError(error) || error.reason !== 'notFound') {
        throw accountError(project.accountId, error);
      }
      this.#dialogs.notify('info', vscode.l10n.t('Client key {0} was deleted already.', keyName(key)));
    } finally {
      await this.#states.reloadAll(project.accountId, facts.id);
    }
  }

  async #create(project: TrackedProject): Promise<void> {
    const known = await this.#targets.known(project);
    if (!known) {
      return;
    }
    if (known.tracking.settings.kind === 'notOffered') {
      this.#dialogs.notify('warning', settingsLabel(known.tracking.settings).sentence);
      return;
    }
    const { client } = await this.#targets.connectionOf(project);
    try {
      const creation = await this.#dialogs.viewProgress(() => createKeyOnce(client, known.facts.id));
      this.#showOutcome(known, creation);
    } catch (error) {
      throw accountError(project.accountId, error);
    } finally {
      await this.#states.reloadAll(project.accountId, known.facts.id);
    }
  }

  #showOutcome(known: ResolvedProject, creation: Creation): void {
    const { project, tracking } = known;
    const path = this.#targets.pathOf(known);
    switch (creation.outcome) {
      case 'created': {
        const { key, answerLost } = creation;
        const actions = [
          commandAction(vscode.l10n.t('Insert DSN…'), 'beacon.errorTracking.insertDsn', { project, key }),
          commandAction(vscode.l10n.t('Copy DSN'), 'beacon.errorTracking.copyDsn', { project, key }),
        ];
        if (answerLost) {
          this.#dialogs.notify(
            'warning',
            vscode.l10n.t(
              'The answer of the instance was lost, but client key {0} is new in {1}. Nothing was sent twice.',
              keyName(key),
              path,
            ),
            ...actions,
          );
        } else if (takesErrors(tracking.settings)) {
          const sentence = vscode.l10n.t('Client key {0} of {1} was created.', keyName(key), path);
          this.#dialogs.notify('info', sentence, ...actions);
        } else {
          this.#dialogs.notify(
            'warning',
            vscode.l10n.t(
              'Client key {0} of {1} was created, but errors are refused until integrated error tracking is enabled.',
              keyName(key),
              path,
            ),
            ...actions,
          );
        }
        return;
      }
      case 'notCreated':
        this.#dialogs.notify(
          'warning',
          vscode.l10n.t('No client key was created: {0}', problemOf(creation.error, project.accountId).sentence),
          commandAction(vscode.l10n.t('Try Again'), 'beacon.errorTracking.createKey', { project }),
        );
        return;
      case 'several':
        this.#dialogs.notify(
          'warning',
          vscode.l10n.t(
            'The answer of the instance was lost. {0} client keys are new in {1}, but only one was requested from here.',
            creation.keys.length,
            path,
          ),
        );
        return;
      case 'unknown':
        this.#dialogs.notify(
          'warning',
          vscode.l10n.t(
            'Whether a client key was created in {0} is not known until the instance answers again. {1}',
            path,
            problemOf(creation.error, project.accountId).sentence,
          ),
          commandAction(vscode.l10n.t('Check Again'), 'beacon.errorTracking.reloadProject', project),
        );
    }
  }

  #warnOfInactive({ key }: ResolvedKey): void {
    if (!key.active) {
      this.#dialogs.notify('warning', inactiveLabel(key));
    }
  }
}

/** What a command throws when a request of an account has failed: with the account, where a new token helps. */
export function accountError(accountId: string, error: unknown): unknown {
  const problem = problemOf(error, accountId);
  return problem.remedy?.command === 'beacon.renewToken'
    ? Object.assign(new ProblemError(problem), { cause: error })
    : error;
}

/** What became of the one request that makes a client key. */
export type Creation =
  /** `answerLost`: the instance made it, but its answer did not arrive; found by listing the keys. */
  | { readonly outcome: 'created'; readonly key: ClientKeyRecord; readonly answerLost: boolean }
  /** The request failed, and the list of keys shows no new one. */
  | { readonly outcome: 'notCreated'; readonly error: ApiError }
  /** The request failed, and several keys are new: someone else makes keys, too. */
  | { readonly outcome: 'several'; readonly keys: readonly ClientKeyRecord[] }
  /** The request failed, and so did listing the keys. */
  | { readonly outcome: 'unknown'; readonly error: ApiError };

/**
 * Makes a client key with exactly one POST, which is never repeated. Where its outcome does not arrive, the
 * keys are listed and compared with those before.
 *
 * @param onBefore called with the existing keys, and awaited, before anything is created.
 * @throws ApiError if nothing was made for sure: the keys could not be listed before, or the instance refused.
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export async function createKeyOnce(
  client: Client,
  projectId: number,
  onBefore: (keyIds: readonly number[]) => Promise<void> | void = () => {},
): Promise<Creation> {
  const before = (await allKeys(client, projectId)).keys.map(({ id }) => id);
  await onBefore(before);
  try {
    return {
      outcome: 'created',
      key: await client.errorTracking.createClientKey(projectId),
      answerLost: false,
    };
  } catch (error) {
    if (!isApiError(error) || !mayHaveActed(error)) {
      throw error;
    }
    return await findCreated(client, projectId, before, error);
  }
}

/** What became of a creation whose answer did not arrive, by the keys that there are now. */
async function findCreated(
  client: Client,
  projectId: number,
  before: readonly number[],
  error: ApiError,
): Promise<Creation> {
  const after = await allKeys(client, projectId).catch(() => undefined);
  if (!after) {
    return { outcome: 'unknown', error };
  }
  const fresh = after.keys.filter(({ id }) => !before.includes(id));
  const [key] = fresh;
  if (!key) {
    return { outcome: 'notCreated', error };
  }
  return fresh.length === 1 ? { outcome: 'created', key, answerLost: true } : { outcome: 'several', keys: fresh };
}

/** The faults of a request that was never sent. */
const neverConnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'connect']);

/** Whether the instance may have acted on a request that failed so. */
function mayHaveActed(error: ApiError): boolean {
  switch (error.reason) {
    case 'unavailable': {
      const { kind, detail } = error;
      return !(['dns', 'tls', 'proxy'].includes(kind) || neverConnected.has(detail ?? ''));
    }
    case 'notAnInstance':
    case 'aborted':
      return true;
    default:
      return false;
  }
}
