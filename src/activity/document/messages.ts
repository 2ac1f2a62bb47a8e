import * as z from 'zod/mini';

export const fromEventPageSchema = () =>
  z.object({
    type: z.enum(['ready', 'showChanges', 'openInBrowser', 'switchAccount']),
  });
export type FromEventPage = z.infer<ReturnType<typeof fromEventPageSchema>>;

/** Names an event in a feed; the page keeps it for when the editor builds it again. */
export const eventIdSchema = () => z.object({ feed: z.string(), event: z.number() });
export type EventId = z.infer<ReturnType<typeof eventIdSchema>>;

/** A message from the host to the page: all that it shows, or a sentence to be read out. */
export type ToEventPage = EventState | { readonly type: 'hint'; readonly sentence: string };

export interface EventState {
  readonly type: 'state';
  readonly id: EventId;
  /** In which all text of others is escaped. */
  readonly html: string;
  /** What is read out when another event is shown. */
  readonly said: string;
}
