import { NotAnInstanceError } from './errors.ts';
import type { Call, Reply } from './exchange.ts';
import type { RecordReader } from './records.ts';
import type { Requester } from './requester.ts';
import type { UnrecognizedRecord } from './unrecognized.ts';

/** What callers without types, or with numbers from elsewhere, may pass, and what would go wrong silently. */

/**
 * Makes sure that numbers can be used as they are meant. Those that are undefined are left to their defaults.
 *
 * @param kind `count` and `number` are integers from 0 and from 1, `time` is milliseconds from 1, `wait` from 0.
 * @throws TypeError with the name of the first that cannot.
 */
export function checkNumbers(
  kind: 'count' | 'number' | 'time' | 'wait',
  numbers: Readonly<Record<string, number | undefined>>,
): void {
  const least = kind === 'number' || kind === 'time' ? 1 : 0;
  const isUsable = kind === 'count' || kind === 'number' ? Number.isSafeInteger : isDuration;
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(isUsable(value) && value >= least)) {
      throw new TypeError(`Not a usable value of ${name}`);
    }
  }
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}

/**
 * Finds the target of a relation in a `link` header: `<target>; rel="relation"`, several joined by commas. A link may have
 * several relations in one `rel`; names are compared in lower case.
 *
 * @returns The target as it stands, which may be relative; undefined if there is no such link.
 */
