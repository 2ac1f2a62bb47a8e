import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { accountProblem, notifyProblem } from '../../accounts/dialogs.ts';
import { ProblemError, problemOf } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import type { Clock } from '../../common/clock.ts';
import {
  type BulkChanges,
  countLabel,
  dateLabel,
  namesLabel,
  type PlanDialogs,
  planFailureLabel,
} from '../settings/bulkChanges.ts';
import type { ScopeReading } from '../settings/engine.ts';
import { levelLabel, scopeLabel } from '../settings/labels.ts';
import { placeLabel, type ScopeFinder } from '../settings/scopePicker.ts';
import { type NotificationScope, scopeKey } from '../settings/settings.ts';
import {
  fromStored,
  isSameName,
  parseMoment,
  type Profile,
  type ProfileStore,
  toStored,
  type UntilChoice,
  untilChoices,
  writeMoment,
} from './profileStore.ts';
import { type EndResult, type Held, settingsBefore, type TimedProfile, type TimedProfiles } from './timedProfiles.ts';

const { t } = vscode.l10n;

/** What the commands of profiles need. */
export interface ProfileDeps {
  readonly finder: ScopeFinder;
  readonly bulk: BulkChanges;
  readonly profiles: ProfileStore;
  readonly timed: TimedProfiles;
  readonly dialogs: PlanDialogs;
  readonly clock: Pick<Clock, 'date'>;
  /** Whether there are several accounts to tell apart. */
  readonly isNamed: () => boolean;
  /** Called when other profiles hold for a while than before. */
  readonly onTimedChanged: () => void;
}

type WithScope = { readonly scope: NotificationScope };

/** So many projects are offered at most: five pages of the user's own. */
const mostProjects = 500;

/** The name of a profile that is applied for a while, and when it ends. */
export function profileLabel({ profile, until }: Pick<Held, 'profile' | 'until'>): string {
  return t('“{0}” until {1}', profile, dateLabel(until));
}

/** The levels that one profile can set in scopes of any kind: Custom is more than a level, and Global one of groups and projects alone. */
const profileLevels = notificationLevels.filter((level) => level !== 'custom' && level !== 'global');

/** Saves, applies, renames and deletes notification profiles. */
export class ProfileCommands {
  readonly #deps: ProfileDeps;

  constructor(deps: ProfileDeps) {
    this.#deps = deps;
  }

  /** Saves the present settings of chosen scopes, or one level for all of them, under a name. */
  async save(): Promise<void> {
    const { finder, dialogs, profiles, clock } = this.#deps;
    const title = t('Save Notification Profile');
    const { found, missing } = await dialogs.viewProgress(() => finder.find({ projects: mostProjects, parents: true }));
    this.#notifyUnread(missing.map(({ path, error }) => ({ name: path, error })));
    const level = await dialogs.choose(this.named(title, found), t('What the profile sets when it is applied'), [
      { label: t('Settings as They Are Now'), value: 'present' },
      ...profileLevels.map((value) => {
        const { name, meaning } = levelLabel(value, vscode.l10n);
        return { label: name, description: meaning, value };
      }),
    ]);
    if (level === undefined) {
      return;
    }
    const scopes =
      found.length === 1
        ? found.map(({ scope }) => scope)
        : await dialogs.chooseMany(
            this.named(title, found),
            level === 'present'
              ? t('Checked scopes: saved as they are now, set again by Apply')
              : t('Scopes that the profile sets to {0}', levelLabel(level, vscode.l10n).name),
            found.map(({ scope, place }) => ({
              label: scopeLabel(scope, vscode.l10n),
              description: [
                placeLabel({ scope, place }),
                ...(place === 'global'
                  ? [t('for all that is at the level Global')]
                  : scope.accountId === finder.accountId
                    ? []
                    : [accountLabel(scope.accountId)]),
              ].join(' · '),
              picked: place !== 'member' && place !== 'parent',
              value: scope,
            })),
          );
    const saved =
      level === 'present'
        ? await this.#readPresent(scopes ?? [])
        : scopes?.map((scope) => ({ scope, snapshot: { level } }));
    if (!saved?.length) {
      return;
    }
    const name = await this.#askName(this.named(title, saved), '');
    if (name === undefined) {
      return;
    }
    const profile = { name, savedAt: clock.date().getTime(), scopes: saved };
    await profiles.save(profile);
    dialogs.notify(
      'info',
      [
        t('Saved “{0}”: {1}.', name, namesLabel(saved.map(({ scope }) => scopeLabel(scope, vscode.l10n)))),
        ...limitsOf(saved),
        ...this.accountLabels(saved),
      ].join(' '),
      { title: t('Apply…'), run: () => this.#apply(profile, 'forGood') },
    );
  }

  /** What scopes are set to now, as profiles keep it; says of which that could not be read. */
  async #readPresent(scopes: readonly NotificationScope[]): Promise<Profile['scopes'] | undefined> {
    const readings = scopes.length > 0 ? await this.#deps.bulk.read(scopes) : undefined;
    this.#notifyUnread(unreadOf(readings ?? []));
    return readings?.flatMap((reading) =>
      'settings' in reading ? { scope: reading.scope, snapshot: toStored(reading.settings) } : [],
    );
  }

