import * as real from 'vscode';
import type { Answers } from '../actors/answers.ts';

/** So often a user types something else after what they typed was refused. */
const mostTries = 2;

/** An input of the editor that a simulated user answers once it is shown. */
class FakeInput {
  title = '';
  busy = false;
  enabled = true;
  ignoreFocusOut = false;
  step: number | undefined;
  totalSteps: number | undefined;
  placeholder: string | undefined;
  buttons: readonly real.QuickInputButton[] = [];
  readonly #accepted = new real.EventEmitter<void>();
  readonly #hidden = new real.EventEmitter<void>();
  readonly #typed = new real.EventEmitter<string>();
  readonly #pressed = new real.EventEmitter<real.QuickInputButton>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = this.#typed.event;
  readonly onDidTriggerButton = this.#pressed.event;
  #isOpen = true;

  hide(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#hidden.fire();
    }
  }

  dispose(): void {
    this.hide();
    real.Disposable.from(this.#accepted, this.#hidden, this.#typed, this.#pressed).dispose();
  }

  protected accept(): void {
    if (this.#isOpen) {
      this.#accepted.fire();
    }
  }

  protected press(button: real.QuickInputButton): void {
    if (this.#isOpen) {
      this.#pressed.fire(button);
    }
  }

  protected type(value: string): void {
    if (this.#isOpen) {
      this.#typed.fire(value);
    }
  }
}

/** An input for a line of text, such as the token of a sign-in. */
export class FakeInputBox extends FakeInput {
  value = '';
  password = false;
  prompt: string | undefined;
  #tries = 0;
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super();
    this.#answers = answers;
  }

  show(): void {
    void this.#answer();
  }

  get validationMessage(): undefined {
    return undefined;
  }

  /** What is wrong with what was typed: the user tries again, or cancels. */
  set validationMessage(message: unknown) {
    if (message !== undefined) {
      void (this.#tries < mostTries ? this.#answer() : this.#cancel());
    }
  }

  async #cancel(): Promise<void> {
    await Promise.resolve();
    this.hide();
  }

  async #answer(): Promise<void> {
    this.#tries += 1;
    const text = await this.#answers.credential(this.title, this.password);
    if (text === undefined) {
      this.hide();
      return;
    }
    this.value = text;
    this.type(text);
    this.accept();
  }
}

/** A list to choose from. */
export class FakeQuickPick<T extends real.QuickPickItem> extends FakeInput {
  value = '';
  items: readonly T[] = [];
  activeItems: readonly T[] = [];
  selectedItems: readonly T[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  readonly #itemButton = new real.EventEmitter<real.QuickPickItemButtonEvent<T>>();
  readonly #active = new real.EventEmitter<readonly T[]>();
  readonly onDidTriggerItemButton = this.#itemButton.event;
  readonly onDidChangeActive = this.#active.event;
  readonly onDidChangeSelection = this.#active.event;
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super();
    this.#answers = answers;
  }

  show(): void {
    void this.#answer();
  }

  async #answer(): Promise<void> {
    const [first, second] = this.buttons;
    // Of two buttons the first leads to something else, such as to apply a profile for a while.
    if (this.canSelectMany && first && second && this.#answers.random.next() < 0.5) {
      this.press(first);
    } else if (this.canSelectMany) {
      const chosen = await this.#answers.pickMany(this.selectedItems);
      if (chosen) {
        this.#answers.accepted(chosen);
        this.selectedItems = chosen;
        this.accept();
        return;
      }
    } else {
      const item = await this.#answers.pick(this.items.length === 0 ? [] : [...this.items]);
      if (item) {
        // As the editor does with new lines.
        this.#active.fire(this.items.filter(({ kind }) => kind === undefined).slice(0, 1));
        this.selectedItems = [item];
        this.activeItems = [item];
        this.accept();
        // A user who has picked an action such as a search continues there, or cancels.
        await this.#answers.pick([]);
      }
    }
    this.hide();
  }
}
