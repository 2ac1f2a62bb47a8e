import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { systemClock } from '../common/clock.ts';
import { type Detail, showModal, withCancellableProgress, withProgress } from '../common/inertWindow.ts';
import { choose, chooseOne } from '../common/question.ts';
import { isExpired, isReadOnly, lacksReadScope } from './account.ts';
import type { InstanceAccount } from './keptAccount.ts';
import { accountLabel } from './accountInUse.ts';
import { type Action, notify } from './problem.ts';

/** What a user is asked before something cannot be taken back easily. */
export interface Confirmation {
  readonly question: string;
  readonly detail: Detail;
  /** The id of the account on whose instance something changes; where there are several, it is named. */
  readonly accountId?: string;
  readonly verb: string;
  /** Where much may be lost: what leaves all as it is, which Escape does, and what is done instead, which Enter does. */
  readonly otherwise?: { readonly keep: string; readonly instead: Action };
}

export interface Choice<T> extends vscode.QuickPickItem {
  readonly value?: T;
}

/**
 * Lets the user choose one of several accounts, the one in use first, or one of `others`; the only one is not asked for. The lines say
 * which token can do little or nothing.
 *
 * @returns the account, the value of another line, or undefined if they gave up.
 */
export async function chooseAccount<T = never>(
  { accountInUse }: App,
  accounts: readonly InstanceAccount[],
  question: { readonly title: string; readonly placeholder: string; readonly active?: InstanceAccount | undefined },
  others: readonly Choice<T>[] = [],
): Promise<InstanceAccount | T | undefined> {
  if (accounts.length + others.length < 2) {
    return accounts[0];
  }
  const usedId = accountInUse.account?.id;
  const lines = accounts
    .toSorted((one, other) => Number(other.id === usedId) - Number(one.id === usedId))
    .map((account) => ({
      label: accountLabel(account.id),
      description: [
        ...(lacksReadScope(account) ? [vscode.l10n.t('feeds only')] : []),
        ...(isReadOnly(account) ? [vscode.l10n.t('read only')] : []),
        ...(isExpired(account, systemClock.date()) ? [vscode.l10n.t('token expired')] : []),
      ].join(' · '),
      detail: account.id === usedId ? vscode.l10n.t('In use in this window') : '',
      iconPath: new vscode.ThemeIcon('account'),
      value: account,
    }));
  const active = lines.find(({ value }) => value === question.active);
  const chosen = await choose<Choice<InstanceAccount | T>>([...lines, ...others], { ...question, active });
  return typeof chosen === 'object' ? chosen.value : undefined;
}

/** Shows how far something long is, as a fraction of the whole from 0 to 1. */
export type Report = (done: number, message?: string) => void;

/** How commands talk with the user. */
export class Dialogs {
  readonly #app: App;
  readonly #viewId: string;

  /** @param viewId of the feature's view, in whose title progress is shown. */
  constructor(app: App, viewId: string) {
    this.#app = app;
    this.#viewId = viewId;
  }

  notify(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void {
    notify(severity, sentence, actions, this.#app.log);
  }

  async confirm({ question, detail, accountId, verb, otherwise }: Confirmation): Promise<boolean> {
    const { keep, instead } = otherwise ?? {};
    const account = accountId === undefined ? '' : this.#app.accountInUse.labelOf(accountId);
    const named = account === '' ? [] : [vscode.l10n.t('Account: {0}', account)];
    const details = [...(typeof detail === 'string' ? [detail] : detail), ...named];
    const buttons = [...(instead ? [instead.title] : []), verb];
    const chosen = await showModal('warning', question, details, buttons, keep);
    if (instead && chosen === instead.title) {
      await instead.run();
    }
    return chosen === verb;
  }

  /** The line that is `picked` is highlighted at first. */
  async choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    const active = choices.find(({ picked }) => picked);
    return (await chooseOne(choices, { title, placeholder, active }))?.value;
  }

  /** Runs something long. @returns undefined if the user cancelled and `run` then rejected. */
  async progress<T>(title: string, run: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T | undefined> {
    return await withCancellableProgress(title, async (signal, progress) => {
      let shown = 0;
      try {
        return await run(signal, (done, message) => {
          progress.report({ increment: (done - shown) * 100, ...(message === undefined ? {} : { message }) });
          shown = done;
        });
      } catch (error) {
        if (signal.aborted) {
          return undefined;
        }
        throw error;
      }
    });
  }

  async viewProgress<T>(run: () => Promise<T>): Promise<T> {
    return await withProgress({ location: { viewId: this.#viewId } }, run);
  }
}
