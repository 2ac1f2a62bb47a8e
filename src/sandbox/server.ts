import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type AppOptions, createSandboxApp, type SandboxApp } from './app.ts';
import { Faults, injectFaults, type RateLimit, RateLimiter } from './control/faults.ts';
import { controlRoutes } from './control/routes.ts';
import { crossOriginRequests, loopbackOnly } from './conventions.ts';
import { webPages } from './webPages.ts';

const host = '127.0.0.1';
/** Bytes of all headers and the address; more than a query may have, so that it is the query that is too long. */
const maxHeaderSize = 65_536;

export interface SandboxOptions extends AppOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** How often a token may ask; without limit if absent. */
  readonly rateLimit?: RateLimit;
  /** Whether it answers to other host names than those of loopback. */
  readonly anyHost?: boolean;
}

/** A running sandbox instance. */
export interface Sandbox extends Pick<SandboxApp, 'tokens' | 'projects' | 'groups' | 'users'> {
  readonly url: string;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Starts an instance that serves the API with sample data by HTTP, on loopback alone. It is for one user and for trying things
 * out, not for production.
 *
 * @throws the error of node:net if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  let app: SandboxApp | undefined;
  const server = createAdaptorServer({
    fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
    // The sandbox may be a guest in a process that has its own Request and Response.
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize },
  }) as Server;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const ended = new AbortController();
  app = createSandboxApp(url, options, {
    first: [...(options.anyHost ? [] : [loopbackOnly()]), crossOriginRequests()],
    control: (parts) => {
      const faults = new Faults();
      const rateLimiter = new RateLimiter(parts.now, options.rateLimit);
      return {
        routes: controlRoutes(parts, faults, rateLimiter),
        before: injectFaults(faults, parts.answerLive, ended.signal),
        after: rateLimiter.middleware(),
        pages: webPages(parts.world, parts.now),
      };
    },
  });
  const { tokens, projects, groups, users } = app;
  return {
    ...{ url, tokens, projects, groups, users },
    close: async () => {
      app?.close();
      ended.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
