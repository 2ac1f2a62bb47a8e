import type { Fault } from '../../src/sandbox/control/faults.ts';
import type { Random } from '../../src/sandbox/state/random.ts';

/** Something that goes wrong for a while. */
export interface Episode {
  readonly name: string;
  readonly faults: readonly Fault[];
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
const worstFields = [
  { 'push_data.commit_to': '--output=soak', 'push_data.commit_from': 'HEAD', 'push_data.ref': '-x' },
  { created_at: '0001-01-01T00:00:00Z', 'note.created_at': 'never' },
  { created_at: '9999-12-31T23:59:59Z', project_id: -1, target_iid: 1e300 },
  { 'author.username': '[x](command:y)', author_username: 'a\nb', target_title: 7 },
  { web_url: 'javascript:x', expires_at: '0000-00-00' },
];

/** Something goes wrong. */
export function makeEpisode(random: Random): Episode {
  const path = random.pick(paths);
  const target = {
    path,
    ...(random.next() < 0.7 ? { times: random.integer(1, 8) } : {}),
  };
  const lasts = random.integer(20, 300) * 1000;
  const make = random.pick<() => Fault>([
    () => ({ ...target, kind: 'tooManyRequests', retryAfter: random.integer(1, 25) }),
    () => ({ ...target, kind: 'tooManyRequests', retryAfter: random.integer(40, 900), times: random.integer(1, 3) }),
    () => ({ ...target, kind: 'status', status: random.pick([500, 502, 503, 504]) }),
    () => ({ ...target, kind: 'status', status: 502, body: badGateway, headers: { 'content-type': 'text/html' } }),
    () => ({ ...target, kind: 'status', status: 503, headers: { 'retry-after': String(random.integer(1, 120)) } }),
    () => ({ ...target, kind: 'drop' }),
    () => ({ ...target, kind: 'truncate' }),
    () => ({ ...target, kind: 'latency', milliseconds: random.integer(500, 45_000) }),
    () => ({ ...target, kind: 'slowBody', milliseconds: random.integer(500, 75_000) }),
    () => ({ ...target, kind: 'unknownFields' }),
    () => ({ ...target, kind: 'fields', fields: random.pick(worstFields) }),
    () => ({ ...target, kind: 'endlessNext', by: random.pick(['page', 'cursor'] as const) }),
    () => ({ ...target, kind: 'bomb', of: random.pick(['bytes', 'records', 'nesting', 'values'] as const) }),
    () => ({ ...target, kind: 'missingHeaders', names: ['x-next-page', 'x-total', 'x-total-pages', 'etag'] }),
  ]);
  const fault = make();
  return { name: fault.kind === 'status' ? `status ${fault.status}` : fault.kind, faults: [fault], lasts };
}

/** Nothing gets through. */
export function offline(random: Random): Episode {
  return { name: 'offline', faults: [{ kind: 'drop' }], lasts: random.integer(30, 100) * 60_000 };
}
