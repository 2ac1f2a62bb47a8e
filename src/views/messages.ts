import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '../common/inertWindow.ts';
import { describeProblem, showProblem } from '../accounts/problem.ts';

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
  const show = severity === 'info' ? showInformationMessage : showWarningMessage;
  const told = show(sentence, ...actions.map(({ title }) => title));
  const act = async (): Promise<void> => {
    const chosen = await told;
    await actions.find(({ title }) => title === chosen)?.run();
  };
  act().catch((error: unknown) => {
    log.error(inspect(error));
    showProblem(describeProblem(error));
  });
}
