import * as vscode from 'vscode';
import type { Choice, Dialogs } from '../accounts/dialogs.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { parseDsn, shortKey, writtenLike } from './dsn.ts';
import type { KeyPlace } from './dsnFiles.ts';
import { type FileChange, openForChange, type Writer } from './insert/write.ts';
import type { KeyNotes } from './keyNotes.ts';
import type { Keys } from './keys.ts';
import { type CommandTarget, sendTestError, targetAction } from './labels.ts';
import type { Targets } from './pick.ts';
import { allKeys, type KnownKey } from './projects.ts';
import { byHandLabel, isAgreed, type KeyUsages, usagesLabel } from './usages.ts';

const { t } = vscode.l10n;

/**
 * Lets another key take over from a client key: a new one or one of the other active ones. Its DSN replaces the old one in the files
 * of the workspace after a preview, and only then, and only if the user says so, the old key is deleted. There is nothing to resume:
 * whatever ends this early, both keys are there, and it can be begun again.
 */
export function replaceKeyCommands(
  app: App,
  keys: Keys,
  notes: KeyNotes,
  targets: Targets,
  writer: Writer,
  dialogs: Dialogs,
) {
  let isRunning = false;

  async function replaceKey(chosen?: CommandTarget): Promise<void> {
    if (isRunning) {
      dialogs.notify('warning', t('A client key is being replaced: apply or discard the preview first.'));
      return;
    }
    isRunning = true;
    try {
      // One that is inactive has to be meant.
      const old = await targets.key(chosen, t('Replace Client Key'), chosen?.key ? 'current' : 'active');
      const fresh = old && (await chooseNew(old));
      await (fresh ? replace(old, fresh) : undefined);
    } finally {
      isRunning = false;
    }
  }

  async function chooseNew(old: KnownKey): Promise<ClientKeyRecord | undefined> {
    const others = old.tracking.keys.filter(({ id, active }) => active && id !== old.key.id);
    const create: Choice<'new'> = {
      label: t('A New Client Key'),
      iconPath: new vscode.ThemeIcon('add'),
      description: t('is created now'),
      value: 'new',
    };
    const answer = await dialogs.choose<KnownKey | 'new'>(
      targets.withKey(t('Replace Client Key'), old),
      t('Which client key takes over in the files of this workspace?'),
      [create, ...others.map((key) => targets.choiceOf({ ...old, key }))],
    );
    return answer === 'new' ? await keys.create(old) : answer?.key;
  }

  async function replace(old: KnownKey, fresh: ClientKeyRecord): Promise<void> {
    const found = await keys.findUsages(old.key);
    if (!found) {
      return;
    }
    const isInDsns = found.places.some(({ dsn }) => dsn);
    const files = await changesOf(found.places, old.key, fresh);
    const preview = t('with the DSN of client key {0}', shortKey(fresh.public_key));
    if (!(await isThere(old, fresh))) {
      notifyLost(old);
    } else if (isInDsns && (files.length === 0 || !(await writer.write(files, { preview })))) {
      const names = [shortKey(old.key.public_key), shortKey(fresh.public_key), old.facts.path];
      const sentence = t('No place was replaced. Client keys {0} and {1} of {2} both stay.', ...names);
      dialogs.notify('info', targets.named(sentence, old.project.accountId));
    } else if (await isThere(old, fresh)) {
      await notes.noteReplacement(old, fresh);
      await deleteOld(old, fresh, files);
    } else {
      await takeBack(old, fresh, files);
    }
  }

  async function deleteOld(old: KnownKey, fresh: ClientKeyRecord, files: readonly FileChange[]): Promise<void> {
    const { key, project, facts } = old;
    const [name, newName] = [shortKey(key.public_key), shortKey(fresh.public_key)];
    const testError = sendTestError({ project, key: fresh });
    let byHand: readonly string[] = [];
    const ask = async (usages: KeyUsages): Promise<boolean> => {
      byHand = byHandLabel(usages).flat();
      return await dialogs.confirm({
        question: t('Delete the old client key {0} of {1}?', name, facts.path),
        detail: [
          ...usagesLabel(usages),
          t('Client key {0} has taken over. Errors of programs that still have the old DSN would be lost.', newName),
        ],
        accountId: project.accountId,
        otherwise: { keep: t('Keep It Until Deployed'), instead: testError },
        verb: t('Delete Old Key'),
      });
    };
    const isMeant = await isAgreed(() => keys.findUsages(key), ask);
    // Preview and question may have been open for long.
    if (!(await isThere(old, fresh))) {
      await takeBack(old, fresh, files);
      return;
    }
    await (isMeant ? keys.delete(old) : undefined);
    const sentence = isMeant
      ? t('Client key {1} of {2} takes over from {0}, which was deleted.', name, newName, facts.path)
      : t('Client key {1} of {2} takes over from {0}, which stays until you delete it.', name, newName, facts.path);
    const sentences = [sentence, ...(isMeant ? [] : byHand)].join(' ');
    dialogs.notify('info', targets.named(sentences, project.accountId), testError);
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
    const { places = [] } = (await keys.findUsages(fresh)) ?? {};
    const ofFiles = places.filter(({ uri, dsn }) => dsn && changed.has(uri.toString()));
    const isBack = await writer.write(await changesOf(ofFiles, fresh, old.key));
    notifyLost(old, isBack && ofFiles.length > 0 === files.length > 0);
  }

  function notifyLost({ project, facts }: KnownKey, isBack = true): void {
    const sentence = isBack
      ? t(
          'The new client key of {0} is deleted or inactive. The old one is kept, and so are the files that have its DSN.',
          facts.path,
        )
      : t('The new client key of {0} is deleted or inactive, but files have its DSN: replace it there.', facts.path);
    const checkAgain = targetAction(t('Check Again'), 'reloadProject', { project });
    dialogs.notify('warning', targets.named(sentence, project.accountId), checkAgain);
  }

  return { 'beacon.errorTracking.replaceKey': replaceKey } satisfies Commands;
}

/** The changes of files, as they are now, that put the new DSN in the place of the old one. Places that have changed since are left. */
async function changesOf(
  places: readonly KeyPlace[],
  { public_key: oldKey }: ClientKeyRecord,
  { public_key: newKey, tracker_dsn: newDsn }: ClientKeyRecord,
): Promise<readonly FileChange[]> {
  const files: FileChange[] = [];
  for (const ofFile of Map.groupBy(places, ({ uri }) => uri.toString()).values()) {
    const document = ofFile[0] && (await openForChange(ofFile[0].uri).catch(() => undefined));
    const changes = ofFile.flatMap(({ range, written }) => {
      if (document?.getText(range) !== written || parseDsn(written)?.publicKey !== oldKey) {
        return [];
      }
      const offset = document.offsetAt(range.start);
      const newText = writtenLike(written, newDsn);
      // The preview cuts long lines: where nothing but the key differs, nothing else is replaced, so that both keys show.
      return written.replace(oldKey, newKey) === newText
        ? [{ offset: offset + written.indexOf(oldKey), length: oldKey.length, newText: newKey }]
        : [{ offset, length: written.length, newText }];
    });
    if (document && changes.length > 0) {
      files.push({ uri: document.uri, before: document.getText(), changes });
    }
  }
  return files;
}
