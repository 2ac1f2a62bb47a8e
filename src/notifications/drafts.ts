import * as z from 'zod/mini';
import { changeSchema, scopeSchema, settingsSchema } from './schemas.ts';
import { type NotificationScope, scopeKey } from './scope.ts';
import type { ScopeFiles } from './scopeFiles.ts';
import { applyEdit, type Change, type Edit, isEmptyChange, type Settings } from './settings.ts';

/** What was chosen for a scope and is not saved, kept for all windows. */
export const draftSchema = z.object({
  scope: scopeSchema,
  change: changeSchema,
  /** The settings that it was chosen on. */
  base: settingsSchema,
  /** Another one each time that it is written. */
  revision: z.string(),
});
export type Draft = z.infer<typeof draftSchema>;

/**
 * The drafts of one window. Each change is written at once; the last one wins. What another window has written since this one has
 * read or written the draft is taken, not overwritten.
 */
export class Drafts {
  readonly #files: Pick<ScopeFiles<Draft>, 'read' | 'all' | 'write' | 'remove'>;
  readonly #known = new Map<string, Draft>();
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(files: Pick<ScopeFiles<Draft>, 'read' | 'all' | 'write' | 'remove'>) {
    this.#files = files;
  }

  /** As this window has read or written it last. */
  of(scope: NotificationScope): Draft | undefined {
    return this.#known.get(scopeKey(scope));
  }

  /** Reads what is kept of an account. @returns the scopes that have a draft. */
  async read(accountId: string): Promise<readonly NotificationScope[]> {
    return await this.#inOrder(async () => {
      const all = (await this.#files.all()).filter(({ scope }) => scope.accountId === accountId);
      this.#known.clear();
      all.forEach((draft) => this.#known.set(scopeKey(draft.scope), draft));
      return all.map(({ scope }) => scope);
    });
  }

  /**
   * Takes the draft that another window has written since.
   *
   * @returns whether there was one.
   */
  async follow(scope: NotificationScope): Promise<boolean> {
    return await this.#inOrder(() => this.#follow(scope));
  }

  /**
   * Adds an edit to the draft.
   *
   * @param base the settings that it was chosen on, unless there is a draft already.
   * @returns whether it was added: not where another window has written a draft since, which is taken instead.
   */
  async edit(scope: NotificationScope, base: Settings, edit: Edit): Promise<boolean> {
    return await this.#inOrder(async () => {
      if (await this.#follow(scope)) {
        return false;
      }
      const draft = this.of(scope);
      await this.#write(scope, applyEdit(draft?.change ?? {}, edit), draft?.base ?? base);
      return true;
    });
  }

  /** Goes on with what is left of the draft, on settings that were read; unless another window has written one since. */
  async set(scope: NotificationScope, change: Change, base: Settings): Promise<boolean> {
    return await this.#inOrder(async () => {
      if (await this.#follow(scope)) {
        return false;
      }
      await this.#write(scope, change, base);
      return true;
    });
  }

  async #follow(scope: NotificationScope): Promise<boolean> {
    const kept = await this.#files.read(scope);
    const key = scopeKey(scope);
    if (kept?.revision === this.#known.get(key)?.revision) {
      return false;
    }
    if (kept) {
      this.#known.set(key, kept);
    } else {
      this.#known.delete(key);
    }
    return true;
  }

  async #write(scope: NotificationScope, change: Change, base: Settings): Promise<void> {
    const key = scopeKey(scope);
    if (isEmptyChange(change)) {
      await this.#files.remove(scope);
      this.#known.delete(key);
    } else {
      const draft = { scope, change, base, revision: crypto.randomUUID() };
      await this.#files.write(draft);
      this.#known.set(key, draft);
    }
  }

  /** One step with the files after another. */
  async #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#lastStep.then(step, step);
    this.#lastStep = done;
    return await done;
  }
}
