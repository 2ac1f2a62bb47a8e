import type { Context } from 'hono';
import type { Dialect } from './dialect.ts';
import { linkTo, readPerPage } from './pagination.ts';

/** An order in which a list can be read by keyset pagination (section 4.2). */
export interface KeysetOrder<T> {
  readonly orderBy: string;
  readonly sorts: readonly string[];
  /** What the list is ordered by; equal keys are ordered by id. */
  readonly key: (item: T) => string | number;
  /** How the place of a page is told: by `id_after` and `id_before`, or by an opaque cursor. */
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
  return Buffer.from(JSON.stringify({ [orderBy]: key, id, _kd: 'n' })).toString('base64url');
}

function readCursor(text: string, orderBy: string): Place | 'invalid' {
  try {
    const fields = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown> | null;
    const { [orderBy]: key, id } = fields ?? {};
    return (typeof key === 'string' || typeof key === 'number') && typeof id === 'number' ? { key, id } : 'invalid';
  } catch {
    return 'invalid';
  }
}
