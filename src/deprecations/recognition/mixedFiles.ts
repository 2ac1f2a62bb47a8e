/** Files that hold commands or requests among other text: YAML, Markdown and collections of HTTP requests. */

import { lexShell } from './shellLexer.ts';
import { PartList, TokenSink } from './tokenSink.ts';
import type { Token } from './tokens.ts';

/** Reads a shell script. */
export function lexScript(source: string): Token[] {
  const sink = new TokenSink(source);
  lexShell(sink, { start: 0, end: source.length });
  return sink.tokens;
}

const yamlEntry = /^([ \t]*)((?:- +)*)(?:("?)([\w.$/-]+)\3:(?=\s|$))?[ \t]*(.*)$/;

/**
 * Reads the texts of a YAML file as commands of a shell, each on its own, so that the quotes of one do not reach into the
 * next; a text with a plain name, such as a variable of `.gitlab-ci.yml`, is an assignment.
 */
export function lexYaml(source: string): Token[] {
  const sink = new TokenSink(source);
  let at = 0;
  while (at < source.length) {
    at = readEntry(sink, at);
  }
  return sink.tokens;
}

function lineEndOf(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}

/** The end of the lines after `end` that are indented by more than `indent`. */
function deeperEnd(source: string, end: number, indent: number): number {
  let at = end;
  while (at < source.length) {
    const next = at + 1;
    const lineEnd = lineEndOf(source, next);
    const line = source.slice(next, lineEnd);
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent) {
      break;
    }
    at = lineEnd;
  }
  return at;
}

function readEntry(sink: TokenSink, start: number): number {
  const { source } = sink;
  const end = lineEndOf(source, start);
  const line = source.slice(start, end).replace(/\r$/, '');
  const [, blanks = '', dashes = '', , key, value = ''] = yamlEntry.exec(line) ?? [];
  const valueStart = start + line.length - value.length;
  if (value === '' || value.startsWith('#')) {
    return end + 1;
  }
  const indent = blanks.length + (key === undefined ? Math.max(dashes.length - 1, 0) : dashes.length);
  const keyStart = start + blanks.length + dashes.length;
  if (key !== undefined) {
    sink.add('word', keyStart, keyStart + key.length, key);
    sink.add('mark', keyStart + key.length, keyStart + key.length + 1, '=');
  }
  const block = /^([|>])[-+\d]*\s*(?:#.*)?$/.exec(value);
  const rest = deeperEnd(source, end, indent);
  if (block) {
    lexShell(sink, { start: Math.min(end + 1, rest), end: rest, lines: block[1] === '|' });
    return rest + 1;
  }
  // What nests below is no continuation of this line: `- name: x`, then `script:`.
  const continued = key === undefined || value.startsWith('"') || value.startsWith("'");
  const textEnd = continued ? rest : end;
  const quote = /^["']/.exec(value)?.[0];
  const closing = quote === undefined ? -1 : source.lastIndexOf(quote, textEnd - 1);
  if (quote !== undefined && closing > valueStart && /^\s*(?:#.*)?$/.test(source.slice(closing + 1, textEnd))) {
    lexShell(sink, { start: valueStart + 1, end: closing, lines: false, escapedQuotes: quote === '"' });
  } else {
    lexShell(sink, { start: valueStart, end: textEnd, lines: false });
  }
  return textEnd + 1;
}

const requestLine = /^(GET|POST|PUT|PATCH|DELETE|HEAD)[ \t]+(\S.*?)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/;
const bareUrl = /^()(https?:\/\/\S+|\{\{\w+\}\}\/\S+)[ \t]*$/;

/** Reads a collection of HTTP requests, as REST clients of editors have them: each is a statement of its address and body. */
export function lexHttp(source: string): Token[] {
  const sink = new TokenSink(source);
  let at = 0;
  let inRequest = false;
  while (at < source.length) {
    const end = lineEndOf(source, at);
    const line = source.slice(at, end).replace(/\r$/, '');
    const variable = /^@([\w-]+)\s*=\s*(.+)$/.exec(line);
    const request = inRequest ? undefined : (requestLine.exec(line) ?? bareUrl.exec(line));
    if (line.startsWith('###')) {
      sink.add('mark', at, at, ';');
      inRequest = false;
    } else if (variable) {
      sink.add('word', at + 1, at + 1 + (variable[1]?.length ?? 0));
      sink.add('mark', at, at, '=');
      addTemplate(sink, end - (variable[2]?.length ?? 0), end);
      sink.add('mark', end, end, ';');
    } else if (request) {
      sink.add('mark', at, at, ';');
      const urlStart = at + line.indexOf(request[2] ?? '', request[1]?.length);
      addTemplate(sink, urlStart, urlStart + (request[2]?.length ?? 0));
      inRequest = true;
    } else if (inRequest && !/^(?:#|\/\/|[\w-]+:\s)/.test(line) && line.trim() !== '') {
      addTemplate(sink, at, at + line.length);
    }
    at = end + 1;
  }
  return sink.tokens;
}

/** Adds a text whose holes are `{{name}}`. */
function addTemplate(sink: TokenSink, start: number, end: number): void {
  const list = new PartList(sink.source, start);
  for (const match of sink.source.slice(start, end).matchAll(/\{\{\s*\$?([\w-]+)[^}]*\}\}/g)) {
    const from = start + match.index;
    const name = from + match[0].indexOf(match[1] ?? '');
    list.addHole(from, from + match[0].length, name, name + (match[1]?.length ?? 0));
  }
  list.close(end);
  sink.addText(start, end, list.parts, (part) => sink.add('word', part.start, part.end));
}

const fences = new Map(
  Object.entries<string>({
    bash: 'shellscript',
    sh: 'shellscript',
    shell: 'shellscript',
    zsh: 'shellscript',
    console: 'shellscript',
    js: 'javascript',
    javascript: 'javascript',
    ts: 'typescript',
    typescript: 'typescript',
    py: 'python',
    python: 'python',
    rb: 'ruby',
    ruby: 'ruby',
    go: 'go',
    java: 'java',
    cs: 'csharp',
    csharp: 'csharp',
    php: 'php',
    rust: 'rust',
    yaml: 'yaml',
    yml: 'yaml',
    http: 'http',
    powershell: 'powershell',
  }),
);

/** The code blocks of a Markdown file whose language is known, with their places. */
export function codeBlocksOf(
  source: string,
): { readonly start: number; readonly text: string; readonly languageId: string }[] {
  const blocks = [];
  for (const match of source.matchAll(/^([ \t]*)(```+|~~~+)(\w+)[^\n]*\n([\s\S]*?)^\1\2/gm)) {
    const languageId = fences.get(match[3]?.toLowerCase() ?? '');
    const text = match[4] ?? '';
    if (languageId !== undefined) {
      const closing = (match[1]?.length ?? 0) + (match[2]?.length ?? 0);
      blocks.push({ start: match.index + match[0].length - closing - text.length, text, languageId });
    }
  }
  return blocks;
}
