import * as vscode from 'vscode';
import type { Choice, Confirmation, Dialogs } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { inSequence } from '../common/inertText.ts';
import { copyText } from '../common/inertWindow.ts';
import { shortKey } from './dsn.ts';
import { areSame, findUsages, type KeyPlace, type KeyUsages, leftLabel, usagesLabel } from './dsnFiles.ts';
import { defaultVariable as name, envLine } from './insert/envFile.ts';
import { type FileChange, openForChange, type Write } from './insert/write.ts';
import type { KeyNotes } from './keyNotes.ts';
import {
  accountError,
  type CommandTarget,
  inactiveLabel,
  sendTestError,
  settingsLabel,
  targetAction,
} from './labels.ts';
import type { Targets } from './pick.ts';
import { allKeys, type KnownKey, type KnownProject, type Projects } from './projects.ts';

const { t } = vscode.l10n;

/** What is done with client keys: they are made, copied, deleted and replaced. */
export function keyCommands(
  app: App,
  projects: Projects,
  notes: KeyNotes,
  targets: Targets,
  write: Write,
  dialogs: Dialogs,
) {
  /** Creations under way: a second click meanwhile does not create another key. */
  const creating = new Map<string, Promise<ClientKeyRecord | undefined>>();
  let isReplacing = false;

  /**
   * Makes a client key, by exactly one request however the network behaves.
   *
   * @returns undefined if it is not known that there is one, which is said.
   * @throws ProblemError if nothing was made for sure.
   */
  async function create(known: KnownProject): Promise<ClientKeyRecord | undefined> {
    const project = `${known.project.accountId} ${known.facts.id}`;
    const request = creating.get(project) ?? requestKey(known).finally(() => creating.delete(project));
    creating.set(project, request);
    return await request;
  }

  async function requestKey({ project, facts }: KnownProject): Promise<ClientKeyRecord | undefined> {
    const { client } = await app.connections.of(project.accountId);
    try {
      return await dialogs.viewProgress(() => client.errorTracking.createClientKey(facts.id));
    } catch (error) {
      // After these, the instance may have acted on the request.
      if (!isApiError(error, 'unavailable', 'notAnInstance', 'aborted')) {
        throw accountError(project.accountId, error);
      }
      const { sentence } = problemOf(error, project.accountId);
      dialogs.notify(
        'warning',
        t('{0} Whether a client key was created in {1} shows in the list, which is read again.', sentence, facts.path),
        targetAction(t('Check Again'), 'reloadProject', { project }),
      );
      return undefined;
    } finally {
      await projects.reloadChanged(project);
    }
  }

  /** Deletes a client key, and says so; one that is gone already is no failure. */
  async function remove({ project, facts, key }: KnownKey): Promise<void> {
    const { client } = await app.connections.of(project.accountId);
    try {
      await dialogs.viewProgress(() => client.errorTracking.deleteClientKey(facts.id, key.id));
    } catch (error) {
      if (!isApiError(error, 'notFound')) {
        throw accountError(project.accountId, error);
      }
    } finally {
      await projects.reloadChanged(project);
    }
    const path = targets.named(facts.path, project.accountId);
    dialogs.notify('info', t('Client key {0} of {1} was deleted.', shortKey(key.public_key), path));
  }

  async function usagesOf(key: ClientKeyRecord): Promise<KeyUsages | undefined> {
    const title = t('Searching for uses of client key {0}', shortKey(key.public_key));
    return await dialogs.progress(title, (signal) => findUsages(key.public_key, signal));
  }

  /** Asks before a key is deleted, and once more if other places use it by the time of the answer. */
  async function mayDelete(
    { key, project: { accountId } }: KnownKey,
    questionOf: (usages: KeyUsages) => Confirmation,
  ): Promise<boolean> {
    for (let usages = await usagesOf(key); usages;) {
      const now = (await dialogs.confirm({ accountId, ...questionOf(usages) })) ? await usagesOf(key) : undefined;
      if (!now || areSame(now, usages)) {
        return now !== undefined;
      }
      usages = now;
    }
    return false;
  }

  async function createKey(chosen?: CommandTarget): Promise<void> {
    const project = await targets.project(chosen, t('Create Client Key'));
    const known = project && (await targets.known(project));
    if (known?.tracking.settings.kind === 'notOffered') {
      dialogs.notify('warning', settingsLabel(known.tracking.settings).sentence);
      return;
    }
    const key = known && (await create(known));
    if (key) {
      const path = targets.named(known.facts.path, project.accountId);
      dialogs.notify(
        'info',
        t('Client key {0} of {1} was created.', shortKey(key.public_key), path),
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
      await copyText(form.text, targets.withKey(form.label, known));
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
    const shortName = shortKey(key.public_key);
    const lost = key.active
      ? t('Client key {0} ({1}) is active. Errors that programs send with it will be lost.', key.id, key.public_key)
      : t('Client key {0} ({1}) is inactive.', key.id, key.public_key);
    const otherwise = {
      keep: t('Keep Client Key'),
      instead: targetAction(t('Replace Instead…'), 'replaceKey', { project, key }),
    };
    const isMeant = await mayDelete(known, (usages) => ({
      question: t('Delete client key {0} of {1}?', shortName, facts.path),
      detail: [lost, ...usagesLabel(usages), t('This cannot be undone: a new client key has another DSN.')],
      verb: t('Delete Client Key'),
      ...(key.active || usages.places.length + usages.gaps.length > 0 ? { otherwise } : {}),
    }));
    await (isMeant ? remove(known) : undefined);
  }

  /**
   * Lets another key take over from a client key: a new one or one of the other active ones. Its DSN replaces the old one in the files
   * of the workspace after a preview, and only then the old key can be deleted, by a button of the message. There is nothing to resume:
   * whatever ends this early, both keys are there, and it can be begun again.
   */
  async function replaceKey(chosen?: CommandTarget): Promise<void> {
    if (isReplacing) {
      dialogs.notify('warning', t('A client key is being replaced: apply or discard the preview first.'));
      return;
    }
    isReplacing = true;
    try {
      // One that is inactive has to be meant.
      const old = await targets.key(chosen, t('Replace Client Key'), chosen?.key ? 'current' : 'active');
      const fresh = old && (await chooseNew(old));
      await (fresh ? replace(old, fresh) : undefined);
    } finally {
      isReplacing = false;
    }
  }

  async function chooseNew(old: KnownKey): Promise<ClientKeyRecord | undefined> {
    const others = old.tracking.keys.filter(({ id, active }) => active && id !== old.key.id);
    const another: Choice<'new'> = {
      label: t('A New Client Key'),
      iconPath: new vscode.ThemeIcon('add'),
      description: t('created when you select it; the old one stays'),
      value: 'new',
    };
    const answer = await dialogs.choose<KnownKey | 'new'>(
      targets.withKey(t('Replace Client Key'), old),
      t('Which client key takes over in the files of this workspace?'),
      [another, ...others.map((key) => targets.choiceOf({ ...old, key }))],
    );
    return answer === 'new' ? await create(old) : answer?.key;
  }

  async function replace(old: KnownKey, fresh: ClientKeyRecord): Promise<void> {
    const found = await usagesOf(old.key);
    if (!found) {
      return;
    }
    const isInDsns = found.places.some(({ dsn }) => dsn);
    const files = await changesOf(found.places, old.key, fresh);
    const preview = t('with the DSN of client key {0}', shortKey(fresh.public_key));
    const path = targets.named(old.facts.path, old.project.accountId);
    const names = [shortKey(old.key.public_key), shortKey(fresh.public_key), path];
    if (!(await isThere(old, fresh))) {
      notifyLost(old);
    } else if (isInDsns && (files.length === 0 || !(await write(files, { preview })))) {
      const sentence = t('No place was replaced. Client keys {0} and {1} of {2} both stay.', ...names);
      dialogs.notify('info', sentence);
    } else if (await isThere(old, fresh)) {
      await notes.noteReplacement(old, fresh);
      // Programs that are deployed have the old key, so that it stays unless the user goes on from here.
      const sentence = t('Client key {1} of {2} takes over from {0}, which stays until you delete it.', ...names);
      dialogs.notify(
        'info',
        inSequence(sentence, ...leftLabel(found).flat()),
        sendTestError({ project: old.project, key: fresh }),
        { title: t('Delete Old Key…'), run: () => deleteOld(old, fresh, files) },
      );
    } else {
      await takeBack(old, fresh, files);
    }
  }

  async function deleteOld(old: KnownKey, fresh: ClientKeyRecord, files: readonly FileChange[]): Promise<void> {
    const { key, project, facts } = old;
    const shortName = shortKey(key.public_key);
    // The message may have been there for long.
    if (!(await isThere(old, fresh))) {
      await takeBack(old, fresh, files);
      return;
    }
    const isMeant = await mayDelete(old, (usages) => {
      const lost = t(
        'Client key {0} has taken over. Errors of programs that still have the old DSN would be lost.',
        shortKey(fresh.public_key),
      );
      return {
        question: t('Delete the old client key {0} of {1}?', shortName, facts.path),
        detail: [...usagesLabel(usages), lost],
        otherwise: { keep: t('Keep It Until Deployed'), instead: sendTestError({ project, key: fresh }) },
        verb: t('Delete Old Key'),
      };
    });
    // And so may the question.
    if (!(await isThere(old, fresh))) {
      await takeBack(old, fresh, files);
    } else if (isMeant) {
      await remove(old);
    }
  }

  /** Whether the key that takes over is there and active by now. */
  async function isThere({ project, facts }: KnownKey, { id }: ClientKeyRecord): Promise<boolean> {
    const { client } = await app.connections.of(project.accountId);
    const { keys: all } = await dialogs.viewProgress(() => allKeys(client, facts.id));
    return all.some((key) => key.id === id && key.active);
  }

  /** Programs are not left with a key that is gone by now, whatever else has become of their files. */
  async function takeBack(old: KnownKey, fresh: ClientKeyRecord, files: readonly FileChange[]): Promise<void> {
    const changed = new Set(files.map(({ uri }) => uri.toString()));
    const { places = [] } = (await usagesOf(fresh)) ?? {};
    const ofFiles = places.filter(({ uri, dsn }) => dsn && changed.has(uri.toString()));
    const isBack = await write(await changesOf(ofFiles, fresh, old.key));
    notifyLost(old, isBack && ofFiles.length > 0 === files.length > 0);
  }

  function notifyLost({ project, facts }: KnownKey, isBack = true): void {
    const path = targets.named(facts.path, project.accountId);
    const sentence = isBack
      ? t(
          'The new client key of {0} is deleted or inactive. The old one is kept, and so are the files that have its DSN.',
          path,
        )
      : t('The new client key of {0} is deleted or inactive, but files have its DSN: replace it there.', path);
    const checkAgain = targetAction(t('Check Again'), 'reloadProject', { project });
    dialogs.notify('warning', sentence, checkAgain);
  }

  return {
    'beacon.errorTracking.createKey': createKey,
    'beacon.errorTracking.copyDsn': copy,
    'beacon.errorTracking.deleteKey': deleteKey,
    'beacon.errorTracking.replaceKey': replaceKey,
  } satisfies Commands;
}

/**
 * The changes of files, as they are now, that put a key of the same project in the place of another one in DSNs: a host between program
 * and instance stays. Places that have changed since are left.
 */
async function changesOf(
  places: readonly KeyPlace[],
  { public_key: oldKey }: ClientKeyRecord,
  { public_key: newText }: ClientKeyRecord,
): Promise<readonly FileChange[]> {
  const files: FileChange[] = [];
  for (const ofFile of Map.groupBy(places, ({ uri }) => uri.toString()).values()) {
    const document = ofFile[0] && (await openForChange(ofFile[0].uri).catch(() => undefined));
    const changes = ofFile
      .filter(({ range, written, dsn }) => dsn?.publicKey === oldKey && document?.getText(range) === written)
      .map(({ range: { start }, written }) => {
        // A key may be called like a scheme.
        const offset = (document?.offsetAt(start) ?? 0) + written.indexOf(oldKey, written.indexOf(':'));
        return { offset, length: oldKey.length, newText };
      });
    if (document && changes.length > 0) {
      files.push({ uri: document.uri, before: document.getText(), changes });
    }
  }
  return files;
}

const secret = (dsn: string): string => `apiVersion: v1
kind: Secret
metadata:
  name: sentry-dsn
type: Opaque
stringData:
  ${name}: '${dsn}'
`;

/** The forms in which the DSN of a key is copied; what a shell reads is in quotes. */
function copyForms({ tracker_dsn: dsn, public_key: publicKey }: ClientKeyRecord) {
  const shell = `${name}='${dsn}'`;
  const form = (label: string, description: string, text: string) => ({ label, description, value: { label, text } });
  return [
    form(t('DSN'), dsn, dsn),
    form(t('Env Line'), `${name}=…`, envLine(name, dsn)),
    form(t('Shell Command'), `export ${name}='…'`, `export ${shell}`),
    form(t('Docker Option'), `docker run --env ${name}='…'`, `--env ${shell}`),
    form(t('Docker Compose'), `environment: ${name}: …`, `environment:\n  ${name}: '${dsn}'\n`),
    form(t('Kubernetes Secret'), 'kind: Secret', secret(dsn)),
    form(t('Public Key'), publicKey, publicKey),
  ];
}
