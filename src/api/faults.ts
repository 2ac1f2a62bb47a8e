import type { UnavailableKind } from './errors.ts';

/** What kept a request from getting a whole answer. */
export interface Fault {
  readonly kind: Exclude<UnavailableKind, 'status'>;
  /** A code such as `ECONNREFUSED`, the phase of a timeout, or the problem of the certificate. */
  readonly detail: string;
  /** Whether the instance may have received the request, and acted on it. */
  readonly mayHaveArrived: boolean;
}

const certificateProblem =
  /^(?:CERT_|CRL_|ERR_CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/;
const unresolvedName = /^(?:ENOTFOUND|EAI_|ERR_NAME_NOT_RESOLVED)/;
const neverArrived =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ERR_CONNECTION_REFUSED|ERR_PROXY_)/;
const timeoutPhases = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['ETIMEDOUT', 'connect'],
  ['ERR_CONNECTION_TIMED_OUT', 'connect'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers'],
  ['UND_ERR_BODY_TIMEOUT', 'body'],
]);

/** Reads what a transport threw: an error of undici or of Node, or a `fetch`'s, which hides them in its `cause`. */
export function faultOf(thrown: unknown): Fault {
  const code = codeOf(thrown) ?? 'UNKNOWN';
  const phase = timeoutPhases.get(code);
  if (phase !== undefined) {
    return { kind: 'timeout', detail: phase, mayHaveArrived: phase !== 'connect' };
  }
  if (unresolvedName.test(code)) {
    return { kind: 'dns', detail: code, mayHaveArrived: false };
  }
  if (certificateProblem.test(code)) {
    return { kind: 'tls', detail: code, mayHaveArrived: false };
  }
  return { kind: 'network', detail: code, mayHaveArrived: !neverArrived.test(code) };
}

/** Whether a fault may be over a moment later. An instance too slow to answer is not helped by being asked again. */
export function isTransient({ kind, detail }: Fault): boolean {
  return (
    kind === 'network' || (kind === 'dns' && detail !== 'ENOTFOUND') || (kind === 'timeout' && detail === 'connect')
  );
}

function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) {
    return undefined;
  }
  const inner: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause;
  const own = 'code' in thrown ? String(thrown.code) : (/net::(ERR_\w+)/.exec(thrown.message)?.[1] ?? '');
  // What lies deeper is the more exact: undici and fetch wrap the errors of Node's sockets. Codes only, no other text.
  return codeOf(inner, depth + 1) ?? (/^[A-Z][A-Z\d_]*$/.test(own) ? own : undefined);
}
