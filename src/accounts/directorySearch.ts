import type { GroupRecord, ProjectRecord, UserRecord } from '../api/directory.ts';
import { NotFoundError } from '../api/errors.ts';
import type { Pages } from '../api/pagination.ts';
import { isRecognized } from '../api/unrecognized.ts';
import type { Connection } from './connections.ts';

/** Where records of one kind are looked for. */
export interface RecordSource<T> {
  /** Those whose name contains a text, page by page; for an empty text, the most relevant ones. */
  list(text: string, signal: AbortSignal): Pages<T>;
  /** Those that a text names exactly, such as by an id, which records of several kinds may have. */
  find(text: string, signal: AbortSignal): Promise<readonly T[]>;
}

/** What a search has found by now. */
export interface SearchState<T> {
  /** What is looked for, without the space around it. */
  readonly text: string;
  /** Those that the text names exactly first. */
  readonly records: readonly T[];
  /** Whether the first of the records, and no other, is named by the text exactly. */
  readonly exact: boolean;
  readonly busy: boolean;
  readonly hasMore: boolean;
  /** Why the last request failed. */
  readonly error?: unknown;
}

/** What tells a record from all others that are searched for. */
export interface Identified {
  readonly id: number | string;
}

/** How many records "Load More" adds at least, as long as there are any. */
const recordsPerSearch = 20;
/** How many pages "Load More" requests at most: those of a search may all be empty. */
const pagesPerSearch = 10;

/** Looks for what is being typed: a newer text ends the requests of the older one, whose answers are dropped. */
export class Search<T extends Identified> {
  readonly #source: RecordSource<T>;
  readonly #onChange: (state: SearchState<T>) => void;
  #abort = new AbortController();
  #pages: Pages<T> | undefined;
  #state: SearchState<T> = { text: '', records: [], exact: false, busy: false, hasMore: false };

