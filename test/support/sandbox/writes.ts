import { createMiddleware } from 'hono/factory';
import type { World } from '../../../src/sandbox/state/world.ts';

/** A request with another method than GET, and what the instance answered. */
export interface Write {
  readonly method: string;
  /** Without `/api/v4`. */
  readonly path: string;
  /** The value of the token; undefined without one that is known. */
  readonly token: string | undefined;
  /** The username of the author; undefined without a token that is known. */
  readonly username: string | undefined;
  /** As text. */
  readonly body: string;
  readonly status: number;
  /** As text. */
  readonly answer: string;
}

/** Reports each write after it was carried out or refused, and before its answer is sent, which may get lost. */
export function reportWrites(world: World, onWrite: (write: Write) => void) {
  return createMiddleware(async (context, next) => {
    const { method, path } = context.req;
    if (method === 'GET' || method === 'HEAD') {
      return next();
    }
    const body = await context.req.raw.clone().text();
    await next();
    const token = world.token(
      context.req.header('private-token') ?? context.req.header('authorization')?.replace(/^Bearer /i, '') ?? '',
    );
    onWrite({
      ...{ method, path: path.slice('/api/v4'.length), token: token?.value, username: token?.user.username, body },
      ...{ status: context.res.status, answer: await context.res.clone().text() },
    });
    return undefined;
  });
}
