import * as vscode from 'vscode';
import { plainText } from '../plainText.ts';
import { type Account, sandboxAccount } from './account.ts';

/** The name of an account as people read it, such as `ada@gitlab.com`; empty where there is none. */
export function accountName(account: Account | undefined): string {
  return account ? accountLabel(account.id) : '';
}

/** The name of the account with an id. */
export function accountLabel(id: string): string {
  return id === sandboxAccount.id ? vscode.l10n.t('Sandbox') : plainText(id);
}
