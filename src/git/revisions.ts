import type { Sha } from '../api/grammar.ts';

/** A commit by its id, or one so many commits before it. Any other text could be an option or an expression to git. */
export type Revision = Sha | (string & { readonly revision: unique symbol });

/** More than a push has commits. */
const mostAncestors = 100_000;

/** The commit that is so many before another; undefined for what no push has. */
export function ancestorOf(commit: Sha, commits: number): Revision | undefined {
  return Number.isSafeInteger(commits) && commits > 0 && commits <= mostAncestors
    ? (`${commit}~${commits}` as Revision)
    : undefined;
}

/** The commits after one, up to and with another. */
export function rangeOf(from: Sha | undefined, to: Sha): Revision {
  return from === undefined ? to : (`${from}..${to}` as Revision);
}
