import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent, buildConnector, DecoratorHandler, type Dispatcher, Pool } from 'undici';
import { CertificateRefusedError } from './certificateRefusedError.ts';
import { checkFingerprint } from './fingerprint.ts';
import { ProxyFailure } from './proxyFailure.ts';
import type { Destination } from './socksTunnel.ts';
import type { InstanceTls } from './tlsSettings.ts';
import { proxyName, type Proxy, speaksSocks } from './way.ts';

/** What opens connections to one instance. */
export interface DispatcherOptions {
  readonly instanceUrl: URL;
  /** Undefined for a direct connection. */
  readonly proxy: Proxy | undefined;
  /** Whether the certificate of a proxy that is itself called by https has to be trusted. */
  readonly proxyStrictSSL: boolean;
  /** The authorities trusted for every instance, PEM; empty for an instance without TLS and proxy. */
  readonly roots: readonly string[];
  readonly tls: InstanceTls;
}

/** A dispatcher with what closes its connections. */
export interface OpenDispatcher {
  readonly dispatcher: Dispatcher;
  /** Closes the connections; requests under way fail. */
  close(): Promise<void>;
}

/** Milliseconds for each step: to the proxy, through it, to the instance. */
const stepTimeout = 10_000;

type Connect = (options: buildConnector.Options) => Promise<Socket>;

/** Opens connections by undici: directly or through a proxy, with the certificates of the instance's setting. */
export function openDispatcher(options: DispatcherOptions): OpenDispatcher {
  const { proxy, instanceUrl } = options;
  if (proxy === undefined) {
    const dispatcher = new Agent({ connect: connector(secureConnect(options)) });
    return { dispatcher, close: () => dispatcher.destroy() };
  }
  if (speaksSocks(proxy)) {
    const secure = secureConnect(options);
    const dispatcher = new Agent({
      connect: connector(async (target) => {
        const socket = await socksTunnel(proxy, destinationOf(target));
        return target.protocol === 'https:' ? secure({ ...target, httpSocket: socket }) : socket;
      }),
    });
    return { dispatcher, close: () => dispatcher.destroy() };
  }
  return instanceUrl.protocol === 'https:' ? tunnelling(options, proxy) : forwarding(options, proxy);
}

