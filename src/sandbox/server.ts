import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { authenticate, type RequestState } from './authentication.ts';
import { Faults, injectFaults, type RateLimit, RateLimiter } from './control/faults.ts';
import { controlRoutes, LiveEvents, reportWrites, type Write } from './control/routes.ts';
import {
  boundedBody,
  boundedQuery,
  conditionalRequests,
  loopbackOnly,
  movedGroups,
  movedProjects,
} from './conventions.ts';
import { Records } from './records.ts';
import { directoryRoutes } from './routes/directory.ts';
import { errorTrackingRoutes } from './routes/errorTracking.ts';
import { eventRoutes } from './routes/events.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { notificationSettingRoutes } from './routes/notificationSettings.ts';
import { oauthRoutes, OAuthStore } from './routes/oauth.ts';
import { ReceivedList } from './state/errorTracking.ts';
import { type Dialect, type Group, groupPath, type Project, projectPath } from './state/model.ts';
import type { Tier } from './state/notificationSettings.ts';
import { Random } from './state/random.ts';
import { makeSampleData, type SampleOptions, type SampleTokens } from './state/sampleData.ts';
import type { World } from './state/world.ts';
import { webPages } from './webPages.ts';

const host = '127.0.0.1';
const defaultSeed = 1;
/** Bytes of all headers and the address; more than a query may have, so that it is the query that is too long. */
const maxHeaderSize = 65_536;
/** Bytes. */
const maxBodySize = 10 * 1024 * 1024;
const requestIdAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface SandboxOptions extends SampleOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The same seed, clock and time zone make the same data. */
  readonly seed?: number;
  /** The clock of all that the sandbox does: the process's by default. */
  readonly now?: () => Date;
  readonly dialect?: Dialect;
  /** Ultimate if not given. */
  readonly tier?: Tier;
  /** Whether events keep happening while it runs. */
  readonly liveEvents?: boolean;
  /** How often a token may ask; without limit if absent. */
  readonly rateLimit?: RateLimit;
  /** Called with each request that changed something, or tried to, even if its answer gets lost. */
  readonly onWrite?: (write: Write) => void;
  /** Called with what made the sandbox answer 500, which is a defect of it. */
  readonly onDefect?: (error: Error) => void;
  /** Whether it answers to other host names than those of loopback. */
  readonly anyHost?: boolean;
}

/** A running sandbox instance. */
export interface Sandbox {
  readonly url: string;
  readonly tokens: SampleTokens;
  /** Full paths of those that the owner can see. */
  readonly projects: readonly string[];
  /** Full paths of those that the owner can see. */
  readonly groups: readonly string[];
  /** Usernames. */
  readonly users: readonly string[];
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts an instance that serves the API with sample data, on loopback alone. It is for one user and for trying things
 * out, not for production.
 *
 * @throws the error of node:net if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? (() => new Date());
  const seed = options.seed ?? defaultSeed;
  const { world, tokens, events } = makeSampleData(seed, now(), options);
  const app = new Hono<{ Bindings: HttpBindings }>();
  const server = createAdaptorServer({
    fetch: app.fetch,
    // The sandbox may be a guest in a process that has its own Request and Response.
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize },
  }) as Server;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const tier = options.tier ?? 'ultimate';
  const apiOf = (dialect: Dialect) =>
    new Hono().route('/api/v4', apiRoutes(world, url, { dialect, tier }, now, options.onWrite));
  const [api, liveApi] = [apiOf(options.dialect ?? 'spec'), apiOf('live')];
  for (const part of [app, api, liveApi]) {
    part.onError((error, context) => {
      if (error instanceof HTTPException) {
        return error.getResponse();
      }
      // A client that goes away in the middle of its request is no defect of the sandbox.
      if (!context.req.raw.signal.aborted) {
        options.onDefect?.(error);
      }
      return context.json({ message: '500 Internal Server Error' }, 500);
    });
  }
  const ended = new AbortController();
  const faults = new Faults();
  const rateLimiter = new RateLimiter(now, options.rateLimit);
  const liveEvents = new LiveEvents(world, events, now);
  const requestIds = new Random(seed);
  if (!options.anyHost) {
    app.use(loopbackOnly());
  }
  app.use(requestId({ headerName: '', generator: () => requestIds.text(26, requestIdAlphabet) }));
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('x-request-id', context.get('requestId'));
    context.res.headers.set('date', now().toUTCString());
  });
  const records = new Records(url, options.dialect ?? 'spec');
  const received = new ReceivedList();
  app.get('/-/sandbox/received', (context) => context.json(received.items()));
  app.route('/', ingestRoutes(world, received, now));
  const oauth = new OAuthStore();
  app.use('/oauth/*', boundedBody(maxBodySize));
  app.route('/', oauthRoutes(world, oauth, url, now));
  app.route('/-/sandbox', controlRoutes({ world, records, faults, rateLimiter, liveEvents, oauth, now }));
  app.use(
    '/api/*',
    injectFaults(faults, (request, env) => liveApi.fetch(request, env), ended.signal),
  );
  app.use('/api/*', boundedQuery());
  app.use('/api/*', boundedBody(maxBodySize));
  app.use('/api/*', rateLimiter.middleware());
  app.use('/api/*', conditionalRequests());
  app.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: '405 Not Allowed' }, 405, { allow: methods.join(', ') }),
    }),
  );
  app.route('/', api);
  app.get('*', webPages());
  app.notFound((context) => context.json({ error: '404 Not Found' }, 404));
  liveEvents.switch(options.liveEvents ?? false);
  const owner = world.token(tokens.owner)?.user;
  const ownerCanSee = (place: Group | Project) => world.canSee(owner, place);
  return {
    url,
    tokens,
    projects: world.projects.filter(ownerCanSee).map(projectPath),
    groups: world.groups.filter(ownerCanSee).map(groupPath),
    users: world.users.map(({ username }) => username),
    close: async () => {
      liveEvents.switch(false);
      ended.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function apiRoutes(
  world: World,
  url: string,
  { dialect, tier }: { dialect: Dialect; tier: Tier },
  now: () => Date,
  onWrite: SandboxOptions['onWrite'],
): Hono<RequestState> {
  const records = new Records(url, dialect);
  const api = new Hono<RequestState>();
  if (onWrite) {
    api.use(reportWrites(onWrite));
  }
  api.use(authenticate(world, now));
  api.use('/projects/:id/*', movedProjects(world, url));
  api.use('/groups/:id/*', movedGroups(world, url, dialect));
  api.route('/', directoryRoutes(world, records, url, dialect, now));
  api.route('/', eventRoutes(world, records, url, dialect));
  api.route('/', notificationSettingRoutes(world, dialect, tier));
  api.route('/', errorTrackingRoutes(world, url, dialect));
  return api;
}
