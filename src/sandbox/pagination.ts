import type { Context } from 'hono';

const defaultPerPage = 20;
const maxPerPage = 100;
/** Above this many records the totals and the link to the last page are left out (section 4.2). */
const maxCounted = 10_000;

/** Offset pagination goes no further on lists that have keyset pagination, too. */
const maxOffset = 50_000;

/**
 * Answers with one page of a list and the headers of offset pagination (section 4.2).
 *
 * @param count of all records.
 * @param slice the records from one index up to another, as they are sent.
 * @param keysetType the class name of the records if the list has keyset pagination, too.
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
  const links = Object.entries({ ...neighbours, first: 1, last: counted ? last : undefined }).flatMap(
    ([rel, target]) =>
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
export function readPerPage(context: Context): number | string {
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
export function linkTo(context: Context, instanceUrl: string, parameters: Readonly<Record<string, string>>): string {
  const { pathname, searchParams } = new URL(context.req.url);
  for (const [name, value] of Object.entries({ ...context.req.param(), ...parameters })) {
    searchParams.set(name, value);
  }
  searchParams.sort();
  return `${instanceUrl}${pathname}?${searchParams.toString()}`;
}
