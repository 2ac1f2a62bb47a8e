import { asValue, type Origin } from './bindings.ts';
import type { FunctionRange } from './functions.ts';
import type { Values } from './values.ts';

/** Gives the parameters of a closure their values at its first bar: `do |x|`, `(|x| …`. */
export function bindClosure(values: Values, index: number): void {
  const { program, origins } = values;
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
      : asValue(origins.ofChainEndingAt(receiver).origin);
  for (let at = index + 1; at < close; at += 1) {
    if (program.isWord(at)) {
      values.bind(program.at(at), close, at, at, origin);
    }
  }
}

/** What a function is called with by the call that it is given to: `projects.forEach((x) => …)`, `each(projects, (x) => …)`. */
export function callbackOrigin(values: Values, { start }: FunctionRange): Origin | undefined {
  const { program, origins } = values;
  const open = program.parent[start] ?? -1;
  if (!program.isMark(open, '(') || !program.isWord(open - 1)) {
    return undefined;
  }
  if (/^(?:\.|\?\.|->|&\.)$/.test(program.at(open - 2))) {
    const receiver = asValue(origins.ofChainEndingAt(open - 3).origin);
    if (receiver) {
      return receiver;
    }
  }
  const close = program.partner[open] ?? open;
  for (let at = open + 1; at < close;) {
    const end = Math.min(program.endOfExpression(at), close);
    const own = program.functionAt(start);
    const isOwn = own !== undefined && at <= start && start < end;
    const origin = isOwn ? undefined : origins.ofExpression(at, end);
    if (origin) {
      return asValue(origin);
    }
    at = Math.max(end, at) + 1;
  }
  return undefined;
}
