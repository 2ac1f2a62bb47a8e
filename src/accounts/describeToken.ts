import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { ApiError } from '../api/errors.ts';

/**
 * The scopes that are known of a token: none of a fine-grained one, which works where its permissions reach and does not tell which
 * it has.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens/
 */
export function knownScopes(scopes: readonly string[] | undefined): readonly string[] | undefined {
  return scopes?.includes('granular') === true ? undefined : scopes;
}

/**
 * What a token tells about itself.
 *
 * @returns undefined if it does not: tokens that are not personal, and instances of old.
 * @throws ApiError if the instance cannot be asked.
 */
export async function describeToken(client: Client, signal: AbortSignal | undefined): Promise<TokenRecord | undefined> {
  try {
    return await client.directory.token({ signal });
  } catch (error) {
    if (
      error instanceof ApiError &&
      ['validation', 'missingScope', 'missingPermission', 'missingRole', 'notFound'].includes(error.reason)
    ) {
      return undefined;
    }
    throw error;
  }
}
