import type { Context } from 'hono';

const defaultPerPage = 20;
const maxPerPage = 100;
/** Above this many records the totals and the link to the last page are left out (section 4.2). */
const maxCounted = 10_000;

/**
 * Answers with one page of a list and the headers of offset pagination (section 4.2).
 *
 * @param count of all records.
 * @param slice the records from one index up to another, as they are sent.
 */
export function answerPage(
  context: Context,
  instanceUrl: string,
  count: number,
  slice: (from: number, to: number) => readonly object[],
): Response {
  const asked = (name: string, otherwise: number) => {
    const value = context.req.query(name);
    return value === undefined ? otherwise : Number(value);
  };
  const page = Math.max(1, asked('page', 1));
  const perPage = Math.min(maxPerPage, asked('per_page', defaultPerPage));
  if (!Number.isInteger(page) || !Number.isInteger(perPage)) {
    return context.json({ error: `${Number.isInteger(page) ? 'per_page' : 'page'} is invalid` }, 400);
  }
  if (perPage < 1) {
    return context.json({ error: 'per_page has a value not allowed' }, 400);
  }
  const last = Math.max(1, Math.ceil(count / perPage));
  const neighbours = { prev: page > 1 ? page - 1 : undefined, next: page < last ? page + 1 : undefined };
  const counted = count <= maxCounted;
  const links = Object.entries({ ...neighbours, first: 1, last: counted ? last : undefined }).flatMap(
    ([rel, target]) =>
      target === undefined ? [] : [`<${linkTo(context, instanceUrl, target, perPage)}>; rel="${rel}"`],
  );
  return context.json(slice((page - 1) * perPage, Math.min(count, page * perPage)), 200, {
    link: links.join(', '),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': String(neighbours.next ?? ''),
    'x-prev-page': String(neighbours.prev ?? ''),
    ...(counted ? { 'x-total': String(count), 'x-total-pages': String(last) } : {}),
  });
}

/** The address of another page of the same list: all its parameters, sorted. */
function linkTo(context: Context, instanceUrl: string, page: number, perPage: number): string {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.set('page', String(page));
  searchParams.set('per_page', String(perPage));
  searchParams.sort();
  return `${instanceUrl}${pathname}?${searchParams.toString()}`;
}
