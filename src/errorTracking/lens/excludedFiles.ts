import * as vscode from 'vscode';

/** The globs of `search.exclude` that are on in a folder, without nested braces. What `files.exclude` says, the search itself respects. */
export function searchExcludes(folder: vscode.Uri): readonly string[] {
  const excludes = vscode.workspace.getConfiguration('search', folder).get<Record<string, unknown>>('exclude', {});
  return Object.entries(excludes)
    .filter(([glob, value]) => value === true && glob.length <= 1000)
    .flatMap(([glob]) => withoutBraces(glob))
    .flatMap((glob) => [glob, `${glob.replace(/(?<!\/)\/+$/, '')}/**`]);
}

/** A glob that stands for more than so many is left out: pairs of braces one after the other multiply. */
const mostOfGlob = 200;

/** The globs that a glob with braces stands for: `{a,b}/c` for `a/c` and `b/c`. One whose braces do not match stands for none. */
function withoutBraces(glob: string): readonly string[] {
  let globs: readonly string[] = [glob];
  while (globs.some((one) => /[{}]/.test(one))) {
    globs = globs.flatMap(withoutInnermost);
    if (globs.length > mostOfGlob) {
      return [];
    }
  }
  return globs;
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
