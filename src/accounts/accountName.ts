import * as vscode from 'vscode';
import type { Account } from './account.ts';

/** The name of an account as people read it, such as `ada@gitlab.com`; empty where there is none. */
export function accountName(account: Account | undefined): string {
  return account?.kind === 'sandbox' ? vscode.l10n.t('Sandbox') : (account?.id ?? '');
}
