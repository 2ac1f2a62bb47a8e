/** Nobody is signed in, or the token of the account is gone from the secret store. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}
