import * as z from 'zod/mini';

/** A message from the page to the host. */
export const fromEventPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(['showChanges', 'showActivity', 'openInBrowser']) }),
]);
export type FromEventPage = z.infer<typeof fromEventPageSchema>;

/** Names an event in a feed; the page keeps it for when the editor builds it again. */
export const eventIdSchema = z.object({ feed: z.string(), key: z.string() });
export type EventId = z.infer<typeof eventIdSchema>;

/** Text, and the web address that it leads to if there is one. */
export interface LinkText {
  readonly text: string;
  readonly link: string | undefined;
}

/** A message from the host to the page: all that it shows. Texts are in the user's language, fit for one line, and no Markdown. */
export interface EventState {
  readonly type: 'state';
  readonly id: EventId;
  /** What happened, as a sentence without the author. */
  readonly title: LinkText;
  /** Says that it is not from the account of the window. */
  readonly banner?: string | undefined;
  /** Why there is no event to show. */
  readonly problem?: string | undefined;
  readonly author?: (LinkText & { readonly initials: string }) | undefined;
  readonly time?: { readonly text: string; readonly iso: string } | undefined;
  readonly project?: LinkText | undefined;
  /** Whose view it is, in words. */
  readonly account?: string | undefined;
  /** What else is noted of it, such as that it was imported. */
  readonly notes: readonly string[];
  readonly comment?:
    | {
        /** Markdown, without tabs and control characters. */
        readonly text: string;
        readonly isCut: boolean;
        readonly instanceUrl: string;
        readonly projectUrl: string | undefined;
        readonly projectPath: string | undefined;
      }
    | undefined;
  /** Says what there is to see in the browser, and names the button that opens it. */
  readonly elsewhere?: { readonly sentence: string; readonly button: string } | undefined;
  readonly push?:
    | {
        readonly facts: readonly (LinkText & { readonly name: string })[];
        /** The first lines of commits. */
        readonly commits: readonly string[];
        /** How many more there are, in words. */
        readonly more: string | undefined;
        readonly canShowChanges: boolean;
      }
    | undefined;
  /** An event in an unknown format, as JSON. */
  readonly raw?: string | undefined;
}

/** A message from the host to the page: the state, or a sentence to be read out. */
export type ToEventPage = EventState | { readonly type: 'hint'; readonly sentence: string };
