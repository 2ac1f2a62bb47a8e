import type * as vscode from 'vscode';
import type { Grant, InstanceAccount, TokenSource } from './keptAccount.ts';

export type Account = InstanceAccount | SandboxAccount;

/** A token that was got, before it is known whose it is, with what is known of it. */
export interface GivenToken {
  readonly token: string;
  readonly grant?: Grant;
  readonly bearer?: true;
  readonly tokenSource?: TokenSource;
  readonly scopes?: readonly string[] | undefined;
}

export interface SandboxAccount {
  readonly kind: 'sandbox';
  readonly id: 'sandbox';
}

export const sandboxAccount: SandboxAccount = { kind: 'sandbox', id: 'sandbox' };

export const indexKey = 'accounts';
/** Where it is kept which account was used last, in all windows and in a workspace. */
export const chosenKey = 'accountInUse';

/** Whether somebody is signed in, or tries the sandbox, by what is kept. */
export function keepsAccount(global: vscode.Memento, workspace: vscode.Memento): boolean {
  const accounts = global.get<unknown>(indexKey);
  const isSandbox = [workspace, global].some((memento) => memento.get<unknown>(chosenKey) === sandboxAccount.id);
  return isSandbox || (Array.isArray(accounts) && accounts.length > 0);
}

/** The name by which the editor knows Beacon's accounts. */
export const authenticationProviderId = 'beacon-gitlab';

export const sandboxUsername = 'marta';

/** Whether the token of an account is known to read everything and to change nothing. */
export function isReadOnly(account: Account | undefined): boolean {
  const scopes = account?.kind === 'instance' ? account.scopes : undefined;
  return scopes?.includes('read_api') === true && !scopes.includes('api');
}

/** Whether the token of an account is known to read no project: it has neither `api` nor `read_api`. */
export function lacksReadScope(account: Account | undefined): boolean {
  const scopes = account?.kind === 'instance' ? account.scopes : undefined;
  return scopes !== undefined && !scopes.includes('api') && !scopes.includes('read_api');
}

/** Whether the day is known from which the token of an account is no longer accepted, and has come. */
export function isExpired({ expiresAt }: InstanceAccount, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
}

/** Nobody is signed in, or the token of the account is gone from the secret store. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
  /** Of the account that was asked for, if it was a certain one. */
  readonly accountId: string | undefined;
  /** Whether it is signed in to, but its token is gone. */
  readonly isTokenGone: boolean;

  constructor(accountId?: string, isTokenGone = false) {
    super();
    this.accountId = accountId;
    this.isTokenGone = isTokenGone;
  }
}

/** A project on the instance of an account. Items of trees have it as `project`, so that menus can hand it to any feature. */
export interface ProjectRef {
  readonly accountId: string;
  /** The numeric id, or the full path as long as the id is not known. */
  readonly idOrPath: number | string;
}

export interface ProjectPlace {
  readonly accountId: string;
  /** The numeric id on the instance, which survives a move. */
  readonly id: number;
  /** The full path when it was last seen. */
  readonly path: string;
}
