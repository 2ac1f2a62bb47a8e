import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Random } from '../../src/sandbox/state/random.ts';
import {
  type Answer,
  dropped,
  endless,
  failing,
  late,
  ownBytes,
  type Rule,
  truncated,
  withRecords,
} from '../support/sandbox/transforms.ts';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { setTimeout as wait } from './time/timersPromises.ts';

/** Something that goes wrong for a while. */
export interface Episode {
  readonly name: string;
  readonly rule: Rule;
  /** Milliseconds until it is over at the latest. */
  readonly lasts: number;
}

const paths = [
  '*',
  '*',
  '/events',
  '/projects/*',
  '*/events',
  '*/notification_settings',
  '*/error_tracking/*',
] as const;
const badGateway = '<html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** What no field of a record may hold, and a hostile or broken instance may send. */
const worstFields: readonly object[] = [
  { push_data: { commit_to: '--output=soak', commit_from: 'HEAD', ref: '-x' } },
  { created_at: '0001-01-01T00:00:00Z', note: { created_at: 'never' } },
  { created_at: '9999-12-31T23:59:59Z', project_id: -1, target_iid: 1e300 },
  { author: { username: '[x](command:y)' }, author_username: 'a\nb', target_title: 7 },
  { web_url: 'javascript:x', expires_at: '0000-00-00' },
];

/** Something goes wrong. */
export function makeEpisode(random: Random): Episode {
  const path = random.pick(paths);
  const times = random.next() < 0.7 ? { times: random.integer(1, 8) } : {};
  const lasts = random.integer(20, 300) * 1000;
  const seconds = (least: number, most: number) => random.integer(least, most);
  const [name, answer, more] = random.pick<() => readonly [name: string, answer: Answer, more?: Pick<Rule, 'times'>]>([
    () => ['tooManyRequests', tooManyRequests(seconds(1, 25))],
    () => ['tooManyRequests', tooManyRequests(seconds(40, 900)), { times: random.integer(1, 3) }],
    () => {
      const status = random.pick([500, 502, 503, 504]);
      return [`status ${status}`, failing(status)];
    },
    () => ['status 502', failing(502, badGateway, { 'content-type': 'text/html' })],
    () => ['status 503', failing(503, undefined, { 'retry-after': String(seconds(1, 120)) })],
    () => ['drop', dropped],
    () => ['truncate', truncated],
    () => ['latency', late(random.integer(500, 45_000), wait)],
    () => ['slowBody', halting(random.integer(500, 75_000))],
    () => ['unknownFields', withRecords((record) => ({ ...record, soak_unknown_field: { of: ['the', 'future'] } }))],
    () => {
      const fields = random.pick(worstFields);
      return ['fields', withRecords((record) => merged(record, fields))];
    },
    () => ['endlessNext', endless(random.pick(['page', 'cursor'] as const))],
    () => ['bomb', bomb(random.pick(['bytes', 'records', 'nesting', 'values'] as const))],
    () => ['missingHeaders', withoutHeaders('x-next-page', 'x-total', 'x-total-pages', 'etag')],
  ])();
  return { name, rule: { path, ...times, ...more, answer }, lasts };
}

/** Nothing gets through. */
export function offline(random: Random): Episode {
  return { name: 'offline', rule: { answer: dropped }, lasts: random.integer(30, 100) * 60_000 };
}

function tooManyRequests(retryAfter: number): Answer {
  return failing(429, 'Retry later\n', { 'content-type': 'text/plain', 'retry-after': String(retryAfter) });
}

/** The second half of the body comes later. */
function halting(milliseconds: number): Answer {
  return async (own, { env: { outgoing } }) => {
    const { status, headers, body } = await ownBytes(own);
    outgoing.writeHead(status, headers);
    outgoing.write(body.subarray(0, body.length / 2));
    await wait(milliseconds);
    outgoing.end(body.subarray(body.length / 2));
    return RESPONSE_ALREADY_SENT;
  };
}

/** A record with other values, only where there is what they are to be in. */
function merged(record: object, fields: object): object {
  const changed: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    const own = changed[name];
    if (typeof value !== 'object' || value === null) {
      changed[name] = value;
    } else if (typeof own === 'object' && own !== null) {
      changed[name] = merged(own, value);
    }
  }
  return changed;
}

function withoutHeaders(...names: readonly string[]): Answer {
  return async (own) => {
    const { status, headers, body } = await own();
    const kept = new Headers(headers);
    names.forEach((name) => kept.delete(name));
    return new Response(body, { status, headers: kept });
  };
}

const bombs = {
  bytes: ['', ' ', ''],
  records: ['[{}', ',{}', ']'],
  nesting: ['', '[', ''],
  values: ['[{"id":1,"x":[0', ',0', ']}]'],
} as const;

/** 64 megabytes of JSON, packed to less than a hundred kilobytes. */
function bomb(of: keyof typeof bombs): Answer {
  return async () => {
    const [start, middle, end] = bombs[of];
    const text = Buffer.concat([Buffer.from(start), Buffer.alloc(64 * 1024 * 1024, middle), Buffer.from(end)]);
    const body = new Uint8Array(await promisify(gzip)(text));
    return new Response(body, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
  };
}
