import { type Anchor, AnchorFinder } from './anchors.ts';
import { type Binding, Bindings, type Origin } from './bindings.ts';
import type { LibraryCall } from './libraries.ts';
import { type Chain, Origins } from './origins.ts';
import { joinedText } from './placedTexts.ts';
import type { FunctionRange, Program } from './program.ts';
import { hole, type Token } from './tokens.ts';

const assignments = /^(?:=|:=|\|\|=|\?\?=)$/;
const declarations = /^(?:let|const|var|val|final|static|private|public|protected|readonly|export|auto|mut)$/;

/**
 * Where the values of a program come from, as far as API v4 is concerned. Told by names and their order and not by types,
 * in one way for all languages.
 */
export class Flow {
  readonly program: Program;
  /** The anchors by their tokens; of several in one text, the last. */
  readonly anchors = new Map<number, Anchor>();
  readonly allAnchors: Anchor[] = [];
  readonly #bindings = new Bindings();
  readonly #finder: AnchorFinder;
  readonly #origins: Origins;
  readonly #functions = new Map<string, FunctionRange>();
  #given = new Map<string, (Origin | null | undefined)[]>();
  /** What has to be looked at when a token is reached, because it is complete then. */
  readonly #pending = new Map<number, (() => void)[]>();

  readonly #source: string;

  constructor(source: string, program: Program, libraryCall: ((call: string) => LibraryCall | undefined) | undefined) {
    this.#source = source;
    this.program = program;
    this.#finder = new AnchorFinder(program, libraryCall);
    this.#origins = new Origins(program, this.#bindings, this.anchors);
    for (const range of program.functions) {
      if (range.name !== undefined) {
        this.#functions.set(range.name, range);
      }
    }
    // What a function returns, or is given, can be known only after the places where that matters.
    for (let round = 0, before = ''; round < 3; round += 1) {
      this.#read();
      const after = JSON.stringify([...this.#origins.producers, ...this.#given]);
      if (after === before || after === '[]') {
        break;
      }
      before = after;
    }
  }

  /** A token as it stands in the source. */
  sourceOf({ start, end }: Token): string {
    return this.#source.slice(start, end);
  }

  /** Whether nothing at an offset could belong to a path of a filter that goes on behind it. */
  isLooseAt(offset: number): boolean {
    return !/[\w\])?"]/.test(this.#source[offset] ?? ' ');
  }

  /** The origin of the chain that ends with a token. */
  chainEndingAt(last: number): Chain {
    return this.#origins.ofChainEndingAt(last);
  }

  startOfChain(last: number): number {
    return this.#origins.startOfChain(last);
  }

  originOf(start: number, end: number): Origin | undefined {
    return this.#origins.ofExpression(start, end);
  }

  lookUp(name: string, index: number): Binding | undefined {
    return this.#bindings.lookUp(name, index);
  }

  #read(): void {
    this.anchors.clear();
    this.allAnchors.length = 0;
    this.#bindings.clear();
    this.#pending.clear();
    const given = this.#given;
    this.#given = new Map();
    const starts = Map.groupBy(this.program.functions, ({ start }) => start);
    const { tokens } = this.program;
    for (let index = 0; index <= tokens.length; index += 1) {
      this.#pending.get(index)?.forEach((look) => look());
      starts.get(index)?.forEach((range) => this.#enter(range, given));
      const token = tokens[index];
      if (token?.kind === 'text') {
        this.#anchor(index);
      } else if (token?.kind === 'word') {
        this.#word(index);
      } else if (token?.kind === 'mark') {
        this.#mark(index);
      }
    }
  }

  #later(index: number, look: () => void): void {
    const pending = this.#pending.get(index);
    if (pending) {
      pending.push(look);
    } else {
      this.#pending.set(index, [look]);
    }
  }

  #anchor(index: number): void {
    if (this.#isDocstring(index)) {
      return;
    }
    const text = joinedText(this.program, index, (name, at) => this.#bindings.lookUp(name, at)?.text);
    for (const anchor of text ? this.#finder.inText(index, text) : []) {
      this.anchors.set(index, anchor);
      this.allAnchors.push(anchor);
    }
  }

