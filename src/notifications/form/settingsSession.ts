import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as z from 'zod/mini';
import type { Applied, ApplyOutcome, SettingsEngine } from '../settings/engine.ts';
import type { ScopeFiles } from '../settings/scopeFiles.ts';
import { changeSchema, scopeSchema, settingsSchema } from '../settings/schemas.ts';
import {
  applyEdit,
  type Change,
  changeOf,
  conflicts,
  draftAfter,
  type Edit,
  isEmptyChange,
  type NotificationScope,
  type Settings,
  undoOf,
  verify,
  withoutFields,
} from '../settings/settings.ts';

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

/** What is kept of a scope beyond the life of a form, for all windows. */
export const keptSchema = z.object({
  scope: scopeSchema,
  draft: changeSchema,
  /** Another one each time that the draft changes. */
  revision: z.string(),
  /** The settings that the draft was made on. */
  base: z.optional(settingsSchema),
  /** The last save that is known to have worked, to undo: the settings just before, and what was taken. */
  lastSave: z.optional(z.object({ before: settingsSchema, change: changeSchema })),
});
export type Kept = z.infer<typeof keptSchema>;
type Memory = Pick<Kept, 'draft' | 'base' | 'lastSave'>;

/** What is known of the settings of one scope, and of what the user does with them. */
export interface SessionState {
  readonly scope: NotificationScope;
  readonly phase: 'loading' | 'ready' | 'saving';
  /** The settings as they were read last, also before this session; undefined if they never were. */
  readonly settings: Settings | undefined;
  /** The settings as they are now, where they differ from those that the draft was made on. */
  readonly conflict: Settings | undefined;
  /** What another window has chosen since; until the user has decided, the draft of this one is not kept. */
  readonly otherDraft: Change | undefined;
  readonly outcome: SaveOutcome | undefined;
  readonly memory: Memory;
}

/** What a session depends on. */
export interface SessionDeps {
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
  readonly files: Pick<ScopeFiles<Kept>, 'read' | 'write'>;
  /** Called after every change of the state. */
  readonly onChange: () => void;
}

/**
 * The settings of one scope: reads them, keeps a draft and saves it. Continues when the
 * form is closed. One action runs at a time; others are ignored meanwhile, except edits of the draft.
 *
 * Windows share the draft of a scope: a session that is loaded goes on with it. The last one that is kept wins; a session whose
 * draft is older than that says so before it keeps its own.
 */
export class SettingsSession {
  readonly #deps: SessionDeps;
  #state: SessionState;
  #abort: AbortController | undefined;
  /** The revision of the draft that was kept when this session went on from it. */
  #seen: string | undefined;
  /** Whether something was chosen that is not kept yet. */
  #isUnkept = false;
  #lastStep: Promise<unknown> = Promise.resolve();
  /** Whether what is under way began with another token or account than there is now. */
  #isOutdated = false;

  constructor(scope: NotificationScope, deps: SessionDeps) {
    this.#deps = deps;
    this.#state = {
      scope,
      phase: 'ready',
      settings: undefined,
      conflict: undefined,
      otherDraft: undefined,
      outcome: undefined,
      memory: { draft: {} },
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Reads the settings (again). What was chosen stays; a failure is in the state. */
  async load(): Promise<void> {
    await this.#runExclusive('loading', async (signal) => {
      this.#isOutdated = false;
      await this.#inOrder(() => this.#follow());
      try {
        await this.#applyLoaded(await this.#deps.engine.read(this.#state.scope, signal));
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

  /** Adds an edit to the draft. */
  async edit(edit: Edit): Promise<void> {
    const { memory, settings, outcome } = this.#state;
    const draft = applyEdit(memory.draft, edit);
    // That the last save worked is no news any more.
    const rest = outcome?.kind === 'saved' ? { outcome: undefined } : {};
    await this.#remember({ draft, base: memory.base ?? settings }, rest);
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

  /** Goes on with the draft of this window, which is kept instead of the one that was shown, or with that one. */
  async chooseDraft(chosen: 'mine' | 'other'): Promise<void> {
    await this.#inOrder(async () => {
      const { otherDraft, phase, scope } = this.#state;
      const kept = await this.#deps.files.read(scope);
      if (!otherDraft || phase === 'saving') {
        return;
      }
      if (chosen === 'other') {
        this.#isUnkept = false;
        this.#change({ otherDraft: undefined, conflict: undefined, outcome: undefined });
        await this.#follow();
      } else if (isDeepStrictEqual(kept?.draft, otherDraft)) {
        this.#seen = kept?.revision;
        await this.#keep();
      }
      // What has changed since it was shown is another choice, which loading shows.
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

  /** Goes on with what is kept, unless this window has chosen something else. */
  async #follow(): Promise<void> {
    const { scope, otherDraft } = this.#state;
    if (otherDraft) {
      await this.#keep();
      return;
    }
    const kept = await this.#deps.files.read(scope);
    if (kept && !this.#isUnkept) {
      const { draft, base, lastSave, revision } = kept;
      this.#seen = revision;
      this.#change({ memory: { draft, base, lastSave }, settings: base ?? this.#state.settings });
    }
  }

  /** Changes what is known, at once, so that no listener sees half of it; then keeps it. */
  async #remember(part: Partial<Memory>, state: Partial<SessionState> = {}): Promise<void> {
    this.#isUnkept = true;
    this.#change({ ...state, memory: { ...this.#state.memory, ...part } });
    await this.#inOrder(() => this.#keep());
  }

  /** Keeps what this window has chosen; shows instead what another one has kept since. */
  async #keep(): Promise<void> {
    const { files } = this.#deps;
    const kept = await files.read(this.#state.scope);
    const { scope, memory, otherDraft } = this.#state;
    const isSame = isDeepStrictEqual(kept?.draft ?? {}, memory.draft);
    if (kept && kept.revision !== this.#seen && !isSame && !isEmptyChange(kept.draft)) {
      if (!isDeepStrictEqual(kept.draft, otherDraft)) {
        this.#change({ otherDraft: kept.draft });
      }
      return;
    }
    this.#isUnkept = false;
    const revision = (isSame ? kept?.revision : undefined) ?? crypto.randomUUID();
    this.#seen = revision;
    if (otherDraft) {
      this.#change({ otherDraft: undefined });
    }
    await files.write({ scope, ...memory, revision });
  }

  /** One step with the file after another. */
  async #inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.#lastStep.then(step, step);
    this.#lastStep = done;
    await done;
  }

  #change(part: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...part };
    this.#deps.onChange();
  }
}
