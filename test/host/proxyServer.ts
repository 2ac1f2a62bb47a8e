import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { type Listening, listening } from '../support/listening.ts';

export interface ProxyOptions {
  /** The ports on this computer behind the hosts that the proxy knows, by host and port. */
  readonly hosts: Readonly<Record<string, number>>;
  /** The value of the header `Proxy-Authorization` that it wants. */
  readonly authorization?: string;
  /** Its certificate for https, if it is to be called so. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** With what it answers everything, whatever it knows. */
  readonly refusal?: number;
}

/** A proxy on a free port of 127.0.0.1: opens tunnels and sends on requests to the hosts that it knows. */
export interface ProxyServer extends Listening {
  /** Such as `http://127.0.0.1:4711`, or `https://localhost:4711`. */
  readonly url: string;
  /** What it was asked for: host and port, whether it went there or not. */
  readonly asked: readonly string[];
}

export async function startProxy({ hosts, authorization, refusal, certificate }: ProxyOptions): Promise<ProxyServer> {
  const asked: string[] = [];
  const refusalOf = ({ headers }: IncomingMessage, target: string): number | undefined => {
    asked.push(target);
    if (authorization !== undefined && headers['proxy-authorization'] !== authorization) {
      return 407;
    }
    return refusal ?? (hosts[target] === undefined ? 502 : undefined);
  };
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const url = new URL(incoming.url ?? '');
    const target = `${url.hostname}:${url.port || 80}`;
    const status = refusalOf(incoming, target);
    if (status !== undefined) {
      outgoing.writeHead(status).end();
      return;
    }
    sendOn(incoming, outgoing, hosts[target] ?? 0);
  };
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle);
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    const target = incoming.url ?? '';
    const status = refusalOf(incoming, target);
    socket.on('error', () => socket.destroy());
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nproxy-authenticate: Basic realm="test"\r\n\r\n`);
      return;
    }
    const upstream = connect(hosts[target] ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  const listens = await listening(server);
  const url = certificate ? `https://localhost:${listens.port}` : `http://127.0.0.1:${listens.port}`;
  return { ...listens, url, asked };
}

function sendOn(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { pathname, search } = new URL(incoming.url ?? '');
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  const onward = request(
    { host: '127.0.0.1', port, method: incoming.method, path: pathname + search, headers },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    },
  );
  incoming.pipe(onward);
}
