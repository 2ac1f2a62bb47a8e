import { asValue } from './bindings.ts';
import type { Program } from './program.ts';
import type { Values } from './values.ts';
import { declarations } from './words.ts';

/**
 * Gives names their values at the word or sign of a loop, or of something like it: `for x of …`, `for x in …`, `for (X x : …)`,
 * `foreach (… as x)`, `with … as x`.
 */
export function bindLoop(values: Values, index: number): void {
  const { program, origins } = values;
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
    const origin = origins.ofExpression(start, index);
    for (let at = index + 1; at < end; at += 1) {
      if (program.isWord(at)) {
        values.bind(program.at(at), at, start, start, asValue(origin));
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
  values.later(end, () => {
    const origin = origins.ofExpression(start, end);
    for (let at = first + 1; at < index; at += 1) {
      if (program.isWord(at) && !declarations.test(program.at(at))) {
        values.bind(
          program.at(at),
          isComprehension && program.syntax?.blocks === 'indent' ? bracket : end - 1,
          start,
          start,
          asValue(origin),
        );
      }
    }
  });
}

/** Whether a colon stands between the name and the values of a loop. */
export function isLoopColon(program: Program, index: number): boolean {
  const open = program.parent[index] ?? -1;
  return program.isMark(open, '(') && program.at(open - 1) === 'for';
}
