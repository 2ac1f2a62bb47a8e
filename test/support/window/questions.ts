import type { Input, Item, Message, User } from '../editor/inputs.ts';
import { visible } from '../editor/view.ts';
import { QuickInputButtons, QuickPickItemKind } from 'vscode';

/** A question as a user sees it: an input that is open, a modal message, a preview or a dialog for files. */
export interface Question {
  /** Title, placeholder and prompt, or the message with its detail. */
  readonly text: string;
  /** Of each line to choose from its label, description and detail. */
  readonly lines: readonly string[];
  /** The names of buttons; of lines, too. */
  readonly buttons: readonly string[];
  /** What stands in the input. */
  readonly value: string;
  /** What is wrong with what was typed last. */
  readonly problem: string | undefined;
}

/**
 * What a user does about a question: types a text, or chooses the line with this label, or one that matches; several lines where
 * several can be chosen; presses a button; goes away (undefined). Or what they do once they have read it.
 */
export type Answer =
  | string
  | RegExp
  | readonly (string | RegExp)[]
  | undefined
  /** Presses the button of this name, or that of a line. `Back` is the editor's own. */
  | { readonly button: string; readonly of?: string | RegExp }
  /** Types in a list, and goes on once its lines are there. */
  | { readonly type: string; readonly next: Answer }
  | ((question: Question) => Answer | Promise<Answer>);

/** A message that is shown. */
export type Shown = Omit<Message, 'isModal'>;

const matches = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);

/** A user who answers questions as a test has said before. One without an answer is closed, and fails the test. */
export class Questions implements User {
  /** All that was asked, in order. */
  readonly asked: Question[] = [];
  /** All messages that were shown, in order; also those that were answered. */
  readonly messages: Shown[] = [];
  readonly #answers: { readonly wanted: string | RegExp; readonly answer: Answer }[] = [];
  readonly #open: { readonly message: Shown; readonly close: (button: string | undefined) => void }[] = [];
  /** Inputs that are being answered, or that wait for a change. */
  readonly #busy = new WeakSet<Input>();
  /** Whether messages that need no answer are closed as soon as they are shown. */
  closesMessages = false;
  /** Whether questions without an answer are closed, which does not fail the test. */
  dismissesQuestions = false;
  #failure: Error | undefined;

  /** Answers the next question whose text has or matches this; also a message without a question, by one of its buttons. */
  expect(wanted: string | RegExp, answer: Answer): void {
    this.#answers.push({ wanted, answer });
  }

  /** @throws if a question had no answer. */
  check(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) {
      throw failure;
    }
  }

  /** The answers that nothing has asked for yet. */
  get waiting(): readonly string[] {
    return this.#answers.map(({ wanted, answer }) => `${String(wanted)}: ${describe(answer)}`);
  }

  /** Presses the button of the newest message that has it. */
  press(button: string): boolean {
    const index = this.#open.findLastIndex(({ message }) => message.buttons.includes(button));
    const [pressed] = index < 0 ? [] : this.#open.splice(index, 1);
    pressed?.close(button);
    return pressed !== undefined;
  }

  see(input: Input): void {
    if (!this.#busy.has(input)) {
      this.#busy.add(input);
      // All that is set in one turn is seen together.
      setImmediate(() => void this.#consider(input));
    }
  }

  async read({ kind, text, detail, isModal, buttons }: Message): Promise<string | undefined> {
    const message = { kind, text: visible(text), detail: visible(detail), buttons: buttons.map(visible) };
    const whole = [message.text, message.detail].filter(Boolean).join(' · ');
    const question = { text: whole, lines: [], buttons: message.buttons, value: '', problem: undefined };
    if (isModal) {
      this.asked.push(question);
    } else {
      this.messages.push(message);
    }
    const answer = this.#take(question.text);
    if (!answer && !isModal) {
      return this.closesMessages ? undefined : await new Promise((close) => this.#open.push({ message, close }));
    }
    const chosen = await this.#resolve(answer?.answer, question);
    if (!answer) {
      this.#fail(`Nobody answered "${question.text}" (${buttons.join(', ')})`);
    } else if (typeof chosen === 'string' && buttons.length > 0 && !message.buttons.includes(chosen)) {
      this.#fail(`"${question.text}" has no button "${chosen}", but ${message.buttons.join(', ')}`);
      return undefined;
    }
    return typeof chosen === 'string' ? (buttons[message.buttons.indexOf(chosen)] ?? chosen) : undefined;
  }

  async #consider(input: Input): Promise<void> {
    this.#busy.delete(input);
    if (!input.isOpen || input.busy || !input.enabled) {
      return;
    }
    const question = questionOf(input);
    const answer = this.#answers.find(({ wanted }) => matches(question.text, wanted));
    const isNew = JSON.stringify(this.asked.at(-1)) !== JSON.stringify(question);
    if (isNew) {
      this.asked.push(question);
    }
    if (!answer) {
      const lines = question.lines.length > 0 ? `\n  ${question.lines.join('\n  ')}` : '';
      this.#fail(`Nobody answered "${question.text}" ${question.problem ?? ''}${lines}`);
      input.hide();
      return;
    }
    this.#busy.add(input);
    const resolved = await this.#resolve(answer.answer, question);
    const act = actOf(input, resolved);
    this.#busy.delete(input);
    if (act) {
      this.#answers.splice(this.#answers.indexOf(answer), 1);
      if (resolved !== null && typeof resolved === 'object' && 'type' in resolved) {
        this.#answers.unshift({ wanted: answer.wanted, answer: resolved.next });
      }
      act();
      // A button may leave the input open, for what comes next.
      if (resolved !== null && typeof resolved === 'object' && 'button' in resolved && this.#expects(question.text)) {
        this.see(input);
      }
    }
    // Otherwise the line that is wanted may come.
  }

  #expects(text: string): boolean {
    return this.#answers.some(({ wanted }) => matches(text, wanted));
  }

  #take(text: string) {
    const index = this.#answers.findIndex(({ wanted }) => matches(text, wanted));
    return index < 0 ? undefined : this.#answers.splice(index, 1)[0];
  }

  #fail(message: string): void {
    this.#failure ??= this.dismissesQuestions ? undefined : new Error(message);
  }

  /** What fails in an answer is a failure of the test: the product would take it for one of the editor, and report it. */
  async #resolve(answer: Answer, question: Question): Promise<Exclude<Answer, Function>> {
    try {
      return typeof answer === 'function' ? await this.#resolve(await answer(question), question) : answer;
    } catch (error) {
      this.#failure ??= error as Error;
      return undefined;
    }
  }
}

