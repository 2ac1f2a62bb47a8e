import * as vscode from 'vscode';
import { createInputBox } from '../common/inertWindow.ts';

/** One step of a sequence of inputs. */
export interface Question<T> {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly password?: boolean;
  /** Their `run` gets what was typed so far. */
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: (typed: string) => void })[];
  /**
   * Turns what was typed into an answer.
   *
   * @param signal ends when the input is closed or changed meanwhile.
   * @returns the answer, or the sentence that says why it cannot be taken; then the input stays open with what was typed.
   */
  check(value: string, signal: AbortSignal): Promise<{ accepted: T } | { rejected: string }>;
}

/**
 * Asks until the answer is accepted.
 *
 * @returns the answer, `back` if the person wants the step before, undefined if they gave up.
 */
export async function ask<T>(question: Question<T>): Promise<{ answer: T; value: string } | 'back' | undefined> {
  const input = createInputBox();
  const { title, step, totalSteps, prompt, placeholder, value, password = false, buttons = [] } = question;
  Object.assign(input, { title, step, totalSteps, prompt, placeholder, value, password, ignoreFocusOut: true });
  input.buttons = [...(step > 1 ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  let check = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const accept = async (): Promise<void> => {
        if (input.busy) {
          return;
        }
        check = new AbortController();
        const { signal } = check;
        input.busy = true;
        input.validationMessage = undefined;
        const outcome = await question.check(input.value, signal);
        if (signal.aborted) {
          return;
        }
        input.busy = false;
        if ('accepted' in outcome) {
          resolve({ answer: outcome.accepted, value: input.value });
        } else {
          input.validationMessage = {
            message: outcome.rejected,
            severity: vscode.InputBoxValidationSeverity.Error,
          };
        }
      };
      input.onDidAccept(() => void accept().catch(reject));
      input.onDidChangeValue(() => {
        check.abort();
        input.busy = false;
        input.validationMessage = undefined;
      });
      input.onDidTriggerButton((pressed) =>
        pressed === vscode.QuickInputButtons.Back
          ? resolve('back')
          : buttons.find((button) => button === pressed)?.run(input.value),
      );
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    check.abort();
    input.dispose();
  }
}
