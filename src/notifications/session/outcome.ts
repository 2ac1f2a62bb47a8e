import { ApiError } from '../../api/errors.ts';
import type { Change } from '../model/change.ts';
import { verify } from '../model/comparison.ts';
import type { Settings } from '../model/settings.ts';

/** What the last thing that was tried came to. Fields go by their names in the API. */
export type Outcome =
  | { readonly kind: 'loadFailed'; readonly error: unknown }
  /** Another value has been found than the one that was read; nothing was sent. */
  | { readonly kind: 'changedElsewhere' }
  | {
      readonly kind: 'saved';
      readonly undone: boolean;
      /** Whether no answer told so, but the settings that were read afterwards. */
      readonly foundOut: boolean;
      /** Fields that the platform did not take, although it accepted the request. */
      readonly missing: readonly string[];
      /** Fields that the platform does not show. */
      readonly unseen: readonly string[];
    }
  | { readonly kind: 'notSaved'; readonly error?: unknown }
  | {
      readonly kind: 'partlySaved';
      readonly error?: unknown;
      readonly holding: readonly string[];
      readonly missing: readonly string[];
      readonly unseen: readonly string[];
    }
  /** It was sent; nobody knows whether it had an effect. */
  | { readonly kind: 'unknown'; readonly error?: unknown };

/** Whether an error tells that a request had no effect, rather than that its answer is not known. */
export function isRefusal(error: unknown): boolean {
  return !(error instanceof ApiError && ['unavailable', 'notAnInstance', 'aborted'].includes(error.reason));
}

/**
 * What became of a change that was sent and not confirmed, by the settings that were read afterwards.
 *
 * @param error why it was not confirmed; undefined if the editor ended before.
 */
export function outcomeOf(
  change: Change,
  now: Settings,
  { undone, error }: { readonly undone: boolean; readonly error?: unknown },
): Outcome {
  const { holding, missing, unseen } = verify(change, now);
  if (missing.length > 0) {
    return holding.length > 0 ? { kind: 'partlySaved', error, holding, missing, unseen } : { kind: 'notSaved', error };
  }
  if (holding.length > 0) {
    return { kind: 'saved', undone, foundOut: true, missing, unseen };
  }
  return error !== undefined && isRefusal(error) ? { kind: 'notSaved', error } : { kind: 'unknown', error };
}
