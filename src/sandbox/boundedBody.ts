import { createMiddleware } from 'hono/factory';

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
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of raw.body as ReadableStream<Uint8Array>) {
      size += chunk.length;
      if (size > maxSize) {
        return refuse();
      }
      chunks.push(chunk);
    }
    const { method, headers } = raw;
    context.req.raw = new Request(raw.url, { method, headers: new Headers([...headers]), body: Buffer.concat(chunks) });
    return next();
  });
}
