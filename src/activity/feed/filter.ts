import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import { addDays, calendarDate, noonOf, readPeriod } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { actionLabel, eventKind, kindLabel, listLabel } from '../events/eventLabel.ts';
import { targetOf, targetTypeLabel, usernameOf } from '../events/targets.ts';

/** A condition as it was remembered; one that is none is left out. */
function condition<T extends z.core.SomeType>(schema: T) {
  return orElse(z.optional(schema), undefined);
}

const words = condition(z.array(z.string()).check(z.maxLength(30)));
/** A date, or a relative day such as `last week`, which moves on with time. */
const day = condition(z.string().check(z.refine((text) => readPeriod(text, new Date()) !== undefined)));
const filterSchema = z.object({
  /** As the instance filters by, such as `pushed` and `merge_request`: any of them. */
  actions: words,
  types: words,
  since: day,
  until: day,
  order: condition(z.literal('asc')),
  author: condition(z.string()),
  /** An id and the path that it had when it was chosen. */
  project: condition(z.object({ id: z.number(), path: z.string() })),
  /** See `eventKind`. */
  kind: condition(z.string()),
});

/** Which events of a feed to show, and in what order. All conditions hold together; an absent one lets everything pass. */
export type FeedFilter = Readonly<Partial<z.infer<typeof filterSchema>>>;

export function withoutEmpty(filter: FeedFilter): FeedFilter {
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
export function requestFilter(filter: FeedFilter, now: Date): EventFilter {
  const { actions = [], types = [], order } = filter;
  const { from, to } = daysOf(filter, now);
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
export function passes(filter: FeedFilter, now: Date, isAll = false): (event: EventRecord) => boolean {
  const { author, project, kind, actions = [], types = [] } = filter;
  const most = isAll ? 0 : 1;
  const { from, to } = daysOf(filter, now);
  const tests: ((event: EventRecord) => boolean)[] = [
    ...(from === undefined && to === undefined ? [] : [isBetween(from ?? '', to ?? '9999-12-31')]),
    ...(author === undefined ? [] : [(event: EventRecord) => usernameOf(event) === author]),
    ...(project === undefined ? [] : [(event: EventRecord) => event.project_id === project.id]),
    ...(kind === undefined ? [] : [(event: EventRecord) => eventKind(event) === kind]),
    ...(actions.length > most ? [(event: EventRecord) => actions.some((action) => hasAction(event, action))] : []),
    ...(types.length > most ? [(event: EventRecord) => types.includes(typeOf(event))] : []),
  ];
  return (event) => tests.every((test) => test(event));
}

/** The limits that days have as they are typed: a day or a span, two of them with `to` or dots between, or one after `since` or `until`. */
export function limitsOf(typed: string): FeedFilter {
  const [, limit, only] = /^\s*(since|until)\s+(.+)$/i.exec(typed) ?? [];
  if (limit !== undefined) {
    return { [limit.toLowerCase()]: only };
  }
  const [since = '', until = since] = typed.split(/ to |\.\.+|[–—～〜]/, 2);
  return { since, until };
}

/** Days from one to another, of which either may be left open. */
export type Span = Partial<Record<'from' | 'to', string | undefined>>;

export function daysOf({ since = '', until = '' }: FeedFilter, now: Date): Span {
  return { from: readPeriod(since, now)?.from, to: readPeriod(until, now)?.to };
}

function isBetween(from: string, to: string): (event: EventRecord) => boolean {
  return ({ created_at: createdAt }) => {
    const time = Date.parse(createdAt ?? '');
    const date = Number.isNaN(time) ? undefined : calendarDate(new Date(time));
    // An event is never hidden for what is wrong with it.
    return date === undefined || (date >= from && date <= to);
  };
}

/**
 * The words of records that the words of filters stand for.
 *
 * @see https://docs.gitlab.com/user/profile/contributions_calendar/#user-contribution-events
 */
const actionNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['created', 'opened', 'imported', 'added']],
  ['merged', ['accepted', 'merged']],
  ['commented', ['commented on']],
  ['destroyed', ['destroyed', 'removed']],
  ['expired', ['expired', 'removed due to membership expiration from']],
]);

function hasAction({ push_data: push, note, action_name: name }: EventRecord, action: string): boolean {
  // As `eventKind` has it, whatever the instance calls them.
  const own = push ? 'pushed' : note ? 'commented' : undefined;
  return own === undefined ? (actionNames.get(action) ?? [action]).includes(name) : action === own;
}

function typeOf(event: EventRecord): string {
  return event.note ? 'note' : event.push_data ? '' : (targetOf(event).type?.name ?? '');
}

export function filterLabel(filter: FeedFilter, now: Date): string {
  const { t } = vscode.l10n;
  const { actions, types, order, author, project, kind } = filter;
  return [
    actions && listLabel(actions.map(actionLabel)),
    types && listLabel(types.map(targetTypeLabel)),
    kind === undefined ? undefined : kindLabel(kind),
    author === undefined ? undefined : t('by @{0}', plainText(author)),
    project === undefined ? undefined : t('in {0}', project.path),
    spanLabel(daysOf(filter, now)),
    order === 'asc' ? t('oldest first') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** As dates of the editor's language, such as `Nov 16 – 20, 2026`: what was typed may be words, which are English. */
export function spanLabel({ from, to }: Span, dateStyle: 'medium' | 'long' = 'medium'): string {
  const { t } = vscode.l10n;
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle, timeZone: 'UTC' });
  if (from !== undefined && to !== undefined) {
    return format.formatRange(noonOf(from), noonOf(to));
  }
  const until = to === undefined ? '' : t('until {0}', format.format(noonOf(to)));
  return from === undefined ? until : t('since {0}', format.format(noonOf(from)));
}

export function readFilter(remembered: unknown): FeedFilter {
  return withoutEmpty(filterSchema.safeParse(remembered).data ?? {});
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
