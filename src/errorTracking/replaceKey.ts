import * as vscode from 'vscode';
import { type Choice, commandAction, type Dialogs } from '../accounts/dialogs.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { parseDsn, shortKey, writtenLike } from './dsn.ts';
import { applied } from './insert/envFile.ts';
import { type FileChange, openForChange, type Writer } from './insert/write.ts';
import type { KeyNotes } from './keyNotes.ts';
import type { Keys } from './keys.ts';
import { type CommandTarget, sendTestError } from './labels.ts';
import type { KnownKey, Targets } from './pick.ts';
import { allKeys } from './projects.ts';
import { byHandLabel, isAgreed, type KeyPlaces, type KeyUsage, usagesLabel } from './usages.ts';

const { t } = vscode.l10n;

/**
 * Lets another key take over from a client key: a new one or one of the other active ones. Its DSN replaces the old one in the files
 * of the workspace after a preview, and only then, and only if the user says so, the old key is deleted. There is nothing to resume:
 * whatever ends this early, both keys are there, and it can be begun again.
 */
export class ReplaceKey {
  readonly #app: App;
  readonly #keys: Keys;
  readonly #notes: KeyNotes;
  readonly #targets: Targets;
  readonly #writer: Writer;
  readonly #dialogs: Dialogs;
  #isRunning = false;

  constructor(app: App, keys: Keys, notes: KeyNotes, targets: Targets, writer: Writer, dialogs: Dialogs) {
    this.#app = app;
    this.#keys = keys;
    this.#notes = notes;
    this.#targets = targets;
    this.#writer = writer;
    this.#dialogs = dialogs;
  }

  readonly commands = {
    'beacon.errorTracking.replaceKey': async (chosen?: CommandTarget): Promise<void> => {
      if (this.#isRunning) {
        this.#dialogs.notify('warning', t('A client key is being replaced: apply or discard the preview first.'));
        return;
      }
      this.#isRunning = true;
      try {
        await this.#run(chosen);
      } finally {
        this.#isRunning = false;
      }
    },
  } satisfies Commands;

  async #run(chosen: CommandTarget | undefined): Promise<void> {
    // One that is inactive has to be meant.
    const old = await this.#targets.key(chosen, t('Replace Client Key'), chosen?.key ? 'current' : 'active');
    const fresh = old && (await this.#chooseNew(old));
    const found = fresh && (await this.#keys.findUsages(old.key));
    if (!found) {
      return;
    }
    const { project, facts } = old;
    const files = await changesOf(found.dsns, old.key, fresh);
    const preview = t('with the DSN of client key {0}', shortKey(fresh.public_key));
    if (!(await this.#isThere(old, fresh))) {
      this.#notifyLost(old);
      return;
    }
    if (found.dsns.length > 0 && (files.length === 0 || !(await this.#writer.write(files, { preview })))) {
      const sentence = t('No place was replaced. Client keys {0} and {1} of {2} both stay.', ...namesOf(old, fresh));
      this.#dialogs.notify('info', this.#targets.named(sentence, project.accountId));
    } else if (!(await this.#isThere(old, fresh))) {
      await this.#takeBack(old, files);
    } else {
      await this.#notes.noteReplacement({
        accountId: project.accountId,
        projectId: facts.id,
        oldKeyId: old.key.id,
        newKeyId: fresh.id,
      });
      await this.#deleteOld(old, fresh, files);
    }
  }

  /** Asks which key takes over, and makes it if it is to be a new one. */
  async #chooseNew(old: KnownKey): Promise<ClientKeyRecord | undefined> {
    const others = old.tracking.keys.filter(({ id, active }) => active && id !== old.key.id);
    const choices: readonly Choice<KnownKey | 'new'>[] = [
      {
        label: t('A New Client Key'),
        iconPath: new vscode.ThemeIcon('add'),
        description: t('is created now'),
        value: 'new',
      },
      ...others.map((key) => this.#targets.choiceOf({ ...old, key })),
    ];
    const title = this.#targets.withKey(t('Replace Client Key'), old);
    const answer = await this.#dialogs.choose(
      title,
      t('Which client key takes over in the files of this workspace?'),
      choices,
    );
    return answer === 'new' ? await this.#keys.create(old) : answer?.key;
  }

  /** Deletes the old key if the user says so, and if the new one is there still. */
  async #deleteOld(old: KnownKey, fresh: ClientKeyRecord, files: readonly FileChange[]): Promise<void> {
    const { project, facts } = old;
    let places: KeyPlaces | undefined;
    const ask = async (found: KeyPlaces): Promise<boolean> => {
      places = found;
      return await this.#dialogs.confirm({
        question: t('Delete the old client key {0} of {1}?', shortKey(old.key.public_key), facts.path),
        detail: [
          ...byHandLabel(found),
          ...usagesLabel(found),
          t('Client key {0} takes over.', shortKey(fresh.public_key)),
          t('Errors of programs that use the old DSN are lost from now on. The new DSN works already.'),
        ],
        accountId: project.accountId,
        keep: t('Keep It Until Deployed'),
        verb: t('Delete Old Key'),
      });
    };
    const sendTest = sendTestError({ project, key: fresh });
    const notify = (severity: 'info' | 'warning', sentence: string): void =>
      this.#dialogs.notify(severity, this.#targets.named(sentence, project.accountId), sendTest);
    const isMeant = await isAgreed(() => this.#keys.findUsages(old.key), ask);
    if (!(await this.#isThere(old, fresh))) {
      await this.#takeBack(old, files);
    } else if (isMeant) {
      await this.#keys.delete(old);
      notify('info', t('Client key {1} of {2} takes over from {0}, which was deleted.', ...namesOf(old, fresh)));
    } else {
      const kept = t(
        'Client key {1} of {2} takes over from {0}, which stays until you delete it.',
        ...namesOf(old, fresh),
      );
      notify('info', [kept, ...(places ? byHandLabel(places) : []).flat()].join(' '));
    }
  }

  /** Whether the key that takes over is there and active by now. */
  async #isThere({ project, facts }: KnownKey, { id }: ClientKeyRecord): Promise<boolean> {
    const { client } = await this.#app.connections.of(project.accountId);
    const { keys } = await this.#dialogs.viewProgress(() => allKeys(client, facts.id));
    return keys.some((key) => key.id === id && key.active);
  }

