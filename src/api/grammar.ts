/** The forms that texts of an instance must have. This module imports nothing, to be loaded where the client itself is not. */

export type Sha = string & { readonly sha: unique symbol };

/** Whether a text is the full id of a commit; zeros alone stand for none. Nothing else may reach git, where it may be an option. */
export function isSha(text: unknown): text is Sha {
  return typeof text === 'string' && /^(?!0+$)(?:[\da-fA-F]{40}|[\da-fA-F]{64})$/.test(text);
}

/** Whether a text can be the name of a branch or tag. @see https://git-scm.com/docs/git-check-ref-format */
export function isRef(text: string): boolean {
  return (
    text.length <= 1000 &&
    // No control characters, no ASCII space or characters that mean something in an expression, at no place `..`, `@{` or `//`.
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/u.test(text) &&
    !/^[-./]|[./]$|^@?$/.test(text) &&
    text.isWellFormed()
  );
}

export function isUsername(text: string): boolean {
  // Most are of ASCII, for which the first form is several times as fast.
  return (
    /^(?!\.{1,2}$)[\w.][\w.-]{0,254}$/.test(text) ||
    /^(?!\.{1,2}$)[\p{L}\p{N}_.][\p{L}\p{M}\p{N}_.-]{0,254}$/u.test(text)
  );
}

const longestPath = 1000;
/** More than groups can be nested. */
const mostNamespaces = 30;

/** Whether a text can be the full path of a project or group: it becomes a part of addresses, where a `..` would lead elsewhere. */
export function isFullPath(text: string): boolean {
  const names = text.split('/');
  return (
    text.length <= longestPath &&
    names.length <= mostNamespaces &&
    names.every((name) => !/^\.{0,2}$|[\p{Cc}\s\\%?#]/u.test(name)) &&
    text.isWellFormed()
  );
}

/** A day before the end of 9999: what is shown is by the reader's clock, which may be ahead of UTC. */
const latest = Date.UTC(9999, 11, 31) - 1;

/**
 * Reads a timestamp: ISO 8601 with a time and an offset, from 1970 to 9999. Programs that have no time send other years.
 *
 * @returns milliseconds since 1970; undefined if it is none.
 */
export function readTimestamp(text: unknown): number | undefined {
  if (
    typeof text !== 'string' ||
    text.length > 40 ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  ) {
    return undefined;
  }
  const time = Date.parse(text);
  // There is no February 31, which would be read as March 3.
  const isDay = new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  return isDay && time >= 0 && time <= latest ? time : undefined;
}

/** Timestamps that are in range by their form alone: no first year, no day that a month may not have. */
const plainTimestamp =
  /^(?:197[1-9]|19[89]\d|[2-8]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):?[0-5]\d)$/;

export function isTimestamp(text: string): boolean {
  return plainTimestamp.test(text) || readTimestamp(text) !== undefined;
}

/** Whether a text is a calendar date such as `2026-12-31`, from 1970 to 9999. */
export function isDate(text: string): boolean {
  return text.length === 10 && readTimestamp(`${text}T00:00:00Z`) !== undefined;
}

/** Whether a value of JSON is neither a list nor plain. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
