import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { ApiError } from '../api/errors.ts';

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
    if (error instanceof ApiError && ['validation', 'missingScope', 'missingRole', 'notFound'].includes(error.reason)) {
      return undefined;
    }
    throw error;
  }
}