  /** Whether a text is a statement of its own, which documents what it stands in. */
  #isDocstring(index: number): boolean {
    const { program } = this;
    const isAlone =
      program.statement[index] === index && program.endOfStatement(index) === program.tokens[index]?.after;
    return program.syntax?.docstrings === true && isAlone;
  }

  #word(index: number): void {
    const { program } = this;
    const text = program.at(index);
    const isCall = program.isMark(index + 1, '(') || program.syntax?.blocks === 'end';
    const library = isCall ? this.#finder.atCall(index) : undefined;
    if (library) {
      this.anchors.set(index, library);
      this.allAnchors.push(library);
    }
    if (this.#functions.has(text) && program.isMark(index + 1, '(')) {
      this.#collectArguments(text, index + 1);
    }
    if (/^(?:of|in|as)$/.test(text)) {
      this.#loop(index);
    } else if (/^(?:return|yield)$/.test(text)) {
      this.#returns(index + 1);
    }
  }

  #mark(index: number): void {
    const { program } = this;
    const text = program.at(index);
    if (assignments.test(text)) {
      this.#assignment(index);
    } else if (text === ':' && this.#isLoopColon(index)) {
      this.#loop(index);
    } else if (text === '|' && /^(?:do|move|[({,])$/.test(program.at(index - 1))) {
      this.#closure(index);
    } else if (text === '&' && program.isWord(index + 1) && program.isMark(program.parent[index] ?? -1, '(')) {
      this.#outArgument(index + 1);
    } else if (text === '>' && program.syntax === undefined && program.isText(index + 1)) {
      this.#file(index + 1);
    }
  }

  #bind(name: string, at: number, start: number, end: number, origin: Origin | undefined, widely = false): void {
    const range = widely ? undefined : this.program.functionAt(at);
    const joined =
      this.program.isText(start) || this.program.isWord(start)
        ? (this.#textOf(start, end) ?? this.#fromEnvironment(start, end))
        : undefined;
    const [from, to] = [range?.start ?? 0, range?.end ?? this.program.tokens.length + 1];
    this.#bindings.add({ name, at, from, to, origin, text: joined, isParameter: false, start, end });
  }

  /** What a variable of CI holds: `os.Getenv("CI_API_V4_URL")`, `process.env.CI_API_V4_URL`. */
  #fromEnvironment(start: number, end: number): string | undefined {
    for (let at = start; at < Math.min(end, start + 10); at += 1) {
      if (/^\w*API_V4(?:_URL)?$/.test(this.program.at(at))) {
        return `${hole}/api/v4`;
      }
    }
    return undefined;
  }

  #textOf(start: number, end: number): string | undefined {
    const first = this.program.isText(start) ? start : start + 2;
    if (!this.program.isText(first) || first >= end) {
      return this.program.isWord(start) && end === start + 1
        ? this.#bindings.lookUp(this.program.at(start), start)?.text
        : undefined;
    }
    const joined = joinedText(this.program, first, (name, at) => this.#bindings.lookUp(name, at)?.text);
    return joined && joined.start <= start && joined.end >= end ? joined.text.trim().replace(/\/$/, '') : undefined;
  }

  /** `name = …`, in all its forms. */
  #assignment(index: number): void {
    const { program } = this;
    const parent = program.parent[index] ?? -1;
    if (program.syntax?.blocks === 'indent' && program.isMark(parent, '(') && program.at(index) === '=') {
      return;
    }
    const start = index + 1;
    const end = program.syntax ? program.endOfExpression(start) : (program.tokens[start]?.after ?? start);
    if (program.isMark(index - 1, ']') || program.isMark(index - 1, '}') || program.isMark(index - 1, ')')) {
      const open = program.partner[index - 1] ?? -1;
      const isPattern = !program.isWord(open - 1) || declarations.test(program.at(open - 1));
      if (open >= 0 && isPattern) {
        this.#later(end, () => this.#bindPattern(open, index - 1, start, end));
        return;
      }
    }
    const targets = this.#targets(index);
    this.#later(end, () => {
      const origin = this.#origins.ofExpression(start, end);
      for (const { name, widely } of targets) {
        this.#bind(name, end, start, end, origin, widely);
      }
      const own = program.functionAt(/^(?:async|function)$/.test(program.at(start)) ? start + 1 : start);
      if (own?.expression !== undefined && own.name !== undefined && own.start <= start + 1) {
        this.#produce(own.name, this.#origins.ofExpression(own.expression, own.end));
      }
    });
  }

  #targets(index: number): { name: string; widely: boolean }[] {
    const { program } = this;
    const statement = program.statement[index] ?? 0;
    const level = program.parent[index];
    for (let at = statement; at < index; at += 1) {
      // `const name: Type = …`, `name: Type = …`
      if (program.isMark(at, ':') && program.parent[at] === level && program.isWord(at - 1)) {
        return [{ name: program.at(at - 1), widely: false }];
      }
    }
    const names: { name: string; widely: boolean }[] = [];
    for (let at = index - 1; at >= statement && program.isWord(at); at -= 2) {
      const isMember = /^(?:\.|->|::)$/.test(program.at(at - 1));
      const isOwn = isMember && /^(?:this|self)$/.test(program.at(at - 2));
      const sigil = program.tokens[at];
      const isInstance =
        sigil !== undefined && sigil.end - sigil.start > sigil.text.length && program.syntax?.blocks === 'end';
      if (!isMember || isOwn) {
        names.push({ name: program.at(at), widely: isOwn || isInstance });
      }
      if (!program.isMark(at - 1, ',')) {
        break;
      }
    }
    return names;
  }

  /** `[a, b] = …`, `{ a, b: c } = …` */
  #bindPattern(open: number, close: number, start: number, end: number): void {
    const { program } = this;
    const whole = this.#origins.ofExpression(start, end);
    const isList = !program.isMark(open, '{');
    const items = isList ? this.#items(start, end) : [];
    let position = 0;
    for (let at = open + 1; at < close; at += 1) {
      if (program.isMark(at, ',') && program.parent[at] === open) {
        position += 1;
      }
      if (program.isWord(at) && !program.isMark(at + 1, ':')) {
        const item = items[position];
        const key = program.isMark(at - 1, ':') ? program.at(at - 2) : program.at(at);
        const isBody = /^(?:data|body|value|result|json|response)$/.test(key);
        const origin = item ? this.#sent(this.#origins.ofExpression(...item)) : isList || isBody ? whole : undefined;
        this.#bind(program.at(at), end, start, start, origin);
      }
    }
  }

  #sent(origin: Origin | undefined): Origin | undefined {
    return origin && { ...origin, kind: 'value' };
  }

  /** The elements of a list in an expression, such as the one that is given to `Promise.all`. */
  #items(start: number, end: number): (readonly [number, number])[] {
    const { program } = this;
    const gathers = (open: number): boolean => /^(?:all|gather|allSettled)$/.test(program.at(open - 1));
    for (let at = start; at < end; at += 1) {
      const isList = program.isMark(at, '[') && program.isMark(at - 1, '(');
      if (isList || (program.isMark(at, '(') && gathers(at) && !program.isMark(at + 1, '['))) {
        const items: (readonly [number, number])[] = [];
        const close = program.partner[at] ?? at;
        for (let from = at + 1; from < close;) {
          const to = Math.min(program.endOfExpression(from), close);
          items.push([from, to]);
          from = Math.max(to, from) + 1;
        }
        return items;
      }
    }
    return [];
  }

  /** `for x of …`, `for x in …`, `foreach (… as x)`, `with … as x` */
  #loop(index: number): void {
    const { program } = this;
    const text = program.at(index);
    const statement = program.statement[index] ?? 0;
    let first = index - 1;
    while (
      first > statement &&
      !/^(?:for|foreach|with|using|async)$/.test(program.at(first)) &&
      !program.isMark(first, '[')
    ) {
      first -= 1;
    }
    const opens = program.at(first);
    if (text === 'as' && /^(?:with|foreach)$/.test(opens)) {
      const end = program.syntax?.blocks === 'indent' ? index + 2 : program.endOfExpression(index + 1);
      const start = program.isMark(first + 1, '(') ? first + 2 : first + 1;
      const origin = this.#origins.ofExpression(start, index);
      for (let at = index + 1; at < end; at += 1) {
        if (program.isWord(at)) {
          this.#bind(program.at(at), at, start, start, this.#sent(origin));
        }
      }
      return;
    }
    if (!/^(?:for|foreach)$/.test(opens) || text === 'as') {
      return;
    }
    const start = index + 1;
    const end = program.endOfExpression(start);
    const bracket = program.parent[index] ?? -1;
    const isComprehension =
      program.isMark(bracket, '[') ||
      (program.isMark(bracket, '(') && program.syntax?.blocks === 'indent') ||
      program.isMark(bracket, '{');
    this.#later(end, () => {
      const origin = this.#origins.ofExpression(start, end);
      for (let at = first + 1; at < index; at += 1) {
        if (program.isWord(at) && !declarations.test(program.at(at))) {
          this.#bind(
            program.at(at),
            isComprehension && program.syntax?.blocks === 'indent' ? bracket : end - 1,
            start,
            start,
            this.#sent(origin),
          );
        }
      }
    });
  }

  #isLoopColon(index: number): boolean {
    const open = this.program.parent[index] ?? -1;
    return this.program.isMark(open, '(') && this.program.at(open - 1) === 'for';
  }

  /** What a function answers that an expression returns from. */
  #returns(start: number): void {
    const { program } = this;
    const range = program.functionAt(start - 1);
    if (range?.name === undefined) {
      return;
    }
    const { name } = range;
    const end = program.endOfExpression(start);
    this.#later(Math.max(end, start + 1), () => this.#produce(name, this.#origins.ofExpression(start, end)));
  }

  #produce(name: string, origin: Origin | undefined): void {
    if (!origin || origin.of === 'runnerStatus') {
      return;
    }
    const before = this.#origins.producers.get(name);
    const isSame = before === undefined || (before !== null && before.of === origin.of && before.kind === origin.kind);
    this.#origins.producers.set(name, isSame ? origin : null);
  }

  /** Binds the parameters of a function, of a callback to what it is called with. */
  #enter(range: FunctionRange, given: ReadonlyMap<string, (Origin | null | undefined)[]>): void {
    const { program } = this;
    const called = range.name === undefined ? this.#callbackOrigin(range) : undefined;
    const known = range.name === undefined ? undefined : given.get(range.name);
    const skipped = /^(?:self|cls|this)$/.test(program.at(range.parameters[0]?.[0] ?? -1)) ? 1 : 0;
    range.parameters.forEach((words, position) => {
      const origin = called ?? known?.[position - skipped] ?? undefined;
      for (const word of words) {
        const binding = { name: program.at(word), at: range.start, from: range.start, to: range.end };
        this.#bindings.add({ ...binding, origin, text: undefined, isParameter: true, start: word, end: word });
      }
    });
    const { expression, name } = range;
    if (expression !== undefined && name !== undefined) {
      this.#later(range.end, () => this.#produce(name, this.#origins.ofExpression(expression, range.end)));
    }
    if (
      program.syntax &&
      (program.syntax.blocks === 'end' || !program.syntax.lines) &&
      range.expression === undefined
    ) {
      this.#later(range.end, () => this.#lastExpression(range));
    }
  }

  /** What the last expression of a function gives it, in languages where that is what it returns. */
  #lastExpression({ name, end }: FunctionRange): void {
    const { program } = this;
    const start = program.statement[end - 1] ?? 0;
    if (
      name !== undefined &&
      !program.isMark(end - 1, ';') &&
      !program.isMark(end - 1, '}') &&
      program.at(start) !== 'return'
    ) {
      this.#produce(name, this.#origins.ofExpression(start, end));
    }
  }

  #callbackOrigin({ start }: FunctionRange): Origin | undefined {
    const { program } = this;
    const open = program.parent[start] ?? -1;
    if (!program.isMark(open, '(') || !program.isWord(open - 1)) {
      return undefined;
    }
    if (/^(?:\.|\?\.|->|&\.)$/.test(program.at(open - 2))) {
      const receiver = this.#sent(this.chainEndingAt(open - 3).origin);
      if (receiver) {
        return receiver;
      }
    }
    const close = program.partner[open] ?? open;
    for (let at = open + 1; at < close;) {
      const end = Math.min(program.endOfExpression(at), close);
      const own = program.functionAt(start);
      const isOwn = own !== undefined && at <= start && start < end;
      const origin = isOwn ? undefined : this.#origins.ofExpression(at, end);
      if (origin) {
        return this.#sent(origin);
      }
      at = Math.max(end, at) + 1;
    }
    return undefined;
  }

  /** `do |x|`, `(|x| …` */
  #closure(index: number): void {
    const { program } = this;
    let close = index + 1;
    while (close < index + 12 && !program.isMark(close, '|')) {
      close += 1;
    }
    const opener = index - (program.at(index - 1) === 'move' ? 2 : 1);
    const isArgument = program.isMark(opener, '(');
    // The method that is given the closure is no part of what it is called with.
    const method = opener - 1;
    const name = program.isMark(method, ')') ? (program.partner[method] ?? 0) - 1 : method;
    const receiver = program.isWord(name) && /^(?:\.|&\.|\?\.)$/.test(program.at(name - 1)) ? name - 2 : undefined;
    const origin =
      receiver === undefined || (isArgument && name !== method)
        ? undefined
        : this.#sent(this.chainEndingAt(receiver).origin);
    for (let at = index + 1; at < close; at += 1) {
      if (program.isWord(at)) {
        this.#bind(program.at(at), close, at, at, origin);
      }
    }
  }

  /** `decode(body, &x)` */
  #outArgument(index: number): void {
    const { program } = this;
    const close = program.partner[program.parent[index] ?? -1] ?? index;
    const statement = program.statement[index] ?? 0;
    this.#later(close + 1, () => {
      const open = program.parent[index] ?? index;
      const callee = this.startOfChain(open - 1);
      const origin =
        this.#origins.ofExpression(callee, close) ??
        this.#argumentOrigin(open, close) ??
        this.#statementOrigin(statement, index);
      if (origin) {
        this.#bind(program.at(index), close, index, index, this.#sent(origin));
      }
    });
  }

  #argumentOrigin(open: number, close: number): Origin | undefined {
    for (let at = open + 1; at < close; at = Math.max(this.program.endOfExpression(at), at) + 1) {
      const origin = this.#origins.ofExpression(at, Math.min(this.program.endOfExpression(at), close));
      if (origin) {
        return origin;
      }
    }
    return undefined;
  }

  /** The origin of a name in a statement up to a token: `json.NewDecoder(response.Body).Decode(&x)`. */
  #statementOrigin(statement: number, end: number): Origin | undefined {
    for (let at = statement; at < end; at += 1) {
      const origin = this.program.isWord(at) ? this.#bindings.lookUp(this.program.at(at), at)?.origin : undefined;
      if (origin && origin.of !== 'runnerStatus') {
        return origin;
      }
    }
    return undefined;
  }

  #collectArguments(name: string, open: number): void {
    const { program } = this;
    const close = program.partner[open] ?? -1;
    const definition = this.#functions.get(name);
    if (close < open || definition?.start === open || program.at(open - 2) === 'def') {
      return;
    }
    this.#later(close, () => {
      const origins: (Origin | null | undefined)[] = [];
      for (let at = open + 1; at < close;) {
        const end = Math.min(program.endOfExpression(at), close);
        origins.push(this.#origins.ofExpression(at, end));
        at = Math.max(end, at) + 1;
      }
      const before = this.#given.get(name);
      this.#given.set(
        name,
        before ? origins.map((origin, at) => (before[at]?.of === origin?.of ? origin : null)) : origins,
      );
    });
  }

  /** `> file`: what is read from a file of that name comes from the same call. */
  #file(index: number): void {
    const { program } = this;
    const statement = program.statement[index] ?? 0;
    const origin = this.#origins.ofExpression(statement, index);
    if (origin) {
      this.#bind(`file:${program.at(index)}`, index, index, index, this.#sent(origin));
    }
  }
}
