import { isWebAddress } from '../common/instanceUrl.ts';
import { apiError } from './errors.ts';
import { isDate, isObject, isRef, isSha, isTimestamp, isUsername } from './grammar.ts';
import type { Call, Reply, Requester } from './request.ts';

/** What a field gives for a value without which there is no record. */
const unfit: unique symbol = Symbol('unfit');

/** Makes of a value what the field is to be: mostly the value itself. What is missing is undefined. */
type Field<T> = (value: unknown) => T | typeof unfit;

/** The fields of a kind of records. What else a record has is kept as it comes. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

type Read<F> = F extends (value: unknown) => infer T ? Exclude<T, typeof unfit> : never;

export type RecordOf<F extends Fields> = {
  [Name in keyof F as undefined extends Read<F[Name]> ? never : Name]: Read<F[Name]>;
} & { [Name in keyof F as undefined extends Read<F[Name]> ? Name : never]?: Read<F[Name]> } & {
  [other: string]: unknown;
};

/** An element of a list that is no record of its kind. It does not lose the others. */
export interface Misfit {
  /** As it came: any JSON value. */
  readonly raw: unknown;
  /** What is wrong with it, by the names of fields. Holds no values. */
  readonly problems: readonly string[];
}

export interface Records<T> {
  readonly items: readonly T[];
  readonly misfits: readonly Misfit[];
}

const mostRecords = 1000;

/** Reads records of one kind out of JSON. They are the objects of the JSON themselves, copied only where a field is changed. */
export class RecordReader<F extends Fields> {
  readonly #fields: readonly Entry[];
  readonly #prepare: (element: unknown) => unknown;

  /** @param prepare makes of an element what the fields describe. */
  constructor(fields: F, prepare = (element: unknown) => element) {
    this.#fields = entriesOf(fields);
    this.#prepare = prepare;
  }

  /** The one record that the reply to a call is. @throws ApiError `notAnInstance` if it is something else. */
  async fetch(requester: Requester, call: Call): Promise<RecordOf<F>> {
    const { json, facts } = await requester.send(call);
    const read = readFields(this.#fields, this.#prepare(json));
    if (Array.isArray(read)) {
      throw apiError(facts, { reason: 'notAnInstance', found: `a record of another shape (${read.join('; ')})` });
    }
    return read as RecordOf<F>;
  }

  /** The records that a reply is a list of. @throws ApiError `notAnInstance` if it is none, or has too many. */
  list({ json, facts }: Pick<Reply, 'json' | 'facts'>): Records<RecordOf<F>> {
    if (!Array.isArray(json) || json.length > mostRecords) {
      const found = Array.isArray(json) ? `more than ${mostRecords} records` : 'no list';
      throw apiError(facts, { reason: 'notAnInstance', found });
    }
    return this.read(json);
  }

  /** The same of a list from elsewhere, such as from disk. */
  read(elements: readonly unknown[]): Records<RecordOf<F>> {
    const [items, misfits]: [RecordOf<F>[], Misfit[]] = [[], []];
    for (const element of elements) {
      const read = readFields(this.#fields, this.#prepare(element));
      if (Array.isArray(read)) {
        misfits.push({ raw: element, problems: read });
      } else {
        items.push(read as RecordOf<F>);
      }
    }
    return { items, misfits };
  }
}

interface Entry {
  readonly name: string;
  readonly read: Field<unknown>;
  /** The last value that was as the field is to be, but no object: those may have changed. */
  last: unknown;
}

function entriesOf(fields: Fields): Entry[] {
  return Object.entries(fields).map(([name, read]) => ({ name, read, last: unfit }));
}

/** @returns the record, or what is wrong, by the names of fields, without the values. */
function readFields(fields: readonly Entry[], value: unknown): Record<string, unknown> | string[] {
  if (!isObject(value)) {
    return ['record: is no object'];
  }
  let problems: string[] | undefined;
  let record = value;
  for (const entry of fields) {
    const { name } = entry;
    const given = record[name];
    // The records of a list have much in common, such as an author: to compare is faster than to look again.
    if (given === entry.last) {
      continue;
    }
    const fit = entry.read(given);
    if (fit === unfit) {
      (problems ??= []).push(`${name}: ${given === undefined ? 'is missing' : 'has another form'}`);
    } else if (fit !== given) {
      record = { ...record, [name]: fit };
    } else if (typeof given !== 'object' || given === null) {
      entry.last = given;
    }
  }
  return problems ?? record;
}

type Optional<T> = T | null | undefined;

/** What has not its form counts as unknown, and does not lose the record. */
function knownText(fits: (text: string) => boolean): Field<Optional<string>> {
  return (value) =>
    value === undefined || value === null || (typeof value === 'string' && fits(value)) ? value : null;
}

function needed<T>(fits: (value: T) => boolean, type: 'string' | 'number'): Field<T> {
  return (value) => (typeof value === type && fits(value as T) ? (value as T) : unfit);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const word = /^[\w:.-]{1,100}$/;

/**
 * The fields of records, by the forms of `grammar.ts`. Without a required one there is no record; the others are unknown (null) where
 * an instance sends something else. A text that is too long is cut.
 */
export const field = {
  requiredId: (fits = isCount) => needed<number>(fits, 'number'),
  required: (fits: (text: string) => boolean) => needed(fits, 'string'),
  /** As `flag`, of a record that there is not without it. */
  requiredFlag: (): Field<boolean> => (value) => (value === null ? false : typeof value === 'boolean' ? value : unfit),
  textOrEmpty:
    (most: number): Field<string> =>
    (value) =>
      typeof value === 'string' ? cut(value, most) : '',
  optional: knownText,
  sha: () => knownText(isSha),
  ref: () => knownText(isRef),
  username: () => knownText(isUsername),
  timestamp: () => knownText(isTimestamp),
  date: () => knownText(isDate),
  address: () => knownText(isWebAddress),
  /** A text of one line, unknown where it is longer: cut, it would be another one. */
  line: (most: number) => knownText((text) => text.length <= most && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)),
  text:
    (most: number): Field<Optional<string>> =>
    (value) =>
      typeof value === 'string' ? cut(value, most) : value === undefined ? undefined : null,
  number: (): Field<Optional<number>> => (value) =>
    value === undefined || value === null || isCount(value) ? (value as Optional<number>) : null,
  /** True or false; null is false. @see https://docs.gitlab.com/api/rest/#null-vs-false */
  flag: (): Field<boolean | undefined> => (value) =>
    typeof value === 'boolean' ? value : value === null ? false : undefined,
  /** True, false or null, which is a value of its own; anything else is as if it were missing. */
  switch: (): Field<Optional<boolean>> => (value) => (typeof value === 'boolean' || value === null ? value : undefined),
  /** A list of words, such as scopes; what is none is left out, as are those beyond the limit. Unknown where there is no list. */
  words:
    (most: number): Field<string[] | undefined> =>
    (value) =>
      Array.isArray(value)
        ? value.filter((one) => typeof one === 'string' && word.test(one)).slice(0, most)
        : undefined,
  record: <F extends Fields>(fields: F): Field<Optional<RecordOf<F>>> => {
    const entries = entriesOf(fields);
    return (value) => {
      const read = value === undefined ? undefined : readFields(entries, value);
      return Array.isArray(read) ? null : (read as RecordOf<F> | undefined);
    };
  },
};
