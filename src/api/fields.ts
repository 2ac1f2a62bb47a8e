import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { apiError } from './errors.ts';
import { isDate, isRef, isSha, isTimestamp, isUsername, isWebAddress } from './grammar.ts';
import type { Reply } from './request.ts';
import { unrecognizedRecord, type UnrecognizedRecord } from './unrecognized.ts';

// The small form of zod has no words of its own for what is wrong.
z.config(en());

type ObjectSchema<T> = z.ZodMiniType<T, T> & z.ZodMiniObject;

/**
 * Reads records of one kind out of JSON. They are the objects of the JSON themselves, with the fields that the schema does
 * not know: to copy them would cost more than all else that the client does with a page.
 */
export class RecordReader<T> {
  readonly #schema: z.ZodMiniType<T, T>;
  readonly #fits: (value: unknown) => value is T;
  readonly #prepare: Change;
  readonly #change: Change;

  /**
   * @param schema What a record has to be like. It transforms nothing, beside what its fields of `field` do.
   * @param prepare Makes of an element what the schema describes.
   */
  constructor(schema: ObjectSchema<T>, prepare: Change = (element) => element) {
    this.#schema = schema;
    this.#fits = compile(schema);
    this.#prepare = prepare;
    this.#change = changeOf(schema);
  }

  /**
   * The one record that a reply is.
   *
   * @throws ApiError `notAnInstance` if it is something else.
   */
  one({ json, facts }: Pick<Reply, 'json' | 'facts'>): T {
    return this.#read(json, (problems) => {
      throw apiError(facts, { reason: 'notAnInstance', found: `a record of another shape (${problems.join('; ')})` });
    });
  }

  /** The records that a reply is a list of; what is not such a record comes as it is. */
  list({ json, facts }: Pick<Reply, 'json' | 'facts'>): (T | UnrecognizedRecord)[] {
    if (!Array.isArray(json)) {
      throw apiError(facts, {
        reason: 'notAnInstance',
        found: json === undefined ? 'nothing' : 'JSON that is not a list',
      });
    }
    return this.items(json);
  }

  /** The same of a list that comes from elsewhere, such as from disk. */
  items(elements: readonly unknown[]): (T | UnrecognizedRecord)[] {
    return elements.map((element) =>
      this.#read<UnrecognizedRecord>(element, (problems) => unrecognizedRecord(element, problems)),
    );
  }

  #read<Other = never>(element: unknown, otherwise: (problems: string[]) => Other): T | Other {
    const prepared = this.#prepare(element);
    if (this.#fits(prepared)) {
      return prepared;
    }
    const record = this.#change(prepared);
    return this.#fits(record) ? record : otherwise(problemsOf(this.#schema.safeParse(record).error));
  }
}

/** zod makes a closure for each optional field; the engine does without them in functions of no more fields than these. */
const fieldsAtOnce = 8;

/** Tells whether a value is as a schema describes it, which is compiled for the first one: most windows read few kinds of records. */
function compile<T>({ shape }: ObjectSchema<T>): (value: unknown) => value is T {
  let parts: z.ZodMiniType[] | undefined;
  return (value): value is T => {
    for (const part of (parts ??= compiledParts(shape))) {
      if (!z.validate(part, value)) {
        return false;
      }
    }
    return true;
  };
}

function compiledParts(shape: ObjectSchema<unknown>['shape']): z.ZodMiniType[] {
  const fields = Object.entries(shape);
  const parts: z.ZodMiniType[] = [];
  while (fields.length > 0) {
    parts.push(z.compile(z.looseObject(Object.fromEntries(fields.splice(0, fieldsAtOnce)))));
  }
  return parts;
}

