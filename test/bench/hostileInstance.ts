import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type ReceivedRequest, sendJson, startHostileServer } from '../support/hostileServer.ts';
import { hugeText } from '../support/properties.ts';

/** The views that show what the instance answers. */
export const views = ['Activity', 'Error Tracking', 'notification settings'] as const;
export type View = (typeof views)[number];

/** A class of hostile answers. */
interface HostileClass {
  readonly answer: (request: ReceivedRequest, response: ServerResponse, right: () => Promise<RightAnswer>) => unknown;
  /** The views for which it is no answer, which have to say so; all of them if absent. The others show what they can. */
  readonly failsIn?: readonly View[];
}

/** What the sandbox answers. */
interface RightAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

const settings: readonly View[] = ['notification settings'];
const size = 64 * 1024 * 1024;
const packed = (body: Buffer): Buffer => gzipSync(body);
const sendPacked = (response: ServerResponse, body: Uint8Array): unknown =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
const sendText = (response: ServerResponse, body: string | Uint8Array, headers: Record<string, string> = {}): unknown =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

const repeated = (start: string, unit: string, end: string): Buffer =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(size, unit), Buffer.from(end)]);
const bombs = {
  spaces: packed(repeated('[', ' ', ']')),
  records: packed(repeated('[{}', ',{}', ']')),
  nesting: packed(repeated('', '[', '')),
  values: packed(repeated('[{"id":1,"x":[0', ',0', ']}]')),
  numbers: packed(Buffer.from(`[${'1e400,'.repeat(900)}1]`)),
};

/** Texts that are more than they look like, in all fields that take one. */
const worstTexts = [
  '[x](command:workbench.action.quit)',
  '\u202e$(zap)\n<img src=x onerror=alert(1)>',
  '\ud800\u0000\u2028__proto__',
  '=HYPERLINK("https://x")',
  hugeText.slice(0, 100_000),
] as const;
const worstTimes = [
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2016-12-31T23:59:60Z',
  'never',
  null,
  -1,
] as const;
const worstNumbers = [-1, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 2, '7', null, {}] as const;

/** The same JSON with the worst in its fields; ids of records stay where they are numbers. */
function worsened(value: unknown, name = '', place = 0): unknown {
  if (Array.isArray(value)) {
    return value.map((element, index) => worsened(element, name, place + index));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner], index) => [
        key,
        key === 'id' ? inner : worsened(inner, key, place + index),
      ]),
    );
  }
  if (name.endsWith('_at')) {
    return worstTimes[place % worstTimes.length];
  }
  if (/^commit_(?:to|from)$/.test(name)) {
    return '--output=victim';
  }
  return typeof value === 'string'
    ? worstTexts[place % worstTexts.length]
    : typeof value === 'number'
      ? worstNumbers[place % worstNumbers.length]
      : value;
}

const html = `<!doctype html><title>Sign in</title>${'<p>Sign in'.repeat(100_000)}`;

