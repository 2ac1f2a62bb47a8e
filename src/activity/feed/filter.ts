import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import { addDays, calendarDate, noonOf, readPeriod } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { actionLabel, eventKind, kindLabel, usernameOf } from '../events/eventLabel.ts';
import { targetOf, targetTypeLabel } from '../events/targets.ts';

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

/** The limits that days have as they are typed: a day or a span, or two of them with `to` or dots between. */
export function limitsOf(typed: string): { readonly since: string; readonly until: string } {
  const [since = '', until = since] = typed.split(/ to |\.\.+|[–—～〜]/, 2);
  return { since, until };
}

export function daysOf({ since = '', until = '' }: FeedFilter, now: Date) {
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

/** As dates of the editor's language: what was typed may be words, which are English. */
function spanLabel(since: string | undefined, until: string | undefined): string | undefined {
  const { t } = vscode.l10n;
  const now = new Date();
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const first = since === undefined ? undefined : readPeriod(since, now)?.from;
  const last = until === undefined ? undefined : readPeriod(until, now)?.to;
  if (first !== undefined && last !== undefined) {
    return format.formatRange(noonOf(first), noonOf(last));
  }
  const only = first ?? last;
  const date = only === undefined ? undefined : format.format(noonOf(only));
  return date === undefined ? undefined : first === undefined ? t('until {0}', date) : t('since {0}', date);
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