  /** Applies a profile after a preview, which also offers to do so for a while. */
  async apply(): Promise<void> {
    const profile = await this.#chooseProfile(t('Apply Notification Profile'));
    if (profile) {
      await this.#apply(profile, 'forGood');
    }
  }

  async #apply(profile: Profile, until: number | 'forGood'): Promise<void> {
    const { bulk, dialogs, timed, onTimedChanged } = this.#deps;
    const wanted = profile.scopes.map(({ scope, snapshot }) => ({ scope, settings: fromStored(snapshot) }));
    const readings = await bulk.read(wanted.map(({ scope }) => scope));
    if (!readings) {
      return;
    }
    const unread = unreadOf(readings);
    const out = unread.find(({ error }) => error instanceof SignedOutError);
    if (out) {
      const sentence = t('“{0}” is for {1}, which is signed out.', profile.name, accountLabel(out.accountId));
      notifyProblem(dialogs, { ...accountProblem(out.accountId, out.error), sentence });
    }
    this.#notifyUnread(unread.filter(({ error }) => !(error instanceof SignedOutError)));
    const plans = bulk.plan(wanted, readings);
    if (plans.length === 0) {
      return;
    }
    if (until === 'forGood') {
      await bulk.run(
        this.named(t('Apply “{0}”', profile.name), profile.scopes),
        plans,
        { note: t('Applied “{0}”', profile.name) },
        {
          title: applyForAWhileLabel(),
          icon: 'clockface',
          hint: t('The clock: only for a while.'),
          run: () => this.#applyForAWhile(profile),
        },
      );
      return;
    }
    const title = this.named(t('Apply “{0}” until {1}', profile.name, dateLabel(until)), profile.scopes);
    const note = profileLabel({ profile: profile.name, until });
    const ended = t('“{0}” has ended, so there is nothing to undo.', profile.name);
    const hooks = timed.hooks({ profile: profile.name, until }, () => new ProblemError({ sentence: ended }));
    await bulk.run(title, plans, {
      note,
      before: async (sent, isUndo) => {
        await hooks.before?.(sent, isUndo);
        onTimedChanged();
      },
      after: async (outcomes, isUndo) => {
        await hooks.after?.(outcomes, isUndo);
        onTimedChanged();
      },
    });
  }

  async #applyForAWhile(profile: Profile): Promise<void> {
    const until = await this.#chooseUntil(profile);
    if (until !== undefined) {
      await this.#apply(profile, until);
    }
  }

  /** Saves, applies, renames and deletes profiles, and ends those that are applied for a while. */
  async manage(): Promise<void> {
    const { profiles, timed, dialogs } = this.#deps;
    const choices = [
      ...(await timed.all()).map((held) => ({
        label: profileLabel(held),
        iconPath: new vscode.ThemeIcon('clockface'),
        description: this.#describe(held.scopes, t('Scopes to restore: {0}', countLabel(held.scopes.length))),
        value: { held },
      })),
      ...profiles.all.map((profile) => ({ ...this.#line(profile), value: { profile } })),
    ];
    if (choices.length === 0) {
      this.#notifyNone();
      return;
    }
    const title = t('Manage Notification Profiles');
    const prompt = t('Choose a profile to end, apply, rename or delete it');
    const chosen = await dialogs.choose<{ held: TimedProfile } | { profile: Profile } | 'save'>(title, prompt, [
      ...choices,
      { label: t('Save Notification Profile…'), iconPath: new vscode.ThemeIcon('add'), value: 'save' },
    ]);
    if (chosen === 'save') {
      await this.save();
    } else if (chosen && 'held' in chosen) {
      await this.#manageTimed(chosen.held);
    } else if (chosen) {
      await this.#manageProfile(chosen.profile);
    }
  }

  async #manageProfile(profile: Profile): Promise<void> {
    const { dialogs, profiles } = this.#deps;
    const { name } = profile;
    const run = await dialogs.choose<() => Promise<void>>(name, '', [
      { label: t('Apply…'), value: () => this.#apply(profile, 'forGood') },
      { label: applyForAWhileLabel(), value: () => this.#applyForAWhile(profile) },
      {
        label: t('Rename…'),
        value: async () => {
          const newName = await this.#askName(t('Rename “{0}”', name), name);
          if (newName !== undefined) {
            await profiles.rename(name, newName);
          }
        },
      },
      {
        label: t('Delete…'),
        value: async () => {
          const question = t('Delete the notification profile “{0}”?', name);
          const detail = t('The settings on the instance stay as they are.');
          if (await dialogs.confirm({ question, detail, verb: t('Delete') })) {
            await profiles.delete(name);
          }
        },
      },
    ]);
    await run?.();
  }

  async #manageTimed({ profile, until, scopes }: TimedProfile): Promise<void> {
    const { dialogs, timed, onTimedChanged } = this.#deps;
    const names = namesLabel(scopes.map(({ scope }) => scopeLabel(scope, vscode.l10n)));
    const action = await dialogs.choose(this.named(t('End “{0}”', profile), scopes), names, [
      { label: t('Restore Earlier Settings'), description: t('what was set before “{0}”', profile), value: 'now' },
      { label: t('Keep Current Settings'), description: t('nothing is restored later'), value: 'keep' },
    ]);
    if (action === 'now') {
      await timed.end((held) => held.profile === profile && held.until === until);
    } else if (action === 'keep') {
      await timed.forget(scopes);
    }
    onTimedChanged();
  }

  async #chooseProfile(title: string): Promise<Profile | undefined> {
    const { profiles, dialogs } = this.#deps;
    const { all } = profiles;
    if (all.length === 0) {
      this.#notifyNone();
      return undefined;
    }
    const [first, ...others] = all;
    // Of one there is no choice: the review names it. That of another account is not what the user sees in this window.
    const { accountId } = this.#deps.finder;
    if (first && others.length === 0 && first.scopes.every(({ scope }) => scope.accountId === accountId)) {
      return first;
    }
    return await dialogs.choose(
      title,
      t('You see all differences before anything is sent'),
      all.map((profile) => ({ ...this.#line(profile), value: profile })),
    );
  }

  async #chooseUntil({ name, scopes }: Profile): Promise<number | undefined> {
    const { dialogs, clock } = this.#deps;
    const title = this.named(t('Apply “{0}”', name), scopes);
    const start = clock.date();
    const chosen = await dialogs.choose<number | 'other'>(
      title,
      t('For how long? Afterwards the earlier levels and, where possible, events hold again'),
      [
        ...untilChoices(start).map((choice) => ({
          label: untilLabel(choice),
          description: dateLabel(choice.time),
          value: choice.time,
        })),
        { label: t('Until…'), value: 'other' },
      ],
    );
    if (chosen !== 'other') {
      return chosen;
    }
    const prompt = t('Until when? For example 2026-12-24 18:00, or 18:00 for today');
    const problemOf = (text: string): string | undefined => {
      const time = parseMoment(text, start);
      if (time === undefined) {
        return prompt;
      }
      return time > clock.date().getTime() ? undefined : t('This time has passed. Enter a later one.');
    };
    const typed = await dialogs.ask(title, prompt, writeMoment(start.getTime() + 3_600_000), problemOf);
    return typed === undefined ? undefined : parseMoment(typed, start);
  }

  async #askName(title: string, name: string): Promise<string | undefined> {
    const { dialogs, profiles } = this.#deps;
    const prompt = t('The name of the profile, such as “Focus” or “On call”');
    const typed = await dialogs.ask(title, prompt, name, (text) =>
      text.trim() === '' || text.length > 60 ? t('Enter a name of 1 to 60 characters.') : undefined,
    );
    if (typed === undefined || typed === name) {
      return undefined;
    }
    const other = profiles.find(typed);
    if (other && !isSameName(other.name, name)) {
      const question = t('Replace the notification profile “{0}”?', other.name);
      const detail = t('The settings that it contains are lost.');
      return (await dialogs.confirm({ question, detail, verb: t('Replace') })) ? typed : undefined;
    }
    return typed;
  }

  /** The accounts of scopes, where there are several to tell apart or it is another one than that of the window. */
  #accountsOf(scopes: readonly WithScope[]): readonly string[] {
    const { finder, isNamed } = this.#deps;
    const ids = [...new Set(scopes.map(({ scope }) => scope.accountId))];
    return isNamed() || ids.some((id) => id !== finder.accountId) ? ids.map(accountLabel) : [];
  }

  /** Sentences with the accounts of scopes, where there are several to tell apart. */
  accountLabels(scopes: readonly WithScope[]): readonly string[] {
    return this.#accountsOf(scopes).map((account) => t('Account: {0}', account));
  }

  /** A text with the accounts that it is about, where there are several to tell apart. */
  named(text: string, scopes: readonly WithScope[]): string {
    return [text, ...this.#accountsOf(scopes)].join(' · ');
  }

  #line({ name, savedAt, scopes }: Profile): { label: string; description: string } {
    const saved = t('Scopes: {0}, saved {1}', countLabel(scopes.length), dateLabel(savedAt));
    return { label: name, description: this.#describe(scopes, saved) };
  }

  /** First whose scopes they are, if that has to be said: a narrow list cuts the end. */
  #describe(scopes: readonly WithScope[], fact: string): string {
    const accounts = this.#accountsOf(scopes).join(', ');
    const isElsewhere = scopes.some(({ scope }) => scope.accountId !== this.#deps.finder.accountId);
    return [isElsewhere ? t('{0}, not the account of this window', accounts) : accounts, fact]
      .filter(Boolean)
      .join(' · ');
  }

  /** @throws ProblemError if the token of the account may not even read what a profile would keep. */
  #notifyNone(): void {
    this.#deps.finder.requireReadable();
    const title = t('Save Notification Profile…');
    this.#deps.dialogs.notify('info', t('There is no notification profile yet.'), {
      title,
      run: () => this.save(),
    });
  }

  /** Says each reason once, with the button that helps. */
  #notifyUnread(unread: readonly Unread[]): void {
    if (unread.length > 0) {
      const problems = unread.map(({ name, accountId, error }) => ({ name, ...problemOf(error, accountId) }));
      const reasons = [...new Set(problems.map(({ sentence }) => sentence))].map((reason) => {
        const names = problems.flatMap(({ name, sentence }) => (sentence === reason ? name : []));
        return t('{0}: {1}', namesLabel(names), reason);
      });
      const sentence = [t('Some settings could not be read.'), ...reasons].join(' ');
      notifyProblem(this.#deps.dialogs, { ...problems.find(({ remedy }) => remedy), sentence });
    }
  }
}