/** What a hostile instance answers to everything, by the name of the class. */
export const hostileClasses: Readonly<Record<string, HostileClass>> = {
  '64 MiB of spaces in gzip': { answer: (_, response) => sendPacked(response, bombs.spaces) },
  '21 million records in gzip': { answer: (_, response) => sendPacked(response, bombs.records) },
  '64 million levels in gzip': { answer: (_, response) => sendPacked(response, bombs.nesting) },
  '32 million values in gzip': { answer: (_, response) => sendPacked(response, bombs.values) },
  'gzip in gzip': { answer: (_, response) => sendPacked(response, packed(bombs.spaces)) },
  'a body that is not the gzip it says': { answer: (_, response) => sendPacked(response, Buffer.from('{"id":1}')) },
  '15 MiB that may be read, of one text': {
    answer: (_, response) => sendText(response, `{"id":1,"name":"${'x'.repeat(15 * 1024 * 1024)}"}`),
  },
  '1e400 for all records': { answer: (_, response) => sendPacked(response, bombs.numbers), failsIn: views.slice(1) },
  'records of other kinds': {
    answer: (_, response) =>
      sendJson(
        response,
        Array.from({ length: 900 }, (__, id) => [null, id, 'x', [], { id }][id % 5]),
      ),
    failsIn: settings,
  },
  'the worst in each field': {
    answer: async (_, response, right) => {
      const { status, headers, text } = await right();
      sendJson(response, text === '' ? '' : worsened(JSON.parse(text)), { status, headers });
    },
    failsIn: settings,
  },
  'ever another next page': {
    answer: async ({ url }, response, right) => {
      const { status, headers, text } = await right();
      const next = new URL(url);
      next.searchParams.set('page', String(Number(next.searchParams.get('page') ?? 1) + 1));
      const isList = text.startsWith('[');
      sendText(response, status < 400 ? text : '[]', {
        ...headers,
        ...(isList && { link: `<${next.pathname}${next.search}>; rel="next"` }),
      });
    },
    failsIn: ['Error Tracking'],
  },
  'headers of 12 KB': {
    answer: async (_, response, right) => {
      const { text } = await right();
      sendText(response, text, {
        link: '<'.repeat(4000) + '"\\'.repeat(2000),
        etag: '"'.repeat(2000),
        'x-total': '9'.repeat(1000),
        'x-next-page': '-1',
        'x-request-id': '[x](command:y)'.repeat(100),
      });
    },
    failsIn: [],
  },
  'a page of HTML': { answer: (_, response) => sendText(response, html, { 'content-type': 'text/html' }) },
  'redirects in a circle': {
    answer: ({ target }, response) => response.writeHead(302, { location: target }).end(),
  },
  'redirects to another host': {
    answer: ({ target }, response) => response.writeHead(301, { location: `http://localhost:1${target}` }).end(),
  },
  'a byte a second': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      const timer = setInterval(() => response.write(' '), 1000);
      response.on('close', () => clearInterval(timer));
    },
    failsIn: [],
  },
  'connections that end': { answer: (_, response) => response.destroy() },
  'half a body': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('[{"id":1');
      setTimeout(() => response.destroy(), 50);
    },
  },
  'status 500 with a sentence of 1 MB': {
    answer: (_, response) =>
      sendJson(response, { message: hugeText, error: { a: [{ b: hugeText }] } }, { status: 500 }),
  },
  'status 429 for another second': {
    answer: (_, response) =>
      sendJson(response, { message: 'Retry later' }, { status: 429, headers: { 'retry-after': '1' } }),
  },
  'a token that is not valid': {
    answer: (_, response) => sendJson(response, { message: '401 Unauthorized' }, { status: 401 }),
  },
  'status 403 for scopes': {
    answer: (_, response) =>
      sendJson(response, { error: 'insufficient_scope', scope: worstTexts.join(' ').slice(0, 200) }, { status: 403 }),
  },
};

/**
 * Starts an instance that forwards requests to another one, until it is switched to hostile answers.
 *
 * @param sandbox the address of the one that answers right.
 */
export async function startHostileInstance(sandbox: string) {
  const unanswered = new Set<ServerResponse>();
  let hostility: HostileClass | undefined;
  const server = await startHostileServer((request, response) => {
    unanswered.add(response);
    response.on('close', () => unanswered.delete(response));
    const right = async (): Promise<RightAnswer> => await passOn(sandbox, server.origin, request);
    const answering = hostility
      ? Promise.resolve(hostility.answer(request, response, right))
      : right().then(({ status, headers, text }) => response.writeHead(status, headers).end(text));
    answering.catch(() => response.destroy());
  });
  return {
    ...server,
    /** Ends what has no answer by now, and answers otherwise from then on. @param name of a class; not hostile if absent. */
    behave(name?: string): void {
      hostility = name === undefined ? undefined : hostileClasses[name];
      unanswered.forEach((response) => response.destroy());
    },
  };
}

async function passOn(sandbox: string, origin: string, request: ReceivedRequest): Promise<RightAnswer> {
  const token = request.headers['private-token'];
  const response = await fetch(sandbox + request.target, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      ...(typeof token === 'string' && { 'private-token': token }),
    },
    ...(request.body !== '' && { body: request.body }),
    redirect: 'manual',
  });
  const here = (text: string): string => text.replaceAll(sandbox, origin);
  const names = ['content-type', 'link', 'x-page', 'x-per-page', 'x-next-page', 'x-total', 'x-total-pages', 'location'];
  const headers = names.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, here(value)] as const];
  });
  return { status: response.status, headers: Object.fromEntries(headers), text: here(await response.text()) };
}
