import { randomText, sha256 } from '../common/bytes.ts';
import { openTransport } from '#platform/transport.ts';
import * as z from 'zod/mini';
import { type Clock, systemClock } from '../common/clock.ts';
import { bodyOf, cleaning, errorOfRedirect, errorOfStatus, malformed, wantsPassword } from './answers.ts';
import { apiError, type RequestFacts } from './errors.ts';
import { field, RecordReader } from './fields.ts';
import { type Call, exchange, type LogEntry } from './request.ts';
import type { Fetch, OpenTransport } from './transport.ts';
import { apiPath, destinationOf, instanceUrlOf, pathOf } from './url.ts';

/**
 * What Beacon asks for.
 * @see https://docs.gitlab.com/integration/oauth_provider/#view-all-authorized-applications
 */
const wantedScope = 'api';

/** Why a grant is refused: these are no secrets, whatever an instance gives for a code. */
const knownCodes: ReadonlySet<string> = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type'],
  ...['invalid_scope', 'access_denied'],
]);

/** Tokens and codes that travel in a header, a form or an address. */
const isSecret = (text: string): boolean => /^[\x21-\x7E]{1,4096}$/.test(text);
const secret = () => z.string().check(z.refine(isSecret));

const tokenSchema = z.looseObject({
  access_token: secret(),
  token_type: z.string().check(z.refine((type) => /^bearer$/i.test(type))),
  refresh_token: z.optional(secret()),
  expires_in: field.number(),
});
const infoSchema = z.looseObject({ scope: field.words(100), expires_in: field.number() });

const tokens = new RecordReader(tokenSchema);
const infos = new RecordReader(infoSchema);

/** How to reach the OAuth provider of an instance, and as which application. */
export interface OAuthOptions {
  /** The instance's web address, without a slash at its end. */
  readonly instanceUrl: string;
  /** Of an application that is registered there and not confidential. */
  readonly applicationId: string;
  /** What sends the requests; the provider's own connections if not given. */
  readonly fetch?: Fetch | undefined;
  /** Called when the provider is closed. */
  readonly onClose?: (() => Promise<void>) | undefined;
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
}

/** An access token with what makes the next one. */
export interface TokenPair {
  readonly accessToken: string;
  /** Valid once; absent if the instance gives none. */
  readonly refreshToken?: string;
  /** Seconds that the access token lives; undefined if it does not expire. */
  readonly expiresIn: number | undefined;
}

/** What the instance says of an access token. */
export interface TokenInfo {
  readonly scopes: readonly string[];
  /** Seconds; undefined if it does not expire. */
  readonly expiresIn: number | undefined;
}

/** The secrets of one authorization by the browser. */
export interface AuthorizationSecrets {
  /** Comes back with the answer. */
  readonly state: string;
  /** Proves that who redeems the code has asked for it (PKCE). */
  readonly verifier: string;
}

/** @returns secrets that nobody guesses. */
export function authorizationSecrets(): AuthorizationSecrets {
  return { state: randomText(32, 'base64url'), verifier: randomText(32, 'base64url') };
}

/**
 * The page of an instance that asks the user to authorize an application, with PKCE.
 *
 * @param redirectUri where the browser brings the answer.
 * @see https://docs.gitlab.com/api/oauth2/#authorization-code-with-proof-key-for-code-exchange-pkce
 */
export function authorizationPage(
  { instanceUrl, applicationId }: Pick<OAuthOptions, 'instanceUrl' | 'applicationId'>,
  { state, verifier }: AuthorizationSecrets,
  redirectUri: string,
): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    scope: wantedScope,
    code_challenge: sha256(verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  return `${instanceUrl}/oauth/authorize?${query.toString()}`;
}

