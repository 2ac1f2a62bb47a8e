import { randomText, sha256 } from '../common/bytes.ts';
import { bodyOf, errorOfRedirect, jsonOf } from './answers.ts';
import { apiError, type RequestFacts } from './errors.ts';
import { field, RecordReader } from './fields.ts';
import { isObject } from './grammar.ts';
import { InFlight } from './inFlight.ts';
import { cleaning } from './secrets.ts';
import { type Content, Sender, type SenderOptions, tokenHeaders } from './sender.ts';
import type { Answer } from './transport.ts';
import { addressAt, destinationOf, instanceUrlOf, pathOf } from './url.ts';

/**
 * What Beacon asks for.
 * @see https://docs.gitlab.com/integration/oauth_provider/#view-all-authorized-applications
 */
const wantedScope = 'api';

const refusalCode = /^(?:(?:invalid|unsupported)_[a-z_]{1,40}|unauthorized_client|access_denied)$/;

/** Tokens and codes that travel in a header, a form or an address. */
const isSecret = (text: string): boolean => /^[\x21-\x7E]{1,1024}$/.test(text);

const tokens = new RecordReader({
  access_token: field.required(isSecret),
  token_type: field.required((type) => /^bearer$/i.test(type)),
  refresh_token: field.optional(isSecret),
  expires_in: field.number(),
});
const infos = new RecordReader({ scope: field.words(100), expires_in: field.number() });

export interface OAuthOptions extends SenderOptions {
  /** The instance's web address, without a slash at its end. */
  readonly instanceUrl: string;
  /** Of an application that is registered there and not confidential. */
  readonly applicationId: string;
  readonly onClose?: (() => Promise<void>) | undefined;
}

export interface TokenPair {
  readonly accessToken: string;
  /** Valid once; absent if the instance gives none. */
  readonly refreshToken?: string;
  /** Seconds that the access token lives; undefined if it does not expire. */
  readonly expiresIn: number | undefined;
}

export interface TokenInfo {
  readonly scopes: readonly string[] | undefined;
  /** Seconds; undefined if it does not expire. */
  readonly expiresIn: number | undefined;
}

export interface AuthorizationSecrets {
  readonly state: string;
  /** Proves that who redeems the code has asked for it (PKCE). */
  readonly verifier: string;
}

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
  readonly #sender: Sender;
  readonly #inFlight = new InFlight<Answer>();

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#sender = new Sender(options);
  }

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
    const content = { headers: tokenHeaders(accessToken, true) };
    const reply = await this.#send('GET', '/oauth/token/info', content, [accessToken], signal);
    const { scope: scopes, expires_in: expiresIn } = infos.one(reply);
    return { scopes, expiresIn: expiresIn ?? undefined };
  }

  /** Ends requests under way and refuses others; closes the connections. */
  async close(): Promise<void> {
    this.#inFlight.close();
    await this.#sender.close();
    await this.#options.onClose?.();
  }

  async #tokens(form: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<TokenPair> {
    const record = tokens.one(await this.#post('/oauth/token', form, signal));
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = record;
    return {
      accessToken,
      ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
      expiresIn: expiresIn ?? undefined,
    };
  }

  async #post(path: string, form: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
    const body = new URLSearchParams({ client_id: this.#options.applicationId, ...form }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return await this.#send('POST', path, { headers, body }, Object.values(form), signal);
  }

  async #send(
    method: 'GET' | 'POST',
    pathTemplate: string,
    content: Content,
    secrets: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly json: unknown; readonly facts: RequestFacts }> {
    const { instanceUrl } = this.#options;
    const base = instanceUrlOf(instanceUrl);
    const url = addressAt(base, pathOf(base) + pathTemplate);
    const asked = { method, pathTemplate, instance: base.host, instanceUrl };
    const send = (controller: AbortController) => this.#sender.exchange(asked, url, content, controller);
    const answer = await this.#inFlight.join(asked, Symbol(method), signal, send);
    const { status } = answer;
    const facts = { ...asked, status };
    const clean = cleaning(...secrets);
    if (status >= 300 && status < 400) {
      throw errorOfRedirect(destinationOf(base, url, answer.header('location')).foreignOrigin, facts, clean);
    }
    const said = method === 'POST' && status >= 400 && status < 500 ? bodyOf(answer).json : undefined;
    const code = isObject(said) ? said['error'] : undefined;
    // A sentence is no code.
    if (typeof code === 'string' && refusalCode.test(code)) {
      throw apiError(facts, { reason: 'grantRefused', code: clean(code) });
    }
    if (status === 429) {
      throw apiError(facts, { reason: 'rateLimited' });
    }
    return { json: jsonOf(answer, facts, clean, url), facts };
  }
}
