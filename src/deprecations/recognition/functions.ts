import type { Statements } from './statements.ts';
import type { Syntax } from './syntax.ts';
import { control } from './words.ts';

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

/** The functions of a program, the outer ones first. */
export function functionsIn(program: Statements, syntax: Syntax): FunctionRange[] {
  const found: FunctionRange[] = [];
  program.tokens.forEach((token, index) => {
    const range =
      token.kind === 'word' && syntax.blocks !== 'braces' && /^(?:def|defp)$/.test(token.text)
        ? indentedFunction(index)
        : token.kind === 'mark' && token.text === '(' && syntax.blocks === 'braces'
          ? bracedFunction(index)
          : token.kind === 'mark' && token.text === (syntax.arrow ?? '=>')
            ? arrowFunction(index)
            : token.kind === 'word' && token.text === 'lambda'
              ? lambdaFunction(index)
              : undefined;
    if (range) {
      found.push(range);
    }
  });
  return found.sort((one, other) => one.start - other.start || other.end - one.end);

  /** `def name(…)` and the lines below it that are indented by more. */
  function indentedFunction(def: number): FunctionRange {
    let open = def + 1;
    while (program.isWord(open) || program.isMark(open, '.')) {
      open += 1;
    }
    const close = program.isMark(open, '(') ? (program.partner[open] ?? -1) : -1;
    const [from, line, indent] = [
      program.tokens[def]?.start ?? 0,
      program.tokens[def]?.line ?? 0,
      program.tokens[def]?.indent ?? 0,
    ];
    let end = Math.max(close, open) + 1;
    while (end < program.tokens.length) {
      const token = program.tokens[end];
      if (
        !token ||
        (token.line > line &&
          token.indent <= indent &&
          token.start > from &&
          program.parent[end] === program.parent[def])
      ) {
        break;
      }
      end += 1;
    }
    return {
      name: program.at(open - 1),
      start: def,
      end,
      parameters: namesBetween(open, close),
      expression: undefined,
    };
  }

  /** `name(…) … {`, whatever the language puts between the two. */
  function bracedFunction(open: number): FunctionRange | undefined {
    const close = program.partner[open] ?? -1;
    const before = program.tokens[open - 1];
    if (close < open || (before?.kind === 'word' && control.test(before.text))) {
      return undefined;
    }
    let body = close + 1;
    const limit = body + 24;
    while (body < limit && !program.isMark(body, '{')) {
      const token = program.tokens[body];
      const passes =
        token !== undefined &&
        (token.kind === 'word'
          ? !control.test(token.text)
          : token.kind === 'mark' && /^(?:[:<>[\]*,.?(|)&]|->|::)$/.test(token.text));
      if (!passes || (body === close + 1 && /^[.,?)\]]$/.test(token.text))) {
        return undefined;
      }
      body = program.isMark(body, '(') ? (program.partner[body] ?? body) + 1 : body + 1;
    }
    const end = program.partner[body] ?? -1;
    if (end < body || !program.isBlock(body)) {
      return undefined;
    }
    const named = before?.kind === 'word' && !/^(?:function|func|fn|async|sub|fun)$/.test(before.text);
    const name = named ? before.text : assignedName(open - 1);
    return { name, start: open, end, parameters: namesBetween(open, close), expression: undefined };
  }

  /** `(…) => …` */
  function arrowFunction(arrow: number): FunctionRange | undefined {
    const close = arrow - 1;
    const isList = program.isMark(close, ')') && (program.partner[close] ?? -1) >= 0;
    // In PHP and Ruby, `=>` joins a key and its value.
    if (
      program.syntax?.blocks !== 'braces' ||
      (!isList && (!program.isWord(close) || program.syntax.join !== undefined))
    ) {
      return undefined;
    }
    const start = isList ? (program.partner[close] ?? close) : close;
    const body = arrow + 1;
    const isBlock = program.isMark(body, '{') && (program.partner[body] ?? -1) > body;
    const end = isBlock ? (program.partner[body] ?? body) : program.endOfExpression(body);
    const parameters = isList ? namesBetween(start, close) : [[close]];
    const name = assignedName(program.isWord(start - 1) && program.at(start - 1) === 'async' ? start - 2 : start - 1);
    return { name, start, end, parameters, expression: isBlock ? undefined : body };
  }

  /** `lambda x: …` */
  function lambdaFunction(lambda: number): FunctionRange {
    let colon = lambda + 1;
    while (colon < lambda + 12 && !program.isMark(colon, ':')) {
      colon += 1;
    }
    const parameters = Array.from({ length: colon - lambda - 1 }, (_, offset) => lambda + 1 + offset);
    return {
      name: undefined,
      start: lambda,
      end: program.endOfExpression(colon + 1),
      parameters: parameters.filter((index) => program.isWord(index)).map((index) => [index]),
      expression: colon + 1,
    };
  }

  /** The name that a function without one is given: `name = …`, `name: …`. */
  function assignedName(before: number): string | undefined {
    let at = before;
    while (program.isWord(at) && /^(?:function|func|fn|async|fun)$/.test(program.at(at))) {
      at -= 1;
    }
    return (program.isMark(at, '=') || program.isMark(at, ':') || program.isMark(at, ':=')) && program.isWord(at - 1)
      ? program.at(at - 1)
      : undefined;
  }

  /** The names in a list of parameters, without their defaults. */
  function namesBetween(open: number, close: number): number[][] {
    const names: number[][] = [];
    let current: number[] | undefined;
    for (let at = open + 1; at < close; at += 1) {
      if (program.isMark(at, ',') && program.parent[at] === open) {
        current = undefined;
      } else if (program.isWord(at) && (current === undefined || /^[,)=}]$/.test(program.at(at + 1)))) {
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
