import type { Dialect } from '../dialect.ts';
import { classesOf, eventActions, eventTargetTypes, liveTarget } from '../state/eventWords.ts';
import type { Event } from '../state/model.ts';

const day = 86_400_000;

/** Which events of a feed are asked for, and in what order (section 4.4). */
export interface EventFilter {
  /** Undefined if no filter is given: every event passes, without being looked at. */
  readonly accepts: ((event: Event) => boolean) | undefined;
  readonly ascending: boolean;
}

/**
 * Reads the filters out of a query. An empty value counts as none.
 *
 * @returns the filter, or a sentence that says which values are bad.
 */
export function readEventFilter(query: (name: string) => string | undefined, dialect: Dialect): EventFilter | string {
  const problems: string[] = [];
  const value = (name: string) => query(name) || undefined;
  const oneOf = (name: string, allowed: readonly string[]) => {
    const given = value(name);
    if (given !== undefined && !allowed.includes(given)) {
      problems.push(`${name} does not have a valid value`);
    }
    return given;
  };
  const date = (name: string) => {
    const given = value(name);
    const start = given === undefined ? undefined : startOfDay(given);
    if (given !== undefined && start === undefined) {
      problems.push(`${name} is invalid`);
    }
    return start;
  };
  const action = oneOf('action', eventActions);
  const types = classesOf(oneOf('target_type', Object.keys(eventTargetTypes)) ?? '', dialect);
  const targetOf = dialect === 'live' ? liveTarget : ({ target }: Event) => target;
  const [before, after] = [date('before'), date('after')];
  const ascending = oneOf('sort', ['asc', 'desc']) === 'asc';
  if (problems.length > 0) {
    return problems.join(', ');
  }
  const tests: ((event: Event) => boolean)[] = [
    ...(action === undefined ? [] : [(event: Event) => event.action === action]),
    ...(types === undefined ? [] : [(event: Event) => types.includes(targetOf(event)?.type ?? '')]),
    ...(before === undefined ? [] : [({ createdAt }: Event) => createdAt.getTime() < before]),
    // Neither limit lets the day pass that it names.
    ...(after === undefined ? [] : [({ createdAt }: Event) => createdAt.getTime() >= after + day]),
  ];
  return { accepts: tests.length > 0 ? (event) => tests.every((test) => test(event)) : undefined, ascending };
}

/** The time at which a day starts in UTC, the sandbox's time zone. Days may be written `2016-12-1` and have a time after them. */
function startOfDay(text: string): number | undefined {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || dayOfMonth === undefined) {
    return undefined;
  }
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth ? date.getTime() : undefined;
}
