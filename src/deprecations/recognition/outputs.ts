import { asValue, type Origin } from './bindings.ts';
import { startOfChain } from './chains.ts';
import type { Values } from './values.ts';

/** Gives a name its value where a call is told to write into it: `decode(body, &x)`. */
export function bindOutArgument(values: Values, index: number): void {
  const { program, origins } = values;
  const close = program.partner[program.parent[index] ?? -1] ?? index;
  const statement = program.statement[index] ?? 0;
  values.later(close + 1, () => {
    const open = program.parent[index] ?? index;
    const callee = startOfChain(program, open - 1);
    const origin =
      origins.ofExpression(callee, close) ??
      argumentOrigin(values, open, close) ??
      statementOrigin(values, statement, index);
    if (origin) {
      values.bind(program.at(index), close, index, index, asValue(origin));
    }
  });
}

/** Gives a file its value where a command writes into it, `> file`: what is read from a file of that name comes from the same call. */
export function bindFile(values: Values, index: number): void {
  const { program, origins } = values;
  const statement = program.statement[index] ?? 0;
  const origin = origins.ofExpression(statement, index);
  if (origin) {
    values.bind(`file:${program.at(index)}`, index, index, index, asValue(origin));
  }
}

function argumentOrigin(values: Values, open: number, close: number): Origin | undefined {
  const { program, origins } = values;
  for (let at = open + 1; at < close; at = Math.max(program.endOfExpression(at), at) + 1) {
    const origin = origins.ofExpression(at, Math.min(program.endOfExpression(at), close));
    if (origin) {
      return origin;
    }
  }
  return undefined;
}

/** The origin of a name in a statement up to a token: `json.NewDecoder(response.Body).Decode(&x)`. */
function statementOrigin(values: Values, statement: number, end: number): Origin | undefined {
  const { program, bindings } = values;
  for (let at = statement; at < end; at += 1) {
    const origin = program.isWord(at) ? bindings.lookUp(program.at(at), at)?.origin : undefined;
    if (origin && origin.of !== 'runnerStatus') {
      return origin;
    }
  }
  return undefined;
}