  /** @param onChange called after every change of the state. */
  constructor(source: RecordSource<T>, onChange: (state: SearchState<T>) => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  get state(): SearchState<T> {
    return this.#state;
  }

  /** Looks for another text, or for the same once more. What the text before has found stays until there is an answer. */
  async search(typed: string): Promise<void> {
    const text = typed.trim();
    this.stop();
    const { signal } = this.#abort;
    this.#pages = this.#source.list(text, signal);
    await this.#searchPages(text, async () => {
      const [found, listed] = await Promise.all([
        text === '' ? [] : this.#source.find(text, signal),
        this.#nextRecords(signal),
      ]);
      return { records: withoutRepeats([...found, ...listed]), exact: found.length === 1 };
    });
  }

  /** Looks for more of the same. */
  async searchFurther(): Promise<void> {
    const { text, records, exact, busy } = this.#state;
    const { signal } = this.#abort;
    if (!busy) {
      await this.#searchPages(text, async () => ({
        records: withoutRepeats([...records, ...(await this.#nextRecords(signal))]),
        exact,
      }));
    }
  }

  /** Aborts requests under way. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#pages = undefined;
  }

  async #searchPages(text: string, run: () => Promise<Pick<SearchState<T>, 'records' | 'exact'>>): Promise<void> {
    const { signal } = this.#abort;
    const { error: _, ...before } = this.#state;
    this.#change({ ...before, text, busy: true });
    try {
      const found = await run();
      if (!signal.aborted) {
        this.#change({ ...found, text, busy: false, hasMore: this.#pages !== undefined });
      }
    } catch (error) {
      if (!signal.aborted) {
        // What another text had found is no answer to this one.
        const { records, exact } = before.text === text ? before : { records: [], exact: false };
        // The list cannot be gone on with after an error.
        this.#change({ text, records, exact, busy: false, hasMore: false, error });
      }
    }
  }

  async #nextRecords(signal: AbortSignal): Promise<T[]> {
    const records: T[] = [];
    // Pages may be short, even empty.
    for (
      let pages = 0;
      pages < pagesPerSearch && records.length < recordsPerSearch && this.#pages !== undefined;
      pages += 1
    ) {
      const { value, done } = await this.#pages.next();
      if (signal.aborted) {
        break;
      }
      if (done === true) {
        this.#pages = undefined;
      } else {
        records.push(...value.items.filter(isRecognized));
      }
    }
    return records;
  }

  #change(state: SearchState<T>): void {
    this.#state = state;
    this.#onChange(state);
  }
}

/** The first of those that are the same. */
export function withoutRepeats<T extends Identified>(records: readonly T[]): T[] {
  const seen = new Set<unknown>();
  return records.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Records of a page that the picker asks for at once. */
const perPage = 50;

/** The projects of an instance: first those that the user is a member of, then all others that the user may see. */
export function projectSource({ client, instanceUrl }: Connection): RecordSource<ProjectRecord> {
  const list = (text: string, membership: boolean, signal: AbortSignal): Pages<ProjectRecord> => {
    const search = pathOf(text, instanceUrl);
    // Without this the platform searches only the last segment of the path.
    const namespaces = search.includes('/') ? { search_namespaces: true } : {};
    const parameters = { simple: true, ...namespaces, ...(membership ? { membership } : {}) };
    return client.directory.projects({ search: search || undefined, parameters }, { perPage, signal });
  };
  return {
    list: async function* listProjects(text, signal) {
      yield* list(text, true, signal);
      if (text !== '') {
        yield* list(text, false, signal);
      }
      return undefined;
    },
    find: async (text, signal) => {
      const path = pathOf(text, instanceUrl);
      return isId(text) || path.includes('/')
        ? await unlessMissing(client.directory.project(isId(text) ? Number(text) : path, { signal }))
        : [];
    },
  };
}

/** The groups of an instance that the user may see. */
export function groupSource({ client, instanceUrl }: Connection): RecordSource<GroupRecord> {
  return {
    list: (text, signal) =>
      client.directory.groups({ search: pathOf(text, instanceUrl) || undefined }, { perPage, signal }),
    find: async (text, signal) =>
      await unlessMissing(client.directory.group(isId(text) ? Number(text) : pathOf(text, instanceUrl), { signal })),
  };
}

/** The users of an instance that the user may see. */
export function userSource({ client, instanceUrl }: Connection): RecordSource<UserRecord> {
  const nameOf = (text: string): string => pathOf(text, instanceUrl).replace(/^@/, '');
  return {
    list: (text, signal) => client.directory.users({ search: nameOf(text) || undefined }, { perPage, signal }),
    find: async (text, signal) => {
      const idOrUsername = isId(text) ? Number(text) : nameOf(text);
      return await unlessMissing(client.directory.user(idOrUsername, { signal }));
    },
  };
}

/** Records of one kind among others, as what they stand for in a list of all. */
export function mapSource<T, Mapped>(source: RecordSource<T>, map: (record: T) => Mapped): RecordSource<Mapped> {
  return {
    list: async function* listMapped(text, signal) {
      for await (const page of source.list(text, signal)) {
        yield { ...page, items: page.items.map((item) => (isRecognized(item) ? map(item) : item)) };
      }
      return undefined;
    },
    find: async (text, signal) => (await source.find(text, signal)).map(map),
  };
}

/**
 * Several sources as one: a page of each at a time, side by side. One that fails is left out as long as another finds something,
 * such as with a token that may read users alone.
 *
 * @param open gives the sources when the first search begins.
 */
export function joinSources<T>(open: () => Promise<readonly RecordSource<T>[]>): RecordSource<T> {
  return {
    list: async function* listAll(text, signal) {
      let lists = (await open()).map((source) => source.list(text, signal));
      let isEmpty = true;
      while (lists.length > 0) {
        const results = await Promise.allSettled(lists.map(async (list) => list.next()));
        signal.throwIfAborted();
        const pages = results.flatMap((result) =>
          result.status === 'fulfilled' && result.value.done !== true ? [result.value.value] : [],
        );
        const [first] = pages;
        isEmpty &&= pages.every(({ items }) => items.length === 0);
        const failed = results.find((result) => result.status === 'rejected');
        if (failed && isEmpty) {
          throw failed.reason;
        }
        if (first) {
          yield { ...first, items: pages.flatMap(({ items }) => items) };
        }
        lists = lists.filter((_, index) => {
          const result = results[index];
          return result?.status === 'fulfilled' && result.value.done !== true;
        });
      }
      return undefined;
    },
    find: async (text, signal) => {
      const results = await Promise.allSettled((await open()).map(async (source) => source.find(text, signal)));
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}

/** Digits alone are an id, as long as they are a number that can be one. */
function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** The full path that a text names: the text itself, or what a web address of the instance is about. */
function pathOf(text: string, instanceUrl: string): string {
  const base = `${instanceUrl.replace(/(?<!\/)\/+$/, '')}/`;
  const path = text.startsWith(base) ? (text.slice(base.length).split(/\/-\/|[?#]/)[0] ?? '') : text;
  return path.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
}

/** None for a record that is not there, or that no address can be made for. */
async function unlessMissing<T>(record: Promise<T>): Promise<T[]> {
  try {
    return [await record];
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof TypeError) {
      return [];
    }
    throw error;
  }
}
