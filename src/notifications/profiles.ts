import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { accountLabel } from '../accounts/accountInUse.ts';
import { accountProblem, notifyProblem } from '../accounts/dialogs.ts';
import { problemOf, requireScope } from '../accounts/problem.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { separator } from '../common/inertWindow.ts';
import type { Changes } from './changes.ts';
import { fromStored, scopeSchema, storedSettingsSchema, toStored } from './schemas.ts';
import { countLabel, dateLabel, failureLabel, levelLabel, scopeLabel, scopesLabel } from './labels.ts';
import { type NotificationScope, scopeKey } from './scope.ts';
import { type FoundScope, findScopes, placeLabel } from './scopes.ts';
import { type Plan, planFor, planOf } from './settings.ts';
import { isCancellation, type Reading } from './settingsService.ts';
import { type EndResult, type Held, restoredBy, type TimedProfiles } from './timedProfiles.ts';

const { t } = vscode.l10n;

/** So many of the user's projects are looked at, at most. */
const mostProjects = 500;
/** Counted up with the form of a profile: those of another one count as none. */
const version = 2;
const key = 'notificationProfiles';

const profileSchema = z.object({
  name: z.string().check(z.minLength(1)),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  sets: z.union([
    /** One level, in all scopes of an account that have a level of their own when it is applied. */
    z.object({ accountId: z.string(), level: z.string() }),
    /** What some scopes were set to when it was saved. */
    z.array(z.object({ scope: scopeSchema, settings: storedSettingsSchema })),
  ]),
});

/** Notification settings under a name. */
export type Profile = z.infer<typeof profileSchema>;

/** The levels that one profile can set in scopes of any kind: Custom is more than a level, and Global one of groups and projects alone. */
const profileLevels = notificationLevels.filter((level) => level !== 'custom' && level !== 'global');

