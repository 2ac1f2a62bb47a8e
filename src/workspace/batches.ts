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

/** How many bytes are made characters at a time. */
const portion = 64 * 1024;

/** The bytes of a file that is no text as characters, without those that are zero, such as every other one of UTF-16. */
export async function charactersOf(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder('latin1');
  const yielder = new Yielder();
  let text = '';
  for (let from = 0; from < bytes.length; from += portion) {
    text += decoder.decode(bytes.subarray(from, from + portion).filter((byte) => byte !== 0));
    await yielder.rest();
  }
  return text;
}
