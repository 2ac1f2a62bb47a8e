import { parseBounded } from '../common/boundedJson.ts';
import { type AccountRefusal, apiError, type Obstacle, type Problem, type RequestFacts } from './errors.ts';
import { isObject } from './grammar.ts';
import { retryAfterOf } from './rateLimits.ts';
import type { Clean } from './secrets.ts';
import type { Answer } from './transport.ts';

/** One that is malformed was most likely cut short. */
function bodyOf(answer: Answer): { json?: unknown; excess?: string; isMalformed?: boolean } {
  try {
    return isJson(answer) ? parseBounded(answer.text) : {};
  } catch {
    return { isMalformed: true };
  }
}

function isJson({ header }: Answer): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(header('content-type') ?? '');
}

function contentLabel({ header }: Answer): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(header('content-type') ?? '')?.[0];
  return type?.toLowerCase() ?? 'a body without a content type';
}

/**
 * The JSON of an answer that succeeds, undefined if its body is empty. Redirects and 429 are not looked at here.
 *
 * @param url what was requested.
 * @throws ApiError for every other answer.
 * @see https://docs.gitlab.com/api/rest/troubleshooting/#status-codes
 */
export function jsonOf(answer: Answer, facts: RequestFacts, clean: Clean, url: URL): unknown {
  const { status, text } = answer;
  if (status >= 400) {
    throw apiError(facts, problemOf(answer, facts, clean, url));
  }
  if (status < 200 || status > 299) {
    throw apiError(facts, { reason: 'notAnInstance', found: `status ${status}` });
  }
  const { json, excess, isMalformed } = bodyOf(answer);
  if (isMalformed && text !== '') {
    throw apiError(facts, { reason: 'unavailable', kind: 'network', detail: 'MALFORMED_BODY', mayHaveArrived: true });
  }
  if (json === undefined && text !== '') {
    const found = excess === undefined ? clean(contentLabel(answer)) : `a body of ${excess}`;
    throw apiError(facts, { reason: 'notAnInstance', found });
  }
  // A service behind the instance that fails may be reported with status 200.
  if (isObject(json) && json['status'] === 'error' && !('id' in json)) {
    const [sentence] = readErrorBody(json, clean).sentences;
    throw apiError(facts, { reason: 'unavailable', kind: 'status', detail: 'error', sentence });
  }
  return json;
}

function problemOf(answer: Answer, facts: RequestFacts, clean: Clean, url: URL): Problem {
  const { status } = answer;
  const said = readErrorBody(bodyOf(answer).json, clean);
  const [sentence] = said.sentences;
  if (status < 500 && isGrant(facts) && grantRefusal.test(said.code ?? '')) {
    return { reason: 'grantRefused', code: said.code ?? '' };
  }
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
    const retryAfter = retryAfterOf(answer);
    return { reason: 'unavailable', kind: 'status', sentence, retryAfter, mayHaveArrived: true };
  }
  switch (status) {
    case 401:
      return { reason: 'notSignedIn', sentence };
    case 407:
      return { reason: 'unavailable', kind: 'proxy', detail: '407' };
    // 431 is what a server says whose bound for all headers counts the address, too.
    case 414:
    case 431:
      return { reason: 'tooLong', length: url.pathname.length + url.search.length };
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

function isGrant({ method, pathTemplate }: RequestFacts): boolean {
  return method === 'POST' && pathTemplate.startsWith('/oauth/');
}

/** What says why a step of OAuth is refused: a sentence is no code. */
const grantRefusal = /^(?:(?:invalid|unsupported)_[a-z_]{1,40}|unauthorized_client|access_denied)$/;

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

/** What shows that an error is not the instance's own, which says 401 and 403 in a sentence, in JSON, and wants no password. */
function obstacleOf(answer: Answer, { sentences }: ErrorBody): Obstacle | undefined {
  const { status, header, text } = answer;
  // What a page says only tells a challenge from the instance's own page of maintenance.
  const isChallenge =
    header('cf-mitigated')?.toLowerCase() === 'challenge' ||
    (status >= 500 && !isJson(answer) && /Just a moment|Checking your browser/i.test(text));
  if (isChallenge || (status === 403 && sentences.length === 0)) {
    return 'protection';
  }
  return status === 401 && (sentences.length === 0 || wantsPassword(answer)) ? 'password' : undefined;
}

/** Whether an answer asks for a password, a ticket or a key. @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 */
function wantsPassword({ status, header }: Answer): boolean {
  const challenges = status === 401 ? (header('www-authenticate') ?? '') : '';
  // A scheme stands alone or before a space; a parameter has an equals sign. Commas divide both, and may stand in quotes.
  const parts = challenges.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').split(',');
  return parts.some((part) => /^(?!(?:Bearer|DPoP)(?:\s|$))[^\s=]+(?:\s+[^\s=]|$)/i.test(part.trim()));
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

interface ErrorBody {
  readonly fields: Readonly<Record<string, string[]>>;
  readonly sentences: readonly string[];
  readonly scopes: readonly string[];
  /** Such as `insufficient_scope`; a sentence where there is no code. */
  readonly code: string | undefined;
}

/** No error of the platform says more. */
const mostTexts = 100;
const longestError = 64 * 1024;

/** Reads `{message: string}`, `{message: {field: [string]}}`, `{error: string}`, `{error: code, error_description: string}`. */
function readErrorBody(body: unknown, clean: Clean): ErrorBody {
  const { message, error, error_description: description, scope } = isObject(body) ? body : ({} as never);
  let left = longestError;
  const read = (text: string): string => ((left -= text.length) < 0 ? '' : clean(text));
  const textsIn = (said: unknown): string[] =>
    [said]
      .flat()
      .slice(0, mostTexts)
      .flatMap((text) => (typeof text === 'string' ? read(text) : []));
  const said = [message, description ?? error];
  const sentences = said.flatMap(textsIn);
  // Such as `active is missing, integrated is invalid`.
  const inSentences = sentences
    .flatMap((sentence) => sentence.split(', '))
    .flatMap((part) => {
      const [, name, problem] = /^([a-z]\w*(?:\[\w*\])*) ((?:is|does|has|must) .+)$/.exec(part) ?? [];
      return name === undefined || problem === undefined ? [] : [[name, [problem]] as [string, string[]]];
    });
  const named = said
    .filter(isObject)
    .flatMap((fields) => Object.entries(fields).slice(0, mostTexts))
    .map(([name, problems]): [string, string[]] => [read(name), textsIn(problems)]);
  return {
    // `__proto__` is a name like any other to the instance.
    fields: Object.fromEntries([...inSentences, ...named]),
    sentences,
    scopes: textsIn(scope).flatMap((text) => text.split(/[\s,]+/, mostTexts).filter(Boolean)),
    code: typeof error === 'string' ? error : undefined,
  };
}

/** The permissions in brackets in sentences such as `… with the following project permissions: [Event: Read, User: Read].` */
function permissionsIn(sentence: string): string[] {
  const listed = [...sentence.slice(0, 2000).matchAll(/\[([\w :,-]+)\]/g)].flatMap(([, names = '']) =>
    names.split(','),
  );
  return listed.map((name) => name.trim()).filter((name) => /^\w.*: \w/.test(name));
}

const refusalCodes = new Map<string, AccountRefusal>([
  ['dpop_error', 'dpop'],
  ['restricted_language_server_client_error', 'client'],
]);

/** The platform has no codes for these. @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/auth/user_access_denied_reason.rb */
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
