import { sha256 } from '#platform/bytes.ts';
import { withLock } from '#platform/locks.ts';
import { isDeepStrictEqual } from '#platform/runtime.ts';
import { join, readFile, writeFile } from '#platform/storage.ts';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Applied, ApplyOutcome, SettingsEngine } from '../settings/engine.ts';
import { changeSchema, scopeSchema, settingsSchema } from '../settings/schemas.ts';
import {
  applyEdit,
  type Change,
  changeOf,
  conflicts,
  draftAfter,
  isEmptyChange,
  type NotificationScope,
  type Settings,
  scopeKey,
  undoOf,
  verify,
  withoutFields,
} from '../settings/settings.ts';
import type { NumberedEdit } from './messages.ts';

/** The outcome of the last action. Fields have their names in the API. */
export type SaveOutcome =
  | { readonly kind: 'loadFailed'; readonly error: unknown }
  /** Another value has been found than the one that was read; nothing was sent. */
  | { readonly kind: 'changedElsewhere' }
  | {
      readonly kind: 'saved';
      /** The events that an undo has left as they were saved; undefined if it was no undo. */
      readonly undone: readonly string[] | undefined;
      /** Whether this is known not from an answer, but from the settings that were read afterwards. */
      readonly foundOut: boolean;
      /** Why there was no answer. */
      readonly error?: unknown;
      /** Fields that the platform did not take. */
      readonly missing: readonly string[];
      /** Fields that the platform does not show. */
      readonly unseen: readonly string[];
    }
  | {
      readonly kind: 'notSaved';
      readonly error?: unknown;
      /** Nothing was changed, or not so far although it was sent, or it is not known: there was no answer. */
      readonly effect: 'none' | 'notSoFar' | 'unknown';
    };

const prefix = 'notificationSettings/';

/** A draft as versions before 0.2 have stored it. */
const oldDraftSchema = z.object({
  level: z.optional(z.string()),
  email: z.optional(z.string()),
  flags: z.record(z.string(), z.boolean()),
});

const draftSchema = z.union([
  changeSchema,
  z.pipe(
    oldDraftSchema,
    z.transform(({ level, email, flags }: z.infer<typeof oldDraftSchema>): Change => ({
      ...flags,
      ...(level === undefined ? {} : { level }),
      ...(email === undefined ? {} : { notification_email: email }),
    })),
  ),
]);

const saveSchema = z.object({
  /** The settings just before. */
  before: settingsSchema,
  change: changeSchema,
});

const memorySchema = z.object({
  /** Whose settings they are, to find drafts again; undefined where nothing was kept by this version. */
  scope: z.optional(scopeSchema),
  draft: draftSchema,
  /** The settings that the draft was made on. */
  base: z.optional(settingsSchema),
  /** Another one each time that the draft changes, by which windows notice changes of one another. */
  revision: z.optional(z.string()),
  /** Drafts of windows that did not know `draft` when they made theirs. */
  others: z.optional(z.array(z.object({ draft: draftSchema, base: z.optional(settingsSchema), revision: z.string() }))),
  /** The number of the last edit in the draft. */
  confirmed: z.number(),
  /** The last save that is known to have worked, to undo. */
  lastSave: z.optional(saveSchema),
});

/** What is kept of a scope beyond the life of a form. */
export type ScopeMemory = z.infer<typeof memorySchema>;

const emptyMemory: ScopeMemory = { draft: {}, confirmed: 0 };

/** Another window may be at it for so long, in milliseconds. */
const longestUpdate = 10_000;

/**
 * Keeps drafts and the last save, by scope, in all windows and beyond the editor's life. A memento
 * reaches other windows late: what they share is read from a file before each change, under a lock.
 */
