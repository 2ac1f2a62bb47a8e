import type * as vscode from 'vscode';
import { codeLanguageOf, languageOfPath } from '../../workspace/languages.ts';
import { defaultVariable, envLine, isEnvFile, isShellScript } from './envFile.ts';

/** A place of a document where something is inserted. */
export interface CursorPlace {
  /** As the editor names it, such as `typescript`. */
  readonly languageId: string;
  /** The path of the document. */
  readonly path: string;
  /** The line up to the place. */
  readonly before: string;
  /** The beginning of the document, which decides what its quotes are. */
  readonly sample: string;
}

/** Languages in which strings have double quotes alone, or the only ones without a meaning of their own. */
const doubleQuoted = new Set([
  ...['go', 'java', 'kotlin', 'scala', 'csharp', 'fsharp', 'rust', 'swift', 'elixir', 'c', 'cpp', 'objective-c'],
  ...['json', 'jsonc', 'toml', 'terraform', 'graphql', 'julia', 'haskell', 'clojure'],
]);
/** Languages in which double quotes replace parts of what they hold: `@` and `$` of an address, too. */
const singleQuoted = new Set(['perl', 'shellscript', 'powershell', 'sql', 'r']);
/** Languages with both, which programs use alike: the document decides, else these. */
const eitherQuoted = new Map<string, string>([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'vue', 'svelte', 'php', 'groovy'].map(
    (id) => [id, `'`] as const,
  ),
  ...['lua', 'dart'].map((id) => [id, `'`] as const),
  ...['python', 'ruby', 'yaml', 'dockercompose'].map((id) => [id, `"`] as const),
]);

/** The language of a document: as the editor names it, else by its path. */
export function languageOf({ languageId, path }: Pick<CursorPlace, 'languageId' | 'path'>): string {
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
  const quote = isInString(place) ? '' : quoteFor(place);
  return `${quote}${dsn}${quote}`;
}

/** The quotes of a string at a place; empty where there are none. */
function quoteFor(place: CursorPlace): string {
  const language = languageOf(place);
  if (language === 'html' || language === 'xml') {
    return /=\s*$/.test(place.before) ? `"` : '';
  }
  // `- SENTRY_DSN=` is one string from its start on.
  if (/^(?:yaml|dockercompose)$/.test(language) && !/(?:^|[:,-]\s|[[{])\s*$/.test(place.before)) {
    return '';
  }
  if (doubleQuoted.has(language)) {
    return `"`;
  }
  if (singleQuoted.has(language)) {
    return `'`;
  }
  const usual = eitherQuoted.get(language) ?? '';
  // Within a literal, what is between braces is code, whose strings have the other quotes.
  const outer = openAt(place);
  if (usual === '' || (outer !== undefined && place.before[outer] !== '`')) {
    return usual === '' ? '' : place.before[outer ?? 0] === `'` ? `"` : `'`;
  }
  const [single = 0, double = 0] = [`'`, `"`].map((quote) => place.sample.split(quote).length);
  return single === double ? usual : single > double ? `'` : `"`;
}

/** Whether a place is within a string, and not in code between the braces of one. */
export function isInString(place: CursorPlace): boolean {
  const start = openAt(place);
  if (start === undefined) {
    return false;
  }
  const { before } = place;
  const open = before.lastIndexOf('{');
  if (open <= start || before.includes('}', open)) {
    return true;
  }
  // In strings such as f"…" of Python and $"…" of C#, each brace begins code, and two stand for one.
  const isFormatted = /(?:^|\W)(?:[fF][rR]?|[rR][fF])$|\$@?$|@\$$/.test(before.slice(Math.max(0, start - 3), start));
  let braces = 1;
  while (before[open - braces] === '{') {
    braces += 1;
  }
  return !/[#$]/.test(before.charAt(open - 1)) && !(isFormatted && braces % 2 === 1);
}

/** What a string of some language may begin with. */
const stringPrefix = /(?:^|\W)(?:[bBfFrRuU]{1,2}|L|s|q|x)$/;

/** Where the string begins that the place is in, on its line. */
function openAt(place: CursorPlace): number | undefined {
  const { before } = place;
  const quotes = doubleQuoted.has(languageOf(place)) ? '"`' : `"'\``;
  let start: number | undefined;
  for (let index = 0; index < before.length; index += 1) {
    const character = before.charAt(index);
    if (character === '\\') {
      index += 1;
    } else if (start !== undefined) {
      start = character === before[start] ? undefined : start;
    } else if (character === `'` && !quotes.includes(character)) {
      // A character such as '"', which begins no string.
      index += (/^'(?:\\.|[^\\'])'/.exec(before.slice(index, index + 4))?.[0].length ?? 1) - 1;
    } else if (quotes.includes(character)) {
      const head = before.slice(Math.max(0, index - 4), index);
      // The apostrophe of a word in a comment begins none either.
      start = character === `'` && /\w$/.test(head) && !stringPrefix.test(head) ? undefined : index;
    }
  }
  return start;
}

/** At most this many characters tell which quotes a document has. */
const mostOfSample = 20_000;

/** The place of a position in a document. */
export function placeIn(document: vscode.TextDocument, position: vscode.Position): CursorPlace {
  return {
    languageId: document.languageId,
    path: document.uri.path,
    before: document.lineAt(position).text.slice(0, position.character),
    sample: document.getText().slice(0, mostOfSample),
  };
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
