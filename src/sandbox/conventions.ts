import { etag } from 'hono/etag';
import { createMiddleware } from 'hono/factory';

/**
 * Longer queries are answered with 414 (section 7). A `link` header repeats the query up to four times, and many clients
 * take no more than 16 KB of headers.
 */
const maxQueryLength = 3072;

/**
 * Refuses requests to another host name than a loopback one: a web page whose name was made to resolve to this machine
 * must not read what the sandbox holds.
 */
export function loopbackOnly() {
  return createMiddleware(async (context, next) => {
    const { hostname } = new URL(context.req.url);
    return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
      ? next()
      : context.text(`The sandbox answers on loopback alone, not as ${hostname}.\n`, 403);
  });
}

/** Refuses queries that are too long, in the words of a proxy. */
export function boundedQuery() {
  return createMiddleware(async (context, next) => {
    const { search } = new URL(context.req.url);
    return search.length > maxQueryLength
      ? context.html('<html><body><h1>414 Request-URI Too Large</h1></body></html>\n', 414)
      : next();
  });
}

/** Answers conditional GET requests with 304 where nothing changed. */
export function conditionalRequests() {
  const conditional = etag({ weak: true });
  return createMiddleware(async (context, next) => {
    if (context.req.method !== 'GET') {
      return next();
    }
    const answer = await conditional(context, next);
    if (context.res.ok || context.res.status === 304) {
      context.res.headers.set('cache-control', 'max-age=0, private, must-revalidate');
    }
    return answer;
  });
}
