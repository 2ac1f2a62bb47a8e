import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { MementoList } from '../common/stored.ts';
import type { ProjectPlace } from './account.ts';

/** A project that a user keeps at hand, in all windows. */
const pinSchema = z.object({
  kind: z.literal('project'),
  accountId: z.string(),
  /** The numeric id on the instance, which survives a move. */
  id: z.int(),
  /** The full path when it was last seen. */
  path: z.string(),
});

export type Pin = Readonly<z.infer<typeof pinSchema>>;

export class Pins extends MementoList<Pin> {
  constructor(memento: vscode.Memento) {
    super(memento, 'pins', (value) => pinSchema.safeParse(value).data);
  }

  of(accountId: string): readonly Pin[] {
    return this.all.filter((pin) => pin.accountId === accountId);
  }

  has(project: Omit<ProjectPlace, 'path'>): boolean {
    return this.all.some((pin) => isSame(pin, project));
  }

  async add({ accountId, id, path }: ProjectPlace): Promise<void> {
    const pin: Pin = { kind: 'project', accountId, id, path };
    await (this.has(pin) ? this.updatePath(pin) : this.update((all) => [...all, pin]));
  }

  async remove(project: Omit<ProjectPlace, 'path'>): Promise<void> {
    await this.update((all) => all.filter((pin) => !isSame(pin, project)));
  }

  /** Gives a project the path that it is now found at. Changes nothing if it is not pinned. */
  async updatePath(project: ProjectPlace): Promise<void> {
    await this.update((all) => all.map((pin) => (isSame(pin, project) ? { ...pin, path: project.path } : pin)));
  }
}

function isSame(pin: Pin, { accountId, id }: Omit<ProjectPlace, 'path'>): boolean {
  return pin.accountId === accountId && pin.id === id;
}
