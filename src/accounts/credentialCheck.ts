import * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { isApiError, NotSignedInError } from '../api/errors.ts';
import { systemClock } from '../common/clock.ts';
import { instanceName, tokenListUrl } from '../common/instanceUrl.ts';
import type { InstanceAccount, ProjectPlace } from './account.ts';
import type { Connections } from './connections.ts';
import { projectSource } from './directorySearch.ts';

/** Asks instances whether a URL and a token are good, before anything is kept. */
export class CredentialCheck {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /**
   * Finds the instance at a URL, or above it: people paste the address of a project or of a settings page.
   *
   * @param url normalized.
   * @returns the URL of the instance.
   * @throws ApiError if there is none, or it cannot be reached.
   */
  async findInstance(url: string, signal: AbortSignal): Promise<string> {
    let failure: unknown;
    for (let candidate = url; ; candidate = candidate.slice(0, candidate.lastIndexOf('/'))) {
      try {
        await this.#probe(candidate, signal);
        return candidate;
      } catch (error) {
        failure ??= error;
        // Beside the API, an instance lets no web page read what it answers.
        const mayBeAbove =
          isApiError(error) &&
          (['notAnInstance', 'notFound', 'inFront', 'movedElsewhere'].includes(error.reason) ||
            (error.reason === 'unavailable' && ['CORS', 'HIDDEN_REDIRECT'].includes(error.detail ?? '')));
        if (!mayBeAbove || new URL(candidate).pathname === '/') {
          throw failure;
        }
      }
    }
  }

  /**
   * Finds out whose token it is, what it may do and how long. The token is sent to what answers like an instance alone.
   *
   * @param bearer whether it travels as `Authorization: Bearer`.
   * @throws ApiError if the instance does not accept it.
   */
  async identify(instanceUrl: string, token: string, signal?: AbortSignal, bearer?: boolean): Promise<InstanceAccount> {
    await this.#probe(instanceUrl, signal);
    const client = await this.#connections.client(instanceUrl, token, bearer);
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
        tokenStoredAt: systemClock.date().getTime(),
        ...(bearer === true ? { bearer } : {}),
      };
    } finally {
      await client.close();
    }
  }

  /**
   * The version of an instance, which it reveals only to signed-in users.
   *
   * @param accounts of which one may be signed in there.
   * @returns undefined if none may ask.
   */
  async versionOf(
    instanceUrl: string,
    accounts: readonly InstanceAccount[],
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    for (const { id } of accounts.filter((account) => account.instanceUrl === instanceUrl)) {
      try {
        const { client } = await this.#connections.of(id);
        return (await client.directory.version({ signal })).version;
      } catch {
        // Whether the token of this account does is not what was asked.
      }
    }
    return undefined;
  }

  /**
   * Finds the project that a page is about.
   *
   * @param address of the page without its query, such as `https://gitlab.com/group/project/-/issues`.
   * @returns undefined if it is about none that the account sees.
   * @throws ApiError if the instance cannot be asked, or the token is not enough.
   */
  async projectAt(address: string, accountId: string): Promise<ProjectPlace | undefined> {
    const connection = await this.#connections.of(accountId);
    if (!address.startsWith(`${connection.instanceUrl}/`)) {
      return undefined;
    }
    const { signal } = new AbortController();
    const [found] = await projectSource(connection).find(address.replace(/\.git$/, ''), signal);
    return found && { accountId, id: found.id, path: found.path_with_namespace };
  }

  /** An instance says without a token that one is missing. */
  async #probe(instanceUrl: string, signal: AbortSignal | undefined): Promise<void> {
    const client = await this.#connections.client(instanceUrl);
    try {
      await client.directory.currentUser({ signal });
    } catch (error) {
      if (!(error instanceof NotSignedInError)) {
        throw error;
      }
    } finally {
      await client.close();
    }
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
    if (
      isApiError(error) &&
      ['validation', 'missingScope', 'missingPermission', 'missingRole', 'notFound'].includes(error.reason)
    ) {
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

/** Releases of an instance from which it has another page. */
const firstWithLegacyPage = [18, 9] as const;
const firstWithFineGrained = [18, 10] as const;

/**
 * The page of an instance that makes a classic token, with the name and the scope filled in as far as that version does.
 *
 * @param version such as `18.9.1-ee`; where it is not known, it is the page that every version has.
 */
export function classicTokenPage(instanceUrl: string, version: string | undefined): string {
  const query = new URLSearchParams({ name: 'Beacon for GitLab', scopes: 'api' });
  const page = isFrom(version, firstWithLegacyPage) === true ? '/legacy/new' : '';
  return `${tokenListUrl(instanceUrl)}${page}?${query.toString()}`;
}

/** The page of an instance that makes a fine-grained token; undefined if the version has none. */
export function fineGrainedTokenPage(instanceUrl: string, version: string | undefined): string | undefined {
  return isFrom(version, firstWithFineGrained) === false ? undefined : `${tokenListUrl(instanceUrl)}/granular/new`;
}

/** Undefined if the version is not known. */
function isFrom(version: string | undefined, [major, minor]: readonly [number, number]): boolean | undefined {
  const [, ofMajor, ofMinor] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  return ofMajor === undefined || ofMinor === undefined
    ? undefined
    : ofMajor > major || (ofMajor === major && ofMinor >= minor);
}
