import type { Choice, Confirmation, Dialogs, Report } from '../../src/accounts/dialogs.ts';
import type { Action } from '../../src/accounts/problem.ts';
import { type ShownMessage, shownMessage } from './shownMessage.ts';

/** Stands in for a user who reads what is shown, and answers as a test lets them. */
export class ScriptedDialogs implements Dialogs {
  readonly messages: ShownMessage[] = [];
  /** Their details in one text, a line each. */
  readonly asked: (Confirmation & { readonly detail: string })[] = [];
  readonly offered: string[][] = [];
  /** The second lines of what was offered. */
  readonly details: (string | undefined)[][] = [];
  /** What stood beside their labels. */
  readonly descriptions: (string | undefined)[][] = [];
  /** Titles and placeholders of lists. */
  readonly headings: [title: string, placeholder: string][] = [];
  /** What happens while the user looks at a list. */
  onChoose: () => Promise<void> = async () => {};
  /** What happens while the user reads a question. */
  onConfirm: () => Promise<void> = async () => {};
  /** Whether questions are answered with their button, or with what can be done in its place. */
  confirms: boolean | 'instead' = true;
  /** What is chosen from lists, one after the other: the first line whose label matches. */
  choices: RegExp[] = [];
  /** Which lines are chosen where several can be; those that are picked already if not given. */
  many: RegExp | undefined;
  answers: string[] = [];
  /** What was said of answers that could not be taken. */
  readonly refused: string[] = [];
  cancels = false;

  notify(_: 'info' | 'warning', sentence: string, ...actions: readonly Action[]): void {
    this.messages.push(shownMessage(sentence, actions));
  }

  async confirm(confirmation: Confirmation): Promise<boolean> {
    this.asked.push({ ...confirmation, detail: [confirmation.detail].flat(2).join('\n') });
    await this.onConfirm();
    if (this.confirms === 'instead') {
      await confirmation.instead?.run();
    }
    return this.confirms === true;
  }

  async choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    this.headings.push([title, placeholder]);
    this.offered.push(choices.map(({ label }) => label));
    this.details.push(choices.map(({ detail }) => detail));
    this.descriptions.push(choices.map(({ description }) => description));
    await this.onChoose();
    const wanted = this.choices.shift();
    return choices.find(({ label }) => wanted?.test(label))?.value;
  }

  async chooseMany<T>(_: string, __: string, choices: readonly Choice<T>[]): Promise<readonly T[]> {
    return choices
      .filter(({ label, picked }) => this.many?.test(label) ?? picked === true)
      .flatMap(({ value }) => (value === undefined ? [] : [value]));
  }

  async ask(
    _: string,
    __: string,
    ___: string,
    problemOf: (text: string) => string | undefined,
  ): Promise<string | undefined> {
    const answer = this.answers.shift();
    const problem = answer === undefined ? undefined : problemOf(answer);
    if (problem !== undefined) {
      this.refused.push(problem);
      return undefined;
    }
    return answer;
  }

  async progress<T>(_: string, run: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    if (this.cancels) {
      abort.abort();
    }
    return await run(abort.signal, () => {});
  }

  async viewProgress<T>(run: () => Promise<T>): Promise<T> {
    return await run();
  }
}