/** What is wrong, by path and without the values. Only the schema's own words: keys of a record may be secret, too. */
function problemsOf(error: z.core.$ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`);
}

/** Gives what a value is to be: the value itself, or a changed copy. */
type Change = (value: unknown) => unknown;

/** What is done with the value of a field that is not as it should be, by the field's schema. */
const changes = new WeakMap<z.core.$ZodType, Change>();

function fieldWith<Schema extends z.core.$ZodType>(schema: Schema, change: Change): Schema {
  changes.set(schema, change);
  return schema;
}

const word = /^[\w:.-]{1,100}$/;

/** A field that may be missing. What has not its form counts as unknown, and does not lose the record. */
function known(fits: (value: string) => boolean) {
  // The records of a list have much in common, such as an author: to compare is faster than to look again.
  let last: string | undefined;
  const fitsAsLast = (value: string) => {
    if (value !== last && fits(value)) {
      last = value;
    }
    return value === last;
  };
  return fieldWith(z.nullish(z.string().check(z.refine(fitsAsLast))), (value) =>
    typeof value === 'string' && fits(value) ? value : null,
  );
}

/**
 * The fields of records, by the forms of `grammar.ts`. Those that may be missing are unknown (null) where an instance sends
 * something else; a text that is too long is cut.
 */
export const field = {
  /** The full id of a commit. */
  sha: () => known(isSha),
  /** The name of a branch or tag. */
  ref: () => known(isRef),
  username: () => known(isUsername),
  /** ISO 8601 with an offset, from 1970 to 9999. */
  timestamp: () => known(isTimestamp),
  /** A calendar date, from 1970 to 9999. */
  date: () => known(isDate),
  /** An address of the web. */
  address: () => known(isWebAddress),
  /** A text of at most so many UTF-16 code units. */
  text: (most: number) =>
    fieldWith(z.nullish(z.string().check(z.maxLength(most))), (value) =>
      typeof value === 'string' ? cut(value, most) : null,
    ),
  /** A text without which there is no record. */
  requiredText: (most: number) =>
    fieldWith(z.string().check(z.maxLength(most)), (value) => (typeof value === 'string' ? cut(value, most) : value)),
  /** The id of a record, without which it is none. */
  requiredId: () => z.int().check(z.minimum(0)),
  /** The id of another record, or a count. */
  number: () =>
    fieldWith(z.nullish(z.int().check(z.minimum(0))), (value) =>
      Number.isSafeInteger(value) && Number(value) >= 0 ? value : null,
    ),
  /**
   * True or false; null is false.
   *
   * @see https://docs.gitlab.com/api/rest/#null-vs-false
   */
  flag: () =>
    fieldWith(z.optional(z.boolean()), (value) =>
      value === null ? false : typeof value === 'boolean' ? value : undefined,
    ),
  /** A text of one line, unknown where it is longer: cut, it would be another one. */
  line: (most: number) => known((text) => text.length <= most && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)),
  /** A list of words, such as scopes; what is none is left out, as are those beyond so many. */
  words: (most: number) =>
    fieldWith(z.array(z.string().check(z.regex(word))).check(z.maxLength(most)), (value) =>
      Array.isArray(value) ? value.filter((one) => typeof one === 'string' && word.test(one)).slice(0, most) : value,
    ),
  /** True, false or null, which is a value of its own; anything else is as if it were missing. */
  switch: () =>
    fieldWith(z.nullish(z.boolean()), (value) => (value === null || typeof value === 'boolean' ? value : undefined)),
  /** A record inside a record. */
  record: <T>(schema: ObjectSchema<T>) => {
    // On its own it is compiled once; as a part of the outer one it would become a closure of that one's code, which the
    // engine optimizes again and again.
    const [fits, change] = [compile(schema), changeOf(schema)];
    return fieldWith(z.nullish(z.custom<T>(fits)), (value) => {
      const changed = change(value);
      return fits(changed) ? changed : null;
    });
  },
};

/** Makes of the fields of a record what they are to be: unknown where they do not fit, false for a null boolean. */
function changeOf({ shape }: z.ZodMiniObject): Change {
  const changesOfFields = Object.entries(shape).flatMap(([name, field]) => {
    const change = changes.get(field) ?? (isBoolean(field) ? nullAsFalse : undefined);
    return change === undefined ? [] : [{ name, change }];
  });
  return (record) => {
    if (typeof record !== 'object' || record === null) {
      return record;
    }
    let result = record as Record<string, unknown>;
    for (const { name, change } of changesOfFields) {
      const value = result[name];
      // What is missing stays missing.
      const changed = value === undefined ? undefined : change(value);
      if (changed !== value) {
        result = { ...result, [name]: changed };
      }
    }
    return result;
  };
}

function isBoolean(field: z.core.$ZodType): boolean {
  const bare = field instanceof z.ZodMiniOptional ? field.def.innerType : field;
  return bare instanceof z.ZodMiniBoolean;
}

function nullAsFalse(value: unknown): unknown {
  return value === null ? false : value;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
