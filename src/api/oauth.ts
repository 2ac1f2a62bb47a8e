import { randomText, sha256 } from '../common/bytes.ts';
import { field, RecordReader } from './fields.ts';
import type { Call, Requester } from './request.ts';

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
  { instanceUrl, applicationId }: { readonly instanceUrl: string; readonly applicationId: string },
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

export type OAuth = ReturnType<typeof oauthOf>;

/**
 * The steps of an application that is registered on the instance and not confidential. All reject with an ApiError: `grantRefused` where
 * the instance says no.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function oauthOf(requester: Requester, applicationId: string) {
  function step(name: string, form: NonNullable<Call['form']>, signal?: AbortSignal): Call {
    const path = `/oauth/${name}`;
    return {
      method: 'POST',
      path: { template: path, encoded: path },
      form: { client_id: applicationId, ...form },
      signal,
    };
  }
  async function pairBy(form: NonNullable<Call['form']>, signal?: AbortSignal): Promise<TokenPair> {
    const record = await tokens.fetch(requester, step('token', form, signal));
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = record;
    return {
      accessToken,
      ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
      expiresIn: expiresIn ?? undefined,
      // What is not named is what was asked for.
      scopes: (scope || wantedScope).split(' '),
    };
  }
  return {
    redeem: async (code: string, verifier: string, redirectUri: string, signal?: AbortSignal) =>
      await pairBy(
        { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
        signal,
      ),
    /** Exchanges a refresh token, which is valid once, as is the access token that goes with it from then on. */
    refresh: async (refreshToken: string) => await pairBy({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    /** Takes back the rights of either token. */
    revoke: async (token: string): Promise<void> => {
      await requester.send(step('revoke', { token }));
    },
  };
}
