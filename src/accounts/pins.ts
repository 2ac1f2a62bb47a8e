import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { MementoList } from '../common/checkedMemento.ts';

/** A project or group that a user keeps at hand, in all windows. */
const pinSchema = z.object({
  kind: z.enum(['project', 'group']),
  accountId: z.string(),
  /** The numeric id on the instance, which survives a move. */
  id: z.int(),
  /** The full path when it was last seen. */
  path: z.string(),
});

export type Pin = Readonly<z.infer<typeof pinSchema>>;
export type PinIdentity = Omit<Pin, 'path'>;

export class Pins implements vscode.Disposable {
  readonly #list: MementoList<Pin>;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#list = new MementoList(memento, 'pins', (value) => pinSchema.safeParse(value).data);
  }

  of(accountId: string, kind?: Pin['kind']): readonly Pin[] {
    return this.#list.all.filter((pin) => pin.accountId === accountId && (kind === undefined || pin.kind === kind));
  }

  has(identity: PinIdentity): boolean {
    return this.#list.all.some((pin) => isSame(pin, identity));
  }

  /** Pins, or gives what is pinned already the path that it is now found at. */
  async add({ kind, accountId, id, path }: Pin): Promise<void> {
    const { all } = this.#list;
    const pin = { kind, accountId, id, path };
    const known = all.findIndex((other) => isSame(other, pin));
    if (all[known]?.path !== path) {
      await this.#set(known < 0 ? [...all, pin] : all.with(known, pin));
    }
  }

  async remove(identity: PinIdentity): Promise<void> {
    if (this.has(identity)) {
      await this.#set(this.#list.all.filter((pin) => !isSame(pin, identity)));
    }
  }

  /** Updates the path of a project or group that has moved. Changes nothing if it is not pinned. */
  async updatePath(identity: PinIdentity, path: string): Promise<void> {
    if (this.has(identity)) {
      await this.add({ ...identity, path });
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #set(pins: readonly Pin[]): Promise<void> {
    await this.#list.update(() => pins);
    this.#changed.fire();
  }
}

function isSame(one: PinIdentity, other: PinIdentity): boolean {
  return one.kind === other.kind && one.accountId === other.accountId && one.id === other.id;
}
