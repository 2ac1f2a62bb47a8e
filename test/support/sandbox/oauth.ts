import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { cors } from 'hono/cors';
import { html } from 'hono/html';
import { Hono } from 'hono/tiny';
import type { User } from '../../../src/sandbox/state/model.ts';
import type { World } from '../../../src/sandbox/state/world.ts';

/** Seconds that an access token lives. */
const tokenLife = 7200;
/** Seconds that a code of an authorization lives. */
const codeLife = 600;

/** What a user has allowed an application. */
interface Grant {
  readonly application: string;
  readonly user: User;
  readonly scopes: readonly string[];
}

interface AuthorizationCode extends Grant {
  readonly redirectUri: string;
  /** Of PKCE, by S256. */
  readonly challenge: string;
  readonly expiresAt: number;
}

/** The public applications, which have no secret, and grants of an instance. Codes and refresh tokens are valid once. */
export class OAuthStore {
  /** The redirect URIs of applications by their ids. */
  readonly applications = new Map<string, readonly string[]>();
  readonly codes = new Map<string, AuthorizationCode>();
  /** What refresh tokens are good for, with the access tokens that go with them. */
  readonly refreshTokens = new Map<string, Grant & { readonly accessToken: string }>();

  /** Registers an application; answers with its id. */
  register(redirectUris: readonly string[], id = randomBytes(32).toString('hex')): string {
    this.applications.set(id, redirectUris);
    return id;
  }
}

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * The OAuth provider of the instance: authorization code with PKCE, refresh tokens. Who allows something in
 * the browser is the owner of the sample data.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function oauthRoutes(world: World, store: OAuthStore, instanceUrl: string, now: () => Date): Hono {
  const seconds = () => Math.floor(now().getTime() / 1000);
  const [owner] = world.users;
  const revoke = (accessToken: string): void => {
    const token = world.token(accessToken);
    if (token) {
      token.revoked = true;
    }
  };

  const grantTokens = (context: Context, { application, user, scopes }: Grant): Response => {
    const [value, refreshToken] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
    const rest = { isOAuth: true, createdAt: now(), revoked: false };
    const expiresAt = new Date(now().getTime() + tokenLife * 1000);
    world.addToken({ id: world.nextTokenId(), value, name: 'Application', user, scopes, expiresAt, ...rest });
    store.refreshTokens.set(refreshToken, { application, user, scopes, accessToken: value });
    return context.json({
      access_token: value,
      token_type: 'Bearer',
      expires_in: tokenLife,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
      created_at: seconds(),
    });
  };
  const invalidGrant = (context: Context): Response =>
    refused(
      context,
      'invalid_grant',
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    );

  // What a page of another origin needs that signs in with a code.
  const permitPages = cors({ origin: '*', allowMethods: ['POST'], allowHeaders: ['Authorization'], maxAge: 7200 });
  return new Hono()
    .use('/oauth/token', permitPages)
    .use('/oauth/revoke', permitPages)
    .get('/oauth/authorize', (context) => {
      const query = context.req.query();
      const problem = authorizationProblem(store, query);
      return problem === undefined
        ? context.html(consentPage(query, `Authorize the application to use ${instanceUrl}?`))
        : context.text(`The application cannot be authorized. ${problem}`, 400);
    })
    .post('/oauth/authorize', async (context) => {
      const form = await formOf(context);
      const problem = authorizationProblem(store, form);
      const { client_id: application = '', redirect_uri: redirectUri = '', code_challenge: challenge = '' } = form;
      if (problem !== undefined || !owner) {
        return refused(context, 'invalid_request', problem);
      }
      const target = new URL(redirectUri);
      target.searchParams.set('state', form['state'] ?? '');
      if (form['decision'] === 'authorize') {
        const code = randomBytes(32).toString('hex');
        const scopes = (form['scope'] ?? '').split(/[\s+]+/).filter(Boolean);
        const expiresAt = seconds() + codeLife;
        store.codes.set(code, { application, user: owner, scopes, redirectUri, challenge, expiresAt });
        target.searchParams.set('code', code);
      } else {
        target.searchParams.set('error', 'access_denied');
      }
      return context.redirect(target.href);
    })
    .post('/oauth/token', async (context) => {
      const form = await formOf(context);
      switch (form['grant_type']) {
        case 'authorization_code': {
          const code = form['code'] ?? '';
          const grant = store.codes.get(code);
          store.codes.delete(code);
          const verifier = createHash('sha256').update(form['code_verifier'] ?? '');
          return grant &&
            grant.expiresAt > seconds() &&
            grant.application === form['client_id'] &&
            grant.redirectUri === form['redirect_uri'] &&
            grant.challenge === verifier.digest('base64url')
            ? grantTokens(context, grant)
            : invalidGrant(context);
        }
        case 'refresh_token': {
          const refreshToken = form['refresh_token'] ?? '';
          const grant = store.refreshTokens.get(refreshToken);
          if (!grant || grant.application !== form['client_id']) {
            return invalidGrant(context);
          }
          store.refreshTokens.delete(refreshToken);
          revoke(grant.accessToken);
          return grantTokens(context, grant);
        }
        default:
          return refused(context, 'unsupported_grant_type', 'The authorization grant type is not supported.');
      }
    })
    .post('/oauth/revoke', async (context) => {
      const { client_id: application, token = '' } = await formOf(context);
      const found = [...store.refreshTokens].find(([refreshToken, { accessToken }]) =>
        [refreshToken, accessToken].includes(token),
      );
      if (found && found[1].application !== application) {
        return refused(context, 'unauthorized_client', 'You are not authorized to revoke this token', 403);
      }
      if (found) {
        store.refreshTokens.delete(found[0]);
        revoke(found[1].accessToken);
      }
      return context.json({});
    });
}

