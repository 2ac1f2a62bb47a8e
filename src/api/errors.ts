/**
 * What can go wrong with a request, as one class for each reason a user can act on.
 *
 * Messages hold the method, the path template and the instance's host; they never hold the token, a query value or the
 * body of a record. What the instance said about it is in `sentence` and `fields`: text of the instance, to be treated as
 * hostile until escaped, with the token blotted out should the instance have repeated it.
 *
 * This module imports nothing, so that it can be loaded where the client itself is not.
 */

/** The facts that every error carries. */
export interface RequestFacts {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path below `/api/v4` with its parameters by name, such as `/projects/:id/events`. */
  readonly pathTemplate: string;
  /** Host and port of the instance, as in its URL. */
  readonly instance: string;
  /** The instance's URL, without a slash at its end. */
  readonly instanceUrl?: string | undefined;
  /** The status of the response, if there was one. */
  readonly status?: number | undefined;
  /** The instance's own name for the request (`x-request-id`), by which its administrators find it in their logs. */
  readonly requestId?: string | undefined;
}

/** What all errors of the client have in common. Every class made of it belongs into `ApiError`. */
abstract class RequestError extends Error {
  // Written out in each: minified, classes have other names.
  abstract override readonly name: string;
  abstract readonly reason: string;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path below `/api/v4` with its parameters by name, such as `/projects/:id/events`. */
  readonly pathTemplate: string;
  /** Host and port of the instance, as in its URL. */
  readonly instance: string;
  /** The instance's URL, without a slash at its end; of errors that a client made. */
  readonly instanceUrl: string | undefined;
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined;
  /** The instance's own name for the request (`x-request-id`), if it gave one. */
  readonly requestId: string | undefined;

  constructor(facts: RequestFacts, problem: string) {
    // It goes into logs, where what an instance says must not look like a line of its own.
    super(
      `${facts.method} ${facts.pathTemplate} at ${facts.instance}: ${problem.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`,
    );
    this.method = facts.method;
    this.pathTemplate = facts.pathTemplate;
    this.instance = facts.instance;
    this.instanceUrl = facts.instanceUrl;
    this.status = facts.status;
    this.requestId = facts.requestId;
  }
}

/** The token is missing, unknown, expired or revoked (401). */
export class NotSignedInError extends RequestError {
  override readonly name = 'NotSignedInError';
  readonly reason = 'notSignedIn';
  /** What the instance said about it, such as that the token is expired. */
  readonly sentence: string | undefined;
  /** Whether another token is there already, so that the same request may succeed: it is not one that is sent twice. */
  readonly isReplaced: boolean;

  constructor(facts: RequestFacts, sentence?: string, isReplaced = false) {
    super(facts, `the instance does not accept the token${isReplaced ? ', which has been replaced' : ''}`);
    this.sentence = sentence;
    this.isReplaced = isReplaced;
  }
}

/** The token lacks a scope (403). A token's scopes are fixed: the user needs another token. */
export class MissingScopeError extends RequestError {
  override readonly name = 'MissingScopeError';
  readonly reason = 'missingScope';
  /** The scopes of which the token needs one; empty if the instance did not say. */
  readonly requiredScopes: readonly string[];

  constructor(facts: RequestFacts, requiredScopes: readonly string[]) {
    super(facts, `the token lacks a scope${requiredScopes.length > 0 ? ` (${requiredScopes.join(', ')})` : ''}`);
    this.requiredScopes = requiredScopes;
  }
}

/**
 * The instance wants a fine-grained token with certain permissions, or takes none (403). A group can require such tokens: then
 * a classic token is refused whatever its scopes are.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens/
 */
export class MissingPermissionError extends RequestError {
  override readonly name = 'MissingPermissionError';
  readonly reason = 'missingPermission';
  /** Such as `Event: Read`, as the instance names them; empty where it takes no fine-grained token. */
  readonly permissions: readonly string[];
  /** What the instance said about it. */
  readonly sentence: string | undefined;

  constructor(facts: RequestFacts, permissions: readonly string[], sentence?: string) {
    super(facts, `refused to a token without the permissions of this operation`);
    this.permissions = permissions;
    this.sentence = sentence;
  }
}

/**
 * Why an account is refused, whatever its role is and however good its token: `dpop` is the proof of possession that is required
 * with each request, `client` a program that the instance does not let in.
 */
export type AccountRefusal =
  | 'blocked'
  | 'pendingApproval'
  | 'deactivated'
  | 'terms'
  | 'passwordExpired'
  | 'unconfirmed'
  | 'twoFactor'
  | 'ipAddress'
  | 'dpop'
  | 'impersonation'
  | 'client';

/** The account is refused, or the kind of its token (401, 403): neither another role nor a new token of the same kind helps. */
export class AccountRefusedError extends RequestError {
  override readonly name = 'AccountRefusedError';
  readonly reason = 'accountRefused';
  readonly refusal: AccountRefusal;
  /** What the instance said about it. */
  readonly sentence: string;

