import { type ApiError, type Failure, isApiError } from './errors.ts';

const certificateProblem =
  /^(?:CERT_|CRL_|ERR_CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/;
const unresolvedName = /^(?:ENOTFOUND|EAI_|ERR_NAME_NOT_RESOLVED)/;
const connectTimeout = /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ERR_CONNECTION_TIMED_OUT)$/;
const neverArrived = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ERR_CONNECTION_REFUSED)/;

/**
 * What kept a whole answer from coming, by what a transport threw, which may hide what Node threw in its `cause`.
 *
 * @param url what was to be reached: a failed connection to elsewhere was one to a proxy.
 */
export function faultOf(thrown: unknown, url: URL): Failure {
  const causes = causesOf(thrown);
  // What lies deeper is the more exact: undici and fetch wrap the errors of Node's sockets.
  const detail = causes.map(codeOf).findLast((own) => own !== undefined) ?? 'UNKNOWN';
  const proxy = causes.map((cause) => proxyOf(cause, url)).find((found) => found !== undefined);
  if (proxy) {
    return { kind: 'proxy', detail, ...proxy };
  }
  if (connectTimeout.test(detail)) {
    return { kind: 'timeout', detail: 'connect' };
  }
  if (unresolvedName.test(detail)) {
    return { kind: 'dns', detail };
  }
  if (certificateProblem.test(detail)) {
    const fingerprint = causes.map((cause) => cause.fingerprint).find((value) => typeof value === 'string');
    return { kind: 'tls', detail, ...(fingerprint === undefined ? {} : { fingerprint }) };
  }
  return { kind: 'network', detail, mayHaveArrived: !neverArrived.test(detail) };
}

/** What stays as it is, however often it is tried: answers that are too long, connections that are closed, what a browser hides. */
const lasting = /^(?:BODY_TOO_LONG|CORS|HIDDEN_REDIRECT|UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_INVALID_ARG)$/;

/** Whether a failure may be over a moment later. An instance too slow to answer is not helped by being asked again. */
export function isPassing(error: unknown): error is ApiError {
  if (!isApiError(error, 'unavailable')) {
    return isApiError(error, 'rateLimited');
  }
  const { kind, status = 0, detail = '' } = error;
  return (
    (kind === 'status' && [502, 503, 504].includes(status)) ||
    (kind === 'network' && !lasting.test(detail)) ||
    (kind === 'proxy' && !/^4\d\d$|AUTHENTICATION/.test(detail)) ||
    (kind === 'dns' && detail !== 'ENOTFOUND') ||
    (kind === 'timeout' && detail === 'connect')
  );
}

/** An error with what Node, undici and the editor put on it. */
type Cause = Error & Partial<Record<'code' | 'fingerprint' | 'hostname' | 'address' | 'port', unknown>>;

/** An error and what lies behind it, the outermost first. */
function causesOf(thrown: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let error = thrown; error instanceof Error && causes.length < 5;) {
    causes.push(error);
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return causes;
}

/** The proxy that has failed, if it was one, and why, if that is no code of a connection. */
function proxyOf(cause: Cause, url: URL): Pick<Failure, 'proxy' | 'detail'> | undefined {
  const { code, message, hostname, address, port } = cause;
  // How undici and the editor report that a proxy opens no tunnel, and Chromium what is wrong with it.
  const refusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)|net::(ERR_PROXY_\w+)/.exec(message);
  const detail = refusal?.[1] ?? refusal?.[2] ?? /^ERR_PROXY_\w+$/.exec(String(code))?.[0];
  if (detail !== undefined) {
    return { detail };
  }
  if (message.startsWith('Failed to establish a socket connection to proxies')) {
    // Before its name may stand the user and the password, which some editors write as they are.
    const [, proxy] = /\b(?:PROXY|HTTPS?|SOCKS\d?) (?:\S*@)?([\w.[\]:-]+:\d+)(?!\S*@)/.exec(message) ?? [];
    return { detail: 'UNREACHABLE', ...(proxy === undefined ? {} : { proxy }) };
  }
  if (typeof hostname === 'string' && hostname !== url.hostname.replaceAll(/[[\]]/g, '')) {
    return { proxy: hostname };
  }
  const ownPort = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const isElsewhere = typeof address === 'string' && typeof port === 'number' && port !== ownPort;
  return isElsewhere ? { proxy: `${address}:${port}` } : undefined;
}

/** A code, and no other text: of its own, that of a browser engine, or OpenSSL's name of what Node calls EPROTO alone. */
function codeOf({ code, message }: Cause): string | undefined {
  const reason = code === 'EPROTO' ? /:SSL routines:[^:]*:([\w /-]+):/.exec(message)?.[1] : undefined;
  if (reason !== undefined) {
    return `ERR_SSL_${reason.toUpperCase().replaceAll(/[ -]/g, '_')}`;
  }
  const named = typeof code === 'string' ? code : /net::(ERR_\w+)/.exec(message)?.[1];
  // The other end has closed the connection: undici's own name for it tells nobody anything.
  const own = named === 'UND_ERR_SOCKET' ? 'ECONNRESET' : named;
  return own !== undefined && /^[A-Z][A-Z\d_/]*$/.test(own) ? own : undefined;
}
