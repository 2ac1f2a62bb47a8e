import type { Socket } from 'node:net';
import { type buildConnector, Pool } from 'undici';
import { type Connect, connector, connectToProxy, ProxyFailure, stepTimeout } from './connect.ts';
import { type Proxy, proxyName, speaksSocks } from './route.ts';
import type { Destination } from './socksTunnel.ts';

/** Opens connections through one proxy, in which anything may be spoken. */
export interface Tunnels {
  /** Rejects with a ProxyFailure if the proxy cannot be reached or refuses. */
  open(destination: Destination): Promise<Socket>;
  /** Closes what is no tunnel yet. */
  close(): Promise<void>;
}

/** @param connect opens connections to the proxy. */
export function tunnelsThrough(proxy: Proxy, connect: Connect): Tunnels {
  if (speaksSocks(proxy)) {
    return { open: (destination) => openBySocks(proxy, connect, destination), close: async () => undefined };
  }
  const pool = new Pool(proxy.origin, { connect: connector(connect) });
  return { open: (destination) => openByHttp(proxy, pool, destination), close: () => pool.destroy() };
}

/**
 * Opens a single tunnel.
 *
 * @param trust the authorities trusted for every instance, and whether the proxy's certificate has to be.
 * @throws ProxyFailure if the proxy cannot be reached or refuses.
 */
export async function openTunnel(
  proxy: Proxy,
  trust: { readonly roots: readonly string[]; readonly proxyStrictSSL: boolean },
  destination: Destination,
): Promise<Socket> {
  const tunnels = tunnelsThrough(proxy, connectToProxy(trust.roots, trust.proxyStrictSSL));
  try {
    return await tunnels.open(destination);
  } finally {
    await tunnels.close();
  }
}

/** Host and port of what undici wants to be connected with. */
export function tunnelDestinationOf({ hostname, port, protocol }: buildConnector.Options): Destination {
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** The value of the header that proxies want, if there is one. */
export function authorizing({ authorization }: Proxy): Record<string, string> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

async function openByHttp(proxy: Proxy, pool: Pool, { host, port }: Destination): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { socket, statusCode } = await pool
    .connect({ path: target, headers: { host: target, ...authorizing(proxy) } })
    .catch((error: unknown) => {
      throw new ProxyFailure(proxyName(proxy), error);
    });
  if (statusCode !== 200) {
    socket.on('error', () => undefined).destroy();
    throw new ProxyFailure(proxyName(proxy), statusCode);
  }
  return socket as Socket;
}

async function openBySocks(proxy: Proxy, connect: Connect, destination: Destination): Promise<Socket> {
  const { hostname, port } = new URL(proxy.origin);
  const socket = await connect({ hostname, port, protocol: 'http:' }).catch((error: unknown) => {
    throw new ProxyFailure(proxyName(proxy), error);
  });
  const { openSocksTunnel } = await import('./socksTunnel.ts');
  return openSocksTunnel(socket, proxy, destination, stepTimeout);
}