  constructor(facts: RequestFacts, refusal: AccountRefusal, sentence: string) {
    super(facts, `the account is refused (${refusal})`);
    this.refusal = refusal;
    this.sentence = sentence;
  }
}

/** The user's role does not allow this (403), or the instance forbids it for a reason that it states. */
export class MissingRoleError extends RequestError {
  override readonly name = 'MissingRoleError';
  readonly reason = 'missingRole';
  /** What the instance said about it. */
  readonly sentence: string | undefined;
  /** The reason that the sentence states; undefined where it says no more than that this is forbidden. */
  readonly statedReason: string | undefined;

  constructor(facts: RequestFacts, sentence?: string) {
    super(facts, 'the role of the user does not allow this');
    this.sentence = sentence;
    this.statedReason = /^403 Forbidden - (.+)$/s.exec(sentence ?? '')?.[1];
  }
}

/** There is nothing at this address, or it is hidden from this user: the platform does not distinguish the two (404). */
export class NotFoundError extends RequestError {
  override readonly name = 'NotFoundError';
  readonly reason = 'notFound';
  /** What the instance said about it, such as `404 Project Not Found`. */
  readonly sentence: string | undefined;

  constructor(facts: RequestFacts, sentence?: string) {
    super(facts, 'not found, or hidden from this user');
    this.sentence = sentence;
  }
}

/** What it is: it wants a password of its own, sends to a page for signing in, or keeps out programs or networks. */
export type Obstacle = 'password' | 'page' | 'protection';

/** A web server or proxy in front of the instance answers in its place: neither the URL nor the token is known to be wrong. */
export class InFrontError extends RequestError {
  override readonly name = 'InFrontError';
  readonly reason = 'inFront';
  readonly obstacle: Obstacle;

  constructor(facts: RequestFacts, obstacle: Obstacle) {
    super(facts, `answered in front of the instance (${obstacle})`);
    this.obstacle = obstacle;
  }
}

/** The instance points to another origin, to which the token was not sent. */
export class MovedElsewhereError extends RequestError {
  override readonly name = 'MovedElsewhereError';
  readonly reason = 'movedElsewhere';
  /** The origin that the instance points to, such as `https://gitlab.example.org`. */
  readonly foreignOrigin: string;
  /** Whether it does so as to a page, which is most likely one for signing in, rather than to where its API is (302, 303). */
  readonly isPage: boolean;

  constructor(facts: RequestFacts, foreignOrigin: string, isPage = false) {
    super(facts, `moved to another origin, ${foreignOrigin}`);
    this.foreignOrigin = foreignOrigin;
    this.isPage = isPage;
  }
}

/** A parameter is not acceptable (400, 422). */
export class ValidationError extends RequestError {
  override readonly name = 'ValidationError';
  readonly reason = 'validation';
  /** What is wrong with which field, e.g. `{ notification_email: ['must be an email you have verified'] }`; may be empty. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What the instance said about the request as a whole; may be empty. */
  readonly sentences: readonly string[];

  constructor(facts: RequestFacts, fields: Readonly<Record<string, readonly string[]>>, sentences: readonly string[]) {
    super(facts, `the instance does not accept ${fieldsLabel(Object.keys(fields))}`);
    this.fields = fields;
    this.sentences = sentences;
    // Of any size: a log of the error is none of all that the instance said.
    Object.defineProperty(this, 'fields', { enumerable: false });
  }
}

function fieldsLabel(names: readonly string[]): string {
  // An instance may name any number of them, of any length.
  const few = names.slice(0, 5).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  return names.length > 0 ? `the values of ${[...few, ...(names.length > 5 ? ['…'] : [])].join(', ')}` : 'a parameter';
}

/** The query string is too long for the instance (414), or for the bound known beforehand, and then was not sent. */
export class TooLongError extends RequestError {
  override readonly name = 'TooLongError';
  readonly reason = 'tooLong';
  /** The length of the address's path and query in bytes. */
  readonly length: number;
  /** The bound in bytes; undefined if the instance refused without naming one. */
  readonly bound: number | undefined;

  constructor(facts: RequestFacts, length: number, bound?: number) {
    super(facts, `the query is too long (${length} bytes${bound === undefined ? '' : `, at most ${bound}`})`);
    this.length = length;
    this.bound = bound;
  }
}

/** The instance understood and refuses: not by this method, not in this state, not that far (405, 409, other 4xx). */
export class RefusedError extends RequestError {
  override readonly name = 'RefusedError';
  readonly reason = 'refused';
  /** What the instance said about it. */
  readonly sentence: string | undefined;

  constructor(facts: RequestFacts, sentence?: string) {
    super(facts, `refused with status ${facts.status ?? 'unknown'}`);
    this.sentence = sentence;
  }
}

/**
 * The instance refuses a step of OAuth. Its code, such as `invalid_grant` or `access_denied`, says why.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @see https://www.rfc-editor.org/rfc/rfc8628#section-3.5
 */
