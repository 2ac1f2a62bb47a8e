import { visibleText } from '../common/inertText.ts';
import {
  type AccountRefusal,
  type ApiError,
  apiError,
  type Failure,
  type Obstacle,
  type Problem,
  type RequestFacts,
} from './errors.ts';
import { parseBounded } from './grammar.ts';
import type { Answer } from './transport.ts';

/**
 * What an answer of the instance means: its JSON, or the error it stands for; and what kept one from coming.
 *
 * @see https://docs.gitlab.com/api/rest/troubleshooting/#status-codes
 */

/** A body that ought to be JSON, by its content type and its status, and is not: most likely it was cut short. */
export const malformed: unique symbol = Symbol('malformed');

/** What the body of an answer is; `excess` says what of it is out of all proportion, so that it is not parsed. */
export interface Body {
  /** Undefined of what does not claim to be JSON. */
  readonly json?: unknown;
  readonly excess?: string;
}

/** Reads a body as JSON. */
export function bodyOf(answer: Answer): Body {
  if (!isJson(answer)) {
    return {};
  }
  try {
    const read = parseBounded(answer.text);
    return 'excess' in read ? read : { json: read.value };
  } catch {
    return { json: malformed };
  }
}

function isJson({ header }: Answer): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(header('content-type') ?? '');
}

/** Names what came instead of an answer of the API, by its content type. */
export function contentLabel({ header }: Answer): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(header('content-type') ?? '')?.[0];
  return type?.toLowerCase() ?? 'a body without a content type';
}

/** Makes a text of others fit to be shown or logged: what cannot be seen goes, then secrets, and then what is too long. */
export type Clean = (text: string, most?: number) => string;

/** More than anybody reads. */
const longestText = 2000;

/** Finds a secret wherever it stands, with whatever is not seen between its letters, and encoded for a URL. */
export function secretPattern(secret: string): RegExp {
  const gap = String.raw`[\p{M}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]*`;
  const letters = Array.from(secret, (letter) => {
    const encoded = Array.from(new TextEncoder().encode(letter), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
    return String.raw`(?:\u{${(letter.codePointAt(0) ?? 0).toString(16)}}|${encoded.join('')})`;
  });
  return new RegExp(letters.join(gap), 'giu');
}

/** @param secrets are blotted out. */
export function cleaning(...secrets: readonly (string | undefined)[]): Clean {
  const patterns = secrets.flatMap((secret) => (secret ? [secretPattern(secret)] : []));
  return (text, most = longestText) => {
    const clean = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, '[token]'), text);
    return visibleText(clean).slice(0, most).toWellFormed();
  };
}

/** The error that a redirect stands for by which no project has moved: the API itself never sends to a page. */
export function errorOfRedirect(foreignOrigin: string | undefined, facts: RequestFacts, clean: Clean): ApiError {
  if (foreignOrigin === undefined) {
    return apiError(facts, { reason: 'inFront', obstacle: 'page' });
  }
  const { origin, hostname } = new URL(foreignOrigin);
  // From http to https of one host it is sent to its own API, whatever the status.
  const isPage = (facts.status === 302 || facts.status === 303) && hostname !== facts.instance.replace(/:\d+$/, '');
  return apiError(facts, { reason: 'movedElsewhere', foreignOrigin: clean(origin, 200), isPage });
}

/**
 * The error that a status outside 200 to 299 stands for. Redirects (3xx) and 429 mean more than an error to the client and
 * are not looked at here.
 *
 * @param targetLength The length in bytes of the path and query that were sent.
 */
export function errorOfStatus(answer: Answer, facts: RequestFacts, clean: Clean, targetLength: number): ApiError {
  return apiError(facts, problemOf(answer, clean, targetLength));
}

