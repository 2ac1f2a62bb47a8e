import type { UnavailableKind } from './errors.ts';

/** What kept a request from getting a whole answer. */
export interface Fault {
  readonly kind: Exclude<UnavailableKind, 'status'>;
  /** A code such as `ECONNREFUSED`, the phase of a timeout, the problem of the certificate, or the status of a proxy's refusal. */
  readonly detail: string;
  /** Host and port of the proxy that failed, if its owner said so. */
  readonly proxy?: string;
  /** The fingerprint of the certificate that came instead of the trusted one. */
  readonly fingerprint?: string;
  /** Whether the instance may have received the request, and acted on it. */
  readonly mayHaveArrived: boolean;
}

const certificateProblem =
  /^(?:CERT_|CRL_|ERR_CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/;
const unresolvedName = /^(?:ENOTFOUND|EAI_|ERR_NAME_NOT_RESOLVED)/;
const neverArrived = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ERR_CONNECTION_REFUSED)/;
/** How undici reports that a proxy opens no tunnel, and the editor that it cannot reach one. */
const proxyRefusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;
const proxyUnreachable = /^Failed to establish a socket connection to proxies/;
const timeoutPhases = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['ETIMEDOUT', 'connect'],
  ['ERR_CONNECTION_TIMED_OUT', 'connect'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers'],
  ['UND_ERR_BODY_TIMEOUT', 'body'],
]);

/** Reads what a transport threw: an error of undici or of Node, or a `fetch`'s, which hides them in its `cause`. */
export function faultOf(thrown: unknown): Fault {
  const proxyFault = causesOf(thrown)
    .map(proxyFaultOf)
    .find((fault) => fault !== undefined);
  if (proxyFault) {
    return proxyFault;
  }
  const code = codeOf(thrown) ?? 'UNKNOWN';
  const phase = timeoutPhases.get(code);
  if (phase !== undefined) {
    return { kind: 'timeout', detail: phase, mayHaveArrived: phase !== 'connect' };
  }
  if (unresolvedName.test(code)) {
    return { kind: 'dns', detail: code, mayHaveArrived: false };
  }
  if (certificateProblem.test(code)) {
    const fingerprint = causesOf(thrown)
      .map(({ fingerprint }) => fingerprint)
      .find((value) => typeof value === 'string');
    return { kind: 'tls', detail: code, mayHaveArrived: false, ...(fingerprint === undefined ? {} : { fingerprint }) };
  }
  // A dispatcher may have a bound of its own.
  const detail = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'BODY_TOO_LONG' : code;
  return { kind: 'network', detail, mayHaveArrived: !neverArrived.test(code) };
}

/** The answer is longer than any page of the API. */
export class BodyTooLongError extends Error {
  readonly code = 'BODY_TOO_LONG';
}

/** What stays as it is, however often it is tried: answers that are too long, dispatchers that are closed. */
const lasting = /^(?:BODY_TOO_LONG|UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_INVALID_ARG)$/;

/**
 * Whether a fault may be over a moment later. An instance too slow to answer is not helped by being asked again.
 */
export function isTransient({ kind, detail }: Fault): boolean {
  return (
    (kind === 'network' && !lasting.test(detail)) ||
    (kind === 'proxy' && !/^4\d\d$|AUTHENTICATION/.test(detail)) ||
    (kind === 'dns' && detail !== 'ENOTFOUND') ||
    (kind === 'timeout' && detail === 'connect')
  );
}

/** What a proxy's owner says of its failure in an error with the code ERR_PROXY, and what is known from others' errors. */
function proxyFaultOf({ code, detail, proxy, message }: Cause): Fault | undefined {
  const fault = (problem: string): Fault => ({
    kind: 'proxy',
    detail: problem,
    mayHaveArrived: false,
    ...(typeof proxy === 'string' ? { proxy } : {}),
  });
  if (code === 'ERR_PROXY') {
    return fault(String(detail));
  }
  const known = /^ERR_PROXY_\w+$/.exec(String(code)) ?? /net::(ERR_PROXY_\w+)/.exec(message);
  const status = proxyRefusal.exec(message)?.[1];
  if (known || status !== undefined) {
    return fault(status ?? known?.at(-1) ?? '');
  }
  return proxyUnreachable.test(message) ? fault('UNREACHABLE') : undefined;
}

/** An error with what its kind may have. */
type Cause = Error & {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly proxy?: unknown;
  readonly fingerprint?: unknown;
};

/** An error and what lies behind it, the outermost first. */
function causesOf(thrown: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let error = thrown; error instanceof Error && causes.length < 5; error = error.cause) {
    causes.push(error);
  }
  return causes;
}

function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) {
    return undefined;
  }
  const inner: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause;
  const own =
    'code' in thrown
      ? exactCode(String(thrown.code), thrown.message)
      : (/net::(ERR_\w+)/.exec(thrown.message)?.[1] ?? '');
  // What lies deeper is the more exact: undici and fetch wrap the errors of Node's sockets. Codes only, no other text.
  return codeOf(inner, depth + 1) ?? (/^[A-Z][A-Z\d_/]*$/.test(own) ? own : undefined);
}

/** OpenSSL's own name of a failure that Node reports, as that of a write, by EPROTO alone. */
function exactCode(code: string, message: string): string {
  const reason = code === 'EPROTO' ? /:SSL routines:[^:]*:([\w /-]+):/.exec(message)?.[1] : undefined;
  return reason === undefined ? code : `ERR_SSL_${reason.toUpperCase().replace(/[ -]/g, '_')}`;
}
