import assert from 'node:assert/strict';
import type { App } from '../../../src/app.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { planDocument, type SendOptions } from '../../../src/notifications/changes.ts';
import { type Draft, draftSchema } from '../../../src/notifications/drafts.ts';
import { mailsOf, mailsOfEvent, mailsOfLevel } from '../../../src/notifications/mails.ts';
import { type NotificationScope, type ScopeFiles, scopeFiles } from '../../../src/notifications/scope.ts';
import { effectOf } from '../../../src/notifications/scopes.ts';
import {
  applyEdit,
  type Change,
  conflicts,
  draftAfter,
  type Edit,
  eventsOf,
  heldBack,
  isEmptyChange,
  type Plan,
  planFor,
  planOf,
  type Settings,
  settingsOf,
  type SettingsRecord,
  undoOf,
  verify,
  withChange,
} from '../../../src/notifications/settings.ts';
import { type Sent, SettingsService } from '../../../src/notifications/settingsService.ts';
import { type Ended, type Held, heldSchema, TimedProfiles } from '../../../src/notifications/timedProfiles.ts';
import { readSettingsFile, writeSettingsFile } from '../../../src/notifications/transfer.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import type { MemoryInstance } from './memoryInstance.ts';

export type { NotificationScope, Settings };

function scopeOf(kind: NotificationScope['kind']): NotificationScope {
  return kind === 'global' ? { kind, accountId: 'ada' } : { kind, accountId: 'ada', id: 1, path: 'a/b/c' };
}

/** What is chosen in the form of a scope, what is shown of it, sent, and taken back, by settings as an instance sends them. */
export class Form {
  readonly kind: NotificationScope['kind'];
  readonly settings: Settings;
  readonly draft: Change;

  constructor(kind: NotificationScope['kind'], record: SettingsRecord, draft: Change = {}) {
    this.kind = kind;
    this.settings = settingsOf(kind, record);
    this.draft = draft;
  }

  /** The form after choices, one after the other. */
  choose(...edits: readonly Edit[]): Form {
    return this.#with(this.settings, edits.reduce(applyEdit, this.draft));
  }

  /** The form of these settings, when a change was saved and what was chosen here is still there. */
  after(saved: Change, record: SettingsRecord): Form {
    const settings = settingsOf(this.kind, record);
    return this.#with(settings, draftAfter(this.draft, saved, settings));
  }

  get shown(): Settings {
    return withChange(this.settings, this.draft);
  }

  get events(): readonly string[] {
    return eventsOf(this.settings);
  }

  /** What a save sends, and what is said of it. */
  get plan(): Pick<Plan, 'change' | 'notes'> {
    const { change, notes } = planOf(scopeOf(this.kind), this.settings, this.draft);
    return { change, notes };
  }

  get heldBack(): readonly string[] {
    return heldBack(this.settings, this.draft);
  }

  /** What leads to the settings of a profile. */
  planTo(wanted: Settings): Pick<Plan, 'change' | 'notes'> {
    const { change, notes } = planFor(scopeOf(this.kind), this.settings, wanted);
    return { change, notes };
  }

  /** The fields that are others by now than they were read. */
  conflictsWith(now: Readonly<Record<string, unknown>>, change: Change = {}): readonly string[] {
    return conflicts(this.settings, { ...this.settings, ...now } as Settings, change).map(({ field }) => field);
  }

  /** What became of a change by what an instance shows then, and what takes it back. */
  sent(change: Change, record: SettingsRecord) {
    const { change: back, notes } = undoOf(scopeOf(this.kind), this.settings, change, this.settings);
    return { ...verify(change, settingsOf(this.kind, record)), back, notes };
  }

  #with(settings: Settings, draft: Change): Form {
    return Object.assign(new Form(this.kind, { level: '' }, draft), { settings });
  }
}

/**
 * Whose settings count for a project at `a/b/c` with a level, such as `group a/b watch`; undefined where that is not known.
 *
 * @param groups the levels of the groups around it by their paths; `none` for the namespace of a user.
 */
export function sourceOf(level: string, groups: Readonly<Record<string, string>>): string | undefined {
  const parents = Object.keys(groups).map((path, id) => {
    const group = { kind: 'group', accountId: 'ada', id, path } as const;
    return [path, groups[path] === 'none' ? 'none' : group] as const;
  });
  const settings = (one: NotificationScope): Settings => ({
    level: one.kind === 'global' ? 'participating' : (groups[one.path] ?? ''),
  });
  const sources = { parents: new Map(parents), settingsOf: settings };
  const found = effectOf(scopeOf('project'), { level }, sources);
  return (
    found &&
    [found.source.kind, 'path' in found.source && found.source.path, found.settings.level].filter(Boolean).join(' ')
  );
}

