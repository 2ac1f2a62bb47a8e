import type { Origin } from './bindings.ts';
import { callbackOrigin } from './callbacks.ts';
import type { FunctionRange } from './functions.ts';
import type { Values } from './values.ts';

/** For each argument of all calls of a function where it comes from; null where calls differ. */
type Given = readonly (Origin | null | undefined)[];

/** What the functions that a program defines are given, and what they return. */
export class OwnFunctions {
  readonly #values: Values;
  readonly #functions = new Map<string, FunctionRange>();
  #given = new Map<string, Given>();
  /** As it was known after the last reading. */
  #before: ReadonlyMap<string, Given> = new Map();

  constructor(values: Values) {
    this.#values = values;
    for (const range of values.program.functions) {
      if (range.name !== undefined) {
        this.#functions.set(range.name, range);
      }
    }
  }

  /** All that is known, to be compared. */
  get known(): readonly unknown[] {
    return [...this.#values.origins.producers, ...this.#given];
  }

  /** Begins another reading of the program, in which what is known by now is used. */
  restart(): void {
    this.#before = this.#given;
    this.#given = new Map();
  }

  /** What the function returns whose `return` leads to an expression. */
  returns(start: number): void {
    const { program, origins } = this.#values;
    const range = program.functionAt(start - 1);
    if (range?.name === undefined) {
      return;
    }
    const { name } = range;
    const end = program.endOfExpression(start);
    this.#values.later(Math.max(end, start + 1), () => origins.produce(name, origins.ofExpression(start, end)));
  }

  /** Binds the parameters of a function, of a callback to what it is called with. */
  enter(range: FunctionRange): void {
    const { program, origins, bindings } = this.#values;
    const called = range.name === undefined ? callbackOrigin(this.#values, range) : undefined;
    const known = range.name === undefined ? undefined : this.#before.get(range.name);
    const skipped = /^(?:self|cls|this)$/.test(program.at(range.parameters[0]?.[0] ?? -1)) ? 1 : 0;
    range.parameters.forEach((words, position) => {
      const origin = called ?? known?.[position - skipped] ?? undefined;
      for (const word of words) {
        const binding = { name: program.at(word), at: range.start, from: range.start, to: range.end };
        bindings.add({ ...binding, origin, text: undefined, isParameter: true, start: word, end: word });
      }
    });
    const { expression, name } = range;
    if (expression !== undefined && name !== undefined) {
      this.#values.later(range.end, () => origins.produce(name, origins.ofExpression(expression, range.end)));
    }
    if (
      program.syntax &&
      (program.syntax.blocks === 'end' || !program.syntax.lines) &&
      range.expression === undefined
    ) {
      this.#values.later(range.end, () => this.#lastExpression(range));
    }
  }

  /** What the function of a name is given by the call whose parenthesis opens at a token. */
  calls(name: string, open: number): void {
    const { program, origins } = this.#values;
    const close = program.partner[open] ?? -1;
    const definition = this.#functions.get(name);
    if (!definition || close < open || definition.start === open || program.at(open - 2) === 'def') {
      return;
    }
    this.#values.later(close, () => {
      const found: (Origin | null | undefined)[] = [];
      for (let at = open + 1; at < close;) {
        const end = Math.min(program.endOfExpression(at), close);
        found.push(origins.ofExpression(at, end));
        at = Math.max(end, at) + 1;
      }
      const before = this.#given.get(name);
      this.#given.set(
        name,
        before ? found.map((origin, at) => (before[at]?.of === origin?.of ? origin : null)) : found,
      );
    });
  }

  /** What the last expression of a function gives it, in languages where that is what it returns. */
  #lastExpression({ name, end }: FunctionRange): void {
    const { program, origins } = this.#values;
    const start = program.statement[end - 1] ?? 0;
    if (
      name !== undefined &&
      !program.isMark(end - 1, ';') &&
      !program.isMark(end - 1, '}') &&
      program.at(start) !== 'return'
    ) {
      origins.produce(name, origins.ofExpression(start, end));
    }
  }
}