/** Something that could not be read, and of which account it is, if that is known. */
interface Unread {
  readonly name: string;
  readonly accountId?: string;
  readonly error: unknown;
}

function unreadOf(readings: readonly ScopeReading[]): readonly Required<Unread>[] {
  return readings.flatMap((reading) => {
    const { scope } = reading;
    return 'error' in reading
      ? { name: scopeLabel(scope, vscode.l10n), accountId: scope.accountId, error: reading.error }
      : [];
  });
}

function applyForAWhileLabel(): string {
  return t('Apply Only for a While…');
}

/** What a profile cannot bring back, said when it is saved. */
function limitsOf(scopes: Profile['scopes']): readonly string[] {
  const hasDefaults = scopes.some(({ snapshot }) => (snapshot.defaults ?? []).length > 0);
  const isUnreadable = scopes.some(({ snapshot }) => snapshot.level === 'custom' && !snapshot.events);
  return [
    ...(hasDefaults ? [t('Events at their default are not saved, because the API cannot restore the default.')] : []),
    ...(isUnreadable ? [t('Events that the API does not show, such as global ones, are not saved.')] : []),
  ];
}

function untilLabel({ kind }: UntilChoice): string {
  switch (kind) {
    case 'hour':
      return t('For one hour');
    case 'evening':
      return t('Until this evening');
    case 'tomorrow':
      return t('Until tomorrow morning');
    case 'monday':
      return t('Until Monday morning');
  }
}