export class ScopeStore {
  readonly #memento: vscode.Memento;
  readonly #folder: string | undefined;
  /** What was read of files, or written to them. */
  readonly #latest = new Map<string, ScopeMemory>();
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param memento shared by all windows.
   * @param folder shared by all windows; without it they share the memento alone.
   */
  constructor(memento: vscode.Memento, folder?: string) {
    this.#memento = memento;
    this.#folder = folder === undefined ? undefined : join(folder, 'drafts');
  }

  /** What is kept of a scope, by its key, as far as this window knows. */
  get(key: string): ScopeMemory {
    return this.#latest.get(key) ?? this.#stored(key);
  }

  /** What is kept of all scopes. */
  get all(): readonly ScopeMemory[] {
    const keys = this.#memento.keys().filter((key) => key.startsWith(prefix));
    return keys.map((key) => this.#stored(key.slice(prefix.length)));
  }

  /** Finds out what other windows have made of a scope. */
  async refresh(key: string): Promise<void> {
    await this.#inOrder(() => this.#read(key));
  }

  /** Makes something else of what is kept of a scope, in whichever window it was changed last. */
  async update(key: string, change: (stored: ScopeMemory) => ScopeMemory): Promise<ScopeMemory> {
    return await this.#inOrder(async () => {
      const update = async (): Promise<ScopeMemory> => {
        const kept = change(await this.#read(key));
        // A memento keeps JSON, which has no undefined.
        const text = JSON.stringify(kept);
        if (this.#folder !== undefined) {
          this.#latest.set(key, kept);
          // Without the file the memento still has it.
          await writeFile(this.#fileOf(this.#folder, key), text).catch(() => undefined);
        }
        await this.#memento.update(prefix + key, JSON.parse(text));
        return kept;
      };
      return await (this.#folder === undefined
        ? update()
        : withLock(join(this.#folder, 'lease'), longestUpdate, update));
    });
  }

  async #read(key: string): Promise<ScopeMemory> {
    if (this.#folder !== undefined) {
      const text = await readFile(this.#fileOf(this.#folder, key), 'utf8').catch(() => 'null');
      const parsed = memorySchema.safeParse(parseJson(text));
      if (parsed.success) {
        this.#latest.set(key, parsed.data);
      }
    }
    return this.get(key);
  }

  #stored(key: string): ScopeMemory {
    const stored = memorySchema.safeParse(this.#memento.get(prefix + key));
    return stored.success ? stored.data : emptyMemory;
  }

  #fileOf(folder: string, key: string): string {
    return join(folder, `${sha256(key, 'hex').slice(0, 32)}.json`);
  }

  /** Changes of one window keep their order. */
  async #inOrder<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run, run);
    this.#last = done;
    return await done;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is known of the settings of one scope, and of what the user does with them. */
export interface SessionState {
  /** The scope, with its present path. */
  readonly scope: NotificationScope;
  readonly phase: 'loading' | 'ready' | 'saving';
  /** The settings as they were read last, also before this session; undefined if they never were. */
  readonly settings: Settings | undefined;
  /** The settings as they are now, where they differ from those that the draft was made on. */
  readonly conflict: Settings | undefined;
  /** What another window has chosen at the same time, where it differs from the draft. */
  readonly otherDraft: Change | undefined;
  readonly outcome: SaveOutcome | undefined;
  /** What is kept, with the draft of this session. */
  readonly memory: ScopeMemory;
}

/** What a session depends on. */
export interface SessionDeps {
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
  readonly store: ScopeStore;
  /** Finds the present path of a group or project. */
  readonly locate: (scope: NotificationScope) => Promise<NotificationScope>;
  /** Called after every change of the state. */
  readonly onChange: () => void;
}

/**
 * The settings of one scope: reads them, keeps a draft and saves it. Continues when the
 * form is closed. One action runs at a time; others are ignored meanwhile, except edits of the draft.
 *
 * Windows share the draft of a scope: a session that is opened goes on with it. Of two windows that change it without knowing
 * of one another, the later one keeps its draft beside that of the other, until the user chooses.
 */
export class SettingsSession {
  readonly #deps: SessionDeps;
  readonly #key: string;
  #state: SessionState;
  #abort: AbortController | undefined;
  /** The revision of the stored draft that this session shows. */
  #seen: string | undefined;
  /** Whether what is under way began with another token or account than there is now. */
  #isOutdated = false;

  constructor(scope: NotificationScope, deps: SessionDeps) {
    this.#deps = deps;
    this.#key = scopeKey(scope);
    const memory = deps.store.get(this.#key);
    this.#seen = memory.revision;
    this.#state = {
      scope,
      phase: 'ready',
      settings: memory.base,
      conflict: undefined,
      otherDraft: this.#otherDraft(memory, memory.draft),
      outcome: undefined,
      memory,
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Reads the settings (again), and where the scope is now. What was chosen stays; a failure is in the state. */
  async load(): Promise<void> {
    await this.#runExclusive('loading', async (signal) => {
      this.#isOutdated = false;
      await this.#deps.store.refresh(this.#key);
      this.#followDraft();
      try {
        const [settings] = await Promise.all([this.#deps.engine.read(this.#state.scope, signal), this.#locate()]);
        await this.#applyLoaded(settings);
      } catch (error) {
        if (!this.#isOutdated) {
          this.#change({ outcome: { kind: 'loadFailed', error } });
        }
      }
    });
  }

  /** Loads with another token or account than before, as soon as what is under way is over. */
  async reload(): Promise<void> {
    this.#isOutdated = this.#state.phase !== 'ready';
    await this.load();
  }

  /** Adds an edit to the draft, unless it is part of it already. */
  async edit({ number, edit }: NumberedEdit): Promise<void> {
    const { memory, settings, outcome } = this.#state;
    if (number > memory.confirmed) {
      const draft = applyEdit(memory.draft, edit);
      // That the last save worked is no news any more.
      const rest = outcome?.kind === 'saved' ? { outcome: undefined } : {};
      await this.#remember({ draft, confirmed: number, base: memory.base ?? settings }, rest);
    }
  }

  /** Forgets what was chosen and shows the settings as they are. */
  async discard(): Promise<void> {
    const { conflict, settings } = this.#state;
    if (this.#state.phase !== 'saving') {
      await this.#remember(
        { draft: {}, base: conflict ?? settings },
        { settings: conflict ?? settings, conflict: undefined, outcome: undefined },
      );
    }
  }

  /** Sends what was chosen in one request, if the settings are still those that were read. */
  async save(): Promise<void> {
    const { settings, memory, conflict } = this.#state;
    if (settings && !conflict) {
      await this.#write(settings, changeOf(settings, memory.draft), false);
    }
  }

  /** Undoes the last save, as far as the platform allows. */
  async undo(): Promise<void> {
    const { settings, memory, conflict } = this.#state;
    if (settings && !conflict && memory.lastSave) {
      await this.#write(settings, undoOf(memory.lastSave.before, memory.lastSave.change).change, true);
    }
  }

  /** Goes on with the settings as they are now, without the choices for some fields. Nothing is sent. */
  async resolve(discardedFields: readonly string[]): Promise<void> {
    const { conflict, memory } = this.#state;
    if (conflict) {
      await this.#remember(
        { draft: withoutFields(memory.draft, discardedFields), base: conflict },
        { settings: conflict, conflict: undefined, outcome: undefined },
      );
    }
  }

  /** Goes on with the draft of this window, or with that of the other one; forgets the one that was not chosen. */
  async chooseDraft(chosen: 'mine' | 'other'): Promise<void> {
    const { memory, otherDraft, phase, settings } = this.#state;
    if (!otherDraft || phase === 'saving') {
      return;
    }
    let taken: Pick<ScopeMemory, 'draft' | 'base'> | undefined;
    const kept = await this.#deps.store.update(this.#key, (stored) => {
      const { revision = crypto.randomUUID(), others = [] } = stored;
      const drafts = [{ draft: stored.draft, base: stored.base, revision }, ...others];
      const other = drafts.find((one) => isDeepStrictEqual(one.draft, otherDraft));
      if (!other) {
        return stored;
      }
      const { draft, base = settings } = chosen === 'other' ? other : memory;
      const left = drafts.filter((one) => one !== other && one.revision !== this.#seen && !isEmptyChange(one.draft));
      this.#seen = crypto.randomUUID();
      taken = { draft, base };
      return { ...stored, ...taken, revision: this.#seen, others: left };
    });
    if (!taken) {
      // It has changed since it was shown: that is another choice.
      this.#change({ otherDraft: this.#otherDraft(kept, memory.draft) });
      return;
    }
    this.#change({
      memory: { ...memory, ...taken },
      otherDraft: this.#otherDraft(kept, taken.draft),
      ...(chosen === 'other' ? { settings: taken.base, conflict: undefined, outcome: undefined } : {}),
    });
    await this.load();
  }

  /** Aborts the action under way. The outcome of a save is then found out by reading. */
  cancel(): void {
    this.#abort?.abort();
  }

  async #write(expected: Settings, change: Change, undone: boolean): Promise<void> {
    if (isEmptyChange(change)) {
      return;
    }
    await this.#runExclusive('saving', async (signal) => {
      let outcome: ApplyOutcome;
      try {
        outcome = await this.#deps.engine.apply(
          this.#state.scope,
          { expected, change },
          {
            signal,
            reconcileSignal: () => {
              this.#abort = new AbortController();
              return this.#abort.signal;
            },
          },
        );
      } catch (error) {
        this.#change({ outcome: { kind: 'notSaved', error, effect: 'none' } });
        return;
      }
      await this.#settle(outcome, change, undone);
    });
  }

  /** Applies settings that were read. */
  async #applyLoaded(now: Settings): Promise<void> {
    const { memory, settings: base } = this.#state;
    const change = base ? changeOf(base, memory.draft) : {};
    const inConflict = base !== undefined && !isEmptyChange(change) && conflicts(base, now, change).length > 0;
    await this.#remember(
      { base: inConflict ? base : now },
      inConflict
        ? { settings: base, conflict: now, outcome: { kind: 'changedElsewhere' } }
        : { settings: now, conflict: undefined, outcome: undefined },
    );
  }

  async #settle(outcome: ApplyOutcome, change: Change, undone: boolean): Promise<void> {
    switch (outcome.kind) {
      case 'applied':
        return await this.#saved(outcome, undone);
      case 'conflict':
        this.#change({ conflict: outcome.now, outcome: { kind: 'changedElsewhere' } });
        return;
      case 'unknown': {
        const { error, now } = outcome;
        if (now && verify(change, now).missing.length > 0) {
          const state = { settings: now, conflict: undefined };
          await this.#remember({ base: now }, { ...state, outcome: { kind: 'notSaved', error, effect: 'notSoFar' } });
        } else {
          // Undoing the save before could undo half of this one.
          const known = now ? { base: now } : {};
          const state = now ? { settings: now, conflict: undefined } : {};
          await this.#remember(
            { ...known, lastSave: undefined },
            { ...state, outcome: { kind: 'notSaved', error, effect: 'unknown' } },
          );
        }
      }
    }
  }

  async #saved({ sent, settings, isReconciled, missing, unseen, error }: Applied, undone: boolean): Promise<void> {
    const { memory } = this.#state;
    const past = memory.lastSave;
    const left = undone && past ? undoOf(past.before, past.change).lost : undefined;
    // Without an answer, what is not shown may have been lost: it stays in the draft.
    const taken = withoutFields(sent.change, isReconciled ? [...missing, ...unseen] : missing);
    const lastSave = isEmptyChange(taken) ? memory.lastSave : { before: sent.before, change: taken };
    await this.#remember(
      {
        draft: undone ? memory.draft : draftAfter(memory.draft, taken, settings),
        base: settings,
        lastSave: undone ? undefined : lastSave,
      },
      {
        settings,
        conflict: undefined,
        outcome: { kind: 'saved', undone: left, foundOut: isReconciled, error, missing, unseen },
      },
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
    if (this.#isOutdated) {
      await this.load();
    }
  }

  /** A project that has moved keeps its settings. Where it is now may not be known; then the path that was seen last stays. */
  async #locate(): Promise<void> {
    const { scope } = this.#state;
    const found = await this.#deps.locate(scope).catch(() => scope);
    if (!isDeepStrictEqual(found, scope)) {
      this.#change({ scope: found });
    }
  }

  /** Goes on with what other windows have made of the draft, unless this one keeps a draft beside it. */
  #followDraft(): void {
    const stored = this.#deps.store.get(this.#key);
    const { memory, settings } = this.#state;
    const isBeside = (stored.others ?? []).some(({ revision }) => revision === this.#seen);
    if (!isBeside && stored.revision !== this.#seen) {
      this.#seen = stored.revision;
      const { confirmed } = memory;
      this.#change({ memory: { ...stored, confirmed }, settings: stored.base ?? settings });
    }
    this.#change({ otherDraft: this.#otherDraft(stored, this.#state.memory.draft) });
  }

  /** Stores a part of what is kept, and changes the state at once, so that no listener sees half of it. */
  async #remember(part: Partial<ScopeMemory>, state: Partial<SessionState> = {}): Promise<void> {
    const { scope, memory: before } = this.#state;
    const memory = { ...before, ...part };
    const isChosen = part.confirmed !== undefined || !isDeepStrictEqual(memory.draft, before.draft);
    this.#change({ ...state, memory });
    const kept = await this.#deps.store.update(this.#key, (stored) => ({
      ...{ ...stored, ...part, scope: state.scope ?? scope },
      ...this.#placed(stored, memory, isChosen),
    }));
    const otherDraft = this.#otherDraft(kept, this.#state.memory.draft);
    if (!isDeepStrictEqual(otherDraft, this.#state.otherDraft)) {
      this.#change({ otherDraft });
    }
  }

  /**
   * Puts the draft of this session into what is stored: in the place of the one that it goes on from, or beside another.
   *
   * @param isChosen whether it is another one now; one that is not follows what other windows have made of it.
   */
  #placed(
    stored: ScopeMemory,
    { draft, base }: ScopeMemory,
    isChosen: boolean,
  ): Pick<ScopeMemory, 'draft' | 'base' | 'revision' | 'others'> {
    const { revision, others: all = [] } = stored;
    const others = all.filter((one) => one.revision !== this.#seen);
    const isBeside = others.length < all.length;
    const theirs = { draft: stored.draft, base: stored.base, revision, others };
    if (revision !== this.#seen && !isBeside && !isChosen) {
      return theirs;
    }
    if (revision === this.#seen || isEmptyChange(stored.draft)) {
      this.#seen = isDeepStrictEqual(draft, stored.draft) ? revision : crypto.randomUUID();
      return { draft, base, revision: this.#seen, others };
    }
    if (isEmptyChange(draft)) {
      return theirs;
    }
    this.#seen = crypto.randomUUID();
    return { ...theirs, others: [...others, { draft, base, revision: this.#seen }] };
  }

  /** The draft that was stored beside the one of this session; undefined if there is none that differs. */
  #otherDraft(stored: ScopeMemory, own: Change): Change | undefined {
    const isBeside = (stored.others ?? []).some(({ revision }) => revision === this.#seen);
    const candidates = [...(isBeside ? [stored] : []), ...(stored.others ?? [])];
    return candidates.find(({ draft }) => !isEmptyChange(draft) && !isDeepStrictEqual(draft, own))?.draft;
  }

  #change(part: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...part };
    this.#deps.onChange();
  }
}
