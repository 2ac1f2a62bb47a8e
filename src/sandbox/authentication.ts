import { createMiddleware } from 'hono/factory';
import type { Token } from './state/model.ts';
import type { World } from './state/world.ts';

/** What a request carries from one step of its handling to the next. */
export interface RequestState {
  Variables: { token: Token };
}

/** Lets a request pass with a token of the instance, by PRIVATE-TOKEN or as a bearer (section 5). */
export function authenticate(world: World, now: () => Date) {
  return createMiddleware<RequestState>(async (context, next) => {
    const value =
      context.req.header('private-token') ?? /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = value === undefined ? undefined : world.token(value);
    if (!token) {
      return context.json({ message: '401 Unauthorized' }, 401);
    }
    if (token.revoked || (token.expiresAt && token.expiresAt <= now())) {
      const fate = token.revoked ? 'was revoked' : 'is expired';
      const description = `Token ${fate}. You have to re-authorize from the user.`;
      return context.json({ error: 'invalid_token', error_description: description }, 401);
    }
    context.set('token', token);
    return next();
  });
}

/** Lets a request pass whose token has one of the scopes. */
export function requireScope(...scopes: readonly string[]) {
  return createMiddleware<RequestState>(async (context, next) => {
    if (!context.get('token').scopes.some((scope) => scopes.includes(scope))) {
      const error = 'insufficient_scope';
      const description = 'The request requires higher privileges than provided by the access token.';
      return context.json({ error, error_description: description, scope: scopes.join(' ') }, 403);
    }
    return next();
  });
}
