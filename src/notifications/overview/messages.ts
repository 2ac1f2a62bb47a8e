import * as z from 'zod/mini';

/** A message from the page to the host. */
export const fromOverviewSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('act'),
    action: z.enum(['reload', 'export', 'import', 'pinProject', 'pinGroup', 'more']),
  }),
  /** Opens the form of a scope. */
  z.object({ type: z.literal('open'), key: z.string() }),
  /** Reviews and sends these levels. */
  z.object({ type: z.literal('change'), changes: z.array(z.object({ key: z.string(), level: z.string() })) }),
]);
export type FromOverview = z.infer<typeof fromOverviewSchema>;

const rowSchema = z.object({
  key: z.string(),
  kind: z.enum(['global', 'group', 'project']),
  /** The full path; of global settings their name. */
  name: z.string(),
  /** The label of why it is listed. */
  place: z.string(),
  /** Undefined if the settings could not be read. */
  level: z.optional(z.string()),
  /** The label of the level in effect and where it is set. */
  effect: z.string(),
  inherited: z.string(),
  /** The label of what the level in effect lets through. */
  events: z.string(),
  problem: z.optional(z.string()),
});
export type RowState = z.infer<typeof rowSchema>;

/** A message from the host to the page: all that it shows. */
export const toOverviewSchema = z.object({
  type: z.literal('state'),
  account: z.string(),
  phase: z.enum(['loading', 'ready', 'changing']),
  /** How many scopes were read while loading. */
  progress: z.optional(z.object({ done: z.number(), total: z.number() })),
  rows: z.array(rowSchema),
  /** Whether the user has more projects than are listed. */
  hasMore: z.boolean(),
  levels: z.array(z.object({ value: z.string(), name: z.string() })),
  /** Something that went wrong, in sentences. */
  problems: z.array(z.string()),
});
export type ToOverview = z.infer<typeof toOverviewSchema>;
