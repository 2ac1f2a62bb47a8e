import { createMiddleware } from 'hono/factory';
import type { RequestState } from '../authentication.ts';

/** A request with another method than GET, and what the instance answered. */
export interface Write {
  readonly method: string;
  /** Without `/api/v4`. */
  readonly path: string;
  /** The value of the token; undefined without one that is known. */
  readonly token: string | undefined;
  /** The username of whoever made it; undefined without a token that does. */
  readonly username: string | undefined;
  /** As text. */
  readonly body: string;
  readonly status: number;
  /** As text. */
  readonly answer: string;
}

/** Tells of each write when it was carried out or refused, and before its answer is sent. */
export function reportWrites(onWrite: (write: Write) => void) {
  return createMiddleware<RequestState>(async (context, next) => {
    const { method, path } = context.req;
    if (method === 'GET' || method === 'HEAD') {
      return next();
    }
    const body = context.req.raw.clone();
    await next();
    const token = context.get('token');
    onWrite({
      method,
      path: path.slice('/api/v4'.length),
      token: token?.value,
      username: token?.user.username,
      body: await body.text(),
      status: context.res.status,
      answer: await context.res.clone().text(),
    });
  });
}
