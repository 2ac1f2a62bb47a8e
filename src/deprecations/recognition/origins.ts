import type { Anchor } from './anchors.ts';
import type { Bindings, Origin } from './bindings.ts';
import { heads, parenthesisOfCall, startOfChain } from './chains.ts';
import { resourceNamed } from './evidence.ts';
import type { FunctionRange } from './functions.ts';
import type { Program } from './program.ts';
import { building, commonName, neutral, passing, reading, turning } from './words.ts';

/** What a chain of names, calls and indices leads to. */
export interface Chain {
  readonly origin: Origin | undefined;
  /** The last name in it that is not known to mean something else; a hint where there is no origin. */
  readonly hint: string | undefined;
}

const maxLooks = 500_000;
const selves = /^(?:this|self|cls|@)$/;

/** Tells where the values of expressions come from. */
export class Origins {
  readonly #program: Program;
  readonly #bindings: Bindings;
  readonly #anchors: ReadonlyMap<number, Anchor>;
  /** How many tokens have been looked at. Beyond a bound, which no program that people write comes near, nothing more is. */
  #looks = 0;
  /** What functions of the program return, by name; null where there are several. */
  readonly #producers = new Map<string, Origin | null>();

  constructor(program: Program, bindings: Bindings, anchors: ReadonlyMap<number, Anchor>) {
    this.#program = program;
    this.#bindings = bindings;
    this.#anchors = anchors;
  }

  /** The origin of an expression. */
  ofExpression(start: number, end: number): Origin | undefined {
    if (this.#looks > maxLooks) {
      return undefined;
    }
    const own = this.#functionFrom(start);
    if (own && own.end >= end - 1 && own.end > start) {
      return undefined;
    }
    return this.#mentioned(start, end) ?? this.#ofHead(start, end);
  }

  /** The origin of the chain that ends with a token. */
  ofChainEndingAt(last: number): Chain {
    return this.#walk(startOfChain(this.#program, last), last + 1);
  }

  /** What functions of the program return, by name. */
  get producers(): ReadonlyMap<string, Origin | null> {
    return this.#producers;
  }

  /** Remembers what a function of the program returns. */
  produce(name: string, origin: Origin | undefined): void {
    if (!origin || origin.of === 'runnerStatus') {
      return;
    }
    const before = this.#producers.get(name);
    const isSame = before === undefined || (before !== null && before.of === origin.of && before.kind === origin.kind);
    this.#producers.set(name, isSame ? origin : null);
  }

