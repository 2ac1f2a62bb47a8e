import { sha256 } from '../../common/bytes.ts';
import { join, mkdir, processId, readdir, readFile, rename, rm, stat, utimes, writeFile } from '#platform/storage.ts';
import * as z from 'zod/mini';
import { eventReader, type EventRecord } from '../../api/events.ts';
import { excessOf } from '../../api/grammar.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import type { ProjectFacts } from './projects.ts';

const version = 2;

export interface SavedFeed {
  /** When the instance last said that this is its state. */
  readonly checkedAt: Date;
  readonly instanceUrl: string;
  readonly items: readonly EventRecord[];
  readonly projects: Readonly<Record<number, ProjectFacts>>;
}

export interface SavedFeedKey {
  readonly accountId: string;
  readonly name: string;
}

/** At most this many events of a feed are kept: a few screenfuls. */
const mostItems = 200;
/** The most characters of them: comments may be long. */
const mostLength = 2_000_000;
/** Longer files are none that this store has written. */
const mostBytes = 8 * 1024 * 1024;
/** At most this many feeds of an account are kept; those not used for longest go first. */
const mostFiles = 30;

/**
 * The last states of feeds in a folder that all windows share: what one window has loaded, the others can show. Nothing that
 * goes wrong with a file matters beyond that it is as if it were not there.
 */
export class FeedStore {
  readonly #folder: string;
  readonly #note: (sentence: string) => void;
  readonly #accountIds: (() => readonly string[]) | undefined;
  #writing = Promise.resolve();

  /**
   * @param note called with a sentence about a file that exists and cannot be read.
   * @param accountIds the accounts that are there: of others nothing is kept.
   */
  constructor(
    folder: string,
    note: (sentence: string) => void = () => undefined,
    accountIds?: () => readonly string[],
  ) {
    this.#folder = folder;
    this.#note = note;
    this.#accountIds = accountIds;
  }

  async read(key: SavedFeedKey): Promise<SavedFeed | undefined> {
    const path = this.path(key);
    // Its file may not have been removed yet.
    if (!this.#isThere(key)) {
      return undefined;
    }
    try {
      const { mtime, size } = await stat(path);
      return { ...parseSavedFeed(size > mostBytes ? '' : await readFile(path, 'utf8')), checkedAt: mtime };
    } catch (error) {
      const { code, name } = error as Error & { readonly code?: string };
      if (code !== 'ENOENT') {
        // Without the message, which may quote the file.
        this.#note(`A saved feed cannot be read and is loaded again: ${path} (${code ?? name})`);
      }
      return undefined;
    }
  }

  /** Keeps a feed, unless another window has kept what is newer. */
  async write(key: SavedFeedKey, { checkedAt, instanceUrl, items, projects }: SavedFeed): Promise<void> {
    let length = 0;
    const kept = items.slice(0, mostItems);
    const end = kept.findIndex((item) => (length += JSON.stringify(item).length) > mostLength);
    const content = { version, instanceUrl, items: end < 0 ? kept : kept.slice(0, end), projects };
    await this.#inTurn(async () => {
      const path = this.path(key);
      const keptAt = (await stat(path).catch(() => undefined))?.mtime;
      // A time to come is that of a clock that was wrong.
      if (!this.#isThere(key) || (keptAt && keptAt > checkedAt && keptAt <= new Date())) {
        return;
      }
      await mkdir(this.#folder, { recursive: true });
      // Whole or not at all: another window may read it at any time.
      const draft = `${path}.${processId}`;
      try {
        await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
        await utimes(draft, checkedAt, checkedAt);
        await rename(draft, path);
      } catch (error) {
        // Windows replaces no file that another program has open, such as a scanner for viruses.
        await rm(draft, { force: true });
        throw error;
      }
      await this.#prune();
    });
  }

  async touch(key: SavedFeedKey, checkedAt: Date): Promise<void> {
    await this.#inTurn(async () => utimes(this.path(key), checkedAt, checkedAt));
  }

  /** Removes what was kept of accounts that are gone. */
  async forget(): Promise<void> {
    await this.#inTurn(() => this.#prune());
  }

  path({ accountId, name }: SavedFeedKey): string {
    return join(this.#folder, `${hash(accountId)}-${hash(name)}.json`);
  }

  #isThere({ accountId }: SavedFeedKey): boolean {
    return this.#accountIds?.().includes(accountId) ?? true;
  }

  async #prune(): Promise<void> {
    const names = await readdir(this.#folder);
    const kept = this.#accountIds?.().map(hash) ?? [''];
    const gone = names.filter((name) => !kept.some((prefix) => name.startsWith(prefix)));
    const files = (names.length > mostFiles ? names : []).map(async (name) => {
      return { name, time: (await stat(join(this.#folder, name))).mtimeMs };
    });
    const old = (await Promise.all(files)).sort((a, b) => b.time - a.time).slice(mostFiles);
    const useless = [...gone, ...old.map(({ name }) => name)];
    await Promise.all(useless.map(async (name) => rm(join(this.#folder, name), { force: true })));
  }

  /** One after the other: what is written is complete when the next one comes, and what was of an account that goes is removed. */
  async #inTurn(task: () => Promise<void>): Promise<void> {
    // A full or read-only disk: the feed is loaded again at the next start.
    this.#writing = this.#writing.then(task).catch(() => undefined);
    await this.#writing;
  }
}

function hash(text: string): string {
  return sha256(text, 'hex').slice(0, 24);
}

const fileSchema = () =>
  z.object({
    version: z.literal(version),
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

/** Reads the file of a feed. What is no event in it is left out. @throws if it is none, or one of another version. */
function parseSavedFeed(text: string): Omit<SavedFeed, 'checkedAt'> {
  const { instanceUrl, items, projects } = fileSchema().parse(excessOf(text) === undefined ? JSON.parse(text) : {});
  return { instanceUrl, projects, items: eventReader.items(items).filter(isRecognized) };
}
