import * as z from 'zod/mini';

/** The period that is shown: this many days up to today. */
export const periods = ['7', '30', '90', '365'] as const;
export type PeriodChoice = (typeof periods)[number];

const charts = ['days', 'hours', 'kinds', 'projects', 'people'] as const;
export type ChartName = (typeof charts)[number];

/** A message from the page to the host; `choose` filters charts and feed by a mark, or not any more. */
export const fromInsightsSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['ready', 'cancel', 'reload', 'clear', 'switchAccount']) }),
    z.object({ type: z.literal('period'), period: z.enum(periods) }),
    z.object({ type: z.literal('choose'), chart: z.enum(charts), id: z.string() }),
  ]);
export type FromInsights = z.infer<ReturnType<typeof fromInsightsSchema>>;

/** What the page keeps for when the editor builds it again: which feed it is about. */
export const keptSchema = () => z.object({ feed: z.looseObject({ accountId: z.string() }), period: z.enum(periods) });

/** What stands for a number in a chart; one without an id cannot be chosen. */
export interface Mark {
  readonly id: string | undefined;
  readonly name: string;
  readonly count: number;
  readonly value: string;
  readonly isChosen: boolean;
  readonly row: number;
  readonly column: number;
  /** How much it is: of a bar its share of the longest one, of a cell 0 to 4. */
  readonly weight: number;
}

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

/** A message from the host to the page: all that it shows. Texts are in the user's language. */
export interface InsightsState {
  readonly type: 'state';
  readonly kept: object;
  readonly feed: string;
  /** The account, where there are several; and that of the window, if it is another one. */
  readonly account: string | undefined;
  readonly otherAccount: string | undefined;
  readonly isReading: boolean;
  readonly period: PeriodChoice;
  /** Such as `12 of 340 events`. */
  readonly total: string;
  readonly notes: readonly string[];
  readonly problem: string | undefined;
  readonly filter: string;
  readonly charts: readonly Chart[];
}
