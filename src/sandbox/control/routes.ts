import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';
import type { ControlDeps } from '../app.ts';
import { existing } from '../authentication.ts';
import { projectPath, type Role, roles } from '../state/model.ts';
import { type Faults, faultsSchema, type RateLimiter, rateLimitSchema } from './faults.ts';

const happenSchema = z.strictObject({
  count: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
  /** Id or full path; anywhere if absent. */
  project: z.optional(z.string()),
  /** Of a kind that is seldom seen, perhaps one that no client knows. */
  rare: z._default(z.boolean(), false),
});
const moveSchema = z.strictObject({ path: z.string().check(z.regex(/^[a-z][\w.-]{0,100}$/)) });
const tokenRequestSchema = z.strictObject({
  username: z.string(),
  scopes: z._default(z.array(z.string()), ['api']),
  /** Makes it a fine-grained token: the names of its permissions, such as `Event: Read`. */
  permissions: z.optional(z.array(z.string())),
  /** Makes it one that an application got. */
  oauth: z._default(z.boolean(), false),
  /** Whether it has expired already. */
  expired: z._default(z.boolean(), false),
});
const errorTrackingSchema = z.strictObject({ available: z.boolean() });
const memberSchema = z.strictObject({
  project: z.string(),
  username: z.string(),
  role: z.enum(Object.keys(roles) as Role[]),
});
const clientKeySchema = z.strictObject({ active: z.boolean() });
const applicationSchema = z.strictObject({
  redirectUris: z._default(z.array(z.url()), []),
  /** Drawn by chance if absent. */
  id: z.optional(z.string()),
});
const groupSchema = z.strictObject({ requiresFineGrainedTokens: z.boolean() });
const versionSchema = z.strictObject({ version: z.string() });
const liveEventsSchema = z.strictObject({ on: z.boolean() });

/**
 * The control addresses, under `/-/sandbox`: what the platform does not have, for tests and for trying things out by hand.
 * They need no token, and refuse to be called by web pages. See README.md for what they take.
 */
export function controlRoutes(
  { world, records, liveEvents, oauth, now }: ControlDeps,
  faults: Faults,
  rateLimiter: RateLimiter,
): Hono {
  return new Hono()
    .use(refuseWebPages)
    .get('/faults', (context) => context.json(faults.list()))
    .put('/faults', (context) =>
      withBody(context, faultsSchema, (list) => {
        faults.set(list);
        return context.json(faults.list());
      }),
    )
    .delete('/faults', (context) => {
      faults.set([]);
      return context.body(null, 204);
    })
    .put('/rate-limit', (context) =>
      withBody(context, rateLimitSchema, (limit) => {
        rateLimiter.set(limit);
        return context.json(limit);
      }),
    )
    .delete('/rate-limit', (context) => {
      rateLimiter.set(undefined);
      return context.body(null, 204);
    })
    .post('/events', (context) =>
      withBody(context, happenSchema, ({ count, project: idOrPath, rare }) => {
        const project = idOrPath === undefined ? undefined : existing(world.project(idOrPath), 'Project');
        const events = Array.from({ length: count }, () => liveEvents.addEvent(project, rare));
        return context.json(
          events.map((event) => records.event(event, true)),
          201,
        );
      }),
    )
    .put('/projects/:id', (context) =>
      withBody(context, moveSchema, ({ path }) => {
        const project = existing(world.project(context.req.param('id')), 'Project');
        world.moveProject(project, path);
        return context.json({ id: project.id, path_with_namespace: projectPath(project) });
      }),
    )
    .delete('/projects/:id', (context) => {
      world.deleteProject(existing(world.project(context.req.param('id')), 'Project'));
      return context.body(null, 204);
    })
    .put('/live-events', (context) =>
      withBody(context, liveEventsSchema, ({ on }) => {
        liveEvents.switch(on);
        return context.json({ on });
      }),
    )
    .get('/tokens', (context) =>
      context.json(
        world.tokens().map((token) => ({
          ...records.token(token, now()),
          token: token.value,
          refresh_token: oauth.refreshToken(token.value),
        })),
      ),
    )
    .post('/tokens', (context) =>
      withBody(context, tokenRequestSchema, ({ username, scopes, permissions, oauth, expired }) => {
        const user = existing(world.user(username), 'User');
        const id = Math.max(...world.tokens().map((token) => token.id)) + 1;
        const value = oauth ? crypto.randomUUID().replaceAll('-', '') : `glpat-${crypto.randomUUID()}`;
        const token = { id, value, name: 'Sandbox', user, isOAuth: oauth, createdAt: now(), revoked: false };
        world.addToken({
          ...token,
          ...(permissions ? { scopes: ['granular'], permissions } : { scopes }),
          expiresAt: expired ? new Date(now().getTime() - 86_400_000) : undefined,
        });
        return context.json({ id, token: value }, 201);
      }),
    )
    .put('/members', (context) =>
      withBody(context, memberSchema, ({ project: idOrPath, username, role }) => {
        const [project, user] = [existing(world.project(idOrPath)), existing(world.user(username))];
        world.setRole(project, user, role);
        return context.json({ access_level: world.accessLevel(user, project) });
      }),
    )
    .post('/applications', (context) =>
      withBody(context, applicationSchema, ({ redirectUris, id }) =>
        context.json({ id: oauth.register(redirectUris, id) }, 201),
      ),
    )
    .put('/groups/:id', (context) =>
      withBody(context, groupSchema, ({ requiresFineGrainedTokens }) => {
        const group = existing(world.group(context.req.param('id')), 'Group');
        group.requiresFineGrainedTokens = requiresFineGrainedTokens;
        return context.json({ id: group.id, requiresFineGrainedTokens });
      }),
    )
    .put('/version', (context) =>
      withBody(context, versionSchema, ({ version }) => {
        world.version = { ...world.version, version };
        return context.json(world.version);
      }),
    )
    .put('/error-tracking', (context) =>
      withBody(context, errorTrackingSchema, ({ available }) => {
        world.errorTracking.available = available;
        return context.json({ available });
      }),
    )
    .put('/client-keys/:id', (context) =>
      withBody(context, clientKeySchema, ({ active }) => {
        const key = existing(world.errorTracking.key(Number(context.req.param('id'))));
        key.active = active;
        return context.json({ id: key.id, active });
      }),
    )
    .delete('/tokens/:id', (context) => {
      const token = world.tokens().find(({ id }) => String(id) === context.req.param('id'));
      existing(token, 'Token').revoked = true;
      return context.body(null, 204);
    });
}

/** Web pages say where they are from when they call another origin; nothing else calls with that header. */
const refuseWebPages = createMiddleware(async (context, next) =>
  context.req.header('origin') === undefined
    ? next()
    : context.json({ message: '403 Forbidden - web pages may not control the sandbox' }, 403),
);

/** Lets an action have the request's JSON, or answers with 400 and what is wrong with it. No body counts as `{}`. */
async function withBody<T>(
  context: Context,
  schema: z.ZodMiniType<T>,
  action: (value: T) => Response,
): Promise<Response> {
  let body: unknown;
  try {
    body = JSON.parse((await context.req.text()) || '{}');
  } catch {
    return context.json({ error: 'The body is not JSON' }, 400);
  }
  // Without words of a language an error says that something is invalid, and not what.
  const parsed = schema.safeParse(body, { error: english().localeError });
  return parsed.success ? action(parsed.data) : context.json({ error: z.prettifyError(parsed.error) }, 400);
}
