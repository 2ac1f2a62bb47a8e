/** A user of an instance whom this editor is signed in as. Holds no secret. */
export type Account = InstanceAccount | SandboxAccount;

/** An account on an instance; its token is in the secret store. */
export interface InstanceAccount {
  readonly kind: 'instance';
  /** Names the account among all accounts, in words that a person reads: `ada@gitlab.com`. Survives a new token. */
  readonly id: string;
  /** Normalized, see `normalizeInstanceUrl`. */
  readonly instanceUrl: string;
  readonly username: string;
  /** The scopes of the token; undefined if the instance does not tell, as with tokens that are not personal. */
  readonly scopes?: readonly string[] | undefined;
  /** The day from which the token is no longer accepted, such as `2026-12-31`; undefined if none is known. */
  readonly expiresAt?: string | undefined;
  /** Where the token is to be had at each use, if it is not kept here. */
  readonly tokenSource?: TokenSource | undefined;
  /** Whether the token travels as `Authorization: Bearer`. */
  readonly bearer?: boolean | undefined;
  /** When the token was stored, in milliseconds since 1970: tells it from the one before. */
  readonly tokenStoredAt: number;
}

/** Who lends the token of an account: another extension that is signed in there, or the GitLab CLI by its configuration file. */
export type TokenSource =
  { readonly kind: 'session'; readonly accountId: string; readonly label: string } | { readonly kind: 'cli' };

/** The account on the embedded sandbox instance, which starts when it is needed. */
export interface SandboxAccount {
  readonly kind: 'sandbox';
  readonly id: 'sandbox';
}

export const sandboxAccount: SandboxAccount = { kind: 'sandbox', id: 'sandbox' };

/** Whether the token of an account is known to read everything and to change nothing. */
export function isReadOnly(account: Account | undefined): boolean {
  const scopes = account?.kind === 'instance' ? account.scopes : undefined;
  return scopes?.includes('read_api') === true && !scopes.includes('api');
}

/** Where requests of an account go, and with which token. */
export interface Credentials {
  readonly instanceUrl: string;
  readonly token: string;
  /** Whether the token travels as `Authorization: Bearer`. */
  readonly bearer?: boolean | undefined;
  /** Whether the token is kept elsewhere, where another one may be by the next use. */
  readonly isBorrowed?: boolean;
}
