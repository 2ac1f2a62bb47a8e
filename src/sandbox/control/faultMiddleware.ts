import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { accountRefusal } from '../refusals.ts';
import type { Fault, Faults } from './faults.ts';

interface FaultState {
  Bindings: HttpBindings;
}

/** Where the API is, as far as faults know it. */
const apiPrefix = '/api/v4';

/**
 * Makes requests meet the faults that are on.
 *
 * @param answerLive answers a request in the live platform's words.
 * @param signal ends all delays.
 */
export function meetFaults(
  faults: Faults,
  answerLive: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  signal: AbortSignal,
) {
  return createMiddleware<FaultState>(async (context, next) => {
    const path = new URL(context.req.url).pathname.slice(apiPrefix.length);
    const met = faults.meet(context.req.method, path);
    for (const fault of met) {
      const answer = await failBefore(context, fault, signal);
      if (answer) {
        return answer;
      }
    }
    if (met.some(({ kind }) => kind === 'liveNames')) {
      context.res = await answerLive(context.req.raw, context.env);
    } else {
      await next();
    }
    for (const fault of met) {
      const answer = await spoil(context, fault, signal);
      if (answer) {
        // Else the headers of the answer before would be kept.
        context.res = undefined;
        context.res = answer;
      }
    }
    return undefined;
  });
}

/** What goes wrong before the request is looked at. */
async function failBefore(
  context: Context<FaultState>,
  fault: Fault,
  signal: AbortSignal,
): Promise<Response | undefined> {
  switch (fault.kind) {
    case 'latency':
      await wait(fault.milliseconds, undefined, { signal }).catch(() => undefined);
      return undefined;
    case 'status':
      return new Response(fault.body ?? JSON.stringify({ message: `${fault.status} Fault of the sandbox` }), {
        status: fault.status,
        headers: { 'content-type': 'application/json', ...fault.headers },
      });
    case 'refusal': {
      const { req } = context;
      // It is about an account.
      const isAnonymous = req.header('private-token') === undefined && req.header('authorization') === undefined;
      return isAnonymous ? undefined : accountRefusal(fault.as, new URL(context.req.url).origin).getResponse();
    }
    case 'tooManyRequests':
      return context.text('Retry later\n', 429, { 'retry-after': String(fault.retryAfter ?? 1) });
    case 'drop':
      context.env.incoming.destroy();
      return RESPONSE_ALREADY_SENT;
    default:
      return undefined;
  }
}

/** What goes wrong with an answer. */
async function spoil(context: Context<FaultState>, fault: Fault, signal: AbortSignal): Promise<Response | undefined> {
  const { res } = context;
  switch (fault.kind) {
    case 'truncate':
    case 'slowBody': {
      const body = Buffer.from(await res.arrayBuffer());
      const half = Math.floor(body.length / 2);
      const { outgoing } = context.env;
      outgoing.writeHead(res.status, { ...Object.fromEntries(res.headers), 'content-length': body.length });
      await new Promise((resolve) => {
        outgoing.write(body.subarray(0, half), resolve);
      });
      if (fault.kind === 'slowBody') {
        await wait(fault.milliseconds, undefined, { signal }).catch(() => undefined);
        outgoing.end(body.subarray(half));
      } else {
        outgoing.destroy();
      }
      return RESPONSE_ALREADY_SENT;
    }
    case 'shortPage':
      return await changeJson(res, (json) => (Array.isArray(json) ? json.slice(0, -fault.missing) : json));
    case 'unknownFields':
      return await changeJson(res, (json) => (Array.isArray(json) ? json.map(addField) : addField(json)));
    case 'fields':
      return await changeJson(res, (json) =>
        Array.isArray(json) ? json.map((record) => withFields(record, fault.fields)) : withFields(json, fault.fields),
      );
    case 'endlessNext': {
      const isPage = res.headers.get('content-type')?.startsWith('application/json') === true && res.status < 500;
      const next = new URL(context.req.url);
      next.searchParams.set(fault.by, String(Number(next.searchParams.get(fault.by) ?? 1) + 1));
      const headers = new Headers(res.headers);
      headers.set('link', `<${next.href}>; rel="next"`);
      headers.delete('content-length');
      headers.delete('etag');
      // Beyond the end there is still a page, without records.
      return isPage ? new Response(res.ok ? res.body : '[]', { status: 200, headers }) : undefined;
    }
    case 'bomb': {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return new Response(await bomb(fault.of), { headers });
    }
    case 'missingHeaders': {
      const headers = new Headers(res.headers);
      for (const name of fault.names) {
        headers.delete(name);
      }
      return new Response(res.body, { status: res.status, headers });
    }
    default:
      return undefined;
  }
}

function addField(record: unknown): unknown {
  return typeof record === 'object' && record !== null
    ? { ...record, sandbox_unknown_field: { of: ['the', 'future'] } }
    : record;
}

function withFields(record: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (typeof record !== 'object' || record === null) {
    return record;
  }
  const changed = structuredClone(record) as Record<string, unknown>;
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    // Only where there is what the field is to be in.
    const owner = names.reduce<unknown>((outer, name) => (isRecord(outer) ? outer[name] : undefined), changed);
    if (isRecord(owner)) {
      owner[last] = value;
    }
  }
  return changed;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Bomb = Extract<Fault, { kind: 'bomb' }>['of'];
const bombs = new Map<Bomb, Promise<Uint8Array<ArrayBuffer>>>();

/** JSON of 64 megabytes, packed to less than a hundred kilobytes. */
async function bomb(of: Bomb): Promise<Uint8Array<ArrayBuffer>> {
  const size = 64 * 1024 * 1024;
  const texts = {
    bytes: () => Buffer.alloc(size, ' '),
    records: () => Buffer.concat([Buffer.from('[{}'), Buffer.alloc(size, ',{}'), Buffer.from(']')]),
    nesting: () => Buffer.alloc(size, '['),
    values: () => Buffer.concat([Buffer.from('[{"id":1,"x":[0'), Buffer.alloc(size, ',0'), Buffer.from(']}]')]),
  };
  const made = bombs.get(of) ?? promisify(gzip)(texts[of]()).then((packed) => new Uint8Array(packed));
  bombs.set(of, made);
  return await made;
}

async function changeJson(response: Response, change: (json: unknown) => unknown): Promise<Response | undefined> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    return undefined;
  }
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  // It is of what the answer would have been.
  headers.delete('etag');
  return new Response(JSON.stringify(change(await response.json())), { status: response.status, headers });
}
