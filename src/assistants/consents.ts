import { ToolInputError } from './toolInputError.ts';

/** So many questions may wait for their answers. */
const mostQuestions = 100;

/**
 * Binds what a tool does to what the user was shown before it: the editor says of a run with which input it is, and not to
 * which question the user has said yes.
 */
export class Consents<Shown> {
  readonly #shown = new Map<string, readonly Shown[]>();
  readonly #isSame: (one: Shown, other: Shown) => boolean;

  /** @param isSame whether two questions come to the same, so that it does not matter which of them was answered. */
  constructor(isSame: (one: Shown, other: Shown) => boolean) {
    this.#isSame = isSame;
  }

  /** Notes what a question shows, for a run with the same input. */
  note(input: unknown, shown: Shown): void {
    const key = keyOf(input);
    const others = (this.#shown.get(key) ?? []).filter((other) => !this.#isSame(other, shown));
    this.#shown.delete(key);
    this.#shown.set(key, [...others, shown]);
    // What was asked long ago and never answered is forgotten.
    for (const oldest of [...this.#shown.keys()].slice(0, -mostQuestions)) {
      this.#shown.delete(oldest);
    }
  }

  /**
   * What the user has agreed to, once; undefined if nothing was shown for the input.
   *
   * @throws ToolInputError if there were questions about several things: nobody knows which was answered.
   */
  take(input: unknown): Shown | undefined {
    const key = keyOf(input);
    const [shown, other] = this.#shown.get(key) ?? [];
    this.#shown.delete(key);
    if (other !== undefined) {
      throw new ToolInputError(
        'The user was asked about different things with this input, so it is unclear what they confirmed. Ask again.',
      );
    }
    return shown;
  }
}

/** For a tool that would do what the user was not asked about. */
export function notConfirmed(): ToolInputError {
  return new ToolInputError('The user has not confirmed this. Ask again, so that they are shown what it is about.');
}

function keyOf(input: unknown): string {
  return JSON.stringify(input ?? null);
}
