import { apiError } from './errors.ts';
import type { Fields, RecordOf, RecordReader, Records } from './fields.ts';
import type { Call, CallOptions, Reply, Requester } from './request.ts';

/** To go on from later, with the same call: `{ from: page.next }`. */
export type PageLink = string & { readonly pageLink: unique symbol };

/** Fewer items than asked for are normal, even none while there is a next page. */
export interface Page<T> extends Records<T> {
  /** Undefined at the end of the list, and only there. */
  readonly next: PageLink | undefined;
  /** Nothing has changed since the page of the given `etag`: there are no items, and no totals. */
  readonly notModified: boolean;
  readonly etag: string | undefined;
  /** Of all records, also those that the user may not see; undefined with keyset pagination. */
  readonly total: number | undefined;
}

export interface ListOptions extends CallOptions {
  /** Records per page: 20 if not given, at most 100. */
  readonly perPage?: number | undefined;
  /** An earlier page's `next`, to begin with. */
  readonly from?: PageLink | undefined;
  /** Of an earlier first page. */
  readonly etag?: string | undefined;
  /** After this many pages, or 64 million characters, the iteration ends, and the last `next` says that there is more. */
  readonly maxPages?: number | undefined;
  /** Pages in flight at once; 1 if not given, so that a page is requested when it is asked for. */
  readonly prefetch?: number | undefined;
}

/** The pages of a list. After an error the iteration is over; a new one goes on `from` the last page's `next`. */
export type Pages<T> = AsyncGenerator<Page<T>, undefined, undefined>;

const mostPages = 200;
/** Characters, twice what the most pages of common records have. */
const mostLength = 64 * 1024 * 1024;

/**
 * Iterates over the pages of a list, with as many in flight as are wanted where pages are numbered, else with one ahead.
 *
 * @throws ApiError `notAnInstance` after the `longest` pages, or 64 million characters, where no `maxPages` is given.
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
export async function* listPages<F extends Fields>(
  requester: Requester,
  call: Call,
  reader: RecordReader<F>,
  { signal, from, etag, maxPages, prefetch = 1 }: ListOptions,
  longest = mostPages,
): Pages<RecordOf<F>> {
  if (etag !== undefined && !isEtag(etag)) {
    throw new TypeError('Not a usable value of etag');
  }
  const visited = new Set<string>();
  // With keyset pagination a page's number means nothing.
  const isNumbered = call.query?.['pagination'] !== 'keyset';
  const most = maxPages ?? longest;
  const abandoned = new AbortController();
  const ahead = new Map<string, Promise<Reply>>();
  const endOfAhead = AbortSignal.any([abandoned.signal, signal ?? []].flat());
  let mostAhead = prefetch;
  let link = from;
  let length = 0;

  async function send(target: string, isAhead: boolean): Promise<Reply> {
    const address = requester.addressOf(URL.parse(target));
    if (address === undefined) {
      const found = 'a link to the next page that leads out of the instance';
      throw apiError(requester.factsOf(call), { reason: 'notAnInstance', found });
    }
    return await requester.send({ ...call, signal: isAhead ? endOfAhead : signal, address });
  }

  function requestAhead(next: string, wanted: number): void {
    if (ahead.size > 0 && !ahead.has(next)) {
      // Numbers do not lead from page to page here: only the given links do.
      abandoned.abort();
      ahead.clear();
      mostAhead = 1;
    }
    if (mostAhead <= 1) {
      return;
    }
    const number = numberIn(next);
    const count = number === undefined ? 1 : Math.max(1, Math.min(mostAhead, wanted));
    for (let index = 0; index < count; index += 1) {
      const target = next.replace(pageNumber, `$1${(number ?? 0) + index}`);
      if (!ahead.has(target)) {
        const reply = send(target, true);
        // Should it fail, then taking the page fails; it may never be taken.
        reply.catch(() => {});
        ahead.set(target, reply);
      }
    }
  }

  async function take(target: string): Promise<Reply> {
    // Once aborted, no page comes any more, not even one that is already there.
    const ready = signal?.aborted === true ? undefined : ahead.get(target);
    ahead.delete(target);
    return await (ready ?? send(target, false));
  }

  try {
    for (let pages = 1; ; pages += 1) {
      const reply = await (link === undefined ? requester.send({ ...call, signal, etag }) : take(link));
      length += reply.text.length;
      const { header, facts } = reply;
      const notModified = reply.status === 304;
      const next = nextOf(reply);
      const page = {
        ...(notModified ? { items: [], misfits: [] } : reader.list(reply)),
        ...{ next, notModified, total: countOf(header, 'x-total') },
        etag: [header('etag'), notModified ? etag : undefined].find((value) => value !== undefined && isEtag(value)),
      };
      const here = reply.url.href;
      visited.add(here);
      // A link that leads back would go in a circle.
      const goesOn =
        next !== undefined &&
        !visited.has(next) &&
        (!isNumbered || (numberIn(next) ?? Infinity) > (countOf(header, 'x-page') ?? numberIn(here) ?? 1));
      const isEnough = pages >= most || length > mostLength;
      if (goesOn && !isEnough) {
        const known = (countOf(header, 'x-total-pages') ?? Infinity) + 1 - (numberIn(next) ?? 1);
        requestAhead(next, Math.min(most - pages, known));
      }
      yield page;
      if (!goesOn || (isEnough && maxPages !== undefined)) {
        return;
      }
      if (isEnough) {
        const bound = length > mostLength ? `${mostLength} characters` : `${longest} pages`;
        throw apiError(facts, { reason: 'notAnInstance', found: `a list of more than ${bound}` });
      }
      visited.add(next);
      link = next;
    }
  } finally {
    abandoned.abort();
  }
}

const pageNumber = /([?&]page=)(\d{1,15})(?=&|$)/;

function numberIn(link: string): number | undefined {
  const digits = pageNumber.exec(link)?.[2];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a value can be sent back: an instance may answer with what no request can hold. */
function isEtag(value: string): boolean {
  return /^[\x20-\x7E\x80-\xFF]{1,500}$/.test(value);
}

function countOf(header: Reply['header'], name: string): number | undefined {
  const value = header(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A link of a header whose `rel` holds `next`, also among others; quoted values may hold what looks like another link. */
const nextLink =
  /<([^<>]*)>(?=(?:[^"<,]|"(?:[^"\\]|\\.)*")*?;\s*rel\s*=\s*(?:"(?:[^"\\]*\s)?next(?:\s[^"\\]*)?"|next(?=[\s;,]|$)))/i;

/** The target as it stands: it may be relative. */
export function nextIn(header: string): string | undefined {
  return nextLink.exec(header)?.[1];
}

/** By the `link`, else by `x-next-page`, as the instance gives it: one that leads out of the API does not lose the page that has come. */
function nextOf({ header, url }: Reply): PageLink | undefined {
  const target = nextIn(header('link') ?? '');
  const number = countOf(header, 'x-next-page');
  if (target !== undefined) {
    return (URL.parse(target, url.href)?.href ?? target) as PageLink;
  }
  if (number === undefined) {
    return undefined;
  }
  const next = new URL(url);
  next.searchParams.set('page', String(number));
  return next.href as PageLink;
}