function problemOf(answer: Answer, clean: Clean, targetLength: number): Problem {
  const { status } = answer;
  const said = readErrorBody(bodyOf(answer).json, clean);
  const [sentence] = said.sentences;
  const obstacle = obstacleOf(answer, said);
  if (obstacle !== undefined) {
    return { reason: 'inFront', obstacle };
  }
  const refusal = status === 401 || status === 403 ? refusalOf(said) : undefined;
  if (refusal !== undefined) {
    return { reason: 'accountRefused', refusal, sentence: sentence ?? '' };
  }
  // 408 is what a server or proxy says that has waited for the request in vain.
  if (status >= 500 || status === 408) {
    return { reason: 'unavailable', kind: 'status', sentence };
  }
  switch (status) {
    case 401:
      return { reason: 'notSignedIn', sentence };
    case 407:
      return { reason: 'unavailable', kind: 'proxy', detail: '407' };
    // 431 is what a server says whose bound for all headers counts the address, too.
    case 414:
    case 431:
      return { reason: 'tooLong', length: targetLength };
  }
  if (!isJson(answer)) {
    const detail = status === 400 ? secureConnectionProblem(answer.text) : undefined;
    return detail === undefined
      ? { reason: 'notAnInstance', found: clean(contentLabel(answer)) }
      : { reason: 'unavailable', kind: 'tls', detail };
  }
  switch (status) {
    case 400:
    case 422:
      return { reason: 'validation', fields: said.fields, sentences: said.sentences };
    case 403:
      return forbiddenProblem(said);
    case 404:
      return { reason: 'notFound', sentence };
    default:
      return { reason: 'refused', sentence };
  }
}

function forbiddenProblem({ code, scopes, sentences: [sentence] }: ErrorBody): Problem {
  switch (code) {
    case 'insufficient_scope':
      return { reason: 'missingScope', requiredScopes: scopes };
    case 'insufficient_granular_scope':
      return { reason: 'missingPermission', permissions: permissionsIn(sentence ?? ''), sentence };
    default:
      return { reason: 'missingRole', sentence, statedReason: /^403 Forbidden - (.+)$/.exec(sentence ?? '')?.[1] };
  }
}

/**
 * What shows that an error is not the instance's own: the platform says 401 and 403 in JSON, and wants no password.
 *
 * @see https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
 */
function obstacleOf(answer: Answer, { sentences }: ErrorBody): Obstacle | undefined {
  const { status, header, text } = answer;
  // What a page says only tells a challenge from the instance's own page of maintenance.
  const isChallenge =
    header('cf-mitigated')?.toLowerCase() === 'challenge' ||
    (status >= 500 && !isJson(answer) && /Just a moment|Checking your browser/i.test(text));
  if (isChallenge || (status === 403 && !isJson(answer))) {
    return 'protection';
  }
  return status === 401 && (sentences.length === 0 || wantsPassword(answer)) ? 'password' : undefined;
}

/**
 * Whether an answer asks for other credentials than tokens: for a password, a ticket, a client's key.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function wantsPassword({ status, header }: Answer): boolean {
  const challenges = status === 401 ? (header('www-authenticate') ?? '') : '';
  // A scheme stands alone or before a space; a parameter has an equals sign. Commas divide both, and may stand in quotes.
  const parts = challenges.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').split(',');
  return parts.some((part) => /^(?!(?:Bearer|DPoP)(?:\s|$))[^\s=]+(?:\s+[^\s=]|$)/i.test(part.trim()));
}

/** The first sentence in the body of an error, if it says anything. */
export function sentenceOf(body: unknown, clean: Clean): string | undefined {
  return readErrorBody(body, clean).sentences[0];
}

/** What the web server in front of an instance says by a page of its own, after a handshake that it let succeed. */
const secureConnectionProblems = new Map([
  ['No required SSL certificate was sent', 'CLIENT_CERTIFICATE_REQUIRED'],
  ['The SSL certificate error', 'CLIENT_CERT_REFUSED'],
  ['The plain HTTP request was sent to HTTPS port', 'PLAIN_HTTP_TO_HTTPS_PORT'],
]);

function secureConnectionProblem(page: string): string | undefined {
  const title = /<title>400 ([^<]*)<\/title>/.exec(page)?.[1];
  return title === undefined ? undefined : secureConnectionProblems.get(title);
}

/** What the body of an error says. */
interface ErrorBody {
  readonly fields: Record<string, string[]>;
  readonly sentences: string[];
  /** The scopes that it names. */
  readonly scopes: string[];
  /** Such as `insufficient_scope`, where there is one beside the sentence. */
  readonly code: string | undefined;
}

