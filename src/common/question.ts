import * as vscode from 'vscode';
import { createInputBox, createQuickPick } from './inertWindow.ts';

/** One step of a multi-step input. */
export interface Question<T> {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly password?: boolean;
  /** Whether the value is taken for an answer at once, as the user gave it before; one that cannot be taken is asked for. */
  readonly isAnswered?: boolean;
  /** Their `run` gets what was typed so far, `answer` stands for what would be typed. */
  readonly buttons?: readonly (vscode.QuickInputButton &
    ({ readonly run: (typed: string) => void } | { readonly answer: (signal: AbortSignal) => Promise<Answer<T>> }))[];
  /**
   * Parses what was typed.
   *
   * @param signal ends when the input is closed or changed meanwhile.
   * @returns the answer, or the sentence that says why it cannot be taken; then the input stays open with what was typed.
   */
  check(value: string, signal: AbortSignal): Promise<Answer<T>>;
}

/** An answer, or the sentence that says why there is none. */
export type Answer<T> = { readonly accepted: T } | { readonly rejected: string };

/**
 * Asks until the answer is accepted.
 *
 * @returns the answer, `back` if the user wants the previous step, undefined if they cancelled.
 */
export async function ask<T>(question: Question<T>): Promise<{ answer: T; value: string } | 'back' | undefined> {
  const input = createInputBox();
  const { title, step, totalSteps, prompt, placeholder, value, password = false, buttons = [] } = question;
  const steps = totalSteps > 1 ? { step, totalSteps } : {};
  Object.assign(input, { title, ...steps, prompt, placeholder, value, password, ignoreFocusOut: true });
  input.buttons = [...(step > 1 ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  let check = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const accept = async (answer: (signal: AbortSignal) => Promise<Answer<T>>): Promise<void> => {
        if (input.busy) {
          return;
        }
        check = new AbortController();
        const { signal } = check;
        input.busy = true;
        input.validationMessage = undefined;
        const outcome = await answer(signal);
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
      const submit = (): void => void accept((signal) => question.check(input.value, signal)).catch(reject);
      input.onDidAccept(submit);
      input.onDidChangeValue(() => {
        check.abort();
        input.busy = false;
        input.validationMessage = undefined;
      });
      input.onDidTriggerButton((pressed) => {
        const button = buttons.find((one) => one === pressed);
        if (pressed === vscode.QuickInputButtons.Back) {
          resolve('back');
        } else if (button && 'answer' in button) {
          accept((signal) => button.answer(signal)).catch(reject);
        } else {
          button?.run(input.value);
        }
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
      if (question.isAnswered) {
        submit();
      }
    });
  } finally {
    check.abort();
    input.dispose();
  }
}

/**
 * Lets the user choose one of several lines.
 *
 * @returns the line, `back` if the user wants the previous step, undefined if they cancelled.
 */
export async function choose<T extends vscode.QuickPickItem>(
  items: readonly T[],
  {
    active,
    step = 0,
    ...rest
  }: Pick<Question<unknown>, 'title' | 'placeholder'> &
    Partial<Pick<Question<unknown>, 'step' | 'totalSteps'>> & { readonly active?: T | undefined },
): Promise<T | 'back' | undefined> {
  const pick = createQuickPick<T>();
  Object.assign(pick, { ...rest, step, ignoreFocusOut: true, matchOnDescription: true, items });
  if (active) {
    pick.activeItems = [active];
  }
  pick.buttons = step > 1 ? [vscode.QuickInputButtons.Back] : [];
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const [line] = pick.activeItems;
        if (line) {
          resolve(line);
        }
      });
      pick.onDidTriggerButton(() => resolve('back'));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
