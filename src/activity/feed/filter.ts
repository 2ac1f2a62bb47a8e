import * as vscode from 'vscode';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import { addDays, calendarDate, type Period, readPeriod } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { actionLabel, eventKind, kindLabel, usernameOf } from '../events/eventLabel.ts';
import { targetOf, targetTypeLabel } from '../events/targets.ts';

/** Which events of a feed to show, and in what order. All conditions hold together; an absent one lets everything pass. */
export interface FeedFilter {
  /** As the instance filters by, such as `pushed`: any of them. */
  readonly actions?: readonly string[];
  /** As the instance filters by, such as `merge_request`: any of them. */
  readonly types?: readonly string[];
  /** The first day: a date, or a relative one such as `last week`, which moves on with time. */
  readonly since?: string;
  readonly until?: string;
  readonly order?: 'asc';
  readonly author?: string;
  /** An id and the path that it had when it was chosen. */
  readonly project?: { readonly id: number; readonly path: string };
  /** See `eventKind`. */
  readonly kind?: string;
}

export interface Today {
  readonly now: Date;
  readonly language: string;
  /** An IANA name; the reader's own by default. */
  readonly timeZone?: string;
}

/** A filter without conditions that say nothing. */
export function withoutEmpty(filter: {
  readonly [Name in keyof FeedFilter]: FeedFilter[Name] | undefined;
}): FeedFilter {
  const says = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => says(value)));
}

/** Whether a filter lets everything pass in the usual order. */
export function isEmptyFilter(filter: FeedFilter): boolean {
  return Object.keys(withoutEmpty(filter)).length === 0;
}

export function filterId(filter: FeedFilter): string {
  return JSON.stringify(Object.entries(withoutEmpty(filter)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The part of a filter that the instance knows. Its limits exclude the day that they name, by the instance's calendar, which
 * may be a day off the reader's: the request takes in one more day at either side, and `passes` leaves it out. Of several actions or
 * types it knows none.
 */
export function requestFilter(filter: FeedFilter, today: Today): EventFilter {
  const { actions = [], types = [], order } = filter;
  const { from, to } = daysOf(filter, today);
  const asked = {
    action: actions.length === 1 ? actions[0] : undefined,
    target_type: types.length === 1 ? types[0] : undefined,
    after: from === undefined ? undefined : addDays(from, -2),
    before: to === undefined ? undefined : addDays(to, 2),
    sort: order,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

/**
 * A test for what is left to do when the instance has filtered.
 *
 * @param isAll whether the instance has not, so that all conditions are tested.
 */
export function passes(filter: FeedFilter, today: Today, isAll = false): (event: EventRecord) => boolean {
  const { author, project, kind, actions = [], types = [] } = filter;
  const most = isAll ? 0 : 1;
  const { from, to } = daysOf(filter, today);
  const tests: ((event: EventRecord) => boolean)[] = [
    ...(from === undefined && to === undefined ? [] : [isBetween(from ?? '', to ?? '9999-12-31', today.timeZone)]),
    ...(author === undefined ? [] : [(event: EventRecord) => usernameOf(event) === author]),
    ...(project === undefined ? [] : [(event: EventRecord) => event.project_id === project.id]),
    ...(kind === undefined ? [] : [(event: EventRecord) => eventKind(event) === kind]),
    ...(actions.length > most ? [(event: EventRecord) => actions.some((action) => hasAction(event, action))] : []),
    ...(types.length > most ? [(event: EventRecord) => types.includes(typeOf(event))] : []),
  ];
  return (event) => tests.every((test) => test(event));
}

export function daysOf(
  { since = '', until = '' }: FeedFilter,
  { now, timeZone }: Today,
): Record<keyof Period, string | undefined> {
  return {
    from: readPeriod(since, now, timeZone)?.from,
    to: readPeriod(until, now, timeZone)?.to,
  };
}

function isBetween(from: string, to: string, timeZone: string | undefined): (event: EventRecord) => boolean {
  return ({ created_at: createdAt }) => {
    const time = Date.parse(createdAt ?? '');
    const date = Number.isNaN(time) ? undefined : calendarDate(new Date(time), timeZone);
    // An event is never hidden for what is wrong with it.
    return date === undefined || (date >= from && date <= to);
  };
}

/**
 * The words of records that the words of filters stand for.
 *
 * @see https://docs.gitlab.com/user/profile/contributions_calendar/#user-contribution-events
 */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['created', 'opened', 'imported', 'added']],
  ['merged', ['accepted', 'merged']],
  ['commented', ['commented on']],
  ['destroyed', ['destroyed', 'removed']],
  ['expired', ['expired', 'removed due to membership expiration from']],
]);

function hasAction({ push_data: push, action_name: name }: EventRecord, action: string): boolean {
  return push ? action === 'pushed' : (words.get(action) ?? [action]).includes(name);
}

function typeOf(event: EventRecord): string {
  return event.note ? 'note' : event.push_data ? '' : (targetOf(event).type?.name ?? '');
}

export function filterLabel({ actions, types, since, until, order, author, project, kind }: FeedFilter): string {
  const { t } = vscode.l10n;
  return [
    actions?.map(actionLabel).join(', '),
    types?.map(targetTypeLabel).join(', '),
    kind === undefined ? undefined : kindLabel(kind),
    author === undefined ? undefined : t('by @{0}', plainText(author)),
    project === undefined ? undefined : t('in {0}', project.path),
    spanLabel(since, until),
    order === 'asc' ? t('oldest first') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

function spanLabel(since: string | undefined, until: string | undefined): string | undefined {
  const { t } = vscode.l10n;
  if (since === undefined || since === until) {
    return since ?? (until === undefined ? undefined : t('until {0}', until));
  }
  return until === undefined ? t('since {0}', since) : t('{0} to {1}', since, until);
}

const mementoKey = 'activity.filters';

/** The filter of each feed, remembered across windows and restarts. */
export class FilterMemory implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  of(feedId: string): FeedFilter {
    return readFilter(this.#remembered[feedId]);
  }

  async set(feedId: string, filter: FeedFilter): Promise<void> {
    const { [feedId]: _, ...others } = this.#remembered;
    await this.#memento.update(mementoKey, isEmptyFilter(filter) ? others : { ...others, [feedId]: filter });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #remembered(): Readonly<Record<string, unknown>> {
    return this.#memento.get<Record<string, unknown>>(mementoKey, {});
  }
}

/** Reads a filter as it was remembered; conditions that are none are left out. */
export function readFilter(remembered: unknown): FeedFilter {
  const given = (typeof remembered === 'object' ? (remembered ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const day = (name: string): string | undefined => {
    const value = text(name);
    return value !== undefined && readPeriod(value, new Date()) ? value : undefined;
  };
  const texts = (name: string): readonly string[] => {
    const value = given[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, 30) : [];
  };
  const { id, path } = (given['project'] ?? {}) as { readonly id?: unknown; readonly path?: unknown };
  return withoutEmpty({
    actions: texts('actions'),
    types: texts('types'),
    since: day('since'),
    until: day('until'),
    author: text('author'),
    kind: text('kind'),
    order: given['order'] === 'asc' ? 'asc' : undefined,
    project: typeof id === 'number' && typeof path === 'string' ? { id, path } : undefined,
  });
}

/** The conditions for a kind of event: by the instance where it knows them, which finds older events at once. */
export function conditionsOfKind(kind: string): FeedFilter {
  switch (kind) {
    case 'push':
      return { actions: ['pushed'] };
    case 'comment':
      return { actions: ['commented'] };
    default:
      return { kind };
  }
}