/** At most this many fields and sentences are read, and so deep: no error of the platform says more. */
const mostTexts = 100;
const mostDepth = 5;

/**
 * Reads the shapes of errors that the platform uses: `{message: string}`, `{message: {field: [string]}}`,
 * `{error: string}`, `{error: code, error_description: string}`. Anything else says nothing.
 */
function readErrorBody(body: unknown, clean: Clean): ErrorBody {
  const { message, error, error_description: description, scope } = isRecord(body) ? body : ({} as never);
  const fields = new Map<string, string[]>();
  const add = (field: string, problem: string) => fields.set(field, [...(fields.get(field) ?? []), problem]);
  const sentences: string[] = [];
  for (const { path, text } of [message, description ?? error].flatMap((said) => textsIn(said, clean))) {
    if (path !== '' && path !== 'error') {
      add(path, text);
      continue;
    }
    sentences.push(text);
    // Such as `active is missing, integrated is invalid`.
    for (const part of text.split(', ')) {
      const [, field, problem] = /^([a-z]\w*(?:\[\w*\])*) ((?:is|does|has|must) .+)$/.exec(part) ?? [];
      if (field !== undefined && problem !== undefined) {
        add(field, problem);
      }
    }
  }
  return {
    // `__proto__` is a name like any other to the instance.
    fields: Object.fromEntries(fields),
    sentences,
    scopes: textsIn(scope, clean)
      .flatMap(({ text }) => text.split(/[\s,]+/).filter(Boolean))
      .slice(0, mostTexts),
    code: typeof error === 'string' && description !== undefined ? error : undefined,
  };
}

