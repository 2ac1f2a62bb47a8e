import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import type { Client } from '../../api/client.ts';
import { isApiError } from '../../api/errors.ts';
import type { NotificationSettingsChange, NotificationSettingsRecord } from '../../api/notificationSettings.ts';
import type { Clock } from '../../common/clock.ts';
import { changeSchema, draftSchema, type NumberedEdit, scopeSchema, settingsSchema } from '../form/messages.ts';
import {
  apiScope,
  applyEdit,
  type Change,
  changeOf,
  conflicts,
  draftAfter,
  draftWithout,
  emptyDraft,
  isEmptyChange,
  type NotificationScope,
  type Settings,
  settingsOf,
  includesEpics,
  undoOf,
  verify,
} from './settings.ts';

/** The outcome of the last action. Fields have their names in the API. */
export type SaveOutcome =
  | { readonly kind: 'loadFailed'; readonly error: unknown }
  /** Another value has been found than the one that was read; nothing was sent. */
  | { readonly kind: 'changedElsewhere' }
  | {
      readonly kind: 'saved';
      readonly undone: boolean;
      /** Whether this is known not from an answer, but from the settings that were read afterwards. */
      readonly foundOut: boolean;
      /** Fields that the platform did not take, although it accepted the request. */
      readonly missing: readonly string[];
      /** Fields that the platform does not show. */
      readonly unseen: readonly string[];
    }
  | { readonly kind: 'notSaved'; readonly error?: unknown }
  | {
      readonly kind: 'partlySaved';
      readonly error?: unknown;
      readonly holding: readonly string[];
      readonly missing: readonly string[];
      readonly unseen: readonly string[];
    }
  /** It was sent; whether it took effect is not known. */
  | { readonly kind: 'unknown'; readonly error?: unknown };

/** Whether an error means that a request had no effect, rather than that its answer is not known. */
export function isRefusal(error: unknown): boolean {
  return !(isApiError(error) && ['unavailable', 'notAnInstance', 'aborted'].includes(error.reason));
}

/**
 * The outcome of a change that was sent and not confirmed, by the settings that were read afterwards.
 *
 * @param error why it was not confirmed; undefined if the editor ended before.
 */
function outcomeOf(
  change: Change,
  now: Settings,
  { undone, error }: { readonly undone: boolean; readonly error?: unknown },
): SaveOutcome {
  const { holding, missing, unseen } = verify(change, now);
  if (missing.length > 0) {
    return holding.length > 0 ? { kind: 'partlySaved', error, holding, missing, unseen } : { kind: 'notSaved', error };
  }
  if (holding.length > 0) {
    return { kind: 'saved', undone, foundOut: true, missing, unseen };
  }
  return error !== undefined && isRefusal(error) ? { kind: 'notSaved', error } : { kind: 'unknown', error };
}

const epicsKey = 'notificationSettingsEpics';

/** Remembers for which accounts the instance's tier has epics, as records have shown. */
export class EpicsMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(accountId: string): boolean | undefined {
    return this.#all()[accountId];
  }

  async set(accountId: string, offered: boolean): Promise<void> {
    if (this.get(accountId) !== offered) {
      await this.#memento.update(epicsKey, { ...this.#all(), [accountId]: offered });
    }
  }

  #all(): Readonly<Record<string, boolean>> {
    return this.#memento.get<Record<string, boolean>>(epicsKey) ?? {};
  }
}

/** The settings of a scope on its instance. */
export class InstanceGateway implements Gateway {
  readonly #scope: NotificationScope;
  readonly #connections: Pick<Connections, 'of'>;
  readonly #epics: EpicsMemory;

  constructor(scope: NotificationScope, connections: Pick<Connections, 'of'>, epics: EpicsMemory) {
    this.#scope = scope;
    this.#connections = connections;
    this.#epics = epics;
  }

