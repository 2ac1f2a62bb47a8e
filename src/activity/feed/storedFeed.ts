import * as z from 'zod/mini';
import { eventReader } from '../../api/events.ts';
import { excessOf } from '../../api/grammar.ts';
import { type SavedFeed, savedFeedVersion } from './feedStore.ts';

const fileSchema = z.object({
  version: z.literal(savedFeedVersion),
  instanceUrl: z.union([z.httpUrl(), z.url({ protocol: /^https?$/ })]),
  items: z.array(z.unknown()),
  projects: z.record(
    z.string().check(z.regex(/^\d+$/)),
    z.object({
      path: z.string(),
      webUrl: z.optional(z.string()),
      defaultBranch: z.optional(z.string()),
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
  const file = excessOf(text) === undefined ? fileSchema.safeParse(JSON.parse(text)) : undefined;
  if (file?.success !== true) {
    return undefined;
  }
  const { instanceUrl, items, projects } = file.data;
  return {
    instanceUrl,
    projects: Object.fromEntries(
      Object.entries(projects).map(([id, { path, webUrl, defaultBranch }]) => [id, { path, webUrl, defaultBranch }]),
    ),
    items: eventReader.items(items),
  };
}