/** The name of a profile that is applied for a while, and when it ends. */
export function profileLabel({ profile, until }: Pick<Held, 'profile' | 'until'>): string {
  return t('“{0}” until {1}', profile, dateLabel(until));
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Saves, applies, renames, deletes and ends notification profiles. */
export class Profiles {
  readonly #app: App;
  readonly #changes: Changes;
  readonly #timed: TimedProfiles;
  /** The scopes of which it was said that ending has failed, and is tried again. */
  readonly #failed = new Set<string>();

  constructor(app: App, changes: Changes, timed: TimedProfiles) {
    this.#app = app;
    this.#changes = changes;
    this.#timed = timed;
  }

  /** Lists the profiles, those that hold for a while first, with all that can be done with them. */
  async manage(): Promise<void> {
    const { dialogs } = this.#changes;
    const { account } = await this.#app.connections.current();
    requireScope(account, 'GET');
    const held = new Map<string, readonly Held[]>();
    for (const one of await this.#timed.read()) {
      held.set(profileLabel(one), [...(held.get(profileLabel(one)) ?? []), one]);
    }
    const run = await dialogs.choose<() => Promise<void>>(
      t('Notification Profiles'),
      t('Choose a profile to apply, end, rename or delete it'),
      [
        ...[...held].map(([label, scopes]) => ({
          label,
          iconPath: new vscode.ThemeIcon('clockface'),
          description: this.#described(t('Scopes to restore: {0}', countLabel(scopes.length)), accountsOf(scopes)),
          value: () => this.#endOrKeep(scopes),
        })),
        ...this.#all.map((profile) => ({
          label: profile.name,
          description: this.#described(summaryOf(profile), profileAccounts(profile)),
          value: () => this.#use(profile),
        })),
        {
          label: t('Save Notification Profile…'),
          iconPath: new vscode.ThemeIcon('add'),
          value: () => this.#save(account.id),
        },
      ],
    );
    await run?.();
  }

  /** What can be done with a profile: it is applied for good or for a while, each by one choice. */
  async #use(profile: Profile): Promise<void> {
    const { dialogs } = this.#changes;
    const { name } = profile;
    const start = this.#app.clock.date();
    const run = await dialogs.choose<() => Promise<void>>(
      name,
      t('For how long? Afterwards the earlier levels and, where possible, events hold again'),
      [
        { label: t('For Good'), value: () => this.#apply(profile) },
        ...untilChoices(start).map(({ label, time }) => ({
          label,
          description: dateLabel(time),
          value: () => this.#apply(profile, time),
        })),
        {
          label: t('Until…'),
          value: async () => {
            const until = await this.#askUntil(name, start);
            await (until === undefined ? undefined : this.#apply(profile, until));
          },
        },
        separator(''),
        {
          label: t('Rename…'),
          value: async () => {
            const newName = await this.#askName(t('Rename “{0}”', name), name);
            if (newName !== undefined) {
              await this.#keep({ ...profile, name: newName }, name);
            }
          },
        },
        {
          label: t('Delete…'),
          value: async () => {
            const question = t('Delete the notification profile “{0}”?', name);
            const detail = t('The settings on the instance stay as they are.');
            if (await dialogs.confirm({ question, detail, verb: t('Delete') })) {
              await this.#keep(undefined, name);
            }
          },
        },
      ],
    );
    await run?.();
  }

  async #apply(profile: Profile, until?: number): Promise<void> {
    const plans = await this.#plans(profile);
    if (!plans) {
      return;
    }
    const { name } = profile;
    if (until === undefined) {
      await this.#changes.reviewAndSend(t('Apply “{0}”', name), plans, { note: t('Applied “{0}”', name) });
    } else {
      const held = { profile: name, until };
      const title = t('Apply “{0}” until {1}', name, dateLabel(until));
      await this.#changes.reviewAndSend(title, plans, { note: profileLabel(held), ...this.#timed.around(held) });
    }
  }

  /** What a profile would change now. @returns undefined if the user cancelled, or nothing could be read, which is said. */
  async #plans({ sets }: Profile): Promise<readonly Plan[] | undefined> {
    const found = Array.isArray(sets) ? sets.map(({ scope }) => scope) : await this.#find(sets.accountId);
    const readings = found && (await this.#changes.read(found.map((one) => ('scope' in one ? one.scope : one))));
    if (!readings) {
      return undefined;
    }
    this.#notifyUnread(readings);
    const plans = readings.flatMap((reading): readonly Plan[] => {
      if ('error' in reading) {
        return [];
      }
      const { scope, settings } = reading;
      if (!Array.isArray(sets)) {
        return settings.level === 'global' ? [] : [planOf(scope, settings, { level: sets.level })];
      }
      const wanted = sets.find((one) => scopeKey(one.scope) === scopeKey(scope));
      return wanted ? [planFor(scope, settings, fromStored(wanted.settings))] : [];
    });
    return plans.length > 0 ? plans : undefined;
  }

  /** Finds the scopes of an account with progress. @returns undefined if the user cancelled. */
  async #find(accountId: string): Promise<readonly FoundScope[] | undefined> {
    try {
      const { found, missing } = await this.#changes.dialogs.progress(t('Reading your projects'), (signal) =>
        findScopes(this.#app, accountId, mostProjects, signal),
      );
      this.#notifyUnread(missing);
      return found;
    } catch (error) {
      if (isCancellation(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async #save(accountId: string): Promise<void> {
    const { dialogs } = this.#changes;
    const title = t('Save Notification Profile');
    const level = await dialogs.choose(title, t('What the profile sets when it is applied'), [
      { label: t('Settings as They Are Now'), description: t('of scopes that you choose'), value: 'present' },
      ...profileLevels.map((value) => ({
        label: levelLabel(value).name,
        description: t('everywhere that has a level of its own'),
        value,
      })),
    ]);
    const sets =
      level === undefined || level !== 'present' ? level && { accountId, level } : await this.#chooseScopes(accountId);
    const name = sets && (await this.#askName(title, ''));
    if (!sets || name === undefined) {
      return;
    }
    const profile: Profile = { name, savedAt: this.#app.clock.date().getTime(), sets };
    await this.#keep(profile, name);
    dialogs.notify('info', [t('Saved “{0}”: {1}.', name, summaryOf(profile)), ...limitsOf(profile)].join(' '), {
      title: t('Apply…'),
      run: () => this.#use(profile),
    });
  }

  /** What scopes that the user chooses are set to now; undefined if there are none. */
  async #chooseScopes(accountId: string): Promise<Extract<Profile['sets'], readonly unknown[]> | undefined> {
    const found = await this.#find(accountId);
    const scopes =
      found &&
      (await this.#changes.dialogs.chooseMany<NotificationScope>(
        t('Save Notification Profile'),
        t('Checked scopes: saved as they are now, set again by Apply'),
        found.map((one) => ({
          label: scopeLabel(one.scope),
          description: placeLabel(one),
          picked: one.place !== 'member' && one.place !== 'parent',
          value: one.scope,
        })),
      ));
    const readings = scopes?.length ? await this.#changes.read(scopes) : undefined;
    this.#notifyUnread(readings ?? []);
    const saved = readings?.flatMap((reading) =>
      'settings' in reading ? { scope: reading.scope, settings: toStored(reading.settings) } : [],
    );
    return saved?.length ? saved : undefined;
  }

  async #endOrKeep(scopes: readonly Held[]): Promise<void> {
    const [first] = scopes;
    const name = first?.profile ?? '';
    const action = await this.#changes.dialogs.choose(
      t('End “{0}”', name),
      scopesLabel(scopes.map(({ scope }) => scope)),
      [
        { label: t('Restore Earlier Settings'), description: t('what was set before “{0}”', name), value: 'now' },
        { label: t('Keep Current Settings'), description: t('nothing is restored later'), value: 'keep' },
      ],
    );
    if (action === 'now') {
      await this.#timed.end((held) => held.profile === name && held.until === first?.until);
    } else if (action === 'keep') {
      await this.#timed.forget(scopes);
    }
  }

  async #askUntil(name: string, start: Date): Promise<number | undefined> {
    const { clock } = this.#app;
    const prompt = t('Until when? For example 2026-12-24 18:00, or 18:00 for today');
    const problemOfText = (text: string): string | undefined => {
      const time = parseMoment(text, start);
      if (time === undefined) {
        return prompt;
      }
      return time > clock.date().getTime() ? undefined : t('This time has passed. Enter a later one.');
    };
    const value = writeMoment(start.getTime() + 3_600_000);
    const typed = await this.#changes.dialogs.ask(t('Apply “{0}”', name), prompt, value, problemOfText);
    return typed === undefined ? undefined : parseMoment(typed, start);
  }

  async #askName(title: string, name: string): Promise<string | undefined> {
    const { dialogs } = this.#changes;
    const prompt = t('The name of the profile, such as “Focus” or “On call”');
    const typed = await dialogs.ask(title, prompt, name, (text) =>
      text.trim() === '' || text.length > 60 ? t('Enter a name of 1 to 60 characters.') : undefined,
    );
    if (typed === undefined || typed === name) {
      return undefined;
    }
    const other = this.#all.find((profile) => isSameName(profile.name, typed));
    if (!other || isSameName(other.name, name)) {
      return typed;
    }
    const question = t('Replace the notification profile “{0}”?', other.name);
    const detail = t('The settings that it contains are lost.');
    return (await dialogs.confirm({ question, detail, verb: t('Replace') })) ? typed : undefined;
  }

  /** In alphabetical order. */
  get #all(): readonly Profile[] {
    const kept = this.#app.globalState.get<unknown>(key);
    const { data } = z.object({ version: z.literal(version), profiles: z.array(profileSchema) }).safeParse(kept);
    if (!data && kept !== undefined) {
      this.#app.log.warn('Notification profiles of another form are left out.');
    }
    return (data?.profiles ?? []).toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /** Keeps a profile in the place of those with its name or another one. */
  async #keep(profile: Profile | undefined, replaced: string): Promise<void> {
    const others = this.#all.filter(
      ({ name }) => !isSameName(name, replaced) && !isSameName(name, profile?.name ?? replaced),
    );
    const profiles = profile ? [...others, profile] : others;
    await this.#app.globalState.update(key, { version, profiles });
  }

  /** First whose scopes they are, where that has to be said: a narrow list cuts the end. */
  #described(fact: string, accountIds: readonly string[]): string {
    const { accounts, accountInUse } = this.#app;
    const isElsewhere = accountIds.some((id) => id !== accountInUse.account?.id);
    const names = isElsewhere || accounts.all.length > 1 ? accountIds.map(accountLabel) : [];
    return [...names, fact].join(' · ');
  }

  /** Says each reason once, with the button that helps. */
  #notifyUnread(all: readonly (Reading | { readonly path: string; readonly error: unknown })[]): void {
    const problems = all.flatMap((one) => {
      if (!('error' in one)) {
        return [];
      }
      return 'scope' in one
        ? { name: scopeLabel(one.scope), ...accountProblem(one.scope.accountId, one.error) }
        : { name: one.path, ...problemOf(one.error) };
    });
    if (problems.length > 0) {
      const reasons = [...new Set(problems.map(({ sentence }) => sentence))].map((reason) => {
        const names = problems.flatMap(({ name, sentence }) => (sentence === reason ? name : []));
        return t('{0}: {1}', names.length > 3 ? t('{0} scopes', countLabel(names.length)) : names.join(', '), reason);
      });
      const sentence = [t('Some settings could not be read.'), ...reasons].join(' ');
      notifyProblem(this.#changes.dialogs, { ...problems.find(({ remedy }) => remedy), sentence });
    }
  }

  /** Shows what became of a profile that has ended, in one message with what can be done about it. */
  showEnd(results: readonly EndResult[]): void {
    for (const profile of new Set(results.map(({ held }) => held.profile))) {
      this.#showEndOf(
        profile,
        results.filter(({ held }) => held.profile === profile),
      );
    }
  }

  #showEndOf(profile: string, results: readonly EndResult[]): void {
    const heldWith = (kind: EndResult['outcome']['kind']): readonly Held[] =>
      results.flatMap(({ held, outcome }) => (outcome.kind === kind ? held : []));
    const restored = results.flatMap(({ outcome }) => (outcome.kind === 'restored' ? [outcome.sent] : []));
    const changed = heldWith('changedElsewhere');
    // What fails more than once is said once.
    const failed = heldWith('failed').filter(({ scope }) => !this.#failed.has(scopeKey(scope)));
    results.forEach(({ held }) => this.#failed.delete(scopeKey(held.scope)));
    heldWith('failed').forEach(({ scope }) => this.#failed.add(scopeKey(scope)));
    const error = results.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.error] : []))[0];
    const names = (all: readonly { readonly scope: NotificationScope }[]): string =>
      scopesLabel(all.map(({ scope }) => scope));
    const hidesEvents = restored.some(({ plan }) => plan.expected.level === 'custom' && plan.change['level']);
    const sentences = [
      ...(restored.length > 0
        ? [t('The earlier settings of {0} are restored.', names(restored.map(({ plan }) => plan)))]
        : []),
      ...(hidesEvents ? [t('Single events stay as they are: they count only with the level Custom.')] : []),
      ...restored.flatMap((sent) => failureLabel(sent) ?? []),
      ...(changed.length > 0
        ? [t('{0}: changed elsewhere in the meantime, so nothing was overwritten.', names(changed))]
        : []),
      ...(failed.length > 0
        ? [t('{0}: could not be restored; Beacon tries again. {1}', names(failed), problemOf(error).sentence)]
        : []),
    ];
    if (sentences.length === 0) {
      return;
    }
    const review = { title: t('Review Differences…'), run: () => this.#reviewEnd(profile, changed) };
    const keys = failed.map(({ scope }) => scopeKey(scope));
    const tryAgain = {
      title: t('Try Again'),
      run: async (): Promise<void> => {
        keys.forEach((one) => this.#failed.delete(one));
        await this.#timed.end(({ scope }) => keys.includes(scopeKey(scope)));
      },
    };
    const accountIds = accountsOf(results.map(({ held }) => held));
    this.#changes.dialogs.notify(
      changed.length + failed.length > 0 ? 'warning' : 'info',
      this.#described([t('“{0}” has ended.', profile), ...sentences].join(' '), accountIds),
      ...(failed.length > 0 ? [tryAgain] : []),
      ...(changed.length > 0 ? [review] : []),
    );
  }

  /** Shows what would be put back where something else was set since. */
  async #reviewEnd(profile: string, changed: readonly Held[]): Promise<void> {
    const readings = await this.#changes.read(changed.map(({ scope }) => scope));
    this.#notifyUnread(readings ?? []);
    const plans = (readings ?? []).flatMap((reading, index) => {
      const held = changed[index];
      return held && 'settings' in reading ? [planOf(held.scope, reading.settings, restoredBy(held))] : [];
    });
    if (plans.length > 0) {
      await this.#changes.reviewAndSend(t('Restore Settings from Before “{0}”', profile), plans);
    }
  }
}

