/** Files that hold commands or requests among other text: YAML, Markdown and collections of HTTP requests. */

import { languageOfFence, type Syntax } from './languages.ts';
import { type Token, tokenize, unknown, type Work } from './tokenizer.ts';

/** The code blocks of a Markdown file whose language is known. */
export function codeBlocksOf(
  text: string,
): { readonly start: number; readonly text: string; readonly languageId: string }[] {
  const blocks = [];
  let open: { readonly fence: string; readonly start: number; readonly languageId: string | undefined } | undefined;
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const fence = /^[ \t]{0,12}(```+|~~~+)([\w-]*)/.exec(text.slice(at, Math.min(end, at + 80)));
    if (fence && !open) {
      open = { fence: fence[1] ?? '', start: end + 1, languageId: languageOfFence(fence[2] ?? '') };
    } else if (fence && open && fence[1]?.startsWith(open.fence) === true && fence[2] === '') {
      if (open.languageId !== undefined) {
        blocks.push({ start: open.start, text: text.slice(open.start, at), languageId: open.languageId });
      }
      open = undefined;
    }
    at = end + 1;
  }
  return blocks;
}

/** The tokens of a source; of YAML the texts, each as commands of a shell of its own, and of HTTP files the requests. */
export function* tokensOf(source: string, syntax: Syntax, work: Work): Generator<void, Token[]> {
  if (syntax.kind === 'program' || syntax.kind === 'shell') {
    return yield* tokenize(source, syntax, work);
  }
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    if (work.isDue()) {
      yield;
    }
    const lineEnd = source.indexOf('\n', at);
    let end = lineEnd === -1 ? source.length : lineEnd;
    let from = at;
    let start = at;
    const line = source.slice(at, Math.min(end, at + 400));
    if (syntax.kind === 'yaml') {
      const key = /^[ \t]*(?:- +)*(?:(["']?)([\w.$/ -]{1,80})\1:(?=\s|$))?[ \t]*/.exec(line);
      from = at + (key?.[0].length ?? 0);
      start = from;
      const name = key?.[2];
      const value = source.slice(from, end);
      const isBlock = /^[|>][-+\d]*\s*(?:#.*)?$/.test(value.slice(0, 80));
      const isQuoted = /^(["']).*\1\s*$/s.test(value.slice(0, 4000));
      if (name !== undefined) {
        const nameStart = at + (key?.[0].lastIndexOf(name) ?? 0);
        tokens.push({
          kind: 'text',
          start: nameStart,
          end: nameStart + name.length,
          text: `${name}=`,
          from: nameStart,
        });
      }
      const indent = line.length - line.trimStart().length;
      const isOpen = name === undefined && value !== '';
      if (isBlock || isOpen) {
        end = deeperEnd(source, end, indent, isBlock, work);
        from = isBlock ? Math.min(lineEnd + 1, end) : from;
      }
      if (isQuoted && !isBlock) {
        from += 1;
        end = source.lastIndexOf(value[0] ?? '', end - 1);
      }
    } else if (line.startsWith('###')) {
      tokens.push({ kind: 'mark', start: at, end: at, text: ';', from: at });
      at = end + 1;
      continue;
    } else if (/^(?:#|\/\/|[\w-]+:\s)/.test(line)) {
      at = end + 1;
      continue;
    } else if (/^(?:GET|POST|PUT|PATCH|DELETE)\s/.test(line)) {
      tokens.push({ kind: 'mark', start: at, end: at, text: ';', from: at });
    }
    if (syntax.kind === 'http') {
      const text = source.slice(from, end).replaceAll(/\{\{[^}\n]{0,80}\}\}/g, (hole) => unknown.repeat(hole.length));
      const assigned = /^@(\w+)\s*=\s*/.exec(text);
      work.add(text.length);
      if (text.trim() !== '') {
        const skip = assigned?.[0].length ?? 0;
        tokens.push({
          kind: 'text',
          start: from,
          end,
          text: assigned ? `${assigned[1]}=${text.slice(skip)}` : text,
          from: assigned ? from + skip - (assigned[1]?.length ?? 0) - 1 : from,
        });
        for (const hole of source.slice(from, end).matchAll(/\{\{\s*(\w+)/g)) {
          tokens.push({
            kind: 'word',
            start: from + hole.index,
            end: from + hole.index + hole[0].length,
            text: hole[1] ?? '',
            from: from + hole.index,
          });
        }
      }
    } else if (end > from) {
      const isFolded = source[start] !== '|';
      const inner = yield* tokenize(source, syntax, work, from, end);
      for (const token of inner) {
        if (!isFolded || token.text !== '\n') {
          tokens.push(token);
        }
      }
    }
    if (syntax.kind === 'yaml') {
      tokens.push({ kind: 'mark', start: end, end, text: '\n', from: end });
    }
    const next = source.indexOf('\n', end);
    at = next === -1 ? source.length : next + 1;
  }
  return tokens;
}

/** The end of the lines after `end` that belong to the text that begins before it. */
function deeperEnd(source: string, end: number, indent: number, isBlock: boolean, work: Work): number {
  let at = end;
  while (at < source.length) {
    const next = source.indexOf('\n', at + 1);
    const lineEnd = next === -1 ? source.length : next;
    const line = source.slice(at + 1, Math.min(lineEnd, at + 200));
    work.add(lineEnd - at);
    const isDeeper = line.trim() === '' || line.length - line.trimStart().length > indent;
    if (!isDeeper || (!isBlock && /^\s*(?:- |[\w.$/ -]{1,60}:(?:\s|$)|#)/.test(line))) {
      break;
    }
    at = lineEnd;
  }
  return at;
}
