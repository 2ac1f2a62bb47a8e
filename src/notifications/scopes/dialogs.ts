import * as vscode from 'vscode';
import { confirm, createQuickPick, showInputBox, showQuickPick, withProgress } from '../../common/inertWindow.ts';
import { type Action, tell } from '../../views/messages.ts';
import { accountLabel } from '../../accounts/accountName.ts';
import { ReportDocuments } from '../../views/reportDocuments.ts';
import { scopeWords } from '../model/words.ts';
import { changesNothing, type ScopePlan } from './plan.ts';
import { describePlan, planDocument } from './planWords.ts';

/** A line to choose from. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** How something long tells how far it is, in parts of the whole from 0 to 1. */
export type Report = (done: number, message?: string) => void;

/** How commands that concern many scopes talk with a person. */
export interface Dialogs {
  /** Tells something, with buttons; returns at once. */
  tell(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void;
  /** @returns undefined if the person gave up. */
  choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** Those that are `picked` are chosen from the start. @returns undefined if the person gave up. */
  chooseMany<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<readonly T[] | undefined>;
  /** @returns undefined if the person gave up. */
  ask(
    title: string,
    prompt: string,
    value: string,
    problemOf: (text: string) => string | undefined,
  ): Promise<string | undefined>;
  /** Asks once, in a way that cannot be overlooked. */
  confirm(question: string, detail: string, verb: string): Promise<boolean>;
  /**
   * Shows what plans would change, and lets the person leave some out.
   *
   * @returns those to carry out, each of which changes something; undefined if the person gave up.
   */
  review(title: string, plans: readonly ScopePlan[]): Promise<readonly ScopePlan[] | undefined>;
  /** Runs something long that can be cancelled. Rejects with the signal's reason if the person did. */
  progress<T>(title: string, run: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T>;
  /** Shows a Markdown document. */
  show(name: string, markdown: string): Promise<void>;
}

/** The dialogs of the editor. */
export class EditorDialogs implements Dialogs, vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #documents = new ReportDocuments('beacon-notifications');

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  tell(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void {
    tell(severity, sentence, actions, this.#log);
  }

  async choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    const chosen = await showQuickPick(choices, {
      title,
      placeHolder: placeholder,
      matchOnDetail: true,
    });
    return chosen?.value;
  }

  async chooseMany<T>(
    title: string,
    placeholder: string,
    choices: readonly Choice<T>[],
  ): Promise<readonly T[] | undefined> {
    const options = { title, placeHolder: placeholder, matchOnDescription: true, canPickMany: true } as const;
    const chosen = await showQuickPick(choices, { ...options, ignoreFocusOut: true });
    return chosen?.map(({ value }) => value);
  }

  async ask(
    title: string,
    prompt: string,
    value: string,
    problemOf: (text: string) => string | undefined,
  ): Promise<string | undefined> {
    const text = await showInputBox({
      title,
      prompt,
      value,
      validateInput: problemOf,
      ignoreFocusOut: true,
    });
    return text?.trim();
  }

  async confirm(question: string, detail: string, verb: string): Promise<boolean> {
    return await confirm(question, detail, verb);
  }

  async review(title: string, plans: readonly ScopePlan[]): Promise<readonly ScopePlan[] | undefined> {
    const showAll: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('open-preview'),
      tooltip: vscode.l10n.t('Show All Differences as Document'),
    };
    const picker = createQuickPick<Choice<ScopePlan>>();
    picker.title = title;
    picker.placeholder = vscode.l10n.t('Nothing is sent before you confirm. Clear what you do not want to change.');
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDetail = true;
    picker.buttons = [showAll];
    picker.items = plans.map((plan) => ({
      label: scopeWords(plan.scope, vscode.l10n),
      description: accountLabel(plan.scope.accountId),
      detail: describePlan(plan).join(' · '),
      value: plan,
    }));
    picker.selectedItems = picker.items.filter(({ value }) => !changesNothing(value));
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(() => void this.show(title, planDocument(title, plans)));
      picker.onDidAccept(() => {
        resolve(picker.selectedItems.map(({ value }) => value).filter((plan) => !changesNothing(plan)));
        picker.dispose();
      });
      picker.onDidHide(() => {
        resolve(undefined);
        picker.dispose();
      });
      picker.show();
    });
  }

  async progress<T>(title: string, run: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T> {
    const location = vscode.ProgressLocation.Notification;
    return await withProgress({ location, title, cancellable: true }, async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      let shown = 0;
      return await run(abort.signal, (done, message) => {
        progress.report({ increment: (done - shown) * 100, ...(message === undefined ? {} : { message }) });
        shown = done;
      });
    });
  }

  async show(name: string, markdown: string): Promise<void> {
    await this.#documents.show(name, markdown);
  }

  dispose(): void {
    this.#documents.dispose();
  }
}