/** The e-mails of the events of two weeks: the events that they are sent for, and how many a week. */
export function mailsFor(events: readonly EventRecord[], user: { readonly id: number; readonly username: string }) {
  const mails = mailsOf(events, user);
  return {
    names: mails.map(({ event }) => event),
    byLevel: (settings: Settings) => mailsOfLevel(settings, mails),
    byEvent: (event: string) => mailsOfEvent(event, mails),
  };
}

/** The document with what plans would change in projects at these paths, where all else in it is one text. */
export function reviewOf(text: string, paths: readonly string[]): string {
  const plans = paths.map((path, id): Plan => ({
    scope: { kind: 'project', accountId: text, id, path },
    expected: { level: 'watch' },
    change: { level: text },
    notes: [{ kind: 'leftOut', events: [text] }],
  }));
  return planDocument(text, plans, (accountId) => accountId);
}

/** The file that an export writes of settings, and what an import reads of a text: entries, or the first place that is wrong. */
export const settingsFile = {
  write: (instance: string, all: Parameters<typeof writeSettingsFile>[2]) =>
    writeSettingsFile(instance, new Date(0), all),
  read: readSettingsFile,
};

/** What is kept of drafts in a folder. @param warn takes what the log is told. */
export function keptDrafts(folder: string, warn: (sentence: string) => unknown): ScopeFiles<Draft> {
  return scopeFiles(folder, draftSchema, { warn });
}

/** What is kept of profiles that hold for a while. */
export function keptProfiles(folder: string, warn: (sentence: string) => unknown): ScopeFiles<Held> {
  return scopeFiles(folder, heldSchema, { warn });
}

/** What ends a window in the middle of something. */
export class Killed extends Error {}

/** A window in which profiles are applied and end. It can be killed at each change that it sends or keeps. */
export class ProfileWindow {
  readonly timed: TimedProfiles;
  /** What there was to say of profiles that have ended. */
  readonly results: Ended['outcome']['kind'][] = [];
  undo: (() => Promise<unknown>) | undefined;
  killAt = Infinity;
  lastHappens = true;
  readonly #service: SettingsService;
  readonly #clock: FakeClock;

  constructor(instance: MemoryInstance, folder: string, clock: FakeClock) {
    const connections = instance.connections((run) => this.#effect(run));
    const app = { connections, clock, log: { error: () => {} } } as unknown as App;
    this.#clock = clock;
    this.#service = new SettingsService(app);
    const files = keptProfiles(folder, (sentence) => assert.fail(sentence));
    const [write, remove] = [files.write.bind(files), files.remove.bind(files)];
    Object.assign(files, {
      write: (scope: NotificationScope, held: Held) => this.#effect(() => write(scope, held)),
      remove: (scope: NotificationScope) => this.#effect(() => remove(scope)),
    });
    this.timed = new TimedProfiles(app, this.#service, files, (ended) =>
      this.results.push(...ended.map(({ outcome }) => outcome.kind)),
    );
  }

  /** What is to be sent to bring scopes to the settings of a profile. */
  async plans(scopes: readonly NotificationScope[], wanted: Settings): Promise<readonly Plan[]> {
    const plans = await Promise.all(scopes.map(async (one) => planFor(one, await this.#service.read(one), wanted)));
    return plans.filter(({ change }) => !isEmptyChange(change));
  }

  async apply(plans: readonly Plan[], milliseconds: number): Promise<void> {
    const around = this.timed.around({ profile: 'Focus', until: this.#clock.date().getTime() + milliseconds });
    const all = await this.#send(plans, around, false);
    const undo = all.flatMap(({ plan, outcome }): readonly Plan[] =>
      outcome.kind === 'applied' ? [undoOf(plan.scope, outcome.before, outcome.taken, outcome.now)] : [],
    );
    this.undo = async () => await this.#send(undo, around, true);
  }

  async #send(plans: readonly Plan[], around: SendOptions, isUndo: boolean): Promise<readonly Sent[]> {
    await around.before?.(plans, isUndo);
    const all = await Promise.all(plans.map(async (plan) => ({ plan, outcome: await this.#service.apply(plan) })));
    await around.after?.(all, isUndo);
    return all;
  }

  async #effect<T>(run: () => Promise<T>): Promise<T> {
    this.killAt -= 1;
    if (this.killAt < 0 || (this.killAt === 0 && !this.lastHappens)) {
      throw new Killed();
    }
    const result = await run();
    if (this.killAt === 0) {
      throw new Killed();
    }
    return result;
  }
}
