import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';
import { addDays, calendarDate, daysBetween, noonOf, type Period } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { eventKind, kindLabel, momentOf, numberLabel } from '../events/eventLabel.ts';
import { usernameOf } from '../events/targets.ts';
import { conditionsOfKind, daysOf, type FeedFilter, isEmptyFilter, passes } from '../feed/filter.ts';
import { isMuted } from '../feed/readState.ts';

const { t } = vscode.l10n;

export const chartNames = ['days', 'hours', 'kinds', 'projects', 'people'] as const;
export type ChartName = (typeof chartNames)[number];

export interface Chart {
  readonly name: ChartName;
  readonly title: string;
  /** Bars one below the other, the longest first, or cells in the order of time, whose strength says how much there is. */
  readonly kind: 'bars' | 'grid';
  /** What stands before the rows of a grid, and above a column by its number. */
  readonly rows: readonly string[];
  readonly columns: readonly (readonly [number, string])[];
  readonly marks: readonly Mark[];
}

/** At most this many bars a chart has; the rest is in one. */
const mostBars = 100;
/** A calendar has at least this many days, also where all events are newer. */
const fewestDays = 28;
const anyMonday = '2026-11-02';

/** What is counted of an event; undefined is what the instance does not say. */
export interface Counted {
  readonly event: EventRecord;
  /** The date, and the hour of the week from Monday, by the reader's clock. */
  readonly days: string | undefined;
  readonly hours: number | undefined;
  readonly kinds: string;
  readonly projects: number | undefined;
  readonly people: string | undefined;
}

export function countedOf(event: EventRecord): Counted {
  const moment = momentOf(event);
  return {
    event,
    days: moment && calendarDate(moment),
    hours: moment && ((moment.getDay() + 6) % 7) * 24 + moment.getHours(),
    kinds: eventKind(event),
    projects: event.project_id ?? undefined,
    people: usernameOf(event),
  };
}

/** The conditions of a filter that each chart stands for, and what choosing a mark of it makes of them. */
const conditions: Readonly<Record<ChartName, readonly (keyof FeedFilter)[]>> = {
  days: ['since', 'until'],
  hours: [],
  kinds: ['actions', 'types', 'kind'],
  projects: ['project'],
  people: ['author'],
};

/** The filter with what was chosen in a chart in the place of what it had of that sort; without it if it was chosen before. */
export function choose(filter: FeedFilter, chart: ChartName, id: string, pathOf: PathOf): FeedFilter {
  const made: Readonly<Record<ChartName, FeedFilter>> = {
    days: /^\d{4}-\d\d-\d\d$/.test(id) ? { since: id, until: id } : {},
    hours: {},
    kinds: conditionsOfKind(id),
    projects: { project: { id: Number(id), path: pathOf(Number(id)) ?? filter.project?.path ?? id } },
    people: { author: id },
  };
  const before = JSON.stringify(ownOf(filter, chart));
  const others = Object.entries(filter).filter(([name]) => !conditions[chart].includes(name as keyof FeedFilter));
  return { ...Object.fromEntries(others), ...(JSON.stringify(made[chart]) === before ? {} : made[chart]) };
}

function ownOf(filter: FeedFilter, chart: ChartName): FeedFilter {
  return Object.fromEntries(
    conditions[chart].flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])),
  );
}

type PathOf = (id: number) => string | undefined;

export interface Selection extends Period {
  readonly filter: FeedFilter;
  /** As `Reading` has it. */
  readonly muted: ReadonlySet<string>;
  readonly now: Date;
  readonly pathOf: PathOf;
}

/**
 * The charts of a period, with how many events it has, how many of them pass the filter, and how many are muted or have no time. A chart
 * has the events that pass all conditions but its own, so that what else could be chosen in it stays to be seen.
 */
export function count(events: readonly Counted[], { filter, muted, now, pathOf, ...period }: Selection) {
  const chosenDays = daysOf(filter, now);
  const tests = chartNames.map((name) => {
    const isPassing = passes(ownOf(filter, name), now, true);
    return { name, test: (one: Counted) => (name === 'days' ? isIn(chosenDays, one) : isPassing(one.event)) };
  });
  const ofPeriod = events.filter((one) => isIn(period, one));
  const all = ofPeriod.filter(({ event }) => !isMuted(muted, event));
  // By the chart whose conditions alone they fail.
  const failing = Map.groupBy(all, (one) => {
    const failed = tests.filter(({ test }) => !test(one));
    return failed.length > 1 ? 'several' : failed[0]?.name;
  });
  const chosen = failing.get(undefined) ?? [];
  const but = (own: ChartName): Counted[] => [...chosen, ...(failing.get(own) ?? [])];
  /** How often each value is there, and whether the filter asks for it. */
  const marksOf = (name: 'kinds' | 'projects' | 'people', labelOf: (value: string) => string, none = ''): Mark[] => {
    const isFiltered = !isEmptyFilter(ownOf(filter, name));
    const values = new Set(isFiltered ? chosen.map((one) => one[name]) : []);
    return [...tally(but(name), name)].map(([value, number]) =>
      value === undefined
        ? markOf(undefined, none, number)
        : markOf(String(value), labelOf(String(value)), number, values.has(value)),
    );
  };
  const projectLabel = (id: string): string => pathOf(Number(id)) ?? t('Project {0}', id);
  const personLabel = (name: string): string => plainText(name, 100);
  const charts: readonly Chart[] = [
    calendar(but('days'), period, filter.since === filter.until ? filter.since : undefined),
    hoursOfWeek(but('hours')),
    bars('kinds', t('Kinds of events'), marksOf('kinds', kindLabel)),
    bars('projects', t('Projects'), marksOf('projects', projectLabel, t('Outside of projects'))),
    bars('people', t('People'), marksOf('people', personLabel, t('Deleted or unknown users'))),
  ];
  return {
    charts,
    all: all.length,
    chosen: chosen.length,
    muted: ofPeriod.length - all.length,
    undated: all.filter((one) => one.days === undefined).length,
  };
}

