import type * as vscode from 'vscode';
import { codeLanguageOf, languageOfPath } from '../../workspace/languages.ts';
import { defaultVariable, envLine, isEnvFile, isShellScript } from './envFile.ts';

export interface CursorPlace {
  /** As the editor names it, such as `typescript`. */
  readonly languageId: string;
  readonly path: string;
  readonly before: string;
}

/** Languages in which strings have double quotes alone, or are written so by most. */
const doubleQuoted = new Set([
  ...['go', 'java', 'kotlin', 'scala', 'csharp', 'fsharp', 'rust', 'swift', 'elixir', 'c', 'cpp', 'objective-c'],
  ...['json', 'jsonc', 'toml', 'terraform', 'graphql', 'julia', 'haskell', 'clojure', 'python', 'ruby'],
]);
/** Languages that are written with single quotes by most, or in which double ones replace parts of what they hold: `@` and `$`, too. */
const singleQuoted = new Set([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'vue', 'svelte', 'php', 'groovy', 'lua'],
  ...['dart', 'perl', 'shellscript', 'powershell', 'sql', 'r'],
]);
/** Of those, the ones in which an apostrophe may begin a string, too. */
const alsoSingleQuoted = new Set(['python', 'ruby', 'elixir', 'toml']);

/** The language of a document: as the editor names it, else by its path. */
export function languageOf({ languageId, path }: CursorPlace): string {
  return languageId === 'plaintext' ? (codeLanguageOf(path) ?? languageOfPath(path, '')) : languageId;
}

/**
 * What to write for a DSN at a place: a variable where an env file has none on the line yet, a string of the language in code and in
 * settings that have strings, the DSN alone within a string and in other text.
 */
export function dsnAtCursor(place: CursorPlace, dsn: string): string {
  const { path, before } = place;
  if (isEnvFile(path) || place.languageId === 'dotenv') {
    const line = envLine(defaultVariable, dsn);
    if (/^\s*(?:export\s+)?$/.test(before)) {
      return isShellScript(path) && before.trim() === '' ? `export ${line}` : line;
    }
    return /["'`]/.test(before) ? dsn : line.slice(defaultVariable.length + 1);
  }
  const language = languageOf(place);
  const usual = doubleQuoted.has(language) ? `"` : singleQuoted.has(language) ? `'` : '';
  const quote = isInString(place) ? '' : usual;
  return `${quote}${dsn}${quote}`;
}

/** Whether a place is within a string that begins on its line. */
export function isInString(place: CursorPlace): boolean {
  const language = languageOf(place);
  const hasApostrophes = !doubleQuoted.has(language) || alsoSingleQuoted.has(language);
  // Neither a character such as '"' nor the apostrophe of a word begins a string.
  const noQuote = hasApostrophes ? /\\.|'"'|(?<=(?:^|\W)[a-z]{3,40})'/gi : /\\.|'"'|'/g;
  const strings = /(["'`])[^]*?\1/g;
  return /["'`]/.test(place.before.replaceAll(noQuote, '').replaceAll(strings, ''));
}

export function placeIn(document: vscode.TextDocument, position: vscode.Position): CursorPlace {
  const before = document.lineAt(position).text.slice(0, position.character);
  return { languageId: document.languageId, path: document.uri.path, before };
}

/**
 * The range of the string literal whose whole content is a given range; undefined if the literal is longer, or there is
 * none, or code could not stand in its place as it is.
 */
export function stringAround(document: vscode.TextDocument, range: vscode.Range): vscode.Range | undefined {
  const { text } = document.lineAt(range.start);
  const quote = text[range.start.character - 1] ?? '';
  const [before, after] = [text.slice(0, range.start.character - 1), text.slice(range.end.character)];
  // Neither a string with a prefix, such as `r"…"`, nor one with three quotes, nor an attribute of a tag.
  const isPlain = !/[\w@$"'`]$|<[a-z][^<>]*=$/i.test(before) && after[1] !== quote;
  return /["'`]/.test(quote) && after.startsWith(quote) && isPlain
    ? range.with(range.start.translate(0, -1), range.end.translate(0, 1))
    : undefined;
}