/** Why an application gets no authorization; undefined if it may ask for it. */
function authorizationProblem(store: OAuthStore, parameters: Parameters): string | undefined {
  const redirectUris = store.applications.get(parameters['client_id'] ?? '');
  if (!redirectUris) {
    return 'The application is not known.';
  }
  const redirectUri = parameters['redirect_uri'] ?? '';
  if (!redirectUris.some((registered) => isRedirectUri(redirectUri, registered))) {
    return 'The redirect URI is not one of the application.';
  }
  if (parameters['response_type'] !== 'code') {
    return 'The response type is not supported.';
  }
  return parameters['code_challenge_method'] === 'S256' && /^[\w-]{43}$/.test(parameters['code_challenge'] ?? '')
    ? undefined
    : 'A public application has to use PKCE with S256.';
}

/**
 * Whether a redirect URI is the registered one, as the library compares them that instances use (Doorkeeper 5): the query does not
 * count where none is registered, nor the port of a loopback address.
 *
 * @see https://github.com/doorkeeper-gem/doorkeeper/blob/v5.9.6/lib/doorkeeper/oauth/helpers/uri_checker.rb
 */
function isRedirectUri(given: string, registered: string): boolean {
  if (!URL.canParse(given)) {
    return false;
  }
  const [one, other] = [new URL(given), new URL(registered)];
  if ([one, other].every(({ hostname }) => /^(?:127(?:\.\d+){3}|\[::1\])$/.test(hostname))) {
    one.port = other.port;
  }
  if (other.search === '') {
    one.search = '';
  }
  return one.href === other.href;
}

async function formOf({ req }: Context): Promise<Parameters> {
  return Object.fromEntries(new URLSearchParams(await req.text()));
}

function refused(context: Context, error: string, description?: string, status: 400 | 403 = 400): Response {
  return context.json({ error, error_description: description }, status);
}

/** A page that asks the user. */
function consentPage(parameters: Readonly<Record<string, string>>, question: string): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <title>Sandbox</title>
      <meta name="color-scheme" content="light dark" />
      <form method="post" action="/oauth/authorize">
        <h1>${question}</h1>
        ${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button name="decision" value="authorize">Authorize</button>
        <button name="decision" value="deny">Deny</button>
      </form>
    </html>`;
}
