/**
 * A DSN: the URL by which a program reports its errors to a project.
 *
 * @see https://docs.gitlab.com/operations/integrated_error_tracking/
 */
export interface Dsn {
  /** Without the backslashes that JSON may have before `/`, and a properties file before `:`. */
  readonly text: string;
  readonly publicKey: string;
  readonly origin: string;
  readonly projectId: number;
  readonly envelopeUrl: string;
}

export interface FoundDsn {
  readonly dsn: Dsn;
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
  readonly written: string;
}

/** What each DSN contains, whatever the case of its letters, to leave most texts after a quick look. */
const hint = /error_?tracking\\?\//i;
/** Key, optional secret, and host: all of bounded length, as are the segments of the path. */
const authority = /[\w-]{1,128}(?:\\?:[\w-]{0,128})?@(?:\\?:|[\w.[\]-]){1,255}/y;
const path = /(?:\\?\/[\w.~%-]{1,255}){1,13}/y;
/** What the path begins with, up to the end of the DSN: where instances take errors, the current place and the older collector's. */
const ingestion =
  /^(?:\\?\/[^/\\]+){0,8}?\\?\/(?:errortracking\\?\/api\\?\/v1\\?\/projects|api\\?\/v4\\?\/error_tracking\\?\/collector)\\?\/\d{1,15}(?![\w%])/i;

/**
 * Searches an untrusted text for DSNs, in order. Each character is read a few times at most, whatever the text is, and a text without
 * DSNs takes next to no time. Yields undefined for each address that is none, so that a long search can be interrupted.
 */
export function* searchDsns(text: string): Generator<FoundDsn | undefined, void, undefined> {
  if (hint.test(text)) {
    for (const { index } of text.matchAll(/:(?:\/\/|\\\/\\\/)/g)) {
      yield dsnAt(text, index);
    }
  }
}

function dsnAt(text: string, colon: number): FoundDsn | undefined {
  const scheme = /https?\\?$/i.exec(text.slice(Math.max(0, colon - 6), colon))?.[0];
  if (scheme === undefined) {
    return undefined;
  }
  const mark = text.startsWith('://', colon) ? '://' : String.raw`:\/\/`;
  const host = read(authority, text, colon + mark.length);
  const whole = host === '' ? '' : read(path, text, colon + mark.length + host.length);
  const end = ingestion.exec(whole)?.[0];
  if (end === undefined) {
    return undefined;
  }
  const written = `${scheme}${mark}${host}${end}`;
  const dsn = dsnOf(written.replaceAll(/\\(?=[:/])/g, ''));
  return dsn && { dsn, offset: colon - scheme.length, written };
}

function read(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? '';
}

function dsnOf(text: string): Dsn | undefined {
  const url = URL.parse(text);
  const [, base = '', id = ''] = /^(.*)\/(\d+)$/.exec(url?.pathname ?? '') ?? [];
  return url
    ? {
        text,
        publicKey: url.username,
        origin: url.origin,
        projectId: Number(id),
        envelopeUrl: `${url.origin}${base}/api/${Number(id)}/envelope/`,
      }
    : undefined;
}

export function findDsns(text: string): readonly FoundDsn[] {
  return [...searchDsns(text)].filter((found) => found !== undefined);
}

/** The DSN that a text is; undefined if it is none. */
export function parseDsn(text: string): Dsn | undefined {
  const trimmed = text.trim();
  const [first] = trimmed.length <= 4096 ? findDsns(trimmed) : [];
  return first?.written === trimmed ? first.dsn : undefined;
}

/** A DSN with the backslashes that the one has in whose place it comes. */
export function writtenLike(written: string, dsn: string): string {
  return dsn.replaceAll(/[:/]/g, (character) => (written.includes(`\\${character}`) ? `\\${character}` : character));
}

/** A public key shortened for a label: `glet_1a2b…9f0e`. */
export function shortKey(publicKey: string): string {
  return publicKey.length <= 14 ? publicKey : `${publicKey.slice(0, 9)}…${publicKey.slice(-4)}`;
}

/**
 * Gives positions of offsets that come in rising order, from zero, in UTF-16 code units: reads each character of the text once, however
 * many are requested.
 */
export function risingPositions(
  text: string,
): (offset: number) => { readonly line: number; readonly character: number } {
  const breaks = /\r\n|\r|\n/g;
  const nextStart = (): number => (breaks.test(text) ? breaks.lastIndex : Infinity);
  let line = 0;
  let start = 0;
  let next = nextStart();
  return (offset) => {
    while (next <= offset) {
      line += 1;
      start = next;
      next = nextStart();
    }
    return { line, character: offset - start };
  };
}
