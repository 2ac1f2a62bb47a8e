import type { PlacedText } from './addresses.ts';
import type { Program } from './program.ts';
import { hole } from './tokens.ts';

/** What is known of the value of a name at a place, as a text. */
export type KnownText = (name: string, index: number) => string | undefined;

/** A text that several literals and values make up. */
export interface JoinedText extends PlacedText {
  /** The indices of its first token, and of the token behind its last. */
  readonly start: number;
  readonly end: number;
}

/** The text that begins with a literal; undefined if the literal goes on a text that began before. */
export function joinedText(program: Program, index: number, known: KnownText): JoinedText | undefined {
  const { tokens, syntax } = program;
  const isJoin = (at: number): boolean =>
    syntax !== undefined && (program.isMark(at, '+') || (syntax.join !== undefined && program.isMark(at, syntax.join)));
  const characters: string[] = [];
  const offsets: number[] = [];
  const addUnplaced = (text: string): void => {
    characters.push(text);
    offsets.push(...Array.from({ length: text.length }, () => -1));
  };
  const addLiteral = (at: number): number => {
    const token = tokens[at];
    let inside = at + 1;
    for (const part of token?.parts ?? []) {
      if (part.isHole) {
        // The tokens of the hole follow between parentheses.
        const close = program.partner[inside] ?? -1;
        const value = program.isWord(close - 1) ? known(program.at(close - 1), at) : undefined;
        addUnplaced(value ?? nameValue(program.at(close - 1)));
        inside = Math.max(close, inside) + 1;
      } else {
        characters.push(part.source);
        offsets.push(...Array.from({ length: part.source.length }, (_, shift) => part.start + shift));
      }
    }
    return token?.after ?? at + 1;
  };

  let start = index;
  const before = index - 1;
  if (isJoin(before)) {
    const operand = before - 1;
    if (program.isText(operand) || (program.isMark(operand, ')') && isPartOfText(program, operand))) {
      return undefined;
    }
    if (joinsLiteralBefore(program, operand, isJoin)) {
      return undefined;
    }
    addUnplaced(
      (program.isWord(operand) ? known(program.at(operand), index) : undefined) ?? nameValue(program.at(operand)),
    );
    start = operand;
  } else if (syntax?.adjacent === true && before >= 0 && isEndOfText(program, before)) {
    return undefined;
  }
  let at = addLiteral(index);
  while (at < tokens.length) {
    if (syntax?.adjacent === true && program.isText(at)) {
      at = addLiteral(at);
    } else if (isJoin(at) && program.isText(at + 1)) {
      at = addLiteral(at + 1);
    } else if (isJoin(at) && at + 1 < tokens.length) {
      const end = endOfOperand(program, at + 1, isJoin);
      addUnplaced((end === at + 2 ? known(program.at(at + 1), index) : undefined) ?? hole);
      at = end;
    } else {
      break;
    }
  }
  return { text: characters.join(''), offsets, start, end: at };
}

/** What the name alone tells of a value. */
function nameValue(name: string): string {
  return /api_?v4/i.test(name) ? `${hole}/api/v4` : hole;
}

/** Whether a token ends a literal text with holes. */
function isPartOfText(program: Program, close: number): boolean {
  const token = program.tokens[close];
  return token !== undefined && token.start === token.end;
}

function isEndOfText(program: Program, index: number): boolean {
  return program.isText(index) || isPartOfText(program, index);
}

/** Whether the operands before one lead to a literal, whose text this is a part of. */
function joinsLiteralBefore(program: Program, operand: number, isJoin: (at: number) => boolean): boolean {
  let at = operand;
  for (let steps = 0; steps < 40 && at >= 0; steps += 1) {
    if (program.isMark(at, ')') || program.isMark(at, ']')) {
      at = (program.partner[at] ?? 0) - 1;
    } else if (isJoin(at)) {
      if (isEndOfText(program, at - 1)) {
        return true;
      }
      at -= 1;
    } else if (
      program.isWord(at) ||
      program.tokens[at]?.kind === 'number' ||
      /^(?:\.|\?\.|->|::|!)$/.test(program.at(at))
    ) {
      at -= 1;
    } else {
      return false;
    }
  }
  return false;
}

function endOfOperand(program: Program, start: number, isJoin: (at: number) => boolean): number {
  const end = program.endOfExpression(start);
  for (let at = start; at < end;) {
    const partner = program.partner[at] ?? -1;
    if (isJoin(at)) {
      return at;
    }
    at = partner > at ? partner + 1 : Math.max(program.tokens[at]?.after ?? at, at + 1);
  }
  return end;
}
