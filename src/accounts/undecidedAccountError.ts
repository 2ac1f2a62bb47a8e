/** Several accounts fit the workspace, and none has been chosen for it. */
export class UndecidedAccountError extends Error {
  override readonly name = 'UndecidedAccountError';
}
