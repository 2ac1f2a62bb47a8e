import type { ActiveKeys, Write } from './activeKeys.ts';
import type { Violations } from './violations.ts';

/** A change that a user asked for. */
export interface Permission {
  readonly username: string;
  readonly methods: readonly string[];
  /** Without `/api/v4`. */
  readonly path: string;
  /** Whether this is what was asked for; any body is if absent. */
  readonly accepts?: (body: Readonly<Record<string, unknown>>) => boolean;
  /** How often it may be carried out. */
  times: number;
  /** Until when, in milliseconds since 1970; without end if absent. */
  until?: number;
  /** Whether the key that it deletes has just been replaced. */
  readonly isRotation?: boolean;
}

/** Compares the instance's log of writes with what users asked for. */
export class WriteLedger {
  readonly #violations: Violations;
  readonly #keys: ActiveKeys;
  readonly #now: () => number;
  readonly #elsewhere: ReadonlySet<string>;
  readonly #permissions: Permission[] = [];
  /** How many writes have changed something. */
  count = 0;

  /** @param elsewhere the tokens of those who change things without the product. */
  constructor(violations: Violations, keys: ActiveKeys, now: () => number, elsewhere: ReadonlySet<string>) {
    this.#violations = violations;
    this.#keys = keys;
    this.#now = now;
    this.#elsewhere = elsewhere;
  }

  permit(permission: Permission): void {
    this.#permissions.push(permission);
  }

  /** Lets permissions that end hold longer, as what was under way goes on after the computer slept. */
  prolong(milliseconds: number): void {
    for (const permission of this.#permissions) {
      if (permission.until !== undefined) {
        permission.until += milliseconds;
      }
    }
  }

  /** Records a write that the instance reports. */
  take(write: Write): void {
    const { method, path, status, token, username } = write;
    if (status >= 300) {
      return;
    }
    this.#keys.take(write);
    if (token !== undefined && this.#elsewhere.has(token)) {
      return;
    }
    this.count += 1;
    const body = parametersOf(write.body);
    const now = this.#now();
    const fitting = this.#permissions.filter(
      (one) =>
        one.username === username &&
        one.path === path &&
        one.methods.includes(method) &&
        one.times > 0 &&
        (one.until ?? Infinity) >= now &&
        (one.accepts?.(body) ?? true),
    );
    // What is to be done soon is meant rather than what may be done at any time.
    const permission = fitting.find(({ until }) => until !== undefined) ?? fitting[0];
    if (!permission) {
      const isCreation = method === 'POST' && path.endsWith('/client_keys');
      const detail = `${method} ${path} ${write.body} by ${username ?? 'nobody'}`;
      this.#violations.add(isCreation ? 'keys' : 'settings', detail);
      return;
    }
    permission.times -= 1;
    if (permission.isRotation === true && method === 'DELETE' && !this.#keys.hasActive(path)) {
      this.#violations.add('rotation', `${method} ${path} left no active client key`);
    }
  }
}

function parametersOf(body: string): Readonly<Record<string, unknown>> {
  if (body === '') {
    return {};
  }
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