function accountsOf(scopes: readonly { readonly scope: NotificationScope }[]): readonly string[] {
  return [...new Set(scopes.map(({ scope }) => scope.accountId))];
}

function profileAccounts({ sets }: Profile): readonly string[] {
  return Array.isArray(sets) ? accountsOf(sets) : [sets.accountId];
}

function summaryOf({ sets }: Profile): string {
  return Array.isArray(sets)
    ? scopesLabel(sets.map(({ scope }) => scope))
    : t('{0} everywhere that has a level of its own', levelLabel(sets.level).name);
}

/** What a profile cannot bring back, said when it is saved. */
function limitsOf({ sets }: Profile): readonly string[] {
  const all = Array.isArray(sets) ? sets.map(({ settings }) => settings) : [];
  return [
    ...(all.some(({ defaults }) => defaults?.length)
      ? [t('Events at their default are not saved, because the API cannot restore the default.')]
      : []),
    ...(all.some(({ level, events }) => level === 'custom' && !events)
      ? [t('Events that the API does not show, such as global ones, are not saved.')]
      : []),
  ];
}

/** The moments that suggest themselves, in the user's time zone, the soonest first. */
export function untilChoices(now: Date): readonly { readonly label: string; readonly time: number }[] {
  const at = (days: number, hours: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours).getTime();
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const choices = [
    { label: t('For One Hour'), time: now.getTime() + 3_600_000 },
    { label: t('Until This Evening'), time: at(0, 18) },
    { label: t('Until Tomorrow Morning'), time: at(1, 9) },
    ...(untilMonday === 1 ? [] : [{ label: t('Until Monday Morning'), time: at(untilMonday, 9) }]),
  ];
  return choices.filter(({ time }) => time > now.getTime()).toSorted((one, other) => one.time - other.time);
}

/**
 * Reads a moment such as `2026-12-24 18:00` or `18:00` in the user's time zone.
 *
 * @returns milliseconds since 1970; undefined if it is not written like that or does not exist, as 31 April.
 */
export function parseMoment(text: string, now: Date): number | undefined {
  const typed = text.trim().replace(/^(?=\d:)/, '0');
  const written = typed.includes('-') ? typed : `${writeMoment(now.getTime()).slice(0, 10)} ${typed}`;
  const time = new Date(written.replace(' ', 'T')).getTime();
  return writeMoment(time) === written ? time : undefined;
}

/** How a moment is typed that `parseMoment` reads. */
function writeMoment(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
