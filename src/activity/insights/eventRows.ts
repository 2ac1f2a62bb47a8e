import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { canonicalKind, eventKind } from '../events/eventKind.ts';
import type { FeedItem } from '../feed/feedRef.ts';
import { type FeedFilter, usernameOf } from '../feed/filter.ts';
import { itemKey } from '../feed/feedState.ts';
import { fieldsPerEvent, hourOfWeek, noDay, noHour } from './aggregate.ts';

const [millisecondsPerHour, millisecondsPerDay] = [3_600_000, 86_400_000];

/** Keys with their places in the order in which they were first seen. */
class Places<K> {
  readonly #places = new Map<K, number>();

  get all(): readonly K[] {
    return [...this.#places.keys()];
  }

  of(key: K): number {
    const known = this.#places.get(key);
    if (known === undefined) {
      this.#places.set(key, this.#places.size);
    }
    return known ?? this.#places.size - 1;
  }
}

/** Events as numbers, see `aggregate`: a hundred thousand of them take two megabytes, and one message to a page. */
export class EventRows {
  readonly #toLocal: (time: number) => number;
  readonly #seen = new Set<number | string>();
  readonly #kinds = new Places<string | undefined>();
  readonly #projects = new Places<number | undefined>();
  readonly #authors = new Places<string | undefined>();
  /** Names of kinds by the target, by the action. */
  readonly #kindNames = new Map<string, Map<unknown, string>>();
  #rows = new Int32Array(fieldsPerEvent * 256);
  #length = 0;

  /** @param timeZone an IANA name; the reader's own by default. */
  constructor(timeZone?: string) {
    this.#toLocal = localTime(timeZone);
  }

  /** Adds events that are not there yet. */
  add(items: readonly FeedItem[]): void {
    for (const item of items) {
      const key = itemKey(item);
      if (!this.#seen.has(key)) {
        this.#seen.add(key);
        this.#append(item);
      }
    }
  }

  /** How many events there are. */
  get count(): number {
    return this.#length / fieldsPerEvent;
  }

  /** The numbers of the events from one on, as a copy. */
  from(event: number): Int32Array<ArrayBuffer> {
    return this.#rows.slice(event * fieldsPerEvent, this.#length);
  }

  /** See `eventKind`; undefined for what is no event record. */
  get kinds(): readonly (string | undefined)[] {
    return this.#kinds.all;
  }

  /** Ids; undefined for events that belong to no project. */
  get projects(): readonly (number | undefined)[] {
    return this.#projects.all;
  }

  /** Usernames; undefined for authors that the instance does not name, as of deleted accounts. */
  get authors(): readonly (string | undefined)[] {
    return this.#authors.all;
  }

  #append(item: FeedItem): void {
    if (this.#length + fieldsPerEvent > this.#rows.length) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    const event = isUnrecognized(item) ? undefined : item;
    const local = this.#toLocal(Date.parse(event?.created_at ?? ''));
    const day = Math.floor(local / millisecondsPerDay);
    const hasTime = !Number.isNaN(local);
    const [rows, at] = [this.#rows, this.#length];
    rows[at] = hasTime ? day : noDay;
    rows[at + 1] = hasTime
      ? hourOfWeek(day, Math.floor((local - day * millisecondsPerDay) / millisecondsPerHour))
      : noHour;
    rows[at + 2] = this.#kinds.of(event && this.#kindOf(event));
    rows[at + 3] = this.#projects.of(event?.project_id ?? undefined);
    rows[at + 4] = this.#authors.of(event && usernameOf(event));
    this.#length += fieldsPerEvent;
  }

  /** Events are of few kinds; to name one takes longer than all the rest. */
  #kindOf(event: EventRecord): string {
    const { push_data, note, action_name, target_type } = event;
    // What a work item is depends on its project, too.
    if (push_data || note || target_type === 'WorkItem') {
      return eventKind(event);
    }
    const ofAction = this.#kindNames.get(action_name) ?? new Map<unknown, string>();
    const known = ofAction.get(target_type) ?? eventKind(event);
    this.#kindNames.set(action_name, ofAction.set(target_type, known));
    return known;
  }
}

/**
 * What clocks show at a moment, as if they showed UTC. The offset of a zone is asked for once a day, and each quarter of an hour
 * of days on which it changes: that costs a thousand times as much as an addition.
 *
 * @param timeZone an IANA name; the reader's own by default.
 */
export function localTime(timeZone?: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const known = new Map<number, number>();
  const offsetAt = (time: number): number => {
    const offset = known.get(time);
    if (offset !== undefined) {
      return offset;
    }
    // In Swedish, dates are written as ISO 8601 has them.
    const found = Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - time;
    known.set(time, Number.isNaN(found) ? 0 : found);
    return known.get(time) ?? 0;
  };
  /** By day; NaN for one on which it changes. */
  const ofDays = new Map<number, number>();
  return (time) => {
    if (Number.isNaN(time)) {
      return time;
    }
    const midnight = Math.floor(time / millisecondsPerDay) * millisecondsPerDay;
    let offset = ofDays.get(midnight);
    if (offset === undefined) {
      offset = offsetAt(midnight) === offsetAt(midnight + millisecondsPerDay) ? offsetAt(midnight) : Number.NaN;
      ofDays.set(midnight, offset);
    }
    return time + (Number.isNaN(offset) ? offsetAt(Math.floor(time / 900_000) * 900_000) : offset);
  };
}

/**
 * Whether a kind passes what a filter says about kinds. The instance filters by words of its own, which stand for several that
 * records have.
 *
 * @param kind see `eventKind`.
 * @see https://docs.gitlab.com/user/profile/contributions_calendar/#user-contribution-events
 */
export function kindPasses({ action, targetType, kind: wanted }: FeedFilter, kind: string | undefined): boolean {
  if (kind === undefined) {
    return true;
  }
  const [, verb = kind, type = ''] = /^(.+?)(?: ([A-Z]\S*))?$/s.exec(kind) ?? [];
  const [ofAction, ofType] =
    kind === 'push' ? ['pushed', ''] : kind === 'comment' ? ['commented', 'note'] : [verb, targetName(type)];
  return (
    (action === undefined || (verbs.get(action) ?? [action]).includes(ofAction)) &&
    (targetType === undefined || targetName(targetType) === ofType) &&
    (wanted === undefined || canonicalKind(wanted) === kind)
  );
}

const verbs: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['created', 'opened']],
  ['merged', ['accepted', 'merged']],
  ['destroyed', ['destroyed', 'deleted']],
  ['expired', ['expired', 'removed due to membership expiration from']],
]);

function targetName(type: string): string {
  const name = type.replaceAll(/_|Page.*|Management.*/g, '').toLowerCase();
  return name === 'workitem' ? 'issue' : name;
}
