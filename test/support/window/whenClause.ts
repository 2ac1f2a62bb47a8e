import { runInThisContext } from 'node:vm';

/** A key, alone or with what it is compared to: a word or a regular expression. */
const comparison = /([^\s()!=&|]+)(?:\s*(==|!=|=~)\s*(?:\/((?:\\.|[^/])+)\/(i?)|([^\s()!=&|]+)))?/g;

/**
 * Whether a `when` clause of the manifest holds.
 *
 * @param valueOf what a key stands for.
 * @see https://code.visualstudio.com/api/references/when-clause-contexts
 */
export function holds(clause = 'true', valueOf: (key: string) => unknown): boolean {
  const compare = (key: string, sign?: string, pattern?: string, flags?: string, word?: string): boolean => {
    const value = key === 'true' || (key !== 'false' && valueOf(key));
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return sign === undefined
      ? Boolean(value)
      : pattern === undefined
        ? (sign === '==') === (text === word)
        : new RegExp(pattern, flags).test(text);
  };
  // What is left has but signs that JavaScript reads as the editor does.
  const logic = clause.replaceAll(comparison, (_, ...parts: Parameters<typeof compare>) => String(compare(...parts)));
  return runInThisContext(logic) as boolean;
}
