import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { authenticate, type RequestState } from './authentication.ts';
import type { Dialect } from './dialect.ts';
import { Records } from './records.ts';
import { directoryRoutes } from './routes/directory.ts';
import { eventRoutes } from './routes/events.ts';
import type { EventMaker } from './state/eventMaker.ts';
import { groupPath, projectPath } from './state/model.ts';
import { type ExtraRecords, makeSampleData, type SampleTokens } from './state/sampleData.ts';
import type { World } from './state/world.ts';

const host = '127.0.0.1';
const defaultSeed = 1;
/** Milliseconds between events that happen while the sandbox runs. */
const liveEventInterval = 45_000;

export interface SandboxOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The same seed and clock make the same data. */
  readonly seed?: number;
  readonly now?: () => Date;
  readonly dialect?: Dialect;
  /** Whether events keep happening while it runs. */
  readonly liveEvents?: boolean;
  /** Records beyond those of the sample. */
  readonly extra?: ExtraRecords;
}

/** A running sandbox instance. */
export interface Sandbox {
  readonly url: string;
  readonly tokens: SampleTokens;
  /** Full paths. */
  readonly projects: readonly string[];
  /** Full paths. */
  readonly groups: readonly string[];
  /** Usernames. */
  readonly users: readonly string[];
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts an instance that serves the API with sample data, on loopback alone. It is for one person and for trying things
 * out, not for production.
 *
 * @throws the error of node:net if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? (() => new Date());
  const { world, tokens, events } = makeSampleData(options.seed ?? defaultSeed, now(), options.extra);
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  app.route('/api/v4', apiRoutes(world, url, options.dialect ?? 'spec', now));
  app.notFound((context) => context.json({ error: '404 Not Found' }, 404));
  const stopEvents = options.liveEvents ? letEventsHappen(world, events, now) : () => undefined;
  return {
    url,
    tokens,
    projects: world.projects.map(projectPath),
    groups: world.groups.map(groupPath),
    users: world.users.map(({ username }) => username),
    close: async () => {
      stopEvents();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function apiRoutes(world: World, url: string, dialect: Dialect, now: () => Date): Hono<RequestState> {
  const records = new Records(url, dialect);
  const api = new Hono<RequestState>();
  api.use(authenticate(world, now));
  api.route('/', directoryRoutes(world, records, url, dialect, now));
  api.route('/', eventRoutes(world, records, url, dialect));
  return api;
}

function letEventsHappen(world: World, events: EventMaker, now: () => Date): () => void {
  const timer = setInterval(() => world.events.add(events.make(now())), liveEventInterval);
  // The sandbox keeps no process alive that has nothing else to do.
  timer.unref();
  return () => clearInterval(timer);
}