export interface EndMessagesDeps {
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  /** Sentences with the accounts of scopes, where there are several to tell apart. */
  readonly accountLabels: (scopes: readonly WithScope[]) => readonly string[];
  /** Ends what has failed to end. */
  readonly retry: (scope: NotificationScope) => Promise<void>;
}

/** Shows what became of profiles that have ended. */
export class EndMessages {
  readonly #deps: EndMessagesDeps;
  /** The scopes of which it was said that ending has failed, and is tried again. */
  readonly #failed = new Set<string>();

  constructor(deps: EndMessagesDeps) {
    this.#deps = deps;
  }

  /** Shows what was put back in one message, then each scope that needs attention. */
  show(profile: string, results: readonly EndResult[]): void {
    const restored = results.flatMap(({ outcome }) => (outcome.kind === 'restored' ? [outcome] : []));
    if (restored.length > 0) {
      const names = namesLabel(restored.map(({ plan }) => scopeLabel(plan.scope, vscode.l10n)));
      const hidesEvents = restored.some(
        ({ plan }) => plan.expected.level === 'custom' && plan.change['level'] !== undefined,
      );
      const sentences = [
        t('“{0}” has ended: the earlier notification settings of {1} are restored.', profile, names),
        ...(hidesEvents
          ? [t('Single events stay as “{0}” set them: they count only with the level Custom.', profile)]
          : []),
        ...restored.flatMap(({ plan, applied }) => planFailureLabel({ plan, ...applied }) ?? []),
        ...this.#deps.accountLabels(results.map(({ held }) => held)),
      ];
      this.#deps.dialogs.notify('info', sentences.join(' '));
    }
    for (const { held, outcome } of results) {
      const key = scopeKey(held.scope);
      if (outcome.kind !== 'failed') {
        this.#failed.delete(key);
      } else if (!this.#failed.has(key)) {
        this.#failed.add(key);
        this.#showFailure(held, outcome.error);
      }
      if (outcome.kind === 'changedElsewhere') {
        this.#showChanged(held);
      }
    }
  }

