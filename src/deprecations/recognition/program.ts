import type { Syntax } from './syntax.ts';
import type { Token } from './tokens.ts';

/** A function of a program: what belongs to it, and the names it takes. All are indices of tokens. */
export interface FunctionRange {
  readonly name: string | undefined;
  /** From the first parameter on. */
  readonly start: number;
  readonly end: number;
  /** For each parameter the words that may be its name. */
  readonly parameters: readonly (readonly number[])[];
  /** Where an arrow's expression begins, which is what it returns. */
  readonly expression: number | undefined;
}

/** The parts of the longest expression that is followed to its end. */
const maxSteps = 2000;
const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const control =
  /^(?:if|for|foreach|while|switch|catch|match|using|lock|elseif|elif|unless|until|with|when|return|await|and|or|not|in|guard|else|do|try)$/;
const goesOn = /^(?:\.|\?\.|&\.|->|&&|\|\||\?\?|\+|\?|:|\)|\]|\}|,|=|==|===|\||<>|=>|\|>|\*)$/;
const wantsMore = /^(?:,|\(|\[|=|:=|\+|&&|\|\||\?|\.|=>|->|\||==|===|<-|<>|\?\?|!|\+=)$/;

/**
 * The shape of a program, as far as it can be told without the grammar of its language: brackets, statements, functions.
 * It is told for what people write, not for everything that compiles.
 */
export class Program {
  readonly tokens: readonly Token[];
  readonly syntax: Syntax | undefined;
  /** Of a bracket, the index of the other one; of everything else, and of an unmatched bracket, -1. */
  readonly partner: Int32Array;
  /** The index of the innermost open bracket around a token, or -1. */
  readonly parent: Int32Array;
  /** The index of the first token of a token's statement. What is in a block inside a statement has statements of its own. */
  readonly statement: Int32Array;
  readonly functions: readonly FunctionRange[];
  readonly #ends = new Map<number, number>();
  /** Of a token, one more than the index of its innermost function; 0 outside of all. */
  readonly #owner: Int32Array;

  /** @param syntax undefined for commands of a shell. */
  constructor(tokens: readonly Token[], syntax: Syntax | undefined) {
    this.tokens = tokens;
    this.syntax = syntax;
    this.partner = new Int32Array(tokens.length).fill(-1);
    this.parent = new Int32Array(tokens.length).fill(-1);
    this.statement = new Int32Array(tokens.length);
    this.#pair();
    this.#divide();
    this.functions = syntax ? this.#findFunctions(syntax) : [];
    this.#owner = new Int32Array(tokens.length);
    this.functions.forEach(({ start, end }, index) => this.#owner.fill(index + 1, start, end));
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

  /** The index behind the last token of the statement that begins at a token. */
  endOfStatement(start: number): number {
    return this.#ends.get(start) ?? this.tokens.length;
  }

  /** The innermost function that holds a token. */
  functionAt(index: number): FunctionRange | undefined {
    return this.functions[(this.#owner[index] ?? 0) - 1];
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
        if (this.isMark(at, '{') && control.test(this.at(statement)) && this.#isBlock(at)) {
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
      if (this.isMark(index, '{') && (this.partner[index] ?? -1) > index && this.#isBlock(index)) {
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
    return open >= 0 && this.#isBlock(open);
  }

  /** Whether a brace opens a block of statements, and no literal of an object. */
  #isBlock(open: number): boolean {
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

  #findFunctions(syntax: Syntax): FunctionRange[] {
    const found: FunctionRange[] = [];
    this.tokens.forEach((token, index) => {
      const range =
        token.kind === 'word' && syntax.blocks !== 'braces' && /^(?:def|defp)$/.test(token.text)
          ? this.#indentedFunction(index)
          : token.kind === 'mark' && token.text === '(' && syntax.blocks === 'braces'
            ? this.#bracedFunction(index)
            : token.kind === 'mark' && token.text === (syntax.arrow ?? '=>')
              ? this.#arrow(index)
              : token.kind === 'word' && token.text === 'lambda'
                ? this.#lambda(index)
                : undefined;
      if (range) {
        found.push(range);
      }
    });
    return found.sort((one, other) => one.start - other.start || other.end - one.end);
  }

  /** `def name(…)` and the lines below it that are indented by more. */
  #indentedFunction(def: number): FunctionRange {
    let open = def + 1;
    while (this.isWord(open) || this.isMark(open, '.')) {
      open += 1;
    }
    const close = this.isMark(open, '(') ? (this.partner[open] ?? -1) : -1;
    const [from, line, indent] = [
      this.tokens[def]?.start ?? 0,
      this.tokens[def]?.line ?? 0,
      this.tokens[def]?.indent ?? 0,
    ];
    let end = Math.max(close, open) + 1;
    while (end < this.tokens.length) {
      const token = this.tokens[end];
      if (
        !token ||
        (token.line > line && token.indent <= indent && token.start > from && this.parent[end] === this.parent[def])
      ) {
        break;
      }
      end += 1;
    }
    return { name: this.at(open - 1), start: def, end, parameters: this.#names(open, close), expression: undefined };
  }

  /** `name(…) … {`, whatever the language puts between the two. */
  #bracedFunction(open: number): FunctionRange | undefined {
    const close = this.partner[open] ?? -1;
    const before = this.tokens[open - 1];
    if (close < open || (before?.kind === 'word' && control.test(before.text))) {
      return undefined;
    }
    let body = close + 1;
    const limit = body + 24;
    while (body < limit && !this.isMark(body, '{')) {
      const token = this.tokens[body];
      const passes =
        token !== undefined &&
        (token.kind === 'word'
          ? !control.test(token.text)
          : token.kind === 'mark' && /^(?:[:<>[\]*,.?(|)&]|->|::)$/.test(token.text));
      if (!passes || (body === close + 1 && /^[.,?)\]]$/.test(token.text))) {
        return undefined;
      }
      body = this.isMark(body, '(') ? (this.partner[body] ?? body) + 1 : body + 1;
    }
    const end = this.partner[body] ?? -1;
    if (end < body || !this.#isBlock(body)) {
      return undefined;
    }
    const named = before?.kind === 'word' && !/^(?:function|func|fn|async|sub|fun)$/.test(before.text);
    const name = named ? before.text : this.#assignedName(open - 1);
    return { name, start: open, end, parameters: this.#names(open, close), expression: undefined };
  }

  /** `(…) => …` */
  #arrow(arrow: number): FunctionRange | undefined {
    const close = arrow - 1;
    const isList = this.isMark(close, ')') && (this.partner[close] ?? -1) >= 0;
    // In PHP and Ruby, `=>` joins a key and its value.
    if (this.syntax?.blocks !== 'braces' || (!isList && (!this.isWord(close) || this.syntax.join !== undefined))) {
      return undefined;
    }
    const start = isList ? (this.partner[close] ?? close) : close;
    const body = arrow + 1;
    const isBlock = this.isMark(body, '{') && (this.partner[body] ?? -1) > body;
    const end = isBlock ? (this.partner[body] ?? body) : this.endOfExpression(body);
    const parameters = isList ? this.#names(start, close) : [[close]];
    const name = this.#assignedName(this.isWord(start - 1) && this.at(start - 1) === 'async' ? start - 2 : start - 1);
    return { name, start, end, parameters, expression: isBlock ? undefined : body };
  }

  /** `lambda x: …` */
  #lambda(lambda: number): FunctionRange {
    let colon = lambda + 1;
    while (colon < lambda + 12 && !this.isMark(colon, ':')) {
      colon += 1;
    }
    const parameters = Array.from({ length: colon - lambda - 1 }, (_, offset) => lambda + 1 + offset);
    return {
      name: undefined,
      start: lambda,
      end: this.endOfExpression(colon + 1),
      parameters: parameters.filter((index) => this.isWord(index)).map((index) => [index]),
      expression: colon + 1,
    };
  }

  /** The name that a function without one is given: `name = …`, `name: …`. */
  #assignedName(before: number): string | undefined {
    let at = before;
    while (this.isWord(at) && /^(?:function|func|fn|async|fun)$/.test(this.at(at))) {
      at -= 1;
    }
    return (this.isMark(at, '=') || this.isMark(at, ':') || this.isMark(at, ':=')) && this.isWord(at - 1)
      ? this.at(at - 1)
      : undefined;
  }

  /** The names in a list of parameters, without their defaults. */
  #names(open: number, close: number): number[][] {
    const names: number[][] = [];
    let current: number[] | undefined;
    for (let at = open + 1; at < close; at += 1) {
      if (this.isMark(at, ',') && this.parent[at] === open) {
        current = undefined;
      } else if (this.isWord(at) && (current === undefined || /^[,)=}]$/.test(this.at(at + 1)))) {
        // `name: Type`, `Type name` and `name Type`: the first word, and one before the end, which may be a type.
        if (current) {
          current.push(at);
        } else {
          current = [at];
          names.push(current);
        }
      }
    }
    return names;
  }
}
