import {
  basename,
  dirname,
  isRunning,
  join,
  mkdir,
  processId,
  readdir,
  removeNow,
  rm,
  writeFile,
} from '#platform/storage.ts';
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

/**
 * Marks beside the files of feeds: which process is reading which feed. One that is left by a process that has ended says
 * that the feed may be why, so that it is not read by itself again. Where nothing can be written there are none.
 */
export class LoadGuard {
  /** Tells marks of this process from those of one that had its number before. */
  readonly #id = crypto.randomUUID();
  /** Those of this process. */
  readonly #own = new Set<string>();
  #marks = 0;

  /**
   * Notes that this process reads a feed, until the function that is returned is called.
   *
   * @param feed the path of the feed's file.
   */
  async mark(feed: string): Promise<() => Promise<void>> {
    // Each reading has a mark of its own: they may overlap.
    this.#marks += 1;
    const path = `${feed}.${processId}.${this.#id}-${this.#marks}.reading`;
    this.#own.add(path);
    await quietly(async () => {
      await mkdir(dirname(feed), { recursive: true });
      await writeFile(path, '', { mode: 0o600 });
    });
    return async () => {
      // Those of processes that have ended are refuted, too.
      const ended = await this.#ended(feed);
      await quietly(async () => {
        await Promise.all([path, ...ended].map(async (mark) => rm(mark, { force: true })));
      });
      this.#own.delete(path);
    };
  }

  /** Whether a process has ended while it read a feed, and none has read it to the end since. */
  async wasInterrupted(feed: string): Promise<boolean> {
    return (await this.#ended(feed)).length > 0;
  }

  /** Takes back the marks of this process, which ends as it should. */
  dispose(): void {
    for (const path of this.#own) {
      try {
        removeNow(path);
      } catch {
        // The feed waits for a click the next time.
      }
    }
  }

  async #ended(feed: string): Promise<string[]> {
    const names = await readdir(dirname(feed)).catch(() => []);
    return names
      .filter((name) => name.startsWith(`${basename(feed)}.`))
      .filter((name) => {
        const [, pid, mark = ''] = /\.(\d+)(?:\.([\w-]+))?\.reading$/.exec(name) ?? [];
        return (
          pid !== undefined && !mark.startsWith(this.#id) && (Number(pid) === processId || !isRunning(Number(pid)))
        );
      })
      .map((name) => join(dirname(feed), name));
  }
}

async function quietly(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch {
    // A full or read-only disk.
  }
}