export class GrantRefusedError extends RequestError {
  override readonly name = 'GrantRefusedError';
  readonly reason = 'grantRefused';
  readonly code: string;

  constructor(facts: RequestFacts, code: string) {
    super(facts, `refused (${code})`);
    this.code = code;
  }
}

/** Too many requests (429). All requests of the client to this instance wait until then, or fail with this error too. */
export class RateLimitedError extends RequestError {
  override readonly name = 'RateLimitedError';
  readonly reason = 'rateLimited';
  /** When the instance takes requests again; undefined if it did not say. */
  readonly retryAt: Date | undefined;

  constructor(facts: RequestFacts, retryAt?: Date) {
    super(facts, `too many requests${retryAt === undefined ? '' : `, again from ${retryAt.toISOString()}`}`);
    this.retryAt = retryAt;
  }
}

/** Where a request to an unavailable instance failed: `status` is an answer that reports a fault, the others are the way to it. */
export type UnavailableKind = 'status' | 'network' | 'timeout' | 'dns' | 'tls' | 'proxy';

/** Who failed on the way to an instance, or came instead of it. */
export interface FailureSource {
  /** Host and port of the proxy. */
  readonly proxy?: string;
  /** The SHA-256 fingerprint of the certificate. */
  readonly fingerprint?: string;
}

/** What else is known of an unavailable instance. */
export interface UnavailableDetails extends FailureSource {
  /** What the instance said about it. */
  readonly sentence?: string | undefined;
}

/** The instance cannot be reached or cannot answer (5xx, network, timeout, DNS, TLS, proxy). Trying again later may help. */
export class UnavailableError extends RequestError {
  override readonly name = 'UnavailableError';
  readonly reason = 'unavailable';
  readonly kind: UnavailableKind;
  /**
   * What exactly: a code such as `ENOTFOUND` or `ECONNREFUSED`, the phase of a timeout (`connect`, `headers`, `body`), or
   * the problem of the certificate, such as `DEPTH_ZERO_SELF_SIGNED_CERT` or `CERT_HAS_EXPIRED`; of a proxy also the status
   * with which it refuses, such as `407`; `BODY_TOO_LONG` of an answer that no page of the API comes near.
   */
  readonly detail: string | undefined;
  /** Host and port of the proxy that failed, if `kind` is `proxy` and it is known. */
  readonly proxy: string | undefined;
  /** The fingerprint of the certificate that came instead of the one trusted, if that is what is wrong. */
  readonly fingerprint: string | undefined;
  /** What the instance said about it, such as which service behind it fails. */
  readonly sentence: string | undefined;

  constructor(
    facts: RequestFacts,
    kind: UnavailableKind,
    detail?: string,
    { proxy, fingerprint, sentence }: UnavailableDetails = {},
  ) {
    super(
      facts,
      `unavailable: ${kind === 'status' ? `status ${facts.status ?? 'unknown'}` : kind}${detail === undefined ? '' : ` (${detail})`}`,
    );
    this.kind = kind;
    this.detail = detail;
    this.proxy = proxy;
    this.fingerprint = fingerprint;
    this.sentence = sentence;
  }
}

/** What answers at this address does not speak the API: HTML, other JSON, an unusable redirect. */
export class NotAnInstanceError extends RequestError {
  override readonly name = 'NotAnInstanceError';
  readonly reason = 'notAnInstance';
  /** What came instead, such as `text/html`. */
  readonly found: string;

  constructor(facts: RequestFacts, found: string) {
    super(facts, `not an answer of the API but ${found}`);
    this.found = found;
  }
}

/** The caller's signal ended the request, or the client is closed. */
export class AbortedError extends RequestError {
  override readonly name = 'AbortedError';
  readonly reason = 'aborted';

  constructor(facts: RequestFacts) {
    super(facts, 'aborted');
  }
}

/** What was given for a project, group or user is none, such as a path with `..`. Nothing was sent. */
export class UnusablePathError extends TypeError {
  override readonly name = 'UnusablePathError';
}

/** An outcome of a request other than the one asked for; `switch (error.reason)` says which. */
export type ApiError =
  | NotSignedInError
  | MissingScopeError
  | MissingPermissionError
  | AccountRefusedError
  | MissingRoleError
  | NotFoundError
  | InFrontError
  | MovedElsewhereError
  | ValidationError
  | TooLongError
  | RefusedError
  | GrantRefusedError
  | RateLimitedError
  | UnavailableError
  | NotAnInstanceError
  | AbortedError;

/** The reason of an error: one per class. */
export type ApiErrorReason = ApiError['reason'];

/** Whether an error is one of the client's; with a reason, of that one. */
export function isApiError<Reason extends ApiErrorReason = ApiErrorReason>(
  error: unknown,
  reason?: Reason,
): error is Extract<ApiError, { readonly reason: Reason }> {
  return error instanceof RequestError && (reason === undefined || error.reason === reason);
}
