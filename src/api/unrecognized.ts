/**
 * Records that a list holds but that do not have the shape of their kind. This module imports nothing at run time, so
 * that it can be loaded where the client itself is not.
 */

// A symbol, because no JSON can forge it; a registered one, because this module may be bundled more than once.
const mark: unique symbol = Symbol.for('beacon-gitlab.unrecognizedRecord');

/** An element of a list that is not a record of the expected kind. It is kept, so that one bad record does not lose a page. */
export interface UnrecognizedRecord {
  readonly [mark]: true;
  /** The element as it came: any JSON value. */
  readonly raw: unknown;
  /** What is wrong with it, by path, such as `author.id: Invalid input: expected int`. Holds no values. */
  readonly problems: readonly string[];
}

/** Wraps an element that is not a record of the expected kind. */
export function unrecognizedRecord(raw: unknown, problems: readonly string[]): UnrecognizedRecord {
  return { [mark]: true, raw, problems };
}

/** Whether an item of a page is an unrecognized record. */
export function isUnrecognized(item: unknown): item is UnrecognizedRecord {
  return typeof item === 'object' && item !== null && mark in item;
}

/** Whether an item of a page is a record of the kind that was asked for: the opposite, for use with `filter`. */
export function isRecognized<T>(item: T | UnrecognizedRecord): item is T {
  return !isUnrecognized(item);
}
