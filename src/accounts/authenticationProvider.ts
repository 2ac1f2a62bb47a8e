import * as vscode from 'vscode';
import { inertText } from '../common/inertText.ts';
import type { AccountStore } from './accountStore.ts';
import type { InstanceAccount } from './keptAccount.ts';

/**
 * Shows the accounts in the editor's Accounts menu, where a user can sign out; each is one session. None has its token: no other
 * extension gets one.
 *
 * @param remove signs out of the account with an id.
 */
export function accountSessions(
  store: AccountStore,
  remove: (id: string) => Promise<void>,
): vscode.AuthenticationProvider & vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  const subscription = store.onDidChange(({ before, now }) => {
    const [old, current] = [before, now].map((account) => (account ? [sessionOf(account)] : []));
    changed.fire({ added: before ? [] : current, removed: now ? [] : old, changed: before && now ? current : [] });
  });
  return {
    onDidChangeSessions: changed.event,
    // Scopes are what another extension wants; the menu names none.
    getSessions: async (scopes, { account }) =>
      (scopes?.length ? [] : store.all).filter(({ id }) => account === undefined || account.id === id).map(sessionOf),
    // Called for other extensions alone.
    createSession: () => Promise.reject(new vscode.CancellationError()),
    removeSession: remove,
    dispose: () => void vscode.Disposable.from(changed, subscription).dispose(),
  };
}

function sessionOf({ id, scopes }: InstanceAccount): vscode.AuthenticationSession {
  return { id, accessToken: '', account: { id, label: inertText(id) }, scopes: scopes ?? [] };
}
