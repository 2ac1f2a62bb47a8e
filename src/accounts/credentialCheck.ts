import { ApiError, NotSignedInError } from '../api/errors.ts';
import type { InstanceAccount } from './account.ts';
import type { Connections } from './connections.ts';
import { describeToken, knownScopes } from './describeToken.ts';
import { instanceName } from './instanceUrl.ts';

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
        const mayBeAbove =
          error instanceof ApiError && (error.reason === 'notAnInstance' || error.reason === 'notFound');
        if (!mayBeAbove || new URL(candidate).pathname === '/') {
          throw failure;
        }
      }
    }
  }

  /**
   * Finds out whose token it is, what it may do and how long.
   *
   * @param bearer whether it travels as `Authorization: Bearer`.
   * @throws ApiError if the instance does not accept it.
   */
  async identify(instanceUrl: string, token: string, signal?: AbortSignal, bearer?: boolean): Promise<InstanceAccount> {
    const client = await this.#connections.client(instanceUrl, token, bearer);
    try {
      const { username } = await client.directory.currentUser({ signal });
      const described = await describeToken(client, signal);
      return {
        kind: 'instance',
        id: `${username}@${instanceName(instanceUrl)}`,
        instanceUrl,
        username,
        scopes: knownScopes(described?.scopes),
        expiresAt: described?.expires_at ?? undefined,
        tokenStoredAt: Date.now(),
        ...(bearer === true ? { bearer } : {}),
      };
    } finally {
      await client.close();
    }
  }

  /**
   * The version of an instance, which it tells to those alone who are signed in.
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

  /** An instance says without a token that one is missing. */
  async #probe(instanceUrl: string, signal: AbortSignal): Promise<void> {
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
