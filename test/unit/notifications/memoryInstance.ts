import { apiError } from '../../../src/api/errors.ts';
import type { App } from '../../../src/app.ts';
import { type NotificationScope, scopeKey } from '../../../src/notifications/scope.ts';
import {
  type Change,
  type Settings,
  settingsOf,
  type SettingsRecord,
  valueOf,
} from '../../../src/notifications/settings.ts';

/** What becomes of a request: it is refused, its answer is lost, it never arrives, or it arrives when the client has given up. */
export type Fault = 'refused' | 'answerLost' | 'neverArrives' | 'late';

/** The settings of one scope as an instance keeps them, with events that only the level `custom` shows. */
interface ScopeRecord {
  level: string;
  events: { [event: string]: boolean | null };
}

const facts = { method: 'PUT', pathTemplate: '/projects/:id/notification_settings', instance: 'gitlab.example.com' };

/** The notification settings of an instance, without HTTP: for many runs, in which requests end as a test asks for it. */
export class MemoryInstance {
  readonly #records = new Map<string, ScopeRecord>();
  readonly #late: (() => void)[] = [];
  /** Called for each change that arrives, with the settings that it finds. */
  onPut: (key: string, change: Change, before: Settings) => void = () => {};
  /** How the next changes end, in their order. */
  putFaults: (Fault | undefined)[] = [];
  /** Which of the next readings fail. */
  getFaults: boolean[] = [];
  /** How many changes have arrived. */
  puts = 0;

  /** The client of one window. @param effect is run around what a change does, and may fail as a window that is killed. */
  connections(effect: <T>(run: () => Promise<T>) => Promise<T> = (run) => run()): App['connections'] {
    const notificationSettings = {
      get: async (scope: string | object) => {
        // As across a network: others may do something meanwhile.
        await new Promise(setImmediate);
        if (this.getFaults.shift() === true) {
          throw apiError({ ...facts, method: 'GET' }, { reason: 'unavailable', kind: 'network' });
        }
        return this.#shown(ownerKey(scope));
      },
      update: async (scope: string | object, change: Change) => {
        await new Promise(setImmediate);
        return await effect(async () => this.#update(ownerKey(scope), change));
      },
    };
    const connection = { account: { kind: 'sandbox', id: 'ada' }, client: { notificationSettings } };
    return { of: async () => connection } as unknown as App['connections'];
  }

  /** The settings of a scope as they can be read now. */
  settings(scope: NotificationScope): Settings {
    return settingsOf(scope.kind, this.#shown(scopeKey(scope)));
  }

  /** Changes settings as someone elsewhere does. */
  change(scope: NotificationScope, change: Change): void {
    this.#take(scopeKey(scope), change);
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
      this.onPut(key, change, settingsOf('project', this.#shown(key)));
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

  #shown(key: string): SettingsRecord {
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

/** The key of the scope that the API client names. */
function ownerKey(scope: string | object): string {
  const [[kind, id] = ['global', '']] = Object.entries(scope) as [string, number | string][];
  return typeof scope === 'string' ? 'ada global' : `ada ${kind} ${String(id)}`;
}

/** The fields of a change that settings have already. */
export function holding(settings: Settings, change: Change): readonly string[] {
  return Object.keys(change).filter((field) => change[field] === valueOf(settings, field));
}
