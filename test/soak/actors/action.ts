import { AsyncLocalStorage } from 'node:async_hooks';
import { Random } from '../../../src/sandbox/state/random.ts';
import type { Permission, WriteLedger } from '../invariants/writes.ts';
import type { Waiting } from '../time/simulatedTime.ts';

/** What follows an action takes so long at most, in milliseconds: all repetitions, waits and timeouts of its requests. */
const longest = 30 * 60_000;

/** Something that a user does, with chance of its own, and with what it allows the product to change. */
export class Action implements Waiting {
  readonly name: string;
  /** How many timers of the simulated day there are that this action waits for. */
  timers = 0;
  readonly random: Random;
  readonly #ledger: WriteLedger;
  readonly #now: () => number;
  readonly #permissions: Permission[] = [];

  constructor(name: string, seed: number, ledger: WriteLedger, now: () => number) {
    this.name = name;
    this.random = new Random(seed);
    this.#ledger = ledger;
    this.#now = now;
  }

  /** Allows the product to make a change until the action is over for sure. */
  permit(permission: Omit<Permission, 'until'>): void {
    const limited: Permission = { ...permission, until: this.#now() + longest };
    this.#permissions.push(limited);
    this.#ledger.permit(limited);
  }

  /** Allows the product to make a change at any later time. */
  permitForever(permission: Omit<Permission, 'until'>): void {
    this.#ledger.permit({ ...permission });
  }

  /** Allows once more what this action has allowed, as a user does who tries again. */
  permitAgain(): void {
    this.#permissions.forEach((permission) => {
      permission.until = this.#now() + longest;
      permission.times = Math.max(permission.times, 1);
    });
  }

  /** Allows to take back what this action has allowed: the same settings, with whatever values they had. */
  permitBack(): void {
    for (const { username, methods, path } of [...this.#permissions]) {
      if (!methods.includes('POST') && !methods.includes('DELETE')) {
        this.permit({ username, methods, path, times: 6 });
      }
    }
  }

  /** Runs something as part of this action. */
  async run(step: () => Promise<unknown>): Promise<void> {
    await acting.run(this, step);
  }
}

const acting = new AsyncLocalStorage<Action>();

/** The action that what runs now is part of; undefined for what the product does by itself. */
export function currentAction(): Action | undefined {
  return acting.getStore();
}
