import * as vscode from 'vscode';
import { commandAction, type Dialogs } from '../../accounts/dialogs.ts';
import type { Action } from '../../accounts/problem.ts';
import type { Client } from '../../api/client.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import type { Commands } from '../../common/commands.ts';
import { shortKey } from '../dsn.ts';
import { accountError } from '../keyCommands.ts';
import type { ProjectStates } from '../projectStates.ts';
import { type CommandTarget, inactiveLabel, keyName, sendTestError, type TargetResolver } from '../targets.ts';
import {
  byHandLabel,
  gapsLabel,
  isAgreed,
  type KeyPlaces,
  mayBeUsed,
  type UsageSearch,
  usagesLabel,
} from '../usages.ts';
import { replaceUsages, Rotation, type RotationOutcome } from './rotation.ts';
import type { CreatedRecord, RotationJournal, RotationRecord, RotationSubject } from './rotationJournal.ts';

/** The dependencies of rotations. */
export interface RotationDeps {
  readonly targets: TargetResolver;
  readonly states: ProjectStates;
  readonly usages: Pick<UsageSearch, 'find'>;
  readonly dialogs: Dialogs;
  readonly journal: RotationJournal;
  readonly client: (accountId: string) => Promise<Client>;
}

/** Which key of which project is rotated. */
type Subject = Omit<RotationSubject, 'oldKey'> & { readonly oldKey: Pick<ClientKeyRecord, 'id'> };

/** Rotates client keys, and goes on with rotations that were interrupted. */
export class RotationCommands {
  readonly #deps: RotationDeps;
  readonly #rotation: Rotation;
  #isRunning = false;
  /** The places that still had the old key when its deletion was asked about. */
  #remaining: KeyPlaces | undefined;
  readonly commands = {
    'beacon.errorTracking.rotateKey': (chosen?: CommandTarget) => this.rotate(chosen),
    'beacon.errorTracking.resumeRotation': (chosen?: CommandTarget) => this.resume(chosen),
    'beacon.errorTracking.cancelRotation': (chosen?: CommandTarget) => this.cancel(chosen),
  } satisfies Commands;

