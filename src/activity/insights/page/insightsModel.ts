import { Chart, type ChartData, type ChartTable } from '../../../webviews/page/charts.ts';
import type { Bar, Cell } from '../../../webviews/page/chartLayout.ts';
import { Host } from '../../../webviews/page/page.ts';
import { feedId, type FeedRef } from '../../feed/feedRef.ts';
import {
  aggregate,
  type Counts,
  dateOfDay,
  dayNumber,
  type DayRange,
  fieldsPerEvent,
  hourOfWeek,
  mondayOf,
  noDay,
  weekdayOf,
} from '../aggregate.ts';
import type { FilterChange, FromInsights } from '../fromInsights.ts';
import type { FilterState, InsightsState, Name, PeriodChoice, ToInsights } from '../messages.ts';

/** So many bars a chart has; the rest is in one, and in the table. */
const mostBars = 8;
const mostRowsOfTable = 500;
/** So many days are drawn one by one. */
const mostDays = 371;
/** No events are older, whatever they say. */
const longestPeriod = 40_000;

/** What is kept for when the page is built again, also after a reload of the window: the host reads feed and period of it. */
interface Kept {
  readonly feed: FeedRef;
  readonly period: PeriodChoice;
  readonly local: readonly NameKind[];
}

type NameKind = 'kind' | 'project' | 'author';

const monthFormat = { month: 'short' } as const;
const fullFormat = { dateStyle: 'full' } as const;
const weekdayFormat = { weekday: 'short' } as const;
const hourFormat = { weekday: 'long', hour: 'numeric' } as const;

/** A format of dates with what it has written. */
interface DateTexts {
  readonly format: Intl.DateTimeFormat;
  readonly known: Map<number, string>;
}

interface NameCount {
  readonly place: number;
  readonly count: number;
  readonly label: string;
}

/** A chart with what it shows now. */
export interface View {
  readonly chart: Chart;
  readonly title: string;
  readonly note?: string;
  readonly data: ChartData;
  readonly table: () => ChartTable;
}

