import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { tokenListUrl } from '../common/instanceUrl.ts';
import type { InstanceAccount } from './keptAccount.ts';

/** At most this many parts of a path may be those of an instance, beside all of them. */
const mostParts = 2;

/**
 * Finds the instance at a URL, or above it: people paste the address of a project or of a settings page. Four are asked at most,
 * without a token.
 *
 * @param url normalized.
 * @returns the URL of the instance.
 * @throws ApiError if there is none, or it cannot be reached.
 */
export async function findInstance(app: App, url: string, signal: AbortSignal): Promise<string> {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const above = Array.from({ length: Math.min(parts.length, mostParts + 1) }, (_, index) =>
    [origin, ...parts.slice(0, index)].join('/'),
  );
  let failure: unknown;
  for (const candidate of [url, ...above.toReversed()]) {
    try {
      await probe(app, candidate, signal);
      return candidate;
    } catch (error) {
      failure ??= error;
      // Beside the API, an instance lets no web page read what it answers.
      const mayBeAbove =
        isApiError(error) &&
        (['notAnInstance', 'notFound', 'inFront', 'movedElsewhere'].includes(error.reason) ||
          (error.reason === 'unavailable' && ['CORS', 'HIDDEN_REDIRECT'].includes(error.detail ?? '')));
      if (!mayBeAbove) {
        break;
      }
    }
  }
  throw failure;
}

/**
 * Finds out whose token it is, what it may do and how long. The token is sent to what answers like an instance alone.
 *
 * @param bearer whether it travels as `Authorization: Bearer`.
 * @throws ApiError if the instance does not accept it.
 */
export async function identify(
  app: App,
  instanceUrl: string,
  token: string,
  signal?: AbortSignal,
  bearer?: boolean,
): Promise<Omit<InstanceAccount, 'id'>> {
  await probe(app, instanceUrl, signal);
  const client = await app.connections.client(instanceUrl, token, bearer);
  try {
    const { id: userId, username } = await client.directory.currentUser({ signal });
    const { scopes, expires_at: expiry } = (await tokenFacts(client, signal)) ?? {};
    const tokenStoredAt = app.clock.date().getTime();
    return { kind: 'instance', instanceUrl, userId, username, scopes, expiresAt: expiry ?? undefined, tokenStoredAt };
  } finally {
    await client.close();
  }
}

/** Asks without a token: an instance says that one is missing. @throws ApiError if something else comes of it. */
export async function probe({ connections }: App, instanceUrl: string, signal: AbortSignal | undefined): Promise<void> {
  const client = await connections.client(instanceUrl);
  try {
    await client.directory.currentUser({ signal });
  } catch (error) {
    if (!isApiError(error, 'notSignedIn')) {
      throw error;
    }
  } finally {
    await client.close();
  }
}

/**
 * What the instance says about a token.
 *
 * @returns undefined if it does not: tokens that are not personal, and instances of old.
 * @throws ApiError if the instance cannot be asked.
 */
export async function tokenFacts(client: Client, signal: AbortSignal | undefined): Promise<TokenRecord | undefined> {
  try {
    return await client.directory.token({ signal });
  } catch (error) {
    const withoutFacts = ['validation', 'missingScope', 'missingPermission', 'missingRole', 'notFound'];
    if (isApiError(error) && withoutFacts.includes(error.reason)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The page of an instance that makes a token, with the name and the scope filled in where it does that: since 18.9 classic tokens
 * have a page of their own, but an instance says its version to nobody who is not signed in, and gitlab.com has the newest one.
 *
 * @see https://docs.gitlab.com/user/profile/personal_access_tokens/
 */
export function tokenPageOf(instanceUrl: string): string {
  const query = new URLSearchParams({ name: 'Beacon for GitLab', scopes: 'api' });
  return `${tokenListUrl(instanceUrl)}${instanceUrl === 'https://gitlab.com' ? '/legacy/new' : ''}?${query.toString()}`;
}
