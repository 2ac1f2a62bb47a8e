import type { Destination } from './addresses.ts';
import {
  type AccountRefusal,
  AccountRefusedError,
  type ApiError,
  InFrontError,
  MissingPermissionError,
  MissingRoleError,
  MissingScopeError,
  MovedElsewhereError,
  NotAnInstanceError,
  NotFoundError,
  NotSignedInError,
  type Obstacle,
  RefusedError,
  type RequestFacts,
  TooLongError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
import { excessOf, isProportionate, mostUnseen } from './grammar.ts';

/**
 * What an answer of the instance means: its JSON, or the error it stands for.
 *
 * @see https://docs.gitlab.com/api/rest/troubleshooting/#status-codes
 */

/** A response that was received whole. */
export interface Answer {
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** A body that ought to be JSON, by its content type and its status, and is not: most likely it was cut short. */
export const malformed: unique symbol = Symbol('malformed');

/** A body that is not parsed, because it is out of all proportion. */
export class ExcessiveBody {
  /** Such as `more than 1000 records`. */
  readonly excess: string;

  constructor(excess: string) {
    this.excess = excess;
  }
}

/** Reads a body as JSON; undefined if it does not claim to be JSON, `malformed` or an ExcessiveBody if it cannot be read. */
export function jsonOf(answer: Answer): unknown {
  if (!isJson(answer)) {
    return undefined;
  }
  const { text } = answer;
  // What takes little memory is parsed first: its excess shows sooner in the values than in the characters.
  const early = text.length <= mostUnseen ? parsed(text) : malformed;
  if (early !== malformed && isProportionate(early)) {
    return early;
  }
  const excess = excessOf(text);
  return excess === undefined ? parsed(text) : new ExcessiveBody(excess);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return malformed;
  }
}

function isJson(answer: Answer): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(answer.header('content-type') ?? '');
}

/** Names what came instead of an answer of the API, by its content type. */
export function contentLabel(answer: Answer): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(answer.header('content-type') ?? '')?.[0];
  return type?.toLowerCase() ?? 'a body without a content type';
}

/** The error that a redirect stands for by which no project has moved: the API itself never sends to a page. */
export function errorOfRedirect(destination: Destination, facts: RequestFacts, redact: Redact): ApiError {
  if (!destination || !('foreignOrigin' in destination)) {
    return new InFrontError(facts, 'page');
  }
  const { origin, hostname } = new URL(destination.foreignOrigin);
  // From http to https of one host it is sent to its own API, whatever the status.
  const isPage = (facts.status === 302 || facts.status === 303) && hostname !== facts.instance.replace(/:\d+$/, '');
  return new MovedElsewhereError(facts, redact(origin).slice(0, longestOrigin), isPage);
}

/**
 * The error that a status outside 200 to 299 stands for. Redirects (3xx) and 429 mean more than an error to the client and
 * are not looked at here.
 *
 * @param targetLength The length in bytes of the path and query that were sent.
 */
