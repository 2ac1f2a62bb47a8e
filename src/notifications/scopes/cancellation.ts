import { ApiError } from '../../api/errors.ts';

/** Whether something failed because the person cancelled it. */
export function isCancellation(error: unknown): boolean {
  return error instanceof ApiError ? error.reason === 'aborted' : error instanceof Error && error.name === 'AbortError';
}
