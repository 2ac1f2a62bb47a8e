import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { requireScope } from '../accounts/problem.ts';
import { notificationLevels } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { calendarDate } from '../common/dates.ts';
import { chooseSeveral, separator, showInputBox } from '../common/inertWindow.ts';
import { MementoList } from '../common/stored.ts';
import type { Changes } from './changes.ts';
import { dateLabel, levelLabel, scopeLabel, scopesLabel } from './labels.ts';
import { type Plan, planOf, settingsSchema } from './settings.ts';
import type { Ended, Held, Named, TimedProfiles } from './timedProfiles.ts';
import { scopeSchema } from './scope.ts';

const { t } = vscode.l10n;

const profileSchema = () =>
  z.object({
    name: z.string().check(z.minLength(1)),
    sets: z.union([
      /** One level, in all scopes of an account that have a level of their own when it is applied. */
      z.object({ accountId: z.string(), level: z.string() }),
      /** What some scopes were set to when it was saved. */
      z.array(z.object({ scope: scopeSchema(), settings: settingsSchema() })),
    ]),
  });

type Profile = z.infer<ReturnType<typeof profileSchema>>;

/** The levels that one profile can set in scopes of any kind: Custom is more than a level, and Global one of groups and projects alone. */
const profileLevels = notificationLevels.filter((level) => level !== 'custom' && level !== 'global');

