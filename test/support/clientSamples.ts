import { type Client, createClient } from '../../src/api/client.ts';
import { type ApiError, type ApiErrorReason, isApiError } from '../../src/api/errors.ts';
import type { Page } from '../../src/api/pagination.ts';
import type { ClientOptions } from '../../src/api/request.ts';
import type { Fetch, OpenTransport } from '../../src/api/transport.ts';
import { openTransport } from '../../src/platform/node/transport.ts';
import { SleeplessClock } from './fakeClock.ts';
import { type Handler, type HostileServer, sendJson, startHostileServer } from './hostileServer.ts';

/** The token of the tests: easy to find where it must not be. */
export const sampleToken = 'glpat-Sample.Token_0123456789';

/** Those of a client, also with what sends in the place of a whole transport. */
export type SampleOptions = Partial<ClientOptions> & { readonly fetch?: Fetch | undefined };

/** A client of a test's server that never waits. */
export function clientOf(origin: string, { fetch, ...options }: SampleOptions = {}): Client {
  return createClient({
    instanceUrl: origin,
    token: sampleToken,
    clock: new SleeplessClock(),
    transport: fetch ? transportBy(fetch) : openTransport(),
    ...options,
  });
}

/** A transport without connections to be closed. */
export function transportBy(fetch: Fetch): OpenTransport {
  return { fetch, close: async () => undefined };
}

/** An answer that does not depend on the request: JSON, or else a text. */
export interface SteadyAnswer {
  readonly json?: unknown;
  readonly text?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Record<string, string> | undefined;
}

/** A server, and a client of it that never waits. */
export interface ServedClient extends HostileServer {
  readonly client: Client;
  /** That of the client, unless it was given another one. */
  readonly clock: SleeplessClock;
  /** The paths and queries that were asked for. */
  readonly targets: readonly string[];
  /** The methods, paths and bodies that were sent, such as `PATCH /api/v4/x {"active":true}`. */
  readonly sent: readonly string[];
}

/** Starts a server that answers as a test specifies, and opens a client of it. */
export async function serveClient(answer: Handler | SteadyAnswer, options: SampleOptions = {}): Promise<ServedClient> {
  const server = await startHostileServer(typeof answer === 'function' ? answer : steady(answer));
  const clock = new SleeplessClock();
  const client = clientOf(server.origin, { clock, ...options });
  return {
    ...{ origin: server.origin, requests: server.requests, client, clock },
    get targets() {
      return server.requests.map(({ target }) => target);
    },
    get sent() {
      return server.requests.map(({ method, target, body }) => `${method} ${target} ${body}`.trim());
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Answers each request alike. */
export function steady({ json, text, status = 200, headers = {} }: SteadyAnswer): Handler {
  return (_, response) =>
    text === undefined && json !== undefined
      ? sendJson(response, json, { status, headers })
      : void response.writeHead(status, headers).end(text);
}

/** Answers with the pages of a list, each of which names the next by its number, up to the last. */
export function numberedPages(recordsOf: (page: number) => unknown[], last = Number.POSITIVE_INFINITY): Handler {
  return ({ url }, response) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const link = page < last ? { link: `<${url.pathname}?page=${page + 1}>; rel="next"` } : {};
    sendJson(response, recordsOf(page), { headers: { ...link, 'x-page': String(page) } });
  };
}

/** An event as the API documentation shows it: a user commented on an issue. */
export function sampleEvent(id: number): Record<string, unknown> {
  return {
    id,
    title: null,
    project_id: 15,
    action_name: 'commented on',
    target_id: 1312,
    target_iid: 1312,
    target_type: 'Note',
    target_title: 'A problem with the door',
    author_id: 25,
    author: sampleUser,
    author_username: 'rosa',
    created_at: '2026-02-09T10:43:19.667Z',
    imported: false,
    imported_from: 'none',
    note: {
      id: 1312,
      body: 'It squeaks',
      attachment: null,
      author: sampleUser,
      created_at: '2026-02-09T10:43:19.438Z',
      system: false,
      noteable_id: 377,
      noteable_type: 'Issue',
      noteable_iid: 7,
    },
  };
}

export const sampleUser = {
  id: 25,
  username: 'rosa',
  name: 'Rosa Example',
  state: 'active',
  avatar_url: 'https://gitlab.example.com/uploads/rosa.png',
  web_url: 'https://gitlab.example.com/rosa',
};

/** All pages of a list. */
export async function allPages<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>[]> {
  const result: Page<T>[] = [];
  for await (const page of pages) {
    result.push(page);
  }
  return result;
}

/** All records of a list, without those that are not of its kind. */
export async function allRecords<T>(pages: AsyncIterable<Page<T>>): Promise<T[]> {
  const all = await allPages(pages);
  return all.flatMap(({ items }) => items);
}

/** The error of the client that a promise rejects with, for a reason or for any. */
export async function errorOf<R extends ApiErrorReason>(
  promise: Promise<unknown>,
  ...reasons: readonly R[]
): Promise<ApiError<R>> {
  const outcome = await promise.then(
    () => new Error('It did not fail'),
    (error: unknown) => error,
  );
  if (isApiError(outcome, ...reasons)) {
    return outcome;
  }
  throw new Error(`Expected an error of the client: ${reasons.join()}`, { cause: outcome });
}

/** A copy of a record in which the value at a path of names is another one. */
export function withValue(record: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (record as Readonly<Record<string, unknown>>)[name];
  return { ...record, [name]: rest.length === 0 ? value : withValue(inner as object, rest, value) };
}
