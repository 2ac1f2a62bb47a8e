import * as z from 'zod/mini';
import { eventReader } from '../../api/events.ts';
import { excessOf } from '../../api/grammar.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import type { SavedFeed } from './feedStore.ts';

const fileSchema = z.object({
  version: z.number(),
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
 * Reads the file of a feed. What is no event in it is left out: the instance is asked anyway.
 *
 * @returns undefined if it is no such file, or one of another version.
 * @throws SyntaxError if it is not JSON.
 */
export function parseSavedFeed(text: string, version: number): Omit<SavedFeed, 'checkedAt'> | undefined {
  const { data } = excessOf(text) === undefined ? fileSchema.safeParse(JSON.parse(text)) : { data: undefined };
  if (data?.version !== version) {
    return undefined;
  }
  const { instanceUrl, items, projects } = data;
  return {
    instanceUrl,
    projects: Object.fromEntries(
      Object.entries(projects).map(([id, { path, webUrl, defaultBranch }]) => [id, { path, webUrl, defaultBranch }]),
    ),
    items: eventReader.items(items).filter(isRecognized),
  };
}
