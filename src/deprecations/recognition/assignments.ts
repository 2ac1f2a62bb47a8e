import { asValue } from './bindings.ts';
import type { Program } from './program.ts';
import type { Values } from './values.ts';
import { declarations } from './words.ts';

/** Gives names their values at the sign of an assignment, in all its forms: `name = …`, `[a, b] = …`. */
export function bindAssigned(values: Values, index: number): void {
  const { program, origins } = values;
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
      values.later(end, () => bindPattern(values, open, index - 1, start, end));
      return;
    }
  }
  const targets = targetsOf(program, index);
  values.later(end, () => {
    const origin = origins.ofExpression(start, end);
    for (const { name, widely } of targets) {
      values.bind(name, end, start, end, origin, widely);
    }
    const own = program.functionAt(/^(?:async|function)$/.test(program.at(start)) ? start + 1 : start);
    if (own?.expression !== undefined && own.name !== undefined && own.start <= start + 1) {
      origins.produce(own.name, origins.ofExpression(own.expression, own.end));
    }
  });
}

/** The names that an assignment gives a value; `widely` if it holds beyond the function. */
function targetsOf(program: Program, index: number): { name: string; widely: boolean }[] {
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
function bindPattern(values: Values, open: number, close: number, start: number, end: number): void {
  const { program, origins } = values;
  const whole = origins.ofExpression(start, end);
  const isList = !program.isMark(open, '{');
  const items = isList ? itemsIn(program, start, end) : [];
  let position = 0;
  for (let at = open + 1; at < close; at += 1) {
    if (program.isMark(at, ',') && program.parent[at] === open) {
      position += 1;
    }
    if (program.isWord(at) && !program.isMark(at + 1, ':')) {
      const item = items[position];
      const key = program.isMark(at - 1, ':') ? program.at(at - 2) : program.at(at);
      const isBody = /^(?:data|body|value|result|json|response)$/.test(key);
      const origin = item ? asValue(origins.ofExpression(...item)) : isList || isBody ? whole : undefined;
      values.bind(program.at(at), end, start, start, origin);
    }
  }
}

/** The elements of a list in an expression, such as the one that is given to `Promise.all`. */
function itemsIn(program: Program, start: number, end: number): (readonly [number, number])[] {
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
