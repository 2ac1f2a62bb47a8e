/** What a key of a `when` clause stands for. */
export type ContextValue = (key: string) => unknown;

/** As the editor compares it. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/**
 * Whether a `when` clause of the manifest holds.
 *
 * @see https://code.visualstudio.com/api/references/when-clause-contexts
 */
export function holds(clause: string | undefined, valueOf: ContextValue): boolean {
  if (clause === undefined) {
    return true;
  }
  const tokens = clause.match(/\/(?:\\.|[^/])+\/i?|&&|\|\||[=!]=|=~|!|\(|\)|[^\s()!=&|]+/g) ?? [];
  let next = 0;
  const take = (token: string): boolean => {
    const isNext = tokens[next] === token;
    next += isNext ? 1 : 0;
    return isNext;
  };
  const term = (): string => tokens[next++] ?? '';
  const one = (): boolean => {
    if (take('!')) {
      return !one();
    }
    if (take('(')) {
      const result = any();
      take(')');
      return result;
    }
    const key = term();
    const value = key === 'true' || (key !== 'false' && valueOf(key));
    if (take('==')) {
      return textOf(value) === term();
    }
    if (take('!=')) {
      return textOf(value) !== term();
    }
    if (take('=~')) {
      const [, pattern = '', flags = ''] = /^\/(.*)\/(i?)$/.exec(term()) ?? [];
      return new RegExp(pattern, flags).test(textOf(value));
    }
    return Boolean(value);
  };
  // Both sides are read, whatever the first one comes to.
  const all = (): boolean => {
    let result = one();
    while (take('&&')) {
      result = one() && result;
    }
    return result;
  };
  const any = (): boolean => {
    let result = all();
    while (take('||')) {
      result = all() || result;
    }
    return result;
  };
  const result = any();
  if (next < tokens.length) {
    throw new Error(`"${clause}" is read up to "${tokens[next]}" only`);
  }
  return result;
}
