import * as vscode from 'vscode';
import type { Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { setStatusBarMessage } from '../common/inertWindow.ts';
import { shortKey } from './dsn.ts';
import { copyForms } from './insert/copyForms.ts';
import { accountError, type CommandTarget, inactiveLabel, settingsLabel, targetAction } from './labels.ts';
import type { Targets } from './pick.ts';
import { type KnownKey, type KnownProject, type Projects, takesErrors } from './projects.ts';
import { findUsages, isAgreed, type KeyUsages, usagesLabel } from './usages.ts';

const { t } = vscode.l10n;

/** Creates and deletes client keys, for the commands below and for those that replace a key. */
export class Keys {
  readonly #app: App;
  readonly #projects: Projects;
  readonly #dialogs: Dialogs;
  /** Creations under way: a second click meanwhile does not create another key. */
  readonly #creating = new Map<string, Promise<ClientKeyRecord | undefined>>();

  constructor(app: App, projects: Projects, dialogs: Dialogs) {
    this.#app = app;
    this.#projects = projects;
    this.#dialogs = dialogs;
  }

  /**
   * Makes a client key, by exactly one request however the network behaves.
   *
   * @returns undefined if it is not known that there is one, which is said.
   * @throws ProblemError if nothing was made for sure.
   */
  async create(known: KnownProject): Promise<ClientKeyRecord | undefined> {
    const name = `${known.project.accountId} ${known.facts.id}`;
    const creating = this.#creating.get(name) ?? this.#create(known).finally(() => this.#creating.delete(name));
    this.#creating.set(name, creating);
    return await creating;
  }

  async #create({ project, facts }: KnownProject): Promise<ClientKeyRecord | undefined> {
    const { client } = await this.#app.connections.of(project.accountId);
    try {
      return await this.#dialogs.viewProgress(() => client.errorTracking.createClientKey(facts.id));
    } catch (error) {
      // After these, the instance may have acted on the request.
      if (!isApiError(error, 'unavailable', 'notAnInstance', 'aborted')) {
        throw accountError(project.accountId, error);
      }
      const { sentence } = problemOf(error, project.accountId);
      this.#dialogs.notify(
        'warning',
        t('{0} Whether a client key was created in {1} shows in the list, which is read again.', sentence, facts.path),
        targetAction(t('Check Again'), 'reloadProject', { project }),
      );
      return undefined;
    } finally {
      await this.#projects.reloadChanged(project);
    }
  }

  /** Deletes a client key. @returns false if it was deleted already. */
  async delete({ project, facts, key }: KnownKey): Promise<boolean> {
    const { client } = await this.#app.connections.of(project.accountId);
    try {
      await this.#dialogs.viewProgress(() => client.errorTracking.deleteClientKey(facts.id, key.id));
      return true;
    } catch (error) {
      if (!isApiError(error, 'notFound')) {
        throw accountError(project.accountId, error);
      }
      return false;
    } finally {
      await this.#projects.reloadChanged(project);
    }
  }

  async findUsages(key: ClientKeyRecord): Promise<KeyUsages | undefined> {
    const title = t('Searching for uses of client key {0}', shortKey(key.public_key));
    return await this.#dialogs.progress(title, (signal) => findUsages(key.public_key, signal));
  }
}

export function keyCommands(keys: Keys, targets: Targets, dialogs: Dialogs) {
  async function create(chosen?: CommandTarget): Promise<void> {
    const project = await targets.project(chosen, t('Create Client Key'));
    const known = project && (await targets.known(project));
    if (known?.tracking.settings.kind === 'notOffered') {
      dialogs.notify('warning', settingsLabel(known.tracking.settings).sentence);
      return;
    }
    const key = known && (await keys.create(known));
    if (key) {
      const names = [shortKey(key.public_key), targets.named(known.facts.path, project.accountId)] as const;
      const isHeard = takesErrors(known.tracking.settings);
      const sentence = isHeard
        ? t('Client key {0} of {1} was created.', ...names)
        : t(
            'Client key {0} of {1} was created, but errors are refused until integrated error tracking is enabled.',
            ...names,
          );
      dialogs.notify(
        isHeard ? 'info' : 'warning',
        sentence,
        targetAction(t('Insert DSN…'), 'insertDsn', { project, key }),
        targetAction(t('Copy DSN…'), 'copyDsn', { project, key }),
      );
    }
  }

  async function copy(chosen?: CommandTarget): Promise<void> {
    const title = t('Copy DSN');
    const known = await targets.key(chosen, title, 'any');
    const form =
      known && (await dialogs.choose(targets.withKey(title, known), t('Choose a format'), copyForms(known.key)));
    if (form) {
      await vscode.env.clipboard.writeText(form.text);
      setStatusBarMessage(targets.withKey(t('{0} copied', form.label), known), 5000);
      if (!known.key.active) {
        dialogs.notify('warning', inactiveLabel(known.key));
      }
    }
  }

  /** Deletes a client key after one question that says where it is used in the workspace. */
  async function deleteKey(chosen?: CommandTarget): Promise<void> {
    const known = await targets.key(chosen, t('Delete Client Key'), 'any');
    if (!known) {
      return;
    }
    const { key, facts, project } = known;
    const name = shortKey(key.public_key);
    const lost = key.active
      ? t('Client key {0} ({1}) is active. Errors that programs send with it will be lost.', key.id, key.public_key)
      : t('Client key {0} ({1}) is inactive.', key.id, key.public_key);
    const otherwise = {
      keep: t('Keep Client Key'),
      instead: targetAction(t('Replace Instead…'), 'replaceKey', { project, key }),
    };
    const ask = async (usages: KeyUsages): Promise<boolean> =>
      await dialogs.confirm({
        question: t('Delete client key {0} of {1}?', name, facts.path),
        detail: [lost, ...usagesLabel(usages), t('This cannot be undone: a new client key has another DSN.')],
        accountId: project.accountId,
        verb: t('Delete Client Key'),
        ...(usages.places.length + usages.gaps.length > 0 ? { otherwise } : {}),
      });
    if (await isAgreed(() => keys.findUsages(key), ask)) {
      const isDeleted = await keys.delete(known);
      dialogs.notify(
        'info',
        isDeleted
          ? t('Client key {0} of {1} was deleted.', name, targets.named(facts.path, project.accountId))
          : t('Client key {0} was deleted already.', name),
      );
    }
  }

  return {
    'beacon.errorTracking.createKey': create,
    'beacon.errorTracking.copyDsn': copy,
    'beacon.errorTracking.deleteKey': deleteKey,
  } satisfies Commands;
}
