/**
 * A DSN: the URL by which a program reports its errors to a project.
 *
 * @see https://docs.gitlab.com/operations/integrated_error_tracking/
 */
export interface Dsn {
  /** Without the backslashes that JSON may have before `/`, and a properties file before `:`. */
  readonly text: string;
  readonly publicKey: string;
  /** Scheme, host and port of where errors are sent. */
  readonly origin: string;
  /** The number of the project on its instance. */
  readonly projectId: number;
  /** Where an SDK posts envelopes. */
  readonly envelopeUrl: string;
}

/** A DSN with its place in a text. */
export interface FoundDsn {
  readonly dsn: Dsn;
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number;
  /** As it stands there. */
  readonly written: string;
}

/** What each DSN contains, whatever the case of its letters, to leave most texts after a quick look. */
export const dsnHint = String.raw`error_?tracking\\?/`;
const hint = new RegExp(dsnHint, 'i');
/** Key, optional secret, and host: all of bounded length, as are the segments of the path. */
const authority = /[\w-]{1,128}(?:\\?:[\w-]{0,128})?@(?:\\?:|[\w.[\]-]){1,255}/y;
const path = /(?:\\?\/[\w.~%-]{1,255}){1,13}/y;
/** What the path begins with, up to the end of the DSN: where instances take errors, the current place and the older collector's. */
const place =
  /^(?:\\?\/[^/\\]+){0,8}?\\?\/(?:errortracking\\?\/api\\?\/v1\\?\/projects|api\\?\/v4\\?\/error_tracking\\?\/collector)\\?\/\d{1,15}(?![\w%])/i;

/**
 * Searches a text for DSNs, in order. The search can be interrupted, since the text is not trusted: it reads each character
 * a few times at most, whatever the text is. A text without DSNs takes next to no time.
 */
export class DsnSearch {
  readonly found: FoundDsn[] = [];
  /** How many characters were looked at. */
  steps = 0;
  readonly #text: string;
  readonly #marks = /:(?:\/\/|\\\/\\\/)/g;
  /** Where the colon after a scheme is that comes next; -1 if none does. */
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = hint.test(text) ? this.#findMark(0) : -1;
  }

  get isOver(): boolean {
    return this.#next < 0;
  }

  /**
   * Goes on.
   *
   * @param mostSteps about so many characters are looked at.
   * @param mostDsns the search rests when so many are found in all.
   * @returns whether it is over.
   */
  advance(mostSteps = Infinity, mostDsns = Infinity): boolean {
    const end = this.steps + mostSteps;
    while (this.#next >= 0 && this.steps < end && this.found.length < mostDsns) {
      const found = this.#at(this.#next);
      if (found) {
        this.found.push(found);
      }
      const after = found ? found.offset + found.written.length : this.#next + 3;
      this.#next = this.#findMark(after);
      this.steps += (this.#next < 0 ? this.#text.length : this.#next) - after + 3;
    }
    return this.isOver;
  }

  #findMark(from: number): number {
    this.#marks.lastIndex = from;
    return this.#marks.exec(this.#text)?.index ?? -1;
  }

  /** The DSN whose scheme ends at a colon. */
  #at(colon: number): FoundDsn | undefined {
    const scheme = /https?\\?$/i.exec(this.#text.slice(Math.max(0, colon - 6), colon))?.[0];
    const mark = this.#text.startsWith('://', colon) ? '://' : String.raw`:\/\/`;
    const host = scheme === undefined ? '' : this.#read(authority, colon + mark.length);
    const whole = host === '' ? '' : this.#read(path, colon + mark.length + host.length);
    const end = place.exec(whole)?.[0];
    if (scheme === undefined || end === undefined) {
      return undefined;
    }
    const written = `${scheme}${mark}${host}${end}`;
    const dsn = read(written.replaceAll(/\\(?=[:/])/g, ''));
    return dsn && { dsn, offset: colon - scheme.length, written };
  }

  #read(pattern: RegExp, from: number): string {
    pattern.lastIndex = from;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.steps += text.length;
    return text;
  }
}

/** A place in a text, as the editor counts: from zero, in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Positions of offsets that come in rising order: reads each character of the text once, however many are requested. */
export class RisingPositions {
  /** How many characters were looked at. */
  steps = 0;
  readonly #text: string;
  readonly #breaks = /\r\n|\r|\n/g;
  #line = 0;
  #lineStart = 0;
  /** Where the line after this one starts. */
  #nextStart: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextStart = this.#findStart();
  }

  /** @param offset not before the one that was asked for last. */
  at(offset: number): Position {
    while (this.#nextStart <= offset) {
      this.#line += 1;
      this.#lineStart = this.#nextStart;
      this.#nextStart = this.#findStart();
    }
    return { line: this.#line, character: offset - this.#lineStart };
  }

  #findStart(): number {
    const found = this.#breaks.test(this.#text) ? this.#breaks.lastIndex : Infinity;
    this.steps += Math.min(found, this.#text.length) - this.#lineStart;
    return found;
  }
}

/** The DSNs in a text, in their order. */
export function findDsns(text: string): readonly FoundDsn[] {
  const search = new DsnSearch(text);
  search.advance();
  return search.found;
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

/** Whether the errors of two DSNs go to one project of one instance. */
export function isSameProject(one: Dsn, other: Dsn): boolean {
  return projectOf(one) === projectOf(other);
}

/** Tells projects apart, also those of instances that share a host, each below a path of its own. */
function projectOf({ text, origin, projectId }: Dsn): string {
  const root = new URL(text).pathname.replace(/\/(?:errortracking|api\/v4\/error_tracking)\/.*/i, '');
  return `${origin}${root} ${projectId}`;
}

/** A public key shortened for a label: `glet_1a2b…9f0e`. */
export function shortKey(publicKey: string): string {
  return publicKey.length <= 14 ? publicKey : `${publicKey.slice(0, 9)}…${publicKey.slice(-4)}`;
}

function read(text: string): Dsn | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const [, base = '', id = ''] = /^(.*)\/(\d+)$/.exec(url.pathname) ?? [];
  const projectId = Number(id);
  return {
    text,
    publicKey: decodeURIComponent(url.username),
    origin: url.origin,
    projectId,
    envelopeUrl: `${url.origin}${base}/api/${projectId}/envelope/`,
  };
}
