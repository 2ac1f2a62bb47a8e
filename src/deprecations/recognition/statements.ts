import { closers, NestedTokens } from './nestedTokens.ts';
import type { Syntax } from './syntax.ts';
import type { Token } from './tokens.ts';
import { control } from './words.ts';

/** The parts of the longest expression that is followed to its end. */
const maxSteps = 2000;
const goesOn = /^(?:\.|\?\.|&\.|->|&&|\|\||\?\?|\+|\?|:|\)|\]|\}|,|=|==|===|\||<>|=>|\|>|\*)$/;
const wantsMore = /^(?:,|\(|\[|=|:=|\+|&&|\|\||\?|\.|=>|->|\||==|===|<-|<>|\?\?|!|\+=)$/;

/** Where the statements of a program, and the expressions in them, begin and end. */
export class Statements extends NestedTokens {
  /** The index of the first token of a token's statement. What is in a block inside a statement has statements of its own. */
  readonly statement: Int32Array;
  readonly #ends = new Map<number, number>();

  /** @param syntax undefined for commands of a shell. */
  constructor(tokens: readonly Token[], syntax: Syntax | undefined) {
    super(tokens, syntax);
    this.statement = new Int32Array(tokens.length);
    this.#divide();
  }

  /** The index behind the last token of the statement that begins at a token. */
  endOfStatement(start: number): number {
    return this.#ends.get(start) ?? this.tokens.length;
  }

  /** The index behind an expression that begins at a token: where its list, statement or bracket ends. */
  endOfExpression(start: number): number {
    const level = this.parent[start];
    const statement = this.statement[start] ?? 0;
    let at = start;
    for (let steps = 0; at < this.tokens.length && steps < maxSteps; steps += 1) {
      if (at > start && this.parent[at] === level) {
        if (this.statement[at] !== statement && !this.isMark(at, ')')) {
          return at;
        }
        if (this.tokens[at]?.kind === 'mark' && /^[,;)\]}]$/.test(this.at(at))) {
          return at;
        }
        if (this.isMark(at, '{') && control.test(this.at(statement)) && this.isBlock(at)) {
          return at;
        }
      }
      const partner = this.partner[at] ?? -1;
      const behindTypes = this.isMark(at, '<') ? this.#behindTypes(at) : undefined;
      if (partner > at) {
        at = partner + 1;
      } else if (behindTypes !== undefined) {
        at = behindTypes;
      } else if (this.tokens[at]?.kind === 'mark' && this.at(at) in closers) {
        return at;
      } else {
        at = Math.max(this.tokens[at]?.after ?? at, at + 1);
      }
    }
    return at;
  }

  /** Whether a brace opens a block of statements, and no literal of an object. */
  isBlock(open: number): boolean {
    const last = this.tokens[open - 1];
    if (this.syntax === undefined || this.#isInitializer(open)) {
      return false;
    }
    if (!last || (last.kind === 'mark' && /^(?:\)|=>|;|\{|->)$/.test(last.text))) {
      return true;
    }
    if (last.kind === 'mark' && /^(?:=|\(|,|:|\[|\?|:=|\||&&|\|\||\?\?|==|!|&|@)$/.test(last.text)) {
      return false;
    }
    if (last.kind === 'word' && /^(?:return|in|of|new|json|await|typeof)$/.test(last.text)) {
      return false;
    }
    const [first, second] = [this.tokens[open + 1], this.tokens[open + 2]];
    const isEntry = second?.kind === 'mark' && /^(?::|=>|,)$/.test(second.text);
    // A declared record lists its fields like a literal does, and can be read as one.
    return !(isEntry && (first?.kind === 'word' || first?.kind === 'text')) && !this.isMark(open + 1, '}');
  }

  /** `new Type<…>(…) {`, which C# fills the new object with. */
  #isInitializer(open: number): boolean {
    let at = open - 1;
    if (this.isMark(at, ')')) {
      at = (this.partner[at] ?? 0) - 1;
    }
    for (let steps = 0; steps < 12 && at >= 0; steps += 1, at -= 1) {
      if (this.at(at) === 'new') {
        return true;
      }
      if (!this.isWord(at) && !/^[<>,.[\]?]$/.test(this.at(at))) {
        return false;
      }
    }
    return false;
  }

  /** The index behind the arguments of a generic type: `<string, List<object>>`. */
  #behindTypes(open: number): number | undefined {
    let depth = 0;
    for (let at = open; at < open + 16; at += 1) {
      if (this.isMark(at, '<')) {
        depth += 1;
      } else if (this.isMark(at, '>')) {
        depth -= 1;
        if (depth === 0) {
          return at + 1;
        }
      } else if (!this.isWord(at) && !/^[,.?[\]]$/.test(this.at(at))) {
        return undefined;
      }
    }
    return undefined;
  }

  #divide(): void {
    interface Frame {
      readonly open: number;
      start: number;
    }
    const frames: Frame[] = [{ open: -1, start: -1 }];
    let previous = -1;
    for (let index = 0; index < this.tokens.length; index += 1) {
      let frame = frames.at(-1) as Frame;
      if (frames.length > 1 && index === this.partner[frame.open]) {
        this.#ends.set(frame.start, index);
        frames.pop();
        frame = frames.at(-1) as Frame;
      } else if (frame.start === -1 || this.#begins(index, previous, frame.open)) {
        if (frame.start !== -1) {
          this.#ends.set(frame.start, index);
        }
        frame.start = index;
      }
      this.statement[index] = frame.start;
      if (this.isMark(index, '{') && (this.partner[index] ?? -1) > index && this.isBlock(index)) {
        frames.push({ open: index, start: -1 });
        previous = -1;
      } else {
        previous = index;
      }
    }
    for (const { start } of frames) {
      this.#ends.set(start, this.tokens.length);
    }
  }

  /** Whether a statement begins at a token of a block. */
  #begins(index: number, previous: number, block: number): boolean {
    if (this.parent[index] !== block || previous === -1) {
      return previous === -1;
    }
    if (this.isMark(previous, ';')) {
      return true;
    }
    const [token, last] = [this.tokens[index], this.tokens[previous]];
    if (this.syntax === undefined || !token || !last || token.line === last.line) {
      // Two marks of a shell that are no end: a pipe joins.
      return this.syntax === undefined && last?.kind === 'mark' && /^(?:&&|\|\||;;|&)$/.test(last.text);
    }
    if (this.isMark(previous, '}') && this.#closesBlock(previous)) {
      return !(token.kind === 'mark' && goesOn.test(token.text));
    }
    if (!this.syntax.lines) {
      return false;
    }
    if (token.kind === 'mark' && goesOn.test(token.text)) {
      return false;
    }
    return !(last.kind === 'mark' && wantsMore.test(last.text));
  }

  #closesBlock(index: number): boolean {
    const open = this.partner[index] ?? -1;
    return open >= 0 && this.isBlock(open);
  }
}
