import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { type Action, type Problem, notify } from '../accounts/problem.ts';
import { confirm, showQuickPick, withProgress } from '../common/inertWindow.ts';

/** A button that runs a command. */
export function commandAction(title: string, command: string, ...args: readonly unknown[]): Action {
  return { title, run: () => vscode.commands.executeCommand(command, ...args) };
}

/** Shows a failure, with the command that fixes it. */
export function notifyProblem(dialogs: Dialogs, { sentence, remedy }: Problem): void {
  const actions = remedy
    ? [commandAction(remedy.title, remedy.command, ...((remedy.arguments ?? []) as unknown[]))]
    : [];
  dialogs.notify('warning', sentence, ...actions);
}

/** What a user is asked before something cannot be taken back easily. */
export interface Confirmation {
  readonly question: string;
  readonly detail: string;
  /** The id of the account on whose instance something changes; it is named. */
  readonly accountId?: string;
  /** The button that goes on. */
  readonly verb: string;
}

/** A line to choose from. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value?: T;
}

/** How commands talk with a user. */
export interface Dialogs {
  /** Shows a notification with buttons; returns at once. */
  notify(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void;
  /** Asks in a modal dialog. */
  confirm(confirmation: Confirmation): Promise<boolean>;
  /** @returns undefined if the user gave up. */
  choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** Runs something long, with its progress in the view. */
  progress<T>(run: () => Promise<T>): Promise<T>;
  /** Runs something long that concerns the whole workspace and can be cancelled. */
  cancellable<T>(title: string, run: (token: vscode.CancellationToken) => Promise<T>): Promise<T>;
}

/** The dialogs of the editor. */
export class EditorDialogs implements Dialogs {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  notify(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void {
    notify(severity, sentence, actions, this.#log);
  }

  async confirm({ question, detail, accountId, verb }: Confirmation): Promise<boolean> {
    const account = accountId === undefined ? [] : [vscode.l10n.t('Account: {0}', accountLabel(accountId))];
    return await confirm(question, [detail, ...account].join('\n\n'), verb);
  }

  async choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    const chosen = await showQuickPick(choices, { title, placeHolder: placeholder, matchOnDetail: true });
    return chosen?.value;
  }

  async progress<T>(run: () => Promise<T>): Promise<T> {
    return await withProgress({ location: { viewId: 'beacon.errorTracking' } }, run);
  }

  async cancellable<T>(title: string, run: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
    const location = vscode.ProgressLocation.Notification;
    return await withProgress({ location, title, cancellable: true }, (_, token) => run(token));
  }
}
