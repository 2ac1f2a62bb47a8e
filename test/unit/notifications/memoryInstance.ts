import { apiError } from '../../../src/api/errors.ts';
import type { App } from '../../../src/app.ts';

/** What becomes of a request: it is refused, its answer is lost, it never arrives, or it arrives when the client has given up. */
export type Fault = 'refused' | 'answerLost' | 'neverArrives' | 'late';

type Change = Readonly<Record<string, string | boolean>>;

/** Whose settings they are. */
interface Scope {
  readonly kind: 'global' | 'group' | 'project';
  readonly id?: number;
}

/** The settings of one scope as an instance keeps them, with events that only the level `custom` shows. */
interface ScopeRecord {
  level: string;
  events: { [event: string]: boolean | null };
}

/** The same as an answer has them. */
type Shown = Pick<ScopeRecord, 'level'> & Partial<ScopeRecord>;

const facts = { method: 'PUT', pathTemplate: '/projects/:id/notification_settings', instance: 'gitlab.example.com' };

/** The notification settings of an instance, without HTTP: for many runs, in which requests end as a test asks for it. */
export class MemoryInstance {
  readonly #records = new Map<string, ScopeRecord>();
  readonly #late: (() => void)[] = [];
  /** The fields that a change had as they were already. */
  readonly sentTwice: string[] = [];
  /** How the next changes end, in their order. */
  putFaults: (Fault | undefined)[] = [];
  /** Which of the next readings fail. */
  getFaults: boolean[] = [];
  /** How many changes have arrived. */
  puts = 0;

  /** The client of one window. @param effect is run around what a change does, and may fail as a window that is killed. */
  connections(effect: <T>(run: () => Promise<T>) => Promise<T> = (run) => run()): App['connections'] {
    const notificationSettings = {
      get: async (scope: Parameters<typeof ownerKey>[0]) => {
        // As across a network: others may do something meanwhile.
        await new Promise(setImmediate);
        if (this.getFaults.shift() === true) {
          throw apiError({ ...facts, method: 'GET' }, { reason: 'unavailable', kind: 'network' });
        }
        return this.#shown(ownerKey(scope));
      },
      update: async (scope: Parameters<typeof ownerKey>[0], change: Change) => {
        await new Promise(setImmediate);
        return await effect(async () => this.#update(ownerKey(scope), change));
      },
    };
    const connection = { account: { kind: 'sandbox', id: 'ada' }, client: { notificationSettings } };
    return { of: async () => connection } as unknown as App['connections'];
  }

  /** The settings of a scope as they can be read now. */
  settings(scope: Scope): Shown {
    return this.#shown(keyOf(scope));
  }

  /** Changes settings as someone elsewhere does. */
  change(scope: Scope, change: Change): void {
    this.#take(keyOf(scope), change);
  }

  /** Lets what was late arrive. */
  arrive(): void {
    this.#late.splice(0).forEach((arrive) => arrive());
  }

  #update(key: string, change: Change): object {
    const fault = this.putFaults.shift();
    if (fault === 'refused') {
      throw apiError({ ...facts, status: 409 }, { reason: 'refused' });
    }
    if (fault === 'late') {
      this.#late.push(() => this.#take(key, change));
    } else if (fault !== 'neverArrives') {
      const { level, events } = this.#shown(key);
      const before: Readonly<Record<string, unknown>> = { ...events, level };
      this.sentTwice.push(...Object.keys(change).filter((field) => change[field] === before[field]));
      this.puts += 1;
      this.#take(key, change);
    }
    if (fault !== undefined) {
      throw apiError(facts, { reason: 'unavailable', kind: 'timeout' });
    }
    return this.#shown(key);
  }

  #take(key: string, change: Change): void {
    const record = this.#record(key);
    for (const [field, value] of Object.entries(change)) {
      if (field === 'level') {
        record.level = String(value);
      } else {
        record.events[field] = value === true;
      }
    }
  }

  #shown(key: string): Shown {
    const { level, events } = this.#record(key);
    const { approver: _, ...shown } = events;
    return level === 'custom' ? { level, events: { new_note: null, new_issue: null, ...shown } } : { level };
  }

  #record(key: string): ScopeRecord {
    const known = this.#records.get(key);
    if (known) {
      return known;
    }
    const first: ScopeRecord = { level: 'watch', events: {} };
    this.#records.set(key, first);
    return first;
  }
}

function keyOf({ kind, id = 0 }: Scope): string {
  return `${kind} ${id}`;
}

/** The key of the scope that the API client names. */
function ownerKey(scope: 'global' | Readonly<Record<string, number | string>>): string {
  const [[kind, id] = ['global', 0]] = scope === 'global' ? [] : Object.entries(scope);
  return `${kind} ${id}`;
}
