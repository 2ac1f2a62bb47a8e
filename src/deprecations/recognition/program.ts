import { type FunctionRange, functionsIn } from './functions.ts';
import { Statements } from './statements.ts';
import type { Syntax } from './syntax.ts';
import type { Token } from './tokens.ts';

/**
 * The shape of a program, as far as it can be told without the grammar of its language: brackets, statements, functions.
 * It is told for what people write, not for everything that compiles.
 */
export class Program extends Statements {
  readonly functions: readonly FunctionRange[];
  /** Of a token, one more than the index of its innermost function; 0 outside of all. */
  readonly #owner: Int32Array;

  /** @param syntax undefined for commands of a shell. */
  constructor(tokens: readonly Token[], syntax: Syntax | undefined) {
    super(tokens, syntax);
    this.functions = syntax ? functionsIn(this, syntax) : [];
    this.#owner = new Int32Array(tokens.length);
    this.functions.forEach(({ start, end }, index) => this.#owner.fill(index + 1, start, end));
  }

  /** The innermost function that holds a token. */
  functionAt(index: number): FunctionRange | undefined {
    return this.functions[(this.#owner[index] ?? 0) - 1];
  }
}