  #showFailure({ scope, profile }: Held, error: unknown): void {
    const sentence = t(
      '{0} could not be restored after “{1}”; Beacon tries again. {2}',
      scopeLabel(scope, vscode.l10n),
      profile,
      problemOf(error, scope.accountId).sentence,
    );
    this.#deps.dialogs.notify('warning', sentence, {
      title: t('Try Again'),
      run: async () => {
        this.#failed.delete(scopeKey(scope));
        await this.#deps.retry(scope);
      },
    });
  }

  #showChanged(held: Held): void {
    const sentence = t(
      '“{0}” has ended, but {1} was changed elsewhere in the meantime. Nothing was overwritten.',
      held.profile,
      scopeLabel(held.scope, vscode.l10n),
    );
    this.#deps.dialogs.notify('warning', sentence, {
      title: t('Review Differences…'),
      run: () => this.#review(held),
    });
  }

  /** Shows what would be put back, and does so if the user confirms. */
  async #review(held: Held): Promise<void> {
    const { bulk } = this.#deps;
    const { scope, profile } = held;
    const [reading] = (await bulk.read([scope])) ?? [];
    if (reading && 'error' in reading) {
      throw reading.error;
    }
    if (reading) {
      const plans = bulk.plan([{ scope, settings: settingsBefore(held) }], [reading]);
      await bulk.run(t('Restore Settings from Before “{0}”', profile), plans);
    }
  }
}
