import { randomText } from '../../common/bytes.ts';
import { decompress } from '#platform/runtime.ts';
import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { boundedBody } from '../conventions.ts';
import type { Received } from '../state/errorTracking.ts';
import type { World } from '../state/world.ts';

/** Bytes of a body, before and after decompression. */
const maxIngestSize = 5 * 1024 * 1024;

/** How much is kept of what programs sent. */
const maxReceived = 100;

const optionalText = z.optional(z.string());
const exceptionSchema = z.object({ type: z.nullish(z.string()), value: z.nullish(z.string()) });
const eventSchema = z.object({
  event_id: optionalText,
  level: optionalText,
  message: z.nullish(z.string()),
  exception: z.nullish(z.object({ values: z.array(exceptionSchema) })),
});
const headerSchema = z.object({ event_id: optionalText, dsn: optionalText });
const itemSchema = z.object({ type: z.string(), length: z.optional(z.int().check(z.nonnegative())) });

/** The headline of what an SDK sent. */
export interface SentBody {
  readonly eventId: string | undefined;
  /** The public key in the DSN of an envelope's header. */
  readonly publicKey: string | undefined;
  readonly types: readonly string[];
  readonly level: string | null;
  readonly title: string | null;
}

/** Reads the older form of a body: one event in JSON. @throws an error if it is not that. */
function parseStore(body: Uint8Array): SentBody {
  return { ...headline(body), publicKey: undefined, types: ['event'] };
}

const lineFeed = 10;

/** @throws SyntaxError for what is no JSON. */
function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Reads an envelope: a line with a header, then items of a header line and a payload. @throws an error if it is not that. */
function parseEnvelope(body: Uint8Array): SentBody {
  let position = 0;
  const readLine = (): Uint8Array => {
    const end = body.indexOf(lineFeed, position);
    const line = body.subarray(position, end === -1 ? body.length : end);
    position += line.length + 1;
    return line;
  };
  const header = headerSchema.parse(jsonOf(readLine()));
  const types: string[] = [];
  let event: ReturnType<typeof headline> | undefined;
  while (position < body.length) {
    const line = readLine();
    if (line.length === 0) {
      continue;
    }
    const { type, length } = itemSchema.parse(jsonOf(line));
    const payload = length === undefined ? readLine() : body.subarray(position, position + length);
    if (length !== undefined) {
      if (payload.length < length) {
        throw new RangeError('An item of the envelope ends too early');
      }
      position += length + 1;
    }
    types.push(type);
    event = type === 'event' ? headline(payload) : event;
  }
  return {
    eventId: header.event_id ?? event?.eventId,
    publicKey: header.dsn === undefined ? undefined : URL.parse(header.dsn)?.username,
    types,
    level: event?.level ?? null,
    title: event?.title ?? null,
  };
}

function headline(payload: Uint8Array) {
  const { event_id: eventId, level, message, exception } = eventSchema.parse(jsonOf(payload));
  const thrown = exception?.values.at(-1);
  const title = thrown ? [thrown.type, thrown.value].filter(Boolean).join(': ') : (message ?? null);
  return { eventId, level: level ?? 'error', title };
}

/**
 * Where the DSN of a client key points at: takes what an SDK sends, as envelopes or in the older form, and
 * keeps the headline of the latest, the newest first. At the older collector's address a key that does not do is not found.
 *
 * @see https://docs.gitlab.com/operations/integrated_error_tracking/
 */
export function ingestRoutes(world: World, received: Received[], now: () => Date): Hono {
  const take = async (
    context: Context,
    parse: (body: Uint8Array) => SentBody,
    isCollector: boolean,
  ): Promise<Response> => {
    let sent: SentBody;
    try {
      const encoding = context.req.header('content-encoding')?.toLowerCase();
      const body = new Uint8Array(await context.req.arrayBuffer());
      const isPacked = encoding !== undefined && encoding !== 'identity';
      sent = parse(isPacked ? await decompress(body, encoding, maxIngestSize) : body);
    } catch {
      return context.json({ error: 'The body is no event' }, 400);
    }
    const project = world.project(context.req.param('id') ?? '');
    const publicKey = publicKeyOf(context) ?? sent.publicKey;
    const key = project && world.errorTracking.keys(project).find((candidate) => candidate.publicKey === publicKey);
    const setting = project && world.errorTracking.setting(project);
    if (!project || !key || !key.active || !setting?.active || !setting.integrated) {
      // Known keys are forbidden to send where error tracking is off or they are.
      return context.json({ error: 'The client key does not do' }, isCollector ? 404 : key ? 403 : 401);
    }
    const id = sent.eventId ?? randomText(16, 'hex');
    received.unshift({
      received_at: now().toISOString(),
      project_id: project.id,
      public_key: key.publicKey,
      event_id: id,
      types: sent.types,
      level: sent.level,
      title: sent.title,
    });
    received.splice(maxReceived);
    return context.json({ id });
  };
  const app = new Hono();
  for (const [base, isCollector] of [
    ['/errortracking/api/v1/projects/api/:id', false],
    ['/api/v4/error_tracking/collector/api/:id', true],
  ] as const) {
    app.use(`${base}/*`, boundedBody(maxIngestSize));
    for (const end of ['', '/']) {
      app.post(`${base}/envelope${end}`, (context) => take(context, parseEnvelope, isCollector));
      app.post(`${base}/store${end}`, (context) => take(context, parseStore, isCollector));
    }
  }
  return app;
}

/** The public key that a request names in the query or in a header. */
function publicKeyOf(context: Context): string | undefined {
  const header = context.req.header('x-sentry-auth') ?? '';
  return context.req.query('sentry_key') ?? /\bsentry_key=([^,\s]+)/.exec(header)?.[1];
}
