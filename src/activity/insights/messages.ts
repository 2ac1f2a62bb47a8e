import * as z from 'zod/mini';

/** What is looked at: so many days up to today, or all that is kept. */
export const periods = ['7', '30', '90', '365', 'kept'] as const;
export type PeriodChoice = (typeof periods)[number];

const charts = ['days', 'hours', 'kinds', 'projects', 'people'] as const;
export type ChartName = (typeof charts)[number];

/** A message from the page to the host. */
export const fromInsightsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(['cancel', 'reload', 'clear', 'openInUse']) }),
  z.object({ type: z.literal('period'), period: z.enum(periods) }),
  /** Filters charts and feed by a mark of a chart, or not any more. */
  z.object({ type: z.literal('choose'), chart: z.enum(charts), id: z.string() }),
]);
export type FromInsights = z.infer<typeof fromInsightsSchema>;

/** What the page keeps for when the editor builds it again: which feed it is about. */
export const keptSchema = z.object({
  feed: z.looseObject({ accountId: z.string() }),
  period: z.enum(periods),
});

/** What stands for a number in a chart; one without an id cannot be chosen. */
export interface Mark {
  readonly id: string | undefined;
  /** The whole of what it says, for tooltips and screen readers. */
  readonly label: string;
  readonly isChosen: boolean;
}

/** Bars one below the other. */
export interface Bars {
  readonly kind: 'bars';
  readonly marks: readonly (Mark & { readonly name: string; readonly value: string; readonly share: number })[];
}

/** Cells whose strength, 0 to 4, says how much there is. */
export interface Grid {
  readonly kind: 'grid';
  readonly rows: readonly string[];
  /** What stands above a column, by its number. */
  readonly columns: readonly (readonly [number, string])[];
  readonly marks: readonly (Mark & { readonly row: number; readonly column: number; readonly level: number })[];
}

export interface Chart {
  readonly name: ChartName;
  readonly title: string;
  readonly drawing: Bars | Grid;
  /** The same in numbers. */
  readonly headings: readonly string[];
  readonly table: readonly (readonly string[])[];
}

/** A message from the host to the page: all that it shows. Texts are in the user's language. */
export interface InsightsState {
  readonly type: 'state';
  /** To be kept, see `keptSchema`. */
  readonly kept: object;
  readonly feed: string;
  readonly account: string;
  /** The account of the window, if it is another one. */
  readonly otherAccount: string | undefined;
  readonly isReading: boolean;
  readonly period: PeriodChoice;
  /** Such as `12 of 340 events`. */
  readonly total: string;
  /** What has to be known to read the charts right, in sentences. */
  readonly notes: readonly string[];
  readonly problem: string | undefined;
  /** The filter of the feed as a label; empty for none. */
  readonly filter: string;
  readonly charts: readonly Chart[];
}
