import type { Syntax } from './syntax.ts';
import type { Token } from './tokens.ts';

/** Of each closing bracket the opening one. */
export const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The tokens of a program, and the brackets that they are in. */
export class NestedTokens {
  readonly tokens: readonly Token[];
  readonly syntax: Syntax | undefined;
  /** Of a bracket, the index of the other one; of everything else, and of an unmatched bracket, -1. */
  readonly partner: Int32Array;
  /** The index of the innermost open bracket around a token, or -1. */
  readonly parent: Int32Array;

  /** @param syntax undefined for commands of a shell. */
  constructor(tokens: readonly Token[], syntax: Syntax | undefined) {
    this.tokens = tokens;
    this.syntax = syntax;
    this.partner = new Int32Array(tokens.length).fill(-1);
    this.parent = new Int32Array(tokens.length).fill(-1);
    this.#pair();
  }

  /** The text of a token; empty beyond the ends. */
  at(index: number): string {
    return this.tokens[index]?.text ?? '';
  }

  isMark(index: number, text: string): boolean {
    const token = this.tokens[index];
    return token?.kind === 'mark' && token.text === text;
  }

  /** Whether a token leads from a value to a member of it. */
  isDot(index: number): boolean {
    const token = this.tokens[index];
    return (
      token?.kind === 'mark' &&
      (/^(?:\.|\?\.|&\.|::)$/.test(token.text) || (token.text === '->' && this.syntax?.join === '.'))
    );
  }

  isWord(index: number): boolean {
    return this.tokens[index]?.kind === 'word';
  }

  isText(index: number): boolean {
    return this.tokens[index]?.kind === 'text';
  }

  #pair(): void {
    const open: number[] = [];
    this.tokens.forEach(({ kind, text }, index) => {
      const opener = kind === 'mark' ? closers[text] : undefined;
      if (opener !== undefined) {
        const from = open.findLastIndex((candidate) => this.at(candidate) === opener);
        if (from !== -1) {
          const partner = open[from] ?? 0;
          open.length = from;
          this.partner[partner] = index;
          this.partner[index] = partner;
        }
      }
      this.parent[index] = open.at(-1) ?? -1;
      if (kind === 'mark' && /^[([{]$/.test(text)) {
        open.push(index);
      }
    });
  }
}
