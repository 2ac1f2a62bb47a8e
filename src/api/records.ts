import * as z from 'zod';
import { NotAnInstanceError } from './errors.ts';
import type { Reply } from './calls.ts';
import { unrecognizedRecord, type UnrecognizedRecord } from './unrecognized.ts';

/**
 * Reads records of one kind out of JSON. They are the objects of the JSON themselves, with the fields that the schema does
 * not know: to copy them would cost more than all else that the client does with a page.
 */
export class RecordReader<T> {
  readonly #schema: z.ZodType<T, T>;
  readonly #compiled: z.ZodType<T, T>;
  readonly #prepare: (raw: unknown) => unknown;

  /**
   * @param schema What a record has to be like. It transforms nothing.
   * @param prepare Makes of an element what the schema describes, without changing the element.
   */
  constructor(schema: z.ZodType<T, T>, prepare: (raw: unknown) => unknown = (raw) => raw) {
    this.#schema = schema;
    this.#compiled = z.compile(schema);
    this.#prepare = prepare;
  }

  /**
   * The one record that a reply is.
   *
   * @throws NotAnInstanceError if it is something else.
   */
  one({ json, facts }: Pick<Reply, 'json' | 'facts'>): T {
    return this.#read(json, (problems) => {
      throw new NotAnInstanceError(facts, `a record of another shape (${problems.join('; ')})`);
    });
  }

  /** The records that a reply is a list of; what is not such a record comes as it is. */
  list({ json, facts }: Pick<Reply, 'json' | 'facts'>): (T | UnrecognizedRecord)[] {
    if (!Array.isArray(json)) {
      throw new NotAnInstanceError(facts, 'JSON that is not a list');
    }
    return json.map((element: unknown) =>
      this.#read<UnrecognizedRecord>(element, (problems) => unrecognizedRecord(element, problems)),
    );
  }

  #read<Other = never>(element: unknown, otherwise: (problems: string[]) => Other): T | Other {
    const prepared = this.#prepare(element);
    if (z.validate(this.#compiled, prepared)) {
      return prepared;
    }
    // Only now by the schema itself: compiled, it would be tried once more before it tells what is wrong.
    const issues = this.#schema.safeParse(prepared, { reportInput: true }).error?.issues ?? [];
    const isNullBoolean = (issue: z.core.$ZodIssue) =>
      issue.code === 'invalid_type' && issue.expected === 'boolean' && issue.input === null;
    // Only the schema's own words, and no values: what a record holds may be secret.
    const problems = issues
      .filter((issue) => !isNullBoolean(issue))
      .map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`);
    // A null boolean counts as false (section 2.9).
    return problems.length > 0
      ? otherwise(problems)
      : (issues.reduce((record, { path }) => withFalseAt(record, path), prepared) as T);
  }
}

function withFalseAt(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (name === undefined) {
    return false;
  }
  const record = value as Record<PropertyKey, unknown>;
  return { ...record, [name]: withFalseAt(record[name], rest) };
}

/**
 * A record inside a record. On its own it is compiled once; as a part of the outer one it would become a closure of that
 * one's code, which the engine optimizes anew again and again.
 */
export function inner<T>(schema: z.ZodType<T, T>): z.ZodType<T, T> {
  const compiled = z.compile(schema);
  return z.custom<T>().check(({ value, issues }) => {
    if (!z.validate(compiled, value)) {
      const { error } = schema.safeParse(value, { reportInput: true });
      issues.push(
        ...(error?.issues ?? []).map((issue) => ({ ...issue, path: [...issue.path] }) as z.core.$ZodRawIssue),
      );
    }
  });
}
