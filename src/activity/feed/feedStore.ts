import { join, readdir, rm, stat } from '#platform/storage.ts';
import * as z from 'zod/mini';
import { eventReader, type EventRecord } from '../../api/events.ts';
import { sha256 } from '../../common/bytes.ts';
import type { Clock } from '../../common/clock.ts';
import { KeptFiles } from '../../common/keptFiles.ts';
import type { ProjectFacts } from './projects.ts';

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
/** At most this many feeds of an account are kept; those not used for longest go first. */
const mostFiles = 30;

/**
 * The last states of feeds, in files whose times say when the instance last confirmed them. Nothing that goes wrong with one matters
 * beyond that it is as if it were not there.
 */
export class FeedStore {
  readonly #files: KeptFiles<SavedFeedKey, z.infer<ReturnType<typeof feedSchema>>>;
  readonly #accountIds: () => readonly string[];
  readonly #clock: Clock;
  #writing = Promise.resolve();

  /** @param accountIds the accounts that are there: of others nothing is kept. */
  constructor(
    folder: string,
    accountIds: () => readonly string[],
    { log, clock }: { readonly log: { warn(sentence: string): void }; readonly clock: Clock },
  ) {
    const nameOf = ({ accountId, name }: SavedFeedKey): string => `${hash(accountId)}-${hash(name)}`;
    this.#files = new KeptFiles(folder, nameOf, feedSchema, log);
    this.#accountIds = accountIds;
    this.#clock = clock;
  }

  /** What is no event is left out. */
  async read(key: SavedFeedKey): Promise<SavedFeed | undefined> {
    // Its file may not have been removed yet.
    const [checkedAt, kept] = this.#isThere(key)
      ? await Promise.all([this.#files.timeOf(key), this.#files.read(key)])
      : [undefined, undefined];
    return checkedAt && kept && { ...kept, checkedAt, items: eventReader.read(kept.items).items };
  }

  /** Keeps a feed, unless another window has kept what is newer. */
  async write(key: SavedFeedKey, { checkedAt, instanceUrl, items, projects }: SavedFeed): Promise<void> {
    let length = 0;
    const kept = items.slice(0, mostItems);
    const end = kept.findIndex((item) => (length += JSON.stringify(item).length) > mostLength);
    const content = { instanceUrl, items: end < 0 ? kept : kept.slice(0, end), projects };
    await this.#inTurn(async () => {
      const keptAt = await this.#files.timeOf(key);
      // A time to come is that of a clock that was wrong.
      const isNewer = keptAt && keptAt > checkedAt && keptAt <= this.#clock.date();
      if (this.#isThere(key) && !isNewer) {
        await this.#files.write(key, content, checkedAt);
        await this.#prune();
      }
    });
  }

  async touch(key: SavedFeedKey, checkedAt: Date): Promise<void> {
    await this.#inTurn(() => this.#files.touch(key, checkedAt));
  }

  /** Removes what was kept of accounts that are gone. */
  async forget(): Promise<void> {
    await this.#inTurn(() => this.#prune());
  }

  path(key: SavedFeedKey): string {
    return this.#files.path(key);
  }

  #isThere({ accountId }: SavedFeedKey): boolean {
    return this.#accountIds().includes(accountId);
  }

  async #prune(): Promise<void> {
    const { folder } = this.#files;
    const names = await readdir(folder);
    const kept = this.#accountIds().map(hash);
    const gone = names.filter((name) => !kept.some((prefix) => name.startsWith(prefix)));
    const files = (names.length > mostFiles ? names : []).map(async (name) => {
      return { name, time: (await stat(join(folder, name))).mtimeMs };
    });
    const old = (await Promise.all(files)).sort((a, b) => b.time - a.time).slice(mostFiles);
    const useless = [...gone, ...old.map(({ name }) => name)];
    await Promise.all(useless.map(async (name) => rm(join(folder, name), { force: true })));
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

const feedSchema = () =>
  z.object({
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
