import { createServer } from 'node:http';
import { build } from 'esbuild';
import type { Worker } from 'playwright-core';
import { projectRoot } from '../../scripts/project.ts';
import type { Fetch } from '../../src/api/transport.ts';
import { listening } from '../support/listening.ts';
import { sharedBrowser } from './webWindow.ts';

/** Sends requests as the extension does in a browser: from a worker of a page of another origin. */
export interface BrowserWorker extends AsyncDisposable {
  readonly fetch: Fetch;
  /** The origin of the page. */
  readonly origin: string;
}

/** Runs in the worker: sends a request, and keeps its response until its body is read. */
const workerCode = `
import { answerOf, plainRequest } from './src/api/transport.ts';
import { browserFetch } from './src/platform/web/transport.ts';
const running = new Map();
const errorOf = ({ name, message, code }) => ({ error: { name, message, code } });
const exposed = (response) => {
  const names = ['content-type', 'link', 'location', 'etag', 'retry-after', 'date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset',
    'ratelimit-resettime', 'x-total', 'x-total-pages', 'x-page', 'x-per-page', 'x-next-page', 'x-prev-page'];
  return names.flatMap((name) => { const value = response.headers.get(name); return value === null ? [] : [[name, value]]; });
};
globalThis.send = async ({ id, url, method, headers, body }) => {
  const controller = new AbortController();
  running.set(id, { controller });
  try {
    const response = await browserFetch(url, { ...plainRequest, method, headers, ...(body === undefined ? {} : { body }), signal: controller.signal });
    running.set(id, { controller, response });
    return { status: response.status, headers: exposed(response) };
  } catch (error) {
    return errorOf(error);
  }
};
globalThis.read = async (id) => {
  try {
    return { text: (await answerOf(running.get(id).response)).text };
  } catch (error) {
    return errorOf(error);
  } finally {
    running.delete(id);
  }
};
globalThis.stop = (id) => running.get(id)?.controller.abort();
`;

interface Told {
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string };
}

/** Opens a page with a worker that sends what it is asked to send. */
export async function startBrowserWorker(): Promise<BrowserWorker> {
  const { outputFiles } = await build({
    stdin: { contents: workerCode, resolveDir: projectRoot },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script>new Worker("/worker.js")</script>');
  });
  const listens = await listening(server);
  const origin = `http://localhost:${listens.port}`;
  const page = await (await sharedBrowser()).newPage();
  const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(origin)]);
  let requests = 0;
  return {
    origin,
    fetch: async (url, { method, headers, body, signal }) => {
      const id = (requests += 1);
      const aborted = Promise.withResolvers<never>();
      const stop = (): void => {
        aborted.reject(new DOMException('Aborted', 'AbortError'));
        run(worker, 'stop', id).catch(() => undefined);
      };
      aborted.promise.catch(() => undefined);
      signal.addEventListener('abort', stop, { once: true });
      const answer = await Promise.race([
        run<{ status: number; headers: [string, string][] }>(worker, 'send', { id, url, method, headers, body }),
        aborted.promise,
      ]);
      const known = new Map(answer.headers);
      return {
        status: answer.status,
        headers: { get: (name) => known.get(name) ?? null },
        body: (async function* () {
          const { text } = await Promise.race([run<{ text: string }>(worker, 'read', id), aborted.promise]);
          yield new TextEncoder().encode(text);
        })(),
      };
    },
    async [Symbol.asyncDispose]() {
      await page.close();
      await listens[Symbol.asyncDispose]();
    },
  };
}

/** Calls a function of the worker; rejects with an error like its own. */
async function run<T extends object>(worker: Worker, name: 'send' | 'read' | 'stop', argument: unknown): Promise<T> {
  const answer = await worker.evaluate<(T & Told) | undefined>(`globalThis.${name}(${JSON.stringify(argument)})`);
  const { error } = answer ?? {};
  if (error) {
    throw Object.assign(error.name === 'TypeError' ? new TypeError(error.message) : new Error(error.message), {
      ...(typeof error.code === 'string' ? { code: error.code } : {}),
    });
  }
  return answer as T;
}
