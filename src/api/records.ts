import * as z from 'zod';
import { NotAnInstanceError } from './errors.ts';
import type { Reply } from './calls.ts';
import { unrecognizedRecord, type UnrecognizedRecord } from './unrecognized.ts';

/** Reads records of one kind out of JSON. Fields that the schema does not know are kept. */
export class RecordReader<T> {
  readonly #schema: z.ZodType<T>;

  constructor(schema: z.ZodType<T>) {
    // Compiled, checking costs less than parsing the JSON did.
    this.#schema = z.compile(schema);
  }

  /**
   * The one record that a reply is.
   *
   * @throws NotAnInstanceError if it is something else.
   */
  one({ json, facts }: Pick<Reply, 'json' | 'facts'>): T {
    const result = this.#schema.safeParse(json);
    if (!result.success) {
      throw new NotAnInstanceError(facts, `a record of another shape (${problemsOf(result.error).join('; ')})`);
    }
    return result.data;
  }

  /** The records that a reply is a list of; what is not such a record comes as it is. */
  list({ json, facts }: Pick<Reply, 'json' | 'facts'>): (T | UnrecognizedRecord)[] {
    if (!Array.isArray(json)) {
      throw new NotAnInstanceError(facts, 'JSON that is not a list');
    }
    return json.map((element: unknown) => {
      const result = this.#schema.safeParse(element);
      return result.success ? result.data : unrecognizedRecord(element, problemsOf(result.error));
    });
  }
}

/** What is wrong, by path and without the values. Only the schema's own words: keys of a record may be secret, too. */
function problemsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`);
}

/** A boolean that may be null, which counts as false (section 2.9). */
export const nullAsFalse = z
  .boolean()
  .nullable()
  .transform((value) => value ?? false);

/**
 * A record inside a record. On its own it is compiled once; as a part of the outer one it would become a closure of that
 * one's code, which the engine optimizes anew again and again.
 */
export function inner<S extends z.ZodType>(schema: S): z.ZodLazy<S> {
  const compiled = z.compile(schema);
  return z.lazy(() => compiled);
}
