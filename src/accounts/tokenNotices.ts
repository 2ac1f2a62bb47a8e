import * as vscode from 'vscode';
import type { Clock } from '../common/clock.ts';
import type { Account, InstanceAccount } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';

const day = 24 * 60 * 60 * 1000;
const warningDays = 7;
const lastWarningKey = 'expiryWarnings';

/** Shows a notice with a button; answers the button if it is chosen. */
export type ShowNotice = (sentence: string, button: string) => PromiseLike<string | undefined>;

export interface TokenNoticesDeps {
  readonly store: AccountStore;
  /** When it changes is a time to look; so is the window's getting the focus. */
  readonly inUse: AccountInUse;
  /** Shared by all windows, so that each notice is shown once. */
  readonly memento: vscode.Memento;
  readonly onDidRejectToken: vscode.Event<Account>;
  /** Milliseconds since 1970. */
  readonly clock: Pick<Clock, 'date'>;
}

/** Warns that a token expires within a week, once per day and account, and that one was rejected, once per token. */
export class TokenNotices implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #memento: vscode.Memento;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #show: ShowNotice;
  readonly #renew: (account: InstanceAccount) => Promise<void>;
  readonly #rejected = new Set<string>();
  readonly #subscription: vscode.Disposable;

  /** @param renew asks for a new token. */
  constructor(deps: TokenNoticesDeps, show: ShowNotice, renew: (account: InstanceAccount) => Promise<void>) {
    this.#store = deps.store;
    this.#memento = deps.memento;
    this.#clock = deps.clock;
    this.#show = show;
    this.#renew = renew;
    const look = (): void => void this.warnOfExpiry();
    this.#subscription = vscode.Disposable.from(
      deps.inUse.onDidChange(look),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
      deps.onDidRejectToken((account) => this.#showRejected(account)),
    );
  }

  /** Checks the expiry of every token that was known at sign-in. Sends no request, reads no secret. */
  async warnOfExpiry(): Promise<void> {
    for (const account of this.#store.all) {
      const days = daysLeft(account, this.#clock.date().getTime());
      if (days !== undefined && days <= warningDays && (await this.#isFirstToday(account))) {
        this.#offerRenewal(account, expiryLabel(account, days));
      }
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #showRejected(account: Account): void {
    if (account.kind === 'sandbox') {
      return;
    }
    const token = `${account.id} ${account.tokenStoredAt}`;
    if (!this.#rejected.has(token)) {
      this.#rejected.add(token);
      this.#offerRenewal(
        account,
        vscode.l10n.t('{0}: the instance no longer accepts the token. It expired or was revoked.', account.id),
      );
    }
  }

  async #isFirstToday({ id, tokenStoredAt }: InstanceAccount): Promise<boolean> {
    const warned = this.#memento.get<Record<string, string>>(lastWarningKey, {});
    const today = `${tokenStoredAt} ${this.#clock.date().toDateString()}`;
    if (warned[id] === today) {
      return false;
    }
    await this.#memento.update(lastWarningKey, { ...warned, [id]: today });
    return true;
  }

  /** Does not wait for an answer: other accounts have their own notices. */
  #offerRenewal(account: InstanceAccount, sentence: string): void {
    const renew = vscode.l10n.t('Renew Token…');
    void this.#show(sentence, renew).then((chosen) => (chosen === renew ? this.#renew(account) : undefined));
  }
}

/** Whole days until the token is no longer accepted; 0 on that day and after it, undefined if it does not expire. */
function daysLeft({ expiresAt }: InstanceAccount, now: number): number | undefined {
  const end = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return Number.isNaN(end) ? undefined : Math.max(0, Math.ceil((end - now) / day));
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
