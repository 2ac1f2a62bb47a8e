import type * as product from '../../../src/sandbox/server.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../support/sandbox/sandbox.ts';

/** The time that the sandbox of these tests lives in. */
export const sandboxTime = new Date('2026-03-12T15:00:00Z');

/** An answer of the sandbox. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  readonly json: unknown;
  /** The body as a list of records. */
  readonly records: readonly Record<string, unknown>[];
}

/** How to call the sandbox. */
export interface Call extends RequestInit {
  /** The owner's if not given; null for none. */
  readonly token?: string | null;
  /** The body as JSON. */
  readonly send?: unknown;
}

/** Starts a sandbox at the time of these tests. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({ now: () => sandboxTime, ...options });
}

/** Calls a path of the API, or an address outside of it that starts with `/-/` or `http`; follows no redirect. */
export async function call(
  sandbox: product.Sandbox,
  path: string,
  { token, send, ...init }: Call = {},
): Promise<Answer> {
  const headers = new Headers(init.headers);
  // When the next sandbox gets the port of the last one, a request could go by a connection of that, which has ended.
  headers.set('connection', 'close');
  if (token !== null) {
    headers.set('private-token', token ?? sandbox.tokens.owner);
  }
  if (send !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(send);
  }
  const address = path.startsWith('http') ? path : `${sandbox.url}${path.startsWith('/-/') ? '' : '/api/v4'}${path}`;
  const response = await fetch(address, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as unknown;
    },
    get records() {
      return JSON.parse(text) as Record<string, unknown>[];
    },
  };
}

/**
 * Starts a sandbox before the tests of the suite in which this is called, and ends it after them.
 *
 * @param isForEach whether each test has a sandbox of its own.
 */
export function suiteSandbox(options: SandboxOptions = {}, isForEach = false) {
  const sandbox = {} as Sandbox;
  (isForEach ? beforeEach : before)(async () => void Object.assign(sandbox, await startTestSandbox(options)));
  (isForEach ? afterEach : after)(() => sandbox.close());
  return {
    sandbox,
    call: (path: string, init: Call = {}) => call(sandbox, path, init),
    callAllPages: (path: string, init: Call = {}) => callAllPages(sandbox, path, init),
    /** The status and the JSON of an answer. */
    outcomeOf: async (path: string, init: Call = {}): Promise<readonly [number, unknown]> => {
      const { status, json } = await call(sandbox, path, init);
      return [status, json];
    },
  };
}

/** All records of a list, page by page along its links. */
export async function callAllPages(sandbox: product.Sandbox, path: string, options: Call = {}) {
  const records: Record<string, unknown>[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await call(sandbox, next, options);
    records.push(...answer.records);
    next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return records;
}
