import type { Clock } from '../common/clock.ts';
import type { ApiPath, Parameters } from './encoding.ts';
import type { RequestFacts } from './errors.ts';
import { type Fault, faultOf } from './faults.ts';
import type { Answer } from './responses.ts';
import { textOf, type Transport } from './transport.ts';

/** How one record is asked for or changed. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request as the resources put it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave for the call's path, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  /** Sent as JSON. */
  readonly body?: Parameters | undefined;
  /** Sent as it is, encoded as forms are. */
  readonly form?: string | undefined;
  /** The ETag of what the caller has: makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a request that may have been carried out is not repeated, although its method allows it. */
  readonly once?: boolean | undefined;
  /** The fields of the answer that are relied on. */
  readonly reads?: readonly string[] | undefined;
}

/** A successful answer. */
export interface Reply {
  /** 200 to 299, or 304 if the call was conditional. */
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body as it came. */
  readonly text: string;
  /** The body; undefined if there is none. */
  readonly json: unknown;
  readonly facts: RequestFacts;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

/**
 * What of this client's own calls API v5 is announced to change.
 *
 * @see https://docs.gitlab.com/api/rest/deprecations/
 */

const projectNames: readonly string[] = [
  'mirror',
  'mirror_branch_regex',
  'mirror_overwrites_diverged_branches',
  'mirror_trigger_builds',
  'mirror_user_id',
  'only_mirror_protected_branches',
  'restrict_user_defined_variables',
];

/** Names of fields and parameters by the last part of a path template that names something of its own. */
const changing: readonly (readonly [template: RegExp, names: readonly string[]])[] = [
  [/^(?:\/(?:groups|users)\/:\w+)?\/projects(?:\/:\w+)?$/, projectNames],
  [/^\/groups(?:\/:\w+(?:\/(?:subgroups|descendant_groups))?)?$/, ['default_branch_protection']],
  [/\/merge_requests(?:\/:\w+)?$/, ['merged_by', 'merge_status']],
  [/\/runners(?:\/(?:all|:\w+))?$/, ['active', 'ip_address', 'version', 'revision', 'platform', 'architecture']],
  [/^\/projects\/:\w+\/approvals$/, ['approvers', 'approval_groups', 'require_password_to_approve']],
];

/** The names that a call sends, or reads from its answer, and that are announced to change. It ought to have none. */
export function changingNamesOf({ path, query, body, reads }: Call): string[] {
  const names = changing.find(([template]) => template.test(path.template))?.[1] ?? [];
  const used = new Set([...Object.keys({ ...query, ...body }), ...(reads ?? [])]);
  return names.filter((name) => used.has(name));
}

/** One exchange with the instance, for a log. Holds no ids, no queries and no token. */
export interface LogEntry {
  readonly method: string;
  readonly pathTemplate: string;
  /** The status of the response; undefined if none came. */
  readonly status: number | undefined;
  /** From the request to the end of the body. */
  readonly milliseconds: number;
  /** What kept the response from coming, such as `ECONNRESET`; undefined if it came. */
  readonly fault: string | undefined;
  /** Names that the call sent or relies on, and that API v5 is announced to change; absent if there are none. */
  readonly changing?: readonly string[];
}

/**
 * Milliseconds for the phases of a request. Opening a connection counts to `connect`, where the client opens it itself, and
 * to `headers`.
 */
export interface Timeouts {
  readonly connect: number;
  readonly headers: number;
  readonly body: number;
}

export interface ExchangeOptions {
  readonly transport: Transport;
  readonly timeouts: Timeouts;
  readonly userAgent: string;
  /** Whether the token travels as `Authorization: Bearer`. */
  readonly bearer: boolean;
  readonly log: (entry: LogEntry) => void;
  readonly clock: Clock;
}

/** What came of an exchange: a whole answer, or what kept it from coming. */
export type Received =
  | { readonly answer: Answer; readonly bytes: Uint8Array }
  | {
      readonly fault: Fault;
      /** The status, if the fault came after it. */
      readonly status: number | undefined;
    };

/** Sends one request and receives its response, whole or not at all. Follows nothing, repeats nothing, never rejects. */
export async function exchange(
  { clock, timeouts, transport, userAgent, bearer, log }: ExchangeOptions,
  call: Call,
  url: URL,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Received> {
  // Not AbortSignal.any: what it leaves to the garbage collector is a good part of the cost of a request.
  const controller = new AbortController();
  const forwardAbort = () => controller.abort();
  signal.addEventListener('abort', forwardAbort);
  if (signal.aborted) {
    controller.abort();
  }
  const startedAt = clock.now();
  let phase: 'headers' | 'body' = 'headers';
  let status: number | undefined;
  let fault: Fault | undefined;
  let timedOut = false;
  const expire = () => {
    timedOut = true;
    controller.abort();
  };
  let stopTimer = clock.after(timeouts.headers, expire);
  try {
    controller.signal.throwIfAborted();
    const response = await transport.send({
      method: call.method,
      url,
      headers: headersOf(call, token, bearer, userAgent),
      body: call.body === undefined ? call.form : JSON.stringify(call.body),
      signal: controller.signal,
    });
    status = response.status;
    phase = 'body';
    stopTimer();
    stopTimer = clock.after(timeouts.body, expire);
    const bytes = await response.bytes();
    return { answer: { status, header: response.header, text: textOf(bytes) }, bytes };
  } catch (thrown) {
    fault = timedOut ? { kind: 'timeout', detail: phase, mayHaveArrived: true } : faultOf(thrown);
    return { fault, status };
  } finally {
    stopTimer();
    signal.removeEventListener('abort', forwardAbort);
    const changing = changingNamesOf(call);
    log({
      method: call.method,
      pathTemplate: call.path.template,
      status,
      milliseconds: clock.now() - startedAt,
      fault: signal.aborted ? 'aborted' : fault?.detail,
      ...(changing.length > 0 ? { changing } : {}),
    });
  }
}

function headersOf(call: Call, token: string | undefined, bearer: boolean, userAgent: string): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(token === undefined ? {} : bearer ? { authorization: `Bearer ${token}` } : { 'private-token': token }),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
  };
}
