import { applyEdit, type Change, changeOf, draftAfter, draftWithout, emptyDraft, isEmpty } from '../model/change.ts';
import { conflicts, undoOf, verify } from '../model/comparison.ts';
import type { Settings } from '../model/settings.ts';
import type { NumberedEdit } from '../protocol/messages.ts';
import { isRefusal, type Outcome, outcomeOf } from './outcome.ts';
import type { Save, ScopeMemory } from './scopeStore.ts';

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

/** What is known of the settings of one scope, and of what the person does with them. */
export interface SessionState {
  readonly phase: 'loading' | 'ready' | 'saving';
  /** The settings as they were read last, also before this session; undefined if they never were. */
  readonly settings: Settings | undefined;
  /** The settings as they are now, where they differ from those that the draft was made on. */
  readonly conflict: Settings | undefined;
  readonly outcome: Outcome | undefined;
  readonly memory: ScopeMemory;
}

/**
 * The settings of one scope: reads them, keeps a draft, saves it and finds out what became of it. Works on when the form
 * is closed. One thing happens at a time; what is asked for meanwhile is ignored, but for steps of the draft.
 */
export class SettingsSession {
  readonly #gateway: Gateway;
  readonly #store: Memory;
  readonly #now: () => number;
  readonly #onChange: () => void;
  #state: SessionState;
  #abort: AbortController | undefined;

  /**
   * @param now milliseconds since 1970.
   * @param onChange is told of every change of the state.
   */
  constructor(gateway: Gateway, store: Memory, now: () => number, onChange: () => void) {
    this.#gateway = gateway;
    this.#store = store;
    this.#now = now;
    this.#onChange = onChange;
    const memory = store.get();
    this.#state = { phase: 'ready', settings: memory.base, conflict: undefined, outcome: undefined, memory };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether there is something that a save would send. */
  get hasChanges(): boolean {
    const { settings, memory } = this.#state;
    return settings !== undefined && !isEmpty(changeOf(settings, memory.draft));
  }

  /** Reads the settings (again). What was chosen stays; a failure is in the state. */
  async load(): Promise<void> {
    await this.#alone('loading', async (signal) => {
      try {
        const settings = await this.#gateway.read(signal);
        await this.#found(settings);
      } catch (error) {
        this.#change({ outcome: { kind: 'loadFailed', error } });
      }
    });
  }

  /** Adds a step of the person to the draft, unless it is part of it already. */
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
      // First what became of the save before.
      await this.load();
    } else if (settings && !conflict) {
      await this.#write(changeOf(settings, memory.draft), false);
    }
  }

  /** Takes the last save back, as far as the platform lets. */
  async undo(): Promise<void> {
    const { settings, memory, conflict } = this.#state;
    if (settings && !conflict && !memory.unfinished && memory.lastSave) {
      await this.#write(undoOf(memory.lastSave.before, memory.lastSave.change).change, true);
    }
  }

  /** Goes on with the settings as they are now, without the choices for some fields. Nothing is sent. */
  async resolve(giveUp: readonly string[]): Promise<void> {
    const { conflict, memory } = this.#state;
    if (conflict) {
      await this.#remember(
        { draft: draftWithout(memory.draft, giveUp), base: conflict },
        { settings: conflict, conflict: undefined, outcome: undefined },
      );
    }
  }

  /** Ends what is under way. What that came to is found out where it was a save. */
  cancel(): void {
    this.#abort?.abort();
  }

  async #write(change: Change, undone: boolean): Promise<void> {
    const read = this.#state.settings;
    if (isEmpty(change) || !read) {
      return;
    }
    await this.#alone('saving', async (signal) => {
      const before = await this.#readBefore(read, change, signal);
      if (!before) {
        return;
      }
      const save: Save = { before, change, at: this.#now() };
      await this.#remember({ unfinished: save });
      try {
        const after = await this.#gateway.write(change, signal);
        const { missing, unseen } = verify(change, after);
        await this.#saved(save, after, { kind: 'saved', undone, foundOut: false, missing, unseen });
      } catch (error) {
        await this.#findOut(save, undone, error);
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
  async #findOut(save: Save, undone: boolean, error: unknown): Promise<void> {
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

  /** Takes in settings that were read, and with them what became of a save that did not end. */
  async #found(now: Settings): Promise<void> {
    const { memory } = this.#state;
    if (memory.unfinished) {
      await this.#settle(memory.unfinished, now, outcomeOf(memory.unfinished.change, now, { undone: false }));
      return;
    }
    const base = this.#state.settings;
    const change = base ? changeOf(base, memory.draft) : {};
    const inConflict = base !== undefined && !isEmpty(change) && conflicts(base, now, change).length > 0;
    await this.#remember(
      { base: inConflict ? base : now },
      inConflict
        ? { settings: base, conflict: now, outcome: { kind: 'changedElsewhere' } }
        : { settings: now, conflict: undefined, outcome: undefined },
    );
  }

  async #settle(save: Save, now: Settings, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'saved' || outcome.kind === 'partlySaved') {
      await this.#saved(save, now, outcome);
      return;
    }
    // Where nobody can tell, asking again does not help.
    await this.#remember({ base: now, unfinished: undefined }, { settings: now, conflict: undefined, outcome });
  }

  async #saved(
    save: Save,
    after: Settings,
    outcome: Extract<Outcome, { readonly kind: 'saved' | 'partlySaved' }>,
  ): Promise<void> {
    const { memory } = this.#state;
    const taken = Object.fromEntries(Object.entries(save.change).filter(([field]) => !outcome.missing.includes(field)));
    const unseen = outcome.unseen.map((event) => [event, { value: taken[event] === true, at: save.at }] as const);
    const undone = outcome.kind === 'saved' && outcome.undone;
    await this.#remember(
      {
        draft: undone ? memory.draft : draftAfter(memory.draft, taken, after),
        base: after,
        lastSave: undone || isEmpty(taken) ? undefined : { ...save, change: taken },
        unfinished: undefined,
        written: { ...memory.written, ...Object.fromEntries(unseen) },
      },
      { settings: after, conflict: undefined, outcome },
    );
  }

  async #alone(phase: 'loading' | 'saving', run: (signal: AbortSignal) => Promise<void>): Promise<void> {
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

  /** Keeps what belongs to the scope; changes the state in one step, so that nobody sees the half of it. */
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
