import * as z from 'zod/mini';
import { type FeedRef, feedRefOf, readChoice } from '../feed/feedRef.ts';
import { type PeriodChoice, periods } from './messages.ts';

/** A message from the page to the host. */
export const fromInsightsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(['cancel', 'reload', 'clear', 'openInUse']) }),
  z.object({ type: z.literal('period'), period: z.enum(periods) }),
  /** Filters the feed by something else of its sort, or by nothing of it any more. */
  z.object({
    type: z.literal('filter'),
    /** Counts such messages, so that the page knows which of them a state takes into account. */
    number: z.number(),
    change: z.discriminatedUnion('by', [
      /** A place among the names. */
      z.object({ by: z.enum(['kind', 'project', 'author']), place: z.nullable(z.number()) }),
      /** Dates, both included. */
      z.object({ by: z.literal('days'), from: z.nullable(z.string()), to: z.nullable(z.string()) }),
    ]),
  }),
]);
export type FromInsights = z.infer<typeof fromInsightsSchema>;
export type FilterChange = Extract<FromInsights, { type: 'filter' }>['change'];

const keptSchema = z.object({ feed: z.looseObject({ accountId: z.string() }), period: z.enum(periods) });

/** Reads what a page has kept of the feed and the period that it showed; undefined if it is not that. */
export function readKept(kept: unknown): { readonly feed: FeedRef; readonly period: PeriodChoice } | undefined {
  const { data } = keptSchema.safeParse(kept);
  const choice = data && readChoice(data.feed);
  const feed = choice && feedRefOf(choice, { accountId: data.feed.accountId, workspaceProject: undefined });
  return feed && { feed, period: data.period };
}
