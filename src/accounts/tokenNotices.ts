import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { InstanceAccount } from './keptAccount.ts';
import { replaceToken, showProblem } from './problem.ts';

const day = 24 * 60 * 60 * 1000;
const warningDays = 7;
/** What was warned of last, by account; shared by all windows, so that each notice is shown once. */
const lastWarningKey = 'expiryWarnings';

/**
 * Warns that a token expires within a week, once per day and account, and that one was rejected, once per token. Sends no request,
 * reads no secret.
 */
export function tokenNotices(app: App): vscode.Disposable {
  const { accounts, accountInUse, connections, log } = app;
  /** When the token was stored of which that was said last, by account. */
  const rejected = new Map<string, number>();
  const showRejected = (account: InstanceAccount): void => {
    const { id, tokenStoredAt } = account;
    // What was begun with the token before may fail after that was replaced.
    if (tokenStoredAt === accounts.find(id)?.tokenStoredAt && rejected.get(id) !== tokenStoredAt) {
      rejected.set(id, tokenStoredAt);
      const name = accountInUse.nameOf(account);
      const sentence = vscode.l10n.t('{0}: the instance no longer accepts the token. It expired or was revoked.', name);
      showProblem({ sentence, remedy: replaceToken(id) });
    }
  };
  const look = (): void => void warnOfExpiry(app).catch((error: Error) => log.error(error));
  look();
  return vscode.Disposable.from(
    accountInUse.onDidChange(look),
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
    connections.onDidRejectToken(showRejected),
  );
}

async function warnOfExpiry(app: App): Promise<void> {
  const now = app.clock.date();
  for (const account of app.accounts.all) {
    // Whole days until the token is no longer accepted; 0 on that day and after it, NaN if it does not expire.
    const days = Math.max(0, Math.ceil((Date.parse(account.expiresAt ?? '') - now.getTime()) / day));
    if (days <= warningDays && (await isFirstToday(app, account, now))) {
      const name = app.accountInUse.nameOf(account);
      const near = [
        vscode.l10n.t('{0}: the token has expired.', name),
        vscode.l10n.t('{0}: the token expires within a day.', name),
      ];
      const sentence = near[days] ?? vscode.l10n.t('{0}: the token expires in {1} days.', name, days);
      // Its answer is not waited for: other accounts have their own notices.
      showProblem({ sentence, remedy: replaceToken(account.id) });
    }
  }
}

async function isFirstToday({ globalState }: App, { id, tokenStoredAt }: InstanceAccount, now: Date): Promise<boolean> {
  const warned = globalState.get<Record<string, string>>(lastWarningKey, {});
  const today = `${tokenStoredAt} ${now.toDateString()}`;
  if (warned[id] === today) {
    return false;
  }
  await globalState.update(lastWarningKey, { ...warned, [id]: today });
  return true;
}
