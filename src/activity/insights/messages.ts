import type { FeedRef } from '../feed/feedRef.ts';
import type { ByName, DayRange } from './aggregate.ts';

/** What is looked at: so many days up to today, or all that is kept. */
export const periods = ['7', '30', '90', '365', 'kept'] as const;
export type PeriodChoice = (typeof periods)[number];

/** Something that events are counted by. */
export interface Name {
  readonly label: string;
  /** Whether the feed can be filtered by it. */
  readonly isKnown: boolean;
}

/** What the filter of the feed lets through: places among the names, and days; null for any. */
export interface FilterState extends ByName<readonly number[] | null> {
  readonly label: string;
  readonly days: DayRange | null;
}

/** All that the page shows but the events. */
export interface InsightsState {
  readonly type: 'state';
  readonly ref: FeedRef;
  /** Its name. */
  readonly feed: string;
  readonly account: string;
  /** The account of the window, if it is another one. */
  readonly otherAccount?: string | undefined;
  readonly phase: 'reading' | 'ready';
  readonly period: PeriodChoice;
  /** The last day of each period, `YYYY-MM-DD`. */
  readonly today: string;
  readonly names: ByName<readonly Name[]>;
  /** What is muted: places among the names. */
  readonly muted: ByName<readonly number[]>;
  readonly filter: FilterState;
  /** The number of the last message that the filter takes into account. */
  readonly answered: number;
  /** What has to be known to read the charts right, in sentences. */
  readonly notes: readonly string[];
  readonly problem?: string;
}

/** Events as numbers, see `aggregate`. */
interface RowsMessage {
  readonly type: 'rows';
  /** How many events were sent before; 0 begins again. */
  readonly from: number;
  readonly rows: Int32Array<ArrayBuffer>;
}

/** A message from the host to the page. */
export type ToInsights = InsightsState | RowsMessage;
