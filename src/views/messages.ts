import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { describeProblem, showProblem } from '../accounts/problem.ts';
import { inertText, plainLines, plainText } from '../plainText.ts';

/** A button and what it does. */
export interface Action {
  readonly title: string;
  run(): unknown;
}

/**
 * Tells something, with buttons; returns at once. What fails behind a button is told, too.
 *
 * @param sentence may hold text of an instance: it makes neither links nor icons.
 */
export function tell(
  severity: 'info' | 'warning',
  sentence: string,
  actions: readonly Action[],
  log: Pick<vscode.LogOutputChannel, 'error'>,
): void {
  const show = severity === 'info' ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const told = show(inertText(sentence, 2000), ...actions.map(({ title }) => title));
  const act = async (): Promise<void> => {
    const chosen = await told;
    await actions.find(({ title }) => title === chosen)?.run();
  };
  act().catch((error: unknown) => {
    log.error(inspect(error));
    showProblem(describeProblem(error));
  });
}

/**
 * Asks once, in a way that cannot be overlooked, before something that is not taken back easily. Question and detail may hold
 * text of an instance.
 *
 * @param verb the button that goes on.
 */
export async function confirm(question: string, detail: string, verb: string): Promise<boolean> {
  const options = { modal: true, detail: plainLines(detail, 5000) };
  return (await vscode.window.showWarningMessage(plainText(question), options, verb)) === verb;
}