export function errorOfStatus(answer: Answer, facts: RequestFacts, redact: Redact, targetLength: number): ApiError {
  const { status } = answer;
  const errorBody = readErrorBody(jsonOf(answer), redact);
  const [sentence] = errorBody.sentences;
  const obstacle = obstacleOf(answer, errorBody);
  if (obstacle !== undefined) {
    return new InFrontError(facts, obstacle);
  }
  const refusal = refusalOf(errorBody);
  if ((status === 401 || status === 403) && refusal !== undefined) {
    return new AccountRefusedError(facts, refusal, sentence ?? '');
  }
  if (status === 401) {
    return new NotSignedInError(facts, sentence);
  }
  if (status === 407) {
    return new UnavailableError(facts, 'proxy', '407');
  }
  // 431 is what a server says whose bound for all headers counts the address, too.
  if (status === 414 || status === 431) {
    return new TooLongError(facts, targetLength);
  }
  // 408 is what a server or proxy says that has waited for the request in vain.
  if (status >= 500 || status === 408) {
    return new UnavailableError(facts, 'status', undefined, { sentence });
  }
  if (!isJson(answer)) {
    const problem = status === 400 ? secureConnectionProblem(answer.text) : undefined;
    return problem === undefined
      ? new NotAnInstanceError(facts, redact(contentLabel(answer)))
      : new UnavailableError(facts, 'tls', problem);
  }
  switch (status) {
    case 400:
    case 422:
      return new ValidationError(facts, errorBody.fields, errorBody.sentences);
    case 403:
      switch (errorBody.code) {
        case 'insufficient_scope':
          return new MissingScopeError(facts, errorBody.scopes);
        case 'insufficient_granular_scope':
          return new MissingPermissionError(facts, permissionsIn(sentence ?? ''), sentence);
        default:
          return new MissingRoleError(facts, sentence);
      }
    case 404:
      return new NotFoundError(facts, sentence);
    default:
      return new RefusedError(facts, sentence);
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
export function sentenceOf(body: unknown, redact: Redact): string | undefined {
  return readErrorBody(body, redact).sentences[0];
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

/**
 * Reads the shapes of errors that the platform uses: `{message: string}`, `{message: {field: [string]}}`,
 * `{error: string}`, `{error: code, error_description: string}`. Anything else says nothing.
 */
function readErrorBody(body: unknown, redact: Redact): ErrorBody {
  const errorBody: ErrorBody = { fields: {}, sentences: [], scopes: [], code: undefined };
  if (!isRecord(body)) {
    return errorBody;
  }
  const { message, error, error_description: description, scope } = body;
  for (const said of [message, description ?? error]) {
    for (const { path, text } of textsIn(said, redact)) {
      if (path.length === 0 || (path.length === 1 && path[0] === 'error')) {
        errorBody.sentences.push(text);
        readParameterProblems(text, errorBody.fields);
      } else {
        addTo(errorBody.fields, path.join('.'), text);
      }
    }
  }
  const scopes = textsIn(scope, redact).flatMap(({ text }) => text.split(/[\s,]+/).filter(Boolean));
  return {
    ...errorBody,
    scopes: scopes.slice(0, mostScopes),
    code: typeof error === 'string' && description !== undefined ? error : undefined,
  };
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

/** Scopes of which one is enough, and characters of an origin and of a text of an error: more than anybody reads. */
const mostScopes = 100;
const longestOrigin = 200;
const longestText = 2000;

/** Deeper than this no error of the platform says anything about a field. */
const maxDepth = 5;

/** The texts in a part of an error's body, each with the names of the fields that lead to it. */
function textsIn(
  said: unknown,
  redact: Redact,
  path: readonly string[] = [],
): { path: readonly string[]; text: string }[] {
  if (typeof said === 'string') {
    // Cut after a token that stands at the end was found.
    return [{ path, text: redact(said.slice(0, 2 * longestText)).slice(0, longestText) }];
  }
  if (Array.isArray(said)) {
    return said.flatMap((element) => (Array.isArray(element) ? [] : textsIn(element, redact, path)));
  }
  return isRecord(said) && path.length < maxDepth
    ? Object.entries(said).flatMap(([name, inner]) =>
        textsIn(inner, redact, [...path, redact(name.slice(0, 2 * longestText)).slice(0, longestText)]),
      )
    : [];
}

/** Finds the fields in sentences such as `active is missing, integrated is invalid`. */
function readParameterProblems(text: string, fields: Record<string, string[]>): void {
  for (const part of text.split(', ')) {
    const [, field, problem] = /^([a-z]\w*(?:\[\w*\])*) ((?:is|does|has|must) .+)$/.exec(part) ?? [];
    if (field !== undefined && problem !== undefined) {
      addTo(fields, field, problem);
    }
  }
}

function addTo(fields: Record<string, string[]>, field: string, problem: string): void {
  if (!Object.hasOwn(fields, field)) {
    // Not by assignment: `__proto__` is a name like any other to the instance.
    Object.defineProperty(fields, field, { value: [], enumerable: true, configurable: true, writable: true });
  }
  fields[field]?.push(problem);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces what must not reach a text, which is the token. */
export type Redact = (text: string) => string;

/** Blots out a token wherever it stands in a text that the instance gave. */
export function redacting(token: string | undefined): Redact {
  if (token === undefined) {
    return (text) => text;
  }
  const forms = [token, encodeURIComponent(token), token.toLowerCase()];
  return (text) => forms.reduce((result, form) => result.replaceAll(form, '[token]'), text);
}
