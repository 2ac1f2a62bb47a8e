import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { ProxyFailure } from './connect.ts';
import { type Proxy, proxyName } from './route.ts';

/** A host and a port to be connected with. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Asks a SOCKS proxy for a connection. The proxy resolves the name.
 *
 * @param socket a connection to the proxy.
 * @param timeout milliseconds.
 * @throws ProxyFailure if it refuses.
 */
export async function openSocksTunnel(
  socket: Socket,
  proxy: Proxy,
  destination: Destination,
  timeout: number,
): Promise<Socket> {
  const { protocol, hostname, port } = new URL(proxy.origin);
  const { username, password } = proxy.login ?? {};
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: {
        host: hostname,
        port: Number(port),
        type: protocol.startsWith('socks4') ? 4 : 5,
        ...(username === undefined ? {} : { userId: username }),
        ...(password === undefined ? {} : { password }),
      },
      destination,
      existing_socket: socket,
      timeout,
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new ProxyFailure(proxyName(proxy), Object.assign(new Error('Refused'), { code: codeOf(error) }));
  }
}

/** The package reports failures only by their messages. */
function codeOf(error: unknown): string {
  const sentence = error instanceof Error ? error.message : '';
  if (/authentication/i.test(sentence)) {
    return 'SOCKS_AUTHENTICATION';
  }
  if (/timed out/i.test(sentence)) {
    return 'ETIMEDOUT';
  }
  const [, reason] = /rejected connection - \(?(\w+)/.exec(sentence) ?? [];
  return reason === undefined ? 'SOCKS_PROTOCOL' : `SOCKS_${reason.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`;
}
