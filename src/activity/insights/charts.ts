import * as vscode from 'vscode';
import { eventCount, numberLabel } from '../events/eventLabel.ts';
import { type Counted, dateOfDay, type DayRange, weekdayOf } from './count.ts';
import type { Chart, ChartName } from './messages.ts';

const { t } = vscode.l10n;

/** At most this many bars a chart has; the rest is in one, and in the table. */
const mostBars = 8;
const mostRowsOfTable = 500;
/** A calendar has at least this many days, also where all events are newer. */
const fewestDays = 28;
/** 1970-01-05. */
const firstMonday = 4;

/** A name that events are counted by; one without an id cannot be chosen. */
export interface Name {
  readonly id: string | undefined;
  readonly label: string;
  readonly count: number;
  readonly isChosen: boolean;
}

/** How many events there are of each key. */
export function tally<Key>(events: readonly Counted[], keyOf: (event: Counted) => Key): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  events.forEach((event) => counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1));
  return counts;
}

/** The days as a calendar of weeks. It begins with the first day on which something happened. */
export function calendar(events: readonly Counted[], { from, to }: DayRange, chosen: string | undefined): Chart {
  const counts = tally(events, ({ day }) => day ?? Infinity);
  const first = Math.max(from, Math.min(to - fewestDays + 1, ...counts.keys()));
  const monday = first - weekdayOf(first);
  const [full, month] = [dateFormat({ dateStyle: 'full' }), dateFormat({ month: 'short' })];
  const days = Array.from({ length: to - first + 1 }, (_, index) => first + index);
  const levelOf = levels(days.map((day) => counts.get(day) ?? 0));
  const months = days
    .filter((day) => day === first || dateOfDay(day).endsWith('-01'))
    .map((day) => [Math.floor((day - monday) / 7), month(day)] as const);
  const marks = days.map((day) => {
    const number = counts.get(day) ?? 0;
    const column = Math.floor((day - monday) / 7);
    const place = { isChosen: dateOfDay(day) === chosen, row: weekdayOf(day), column, weight: levelOf(number) };
    return { ...markOf(dateOfDay(day), full(day), number), ...place };
  });
  return {
    name: 'days',
    title: t('Days'),
    kind: 'grid',
    rows: weekdays().map((name, index) => (index % 2 === 0 ? name : '')),
    // The first may be of a month that has begun before: it gives way to the next one.
    columns: months.filter(([column], index) => (months[index + 1]?.[0] ?? Infinity) - column > 2),
    marks,
    table: tableOf(marks.toReversed()),
  };
}

/** The hours of a week. */
export function hoursOfWeek(events: readonly Counted[]): Chart {
  const counts = tally(events, ({ hour }) => hour);
  const [hour, long] = [dateFormat({ hour: 'numeric' }), dateFormat({ weekday: 'long', hour: 'numeric' })];
  const hours = Array.from({ length: 7 * 24 }, (_, index) => counts.get(index) ?? 0);
  const levelOf = levels(hours);
  const marks = hours.map((number, index) => {
    const [row, column] = [Math.floor(index / 24), index % 24];
    return { ...markOf(undefined, long(firstMonday + row, column), number), row, column, weight: levelOf(number) };
  });
  return {
    name: 'hours',
    title: t('Hours by weekday'),
    kind: 'grid',
    rows: weekdays(),
    columns: [0, 6, 12, 18].map((at) => [at, hour(0, at)]),
    marks,
    table: tableOf(marks),
  };
}

/** The names that events are counted by, the most frequent first. */
export function bars(name: ChartName, title: string, all: readonly Name[]): Chart {
  const { compare } = new Intl.Collator(vscode.env.language);
  const names = all.toSorted((one, other) => other.count - one.count || compare(one.label, other.label));
  const shown = names.filter(({ isChosen }, index) => index < mostBars || isChosen);
  const rest = names.filter((one) => !shown.includes(one));
  const sum = rest.reduce((total, { count }) => total + count, 0);
  const others = { id: undefined, label: t('others ({0})', rest.length), count: sum, isChosen: false };
  const drawn = rest.length === 0 ? shown : [...shown, others];
  const most = Math.max(1, ...drawn.map(({ count }) => count));
  return {
    name,
    title,
    kind: 'bars',
    rows: [],
    columns: [],
    marks: drawn.map(({ id, label, count, isChosen }, row) => ({
      ...markOf(id, label, count),
      isChosen,
      row,
      weight: count / most,
    })),
    table: tableOf(names.map(({ id, label, count }) => markOf(id, label, count))),
  };
}

function markOf(id: string | undefined, name: string, count: number) {
  const label = `${name}: ${eventCount(count)}`;
  return { id, name, label, value: numberLabel(count), isChosen: false, row: 0, column: 0, weight: 0 };
}

function tableOf(marks: Chart['marks']): Chart['table'] {
  const zero = numberLabel(0);
  const rows = marks.filter(({ value }) => value !== zero).slice(0, mostRowsOfTable);
  return rows.map(({ name, value }) => [name, value]);
}

/**
 * The strength of values, 0 for none to 4: as many values have one as the other, so that a single large one does not make all others
 * look alike.
 */
function levels(values: readonly number[]): (value: number) => number {
  const present = values.filter((value) => value > 0).sort((one, other) => one - other);
  const limits = [0.25, 0.5, 0.75].map((part) => present[Math.floor(part * (present.length - 1))] ?? 0);
  const areEqual = present[0] === present.at(-1);
  return (value) => (value <= 0 ? 0 : areEqual ? 2 : 1 + limits.filter((limit) => value > limit).length);
}

function weekdays(): string[] {
  const weekday = dateFormat({ weekday: 'short' });
  return [0, 1, 2, 3, 4, 5, 6].map((index) => weekday(firstMonday + index));
}

function dateFormat(options: Intl.DateTimeFormatOptions): (day: number, hour?: number) => string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone: 'UTC' });
  return (day, hour = 12) => format.format((day * 24 + hour) * 3_600_000);
}