export function linkTarget(header: string, relation: string): string | undefined {
  let target: string | undefined;
  let name = '';
  // Quoted texts are read whole, because they may hold what looks like a link or a parameter.
  for (const [token] of header.matchAll(/<[^>]*>?|"(?:[^"\\]|\\.)*(?:"|\\?$)|[;,=]|[^\s;,="<]+/g)) {
    if (token.startsWith('<')) {
      // What is not closed goes on to the end, so that no part is read twice.
      target = token.endsWith('>') ? token.slice(1, -1) : undefined;
      name = '';
    } else if (token === ',') {
      target = undefined;
    } else if (token === ';') {
      name = '';
    } else if (name === '') {
      name = token.toLowerCase();
    } else if (token !== '=' && name === 'rel' && target !== undefined) {
      const relations = token.replaceAll(/["']/g, '').toLowerCase().split(/\s+/);
      if (relations.includes(relation)) {
        return target;
      }
    }
  }
  return undefined;
}

/** The place of a page in its list, to go on from later: `{ from: page.next }`. Opaque, and of use with the same call only. */
export type PageLink = string & { readonly pageLink: unique symbol };

/** One page of a list. */
export interface Page<T> {
  /** The records in the list's order; fewer than asked for is normal, even none while there is a next page. */
  readonly items: readonly (T | UnrecognizedRecord)[];
  /** The next page; undefined at the end of the list, and only there. */
  readonly next: PageLink | undefined;
  /** Whether nothing has changed since the page of the given `etag`. There are no items then, and no totals. */
  readonly notModified: boolean;
  /** To be given to a later call, so that it answers `notModified` if nothing has changed; the instance may not give one. */
  readonly etag: string | undefined;
  /** The number of this page, from 1; with keyset pagination undefined, like all below. */
  readonly page: number | undefined;
  readonly perPage: number | undefined;
  /** The number of all records, before those that the user may not see are left out; undefined if not given. */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** How a list is asked for. */
export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** Records per page: 20 if not given, at most 100. */
  readonly perPage?: number | undefined;
  /** The number of the page to begin with, from 1, where the list has numbered pages. */
  readonly page?: number | undefined;
  /** The page to begin with, as an earlier page's `next`. */
  readonly from?: PageLink | undefined;
  /** The `etag` of an earlier first page: makes the first request conditional. */
  readonly etag?: string | undefined;
  /** After so many pages, or 64 million characters, the iteration ends, and the last page's `next` says that there is more. */
  readonly maxPages?: number | undefined;
  /** How many pages may be in flight at once; 1 if not given, so that a page is requested when it is asked for. */
  readonly prefetch?: number | undefined;
}

/**
 * The pages of a list, one after the other. Each page is requested when it is asked for. After an error the iteration is
 * over; a new one goes on `from` the last page's `next`.
 */
export type Pages<T> = AsyncGenerator<Page<T>, undefined, undefined>;

/** A list that is longer has no end: where more than its first pages are of use, `maxPages` says how many. */
const mostPages = 200;
/** So many characters of a list are read, which is twice what its most pages of common records have. */
const mostLength = 64 * 1024 * 1024;

/**
 * Iterates over the pages of a list.
 *
 * @param longest how many pages the list may have, where no `maxPages` is given.
 * @throws NotAnInstanceError after so many pages, or 64 million characters, where no `maxPages` was given.
 * @throws TypeError, when it is asked for the first page, if an option cannot be used.
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
export async function* listPages<T>(
  requester: Requester,
  call: Call,
  reader: RecordReader<T>,
  options: ListOptions,
  longest = mostPages,
): Pages<T> {
  checkNumbers('count', { page: options.page, perPage: options.perPage });
  checkNumbers('number', { prefetch: options.prefetch, maxPages: options.maxPages });
  if (options.etag !== undefined && !isEtag(options.etag)) {
    throw new TypeError('Not a usable value of etag');
  }
  if (options.from !== undefined && !String(options.from).startsWith('/')) {
    throw new TypeError('Not a usable value of from');
  }
  const inFlight = new PagesInFlight(requester, { ...call, signal: options.signal }, options.prefetch ?? 1);
  const visited = new Set<string>();
  // With keyset pagination a page's number means nothing.
  const isNumbered = call.query?.['pagination'] !== 'keyset';
  try {
    const { from: start } = options;
    let take =
      start === undefined
        ? () => requester.send({ ...call, signal: options.signal, etag: options.etag })
        : () => inFlight.take(start);
    let length = 0;
    for (let pages = 1; ; pages += 1) {
      const reply = await take();
      length += reply.text.length;
      const page = pageOf(requester, reply, reader, options.etag);
      const { next } = page;
      const here = (reply.url.pathname + reply.url.search) as PageLink;
      visited.add(here);
      // A link that leads back would go in a circle.
      const goesOn =
        next !== undefined &&
        !visited.has(next) &&
        (!isNumbered || (numberIn(next) ?? Infinity) > (page.page ?? numberIn(here) ?? 1));
      const isEnough = pages === options.maxPages || (options.maxPages !== undefined && length > mostLength);
      if (goesOn && !isEnough) {
        inFlight.request(next, page.totalPages, (options.maxPages ?? longest) - pages);
      }
      yield page;
      if (!goesOn || isEnough) {
        return;
      }
      if (options.maxPages === undefined && pages === longest) {
        throw new NotAnInstanceError(reply.facts, `a list of more than ${longest} pages`);
      }
      if (length > mostLength) {
        throw new NotAnInstanceError(reply.facts, `a list of more than ${mostLength} characters`);
      }
      visited.add(next);
      take = () => inFlight.take(next);
    }
  } finally {
    inFlight.abandon();
  }
}

/** The pages that are requested before they are asked for: the given next one, and those that will follow it by number. */
class PagesInFlight {
  readonly #requester: Requester;
  readonly #call: Call;
  readonly #abandoned = new AbortController();
  readonly #replies = new Map<PageLink, Promise<Reply>>();
  #signal: AbortSignal | undefined;
  #most: number;

  constructor(requester: Requester, call: Call, most: number) {
    this.#requester = requester;
    this.#call = call;
    this.#signal = most > 1 ? AbortSignal.any([call.signal ?? [], this.#abandoned.signal].flat()) : call.signal;
    this.#most = most;
  }

  /**
   * Requests pages from the given next one on, as many as may be in flight, and none beyond the last if that is known.
   *
   * @param left so many pages at most are still wanted.
   */
  request(next: PageLink, lastNumber = Infinity, left = Infinity): void {
    if (this.#replies.size > 0 && !this.#replies.has(next)) {
      // Numbers do not lead from page to page here: only the given links do.
      this.abandon();
      this.#signal = this.#call.signal;
      this.#most = 1;
      this.#replies.clear();
    }
    if (this.#most <= 1) {
      return;
    }
    const number = numberIn(next);
    const ahead = number === undefined ? 1 : Math.max(1, Math.min(this.#most, lastNumber - number + 1, left));
    const links = Array.from({ length: ahead }, (_, index) => withNumber(next, (number ?? 0) + index));
    for (const link of links) {
      if (!this.#replies.has(link)) {
        const reply = this.#send(link);
        // Should it fail, then taking the page fails; it may never be taken.
        reply.catch(() => {});
        this.#replies.set(link, reply);
      }
    }
  }

  /** The reply for a page, requested now if it is not in flight. */
  async take(link: PageLink): Promise<Reply> {
    // Once aborted, no page comes any more, not even one that is already there.
    const ready = this.#call.signal?.aborted === true ? undefined : this.#replies.get(link);
    const reply = ready ?? this.#send(link);
    this.#replies.delete(link);
    return await reply;
  }

  /** Aborts what no one will ask for. */
  abandon(): void {
    this.#abandoned.abort();
  }

  async #send(link: PageLink): Promise<Reply> {
    const address = this.#requester.addressOf(link);
    if (address === undefined) {
      throw new TypeError('Not a usable value of from');
    }
    return await this.#requester.send({ ...this.#call, signal: this.#signal, address });
  }
}

const pageNumber = /([?&]page=)(\d{1,15})(?=&|$)/;

/** The number of the page that a link leads to, if the list has numbered pages. */
function numberIn(link: PageLink): number | undefined {
  const digits = pageNumber.exec(link)?.[2];
  return digits === undefined ? undefined : Number(digits);
}

function withNumber(link: PageLink, number: number): PageLink {
  return link.replace(pageNumber, (_, name: string) => `${name}${number}`) as PageLink;
}

function pageOf<T>(requester: Requester, reply: Reply, reader: RecordReader<T>, etag: string | undefined): Page<T> {
  const notModified = reply.status === 304;
  return {
    items: notModified ? [] : reader.list(reply),
    next: nextOf(requester, reply),
    notModified,
    etag: [reply.header('etag'), notModified ? etag : undefined].find((value) => value !== undefined && isEtag(value)),
    page: countOf(reply, 'x-page'),
    perPage: countOf(reply, 'x-per-page'),
    total: countOf(reply, 'x-total'),
    totalPages: countOf(reply, 'x-total-pages'),
  };
}

/** Whether a value can be sent back: an instance may answer with what no request can hold. */
function isEtag(value: string): boolean {
  return /^[\x20-\x7E\x80-\xFF]{1,500}$/.test(value);
}

function countOf(reply: Reply, name: string): number | undefined {
  const value = reply.header(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The path and query of the `next` in a `link` header. */
function nextOf(requester: Requester, reply: Reply): PageLink | undefined {
  const target = linkTarget(reply.header('link') ?? '', 'next');
  if (target === undefined) {
    return undefined;
  }
  const url = URL.parse(target, reply.url.href);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new NotAnInstanceError(reply.facts, 'a link to the next page that is no address');
  }
  if (requester.addressOf(url) === undefined) {
    throw new NotAnInstanceError(reply.facts, 'a link to the next page that leads out of the instance');
  }
  return (url.pathname + url.search) as PageLink;
}
