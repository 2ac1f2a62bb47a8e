import * as vscode from 'vscode';
import { type Counts, dateOfDay, type DayRange, weekdayOf } from './count.ts';
import type { Chart, ChartName } from './messages.ts';

const { t } = vscode.l10n;

/** At most this many bars a chart has; the rest is in one, and in the table. */
const mostBars = 8;
const mostRowsOfTable = 500;
/** So many days are drawn one by one, at most and at least. */
const [mostDays, fewestDays] = [371, 28];

/** A name that events are counted by; one without an id cannot be chosen. */
export interface Name {
  readonly id: string | undefined;
  readonly label: string;
  readonly count: number;
  readonly isChosen: boolean;
}

/** The days as a calendar of weeks. It begins with the first day on which something happened. */
export function calendar({ days: counts }: Counts, { from, to }: DayRange, chosen: string | undefined): Chart {
  const firstEvent = Math.min(to - fewestDays + 1, ...counts.keys());
  const first = Math.max(from, firstEvent, to - mostDays + 1);
  const monday = first - weekdayOf(first);
  const columnOf = (day: number): number => Math.floor((day - monday) / 7);
  const [full, month] = [dateFormat({ dateStyle: 'full' }), dateFormat({ month: 'short' })];
  const days = Array.from({ length: to - first + 1 }, (_, index) => first + index);
  const levelOf = levels(days.map((day) => counts.get(day) ?? 0));
  const months = days.flatMap((day) =>
    day === first || dateOfDay(day).endsWith('-01') ? [[columnOf(day), month(day)] as const] : [],
  );
  // The first may be of a month that has begun before: it gives way to the next one.
  const headings = months.filter(([column], index) => (months[index + 1]?.[0] ?? Infinity) - column > 2);
  const marks = days.map((day) => ({
    id: dateOfDay(day),
    label: `${full(day)}: ${eventCount(counts.get(day) ?? 0)}`,
    isChosen: dateOfDay(day) === chosen,
    row: weekdayOf(day),
    column: columnOf(day),
    level: levelOf(counts.get(day) ?? 0),
  }));
  const rows = [...counts].sort(([one], [other]) => other - one).slice(0, mostRowsOfTable);
  return {
    name: 'days',
    title: t('Days'),
    drawing: {
      kind: 'grid',
      rows: weekdays().map((name, index) => (index % 2 === 0 ? name : '')),
      columns: headings,
      marks,
    },
    headings: [t('Day'), t('Events')],
    table: rows.map(([day, count]) => [full(day), numberLabel(count)]),
  };
}

/** The hours of a week. */
export function hoursOfWeek({ hours }: Counts): Chart {
  const [hour, long] = [dateFormat({ hour: 'numeric' }), dateFormat({ weekday: 'long', hour: 'numeric' })];
  const levelOf = levels(hours);
  const names = weekdays();
  return {
    name: 'hours',
    title: t('Hours by weekday'),
    drawing: {
      kind: 'grid',
      rows: names,
      columns: [0, 6, 12, 18].map((at) => [at, hour(0, at)]),
      marks: hours.map((count, place) => ({
        id: undefined,
        label: `${long(firstMonday + Math.floor(place / 24), place % 24)}: ${eventCount(count)}`,
        isChosen: false,
        row: Math.floor(place / 24),
        column: place % 24,
        level: levelOf(count),
      })),
    },
    headings: [t('Hour'), ...names],
    table: Array.from({ length: 24 }, (_, at) => [
      hour(0, at),
      ...names.map((_name, weekday) => numberLabel(hours[weekday * 24 + at] ?? 0)),
    ]),
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
  const marks = rest.length === 0 ? shown : [...shown, others];
  const most = Math.max(1, ...marks.map(({ count }) => count));
  return {
    name,
    title,
    drawing: {
      kind: 'bars',
      marks: marks.map(({ id, label, count, isChosen }) => ({
        id,
        isChosen,
        label: `${label}: ${eventCount(count)}`,
        name: label,
        value: numberLabel(count),
        share: count / most,
      })),
    },
    headings: [title, t('Events')],
    table: names.slice(0, mostRowsOfTable).map(({ label, count }) => [label, numberLabel(count)]),
  };
}

export function numberLabel(value: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(value);
}

export function eventCount(count: number): string {
  return count === 1 ? t('1 event') : t('{0} events', numberLabel(count));
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

/** 1970-01-05. */
const firstMonday = 4;

function weekdays(): string[] {
  const weekday = dateFormat({ weekday: 'short' });
  return [0, 1, 2, 3, 4, 5, 6].map((index) => weekday(firstMonday + index));
}

function dateFormat(options: Intl.DateTimeFormatOptions): (day: number, hour?: number) => string {
  const format = new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone: 'UTC' });
  return (day, hour = 12) => format.format((day * 24 + hour) * 3_600_000);
}
