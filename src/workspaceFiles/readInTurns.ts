import { Pace } from './pace.ts';

const readsAtOnce = 16;

/** A file with what was read of it. */
export interface FileText<F> {
  readonly file: F;
  readonly text: string;
}

/**
 * Reads files a few at a time and hands their texts on one by one. In between, others in the process get their turn.
 *
 * @param read gives the text of a file, or undefined if it is not wanted.
 * @param isCancelled ends the reading as soon as it says so.
 */
export async function* readInTurns<F>(
  files: readonly F[],
  read: (file: F) => Promise<string | undefined>,
  isCancelled: () => boolean,
): AsyncGenerator<FileText<F>, void, undefined> {
  const pace = new Pace();
  for (let next = 0; next < files.length; next += readsAtOnce) {
    const reads = files.slice(next, next + readsAtOnce).map(async (file) => ({ file, text: await read(file) }));
    for (const { file, text } of await Promise.all(reads)) {
      if (isCancelled()) {
        return;
      }
      if (text !== undefined) {
        yield { file, text };
        await pace.rest();
      }
    }
  }
}
