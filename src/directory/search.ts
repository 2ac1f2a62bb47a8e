import type { Pages } from '../api/pagination.ts';
import { isRecognized } from '../api/unrecognized.ts';

/** Where records of one kind are looked for. */
export interface Source<T> {
  /** Those that a text is part of, page by page; for an empty text those that are likely to be wanted. */
  list(text: string, signal: AbortSignal): Pages<T>;
  /** The one that a text names exactly, such as by its id; undefined if there is none. */
  find(text: string, signal: AbortSignal): Promise<T | undefined>;
}

/** What a search has found by now. */
export interface SearchState<T> {
  /** What is looked for, without the space around it. */
  readonly text: string;
  /** The one that the text names exactly first. */
  readonly records: readonly T[];
  /** Whether the first of the records is named by the text exactly. */
  readonly exact: boolean;
  readonly busy: boolean;
  readonly hasMore: boolean;
  /** Why the last request failed. */
  readonly error?: unknown;
}

/** How many records a step brings at least, as long as there are any. */
const recordsPerStep = 20;
/** How many pages a step requests at most: those of a search may all be empty. */
const pagesPerStep = 10;

/** Looks for what is being typed: a newer text ends the requests of the older one, whose answers are dropped. */
export class Search<T extends { readonly id: number }> {
  readonly #source: Source<T>;
  readonly #onChange: (state: SearchState<T>) => void;
  #abort = new AbortController();
  #pages: Pages<T> | undefined;
  #state: SearchState<T> = { text: '', records: [], exact: false, busy: false, hasMore: false };

  /** @param onChange is told of every change of the state. */
  constructor(source: Source<T>, onChange: (state: SearchState<T>) => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  get state(): SearchState<T> {
    return this.#state;
  }

  /** Looks for another text, or for the same once more. What the text before has found stays until there is an answer. */
  async lookFor(typed: string): Promise<void> {
    const text = typed.trim();
    this.stop();
    const { signal } = this.#abort;
    this.#pages = this.#source.list(text, signal);
    await this.#step(text, async () => {
      const [found, listed] = await Promise.all([
        text === '' ? undefined : this.#source.find(text, signal),
        this.#nextRecords(signal),
      ]);
      return { records: withoutRepeats([...(found ? [found] : []), ...listed]), exact: found !== undefined };
    });
  }

  /** Looks for more of the same. */
  async lookFurther(): Promise<void> {
    const { text, records, exact, busy } = this.#state;
    const { signal } = this.#abort;
    if (!busy) {
      await this.#step(text, async () => ({
        records: withoutRepeats([...records, ...(await this.#nextRecords(signal))]),
        exact,
      }));
    }
  }

  /** Ends what is under way. */
  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#pages = undefined;
  }

  async #step(text: string, run: () => Promise<Pick<SearchState<T>, 'records' | 'exact'>>): Promise<void> {
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
      pages < pagesPerStep && records.length < recordsPerStep && this.#pages !== undefined;
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

function withoutRepeats<T extends { readonly id: number }>(records: readonly T[]): T[] {
  const seen = new Set<number>();
  return records.filter(({ id }) => !seen.has(id) && seen.add(id));
}