function destinationOf({ hostname, port, protocol }: buildConnector.Options): Destination {
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Each connection is one that the proxy opens, whatever is spoken in it. */
async function socksTunnel(proxy: Proxy, destination: Destination): Promise<Socket> {
  const { hostname, port } = new URL(proxy.origin);
  const connect = promised(buildConnector({ timeout: stepTimeout }));
  const socket = await connect({ hostname, port, protocol: 'http:' }).catch((error: unknown) => {
    throw new ProxyFailure(proxyName(proxy), error);
  });
  const { openSocksTunnel } = await import('./socksTunnel.ts');
  return openSocksTunnel(socket, proxy, destination, stepTimeout);
}

/** Each connection is a tunnel (CONNECT) that the proxy opens, and TLS in it from end to end. */
function tunnelling(options: DispatcherOptions, proxy: Proxy): OpenDispatcher {
  const secure = secureConnect(options);
  const toProxy = new Pool(proxy.origin, { connect: connector(connectTo(options)) });
  const agent = new Agent({
    connect: connector(async (target) =>
      secure({ ...target, httpSocket: await openTunnel(toProxy, proxy, destinationOf(target)) }),
    ),
  });
  return { dispatcher: agent, close: async () => void (await Promise.all([agent.destroy(), toProxy.destroy()])) };
}

/**
 * Opens one tunnel through a proxy, for whoever wants to speak in it himself.
 *
 * @throws ProxyFailure if the proxy cannot be reached or refuses.
 */
export async function tunnelThrough(
  proxy: Proxy,
  trust: Pick<DispatcherOptions, 'roots' | 'proxyStrictSSL'>,
  destination: Destination,
): Promise<Socket> {
  if (speaksSocks(proxy)) {
    return socksTunnel(proxy, destination);
  }
  const toProxy = new Pool(proxy.origin, { connect: connector(connectTo(trust)) });
  try {
    return await openTunnel(toProxy, proxy, destination);
  } finally {
    // The tunnel is no longer the pool's.
    await toProxy.destroy();
  }
}

/** Requests are sent to the proxy, which sends them on: what proxies allow for http, where many refuse tunnels. */
function forwarding(options: DispatcherOptions, proxy: Proxy): OpenDispatcher {
  const connect = connectTo(options);
  const toProxy = new Pool(proxy.origin, {
    connect: connector((target) =>
      connect(target).catch((error: unknown) => {
        throw new ProxyFailure(proxyName(proxy), error);
      }),
    ),
  });
  const dispatcher = toProxy.compose((dispatch) => (request, handler) => {
    const target = new URL(request.origin ?? options.instanceUrl);
    return dispatch(
      {
        ...request,
        origin: proxy.origin,
        path: target.origin + request.path,
        headers: { ...(request.headers as Record<string, string>), host: target.host, ...authorizing(proxy) },
      },
      new ProxyRefusalHandler(handler, proxy),
    );
  });
  return { dispatcher, close: () => toProxy.destroy() };
}

/** Tells a proxy that wants credentials from the instance, for which it answers. */
class ProxyRefusalHandler extends DecoratorHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #proxy: Proxy;

  constructor(handler: Dispatcher.DispatchHandler, proxy: Proxy) {
    super(handler);
    this.#handler = handler;
    this.#proxy = proxy;
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    const [controller, status] = args;
    if (status === 407) {
      controller.abort(new ProxyFailure(proxyName(this.#proxy), status));
      return;
    }
    this.#handler.onResponseStart?.(...args);
  }
}

function authorizing({ authorization }: Proxy): Record<string, string> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/**
 * Asks a proxy for a tunnel.
 *
 * @throws ProxyFailure if it cannot be reached or refuses.
 */
async function openTunnel(toProxy: Pool, proxy: Proxy, { host, port }: Destination): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { socket, statusCode } = await toProxy
    .connect({
      path: target,
      headers: { host: target, ...authorizing(proxy) },
    })
    .catch((error: unknown) => {
      throw new ProxyFailure(proxyName(proxy), error);
    });
  if (statusCode !== 200) {
    socket.on('error', () => undefined).destroy();
    throw new ProxyFailure(proxyName(proxy), statusCode);
  }
  return socket as Socket;
}

/** Connects to the proxy, whose certificate is for its own name: undici would take that from the header `host`. */
function connectTo({ roots, proxyStrictSSL }: Pick<DispatcherOptions, 'roots' | 'proxyStrictSSL'>): Connect {
  const connect = promised(
    buildConnector({ timeout: stepTimeout, allowH2: false, ca: [...roots], rejectUnauthorized: proxyStrictSSL }),
  );
  return (options) => connect({ ...options, servername: options.hostname });
}

/** Connects to the instance; where its certificate is trusted by fingerprint, that is checked before anything is sent. */
function secureConnect({ roots, tls }: Pick<DispatcherOptions, 'roots' | 'tls'>): Connect {
  const { fingerprint, ca, ...shown } = tls;
  const connect = promised(
    buildConnector({
      timeout: stepTimeout,
      ...shown,
      ca: [...roots, ...(ca === undefined ? [] : [ca])],
      // The fingerprint stands for the certificate alone, so whoever issued it and for which host does not matter. A
      // resumed session would not show the certificate again.
      ...(fingerprint === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
    }),
  );
  return async (options) => {
    const socket = await connect(options);
    if (options.protocol === 'https:') {
      nameRefusals(socket, shown.cert !== undefined || shown.pfx !== undefined);
    }
    if (fingerprint !== undefined && options.protocol === 'https:') {
      try {
        checkFingerprint(socket as TLSSocket, fingerprint);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    }
    return socket;
  };
}

/**
 * Makes what an instance says of the client certificate the failure of the connection. It says so only after the handshake,
 * by an alert or by hanging up on the first request.
 */
function nameRefusals(socket: Socket, showsCertificate: boolean): void {
  socket.prependListener('error', () => socket.destroy());
  if (showsCertificate) {
    socket.prependListener('end', () => {
      if (socket.bytesRead === 0 && socket.bytesWritten > 0) {
        socket.destroy(new CertificateRefusedError());
      }
    });
  }
}

function promised(connect: buildConnector.connector): Connect {
  return (options) =>
    new Promise((resolve, reject) =>
      connect(options, (...[error, socket]) => (error === null ? resolve(socket) : reject(error))),
    );
}

function connector(connect: Connect): buildConnector.connector {
  const calling = callbackify(connect);
  return (options, callback) =>
    calling(options, (error: Error | null, socket) => (error ? callback(error, null) : callback(null, socket)));
}