/**
 * The OAuth provider of an instance, for an application without a secret. Every request is sent once and follows no redirect; what
 * is secret in it reaches neither an error nor the log. All reject with an ApiError: `grantRefused` where the instance says no.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export class OAuthProvider {
  readonly #options: OAuthOptions;
  readonly #transport: OpenTransport;
  readonly #clock: Clock;
  readonly #closed = new AbortController();

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { fetch } = options;
    this.#transport = fetch ? { fetch, close: async () => undefined } : openTransport();
  }

  /** Exchanges the code that the browser has brought, which is valid once. */
  async redeem(code: string, verifier: string, redirectUri: string, signal?: AbortSignal): Promise<TokenPair> {
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
    return await this.#tokens(form, signal);
  }

  /** Exchanges a refresh token, which is valid once, as is the access token that goes with it from then on. */
  async refresh(refreshToken: string, signal?: AbortSignal): Promise<TokenPair> {
    return await this.#tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal);
  }

  /** Takes the rights of a token back, be it the access token or the refresh token. */
  async revoke(token: string, signal?: AbortSignal): Promise<void> {
    await this.#post('/oauth/revoke', { token }, signal);
  }

  /** What an access token may do, and how many seconds it lives: `/personal_access_tokens/self` does not say that of one of OAuth. */
  async describe(accessToken: string, signal?: AbortSignal): Promise<TokenInfo> {
    const call: Call = { method: 'GET', path: apiPath('/oauth/token/info', {}), signal };
    const { scope: scopes, expires_in: expiresIn } = infos.one(await this.#send(call, accessToken));
    return { scopes, expiresIn: expiresIn ?? undefined };
  }

  /** Ends what is under way, and closes the connections that were opened here. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#transport.close();
    await this.#options.onClose?.();
  }

  async #tokens(form: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<TokenPair> {
    const record = tokens.one(await this.#post('/oauth/token', form, signal));
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = record;
    return { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }), expiresIn: expiresIn ?? undefined };
  }

  async #post(path: '/oauth/token' | '/oauth/revoke', form: object, signal?: AbortSignal) {
    const body = new URLSearchParams({ client_id: this.#options.applicationId, ...form });
    return await this.#send({ method: 'POST', path: apiPath(path, {}), form: body.toString(), signal });
  }

  async #send(call: Call, token?: string): Promise<{ readonly json: unknown; readonly facts: RequestFacts }> {
    const { instanceUrl, applicationId, log = () => undefined } = this.#options;
    const base = instanceUrlOf(instanceUrl);
    const url = new URL(base.origin);
    url.pathname = pathOf(base) + call.path.encoded;
    const signal = AbortSignal.any([call.signal ?? [], this.#closed.signal].flat());
    const asked = { method: call.method, pathTemplate: call.path.template, instance: base.host, instanceUrl };
    const sender = { transport: this.#transport, bearer: true, log, clock: this.#clock };
    const received = await exchange(sender, call, url, token, signal);
    const secrets = [...new URLSearchParams(call.form).values()].filter((value) => value !== applicationId);
    const clean = cleaning(token, ...secrets);
    if ('fault' in received) {
      const { fault, status } = received;
      throw apiError(
        { ...asked, status },
        signal.aborted ? { reason: 'aborted' } : { reason: 'unavailable', ...fault, detail: clean(fault.detail) },
      );
    }
    const { answer } = received;
    const facts = { ...asked, status: answer.status };
    if (answer.status >= 300 && answer.status < 400) {
      throw errorOfRedirect(destinationOf(base, url, answer.header('location')).foreignOrigin, facts, clean);
    }
    const { json } = bodyOf(answer);
    if (answer.status >= 200 && answer.status < 300) {
      if (json === undefined || json === malformed) {
        throw apiError(facts, { reason: 'notAnInstance', found: 'an answer without the JSON of OAuth' });
      }
      return { json, facts };
    }
    const code = call.method === 'POST' && answer.status < 500 ? refusalIn(json) : undefined;
    if (code !== undefined && (knownCodes.has(code) || !wantsPassword(answer))) {
      throw apiError(facts, { reason: 'grantRefused', code: knownCodes.has(code) ? code : clean(code) });
    }
    throw answer.status === 429
      ? apiError(facts, { reason: 'rateLimited' })
      : errorOfStatus(answer, facts, clean, url.pathname.length);
  }
}

/** The code of a refusal; a sentence is none. */
function refusalIn(json: unknown): string | undefined {
  const { error } = (typeof json === 'object' && json !== null ? json : {}) as { readonly error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : undefined;
}
