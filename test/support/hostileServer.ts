import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/** A request as the server received it, whole. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What answers a request: the response is the handler's, who may also leave it open or destroy it. */
export type Handler = (request: ReceivedRequest, response: ServerResponse) => void;

/** A server that answers as a test specifies, right or wrong. */
export interface HostileServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
}

/** The headers that the platform lets web pages read. */
const exposed = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page';

/**
 * Lets web pages of any origin read an answer, as the platform does.
 *
 * @returns whether nothing but the permission was asked for, which is answered.
 */
export function permit(
  { method, headers }: Pick<ReceivedRequest, 'method' | 'headers'>,
  response: ServerResponse,
): boolean {
  response.setHeader('access-control-allow-origin', '*').setHeader('access-control-expose-headers', exposed);
  if (method !== 'OPTIONS') {
    return false;
  }
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
  response.writeHead(204).end();
  return true;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startHostileServer(handler: Handler): Promise<HostileServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => {
      const { method = '', url: target = '', headers } = incoming;
      const request = { method, target, url: new URL(`http://hostile${target}`), headers, body };
      requests.push(request);
      handler(request, response);
    });
  });
  const listens = await listening(server);
  return { ...listens, origin: `http://127.0.0.1:${listens.port}`, requests };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
