import * as z from 'zod/mini';
import { eventSchema } from '../../api/events.ts';
import { unrecognizedRecord } from '../../api/unrecognized.ts';
import type { SavedFeed } from './feedStore.ts';
import { savedFeedVersion } from './savedFeedVersion.ts';

const fileSchema = z.object({
  version: z.literal(savedFeedVersion),
  instanceUrl: z.union([z.httpUrl(), z.url({ protocol: /^https?$/ })]),
  items: z.array(z.unknown()),
  projects: z.record(
    z.string().check(z.regex(/^\d+$/)),
    z.object({
      path: z.string(),
      webUrl: z.optional(z.string()),
    }),
  ),
});

/**
 * Reads the file of a feed. Events of another form come as unrecognized records, as they do from the instance.
 *
 * @returns undefined if it is no such file, or one of another version.
 * @throws SyntaxError if it is not JSON.
 */
export function parseSavedFeed(text: string): Omit<SavedFeed, 'checkedAt'> | undefined {
  const file = fileSchema.safeParse(JSON.parse(text));
  if (!file.success) {
    return undefined;
  }
  const { instanceUrl, items, projects } = file.data;
  return {
    instanceUrl,
    projects: Object.fromEntries(Object.entries(projects).map(([id, { path, webUrl }]) => [id, { path, webUrl }])),
    items: items.map((item) => {
      const event = eventSchema.safeParse(item);
      return event.success ? event.data : unrecognizedRecord(item, []);
    }),
  };
}
