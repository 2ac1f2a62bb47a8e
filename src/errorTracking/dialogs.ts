import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { inertText, plainLines, plainText } from '../plainText.ts';
import { describeProblem, type Problem, showProblem } from '../accounts/problem.ts';

/** A button and what it does. */
export interface Action {
  readonly title: string;
  run(): unknown;
}

/** A button that runs a command. */
export function commandAction(title: string, command: string, ...args: readonly unknown[]): Action {
  return { title, run: () => vscode.commands.executeCommand(command, ...args) };
}

/** Tells a failure, with the step that mends it. */
export function tellProblem(dialogs: Dialogs, { sentence, remedy }: Problem): void {
  const actions = remedy
    ? [commandAction(remedy.title, remedy.command, ...((remedy.arguments ?? []) as unknown[]))]
    : [];
  dialogs.tell('warning', sentence, ...actions);
}

/** What a person is asked before something cannot be taken back easily. */
export interface Confirmation {
  readonly question: string;
  readonly detail: string;
  /** The button that goes on. */
  readonly verb: string;
}

/** A line to choose from. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value?: T;
}

/** How commands talk with a person. */
export interface Dialogs {
  /** Tells something, with buttons; returns at once. */
  tell(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void;
  /** Asks once, in a way that cannot be overlooked. */
  confirm(confirmation: Confirmation): Promise<boolean>;
  /** @returns undefined if the person gave up. */
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

  tell(severity: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void {
    const show = severity === 'info' ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const told = show(inertText(sentence, 1000), ...actions.map(({ title }) => title));
    const act = async (): Promise<void> => {
      const chosen = await told;
      await actions.find(({ title }) => title === chosen)?.run();
    };
    act().catch((error: unknown) => {
      this.#log.error(inspect(error));
      showProblem(describeProblem(error));
    });
  }

  async confirm({ question, detail, verb }: Confirmation): Promise<boolean> {
    return (
      (await vscode.window.showWarningMessage(
        plainText(question),
        { modal: true, detail: plainLines(detail, 5000) },
        verb,
      )) === verb
    );
  }

  async choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    const lines = choices.map((choice) => ({ ...choice, label: plainText(choice.label) }));
    const chosen = await vscode.window.showQuickPick(lines, { title, placeHolder: placeholder, matchOnDetail: true });
    return chosen?.value;
  }

  async progress<T>(run: () => Promise<T>): Promise<T> {
    return await vscode.window.withProgress({ location: { viewId: 'beacon.errorTracking' } }, run);
  }

  async cancellable<T>(title: string, run: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
    const location = vscode.ProgressLocation.Notification;
    return await vscode.window.withProgress({ location, title, cancellable: true }, (_, token) => run(token));
  }
}