/** The state of the page: the events as numbers, what is chosen among them, and the charts of that. */
export class InsightsModel {
  readonly #host = new Host<ToInsights, FromInsights, Kept>(2);
  readonly l10n = this.#host.l10n;
  readonly language = document.documentElement.lang;
  readonly #onChange: () => void;
  readonly #dates = new Map<Intl.DateTimeFormatOptions, DateTexts>();
  readonly #number = new Intl.NumberFormat(this.language);
  readonly #collator = new Intl.Collator(this.language);
  readonly #charts: Readonly<Record<'calendar' | 'hours' | 'kinds' | 'projects' | 'authors', Chart>>;
  state: InsightsState | undefined;
  #rows = new Int32Array(0);
  #length = 0;
  #firstDay = Infinity;
  /** What filters the charts alone, because the feed has no filter for it. */
  readonly #local = new Set<NameKind>();
  /** The filter as it will be when the host has answered. */
  #expected: { readonly number: number; readonly filter: FilterState } | undefined;
  #sent = 0;
  #drawn: { readonly counts: Counts; readonly views: readonly View[] } | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const { first, kept } = this.#host;
    const { state } = first;
    if (state?.type === 'state') {
      this.state = state;
      if (kept && feedId(kept.feed) === feedId(state.ref)) {
        kept.local.forEach((by) => this.#local.add(by));
      }
    }
    const chart = (id: string, onChoose?: (id: string) => void): Chart =>
      new Chart({ id, l10n: this.l10n, language: this.language, onChange, ...(onChoose ? { onChoose } : {}) });
    this.#charts = {
      calendar: chart('calendar', (id) => this.#chooseDays({ from: Number(id), to: Number(id) })),
      hours: chart('hours'),
      kinds: chart('kinds', (id) => this.#chooseName('kind', id)),
      projects: chart('projects', (id) => this.#chooseName('project', id)),
      authors: chart('people', (id) => this.#chooseName('author', id)),
    };
    this.#host.listen((message) => this.#take(message));
    this.send({ type: 'ready' });
  }

  get counts(): Counts | undefined {
    return this.#current?.counts;
  }

  get views(): readonly View[] {
    return this.#current?.views ?? [];
  }

  /** What changed, for screen readers. */
  get sentence(): string {
    const { state, counts, l10n } = this;
    if (!state || !counts) {
      return '';
    }
    return state.phase === 'reading'
      ? l10n.t('Reading events…')
      : l10n.t('{0} of {1} events', this.numberLabel(counts.chosen), this.numberLabel(counts.all));
  }

  /** What filters the charts, but not the feed, as labels. */
  get localConditions(): readonly string[] {
    return [...this.#local].map((by) => this.#names(by).find(({ isKnown }) => !isKnown)?.label ?? '');
  }

  numberLabel(value: number): string {
    return this.#number.format(value);
  }

  send(message: FromInsights): void {
    this.#host.send(message);
  }

  clearLocal(): void {
    this.#local.clear();
    this.#changed();
  }

  #take(message: ToInsights): void {
    if (message.type === 'state') {
      this.state = message;
      if (this.#expected && message.answered >= this.#expected.number) {
        this.#expected = undefined;
      }
    } else {
      this.#add(message.from * fieldsPerEvent, message.rows);
    }
    this.#changed();
  }

  #add(start: number, rows: Int32Array): void {
    if (start > this.#length) {
      // Something was missed.
      this.send({ type: 'ready' });
      return;
    }
    const end = start + rows.length;
    if (end > this.#rows.length) {
      const larger = new Int32Array(end * 2);
      larger.set(this.#rows.subarray(0, start));
      this.#rows = larger;
    }
    this.#rows.set(rows, start);
    this.#length = end;
    this.#firstDay = start === 0 ? Infinity : this.#firstDay;
    for (let at = 0; at < rows.length; at += fieldsPerEvent) {
      const day = rows[at] ?? noDay;
      if (day !== noDay && day < this.#firstDay) {
        this.#firstDay = day;
      }
    }
  }

  #changed(): void {
    this.#drawn = undefined;
    if (this.state) {
      const { ref, period } = this.state;
      this.#host.keep({ feed: ref, period, local: [...this.#local] });
    }
    this.#onChange();
  }

  get #filter(): FilterState | undefined {
    return this.#expected?.filter ?? this.state?.filter;
  }

  get #period(): DayRange {
    const { period = '365', today = '' } = this.state ?? {};
    const to = dayNumber(today);
    const from = period === 'kept' ? Math.min(to, this.#firstDay) : to + 1 - Number(period);
    return { from: Math.max(from, to - longestPeriod), to };
  }

  #names(by: NameKind): readonly Name[] {
    const { kinds = [], projects = [], authors = [] } = this.state?.names ?? {};
    return { kind: kinds, project: projects, author: authors }[by];
  }

