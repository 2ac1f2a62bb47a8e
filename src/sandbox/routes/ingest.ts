import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { boundedBody } from '../boundedBody.ts';
import { decompress, maxIngestSize, parseEnvelope, parseStore, type SentBody } from '../sentryBody.ts';
import type { ReceivedList } from '../state/received.ts';
import type { World } from '../state/world.ts';

/**
 * Where the DSN of a client key points at (section 2.7): takes what an SDK sends, as envelopes or in the older form, and
 * keeps the headline. At the older collector's address a key that does not do is not found.
 */
export function ingestRoutes(world: World, received: ReceivedList, now: () => Date): Hono {
  const take = async (context: Context, parse: (body: Buffer) => SentBody, isCollector: boolean): Promise<Response> => {
    let sent: SentBody;
    try {
      const encoding = context.req.header('content-encoding')?.toLowerCase();
      sent = parse(await decompress(new Uint8Array(await context.req.arrayBuffer()), encoding));
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
    const id = sent.eventId ?? randomUUID().replaceAll('-', '');
    received.add({
      received_at: now().toISOString(),
      project_id: project.id,
      public_key: key.publicKey,
      event_id: id,
      types: sent.types,
      level: sent.level,
      title: sent.title,
    });
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
