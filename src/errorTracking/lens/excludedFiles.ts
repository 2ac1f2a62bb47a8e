import * as vscode from 'vscode';

/** A glob that stands for more than so many is left out: pairs of braces one after the other multiply. */
const mostOfGlob = 200;
/** So many characters of globs are made in all: a workspace can bring any number of settings. */
const mostCharacters = 200_000;

/** The globs of `search.exclude` that are on in a folder, without nested braces. What `files.exclude` says, the search itself respects. */
export function searchExcludes(folder: vscode.Uri): readonly string[] {
  const excludes = vscode.workspace.getConfiguration('search', folder).get<Record<string, unknown>>('exclude', {});
  const globs = Object.keys(excludes).filter((glob) => excludes[glob] === true);
  return withoutNestedBraces(globs).flatMap((glob) => [glob, `${glob.replace(/(?<!\/)\/+$/, '')}/**`]);
}

/**
 * The globs that globs with braces stand for: `{a,b}/c` for `a/c` and `b/c`. One whose braces do not match stands for none. The
 * work has a bound: what is beyond it is left out.
 */
export function withoutNestedBraces(all: readonly string[]): readonly string[] {
  const result: string[] = [];
  let left = mostCharacters;
  for (const glob of all) {
    let globs: readonly string[] = [glob];
    while (left > 0 && globs.length <= mostOfGlob && globs.some((one) => /[{}]/.test(one))) {
      globs = globs.flatMap(withoutInnermost);
      left -= globs.reduce((sum, { length }) => sum + length, 0);
    }
    left -= glob.length;
    if (left < 0) {
      return result;
    }
    result.push(...(globs.length > mostOfGlob ? [] : globs));
  }
  return result;
}

function withoutInnermost(glob: string): readonly string[] {
  const open = glob.lastIndexOf('{');
  const close = glob.indexOf('}', Math.max(open, 0));
  if (open < 0 || close < 0) {
    return open < 0 && close < 0 ? [glob] : [];
  }
  return glob
    .slice(open + 1, close)
    .split(',')
    .map((part) => glob.slice(0, open) + part + glob.slice(close + 1));
}

/** A glob for certain files of a folder, by their paths below it. What is special in a glob stands for any one character. */
export function globOf(paths: readonly string[]): string {
  return `{${paths.map((path) => path.replaceAll(/[[\]{}*?,!\\]/g, '?')).join(',')}}`;
}
