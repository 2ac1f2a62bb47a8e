import { Hono } from 'hono/tiny';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { authenticate, type RequestState } from './authentication.ts';
import { boundedBody, boundedQuery, conditionalRequests, moved } from './conventions.ts';
import { Records } from './records.ts';
import { directoryRoutes } from './routes/directory.ts';
import { errorTrackingRoutes } from './routes/errorTracking.ts';
import { eventRoutes } from './routes/events.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { notificationSettingRoutes } from './routes/notificationSettings.ts';
import { targetRoutes } from './routes/targets.ts';
import type { Received } from './state/errorTracking.ts';
import type { Dialect, Event, Project } from './state/model.ts';
import type { Tier } from './state/notificationSettings.ts';
import { Random } from './state/random.ts';
import { makeSampleData, type SampleOptions, type SampleTokens } from './state/sampleData.ts';
import type { World } from './state/world.ts';

/** Bytes. */
const maxBodySize = 10 * 1024 * 1024;
/** Milliseconds between events that happen while the sandbox runs. */
const liveEventInterval = 45_000;
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
  /** Called with what made the sandbox answer 500, which is a defect of it. */
  readonly onDefect?: (error: Error) => void;
}

/** A sandbox instance that answers requests, wherever they come from. */
export interface SandboxApp {
  fetch(request: Request): Response | Promise<Response>;
  /** What it answers with can be changed by those who run it. */
  readonly world: World;
  readonly records: Records;
  /** What programs sent to the addresses of DSNs, the newest first. */
  readonly received: readonly Received[];
  /** Without a slash at its end. */
  readonly url: string;
  readonly now: () => Date;
  /**
   * Lets an event happen now.
   *
   * @param project anywhere if not given.
   * @param rare whether it is of a kind that is seldom seen.
   */
  addEvent(project?: Project, rare?: boolean): Event;
  readonly tokens: SampleTokens;
  /** No more events happen. */
  close(): void;
}

/**
 * Makes an instance that serves the API with sample data, out of memory.
 *
 * @param url the instance's web address, without a slash at its end.
 */
export function createSandboxApp(url: string, options: AppOptions = {}): SandboxApp {
  const { seed = 1, dialect = 'spec', tier = 'ultimate', now = () => new Date() } = options;
  const { world, tokens, events } = makeSampleData(seed, now(), options);
  const records = new Records(url, dialect);
  const api = apiRoutes(world, records, url, { dialect, tier }, now);
  const app = new Hono();
  for (const part of [app, api]) {
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
  const requestIds = new Random(seed);
  app.use(requestId({ headerName: '', generator: () => requestIds.text(26, requestIdAlphabet) }));
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('x-request-id', context.get('requestId'));
    context.res.headers.set('date', now().toUTCString());
  });
  const received: Received[] = [];
  app.get('/-/sandbox/received', (context) => context.json(received));
  app.route('/', ingestRoutes(world, received, now));
  app.use('/api/*', boundedQuery());
  app.use('/api/*', boundedBody(maxBodySize));
  app.use('/api/*', conditionalRequests());
  app.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: '405 Not Allowed' }, 405, { allow: methods.join(', ') }),
    }),
  );
  app.route('/', api);
  app.notFound((context) => context.json({ error: '404 Not Found' }, 404));
  const addEvent = (project?: Project, rare = false): Event => {
    const event = rare ? events.makeRare(now(), project) : events.make(now(), { project });
    world.events.add(event);
    return event;
  };
  // What the user does is not new to the user.
  const addLiveEvent = (): void => world.events.add(events.make(now(), { byOthers: true }));
  const timer = options.liveEvents ? setInterval(addLiveEvent, liveEventInterval) : undefined;
  // The sandbox keeps no process alive that has nothing else to do. In a browser a timer is a number.
  if (typeof timer === 'object') {
    timer.unref();
  }
  return {
    world,
    records,
    received,
    url,
    now,
    tokens,
    addEvent,
    fetch: (request) => app.fetch(request),
    close: () => clearInterval(timer),
  };
}

function apiRoutes(
  world: World,
  records: Records,
  url: string,
  { dialect, tier }: { dialect: Dialect; tier: Tier },
  now: () => Date,
): Hono<RequestState> {
  const api = new Hono<RequestState>().basePath('/api/v4');
  api.use(authenticate(world, now));
  api.use(
    '/projects/:id/*',
    moved(world, url, 'projects', (path) => (world.project(path) ? undefined : world.movedProject(path))),
  );
  // The live platform does not redirect groups.
  if (dialect === 'spec') {
    api.use(
      '/groups/:id/*',
      moved(world, url, 'groups', (path) => (world.group(path) ? undefined : world.movedGroup(path))),
    );
  }
  api.route('/', directoryRoutes(world, records, url, dialect, now));
  api.route('/', eventRoutes(world, records, url, dialect));
  api.route('/', targetRoutes(world, records));
  api.route('/', notificationSettingRoutes(world, dialect, tier));
  api.route('/', errorTrackingRoutes(world, url, dialect));
  return api;
}
