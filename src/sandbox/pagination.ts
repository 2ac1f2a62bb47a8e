import type { Context } from 'hono';
import type { Dialect } from './state/model.ts';

const defaultPerPage = 20;
const maxPerPage = 100;
/**
 * Above this many records the totals and the link to the last page are left out.
 *
 * @see https://docs.gitlab.com/api/rest/#pagination-response-headers
 */
const maxCounted = 10_000;

/** Offset pagination goes no further on lists that have keyset pagination, too. */
const maxOffset = 50_000;

/**
 * Answers with one page of a list and the headers of offset pagination.
 *
 * @param count of all records.
 * @param slice the records from one index up to another, as they are sent.
 * @param keysetType the class name of the records if the list has keyset pagination, too.
 * @see https://docs.gitlab.com/api/rest/#offset-based-pagination
 */
export function answerPage(
  context: Context,
  instanceUrl: string,
  count: number,
  slice: (from: number, to: number) => readonly object[],
  keysetType?: string,
): Response {
  if (context.req.query('pagination') === 'keyset') {
    return context.json({ error: 'Keyset pagination is not yet available for this type of request' }, 405);
  }
  const perPage = readPerPage(context);
  const page = Math.max(1, readNumber(context, 'page', 1));
  if (typeof perPage === 'string' || !Number.isSafeInteger(page)) {
    return context.json({ error: typeof perPage === 'string' ? perPage : 'page is invalid' }, 400);
  }
  if (keysetType !== undefined && (page - 1) * perPage > maxOffset) {
    const error = `Offset pagination has a maximum allowed offset of ${maxOffset} for requests that return objects of type ${keysetType}. Remaining records can be retrieved using keyset pagination.`;
    return context.json({ error }, 405);
  }
  const last = Math.max(1, Math.ceil(count / perPage));
  const neighbours = { prev: page > 1 ? page - 1 : undefined, next: page < last ? page + 1 : undefined };
  const counted = count <= maxCounted;
  const links = Object.entries({ ...neighbours, first: 1, last: counted ? last : undefined }).flatMap(([rel, target]) =>
    target === undefined
      ? []
      : [`<${linkTo(context, instanceUrl, { page: String(target), per_page: String(perPage) })}>; rel="${rel}"`],
  );
  return context.json(slice(Math.min(count, (page - 1) * perPage), Math.min(count, page * perPage)), 200, {
    link: links.join(', '),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': String(neighbours.next ?? ''),
    'x-prev-page': String(neighbours.prev ?? ''),
    ...(counted ? { 'x-total': String(count), 'x-total-pages': String(last) } : {}),
  });
}

/** How many records a page has, at most 100; a sentence if what is asked for is bad. */
function readPerPage(context: Context): number | string {
  const perPage = readNumber(context, 'per_page', defaultPerPage);
  if (!Number.isInteger(perPage)) {
    return 'per_page is invalid';
  }
  return perPage < 1 ? 'per_page has a value not allowed' : Math.min(maxPerPage, perPage);
}

function readNumber(context: Context, name: string, otherwise: number): number {
  const value = context.req.query(name);
  if (value === undefined || value === '') {
    return otherwise;
  }
  return /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
}

/** The address of another page of the same list: all its parameters and the path's, sorted. */
function linkTo(context: Context, instanceUrl: string, parameters: Readonly<Record<string, string>>): string {
  const { pathname, searchParams } = new URL(context.req.url);
  for (const [name, value] of Object.entries({ ...context.req.param(), ...parameters })) {
    searchParams.set(name, value);
  }
  searchParams.sort();
  return `${instanceUrl}${pathname}?${searchParams.toString()}`;
}

/**
 * An order in which a list can be read by keyset pagination.
 *
 * @see https://docs.gitlab.com/api/rest/#keyset-based-pagination
 */
export interface KeysetOrder<T> {
  readonly orderBy: string;
  readonly sorts: readonly string[];
  /** What the list is ordered by; equal keys are ordered by id. */
  readonly key: (item: T) => string | number;
  /** How the position of a page is given: by `id_after` and `id_before`, or by an opaque cursor. */
  readonly filter: 'id' | 'cursor';
}

interface Identified {
  readonly id: number;
}

interface Place {
  readonly key: string | number;
  readonly id: number;
}

/**
 * Answers with one page of a list and the link of keyset pagination; there is no link on the page after the last record,
 * which is empty.
 */
export function answerKeyset<T extends Identified>(
  context: Context,
  instanceUrl: string,
  dialect: Dialect,
  items: readonly T[],
  record: (item: T) => object,
  orders: readonly KeysetOrder<T>[],
): Response {
  const { order_by: orderBy = 'id', sort = 'desc', cursor: cursorText } = context.req.query();
  const order = orders.find((candidate) => candidate.orderBy === orderBy && candidate.sorts.includes(sort));
  const perPage = readPerPage(context);
  if (!order) {
    return context.json({ error: 'Keyset pagination is not yet available for this type of request' }, 405);
  }
  const cursor = cursorText && order.filter === 'cursor' ? readCursor(cursorText, orderBy) : undefined;
  if (typeof perPage === 'string' || cursor === 'invalid') {
    return context.json({ error: typeof perPage === 'string' ? perPage : 'cursor is invalid' }, 400);
  }
  const sorted = sortByKey(items, order.key, sort);
  const direction = sort === 'asc' ? 1 : -1;
  const start = cursor
    ? sorted.findIndex((item) => compare({ key: order.key(item), id: item.id }, cursor) * direction > 0)
    : 0;
  const page = start < 0 ? [] : sorted.slice(start, start + perPage);
  const last = page.at(-1);
  if (!last) {
    return context.json([]);
  }
  const filter =
    order.filter === 'id'
      ? { [sort === 'asc' ? 'id_after' : 'id_before']: String(last.id) }
      : { cursor: makeCursor(orderBy, { key: order.key(last), id: last.id }) };
  const link = linkTo(context, instanceUrl, { ...filter, per_page: String(perPage) });
  return context.json(page.map(record), 200, {
    link: `<${link}>; rel="next"`,
    ...(dialect === 'live' && filter['cursor'] ? { 'x-next-cursor': filter['cursor'], 'x-prev-cursor': '' } : {}),
  });
}

/** The items in order of a key, and of id where it is equal. */
export function sortByKey<T extends Identified>(
  items: readonly T[],
  key: (item: T) => string | number,
  sort: string,
): T[] {
  const direction = sort === 'asc' ? 1 : -1;
  return items.toSorted((a, b) => direction * compare({ key: key(a), id: a.id }, { key: key(b), id: b.id }));
}

function compare(a: Place, b: Place): number {
  return a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1;
}

function makeCursor(orderBy: string, { key, id }: Place): string {
  return btoa(encodeURIComponent(JSON.stringify({ [orderBy]: key, id, _kd: 'n' })));
}

function readCursor(text: string, orderBy: string): Place | 'invalid' {
  try {
    const fields = JSON.parse(decodeURIComponent(atob(text))) as Record<string, unknown> | null;
    const { [orderBy]: key, id } = fields ?? {};
    return (typeof key === 'string' || typeof key === 'number') && typeof id === 'number' ? { key, id } : 'invalid';
  } catch {
    return 'invalid';
  }
}
