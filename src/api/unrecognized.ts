// A registered symbol, because this module may be bundled more than once: it imports nothing, to be loaded where the client is not.
const mark: unique symbol = Symbol.for('beacon-gitlab.unrecognizedRecord');

/** An element of a list that is not a record of the expected kind. It is kept, so that one bad record does not lose a page. */
export interface UnrecognizedRecord {
  readonly [mark]: true;
  /** The element as it came: any JSON value. */
  readonly raw: unknown;
  /** What is wrong with it, by the names of fields. Holds no values. */
  readonly problems: readonly string[];
}

export function unrecognizedRecord(raw: unknown, problems: readonly string[]): UnrecognizedRecord {
  return { [mark]: true, raw, problems };
}

export function isUnrecognized(item: unknown): item is UnrecognizedRecord {
  return typeof item === 'object' && item !== null && mark in item;
}

/** The opposite, for use with `filter`. */
export function isRecognized<T>(item: T | UnrecognizedRecord): item is T {
  return !isUnrecognized(item);
}
