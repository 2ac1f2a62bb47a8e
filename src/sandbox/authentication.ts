import { createMiddleware } from 'hono/factory';
import type { Token } from './state/model.ts';
import type { World } from './state/world.ts';

/** What a request carries from one step of its handling to the next. */
export interface RequestState {
  /** `token` is undefined in a request without one. */
  Variables: { token: Token | undefined };
}

/** The state of a request after requireScope. */
interface AuthenticatedState {
  Variables: { token: Token };
}

/**
 * Finds the token of a request, in PRIVATE-TOKEN or as a bearer (section 5). A request without one passes, as that of
 * somebody who is not signed in; a token that is unknown, expired or revoked is refused.
 */
export function authenticate(world: World, now: () => Date) {
  return createMiddleware<RequestState>(async (context, next) => {
    const value =
      context.req.header('private-token') ?? /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = value === undefined ? undefined : world.token(value);
    if (value !== undefined && !token) {
      return context.json({ message: '401 Unauthorized' }, 401);
    }
    if (token?.revoked || (token?.expiresAt && token.expiresAt <= now())) {
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
  return createMiddleware<AuthenticatedState>(async (context, next) => {
    const token: Token | undefined = context.get('token');
    if (!token) {
      return context.json({ message: '401 Unauthorized' }, 401);
    }
    return hasScope(token, scopes) ? next() : context.json(insufficientScope(scopes), 403);
  });
}

/**
 * Lets a request pass whose token has one of the scopes, or that has no token.
 *
 * @param anonymous false refuses requests without a token after all.
 */
export function allowScope(anonymous: boolean, ...scopes: readonly string[]) {
  return createMiddleware<RequestState>(async (context, next) => {
    const token = context.get('token');
    if (!token) {
      return anonymous ? next() : context.json({ message: '401 Unauthorized' }, 401);
    }
    return hasScope(token, scopes) ? next() : context.json(insufficientScope(scopes), 403);
  });
}

function hasScope(token: Token, scopes: readonly string[]): boolean {
  return token.scopes.some((scope) => scopes.includes(scope));
}

function insufficientScope(scopes: readonly string[]) {
  const error = 'insufficient_scope';
  const description = 'The request requires higher privileges than provided by the access token.';
  return { error, error_description: description, scope: scopes.join(' ') };
}
