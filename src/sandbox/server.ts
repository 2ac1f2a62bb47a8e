import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono/tiny';
import { type AppOptions, createSandboxApp, type SandboxApp } from './app.ts';
import { crossOriginRequests, loopbackOnly } from './conventions.ts';
import { webPages } from './webPages.ts';

const host = '127.0.0.1';
/** Bytes of all headers and the address; more than a query may have, so that it is the query that is too long. */
const maxHeaderSize = 65_536;

export interface SandboxOptions extends AppOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Whether it answers to other host names than those of loopback. */
  readonly anyHost?: boolean;
  /** Adds routes and middleware of its own, which see requests before the application does. */
  readonly extend?: (server: Hono<{ Bindings: HttpBindings }>, app: SandboxApp) => void;
}

/** A running sandbox instance. */
export interface Sandbox extends Pick<SandboxApp, 'tokens' | 'url'> {
  readonly app: SandboxApp;
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
  const whole = new Hono<{ Bindings: HttpBindings }>();
  const server = createAdaptorServer({
    fetch: whole.fetch,
    // The sandbox may be a guest in a process that has its own Request and Response.
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize },
  }) as Server;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const app = createSandboxApp(url, options);
  if (!options.anyHost) {
    whole.use(loopbackOnly());
  }
  whole.use(crossOriginRequests());
  options.extend?.(whole, app);
  whole.get('*', webPages(app.world, app.now));
  whole.all('*', ({ req }) => app.fetch(req.raw));
  return {
    app,
    url,
    tokens: app.tokens,
    close: async () => {
      app.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
