import type { Input } from '../../support/editor/inputs.ts';
import type { Answers } from '../actors/answers.ts';

/** So often a user types a token or an address that is refused. */
const mostTries = 2;

/** A user who answers each input once it is shown, and again where what they typed was refused. */
export class InputUser {
  readonly #answers: Answers;
  readonly #tries = new WeakMap<Input, number>();
  /** Inputs that the user thinks about. */
  readonly #considered = new WeakSet<Input>();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  see(input: Input): void {
    const tries = this.#tries.get(input) ?? 0;
    if ((tries === 0 || input.validationMessage !== undefined) && !this.#considered.has(input)) {
      this.#tries.set(input, tries + 1);
      this.#considered.add(input);
      void (input.kind === 'pick' ? this.#choose(input) : this.#type(input, tries));
    }
  }

  async #type(input: Input, tries: number): Promise<void> {
    // Questions for credentials say whether what is typed is hidden.
    const isHidden: unknown = Reflect.get(input, 'password');
    const { title = '', value } = input;
    const text =
      typeof isHidden === 'boolean'
        ? await (tries < mostTries ? this.#answers.credential(title, isHidden) : undefined)
        : await (tries === 0 ? this.#answers.text(title, value) : undefined);
    if (text === undefined || !input.isOpen) {
      input.hide();
      return;
    }
    input.value = text;
    input.typed.fire(text);
    this.#considered.delete(input);
    input.accept();
  }

  async #choose(input: Input): Promise<void> {
    const chosen = input.canSelectMany ? await this.#answers.pickMany(input.items) : await this.#pick(input);
    if (chosen && input.isOpen) {
      this.#answers.accepted(chosen);
      input.activeItems = chosen;
      input.selectedItems = chosen;
      input.accept();
      // A user who has picked an action such as a search continues there, or cancels.
      await this.#answers.pick([]);
    }
    input.hide();
  }

  async #pick({ items }: Input): Promise<Input['items'] | undefined> {
    const item = await this.#answers.pick(items);
    return item && [item];
  }
}
