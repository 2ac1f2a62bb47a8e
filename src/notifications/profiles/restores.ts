import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { scopeSchema, snapshotSchema } from '../scopes/snapshot.ts';
import { restoresKey } from './restoreSchedule.ts';

const restoreScopeSchema = z.object({
  scope: scopeSchema,
  /** What is to be put back. */
  before: snapshotSchema,
  /** What the profile made of it. Should it be otherwise by then, somebody has changed it since. */
  after: snapshotSchema,
  /** Why it was not put back although it was time. */
  trouble: z.optional(z.enum(['changedElsewhere', 'failed'])),
});

const restoreSchema = z.object({
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** The name of the profile. */
  profile: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  scopes: z.array(restoreScopeSchema),
});

export type RestoreScope = z.infer<typeof restoreScopeSchema>;
/** What is to be put back when the time of a profile is over. */
export type Restore = z.infer<typeof restoreSchema>;

/** The restores that are still to be done; they survive restarts. */
export class Restores {
  readonly #memento: vscode.Memento;

  /** @param memento shared by all windows. */
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** The soonest first. */
  get all(): readonly Restore[] {
    return this.#stored()
      .flatMap((value) => restoreSchema.safeParse(value).data ?? [])
      .toSorted((one, other) => one.until - other.until);
  }

  find(id: string): Restore | undefined {
    return this.all.find((restore) => restore.id === id);
  }

  /** The restore that a scope is part of. */
  of(scope: NotificationScope): { readonly restore: Restore; readonly part: RestoreScope } | undefined {
    for (const restore of this.all) {
      const part = restore.scopes.find((one) => scopeKey(one.scope) === scopeKey(scope));
      if (part) {
        return { restore, part };
      }
    }
    return undefined;
  }

  /** Keeps a restore. Its scopes are no longer part of others; one without scopes is done and forgotten. */
  async keep(restore: Restore): Promise<void> {
    const taken = new Set(restore.scopes.map(({ scope }) => scopeKey(scope)));
    const others = this.all
      .filter(({ id }) => id !== restore.id)
      .map((other) => ({ ...other, scopes: other.scopes.filter(({ scope }) => !taken.has(scopeKey(scope))) }));
    await this.#memento.update(restoresKey, [
      ...this.#foreign(),
      ...[...others, restore].filter(({ scopes }) => scopes.length > 0),
    ]);
  }

  /** Changes one scope of a restore, or ends it with undefined. Nothing happens to a restore that is gone. */
  async settle(id: string, scope: NotificationScope, part: RestoreScope | undefined): Promise<void> {
    const restore = this.find(id);
    if (restore) {
      const scopes = restore.scopes.flatMap((one) => (scopeKey(one.scope) === scopeKey(scope) ? (part ?? []) : one));
      await this.keep({ ...restore, scopes });
    }
  }

  async forget(id: string): Promise<void> {
    await this.#memento.update(restoresKey, [...this.#foreign(), ...this.all.filter((restore) => restore.id !== id)]);
  }

  /** What another version of Beacon wrote and this one does not understand. */
  #foreign(): readonly unknown[] {
    return this.#stored().filter((value) => !restoreSchema.safeParse(value).success);
  }

  #stored(): readonly unknown[] {
    const stored = this.#memento.get<unknown>(restoresKey);
    return Array.isArray(stored) ? stored : [];
  }
}
