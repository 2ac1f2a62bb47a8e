import { inspect } from 'node:util';
import type { Violations } from './violations.ts';

/** Looks for tokens in everything that leaves the product other than for the instance or the secret store. */
export class Outputs {
  readonly #violations: Violations;
  readonly #tokens = new Set<string>();

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  /** What must not be seen from now on. */
  hide(token: string): void {
    this.#tokens.add(token);
  }

  /** All tokens of the day. */
  get tokens(): readonly string[] {
    return [...this.#tokens];
  }

  /**
   * Checks an output.
   *
   * @param where it goes, to name it.
   */
  see(where: string, output: unknown): void {
    const text =
      typeof output === 'string' ? output : inspect(output, { depth: 8, maxArrayLength: null, maxStringLength: null });
    for (const token of this.#tokens) {
      if (text.includes(token)) {
        this.#violations.add('tokens', `${where}: ${text.slice(0, 300).replaceAll(token, '<token>')}`);
      }
    }
  }
}