  /**
   * Reads the settings.
   *
   * @throws SignedOutError if the account is gone, or any error of the API client.
   */
  async read(signal: AbortSignal): Promise<Settings> {
    const { client } = await this.#connections.of(this.#scope.accountId);
    const record = await client.notificationSettings.get(apiScope(this.#scope), { signal });
    return await this.#settingsOf(client, record, signal);
  }

  /**
   * Changes what is in the change and nothing else, in one request.
   *
   * @throws SignedOutError if the account is gone, or any error of the API client.
   */
  async write(change: Change, signal: AbortSignal): Promise<Settings> {
    const { client } = await this.#connections.of(this.#scope.accountId);
    const body = change as NotificationSettingsChange;
    const record = await client.notificationSettings.update(apiScope(this.#scope), body, { signal });
    return await this.#settingsOf(client, record, signal);
  }

  async #settingsOf(client: Client, record: NotificationSettingsRecord, signal: AbortSignal): Promise<Settings> {
    const { kind, accountId } = this.#scope;
    const included = includesEpics(kind, record);
    if (included !== undefined) {
      await this.#epics.set(accountId, included);
    }
    return settingsOf(kind, record, this.#epics.get(accountId) ?? (await mayOfferEpics(client, signal)));
  }
}

/** The community edition has no epics; for the enterprise edition, only its records show it. */
async function mayOfferEpics(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    const { version } = await client.directory.version({ signal });
    return version.endsWith('-ee');
  } catch {
    return false;
  }
}

const prefix = 'notificationSettings/';

const saveSchema = z.object({
  /** The settings just before. */
  before: settingsSchema,
  change: changeSchema,
  /** Milliseconds since 1970. */
  at: z.number(),
});

const memorySchema = z.object({
  /** Whose settings they are, to find drafts again; undefined where nothing was kept by this version. */
  scope: z.optional(scopeSchema),
  draft: draftSchema,
  /** The settings that the draft was made on. */
  base: z.optional(settingsSchema),
  /** The number of the last edit in the draft. */
  confirmed: z.number(),
  /** The last save that is known to have worked, to undo. */
  lastSave: z.optional(saveSchema),
  /** A save that was sent and whose outcome is not known. */
  unfinished: z.optional(saveSchema),
  /** Events that the platform does not show, as they were last set from here; the time is in milliseconds since 1970. */
  written: z.record(z.string(), z.object({ value: z.boolean(), at: z.number() })),
});

/** What is kept of a scope beyond the life of a form. */
export type ScopeMemory = z.infer<typeof memorySchema>;

/** A save: what was before and what was sent. */
export type Save = z.infer<typeof saveSchema>;

const emptyMemory: ScopeMemory = { draft: emptyDraft, confirmed: 0, written: {} };

/** Keeps drafts, the last save and one that did not end, by scope, in all windows and beyond the editor's life. */
export class ScopeStore {
  readonly #memento: vscode.Memento;

  /** @param memento shared by all windows. */
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** What is kept of a scope, by its key. */
  get(key: string): ScopeMemory {
    const stored = memorySchema.safeParse(this.#memento.get(prefix + key));
    return stored.success ? stored.data : emptyMemory;
  }

  /** What is kept of all scopes. */
  get all(): readonly ScopeMemory[] {
    const keys = this.#memento.keys().filter((key) => key.startsWith(prefix));
    return keys.map((key) => this.get(key.slice(prefix.length)));
  }

  async set(key: string, memory: ScopeMemory): Promise<void> {
    // A memento keeps JSON, which has no undefined.
    await this.#memento.update(prefix + key, JSON.parse(JSON.stringify(memory)));
  }
}

/** Reads and writes the settings of one scope. */
export interface Gateway {
  read(signal: AbortSignal): Promise<Settings>;
  /** @returns the settings that hold now. */
  write(change: Change, signal: AbortSignal): Promise<Settings>;
}

/** Keeps what is known of one scope. */
export interface Memory {
  get(): ScopeMemory;
  set(memory: ScopeMemory): Promise<void>;
}

/** What is known of the settings of one scope, and of what the user does with them. */
export interface SessionState {
  readonly phase: 'loading' | 'ready' | 'saving';
  /** The settings as they were read last, also before this session; undefined if they never were. */
  readonly settings: Settings | undefined;
  /** The settings as they are now, where they differ from those that the draft was made on. */
  readonly conflict: Settings | undefined;
  readonly outcome: SaveOutcome | undefined;
  readonly memory: ScopeMemory;
}

/**
 * The settings of one scope: reads them, keeps a draft, saves it and reconciles an unconfirmed save. Continues when the
 * form is closed. One action runs at a time; others are ignored meanwhile, except edits of the draft.
 */
export class SettingsSession {
  readonly #gateway: Gateway;
  readonly #store: Memory;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #onChange: () => void;
  #state: SessionState;
  #abort: AbortController | undefined;

  /**
   * @param now milliseconds since 1970.
   * @param onChange called after every change of the state.
   */
  constructor(gateway: Gateway, store: Memory, clock: Pick<Clock, 'date'>, onChange: () => void) {
    this.#gateway = gateway;
    this.#store = store;
    this.#clock = clock;
    this.#onChange = onChange;
    const memory = store.get();
    this.#state = { phase: 'ready', settings: memory.base, conflict: undefined, outcome: undefined, memory };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Reads the settings (again). What was chosen stays; a failure is in the state. */
  async load(): Promise<void> {
    await this.#runExclusive('loading', async (signal) => {
      try {
        const settings = await this.#gateway.read(signal);
        await this.#applyLoaded(settings);
      } catch (error) {
        this.#change({ outcome: { kind: 'loadFailed', error } });
      }
    });
  }

  /** Adds an edit to the draft, unless it is part of it already. */
  async edit({ number, edit }: NumberedEdit): Promise<void> {
    const { memory, settings } = this.#state;
    if (number > memory.confirmed) {
      const draft = applyEdit(memory.draft, edit);
      await this.#remember({ draft, confirmed: number, base: memory.base ?? settings });
    }
  }

  /** Forgets what was chosen and shows the settings as they are. */
  async discard(): Promise<void> {
    const { conflict, settings } = this.#state;
    if (this.#state.phase !== 'saving') {
      await this.#remember(
        { draft: emptyDraft, base: conflict ?? settings },
        { settings: conflict ?? settings, conflict: undefined, outcome: undefined },
      );
    }
  }

  /** Sends what was chosen in one request, if the settings are still those that were read. */
  async save(): Promise<void> {
    const { settings, memory, conflict } = this.#state;
    if (memory.unfinished) {
      // First reconcile the previous save.
      await this.load();
    } else if (settings && !conflict) {
      await this.#write(changeOf(settings, memory.draft), false);
    }
  }

  /** Undoes the last save, as far as the platform allows. */
  async undo(): Promise<void> {
    const { settings, memory, conflict } = this.#state;
    if (settings && !conflict && !memory.unfinished && memory.lastSave) {
      await this.#write(undoOf(memory.lastSave.before, memory.lastSave.change).change, true);
    }
  }

  /** Goes on with the settings as they are now, without the choices for some fields. Nothing is sent. */
  async resolve(discardedFields: readonly string[]): Promise<void> {
    const { conflict, memory } = this.#state;
    if (conflict) {
      await this.#remember(
        { draft: draftWithout(memory.draft, discardedFields), base: conflict },
        { settings: conflict, conflict: undefined, outcome: undefined },
      );
    }
  }

  /** Aborts the action under way. The outcome of a save is then found out by reading. */
  cancel(): void {
    this.#abort?.abort();
  }

  async #write(change: Change, undone: boolean): Promise<void> {
    const read = this.#state.settings;
    if (isEmptyChange(change) || !read) {
      return;
    }
    await this.#runExclusive('saving', async (signal) => {
      const before = await this.#readBefore(read, change, signal);
      if (!before) {
        return;
      }
      const save: Save = { before, change, at: this.#clock.date().getTime() };
      await this.#remember({ unfinished: save });
      try {
        const after = await this.#gateway.write(change, signal);
        const { missing, unseen } = verify(change, after);
        await this.#saved(save, after, { kind: 'saved', undone, foundOut: false, missing, unseen });
      } catch (error) {
        await this.#reconcile(save, undone, error);
      }
    });
  }

  /** The settings just before a save; undefined if it must not be sent. */
  async #readBefore(read: Settings, change: Change, signal: AbortSignal): Promise<Settings | undefined> {
    try {
      const now = await this.#gateway.read(signal);
      if (conflicts(read, now, change).length > 0) {
        this.#change({ conflict: now, outcome: { kind: 'changedElsewhere' } });
        return undefined;
      }
      return now;
    } catch (error) {
      this.#change({ outcome: { kind: 'notSaved', error } });
      return undefined;
    }
  }

  /** Reads the settings after a save that was not confirmed. */
  async #reconcile(save: Save, undone: boolean, error: unknown): Promise<void> {
    // The signal may be what ended the save: the reading has one of its own.
    this.#abort = new AbortController();
    let now: Settings;
    try {
      now = await this.#gateway.read(this.#abort.signal);
    } catch {
      const refused = isRefusal(error);
      this.#change({ outcome: { kind: refused ? 'notSaved' : 'unknown', error } });
      if (refused) {
        await this.#remember({ unfinished: undefined });
      }
      return;
    }
    await this.#settle(save, now, outcomeOf(save.change, now, { undone, error }));
  }

  /** Applies settings that were read, and derives from them the outcome of an unfinished save. */
  async #applyLoaded(now: Settings): Promise<void> {
    const { memory } = this.#state;
    if (memory.unfinished) {
      await this.#settle(memory.unfinished, now, outcomeOf(memory.unfinished.change, now, { undone: false }));
      return;
    }
    const base = this.#state.settings;
    const change = base ? changeOf(base, memory.draft) : {};
    const inConflict = base !== undefined && !isEmptyChange(change) && conflicts(base, now, change).length > 0;
    await this.#remember(
      { base: inConflict ? base : now },
      inConflict
        ? { settings: base, conflict: now, outcome: { kind: 'changedElsewhere' } }
        : { settings: now, conflict: undefined, outcome: undefined },
    );
  }

  async #settle(save: Save, now: Settings, outcome: SaveOutcome): Promise<void> {
    if (outcome.kind === 'saved' || outcome.kind === 'partlySaved') {
      await this.#saved(save, now, outcome);
      return;
    }
    // If it cannot be known, reading again does not help.
    await this.#remember({ base: now, unfinished: undefined }, { settings: now, conflict: undefined, outcome });
  }

  async #saved(
    save: Save,
    after: Settings,
    outcome: Extract<SaveOutcome, { readonly kind: 'saved' | 'partlySaved' }>,
  ): Promise<void> {
    const { memory } = this.#state;
    const taken = Object.fromEntries(Object.entries(save.change).filter(([field]) => !outcome.missing.includes(field)));
    const unseen = outcome.unseen.map((event) => [event, { value: taken[event] === true, at: save.at }] as const);
    const undone = outcome.kind === 'saved' && outcome.undone;
    await this.#remember(
      {
        draft: undone ? memory.draft : draftAfter(memory.draft, taken, after),
        base: after,
        lastSave: undone || isEmptyChange(taken) ? undefined : { ...save, change: taken },
        unfinished: undefined,
        written: { ...memory.written, ...Object.fromEntries(unseen) },
      },
      { settings: after, conflict: undefined, outcome },
    );
  }

  async #runExclusive(phase: 'loading' | 'saving', run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#state.phase !== 'ready') {
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#change({ phase });
    try {
      await run(abort.signal);
    } finally {
      this.#abort = undefined;
      this.#change({ phase: 'ready' });
    }
  }

  /** Stores the memory of the scope and changes the state at once, so that no listener sees half of it. */
  async #remember(part: Partial<ScopeMemory>, state: Partial<SessionState> = {}): Promise<void> {
    const memory = { ...this.#state.memory, ...part };
    this.#change({ ...state, memory });
    await this.#store.set(memory);
  }

  #change(part: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...part };
    this.#onChange();
  }
}