function questionOf(input: Input): Question {
  const { title, placeholder, prompt, items, buttons, value, validationMessage: problem } = input;
  const ofLines = items.flatMap((item) => item.buttons ?? []);
  return {
    text: visible([title, placeholder, prompt].filter(Boolean).join(' · ')),
    lines: items.map(lineOf),
    buttons: [...buttons, ...ofLines].map(buttonName),
    value,
    problem: problem === undefined ? undefined : visible(typeof problem === 'string' ? problem : problem.message),
  };
}

function lineOf({ label, description, detail, kind }: Item): string {
  const text = visible([label, description, detail].filter(Boolean).join(' · '));
  return kind === QuickPickItemKind.Separator ? `--- ${text}` : text;
}

function buttonName(button: { readonly tooltip?: string | undefined }): string {
  return (button as unknown) === QuickInputButtons.Back ? 'Back' : visible(button.tooltip ?? '');
}

/** What an answer does to an input; undefined while what it is about is not there. */
function actOf(input: Input, answer: Exclude<Answer, Function>): (() => void) | undefined {
  const lines = input.items.filter(({ kind }) => kind !== QuickPickItemKind.Separator);
  const find = (wanted: string | RegExp): Item | undefined =>
    lines.find((item) => (typeof wanted === 'string' ? visible(item.label) === wanted : wanted.test(lineOf(item))));
  if (answer === undefined) {
    return () => input.hide();
  }
  if (typeof answer === 'object' && 'button' in answer) {
    const item = answer.of === undefined ? undefined : find(answer.of);
    const button = (item?.buttons ?? input.buttons).find((one) => buttonName(one) === answer.button);
    return button && (() => (item ? input.itemPressed.fire({ item, button }) : input.pressed.fire(button)));
  }
  if (typeof answer === 'object' && 'type' in answer) {
    return () => type(input, answer.type);
  }
  if (input.kind === 'text') {
    return () => {
      type(input, String(answer));
      input.accept();
    };
  }
  const wanted = typeof answer === 'string' || answer instanceof RegExp ? [answer] : answer;
  const chosen = wanted.flatMap((one) => find(one) ?? []);
  return chosen.length < wanted.length
    ? undefined
    : () => {
        input.activeItems = chosen;
        input.active.fire(chosen);
        input.selectedItems = chosen;
        input.accept();
      };
}

function type(input: Input, text: string): void {
  input.value = text;
  input.typed.fire(text);
}

function describe(answer: Answer): string {
  return answer instanceof RegExp || typeof answer === 'function' ? String(answer) : JSON.stringify(answer);
}
