import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';

/** What stands in for the instance's answer; undefined lets the request through. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A server in front of an instance that can answer in its place. */
export class SwitchableInstance {
  answer: Answer | undefined;
  readonly url: string;
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(upstream: string): Promise<SwitchableInstance> {
    const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const instance = new SwitchableInstance(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      if (instance.answer) {
        const { status, contentType, body } = instance.answer;
        outgoing.writeHead(status, { 'content-type': contentType }).end(body);
        return;
      }
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      const response = await request(`${upstream}${incoming.url}`, { method: 'GET', headers });
      outgoing.writeHead(response.statusCode, response.headers as Record<string, string | string[]>);
      await pipeline(response.body, outgoing);
    };
    return instance;
  }

  async close(): Promise<void> {
    await this.#close();
  }
}
