import * as z from 'zod/mini';
import { type NotificationScope, type ScopeFiles, scopeKey, scopeSchema } from './scope.ts';
import { type Change, changeSchema, isEmptyChange, type Settings, settingsSchema } from './settings.ts';

/** What was chosen for a scope and is not saved, kept for all windows. */
export const draftSchema = () =>
  z.object({
    scope: scopeSchema(),
    change: changeSchema(),
    /** The settings that it was chosen on. */
    base: settingsSchema(),
    /** Another one each time that it is written. */
    revision: z.string(),
  });
export type Draft = z.infer<ReturnType<typeof draftSchema>>;

/**
 * The drafts of one window. Each change is written at once; the last one wins. What another window has written since this one has
 * read or written the draft is taken, not overwritten. Its methods are called one after another.
 */
export class Drafts {
  readonly #files: ScopeFiles<Draft>;
  readonly #known = new Map<string, Draft | undefined>();

  constructor(files: ScopeFiles<Draft>) {
    this.#files = files;
  }

  /** As this window has read or written it last. */
  of(scope: NotificationScope): Draft | undefined {
    return this.#known.get(scopeKey(scope));
  }

  /** Reads what is kept of an account. @returns the scopes that have a draft. */
  async read(accountId: string): Promise<readonly NotificationScope[]> {
    const all = (await this.#files.all()).filter(({ scope }) => scope.accountId === accountId);
    this.#known.clear();
    all.forEach((draft) => this.#known.set(scopeKey(draft.scope), draft));
    return all.map(({ scope }) => scope);
  }

  /** Takes the draft that another window has written since, and returns whether there was one. */
  async follow(scope: NotificationScope): Promise<boolean> {
    const kept = await this.#files.read(scope);
    const isNewer = kept?.revision !== this.of(scope)?.revision;
    if (isNewer) {
      this.#known.set(scopeKey(scope), kept);
    }
    return isNewer;
  }

  /** Keeps what is chosen on settings; returns false where another window has written a draft since, which is taken instead. */
  async set(scope: NotificationScope, change: Change, base: Settings): Promise<boolean> {
    if (await this.follow(scope)) {
      return false;
    }
    const draft = isEmptyChange(change) ? undefined : { scope, change, base, revision: crypto.randomUUID() };
    await (draft ? this.#files.write(scope, draft) : this.#files.remove(scope));
    this.#known.set(scopeKey(scope), draft);
    return true;
  }
}