/** The texts in a part of an error's body, each with the names of the fields that lead to it. */
function textsIn(said: unknown, clean: Clean): { readonly path: string; readonly text: string }[] {
  const texts: { path: string; text: string }[] = [];
  const collect = (part: unknown, path: readonly string[]): void => {
    if (texts.length === mostTexts) {
      return;
    }
    if (typeof part === 'string') {
      texts.push({ path: path.join('.'), text: clean(part) });
    } else if (Array.isArray(part)) {
      part.filter((element) => !Array.isArray(element)).forEach((element) => collect(element, path));
    } else if (isRecord(part) && path.length < mostDepth) {
      Object.entries(part).forEach(([name, inner]) => collect(inner, [...path, clean(name)]));
    }
  };
  collect(said, []);
  return texts;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The permissions in brackets in sentences such as `… with the following project permissions: [Event: Read, User: Read].` */
function permissionsIn(sentence: string): string[] {
  const listed = [...sentence.slice(0, 2000).matchAll(/\[([\w :,-]+)\]/g)].flatMap(([, names = '']) =>
    names.split(','),
  );
  return listed.map((name) => name.trim()).filter((name) => /^\w.*: \w/.test(name));
}

/** Codes that say why an account is refused. */
const refusalCodes = new Map<string, AccountRefusal>([
  ['dpop_error', 'dpop'],
  ['restricted_language_server_client_error', 'client'],
]);

/**
 * What the platform's sentences say of why an account is refused: it has no codes for these.
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/auth/user_access_denied_reason.rb
 */
const refusalSentences: readonly (readonly [AccountRefusal, RegExp])[] = [
  ['pendingApproval', /\bpending approval\b/i],
  ['blocked', /\baccount (?:has been|is) (?:blocked|banned)\b/i],
  ['deactivated', /\baccount (?:has been|is) deactivated\b/i],
  ['terms', /\bTerms of Service\b/i],
  ['passwordExpired', /\bpassword (?:has |is )?expired\b/i],
  ['unconfirmed', /\bemail address is not confirmed\b/i],
  ['twoFactor', /\btwo-factor|\b2FA\b/i],
  ['ipAddress', /\bIP (?:address|range|restriction)|\bfrom your IP\b/i],
];

function refusalOf({ code, sentences: [sentence = ''] }: ErrorBody): AccountRefusal | undefined {
  if (code === 'invalid_token' && /\bimpersonation\b/i.test(sentence)) {
    return 'impersonation';
  }
  const isSaid = /^40[13] \w+ - |^You\b|^Your\b/.test(sentence);
  return (
    refusalCodes.get(code ?? '') ??
    (isSaid ? refusalSentences.find(([, words]) => words.test(sentence))?.[0] : undefined)
  );
}

/** What kept a request from getting a whole answer. */
export interface Fault extends Failure {
  readonly kind: Exclude<Failure['kind'], 'status'>;
  readonly detail: string;
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

/**
 * Reads what a transport threw: an error of undici or of Node, or a `fetch`'s, which hides them in its `cause`.
 *
 * @param url what was to be reached: a failed connection to elsewhere was one to a proxy.
 */
export function faultOf(thrown: unknown, url: URL): Fault {
  const causes = causesOf(thrown);
  // What lies deeper is the more exact: undici and fetch wrap the errors of Node's sockets.
  const code = causes.map(codeOf).findLast((own) => own !== undefined) ?? 'UNKNOWN';
  const proxy = causes.map((cause) => proxyOf(cause, url)).find((found) => found !== undefined);
  if (proxy) {
    return { kind: 'proxy', mayHaveArrived: false, ...proxy, detail: proxy.detail ?? code };
  }
  const phase = timeoutPhases.get(code);
  if (phase !== undefined) {
    return { kind: 'timeout', detail: phase, mayHaveArrived: phase !== 'connect' };
  }
  if (unresolvedName.test(code)) {
    return { kind: 'dns', detail: code, mayHaveArrived: false };
  }
  if (certificateProblem.test(code)) {
    const fingerprint = causes.map((cause) => cause.fingerprint).find((value) => typeof value === 'string');
    return { kind: 'tls', detail: code, mayHaveArrived: false, ...(fingerprint === undefined ? {} : { fingerprint }) };
  }
  return { kind: 'network', detail: code, mayHaveArrived: !neverArrived.test(code) };
}

/** What stays as it is, however often it is tried: answers that are too long, connections that are closed, what a browser hides. */
const lasting = /^(?:BODY_TOO_LONG|CORS|HIDDEN_REDIRECT|UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_INVALID_ARG)$/;

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

/** An error with what Node, undici and the editor put on it. */
type Cause = Error & {
  readonly code?: unknown;
  readonly fingerprint?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
};

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
function proxyOf(
  { code, message, hostname, address, port }: Cause,
  url: URL,
): (Pick<Fault, 'proxy'> & { detail?: string }) | undefined {
  const known = /^ERR_PROXY_\w+$/.exec(String(code)) ?? /net::(ERR_PROXY_\w+)/.exec(message);
  const detail = proxyRefusal.exec(message)?.[1] ?? known?.at(-1);
  if (detail !== undefined) {
    return { detail };
  }
  if (proxyUnreachable.test(message)) {
    const [, proxy] = /\b(?:PROXY|HTTPS?|SOCKS\d?) ([\w.[\]:-]+:\d+)/.exec(message) ?? [];
    return { detail: 'UNREACHABLE', ...(proxy === undefined ? {} : { proxy }) };
  }
  const ownPort = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (typeof hostname === 'string' && hostname !== url.hostname.replaceAll(/[[\]]/g, '')) {
    return { proxy: hostname };
  }
  return typeof address === 'string' && typeof port === 'number' && port !== ownPort
    ? { proxy: `${address}:${port}` }
    : undefined;
}

/** A code, and no other text: of its own, that of a browser engine, or OpenSSL's name of what Node calls EPROTO alone. */
function codeOf({ code, message }: Cause): string | undefined {
  const reason = code === 'EPROTO' ? /:SSL routines:[^:]*:([\w /-]+):/.exec(message)?.[1] : undefined;
  if (reason !== undefined) {
    return `ERR_SSL_${reason.toUpperCase().replaceAll(/[ -]/g, '_')}`;
  }
  const own = typeof code === 'string' ? code : /net::(ERR_\w+)/.exec(message)?.[1];
  return own !== undefined && /^[A-Z][A-Z\d_/]*$/.test(own) ? own : undefined;
}
