import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { accountRefusal, accountRefusals } from '../authentication.ts';

/** Which requests a fault meets. */
const target = {
  /** A path of the API without its prefix, such as `/projects/501/events`; `*` stands for anything. All paths if absent. */
  path: z.optional(z.string().check(z.maxLength(1000))),
  method: z.optional(z.string().check(z.maxLength(20))),
  /** How many requests it meets before it is over; for ever if absent. */
  times: z.optional(z.int().check(z.minimum(1))),
};

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...target,
    kind: z.literal('latency'),
    milliseconds: z.int().check(z.minimum(0), z.maximum(600_000)),
  }),
  z.strictObject({
    ...target,
    kind: z.literal('status'),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    body: z.optional(z.string()),
    headers: z.optional(z.record(z.string().check(z.regex(/^[\w-]+$/)), z.string().check(z.regex(/^[\x20-\x7e]*$/)))),
  }),
  z.strictObject({
    ...target,
    kind: z.literal('tooManyRequests'),
    retryAfter: z.optional(z.int().check(z.minimum(0))),
  }),
  /** The connection ends without an answer. */
  z.strictObject({ ...target, kind: z.literal('drop') }),
  /** The connection ends in the middle of the body. */
  z.strictObject({ ...target, kind: z.literal('truncate') }),
  /** The second half of the body comes later. */
  z.strictObject({
    ...target,
    kind: z.literal('slowBody'),
    milliseconds: z.int().check(z.minimum(0), z.maximum(600_000)),
  }),
  /** The page lacks its last records. */
  z.strictObject({ ...target, kind: z.literal('shortPage'), missing: z._default(z.int().check(z.minimum(1)), 1) }),
  z.strictObject({ ...target, kind: z.literal('missingHeaders'), names: z.array(z.string()).check(z.minLength(1)) }),
  /** Every record has a field that no client knows. */
  z.strictObject({ ...target, kind: z.literal('unknownFields') }),
  /** Every record has these values, by paths such as `push_data.commit_to`: the worst that a hostile instance may send. */
  z.strictObject({
    ...target,
    kind: z.literal('fields'),
    fields: z.record(z.string().check(z.regex(/^\w{1,50}(?:\.\w{1,50}){0,3}$/)), z.json()),
  }),
  /** Every page names a next one, by rising numbers or ever new cursors. */
  z.strictObject({ ...target, kind: z.literal('endlessNext'), by: z._default(z.enum(['page', 'cursor']), 'page') }),
  /** A small answer that unpacks to a huge one. */
  z.strictObject({
    ...target,
    kind: z.literal('bomb'),
    of: z._default(z.enum(['bytes', 'records', 'nesting', 'values']), 'records'),
  }),
  /** The account or its token is refused, for a reason that is neither role nor expiry. */
  z.strictObject({ ...target, kind: z.literal('refusal'), as: z.enum(accountRefusals) }),
  /** The answer has the live platform's names. */
  z.strictObject({ ...target, kind: z.literal('liveNames') }),
]);

/** A list of faults, as the control address takes it. */
export const faultsSchema = z.array(faultSchema).check(z.maxLength(100));

/** Something that goes wrong on demand. */
export type Fault = z.output<typeof faultSchema>;

/** The faults that are on. */
export class Faults {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** Takes the place of all faults before. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The faults that still have requests to meet. */
  list(): Fault[] {
    return this.#faults.map(({ fault, left }) => ({ ...fault, ...(Number.isFinite(left) && { times: left }) }));
  }

  /** The faults that meet a request; each of them has one request less to meet. */
  match(method: string, path: string): Fault[] {
    const met = this.#faults.filter(({ fault }) => concerns(fault, method, path));
    for (const entry of met) {
      entry.left -= 1;
    }
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return met.map(({ fault }) => fault);
  }
}

function concerns(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) {
    return false;
  }
  const parts = fault.path?.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return parts === undefined || new RegExp(`^${parts.join('.*')}$`).test(path);
}

/** How often a token, or everyone without one, may ask. */
export const rateLimitSchema = z.strictObject({
  /** Requests per minute. */
  limit: z.int().check(z.minimum(0), z.maximum(1_000_000)),
  /** Who refuses: the platform's throttle, or the application, which says less (JSON, no headers). */
  kind: z._default(z.enum(['throttle', 'application']), 'throttle'),
});

/** A limit on requests per minute. */
export type RateLimit = z.input<typeof rateLimitSchema>;

/** Counts the requests of each token in each minute; without a limit, everything passes. */
export class RateLimiter {
  readonly #now: () => Date;
  #limit: RateLimit | undefined;
  #minute = Number.NaN;
  readonly #counts = new Map<string, number>();

  constructor(now: () => Date, limit: RateLimit | undefined) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Sets a new limit, or none, and counts again. */
  set(limit: RateLimit | undefined): void {
    this.#limit = limit;
    this.#counts.clear();
  }

  /** Refuses requests above the limit, and says in headers how much is left. */
  middleware() {
    return createMiddleware(async (context, next) => {
      if (!this.#limit) {
        return next();
      }
      const { limit, kind } = this.#limit;
      const caller = context.req.header('private-token') ?? context.req.header('authorization') ?? '';
      const seconds = this.#now().getTime() / 1000;
      const reset = (Math.floor(seconds / 60) + 1) * 60;
      const observed = this.#count(caller, reset);
      if (kind === 'application') {
        const error = 'This endpoint has been requested too many times. Try again later.';
        return observed > limit ? context.json({ message: { error } }, 429) : next();
      }
      const headers = {
        'ratelimit-limit': String(limit),
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-observed': String(observed),
        'ratelimit-remaining': String(Math.max(0, limit - observed)),
        'ratelimit-reset': String(reset),
      };
      if (observed > limit) {
        return context.text('Retry later\n', 429, {
          ...headers,
          'retry-after': String(Math.ceil(reset - seconds)),
          'ratelimit-resettime': new Date(reset * 1000).toUTCString(),
        });
      }
      await next();
      for (const [name, value] of Object.entries(headers)) {
        context.res.headers.set(name, value);
      }
    });
  }

  #count(caller: string, minute: number): number {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count;
  }
}

interface FaultState {
  Bindings: HttpBindings;
}

/** Where the API is, as far as faults know it. */
const apiPrefix = '/api/v4';

/**
 * Makes requests meet the faults that are on.
 *
 * @param answerLive answers a request with the live platform's names.
 * @param signal ends all delays.
 */
export function injectFaults(
  faults: Faults,
  answerLive: (request: Request, bindings: object) => Response | Promise<Response>,
  signal: AbortSignal,
) {
  return createMiddleware<FaultState>(async (context, next) => {
    const path = new URL(context.req.url).pathname.slice(apiPrefix.length);
    const met = faults.match(context.req.method, path);
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
      const answer = await corrupt(context, fault, signal);
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
async function corrupt(context: Context<FaultState>, fault: Fault, signal: AbortSignal): Promise<Response | undefined> {
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
