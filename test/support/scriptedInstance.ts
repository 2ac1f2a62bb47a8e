import type { Connection } from '../../src/accounts/connections.ts';
import { createClient } from '../../src/api/client.ts';
import { transportBy } from './clientSamples.ts';

/** What an instance answers: JSON with status 200 if nothing else is said. */
export interface ScriptedAnswer {
  readonly json?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An instance that answers as a test says, without a network. */
export class ScriptedInstance {
  /** The paths and queries that were asked for, without the API's prefix. */
  readonly asked: string[] = [];
  readonly connection: Connection;
  answer: (url: URL, headers: Headers) => ScriptedAnswer | Promise<ScriptedAnswer>;

  constructor(answer: (url: URL, headers: Headers) => ScriptedAnswer | Promise<ScriptedAnswer>) {
    this.answer = answer;
    const instanceUrl = 'https://gitlab.example.com';
    const client = createClient({
      instanceUrl,
      token: 'token-of-a-test',
      retries: 0,
      transport: transportBy(async (url, init) => {
        const address = new URL(url);
        this.asked.push(address.pathname.replace('/api/v4', '') + address.search);
        const { json, status = 200, headers = {} } = await this.answer(address, new Headers(init?.headers));
        const body = status === 304 ? null : JSON.stringify(json ?? null);
        return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
      }),
    });
    this.connection = { account: { kind: 'sandbox', id: 'sandbox' }, instanceUrl, client };
  }
}
