import { yieldThread } from '#platform/runtime.ts';

/** How many bytes decide whether a file is binary; git reads as many. */
const inspected = 8000;

/**
 * The text that the bytes of a file stand for: UTF-8, or UTF-16 with a byte order mark.
 *
 * @returns undefined for a binary file.
 */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff;
  if (utf16 !== false) {
    return new TextDecoder(utf16 === true ? 'utf-16be' : utf16).decode(bytes);
  }
  return bytes.subarray(0, inspected).includes(0) ? undefined : new TextDecoder().decode(bytes);
}

/** The longest time in milliseconds that work blocks the thread before it yields. */
const turn = 8;

/** Lets long work yield, so that other tasks of the process, such as the user's typing, need not wait for it. */
export class Yielder {
  readonly #turn: number;
  #turnEnds: number;

  /** @param longest how many milliseconds the work holds the thread. */
  constructor(longest = turn) {
    this.#turn = longest;
    this.#turnEnds = performance.now() + longest;
  }

  /** Yields if this work has used up its time; costs next to nothing otherwise. */
  async rest(): Promise<void> {
    if (performance.now() >= this.#turnEnds) {
      await yieldThread();
      this.#turnEnds = performance.now() + this.#turn;
    }
  }
}

const readsAtOnce = 16;

/** A file with what was read of it. */
export interface FileText<F> {
  readonly file: F;
  readonly text: string;
}

/**
 * Reads files in batches and yields their texts one by one. Lets other tasks of the process run in between.
 *
 * @param read gives the text of a file, or undefined if it is not wanted.
 * @param isCancelled ends the reading as soon as it says so.
 */
export async function* readBatched<F>(
  files: readonly F[],
  read: (file: F) => Promise<string | undefined>,
  isCancelled: () => boolean,
): AsyncGenerator<FileText<F>, void, undefined> {
  const yielder = new Yielder();
  for (let next = 0; next < files.length; next += readsAtOnce) {
    const reads = files.slice(next, next + readsAtOnce).map(async (file) => ({ file, text: await read(file) }));
    for (const { file, text } of await Promise.all(reads)) {
      if (isCancelled()) {
        return;
      }
      if (text !== undefined) {
        yield { file, text };
        await yielder.rest();
      }
    }
  }
}
