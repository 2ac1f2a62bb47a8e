/**
 * What can go wrong with a request: one error, whose reason says what a user can do about it. Its message never holds the token, a
 * value of a query or a part of a record. This module imports nothing, so that it can be loaded where the client itself is not.
 */

export interface RequestFacts {
  readonly method: string;
  /** The path below `/api/v4` with its parameters by name, such as `/projects/:id/events`. */
  readonly pathTemplate: string;
  readonly instance: string;
  readonly instanceUrl?: string | undefined;
  readonly status?: number | undefined;
  /** The instance's own name for the request (`x-request-id`), by which its administrators find it. */
  readonly requestId?: string | undefined;
}

/** Why an account is refused: `dpop` is a proof of possession that is required with each request, `client` a program that is kept out. */
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

/** What stands in front of an instance: it wants a password of its own, sends to a page for signing in, or keeps out programs. */
export type Obstacle = 'password' | 'page' | 'protection';

/** What kept a request from getting an answer. */
export interface Failure {
  readonly kind: 'status' | 'network' | 'timeout' | 'dns' | 'tls' | 'proxy';
  /** A code such as `ECONNREFUSED`, the phase of a timeout, the problem of a certificate, the status with which a proxy refuses. */
  readonly detail?: string | undefined;
  /** Host and port. */
  readonly proxy?: string | undefined;
  /** The SHA-256 fingerprint of the certificate that came instead of the one trusted. */
  readonly fingerprint?: string | undefined;
  /** Whether the instance may have received the request, and acted on it. */
  readonly mayHaveArrived?: boolean;
  /** Milliseconds that the instance asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** Each `sentence` is what the instance said. */
interface Said {
  readonly sentence?: string | undefined;
}

interface Reasons {
  /** The token is missing, unknown, expired or revoked (401). `isReplaced`: another one is there, and nothing was sent twice. */
  notSignedIn: Said & { readonly isReplaced?: boolean };
  /** The token lacks one of these scopes, if the instance says which (403). */
  missingScope: { readonly requiredScopes: readonly string[] };
  /** A fine-grained token is wanted with permissions such as `Event: Read`, or none is taken (403). */
  missingPermission: Said & { readonly permissions: readonly string[] };
  /** Neither another role nor a new token of the same kind helps (401, 403). */
  accountRefused: { readonly refusal: AccountRefusal; readonly sentence: string };
  /** The role does not allow this (403), or something else does not, which `statedReason` then says. */
  missingRole: Said & { readonly statedReason?: string | undefined };
  /** There is nothing at this address, or it is hidden from this user: the platform does not distinguish the two (404). */
  notFound: Said;
  /** A web server or proxy in front of the instance answers in its place: neither URL nor token is known to be wrong. */
  inFront: { readonly obstacle: Obstacle };
  /** The instance points to another origin, which did not get the token. `isPage`: most likely to a page for signing in. */
  movedElsewhere: { readonly foreignOrigin: string; readonly isPage: boolean };
  /** A parameter is not acceptable (400, 422). `fields` are as the instance names them. */
  validation: {
    readonly fields: Readonly<Record<string, readonly string[]>>;
    readonly sentences: readonly string[];
  };
  /** The address is too long for the instance (414, 431): its length in bytes. */
  tooLong: { readonly length: number };
  /** The instance understood and refuses: not by this method, not in this state, not that far (other 4xx). */
  refused: Said;
  /** A step of OAuth is refused. @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
  grantRefused: { readonly code: string };
  /** Too many requests (429). All requests of the client wait until then, or fail with this error, too. */
  rateLimited: { readonly retryAt?: Date | undefined };
  /** The instance cannot be reached or cannot answer. */
  unavailable: Failure & Said;
  /** What answers at this address does not speak the API. */
  notAnInstance: { readonly found: string };
  /** The caller's signal ended the request, or the client is closed. */
  aborted: object;
}

export type ApiErrorReason = keyof Reasons;

export type Problem<R extends ApiErrorReason = ApiErrorReason> = {
  [Reason in R]: { readonly reason: Reason } & Reasons[Reason];
}[R];

class RequestError extends Error {
  override readonly name = 'ApiError';

  constructor(facts: RequestFacts, problem: Problem) {
    const { reason, ...details } = problem;
    // What an instance says in words is in the error, but not in its message.
    const said = Object.entries({ status: facts.status, ...details }).flatMap(([name, value]) =>
      /^(?:string|number)$/.test(typeof value) && !/^(?:sentence|statedReason)$/.test(name) ? `${name} ${value}` : [],
    );
    // It goes into logs, where it must not look like a line of its own.
    const what = [reason, ...said].join(', ').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    super(`${facts.method} ${facts.pathTemplate} at ${facts.instance}: ${what.slice(0, 1000)}`);
    Object.assign(this, facts, problem);
  }
}

/** An outcome of a request other than the one asked for; `switch (error.reason)` says which. */
export type ApiError<R extends ApiErrorReason = ApiErrorReason> = RequestError & RequestFacts & Problem<R>;

export function apiError<R extends ApiErrorReason>(facts: RequestFacts, problem: Problem<R>): ApiError<R> {
  return new RequestError(facts, problem as Problem) as ApiError<R>;
}

/** Whether an error is one of the client's, for one of these reasons if any are given. */
export function isApiError<R extends ApiErrorReason = ApiErrorReason>(
  error: unknown,
  ...reasons: readonly R[]
): error is ApiError<R> {
  return error instanceof RequestError && (reasons.length === 0 || reasons.includes((error as ApiError<R>).reason));
}

/** What was given for a project, group or user is none, such as a path with `..`. Nothing was sent. */
export class UnusablePathError extends TypeError {
  override readonly name = 'UnusablePathError';
}
