import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { AccessToken, Group, Project, User } from './state/model.ts';
import type { World } from './state/world.ts';

/** An answer that ends the handling of a request wherever it is thrown. */
function refusal(status: 400 | 401 | 403 | 404, body: object): HTTPException {
  return new HTTPException(status, { res: Response.json(body, { status }) });
}

/** 400 for parameters. @param error such as `active is missing`. */
export function badParameters(error: string): HTTPException {
  return refusal(400, { error });
}

/** 400 for values that the platform's own rules refuse. @param message a sentence, or the sentences by field. */
export function badValue(message: string | Readonly<Record<string, readonly string[]>>): HTTPException {
  return refusal(400, { message });
}

/** 403 for a role that does not do. */
export function forbidden(): HTTPException {
  return refusal(403, { message: '403 Forbidden' });
}

/** 404 for what does not exist or is not to be seen. @param what such as `Project`; nothing for what has no name. */
export function notFound(what?: string): HTTPException {
  return refusal(404, { message: what === undefined ? '404 Not found' : `404 ${what} Not Found` });
}

/** What was looked up. @throws `notFound(what)` where it is not there. */
export function existing<T>(value: T | undefined, what?: string): T {
  if (value === undefined) {
    throw notFound(what);
  }
  return value;
}

/** A group or project that was looked up. @throws `notFound(what)` where it is not there, or the user may not see it. */
export function visible<T extends Group | Project>(
  world: World,
  user: User | undefined,
  place: T | undefined,
  what: string,
): T {
  return existing(place && world.canSee(user, place) ? place : undefined, what);
}

/** The state of a request that its middleware passes on. */
export interface RequestState {
  /** `token` is undefined in a request without one. */
  Variables: { token: AccessToken | undefined; world: World };
}

/** The state of a request after requireScope. */
interface AuthenticatedState {
  Variables: { token: AccessToken; world: World };
}

/**
 * What a fine-grained token needs for a route.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens_rest/
 */
export interface Permission {
  /** Such as `Event: Read`. */
  readonly name: string;
  /** Where it is granted. */
  readonly boundary: 'instance' | 'user' | 'group' | 'project';
}

/**
 * Finds the token of a request, in PRIVATE-TOKEN or as a bearer; one of OAuth as a bearer alone. A request without
 * one passes, as that of somebody who is not signed in; a token that is unknown, expired or revoked is refused.
 *
 * @see https://docs.gitlab.com/api/rest/authentication/
 */
export function authenticate(world: World, now: () => Date) {
  return createMiddleware<RequestState>(async (context, next) => {
    const asPrivate = context.req.header('private-token');
    const value = asPrivate ?? /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const token = value === undefined ? undefined : world.token(value);
    if (value !== undefined && (!token || (token.isOAuth && asPrivate !== undefined))) {
      return context.json({ message: '401 Unauthorized' }, 401);
    }
    if (token?.revoked || (token?.expiresAt && token.expiresAt <= now())) {
      const fate = token.revoked ? 'was revoked' : 'is expired';
      const description = `Token ${fate}. You have to re-authorize from the user.`;
      return context.json({ error: 'invalid_token', error_description: description }, 401);
    }
    context.set('token', token);
    context.set('world', world);
    return next();
  });
}

/**
 * Lets a request pass whose token has one of the scopes, or `read_api` for a GET, or the permission.
 *
 * @param permission undefined where the platform takes no fine-grained token.
 */
export function requireScope(permission: Permission | undefined, ...scopes: readonly string[]) {
  return guard<AuthenticatedState>(false, permission, scopes);
}

/**
 * As requireScope, for requests that need no token.
 *
 * @param anonymous false refuses requests without a token after all.
 */
export function allowScope(anonymous: boolean, permission: Permission, ...scopes: readonly string[]) {
  return guard<RequestState>(anonymous, permission, scopes);
}

function guard<State extends RequestState | AuthenticatedState>(
  anonymous: boolean,
  permission: Permission | undefined,
  scopes: readonly string[],
) {
  return createMiddleware<State>(async (context, next) => {
    const token = context.get('token');
    if (!token) {
      return anonymous ? next() : context.json({ message: '401 Unauthorized' }, 401);
    }
    return refusalOf(context, context.get('world'), token, permission, scopes) ?? next();
  });
}

/** What the request is answered with if its token does not do. */
function refusalOf(
  context: Context,
  world: World,
  token: AccessToken,
  permission: Permission | undefined,
  scopes: readonly string[],
): Response | undefined {
  const place = permission === undefined ? 'unbounded' : placeOf(context.req.param('id'), world, permission);
  if (token.permissions) {
    if (!permission) {
      return insufficientPermission(context, 'Access denied: This operation does not support fine-grained tokens.');
    }
    if (place === undefined) {
      return undefined; // The route answers that there is no such place.
    }
    return token.permissions.includes(permission.name)
      ? undefined
      : insufficientPermission(context, sentenceFor(permission));
  }
  if (permission && !token.isOAuth && typeof place === 'object' && requiresFineGrained(place)) {
    return insufficientPermission(context, sentenceFor(permission));
  }
  const accepted = context.req.method === 'GET' ? [...scopes, 'read_api'] : scopes;
  return token.scopes.some((scope) => accepted.includes(scope))
    ? undefined
    : context.json(
        {
          error: 'insufficient_scope',
          error_description: 'The request requires higher privileges than provided by the access token.',
          scope: scopes.join(' '),
        },
        403,
      );
}

/** The group in which a permission has to hold; undefined if the request names a place that is not there. */
function placeOf(id: string | undefined, world: World, { boundary }: Permission): Group | 'unbounded' | undefined {
  if (id === undefined || (boundary !== 'project' && boundary !== 'group')) {
    return 'unbounded';
  }
  return boundary === 'project' ? (world.project(id) ?? world.movedProject(id))?.group : world.group(id);
}

function requiresFineGrained({ parent, requiresFineGrainedTokens }: Group): boolean {
  return parent ? requiresFineGrained(parent) : requiresFineGrainedTokens === true;
}

function sentenceFor({ name, boundary }: Permission): string {
  return `Access denied: This operation requires a fine-grained personal access token with the following ${boundary} permissions: [${name}].`;
}

function insufficientPermission(context: Context, description: string): Response {
  return context.json({ error: 'insufficient_granular_scope', error_description: description }, 403);
}
