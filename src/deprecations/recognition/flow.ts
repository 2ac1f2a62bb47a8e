import { type Anchor, AnchorFinder } from './anchors.ts';
import { bindAssigned } from './assignments.ts';
import type { Binding, Origin } from './bindings.ts';
import { bindClosure } from './callbacks.ts';
import type { LibraryCall } from './libraries.ts';
import { bindLoop, isLoopColon } from './loops.ts';
import type { Chain } from './origins.ts';
import { bindFile, bindOutArgument } from './outputs.ts';
import { OwnFunctions } from './ownFunctions.ts';
import type { Program } from './program.ts';
import type { Token } from './tokens.ts';
import { Values } from './values.ts';

const assignments = /^(?:=|:=|\|\|=|\?\?=)$/;

/**
 * Where the values of a program come from, as far as API v4 is concerned. Told by names and their order and not by types,
 * in one way for all languages.
 */
export class Flow {
  readonly program: Program;
  /** The anchors by their tokens; of several in one text, the last. */
  readonly anchors = new Map<number, Anchor>();
  readonly allAnchors: Anchor[] = [];
  readonly #source: string;
  readonly #finder: AnchorFinder;
  readonly #values: Values;
  readonly #functions: OwnFunctions;

  constructor(source: string, program: Program, libraryCall: ((call: string) => LibraryCall | undefined) | undefined) {
    this.#source = source;
    this.program = program;
    this.#finder = new AnchorFinder(program, libraryCall);
    this.#values = new Values(program, this.anchors);
    this.#functions = new OwnFunctions(this.#values);
    // What a function returns, or is given, can be known only after the places where that matters.
    for (let round = 0, before = ''; round < 3; round += 1) {
      this.#read();
      const after = JSON.stringify(this.#functions.known);
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
    return this.#values.origins.ofChainEndingAt(last);
  }

  originOf(start: number, end: number): Origin | undefined {
    return this.#values.origins.ofExpression(start, end);
  }

  lookUp(name: string, index: number): Binding | undefined {
    return this.#values.bindings.lookUp(name, index);
  }

  #read(): void {
    this.anchors.clear();
    this.allAnchors.length = 0;
    this.#values.clear();
    this.#functions.restart();
    const starts = Map.groupBy(this.program.functions, ({ start }) => start);
    const { tokens } = this.program;
    for (let index = 0; index <= tokens.length; index += 1) {
      this.#values.reach(index);
      starts.get(index)?.forEach((range) => this.#functions.enter(range));
      const token = tokens[index];
      if (token?.kind === 'text') {
        this.#text(index);
      } else if (token?.kind === 'word') {
        this.#word(index);
      } else if (token?.kind === 'mark') {
        this.#mark(index);
      }
    }
  }

  #text(index: number): void {
    const text = this.#isDocstring(index) ? undefined : this.#values.textAt(index);
    for (const anchor of text ? this.#finder.inText(index, text) : []) {
      this.#addAnchor(index, anchor);
    }
  }

  #addAnchor(index: number, anchor: Anchor): void {
    this.anchors.set(index, anchor);
    this.allAnchors.push(anchor);
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
      this.#addAnchor(index, library);
    }
    if (program.isMark(index + 1, '(')) {
      this.#functions.calls(text, index + 1);
    }
    if (/^(?:of|in|as)$/.test(text)) {
      bindLoop(this.#values, index);
    } else if (/^(?:return|yield)$/.test(text)) {
      this.#functions.returns(index + 1);
    }
  }

  #mark(index: number): void {
    const { program } = this;
    const text = program.at(index);
    if (assignments.test(text)) {
      bindAssigned(this.#values, index);
    } else if (text === ':' && isLoopColon(program, index)) {
      bindLoop(this.#values, index);
    } else if (text === '|' && /^(?:do|move|[({,])$/.test(program.at(index - 1))) {
      bindClosure(this.#values, index);
    } else if (text === '&' && program.isWord(index + 1) && program.isMark(program.parent[index] ?? -1, '(')) {
      bindOutArgument(this.#values, index + 1);
    } else if (text === '>' && program.syntax === undefined && program.isText(index + 1)) {
      bindFile(this.#values, index + 1);
    }
  }
}
