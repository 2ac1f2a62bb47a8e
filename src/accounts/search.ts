import type { RecordSource } from './directorySearch.ts';

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
interface Identified {
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
  #pages: AsyncIterator<readonly T[], void> | undefined;
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
    await this.#request(text, async () => {
      const found = text === '' ? [] : this.#source.find(text, signal);
      const [exact, listed] = await Promise.all([found, this.#nextRecords(signal)]);
      return { records: withoutRepeats([...exact, ...listed]), exact: exact.length === 1 };
    });
  }

  /** Looks for more of the same. */
  async searchFurther(): Promise<void> {
    const { text, records, exact, busy } = this.#state;
    if (!busy) {
      await this.#request(text, async () => {
        const more = await this.#nextRecords(this.#abort.signal);
        return { records: withoutRepeats([...records, ...more]), exact };
      });
    }
  }

  /** Aborts requests under way. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#pages = undefined;
  }

  async #request(text: string, run: () => Promise<{ records: readonly T[]; exact: boolean }>): Promise<void> {
    const { signal } = this.#abort;
    // What another text had found is no answer to this one.
    const { records, exact } = this.#state.text === text ? this.#state : { records: [], exact: false };
    this.#set({ ...this.#state, error: undefined, text, busy: true });
    const found = await run().catch((error: unknown) => ({ records, exact, error }));
    if (!signal.aborted) {
      // The list cannot be gone on with after an error.
      this.#set({ hasMore: this.#pages !== undefined && !('error' in found), ...found, text, busy: false });
    }
  }

  async #nextRecords(signal: AbortSignal): Promise<T[]> {
    const records: T[] = [];
    // Pages may be short, even empty.
    for (let pages = 0; pages < pagesPerSearch && records.length < recordsPerSearch && this.#pages; pages += 1) {
      const { value, done } = await this.#pages.next();
      if (signal.aborted) {
        break;
      }
      if (done === true) {
        this.#pages = undefined;
      } else {
        records.push(...value);
      }
    }
    return records;
  }

  #set(state: SearchState<T>): void {
    this.#state = state;
    this.#onChange(state);
  }
}

/** The first of those that are the same. */
export function withoutRepeats<T extends Identified>(records: readonly T[]): T[] {
  const seen = new Set<unknown>();
  return records.filter(({ id }) => !seen.has(id) && seen.add(id));
}
