import type { Client } from '../../api/client.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { ApiError, type UnavailableError } from '../../api/errors.ts';
import { allKeys } from '../projectStates.ts';

/** What became of the one request that makes a client key. */
export type Creation =
  /** `answerLost`: the instance made it, but its answer did not arrive; found by listing the keys. */
  | { readonly outcome: 'created'; readonly key: ClientKeyRecord; readonly answerLost: boolean }
  /** The request failed, and the list of keys shows no new one. */
  | { readonly outcome: 'notCreated'; readonly error: ApiError }
  /** The request failed, and several keys are new: someone else makes keys, too. */
  | { readonly outcome: 'several'; readonly keys: readonly ClientKeyRecord[] }
  /** The request failed, and so did listing the keys. */
  | { readonly outcome: 'unknown'; readonly error: ApiError };

/**
 * Makes a client key with exactly one POST (section 4.5), which is never repeated. Where its outcome does not arrive, the keys
 * are listed and compared with those before.
 *
 * @param onBefore is told of the keys there were, and waited for, before anything is made.
 * @throws ApiError if nothing was made for sure: the keys could not be listed before, or the instance refused.
 */
export async function createKeyOnce(
  client: Client,
  projectId: number,
  onBefore: (keyIds: readonly number[]) => Promise<void> | void = () => {},
): Promise<Creation> {
  const before = (await allKeys(client, projectId)).keys.map(({ id }) => id);
  await onBefore(before);
  try {
    return {
      outcome: 'created',
      key: await client.errorTracking.createClientKey(projectId),
      answerLost: false,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || !mayHaveActed(error)) {
      throw error;
    }
    return await findCreated(client, projectId, before, error);
  }
}

/** What became of a creation whose answer did not arrive, by the keys that there are now. */
async function findCreated(
  client: Client,
  projectId: number,
  before: readonly number[],
  error: ApiError,
): Promise<Creation> {
  const after = await allKeys(client, projectId).catch(() => undefined);
  if (!after) {
    return { outcome: 'unknown', error };
  }
  const fresh = after.keys.filter(({ id }) => !before.includes(id));
  const [key] = fresh;
  if (!key) {
    return { outcome: 'notCreated', error };
  }
  return fresh.length === 1 ? { outcome: 'created', key, answerLost: true } : { outcome: 'several', keys: fresh };
}

/** What tells that there was no connection to send by. */
const neverConnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'connect']);

/** Whether the instance may have acted on a request that failed so. */
function mayHaveActed(error: ApiError): boolean {
  switch (error.reason) {
    case 'unavailable': {
      const { kind, detail } = error as UnavailableError;
      return !(['dns', 'tls', 'proxy'].includes(kind) || neverConnected.has(detail ?? ''));
    }
    case 'notAnInstance':
    case 'aborted':
      return true;
    default:
      return false;
  }
}
