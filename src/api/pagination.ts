import { NotAnInstanceError } from './errors.ts';
import type { RecordReader } from './records.ts';
import type { Call, Reply, Requester } from './requester.ts';
import type { UnrecognizedRecord } from './unrecognized.ts';

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
  /** How many pages may be in flight at once; 1 if not given, so that a page is requested when it is asked for. */
  readonly prefetch?: number | undefined;
}

/**
 * The pages of a list, one after the other. Each page is requested when it is asked for. After an error the iteration is
 * over; a new one goes on `from` the last page's `next`.
 */
export type Pages<T> = AsyncGenerator<Page<T>, undefined, undefined>;

/** Iterates over the pages of a list (section 4.2). */
export async function* listPages<T>(
  requester: Requester,
  call: Call,
  reader: RecordReader<T>,
  options: ListOptions,
): Pages<T> {
  const first: Call = { ...call, signal: options.signal, etag: options.etag };
  let address = options.from === undefined ? undefined : addressOf(requester, options.from);
  const visited = new Set<string>();
  for (let next: Call | undefined = { ...first, address }; next !== undefined;) {
    const reply = await requester.send(next);
    const page = pageOf(reply, reader);
    yield page;
    if (page.next === undefined || visited.has(page.next)) {
      return;
    }
    visited.add(page.next);
    address = addressOf(requester, page.next);
    next = { ...call, signal: options.signal, address };
  }
}

function pageOf<T>(reply: Reply, reader: RecordReader<T>): Page<T> {
  const notModified = reply.status === 304;
  return {
    items: notModified ? [] : reader.list(reply),
    next: nextOf(reply),
    notModified,
    etag: reply.header('etag'),
    page: countOf(reply, 'x-page'),
    perPage: countOf(reply, 'x-per-page'),
    total: countOf(reply, 'x-total'),
    totalPages: countOf(reply, 'x-total-pages'),
  };
}

function addressOf(requester: Requester, link: PageLink): URL {
  return requester.addressOf(new URL(`http://page${link}`));
}

function countOf(reply: Reply, name: string): number | undefined {
  const value = reply.header(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The path and query of the `next` in a `link` header. */
function nextOf(reply: Reply): PageLink | undefined {
  for (const [, address = '', parameters = ''] of (reply.header('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/i.test(parameters)) {
      if (!URL.canParse(address, 'http://page')) {
        throw new NotAnInstanceError(reply.facts, 'a link to the next page that is no address');
      }
      const url = new URL(address, 'http://page');
      return (url.pathname + url.search) as PageLink;
    }
  }
  return undefined;
}
