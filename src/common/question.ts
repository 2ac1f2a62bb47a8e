import * as vscode from 'vscode';
import { createInputBox, createQuickPick } from './inertWindow.ts';

export interface Question<T> {
  readonly title: string;
  readonly hasBack?: boolean;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly password?: boolean;
  /** Whether the value is taken for an answer at once, as the user gave it before; one that cannot be taken is asked for. */
  readonly isAnswered?: boolean;
  /** Their `run` gets what was typed so far. */
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: (typed: string) => void })[];
  /**
   * @param signal ends when the input is closed or changed meanwhile.
   * @returns the answer, or the sentence that says why it cannot be taken; then the input stays open.
   */
  check(value: string, signal: AbortSignal): Promise<Answer<T>>;
}

export type Answer<T> = { readonly accepted: T } | { readonly rejected: string };

/** Asks until the answer is accepted. @returns `back` if the user wants the previous step, undefined if they cancelled. */
export async function ask<T>(question: Question<T>): Promise<{ answer: T; value: string } | 'back' | undefined> {
  const input = createInputBox();
  const { title, hasBack, prompt, placeholder, value, password = false, buttons = [] } = question;
  Object.assign(input, { title, prompt, placeholder, value, password, ignoreFocusOut: true });
  input.buttons = [...(hasBack ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: T; value: string } | 'back' | undefined>();
  let check = new AbortController();
  const settle = async (): Promise<void> => {
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
      input.validationMessage = { message: outcome.rejected, severity: vscode.InputBoxValidationSeverity.Error };
    }
  };
  const submit = (): void => void settle().catch(reject);
  input.onDidAccept(submit);
  input.onDidChangeValue(() => {
    check.abort();
    input.busy = false;
    input.validationMessage = undefined;
  });
  input.onDidTriggerButton((pressed) => {
    if (pressed === vscode.QuickInputButtons.Back) {
      resolve('back');
    } else {
      buttons.find((one) => one === pressed)?.run(input.value);
    }
  });
  input.onDidHide(() => resolve(undefined));
  input.show();
  if (question.isAnswered) {
    submit();
  }
  try {
    return await promise;
  } finally {
    check.abort();
    input.dispose();
  }
}

export interface ChoiceOptions<T> {
  readonly title: string;
  readonly hasBack?: boolean;
  readonly placeholder: string;
  readonly active?: T | undefined;
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: () => unknown })[];
}

type Chosen<T> = (T & { readonly pressed?: vscode.QuickInputButton | undefined }) | 'back' | undefined;

/**
 * Lets the user choose one of several lines, or a button of one.
 *
 * @returns the line, with the button if it was `pressed`; `back` if the user wants the previous step, undefined if they cancelled.
 */
export async function choose<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { active, title, placeholder, hasBack, buttons = [] }: ChoiceOptions<T>,
): Promise<Chosen<T>> {
  const pick = createQuickPick<T>();
  Object.assign(pick, {
    title,
    placeholder,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
    items,
  });
  if (active) {
    pick.activeItems = [active];
  }
  pick.buttons = hasBack ? [vscode.QuickInputButtons.Back, ...buttons] : buttons;
  const { promise, resolve } = Promise.withResolvers<Chosen<T>>();
  pick.onDidAccept(() => {
    const [chosen] = pick.activeItems;
    if (chosen) {
      resolve(chosen);
    }
  });
  pick.onDidTriggerButton((pressed) => {
    if (pressed === vscode.QuickInputButtons.Back) {
      resolve('back');
    } else {
      void buttons.find((one) => one === pressed)?.run();
    }
  });
  pick.onDidTriggerItemButton(({ item, button }) => resolve({ ...item, pressed: button }));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}

/** Lets the user choose one of several lines. @returns undefined if they gave up. */
export async function chooseOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Omit<ChoiceOptions<T>, 'hasBack'>,
): Promise<T | undefined> {
  const chosen = await choose(items, options);
  return chosen === 'back' ? undefined : chosen;
}