  /** Preview and question may have been open for long: programs are not left with a key that is gone by then. */
  async #takeBack(old: KnownKey, files: readonly FileChange[]): Promise<void> {
    await this.#writer.write(files.map(reversed));
    this.#notifyLost(old);
  }

  #notifyLost({ project, facts }: KnownKey): void {
    const sentence = t(
      'The new client key of {0} is deleted or inactive. The old one is kept, and so are the files that have its DSN.',
      facts.path,
    );
    const show = commandAction(t('Check Again'), 'beacon.errorTracking.reloadProject', { project });
    this.#dialogs.notify('warning', this.#targets.named(sentence, project.accountId), show);
  }
}

function namesOf({ key, facts }: KnownKey, fresh: ClientKeyRecord): readonly [string, string, string] {
  return [shortKey(key.public_key), shortKey(fresh.public_key), facts.path];
}

/** The changes of files, as they are now, that put the new DSN in the place of the old one. Places that have changed since are left. */
async function changesOf(
  usages: readonly KeyUsage[],
  { public_key: oldKey }: ClientKeyRecord,
  { public_key: newKey, tracker_dsn: newDsn }: ClientKeyRecord,
): Promise<readonly FileChange[]> {
  const files = await Promise.all(
    [...Map.groupBy(usages, ({ uri }) => uri.toString()).values()].map(async (ofFile) => {
      const document = ofFile[0] && (await openForChange(ofFile[0].uri).catch(() => undefined));
      const there = ofFile.filter(({ range, text }) => document?.getText(range) === text);
      const changes = there.flatMap(({ range, text }) => {
        const offset = document?.offsetAt(range.start);
        if (offset === undefined || parseDsn(text)?.publicKey !== oldKey) {
          return [];
        }
        const newText = writtenLike(text, newDsn);
        // The preview cuts long lines: where nothing but the key differs, nothing else is replaced, so that both keys show.
        return text.replace(oldKey, newKey) === newText
          ? [{ offset: offset + text.indexOf(oldKey), length: oldKey.length, newText: newKey }]
          : [{ offset, length: text.length, newText }];
      });
      return document && changes.length > 0 ? [{ uri: document.uri, before: document.getText(), changes }] : [];
    }),
  );
  return files.flat();
}

/** What takes a change of a file back. */
function reversed({ uri, before = '', changes }: FileChange): FileChange {
  const after = applied(before, changes);
  return { uri, before: after, changes: [{ offset: 0, length: after.length, newText: before }] };
}
