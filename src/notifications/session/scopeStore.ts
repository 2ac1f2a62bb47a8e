import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { emptyDraft } from '../model/change.ts';
import { changeSchema, draftSchema, scopeSchema, settingsSchema } from '../protocol/schemas.ts';

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
  /** The number of the last step that is part of the draft. */
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
