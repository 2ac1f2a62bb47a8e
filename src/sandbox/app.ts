import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono/tiny';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { authenticate, type RequestState } from './authentication.ts';
import { boundedBody, boundedQuery, conditionalRequests, movedGroups, movedProjects } from './conventions.ts';
import { Records } from './records.ts';
import { directoryRoutes } from './routes/directory.ts';
import { errorTrackingRoutes } from './routes/errorTracking.ts';
import { eventRoutes } from './routes/events.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { notificationSettingRoutes } from './routes/notificationSettings.ts';
import { oauthRoutes, OAuthStore } from './routes/oauth.ts';
import { ReceivedList } from './state/errorTracking.ts';
import { LiveEvents } from './state/eventMaker.ts';
import { type Dialect, type Group, groupPath, type Project, projectPath } from './state/model.ts';
import type { Tier } from './state/notificationSettings.ts';
import { avatarUrl, drawPicture } from './state/picture.ts';
import { Random } from './state/random.ts';
import { makeSampleData, type SampleOptions, type SampleTokens } from './state/sampleData.ts';
import type { World } from './state/world.ts';

const defaultSeed = 1;
/** Bytes. */
const maxBodySize = 10 * 1024 * 1024;
const requestIdAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface AppOptions extends SampleOptions {
  /** The same seed, clock and time zone make the same data. */
  readonly seed?: number;
  /** The clock of all that the sandbox does: the process's by default. */
  readonly now?: () => Date;
  readonly dialect?: Dialect;
  /** Ultimate if not given. */
  readonly tier?: Tier;
  /** Whether events keep happening while it runs. */
  readonly liveEvents?: boolean;
  /** Called with each request that changed something, or tried to, even if its answer gets lost. */
  readonly onWrite?: (write: Write) => void;
  /** Called with what made the sandbox answer 500, which is a defect of it. */
  readonly onDefect?: (error: Error) => void;
}

/** A request with another method than GET, and what the instance answered. */
export interface Write {
  readonly method: string;
  /** Without `/api/v4`. */
  readonly path: string;
  /** The value of the token; undefined without one that is known. */
  readonly token: string | undefined;
  /** The username of the author; undefined without a valid token. */
  readonly username: string | undefined;
  /** As text. */
  readonly body: string;
  readonly status: number;
  /** As text. */
  readonly answer: string;
}

/** What those who run the application may add to it, in the order of handling. */
export interface AppLayers {
  /** Sees each request first. */
  readonly first: readonly MiddlewareHandler[];
  /** Routes that the platform does not have, and what sees a request of the API before it is looked at and after it was found to be well-formed. */
  readonly control: (deps: ControlDeps) => {
    readonly routes: Hono;
    readonly before: MiddlewareHandler;
    readonly after: MiddlewareHandler;
    /** Answers a browser where the platform has a page. */
    readonly pages: MiddlewareHandler;
  };
}

/** What may be controlled from outside. */
export interface ControlDeps {
  readonly world: World;
  readonly records: Records;
  readonly liveEvents: LiveEvents;
  readonly oauth: OAuthStore;
  readonly now: () => Date;
  /** Answers a request of the API with the live platform's names. */
  readonly answerLive: (request: Request, env: object) => Response | Promise<Response>;
}

/** A sandbox instance that answers requests, wherever they come from. */
export interface SandboxApp {
  /** @param env what those who run it hand to the layers that they add. */
  fetch(request: Request, env?: object): Response | Promise<Response>;
  readonly tokens: SampleTokens;
  /** Full paths of those that the owner can see. */
  readonly projects: readonly string[];
  /** Full paths of those that the owner can see. */
  readonly groups: readonly string[];
  /** Usernames. */
  readonly users: readonly string[];
  /** No more events happen. */
  close(): void;
}

/**
 * Makes an instance that serves the API with sample data, out of memory.
 *
 * @param url the instance's web address, without a slash at its end.
 */
export function createSandboxApp(url: string, options: AppOptions = {}, layers?: AppLayers): SandboxApp {
  const now = options.now ?? (() => new Date());
  const seed = options.seed ?? defaultSeed;
  const { world, tokens, events } = makeSampleData(seed, now(), options);
  const app = new Hono();
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
  const liveEvents = new LiveEvents(world, events, now);
  const records = new Records(url, options.dialect ?? 'spec');
  const oauth = new OAuthStore();
  const control = layers?.control({
    ...{ world, records, liveEvents, oauth, now },
    answerLive: (request, env) => liveApi.fetch(request, env),
  });
  const requestIds = new Random(seed);
  layers?.first.forEach((layer) => app.use(layer));
  app.use(requestId({ headerName: '', generator: () => requestIds.text(26, requestIdAlphabet) }));
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('x-request-id', context.get('requestId'));
    context.res.headers.set('date', now().toUTCString());
  });
  const received = new ReceivedList();
  app.get('/-/sandbox/received', (context) => context.json(received.items()));
  app.route('/', ingestRoutes(world, received, now));
  app.use('/oauth/*', boundedBody(maxBodySize));
  app.route('/', oauthRoutes(world, oauth, url, now));
  if (control) {
    app.route('/-/sandbox', control.routes);
    app.use('/api/*', control.before);
  }
  app.use('/api/*', boundedQuery());
  app.use('/api/*', boundedBody(maxBodySize));
  if (control) {
    app.use('/api/*', control.after);
  }
  app.use('/api/*', conditionalRequests());
  app.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: '405 Not Allowed' }, 405, { allow: methods.join(', ') }),
    }),
  );
  app.route('/', api);
  app.get('/uploads/-/system/user/avatar/:id/avatar.png', async (context) => {
    const user = world.users.find((one) => avatarUrl('', one) === context.req.path);
    return user
      ? context.body(await drawPicture(user), 200, { 'content-type': 'image/png' })
      : context.text('404 Not Found', 404);
  });
  if (control) {
    app.get('*', control.pages);
  }
  app.notFound((context) => context.json({ error: '404 Not Found' }, 404));
  liveEvents.switch(options.liveEvents ?? false);
  const owner = world.token(tokens.owner)?.user;
  const ownerCanSee = (place: Group | Project) => world.canSee(owner, place);
  return {
    fetch: (request, env) => app.fetch(request, env),
    tokens,
    projects: world.projects.filter(ownerCanSee).map(projectPath),
    groups: world.groups.filter(ownerCanSee).map(groupPath),
    users: world.users.map(({ username }) => username),
    close: () => liveEvents.switch(false),
  };
}

function apiRoutes(
  world: World,
  url: string,
  { dialect, tier }: { dialect: Dialect; tier: Tier },
  now: () => Date,
  onWrite: AppOptions['onWrite'],
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

/** Reports each write after it was carried out or refused, and before its answer is sent. */
function reportWrites(onWrite: (write: Write) => void) {
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
