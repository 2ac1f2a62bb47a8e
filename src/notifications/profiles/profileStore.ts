import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { keptScopeSchema } from '../scopes/snapshot.ts';

const profilesKey = 'notificationProfiles';

const profileSchema = z.object({
  name: z.string().check(z.minLength(1)),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  scopes: z.array(keptScopeSchema),
});

/** Notification settings of some scopes under a name. */
export type Profile = z.infer<typeof profileSchema>;

/** The saved notification profiles, by name. */
export class ProfileStore {
  readonly #memento: vscode.Memento;

  /** @param memento shared by all windows. */
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** In alphabetical order. */
  get all(): readonly Profile[] {
    return this.#stored()
      .flatMap((value) => profileSchema.safeParse(value).data ?? [])
      .toSorted((one, other) => one.name.localeCompare(other.name));
  }

  find(name: string): Profile | undefined {
    return this.all.find((profile) => isSameName(profile.name, name));
  }

  /** Saves a profile in the place of one of that name, if there is one. */
  async save(profile: Profile): Promise<void> {
    await this.#memento.update(profilesKey, [...this.#without(profile.name), profile]);
  }

  /** Gives a profile another name; one that has it already is replaced. */
  async rename(name: string, newName: string): Promise<void> {
    const profile = this.find(name);
    if (profile) {
      const others = this.#without(name).filter((value) => !isNamed(value, newName));
      await this.#memento.update(profilesKey, [...others, { ...profile, name: newName }]);
    }
  }

  async delete(name: string): Promise<void> {
    await this.#memento.update(profilesKey, this.#without(name));
  }

  /** All but one; also what another version of Beacon wrote and this one does not understand. */
  #without(name: string): unknown[] {
    return this.#stored().filter((value) => !isNamed(value, name));
  }

  #stored(): readonly unknown[] {
    const stored = this.#memento.get<unknown>(profilesKey);
    return Array.isArray(stored) ? stored : [];
  }
}

function isNamed(value: unknown, name: string): boolean {
  const profile = profileSchema.safeParse(value).data;
  return profile !== undefined && isSameName(profile.name, name);
}

/** Names that look alike are the same. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
