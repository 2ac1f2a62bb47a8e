import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { NotAnInstanceError } from './errors.ts';
import type { Reply } from './calls.ts';
import { unrecognizedRecord, type UnrecognizedRecord } from './unrecognized.ts';

// The small form of zod has no words of its own for what is wrong.
z.config(en());

/**
 * Reads records of one kind out of JSON. They are the objects of the JSON themselves, with the fields that the schema does
 * not know: to copy them would cost more than all else that the client does with a page.
 */
export class RecordReader<T> {
  readonly #schema: z.ZodMiniType<T, T>;
  readonly #compiled: z.ZodMiniType<T, T>;
  readonly #prepare: Change;
  readonly #withBooleans: Change;
  /** The names of the fields that the schema knows. */
  readonly fields: readonly string[];

  /**
   * @param schema What a record has to be like. It transforms nothing; where it has a boolean, null counts as false.
   * @param prepare Makes of an element what the schema describes.
   */
  constructor(schema: z.ZodMiniType<T, T>, prepare: Change = (element) => element) {
    this.#schema = schema;
    this.#compiled = z.compile(schema);
    this.#prepare = prepare;
    this.#withBooleans = withBooleansOf(schema);
    this.fields = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
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
      throw new NotAnInstanceError(facts, json === undefined ? 'nothing' : 'JSON that is not a list');
    }
    return json.map((element: unknown) =>
      this.#read<UnrecognizedRecord>(element, (problems) => unrecognizedRecord(element, problems)),
    );
  }

  #read<Other = never>(element: unknown, otherwise: (problems: string[]) => Other): T | Other {
    const record = this.#withBooleans(this.#prepare(element));
    return z.validate(this.#compiled, record) ? record : otherwise(problemsOf(this.#schema.safeParse(record).error));
  }
}

/** What is wrong, by path and without the values. Only the schema's own words: keys of a record may be secret, too. */
function problemsOf(error: z.core.$ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`);
}

/** Gives what a value is to be: the value itself, or a changed copy. */
type Change = (value: unknown) => unknown;

const innerChanges = new WeakMap<z.core.$ZodType, Change>();

/**
 * A record inside a record. On its own it is compiled once; as a part of the outer one it would become a closure of that
 * one's code, which the engine optimizes anew again and again.
 */
export function inner<T>(schema: z.ZodMiniType<T, T>): z.ZodMiniType<T, T> {
  const compiled = z.compile(schema);
  const checked = z.custom<T>().check(({ value, issues }) => {
    if (!z.validate(compiled, value)) {
      const problems = schema.safeParse(value).error?.issues ?? [];
      issues.push(...problems.map((issue) => ({ ...issue, path: [...issue.path] }) as z.core.$ZodRawIssue));
    }
  });
  innerChanges.set(checked, withBooleansOf(schema));
  return checked;
}

/** Lets null count as false (section 2.9) where a schema has a boolean that is not nullable, also inside of inner records. */
function withBooleansOf(schema: z.core.$ZodType): Change {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodMiniObject ? schema.shape : {};
  const changes = Object.entries(shape).flatMap(([name, field]) => {
    let bare = field;
    let isNullable = false;
    while (bare instanceof z.ZodMiniOptional || bare instanceof z.ZodMiniNullable) {
      isNullable ||= bare instanceof z.ZodMiniNullable;
      bare = bare.def.innerType;
    }
    const change = bare instanceof z.ZodMiniBoolean && !isNullable ? nullAsFalse : innerChanges.get(bare);
    return change === undefined ? [] : [{ name, change }];
  });
  return (record) => {
    if (typeof record !== 'object' || record === null) {
      return record;
    }
    let result = record as Record<string, unknown>;
    for (const { name, change } of changes) {
      const value = result[name];
      const changed = change(value);
      if (changed !== value) {
        result = { ...result, [name]: changed };
      }
    }
    return result;
  };
}

function nullAsFalse(value: unknown): unknown {
  return value === null ? false : value;
}
