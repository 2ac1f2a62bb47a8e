import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import type { RequestState } from './authentication.ts';
import type { Group, Project } from './state/model.ts';
import type { World } from './state/world.ts';

/**
 * Longer queries are answered with 414. A `link` header repeats the query up to four times, and many clients
 * take no more than 16 KB of headers.
 *
 * @see https://docs.gitlab.com/api/rest/#request-payload
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

/** The response headers that the platform lets web pages of other origins read, besides those that every page may. */
const exposedHeaders = ['Link', 'X-Total', 'X-Total-Pages', 'X-Per-Page', 'X-Page', 'X-Next-Page', 'X-Prev-Page'];
const anyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Lets web pages of any origin use the API, and send errors to the address of a DSN, as the platform does. Other addresses give no
 * such permission.
 *
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/config/application.rb
 */
export function crossOriginRequests() {
  const permit = cors({ origin: '*', allowMethods: anyMethod, maxAge: 7200 });
  return createMiddleware(async (context, next) => {
    const { path, method } = context.req;
    if (!path.startsWith('/api/') && !path.startsWith('/errortracking/')) {
      return next();
    }
    if (method === 'OPTIONS') {
      return permit(context, next);
    }
    await next();
    context.res.headers.set('access-control-allow-origin', '*');
    context.res.headers.set('access-control-expose-headers', exposedHeaders.join(','));
    return undefined;
  });
}

/** Refuses queries that are too long, with the answer of a proxy. */
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

/**
 * Refuses a body of more bytes with 413. Hono's own middleware copies the request in a way that needs the global Request,
 * which the sandbox does not replace.
 */
export function boundedBody(maxSize: number) {
  return createMiddleware(async (context, next) => {
    const { raw } = context.req;
    const refuse = () => context.json({ error: '413 Request Entity Too Large' }, 413);
    if (Number(context.req.header('content-length') ?? 0) > maxSize) {
      return refuse();
    }
    if (context.req.header('transfer-encoding') === undefined || !raw.body) {
      return next();
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const chunk of raw.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
      size += chunk.length;
      if (size > maxSize) {
        return refuse();
      }
      chunks.push(chunk);
    }
    const { method, headers } = raw;
    context.req.raw = new Request(raw.url, { method, headers: new Headers([...headers]), body: new Blob(chunks) });
    return next();
  });
}

/**
 * Points requests for a project or group by a path that it had before to its id.
 *
 * @param placeBefore what has had a path, and has another one now.
 * @see https://docs.gitlab.com/api/rest/#redirects
 */
export function moved(
  world: World,
  instanceUrl: string,
  collection: 'projects' | 'groups',
  placeBefore: (path: string) => Group | Project | undefined,
) {
  return createMiddleware<RequestState>(async (context, next) => {
    const { url, method } = context.req;
    const place = placeBefore(context.req.param('id') ?? '');
    if (!place || !world.canSee(context.get('token')?.user, place)) {
      return next();
    }
    if (method !== 'GET' && method !== 'HEAD') {
      return context.json({ message: `Non GET methods are not allowed for moved ${collection}` }, 405);
    }
    const { pathname, search } = new URL(url);
    const rest = pathname.split('/').slice(5);
    const location = `${instanceUrl}/api/v4/${[collection, place.id, ...rest].join('/')}${search}`;
    return context.text(`This resource has been moved permanently to ${location}`, 301, { location });
  });
}
