/** The shape of chains of names, calls and indices: `client.get(url).data[0]`. */

import type { Program } from './program.ts';

/** Words before a chain that are no part of it. */
export const heads =
  /^(?:await|new|return|yield|async|go|defer|not|typeof|try|mut|range|from|throw|raise|echo|print|puts)$/;

/** The index of the first token of the chain that ends with one. */
export function startOfChain(program: Program, last: number): number {
  let at = last;
  for (;;) {
    if (program.isMark(at, ')') || program.isMark(at, ']')) {
      const open = program.partner[at] ?? -1;
      if (open < 0) {
        return at;
      }
      const isCallOrIndex =
        program.isWord(open - 1) ||
        /^[)\]!?]$/.test(program.at(open - 1)) ||
        (program.isText(open - 1) && program.isMark(at, ']'));
      if (!isCallOrIndex || heads.test(program.at(open - 1))) {
        return open;
      }
      at = open - 1;
      continue;
    }
    if ((program.isMark(at, '!') || program.isMark(at, '?')) && at > 0) {
      at -= 1;
      continue;
    }
    const isMember = program.tokens[at]?.kind === 'mark' ? false : program.isDot(at - 1);
    if (isMember && at >= 2 && !program.isMark(at - 2, '=')) {
      at -= 2;
      continue;
    }
    return Math.max(at, 0);
  }
}

/** The index of the parenthesis of a call whose name ends before a token; its type arguments are passed over. */
export function parenthesisOfCall(program: Program, index: number, end: number): number | undefined {
  if (program.isMark(index, '(')) {
    return index < end ? index : undefined;
  }
  if (program.isMark(index, '::') && program.isMark(index + 1, '<')) {
    return parenthesisOfCall(program, index + 1, end);
  }
  if (program.isMark(index, '<')) {
    for (let at = index + 1; at < Math.min(index + 12, end); at += 1) {
      if (program.isMark(at, '(')) {
        return program.isMark(at - 1, '>') ? at : undefined;
      }
    }
  }
  return undefined;
}