  /** The function that a definition at a token makes, such as `async (x) => …`. */
  #functionFrom(start: number): FunctionRange | undefined {
    const program = this.#program;
    const first = /^(?:async|function|func|fn|fun|lambda)$/.test(program.at(start)) ? start + 1 : start;
    const range = program.functionAt(first);
    return range && (range.start === first || range.start === start) ? range : undefined;
  }

  /** The origin that an address inside an expression gives it. */
  #mentioned(start: number, end: number): Origin | undefined {
    const program = this.#program;
    const outer = program.functionAt(start);
    for (let at = start; at < end; at += 1) {
      this.#looks += 1;
      const inner = program.functionAt(at);
      if (inner && inner !== outer && inner.start >= start && inner.expression === undefined) {
        at = Math.max(at, inner.end);
        continue;
      }
      const found = this.#addressAt(at);
      if (found) {
        return this.#isSent(at, start, end) ? { ...found, kind: 'value' } : found;
      }
    }
    return undefined;
  }

  /** The anchor or the name of an address at a token. */
  #addressAt(index: number): Origin | undefined {
    const anchor = this.#anchors.get(index);
    if (anchor?.resource !== undefined && anchor.address) {
      return { of: anchor.resource, kind: 'address', certain: anchor.isCertain, fromLibrary: false };
    }
    const program = this.#program;
    if (!program.isWord(index) || (program.isDot(index - 1) && !selves.test(program.at(index - 2)))) {
      return undefined;
    }
    if (program.isMark(index + 1, '(')) {
      const produced = this.#produced(index);
      return produced?.kind === 'address' ? produced : undefined;
    }
    const origin = this.#bindings.lookUp(program.at(index), index)?.origin;
    return origin?.kind === 'address' ? origin : undefined;
  }

  /** Whether an address at a token is used for a request within an expression, and not only put together. */
  #isSent(index: number, start: number, end: number): boolean {
    const program = this.#program;
    if (program.syntax === undefined) {
      return index > start;
    }
    for (let at = start; at < index; at += 1) {
      if (program.isWord(at) && program.at(at) === 'await' && program.functionAt(at) === program.functionAt(start)) {
        return true;
      }
    }
    for (let open = program.parent[index] ?? -1; open >= start; open = program.parent[open] ?? -1) {
      const callee = program.isMark(open - 1, '!') ? open - 2 : open - 1;
      if (
        program.isMark(open, '(') &&
        program.isWord(callee) &&
        callee >= start &&
        !building.test(program.at(callee))
      ) {
        return true;
      }
    }
    // `uri.get_response`, Ruby's calls without parentheses
    return (
      program.syntax.blocks === 'end' && program.isWord(index - 1) && index - 1 > start && !program.isMark(end, '=')
    );
  }

  #ofHead(start: number, end: number): Origin | undefined {
    const program = this.#program;
    let at = start;
    while (
      at < end &&
      (heads.test(program.at(at)) || /^(?:&|\*|!|\.\.\.|\*\*)$/.test(program.at(at)) || this.#isCast(at))
    ) {
      at = this.#isCast(at) ? (program.partner[at] ?? at) + 1 : at + 1;
    }
    const partner = program.partner[at] ?? -1;
    if (program.isMark(at, '[') && partner > at) {
      return this.ofExpression(at + 1, Math.min(partner, end));
    }
    if (program.isText(at) && program.syntax === undefined) {
      return this.#ofHoles(at, program.tokens[at]?.after ?? end);
    }
    return this.#walk(at, end).origin;
  }

  /** `(Type) value` */
  #isCast(open: number): boolean {
    const program = this.#program;
    const close = program.partner[open] ?? -1;
    return program.isMark(open, '(') && close === open + 2 && program.isWord(open + 1) && program.isWord(close + 1);
  }

  /** The origin of the variables in a word of a command. */
  #ofHoles(start: number, end: number): Origin | undefined {
    for (let at = start + 1; at < end; at += 1) {
      const origin = this.#program.isWord(at) ? this.#bindings.lookUp(this.#program.at(at), at)?.origin : undefined;
      if (origin) {
        return origin;
      }
    }
    return undefined;
  }

  /** Follows a chain of names, calls and indices from its first token. */
  #walk(start: number, end: number): Chain {
    const program = this.#program;
    let origin: Origin | undefined;
    let hint: string | undefined;
    let isKnown = false;
    let at = start;
    const enter = (name: string): void => {
      if (origin?.kind === 'value') {
        if (name === 'status' && origin.of === 'runner') {
          origin = { ...origin, of: 'runnerStatus' };
        } else if (!neutral.test(name) || origin.of === 'runnerStatus') {
          [origin, isKnown] = [undefined, true];
          hint = name;
        }
      } else if (!origin && !neutral.test(name)) {
        hint = name;
        isKnown = false;
      }
    };
    const call = (index: number, open: number): void => {
      const close = program.partner[open] ?? open;
      const name = program.at(index);
      const produced = this.#produced(index);
      const mentioned = produced ?? this.#ofAnchorCall(index) ?? this.#mentioned(open + 1, close);
      if (mentioned) {
        const isBuilt = mentioned.kind === 'address' && building.test(name);
        origin = isBuilt || produced ? mentioned : { ...mentioned, kind: 'value' };
      } else if (origin?.kind === 'value') {
        const [argument] = close === open + 2 && program.isText(open + 1) ? [program.at(open + 1)] : [];
        if (turning.test(name)) {
          [origin, isKnown] = [undefined, true];
        } else if (argument !== undefined && reading.test(name)) {
          enter(argument);
        }
      } else if (origin?.kind === 'address') {
        if (
          /^(?:send|execute|do|call|fetch|request|exchange|retrieve|get|post|put|patch|delete|newCall|perform|run|toPromise)$/i.test(
            name,
          )
        ) {
          origin = { ...origin, kind: 'value' };
        }
      } else if (passing.test(name)) {
        origin = this.#ofArguments(open, close);
      } else {
        isKnown = true;
      }
    };

    if (program.isMark(at, '(')) {
      const close = program.partner[at] ?? at;
      origin = this.ofExpression(at + 1, close);
      at = close + 1;
    } else if (program.isWord(at)) {
      const isSelf = selves.test(program.at(at)) && program.isDot(at + 1);
      if (isSelf) {
        at += 2;
      }
      if (parenthesisOfCall(program, at + 1, end) !== undefined) {
        const open = parenthesisOfCall(program, at + 1, end) ?? at + 1;
        call(at, open);
        at = (program.partner[open] ?? open) + 1;
      } else {
        const binding = this.#bindings.lookUp(program.at(at), at);
        origin = binding?.origin ?? this.#ofAnchorCall(at);
        isKnown = binding !== undefined && !binding.isParameter && !isSelf;
        hint = program.at(at);
        at += 1;
      }
    } else {
      return { origin: undefined, hint: undefined };
    }
    while (at < end) {
      if (program.isDot(at) && program.isWord(at + 1)) {
        const open = parenthesisOfCall(program, at + 2, end);
        if (open !== undefined) {
          call(at + 1, open);
          at = (program.partner[open] ?? open) + 1;
        } else {
          origin = this.#ofAnchorCall(at + 1) ?? origin;
          if (this.#anchors.get(at + 1)?.resource === undefined) {
            enter(program.at(at + 1));
          }
          at += 2;
        }
      } else if (program.isMark(at, '[') && (program.partner[at] ?? -1) > at) {
        const close = program.partner[at] ?? at;
        if (program.isText(at + 1) && program.tokens[at + 1]?.after === close) {
          enter(program.at(at + 1));
        }
        at = close + 1;
      } else if (/^[!?]$/.test(program.at(at))) {
        at += 1;
      } else {
        break;
      }
    }
    return { origin, hint: isKnown ? undefined : hint };
  }

  #ofArguments(open: number, close: number): Origin | undefined {
    for (let at = open + 1; at < close; at += 1) {
      const end = Math.min(this.#program.endOfExpression(at), close);
      const origin = this.ofExpression(at, end);
      if (origin) {
        return origin;
      }
      at = Math.max(end, at);
    }
    return undefined;
  }

  #ofAnchorCall(index: number): Origin | undefined {
    const anchor = this.#anchors.get(index);
    return anchor?.resource !== undefined && anchor.address === undefined
      ? { of: anchor.resource, kind: 'value', certain: anchor.isCertain, fromLibrary: true }
      : undefined;
  }

  /** What a call of one of the program's own functions returns. */
  #produced(index: number): Origin | undefined {
    const program = this.#program;
    const name = program.at(index);
    const isOwn = !program.isDot(index - 1) || selves.test(program.at(index - 2));
    return commonName.test(name) && !isOwn ? undefined : (this.#producers.get(name) ?? undefined);
  }
}

/** Whether what a chain leads to, or speaks of by its name, is of a resource; undefined if it is not. */
export function resourceOfChain({
  origin,
  hint,
}: Chain): { of: Origin['of']; certain: boolean; fromLibrary: boolean } | undefined {
  if (origin) {
    return origin.kind === 'value' ? origin : undefined;
  }
  const named = hint === undefined ? undefined : resourceNamed(hint);
  return named && { of: named, certain: false, fromLibrary: false };
}