/** The name of a profile that is applied for a while, and when it ends. */
export function profileLabel({ profile, until }: Named): string {
  return t('“{0}” until {1}', profile, dateLabel(until));
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

export class Profiles {
  readonly #app: App;
  readonly #changes: Changes;
  readonly #timed: TimedProfiles;
  readonly #kept: MementoList<Profile>;

  constructor(app: App, changes: Changes, timed: TimedProfiles) {
    this.#app = app;
    this.#kept = new MementoList(
      app.globalState,
      'notificationProfiles',
      (value) => profileSchema().safeParse(value).data,
    );
    this.#changes = changes;
    this.#timed = timed;
  }

  /** Lists the profiles, those that hold for a while first, with all that can be done with them. */
  async manage(): Promise<void> {
    const { account } = await this.#app.connections.current();
    requireScope(account, 'GET');
    const held = Map.groupBy(await this.#timed.read(), profileLabel);
    const run = await this.#changes.dialogs.choose<() => Promise<void>>(
      t('Notification Profiles'),
      t('Choose a profile to apply, end or delete it'),
      [
        ...[...held].map(([label, scopes]) => ({
          label,
          iconPath: new vscode.ThemeIcon('clockface'),
          description: this.#described(scopes[0]?.scope.accountId ?? '', scopesLabel(scopes.map(({ scope }) => scope))),
          value: () => this.#endOrKeep(scopes),
        })),
        ...this.#all.map((profile) => ({
          label: profile.name,
          description: this.#described(accountOf(profile), summaryOf(profile)),
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
      t('For how long? At the end, the earlier settings are restored'),
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
          label: t('Delete…'),
          value: async () => {
            const question = t('Delete the notification profile “{0}”?', name);
            const detail = t('The settings on the instance stay as they are.');
            if (await dialogs.confirm({ question, detail, verb: t('Delete') })) {
              await this.#kept.update((all) => all.filter((other) => other.name !== name));
            }
          },
        },
      ],
    );
    await run?.();
  }

  async #apply(profile: Profile, until?: number): Promise<void> {
    const plans = await this.#plans(profile);
    const { name } = profile;
    if (!plans?.length) {
      return;
    }
    if (until === undefined) {
      await this.#changes.reviewAndSend(t('Apply “{0}”', name), plans, { note: t('Applied “{0}”', name) });
    } else {
      const named = { profile: name, until };
      const title = t('Apply “{0}” until {1}', name, dateLabel(until));
      await this.#changes.reviewAndSend(title, plans, { note: profileLabel(named), ...this.#timed.around(named) });
    }
  }

  /** What a profile would change now. @returns undefined if the user cancelled. */
  async #plans({ sets }: Profile): Promise<readonly Plan[] | undefined> {
    if (Array.isArray(sets)) {
      return await this.#changes.planAll(sets);
    }
    const read = await this.#changes.read({ accountId: sets.accountId });
    return read
      ?.filter(({ settings }) => settings.level !== 'global')
      .map(({ scope, settings }) => planOf(scope, settings, { level: sets.level }));
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
    const sets = level === 'present' ? await this.#chooseScopes(accountId) : level && { accountId, level };
    const name = sets && (await this.#askName(title));
    if (!sets || name === undefined) {
      return;
    }
    const profile: Profile = { name, sets };
    await this.#kept.update((all) => [...all.filter((other) => !isSameName(other.name, name)), profile]);
    dialogs.notify('info', t('Saved “{0}”: {1}.', name, summaryOf(profile)), {
      title: t('Apply…'),
      run: () => this.#use(profile),
    });
  }

  /** What scopes that the user chooses are set to now; undefined if there are none. Those with a level of their own suggest themselves. */
  async #chooseScopes(accountId: string): Promise<Extract<Profile['sets'], readonly unknown[]> | undefined> {
    const read = await this.#changes.read({ accountId });
    const chosen =
      read &&
      (await chooseSeveral(
        read.map(({ scope, settings }) => ({
          ...{ label: scopeLabel(scope), description: levelLabel(settings.level).name, scope, settings },
          picked: settings.level !== 'global',
        })),
        {
          title: t('Save Notification Profile'),
          placeHolder: t('Select the scopes whose settings are saved'),
        },
      ));
    return chosen?.length ? chosen.map(({ scope, settings }) => ({ scope, settings })) : undefined;
  }

  async #endOrKeep(scopes: readonly Held[]): Promise<void> {
    const [first] = scopes;
    const name = first?.profile ?? '';
    const run = await this.#changes.dialogs.choose<() => Promise<void>>(
      t('End “{0}”', name),
      scopesLabel(scopes.map(({ scope }) => scope)),
      [
        {
          label: t('Restore Earlier Settings'),
          description: t('what was set before “{0}”', name),
          value: () => this.#timed.end((held) => held.profile === name && held.until === first?.until),
        },
        {
          label: t('Keep Current Settings'),
          description: t('nothing is restored later'),
          value: () => this.#timed.forget(scopes),
        },
      ],
    );
    await run?.();
  }

  async #askUntil(name: string, start: Date): Promise<number | undefined> {
    const { clock } = this.#app;
    const prompt = t('Until when? For example 2026-12-24 18:00, or 18:00 for today');
    const validateInput = (text: string): string | undefined => {
      const time = parseMoment(text, start);
      if (time === undefined) {
        return prompt;
      }
      return time > clock.date().getTime() ? undefined : t('This time has passed. Enter a later one.');
    };
    const value = writeMoment(start.getTime() + 3_600_000);
    const typed = await showInputBox({
      title: t('Apply “{0}”', name),
      prompt,
      value,
      validateInput,
      ignoreFocusOut: true,
    });
    return typed === undefined ? undefined : parseMoment(typed, start);
  }

  async #askName(title: string): Promise<string | undefined> {
    const { dialogs } = this.#changes;
    const prompt = t('The name of the profile, such as “Focus” or “On call”');
    const validateInput = (text: string): string | undefined =>
      text.trim() === '' || text.length > 60 ? t('Enter a name of 1 to 60 characters.') : undefined;
    const name = (await showInputBox({ title, prompt, validateInput, ignoreFocusOut: true }))?.trim();
    const other = this.#all.find((profile) => name !== undefined && isSameName(profile.name, name));
    if (!other) {
      return name;
    }
    const question = t('Replace the notification profile “{0}”?', other.name);
    const detail = t('The settings that it contains are lost.');
    return (await dialogs.confirm({ question, detail, verb: t('Replace') })) ? name : undefined;
  }

  get #all(): readonly Profile[] {
    return this.#kept.all.toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /** First whose scopes they are: a narrow list cuts the end. */
  #described(accountId: string, fact: string): string {
    return [this.#app.accountInUse.labelOf(accountId), fact].filter(Boolean).join(' · ');
  }

  /** Says what became of profiles that have ended. What was changed elsewhere stays, and what has failed is tried again. */
  showEnd(all: readonly Ended[]): void {
    const ofProfile = Map.groupBy(all, ({ held }) => `${held.scope.accountId} ${held.profile}`);
    for (const ended of ofProfile.values()) {
      const note = t('“{0}” has ended', ended[0]?.held.profile ?? '');
      const { severity, sentence, actions } = this.#changes.messageOf(ended, note, true);
      const isTriedAgain = ended.some(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'unknown');
      const again = isTriedAgain ? [t('Beacon tries again.')] : [];
      this.#changes.dialogs.notify(severity, [sentence, ...again].join(' · '), ...actions);
    }
  }
}

function accountOf({ sets }: Profile): string {
  return Array.isArray(sets) ? (sets[0]?.scope.accountId ?? '') : sets.accountId;
}

function summaryOf({ sets }: Profile): string {
  return Array.isArray(sets)
    ? scopesLabel(sets.map(({ scope }) => scope))
    : t('{0} everywhere that has a level of its own', levelLabel(sets.level).name);
}

/** The moments that suggest themselves, in the user's time zone, the soonest first. */
function untilChoices(now: Date): readonly { readonly label: string; readonly time: number }[] {
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

/** Reads a moment such as `2026-12-24 18:00` or `18:00` in the user's time zone; undefined if there is none such, as on 31 April. */
function parseMoment(text: string, now: Date): number | undefined {
  const typed = text.trim().replace(/^(?=\d:)/, '0');
  const written = typed.includes('-') ? typed : `${calendarDate(now)} ${typed}`;
  const time = new Date(written.replace(' ', 'T')).getTime();
  return writeMoment(time) === written ? time : undefined;
}

function writeMoment(time: number): string {
  const date = new Date(time);
  const [hours, minutes] = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0'));
  return `${calendarDate(date)} ${hours}:${minutes}`;
}
