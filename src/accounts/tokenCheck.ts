import * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { instanceName, tokenListUrl } from '../common/instanceUrl.ts';
import type { InstanceAccount } from './account.ts';

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
): Promise<InstanceAccount> {
  await probe(app, instanceUrl, signal);
  const client = await app.connections.client(instanceUrl, token, bearer);
  try {
    const { username } = await client.directory.currentUser({ signal });
    const described = await tokenFacts(client, signal);
    return {
      kind: 'instance',
      id: `${username}@${instanceName(instanceUrl)}`,
      instanceUrl,
      username,
      scopes: knownScopes(described?.scopes),
      expiresAt: described?.expires_at ?? undefined,
      tokenStoredAt: app.clock.date().getTime(),
      ...(bearer === true ? { bearer } : {}),
    };
  } finally {
    await client.close();
  }
}

/** An instance says without a token that one is missing. */
async function probe({ connections }: App, instanceUrl: string, signal: AbortSignal | undefined): Promise<void> {
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
 * The known scopes of a token: none for a fine-grained one, whose permissions the API does not reveal.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens/
 */
export function knownScopes(scopes: readonly string[] | undefined): readonly string[] | undefined {
  return scopes?.includes('granular') === true ? undefined : scopes;
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
 * What each feature needs of a fine-grained token, one line for each, in the names of the form that makes one.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens_rest/
 */
export function neededPermissionLines(): string[] {
  const { t } = vscode.l10n;
  return [
    `${t('Sign-in')}: User: Read`,
    `${t('Names and links')}: Project: Read; Group: Read`,
    `${t('Activity')}: Event: Read`,
    `${t('Notification settings')}: Notification Setting: Read, Update`,
    `${t('Error tracking')}: Error Tracking Setting: Read, Update; Error Tracking Client Key: Read, Create, Delete`,
    `${t('Expiry of the token')}: Personal Access Token: Read`,
  ];
}

/** The pages of an instance that make a token. */
export interface TokenPages {
  /** Undefined if it is not known: gitlab.com has the newest one, others reveal theirs only to those who are signed in. */
  readonly version: string | undefined;
  /** Makes a classic token, with the name and the scope filled in as far as that version does. */
  readonly classic: string;
  /** Makes a fine-grained token; undefined if the version has none. */
  readonly fineGrained: string | undefined;
}

/** The pages that make a token: those of every version where it is not known which one the instance has. */
export async function tokenPagesOf(app: App, instanceUrl: string): Promise<TokenPages> {
  const version = instanceUrl === 'https://gitlab.com' ? '99.0' : await versionOf(app, instanceUrl);
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  const isFrom = (first: number): boolean => major > 18 || (major === 18 && minor >= first);
  const query = new URLSearchParams({ name: 'Beacon for GitLab', scopes: 'api' });
  const list = tokenListUrl(instanceUrl);
  return {
    version,
    classic: `${list}${isFrom(9) ? '/legacy/new' : ''}?${query.toString()}`,
    fineGrained: major === 0 || isFrom(10) ? `${list}/granular/new` : undefined,
  };
}

async function versionOf({ accounts, connections }: App, instanceUrl: string): Promise<string | undefined> {
  for (const { id } of accounts.all.filter((account) => account.instanceUrl === instanceUrl)) {
    try {
      const { client } = await connections.of(id);
      return (await client.directory.version()).version;
    } catch {
      // Whether the token of this account does is not what was asked.
    }
  }
  return undefined;
}
