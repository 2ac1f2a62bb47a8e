import * as vscode from 'vscode';
import type { Account, InstanceAccount } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';

const day = 24 * 60 * 60 * 1000;
const warningDays = 7;
const lastWarningKey = 'expiryWarnings';

/** Tells that a token expires within a week, once a day and account, and that one was rejected, once a token. */
export class TokenNotices implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #memento: vscode.Memento;
  readonly #now: () => number;
  readonly #renew: (account: InstanceAccount) => Promise<void>;
  readonly #rejected = new Set<string>();
  readonly #subscriptions: vscode.Disposable[];

  /**
   * @param memento shared by all windows.
   * @param inUse tells when to look: the account in use, and the window's focus.
   * @param now milliseconds since 1970.
   */
  constructor(
    store: AccountStore,
    inUse: AccountInUse,
    onDidRejectToken: vscode.Event<Account>,
    memento: vscode.Memento,
    now: () => number,
    renew: (account: InstanceAccount) => Promise<void>,
  ) {
    this.#store = store;
    this.#memento = memento;
    this.#now = now;
    this.#renew = renew;
    const look = (): void => void this.warnOfExpiry();
    this.#subscriptions = [
      inUse.onDidChange(look),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
      onDidRejectToken((account) => void this.#tellRejected(account)),
    ];
  }

  /** Looks at the expiry of every token, as far as the instances told it at sign-in. Requests nothing, reads no secret. */
  async warnOfExpiry(): Promise<void> {
    for (const account of this.#store.all) {
      const days = daysLeft(account, this.#now());
      if (days !== undefined && days <= warningDays && (await this.#isFirstToday(account))) {
        await this.#offerRenewal(account, describeExpiry(account, days));
      }
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #tellRejected(account: Account): Promise<void> {
    if (account.kind === 'sandbox') {
      return;
    }
    const token = `${account.id} ${account.tokenStoredAt}`;
    if (!this.#rejected.has(token)) {
      this.#rejected.add(token);
      await this.#offerRenewal(
        account,
        vscode.l10n.t('{0}: the instance no longer accepts the token. It expired or was revoked.', account.id),
      );
    }
  }

  async #isFirstToday({ id, tokenStoredAt }: InstanceAccount): Promise<boolean> {
    const warned = this.#memento.get<Record<string, string>>(lastWarningKey, {});
    const today = `${tokenStoredAt} ${new Date(this.#now()).toDateString()}`;
    if (warned[id] === today) {
      return false;
    }
    await this.#memento.update(lastWarningKey, { ...warned, [id]: today });
    return true;
  }

  /** Does not wait for an answer: other accounts have their own notices. */
  async #offerRenewal(account: InstanceAccount, sentence: string): Promise<void> {
    const renew = vscode.l10n.t('Renew Token…');
    void vscode.window.showWarningMessage(sentence, renew).then(async (chosen) => {
      if (chosen === renew) {
        await this.#renew(account);
      }
    });
  }
}

/** Whole days until the token is no longer accepted; 0 on that day and after it, undefined if it does not expire. */
function daysLeft({ expiresAt }: InstanceAccount, now: number): number | undefined {
  const end = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return Number.isNaN(end) ? undefined : Math.max(0, Math.ceil((end - now) / day));
}

function describeExpiry({ id }: InstanceAccount, days: number): string {
  switch (days) {
    case 0:
      return vscode.l10n.t('{0}: the token has expired.', id);
    case 1:
      return vscode.l10n.t('{0}: the token expires within a day.', id);
    default:
      return vscode.l10n.t('{0}: the token expires in {1} days.', id, days);
  }
}