/** What has no time is never left out. */
function isIn({ from = '', to = '9999-12-31' }: ReturnType<typeof daysOf>, { days }: Counted): boolean {
  return days === undefined || (days >= from && days <= to);
}

function tally<Name extends ChartName>(events: readonly Counted[], name: Name): ReadonlyMap<Counted[Name], number> {
  const counts = new Map<Counted[Name], number>();
  events.forEach((one) => counts.set(one[name], (counts.get(one[name]) ?? 0) + 1));
  return counts;
}

/** The days as a calendar of weeks. It begins with the first day on which something happened. */
function calendar(events: readonly Counted[], { from, to }: Period, chosen: string | undefined): Chart {
  const counts = tally(events, 'days');
  const least = addDays(to, 1 - fewestDays);
  const first = [...counts.keys()].reduce<string>((early, day = early) => (day < early ? day : early), least);
  const begin = first < from ? from : first;
  const offset = (noonOf(begin).getUTCDay() + 6) % 7;
  const columnOf = (index: number): number => Math.floor((index + offset) / 7);
  const [full, month] = [dateFormat({ dateStyle: 'full' }), dateFormat({ month: 'short' })];
  const days = Array.from({ length: daysBetween(to, begin) + 1 }, (_, index) => addDays(begin, index));
  const months = days.flatMap((day, index) =>
    index === 0 || day.endsWith('-01') ? [[columnOf(index), month(day)] as const] : [],
  );
  return {
    name: 'days',
    title: t('Days'),
    kind: 'grid',
    rows: weekdays().map((name, index) => (index % 2 === 0 ? name : '')),
    // The first may be of a month that has begun before: it gives way to the next one.
    columns: months.filter(([column], index) => (months[index + 1]?.[0] ?? Infinity) - column > 2),
    marks: withWeights(
      days.map((day, index) => ({
        ...markOf(day, full(day), counts.get(day) ?? 0, day === chosen),
        row: (index + offset) % 7,
        column: columnOf(index),
      })),
    ),
  };
}

function hoursOfWeek(events: readonly Counted[]): Chart {
  const counts = tally(events, 'hours');
  const [short, long] = [dateFormat({ hour: 'numeric' }), dateFormat({ weekday: 'long', hour: 'numeric' })];
  const marks = Array.from({ length: 7 * 24 }, (_, index) => {
    const [row, column] = [Math.floor(index / 24), index % 24];
    return { ...markOf(undefined, long(addDays(anyMonday, row), column), counts.get(index) ?? 0), row, column };
  });
  return {
    name: 'hours',
    title: t('Hours by weekday'),
    kind: 'grid',
    rows: weekdays(),
    columns: [0, 6, 12, 18].map((at) => [at, short(anyMonday, at)]),
    marks: withWeights(marks),
  };
}

function bars(name: ChartName, title: string, values: readonly Mark[]): Chart {
  const { compare } = new Intl.Collator(vscode.env.language);
  const all = values.toSorted((one, other) => other.count - one.count || compare(one.name, other.name));
  const shown = all.filter(({ isChosen }, index) => index < mostBars || isChosen);
  const rest = all.filter((one) => !shown.includes(one));
  const sum = rest.reduce((total, one) => total + one.count, 0);
  const others = rest.length === 0 ? [] : [markOf(undefined, t('others ({0})', numberLabel(rest.length)), sum)];
  const drawn = [...shown, ...others];
  const most = Math.max(...drawn.map((one) => one.count));
  const marks = drawn.map((mark) => ({ ...mark, weight: mark.count / most }));
  return { name, title, kind: 'bars', rows: [], columns: [], marks };
}

export type Mark = Readonly<ReturnType<typeof markOf>>;

/**
 * What stands for a number in a chart; one without an id cannot be chosen. The weight of a bar is its share of the longest one, that of a
 * cell 0 to 4.
 */
function markOf(id: string | undefined, name: string, number: number, isChosen = false) {
  return { id, name, value: numberLabel(number), count: number, isChosen, row: 0, column: 0, weight: 0 };
}

/** As many cells have one strength as the other, so that a single large number does not make all others look alike. */
function withWeights(marks: readonly Mark[]): readonly Mark[] {
  const present = marks.flatMap((mark) => (mark.count > 0 ? mark.count : [])).sort((one, other) => one - other);
  const limits = [0.25, 0.5, 0.75].map((part) => present[Math.floor(part * (present.length - 1))] ?? 0);
  const areEqual = present[0] === present.at(-1);
  const weightOf = (value: number): number =>
    value <= 0 ? 0 : areEqual ? 2 : 1 + limits.filter((limit) => value > limit).length;
  return marks.map((mark) => ({ ...mark, weight: weightOf(mark.count) }));
}

function weekdays(): string[] {
  const weekday = dateFormat({ weekday: 'short' });
  return [0, 1, 2, 3, 4, 5, 6].map((index) => weekday(addDays(anyMonday, index)));
}

function dateFormat(options: Intl.DateTimeFormatOptions): (date: string, hour?: number) => string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone: 'UTC' });
  return (date, hour = 12) => format.format(noonOf(date).setUTCHours(hour));
}