  constructor(deps: RotationDeps) {
    this.#deps = deps;
    const { journal, client, dialogs } = deps;
    this.#rotation = new Rotation({
      journal,
      client,
      findUsages: (publicKey) => this.#find(publicKey),
      replace: (places, newKey) => replaceUsages(places, newKey, dialogs),
      confirmDeletion: (subject, remaining) => this.#confirmDeletion(subject, remaining),
      chooseNewKey: (keys) => this.#chooseNewKey(keys),
    });
  }

  /**
   * Rotates a key after describing all of its steps; resumes a rotation of it that was interrupted.
   *
   * @throws ApiError if nothing was made for sure.
   */
  async rotate(chosen?: CommandTarget): Promise<void> {
    const { targets, dialogs, journal } = this.#deps;
    // One that is inactive has to be meant.
    const wanted = chosen?.key ? 'current' : 'active';
    const known = await targets.key(chosen, vscode.l10n.t('Rotate Client Key'), wanted);
    if (!known) {
      return;
    }
    const { key, facts, project } = known;
    const begun = journal.find(project.accountId, facts.id, key.id);
    if (begun) {
      await this.#resume(begun);
      return;
    }
    const places = await this.#find(key.public_key);
    const isMeant = await dialogs.confirm({
      question: vscode.l10n.t('Rotate client key {0} of {1}?', keyName(key), facts.path),
      detail: [
        vscode.l10n.t('1. A new client key is created.'),
        vscode.l10n.t(
          '2. Its DSN replaces the old one in the files of this workspace, after a preview in which you can leave places out.',
        ),
        vscode.l10n.t('3. Client key {0} ({1}) stays until you say that it is to be deleted.', key.id, key.public_key),
        key.active
          ? vscode.l10n.t(
              'Errors of programs that use the old DSN elsewhere are lost from then on: give these programs the new DSN.',
            )
          : inactiveLabel(key),
        ...byHandLabel(places),
        ...gapsLabel(places.gaps),
      ].join('\n\n'),
      accountId: project.accountId,
      verb: vscode.l10n.t('Rotate'),
    });
    if (isMeant) {
      const place = { accountId: project.accountId, projectId: facts.id, path: facts.path };
      await this.#run({ ...place, oldKey: key }, () => this.#rotation.begin(place, key));
    }
  }

  /** Goes on with a rotation that was interrupted. */
  async resume(chosen?: CommandTarget): Promise<void> {
    const record = await this.#choose(chosen, vscode.l10n.t('Continue Key Rotation'));
    if (record) {
      await this.#resume(record);
    }
  }

  async #resume(seen: RotationRecord): Promise<void> {
    const record = this.#current(seen);
    if (record) {
      await this.#run(record, () => this.#rotation.resume(record));
    }
  }

  /** Ends a rotation that was interrupted, so that the old key stays, with the new one or without it. */
  async cancel(chosen?: CommandTarget): Promise<void> {
    const record = await this.#choose(chosen, cancelTitle());
    if (record) {
      await this.#cancel(record);
    }
  }

  async #cancel(seen: RotationRecord): Promise<void> {
    const record = this.#notifyRunning() ? undefined : this.#current(seen);
    if (!record) {
      return;
    }
    const { accountId, path } = record;
    const oldName = shortKey(record.oldKey.publicKey);
    const newName = record.step === 'creating' ? '' : shortKey(record.newKey.publicKey);
    const decision = await this.#deps.dialogs.choose(
      this.#deps.targets.named(`${cancelTitle()}: ${oldName}, ${path}`, accountId),
      vscode.l10n.t('What happens to the new client key'),
      [
        {
          label: vscode.l10n.t('Keep Both Keys'),
          detail:
            record.step === 'creating'
              ? vscode.l10n.t('Nothing is deleted. If a new client key was created, it stays beside the old one.')
              : vscode.l10n.t('Nothing is deleted: {0} and {1} stay.', oldName, newName),
          value: 'keepBoth' as const,
        },
        // One step later, the old key may be gone already.
        ...(record.step === 'created'
          ? [
              {
                label: vscode.l10n.t('Delete New Key and Keep Old One…'),
                detail: vscode.l10n.t('Client key {0} is deleted, {1} stays.', newName, oldName),
                value: 'deleteNew' as const,
              },
            ]
          : []),
      ],
    );
    if (decision === 'deleteNew' && record.step === 'created') {
      await this.#takeBack(record);
      return;
    }
    if (decision !== undefined) {
      await this.#stop(record);
    }
  }

  /** Ends a rotation: both keys stay. */
  async #stop(seen: RotationRecord): Promise<void> {
    const record = this.#notifyRunning() ? undefined : this.#current(seen);
    if (!record) {
      return;
    }
    const { accountId, projectId, path, oldKey } = record;
    await this.#rotation.abandon(record);
    const sentence = vscode.l10n.t(
      'The rotation of client key {0} of {1} was canceled.',
      shortKey(oldKey.publicKey),
      path,
    );
    this.#deps.dialogs.notify('info', this.#deps.targets.named(sentence, accountId));
    await this.#deps.states.reloadAll(accountId, projectId);
  }

  /** Ends a rotation by deleting the new key, after saying where its DSN is used. */
  async #takeBack(record: CreatedRecord): Promise<void> {
    const { accountId, path, oldKey, newKey } = record;
    const ask = (places: KeyPlaces): Promise<boolean> =>
      this.#deps.dialogs.confirm({
        question: vscode.l10n.t('Delete the new client key {0} of {1}?', shortKey(newKey.publicKey), path),
        detail: [
          vscode.l10n.t('The old client key {0} stays, and the rotation ends.', shortKey(oldKey.publicKey)),
          vscode.l10n.t(
            'Client key {0} ({1}) is active. Errors that programs send with it will be lost.',
            newKey.id,
            newKey.publicKey,
          ),
          usagesLabel(places),
          vscode.l10n.t('This cannot be undone: a new client key has another DSN.'),
        ].join('\n\n'),
        accountId,
        verb: vscode.l10n.t('Delete New Key and Keep Old One'),
        ...(mayBeUsed(places) ? { keep: vscode.l10n.t('Keep Both Keys') } : {}),
      });
    if ((await isAgreed(() => this.#find(newKey.publicKey), ask)) && this.#current(record)) {
      await this.#run(record, () => this.#rotation.takeBack(record));
    }
  }

  async #find(publicKey: string): Promise<KeyPlaces> {
    const { dialogs, usages } = this.#deps;
    return await dialogs.viewProgress(() => usages.find(publicKey));
  }

  /** Says at the start of the editor which rotations were interrupted. Requests nothing. */
  notifyInterrupted(): void {
    for (const record of this.#deps.journal.all) {
      this.#deps.dialogs.notify(
        'warning',
        this.#deps.targets.named(
          vscode.l10n.t(
            'The rotation of client key {0} of {1} was interrupted.',
            shortKey(record.oldKey.publicKey),
            record.path,
          ),
          record.accountId,
        ),
        ...this.#nextActions(record),
      );
    }
  }

  async #run({ accountId, projectId, path, oldKey }: Subject, step: () => Promise<RotationOutcome>): Promise<void> {
    const { states, journal } = this.#deps;
    if (this.#notifyRunning()) {
      return;
    }
    this.#isRunning = true;
    this.#remaining = undefined;
    let last = journal.find(accountId, projectId, oldKey.id);
    // The new key shows beside the preview.
    const subscription = journal.onDidChange(() => {
      last = journal.find(accountId, projectId, oldKey.id) ?? last;
      if (last?.step === 'created') {
        void states.reloadAll(accountId, projectId);
      }
    });
    try {
      const outcome = await step();
      if (outcome !== 'done') {
        this.#showOutcome(outcome, { accountId, path }, journal.find(accountId, projectId, oldKey.id));
      } else if (last && last.step !== 'creating') {
        this.#notifyDone(last);
      }
    } catch (error) {
      throw accountError(accountId, error);
    } finally {
      subscription.dispose();
      this.#isRunning = false;
      await states.reloadAll(accountId, projectId);
    }
  }

  /** Whether a rotation shows its preview right now, which is then shown. */
  #notifyRunning(): boolean {
    if (this.#isRunning) {
      this.#deps.dialogs.notify(
        'warning',
        vscode.l10n.t('A client key is being rotated: apply or discard the preview first.'),
      );
    }
    return this.#isRunning;
  }

  /** The rotation that is meant, as the journal has it now. */
  async #choose(chosen: CommandTarget | undefined, title: string): Promise<RotationRecord | undefined> {
    const { journal, dialogs } = this.#deps;
    const { all } = journal;
    const { rotation } = chosen ?? {};
    if (rotation) {
      return this.#current(rotation);
    }
    if (all.length === 0) {
      dialogs.notify('info', vscode.l10n.t('There is no interrupted key rotation.'));
      return undefined;
    }
    if (all.length === 1) {
      return all[0];
    }
    const choices = all.map((value) => ({
      label: shortKey(value.oldKey.publicKey),
      description: value.path,
      value,
    }));
    return await dialogs.choose(title, vscode.l10n.t('Choose a client key'), choices);
  }

  #notifyDone({ accountId, projectId, path, oldKey, newKey: { id, publicKey } }: CreatedRecord): void {
    const names = [path, shortKey(publicKey), shortKey(oldKey.publicKey)] as const;
    const sentence = vscode.l10n.t('A client key of {0} was rotated: {1} replaces {2}, which was deleted.', ...names);
    const target = { project: { accountId, idOrPath: projectId }, key: { id, public_key: publicKey } };
    const sentences = [this.#deps.targets.named(sentence, accountId), ...byHandLabel(this.#remaining)].join(' ');
    this.#deps.dialogs.notify('info', sentences, sendTestError(target));
  }

  #showOutcome(
    outcome: Exclude<RotationOutcome, 'done'>,
    { accountId, path }: { readonly accountId: string; readonly path: string },
    rest: RotationRecord | undefined,
  ): void {
    const { dialogs, targets } = this.#deps;
    const notify = (severity: 'info' | 'warning', sentence: string, ...buttons: readonly Action[]): void =>
      dialogs.notify(severity, targets.named(sentence, accountId), ...buttons);
    const actions = rest ? this.#nextActions(rest) : [];
    const bothStay = vscode.l10n.t('Both client keys of {0} stay until you continue or cancel the rotation.', path);
    switch (outcome) {
      case 'waiting':
        notify('info', [bothStay, ...byHandLabel(this.#remaining)].join(' '), ...actions);
        return;
      case 'nothingReplaced':
        notify('info', `${vscode.l10n.t('No place was replaced.')} ${bothStay}`, ...actions);
        return;
      case 'nothingMade':
        notify('warning', vscode.l10n.t('No client key was created in {0}; nothing has changed.', path));
        return;
      case 'unknown':
        notify(
          'warning',
          vscode.l10n.t(
            'Whether a client key was created in {0}, and which one, is not known yet. The old one is kept.',
            path,
          ),
          ...actions,
        );
        return;
      case 'newKeyLost':
        notify(
          'warning',
          vscode.l10n.t(
            'The new client key of {0} is deleted or inactive. The old one is kept: give files with the new DSN another one.',
            path,
          ),
        );
        return;
      case 'newKeyDeleted':
        notify('info', vscode.l10n.t('The new client key of {0} was deleted. The old one is kept.', path));
        return;
      case 'oldKeyLost':
        notify(
          'warning',
          vscode.l10n.t('The old client key of {0} is deleted or inactive. The new one is kept.', path),
          ...actions,
        );
    }
  }

  /** What can be done with a rotation. The buttons may be pressed long after it was shown, so they look again. */
  #nextActions(record: RotationRecord): readonly Action[] {
    return [
      { title: vscode.l10n.t('Continue Key Rotation…'), run: () => this.#resume(record) },
      { title: vscode.l10n.t('Cancel Key Rotation…'), run: () => this.#cancel(record) },
    ];
  }

  /** How far a rotation is that was shown before; that it has ended meanwhile is shown. */
  #current(seen: RotationRecord): RotationRecord | undefined {
    const { journal, dialogs, targets } = this.#deps;
    const now = journal.current(seen);
    if (!now) {
      const { accountId, projectId, path, oldKey } = seen;
      const another = journal.find(accountId, projectId, oldKey.id);
      const names = [shortKey(oldKey.publicKey), path] as const;
      const sentence = vscode.l10n.t('This rotation of client key {0} of {1} has ended.', ...names);
      dialogs.notify(
        'info',
        targets.named(sentence, accountId),
        ...(another
          ? this.#nextActions(another)
          : [commandAction(vscode.l10n.t('Show Client Keys'), 'beacon.errorTracking.focus')]),
      );
    }
    return now;
  }

  async #confirmDeletion({ accountId, oldKey, path }: RotationSubject, remaining: KeyPlaces): Promise<boolean> {
    this.#remaining = remaining;
    return await this.#deps.dialogs.confirm({
      question: vscode.l10n.t('Delete the old client key {0} of {1}?', shortKey(oldKey.publicKey), path),
      detail: [
        usagesLabel(remaining),
        vscode.l10n.t('Errors of programs that use the old DSN are lost from now on. The new DSN works already.'),
      ].join('\n\n'),
      accountId,
      keep: vscode.l10n.t('Keep It Until Deployed'),
      verb: vscode.l10n.t('Delete Old Key'),
    });
  }

  async #chooseNewKey(keys: readonly ClientKeyRecord[]): Promise<ClientKeyRecord | undefined> {
    return await this.#deps.dialogs.choose(
      vscode.l10n.t('Select New Client Key'),
      vscode.l10n.t('Several client keys are new. Which one replaces the old one?'),
      keys.map((value) => ({ label: keyName(value), description: String(value.id), value })),
    );
  }
}

function cancelTitle(): string {
  return vscode.l10n.t('Cancel Key Rotation');
}
