import { randomText } from '../common/bytes.ts';
import { html } from 'hono/html';
import { createMiddleware } from 'hono/factory';
import { roles, type User } from './state/model.ts';
import type { World } from './state/world.ts';

/** Where a GitLab instance lists the access tokens of a user; the pages that make one are below it. */
const tokenPages = '/-/user_settings/personal_access_tokens';

const style = [
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em }',
  'th, td { padding: .25em 1.5em .25em 0; text-align: start } code { user-select: all }',
].join(' ');

/**
 * Stands in for the pages of a GitLab instance, so that a link that is opened in a browser leads somewhere. Instead of making a
 * token, the user finds those that there are.
 */
export function webPages(world: World, now: () => Date) {
  return createMiddleware(async (context, next) => {
    const path = decoded(context.req.path);
    const isOfTokens = path === tokenPages || path?.startsWith(`${tokenPages}/`) === true;
    if (
      path === undefined ||
      /^\/(?:api|uploads)\//.test(path) ||
      (path.startsWith('/-/') && !isOfTokens) ||
      !context.req.header('accept')?.includes('text/html')
    ) {
      return next();
    }
    const nonce = randomText(16, 'hex');
    context.header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const title = isOfTokens ? `Access tokens of ${new URL(context.req.url).origin}` : path;
    return context.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <title>${title} · Sandbox</title>
            <meta name="color-scheme" content="light dark" />
            <meta name="viewport" content="width=device-width" />
            <style nonce="${nonce}">
              ${style}
            </style>
          </head>
          <body>
            <h1>${title}</h1>
            ${
              isOfTokens
                ? tokenTable(world, now())
                : html`<p>
                    This is the sandbox instance of Beacon. On a GitLab instance, this address shows what the link is
                    about.
                  </p>`
            }
          </body>
        </html>`,
    );
  });
}

/** The classic tokens that are valid. */
function tokenTable(world: World, now: Date) {
  const tokens = world
    .tokens()
    .filter(({ isOAuth, revoked, expiresAt }) => !isOAuth && !revoked && (!expiresAt || expiresAt > now));
  return html`<p>This is the sandbox instance of Beacon. It has these tokens: a click selects one, to be copied.</p>
    <table>
      <thead>
        <tr>
          ${['User', 'Highest role', 'Scopes', 'Token'].map((name) => html`<th>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${tokens.map(
          ({ user, scopes, permissions, value }) =>
            html`<tr>
              <td>${user.username}</td>
              <td>${highestRole(world, user)}</td>
              <td>${(permissions ?? scopes).join(', ')}</td>
              <td><code>${value}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function highestRole(world: World, user: User): string {
  const level = Math.max(...world.projects.map((project) => world.accessLevel(user, project)));
  return Object.entries(roles).find(([, one]) => one === level)?.[0] ?? 'none';
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
