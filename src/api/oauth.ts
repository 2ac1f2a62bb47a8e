import { randomText, sha256 } from '../common/bytes.ts';
import { field, RecordReader } from './fields.ts';
import { type Call, type ClientOptions, Requester } from './request.ts';
import type { ApiPath } from './url.ts';

const wantedScope = 'api';

/** Tokens and codes that travel in a header, a form or an address. */
const isSecret = (text: string): boolean => /^[\x21-\x7E]{1,1024}$/.test(text);

const tokens = new RecordReader({
  access_token: field.required(isSecret),
  token_type: field.required((type) => /^bearer$/i.test(type)),
  refresh_token: field.optional(isSecret),
  expires_in: field.number(),
  scope: field.line(1000),
});

export interface OAuthOptions extends Pick<ClientOptions, 'fetch' | 'log' | 'clock'> {
  /** Without a slash at its end. */
  readonly instanceUrl: string;
  /** Of an application that is registered there and not confidential. */
  readonly applicationId: string;
}

export interface TokenPair {
  readonly accessToken: string;
  /** Valid once; absent if the instance gives none. */
  readonly refreshToken?: string;
  /** Seconds that the access token lives; undefined if it does not expire. */
  readonly expiresIn: number | undefined;
  readonly scopes: readonly string[];
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
 * The page of an instance that asks the user to authorize an application.
 *
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
 * For an application without a secret. All reject with an ApiError: `grantRefused` where the instance says no.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export class OAuthProvider {
  readonly #applicationId: string;
  readonly #requester: Requester;

  constructor({ applicationId, ...options }: OAuthOptions) {
    this.#applicationId = applicationId;
    this.#requester = new Requester(options);
  }

  async redeem(code: string, verifier: string, redirectUri: string, signal?: AbortSignal): Promise<TokenPair> {
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
    return await this.#tokens(form, signal);
  }

  /** Exchanges a refresh token, which is valid once, as is the access token that goes with it from then on. */
  async refresh(refreshToken: string, signal?: AbortSignal): Promise<TokenPair> {
    return await this.#tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal);
  }

  /** Takes back the rights of either token. */
  async revoke(token: string, signal?: AbortSignal): Promise<void> {
    await this.#requester.send(this.#step('revoke', { token }, signal));
  }

  async close(): Promise<void> {
    await this.#requester.close();
  }

  async #tokens(form: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<TokenPair> {
    const record = await tokens.fetch(this.#requester, this.#step('token', form, signal));
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = record;
    return {
      accessToken,
      ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
      expiresIn: expiresIn ?? undefined,
      // What is not named is what was asked for.
      scopes: (scope || wantedScope).split(' '),
    };
  }

  #step(name: string, form: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Call {
    return { method: 'POST', path: pathOf(name), form: { client_id: this.#applicationId, ...form }, signal };
  }
}

function pathOf(name: string): ApiPath {
  return { template: `/oauth/${name}`, encoded: `/oauth/${name}`, isBesideApi: true };
}
