import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { Account, InstanceAccount } from './account.ts';
import { replaceToken, showProblem } from './problem.ts';

const day = 24 * 60 * 60 * 1000;
const warningDays = 7;
/** What was warned of last, by account; shared by all windows, so that each notice is shown once. */
const lastWarningKey = 'expiryWarnings';

/** Warns that a token expires within a week, once per day and account, and that one was rejected, once per token. */
export class TokenNotices implements vscode.Disposable {
  readonly #app: App;
  readonly #rejected = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor(app: App) {
    this.#app = app;
    const look = (): void => void this.warnOfExpiry();
    this.#subscription = vscode.Disposable.from(
      app.accountInUse.onDidChange(look),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
      app.connections.onDidRejectToken((account) => this.#showRejected(account)),
    );
  }

  /** Checks the expiry of every token that was known at sign-in. Sends no request, reads no secret. */
  async warnOfExpiry(): Promise<void> {
    const { accounts, accountInUse, clock } = this.#app;
    const now = clock.date();
    for (const account of accounts.all) {
      // Whole days until the token is no longer accepted; 0 on that day and after it, NaN if it does not expire.
      const days = Math.max(0, Math.ceil((Date.parse(account.expiresAt ?? '') - now.getTime()) / day));
      if (days <= warningDays && (await this.#isFirstToday(account, now))) {
        const name = accountInUse.nameOf(account);
        const sentences = [
          vscode.l10n.t('{0}: the token has expired.', name),
          vscode.l10n.t('{0}: the token expires within a day.', name),
        ];
        const sentence = sentences[days] ?? vscode.l10n.t('{0}: the token expires in {1} days.', name, days);
        // Its answer is not waited for: other accounts have their own notices.
        showProblem({ sentence, remedy: replaceToken(account.id) });
      }
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #showRejected(account: Account): void {
    const token = account.kind === 'sandbox' ? undefined : `${account.id} ${account.tokenStoredAt}`;
    if (token !== undefined && !this.#rejected.has(token)) {
      this.#rejected.add(token);
      const name = this.#app.accountInUse.nameOf(account);
      const sentence = vscode.l10n.t('{0}: the instance no longer accepts the token. It expired or was revoked.', name);
      showProblem({ sentence, remedy: replaceToken(account.id) });
    }
  }

  async #isFirstToday({ id, tokenStoredAt }: InstanceAccount, now: Date): Promise<boolean> {
    const { globalState } = this.#app;
    const warned = globalState.get<Record<string, string>>(lastWarningKey, {});
    const today = `${tokenStoredAt} ${now.toDateString()}`;
    if (warned[id] === today) {
      return false;
    }
    await globalState.update(lastWarningKey, { ...warned, [id]: today });
    return true;
  }
}
