import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { showWarningMessage } from '../common/inertWindow.ts';
import type { Account, InstanceAccount } from './account.ts';

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
    const now = this.#app.clock.date();
    for (const account of this.#app.accounts.all) {
      const days = daysLeft(account, now);
      if (days <= warningDays && (await this.#isFirstToday(account, now))) {
        this.#offerReplacement(account, expiryLabel(account, days));
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
      this.#offerReplacement(
        account,
        vscode.l10n.t('{0}: the instance no longer accepts the token. It expired or was revoked.', account.id),
      );
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

  /** Does not wait for an answer: other accounts have their own notices. */
  #offerReplacement({ id }: Account, sentence: string): void {
    const replace = vscode.l10n.t('Replace Token…');
    void showWarningMessage(sentence, replace).then((chosen) =>
      chosen === replace ? vscode.commands.executeCommand('beacon.replaceToken', id) : undefined,
    );
  }
}

/** Whole days until the token is no longer accepted; 0 on that day and after it, NaN if it does not expire. */
function daysLeft({ expiresAt = '' }: InstanceAccount, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / day));
}

function expiryLabel({ id }: InstanceAccount, days: number): string {
  switch (days) {
    case 0:
      return vscode.l10n.t('{0}: the token has expired.', id);
    case 1:
      return vscode.l10n.t('{0}: the token expires within a day.', id);
    default:
      return vscode.l10n.t('{0}: the token expires in {1} days.', id, days);
  }
}
