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

/** A public application: it has no secret. */
interface Application {
  readonly id: string;
  readonly redirectUris: readonly string[];
}

/** What a user has allowed an application. */
interface Grant {
  readonly application: string;
  readonly user: User;
  readonly scopes: readonly string[];
}

/** What a refresh token is good for. */
interface Renewal extends Grant {
  /** The access token that goes with it. */
  readonly accessToken: string;
}

interface AuthorizationCode extends Grant {
  readonly redirectUri: string;
  /** Of PKCE, by S256. */
  readonly challenge: string;
  readonly expiresAt: number;
}

/** The applications and grants of an instance. Codes and refresh tokens are valid once. */
export class OAuthStore {
  readonly applications = new Map<string, Application>();
  readonly codes = new Map<string, AuthorizationCode>();
  readonly refreshTokens = new Map<string, Renewal>();

  /** Registers an application; answers with its id. */
  register(redirectUris: readonly string[], id = randomBytes(32).toString('hex')): string {
    this.applications.set(id, { id, redirectUris });
    return id;
  }
}

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

  const grantTokens = (context: Context, grant: Grant): Response => {
    const value = randomBytes(16).toString('hex');
    const id = world.nextTokenId();
    const expiresAt = new Date(now().getTime() + tokenLife * 1000);
    const { user, scopes } = grant;
    const name = 'Application';
    world.addToken({ id, value, name, user, scopes, isOAuth: true, createdAt: now(), expiresAt, revoked: false });
    const refreshToken = randomBytes(32).toString('hex');
    store.refreshTokens.set(refreshToken, { ...grant, accessToken: value });
    return context.json({
      access_token: value,
      token_type: 'Bearer',
      expires_in: tokenLife,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
      created_at: seconds(),
    });
  };

  /** What a page of another origin needs that signs in with a code. */
  const permitPages = (method: string) =>
    cors({ origin: '*', allowMethods: [method], allowHeaders: ['Authorization'], maxAge: 7200 });
  return new Hono()
    .use('/oauth/token', permitPages('POST'))
    .use('/oauth/revoke', permitPages('POST'))
    .use('/oauth/token/info', permitPages('GET'))
    .get('/oauth/authorize', (context) => {
      const query = context.req.query();
      const problem = authorizationProblem(store, query);
      return problem === undefined
        ? context.html(consentPage('/oauth/authorize', query, `Authorize the application to use ${instanceUrl}?`))
        : context.html(page('The application cannot be authorized', html`<p>${problem}</p>`), 400);
    })
    .post('/oauth/authorize', async (context) => {
      const form = await formOf(context);
      const problem = authorizationProblem(store, form);
      const { client_id: application = '', redirect_uri: redirectUri = '', code_challenge: challenge = '' } = form;
      if (problem !== undefined || !owner) {
        return context.json({ error: 'invalid_request', error_description: problem }, 400);
      }
      const target = new URL(redirectUri);
      target.searchParams.set('state', form['state'] ?? '');
      if (form['decision'] !== 'authorize') {
        target.searchParams.set('error', 'access_denied');
        return context.redirect(target.href);
      }
      const code = randomBytes(32).toString('hex');
      const scopes = scopesOf(form['scope']);
      const expiresAt = seconds() + codeLife;
      store.codes.set(code, { application, user: owner, scopes, redirectUri, challenge, expiresAt });
      target.searchParams.set('code', code);
      return context.redirect(target.href);
    })
    .post('/oauth/token', async (context) => {
      const form = await formOf(context);
      switch (form['grant_type']) {
        case 'authorization_code': {
          const code = form['code'] ?? '';
          const grant = store.codes.get(code);
          store.codes.delete(code);
          const challenge = createHash('sha256')
            .update(form['code_verifier'] ?? '')
            .digest('base64url');
          return grant &&
            grant.expiresAt > seconds() &&
            grant.application === form['client_id'] &&
            grant.redirectUri === form['redirect_uri'] &&
            grant.challenge === challenge
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
          return grantTokens(context, { application: grant.application, user: grant.user, scopes: grant.scopes });
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
    })
    .get('/oauth/token/info', (context) => {
      const value = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
      const token = value === undefined ? undefined : world.token(value);
      if (!token?.isOAuth || token.revoked || (token.expiresAt && token.expiresAt <= now())) {
        return refused(context, 'invalid_token', 'The access token is invalid', 401);
      }
      return context.json({
        resource_owner_id: token.user.id,
        scope: token.scopes,
        expires_in: token.expiresAt ? Math.floor((token.expiresAt.getTime() - now().getTime()) / 1000) : null,
        created_at: Math.floor(token.createdAt.getTime() / 1000),
      });
    });
}

/** Why an application gets no authorization; undefined if it may ask for it. */
function authorizationProblem(
  store: OAuthStore,
  parameters: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const application = store.applications.get(parameters['client_id'] ?? '');
  if (!application) {
    return 'The application is not known.';
  }
  const redirectUri = parameters['redirect_uri'] ?? '';
  if (!application.redirectUris.some((registered) => isRedirectUri(redirectUri, registered))) {
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

async function formOf({ req }: Context): Promise<Readonly<Record<string, string | undefined>>> {
  if (req.header('content-type')?.split(';')[0] !== 'application/json') {
    return Object.fromEntries(new URLSearchParams(await req.text()));
  }
  const json: unknown = await req.json().catch(() => ({}));
  return Object.fromEntries(Object.entries(json ?? {}).map(([name, value]) => [name, String(value)]));
}

function scopesOf(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(/[\s+]+/).filter(Boolean);
}

function invalidGrant(context: Context): Response {
  return refused(
    context,
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  );
}

function refused(context: Context, error: string, description: string, status: 400 | 401 | 403 = 400): Response {
  return context.json({ error, error_description: description }, status);
}

type Fragment = ReturnType<typeof html>;

function page(title: string, body: Fragment): Fragment {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <title>${title} · Sandbox</title>
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`;
}

/** A page that asks the user. */
function consentPage(action: string, parameters: Readonly<Record<string, string>>, title: string): Fragment {
  return page(
    title,
    html`<form method="post" action="${action}">
      ${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button name="decision" value="authorize">Authorize</button>
      <button name="decision" value="deny">Deny</button>
    </form>`,
  );
}
