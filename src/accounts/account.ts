/** A user of an instance whom this editor is signed in as. Holds no secret. */
export type Account = InstanceAccount | SandboxAccount;

/** An account on an instance; its token is in the secret store. */
export interface InstanceAccount {
  readonly kind: 'instance';
  /** Names the account among all accounts; part of the key of its token. */
  readonly id: string;
  /** Normalized, see `normalizeInstanceUrl`. */
  readonly instanceUrl: string;
  readonly username: string;
}

/** The account on the embedded sandbox instance, which starts when it is needed. */
export interface SandboxAccount {
  readonly kind: 'sandbox';
  readonly id: 'sandbox';
}

export const sandboxAccount: SandboxAccount = { kind: 'sandbox', id: 'sandbox' };

/** Where requests of an account go, and with which token. */
export interface Credentials {
  readonly instanceUrl: string;
  readonly token: string;
}