  #chooseDays(days: DayRange): void {
    const { days: chosen = null } = this.#filter ?? {};
    const isChosen = chosen?.from === days.from && chosen.to === days.to;
    const [from, to] = isChosen ? [null, null] : [dateOfDay(days.from), dateOfDay(days.to)];
    this.#ask({ by: 'days', from, to }, { days: isChosen ? null : days });
  }

  #chooseName(by: NameKind, id: string): void {
    const place = Number(id);
    const name = this.#names(by)[place];
    if (!name) {
      return;
    }
    const field = ({ kind: 'kinds', project: 'projects', author: 'authors' } as const)[by];
    const chosen = this.#filter?.[field] ?? null;
    const isChosen = this.#local.has(by) ? !name.isKnown : chosen?.includes(place) === true;
    this.#local.delete(by);
    if (!isChosen && !name.isKnown) {
      this.#local.add(by);
    }
    const asked = isChosen || !name.isKnown ? null : place;
    if (asked !== null || chosen !== null) {
      this.#ask({ by, place: asked }, { [field]: asked === null ? null : [asked] });
    } else {
      this.#changed();
    }
  }

  /** Asks for another filter of the feed, and shows at once what will come of it. */
  #ask(change: FilterChange, filter: Partial<FilterState>): void {
    const { state } = this;
    if (state) {
      const number = (this.#sent = Math.max(this.#sent, state.answered) + 1);
      this.#expected = { number, filter: { ...(this.#filter ?? state.filter), ...filter } };
      this.send({ type: 'filter', number, change });
      this.#changed();
    }
  }

  get #current(): { readonly counts: Counts; readonly views: readonly View[] } | undefined {
    const { state } = this;
    const filter = this.#filter;
    if (!state || !filter) {
      return undefined;
    }
    if (!this.#drawn) {
      const { kinds, projects, authors } = state.names;
      const placesOf = (by: NameKind, chosen: readonly number[] | null): ReadonlySet<number> | undefined => {
        const places = this.#local.has(by) ? [this.#names(by).findIndex(({ isKnown }) => !isKnown)] : chosen;
        return places === null ? undefined : new Set(places);
      };
      const selection = {
        period: this.#period,
        days: filter.days ?? undefined,
        muted: state.muted,
        kinds: placesOf('kind', filter.kinds),
        projects: placesOf('project', filter.projects),
        authors: placesOf('author', filter.authors),
      };
      const sizes = { kinds: kinds.length, projects: projects.length, authors: authors.length };
      const counts = aggregate(this.#rows, this.#length, sizes, selection);
      this.#drawn = { counts, views: this.#viewsOf(counts, selection) };
    }
    return this.#drawn;
  }

  #viewsOf(counts: Counts, selection: Parameters<typeof aggregate>[3]): readonly View[] {
    const { l10n } = this;
    return [
      this.#calendar(counts, selection.days),
      this.#hoursOfWeek(counts),
      this.#bars(this.#charts.kinds, l10n.t('Kinds of events'), 'kind', counts.kinds, selection.kinds),
      this.#bars(this.#charts.projects, l10n.t('Projects'), 'project', counts.projects, selection.projects),
      this.#bars(this.#charts.authors, l10n.t('People'), 'author', counts.authors, selection.authors),
    ];
  }

  #calendar({ days: counts }: Counts, chosen: DayRange | undefined): View {
    const { l10n } = this;
    const { from, to } = this.#period;
    const first = Math.max(from, to - mostDays + 1);
    const monday = mondayOf(first);
    const days = Array.from({ length: to - first + 1 }, (_, index) => first + index);
    const isChosen = (day: number): boolean =>
      chosen !== undefined && day >= chosen.from && day <= chosen.to && (chosen.from > first || chosen.to < to);
    const countOf = (day: number): number => counts[day - from] ?? 0;
    const months = new Map<number, string>();
    for (const day of days) {
      const date = dateOfDay(day);
      const column = (mondayOf(day) - monday) / 7;
      if (date.endsWith('-01') || day === first) {
        months.set(column, this.#date(day, monthFormat));
      }
    }
    const title = l10n.t('Days');
    return {
      chart: this.#charts.calendar,
      title,
      ...(first > from ? { note: l10n.t('The last year of the period') } : {}),
      data: {
        kind: 'grid',
        wraps: true,
        rows: [0, 1, 2, 3, 4, 5, 6].map((weekday) => (weekday % 2 === 0 && weekday < 5 ? this.#weekday(weekday) : '')),
        columns: months,
        cells: days.map((day): Cell => ({
          id: String(day),
          row: weekdayOf(day),
          column: (mondayOf(day) - monday) / 7,
          value: countOf(day),
          label: `${this.#fullDate(day)}: ${this.#events(countOf(day))}`,
          isChosen: isChosen(day),
        })),
      },
      table: () => ({
        headings: [l10n.t('Day'), l10n.t('Events')],
        rows: days
          .filter((day) => countOf(day) > 0)
          .map((day) => [this.#fullDate(day), this.numberLabel(countOf(day))])
          .reverse(),
      }),
    };
  }

  #hoursOfWeek({ hours }: Counts): View {
    const { l10n } = this;
    const places = Array.from({ length: 7 * 24 }, (_, place) => place);
    const countOf = (place: number): number => hours[place] ?? 0;
    const title = l10n.t('Hours by weekday');
    const hour = new Intl.DateTimeFormat(this.language, { hour: 'numeric', timeZone: 'UTC' });
    return {
      chart: this.#charts.hours,
      title,
      data: {
        kind: 'grid',
        wraps: false,
        rows: [0, 1, 2, 3, 4, 5, 6].map((weekday) => this.#weekday(weekday)),
        columns: new Map([0, 6, 12, 18].map((at) => [at, hour.format(at * 3_600_000)])),
        cells: places.map((place): Cell => ({
          id: String(place),
          row: Math.floor(place / 24),
          column: place % 24,
          value: countOf(place),
          label: `${this.#hourLabel(place)}: ${this.#events(countOf(place))}`,
        })),
      },
      table: () => ({
        headings: [l10n.t('Hour'), ...[0, 1, 2, 3, 4, 5, 6].map((weekday) => this.#weekday(weekday))],
        rows: Array.from({ length: 24 }, (_, at) => [
          hour.format(at * 3_600_000),
          ...[0, 1, 2, 3, 4, 5, 6].map((weekday) => this.numberLabel(countOf(hourOfWeek(weekday - 3, at)))),
        ]),
      }),
    };
  }

  #bars(chart: Chart, title: string, by: NameKind, counts: Uint32Array, chosen: ReadonlySet<number> | undefined): View {
    const { l10n } = this;
    const names = this.#names(by);
    const isOfFilter = chosen !== undefined && chosen.size <= mostBars;
    const present = Array.from(counts, (count, place) => ({ place, count, label: names[place]?.label ?? '' })).filter(
      ({ place, count }) => count > 0 || (isOfFilter && chosen.has(place)),
    );
    const order = (one: NameCount, other: NameCount): number =>
      other.count - one.count || this.#collator.compare(one.label, other.label);
    const leading = firstOf(present, mostBars, order);
    const top = isOfFilter
      ? [...leading, ...present.filter((one) => chosen.has(one.place) && !leading.includes(one)).sort(order)]
      : leading;
    const others = present.length - top.length;
    const rest = totalOf(present) - totalOf(top);
    const bars: Bar[] = top.map(({ place, count, label }) => ({
      ...{ id: String(place), label, values: [count], isChosen: chosen?.has(place) ?? false },
      detail: `${label}: ${this.#events(count)}`,
    }));
    return {
      chart,
      title,
      data: {
        kind: 'bars',
        series: [],
        bars: [
          ...bars,
          ...(others > 0
            ? [{ id: 'others', label: l10n.t('others ({0})', this.numberLabel(others)), values: [rest] }]
            : []),
        ],
      },
      table: () => ({
        headings: [title, l10n.t('Events')],
        rows: present
          .toSorted(order)
          .slice(0, mostRowsOfTable)
          .map(({ label, count }) => [label, this.numberLabel(count)]),
      }),
    };
  }

  #events(count: number): string {
    return count === 1 ? this.l10n.t('1 event') : this.l10n.t('{0} events', this.numberLabel(count));
  }

  #hourLabel(place: number): string {
    const weekday = Math.floor(place / 24);
    return this.#date(weekday + 4, hourFormat, place % 24);
  }

  #weekday(weekday: number): string {
    // 1970-01-05 was a Monday.
    return this.#date(weekday + 4, weekdayFormat);
  }

  #fullDate(day: number): string {
    return this.#date(day, fullFormat);
  }

  /** @param options one of the formats above: dates are written again at each choice. */
  #date(day: number, options: Intl.DateTimeFormatOptions, hour = 12): string {
    const texts = this.#dates.get(options) ?? {
      format: new Intl.DateTimeFormat(this.language, { ...options, timeZone: 'UTC' }),
      known: new Map<number, string>(),
    };
    this.#dates.set(options, texts);
    const time = (day * 24 + hour) * 3_600_000;
    const text = texts.known.get(time) ?? texts.format.format(time);
    texts.known.set(time, text);
    return text;
  }
}

function totalOf(counts: readonly NameCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The first of many values in an order, without the whole of them being sorted. */
function firstOf<T>(values: readonly T[], most: number, order: (one: T, other: T) => number): readonly T[] {
  const first: T[] = [];
  for (const value of values) {
    const last = first[most - 1];
    if (last === undefined || order(value, last) < 0) {
      first.push(value);
      first.sort(order).splice(most);
    }
  }
  return first;
}
