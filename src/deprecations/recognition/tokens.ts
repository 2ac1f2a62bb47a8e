/** A piece of a literal text: its own characters, or a hole where a value goes in. */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** The source between start and end: characters of the text, or of a hole's expression. */
  readonly source: string;
  readonly isHole: boolean;
}

/**
 * The smallest unit of a program's source. `text` is a string literal, or a word of a shell command; what a hole of it
 * computes follows it as tokens between a pair of parentheses.
 */
export interface Token {
  readonly kind: 'word' | 'number' | 'mark' | 'text';
  /** Of a word its name without sigils, of a literal text its characters, escapes as they are, with U+0000 for each hole. */
  readonly text: string;
  /** Offsets in the source, quotes included. */
  readonly start: number;
  readonly end: number;
  /** Counts lines that are not continued, so that a change of it may end a statement. */
  readonly line: number;
  /** Columns before the first token of its line. */
  readonly indent: number;
  /** Of a literal text. */
  readonly parts: readonly Part[];
  /** The index of the first token that follows and is no part of this one's holes. */
  after: number;
}

/** Stands for a hole in the text of a token. */
export const hole = '\0';

/** The offset in the source of a character of a literal text; that of a hole is the hole's. */
export function offsetIn(token: Token, index: number): number {
  let passed = 0;
  for (const part of token.parts) {
    const length = part.isHole ? 1 : part.source.length;
    if (index < passed + length) {
      return part.start + (part.isHole ? 0 : index - passed);
    }
    passed += length;
  }
  return token.parts.at(-1)?.end ?? token.end;
}
