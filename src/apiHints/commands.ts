/** Commands of shells, YAML and files of requests, and the code blocks of Markdown. */
import { languageOfExtension } from '../workspace/languages.ts';
import type { Code, Range } from './code.ts';

/** The commands of a source in their order: lines, with those that continue them; items of YAML; requests. */
export function commandsOf(code: Code<unknown>, languageId: string): Range[] {
  const commands: { start: number; end: number }[] = [];
  const isYaml = /^(?:yaml|dockercompose)$/.test(languageId);
  let current: { start: number; end: number } | undefined;
  /** Of YAML: how far the item is indented, and the block of lines within it. */
  let [item, block] = [-1, -1];
  let [continues, terminator]: [boolean, string | undefined] = [false, undefined];
  for (let start = 0; start < code.text.length;) {
    const newline = code.text.indexOf('\n', start);
    const end = newline === -1 ? code.text.length : newline;
    const line = code.text.slice(start, end);
    const indent = line.search(/\S/);
    if (indent !== -1) {
      if (block !== -1 && indent <= block) {
        block = -1;
        continues = false;
      }
      const isDash = /^\s*- /.test(line);
      let begins = !continues;
      if (languageId === 'http') {
        begins = current === undefined || /^(?:GET|POST|PUT|PATCH|DELETE)\s|^###|^https?:/.test(line);
      } else if (isYaml && block === -1) {
        const isInItem = item !== -1 && indent > item;
        begins = isDash || (!isInItem && /^\s*[\w."'-]{1,80}:(?:\s|$)/.test(line));
        item = isDash ? indent : isInItem ? item : -1;
      }
      if (!current || begins) {
        current = { start, end };
        commands.push(current);
      }
      current.end = end;
      if (terminator === undefined) {
        terminator = /<<-?\s*["']?(\w{1,40})/.exec(line)?.[1];
      } else if (line.trim() === terminator) {
        terminator = undefined;
      }
      continues = terminator !== undefined || line.endsWith('\\') || code.literalAt(end) !== undefined;
      if (isYaml && block === -1 && /(?:^|\s)\|[-+]?\s*$/.test(line)) {
        block = isDash && !/:\s*\|[-+]?\s*$/.test(line) ? indent : line.search(/[^\s-]/);
        continues = false;
      }
    }
    start = end + 1;
  }
  return commands;
}

/** A code block of Markdown, with the language that its fence names. */
export interface CodeBlock {
  readonly start: number;
  readonly text: string;
  readonly languageId: string;
}

/** The code blocks of a Markdown document whose language is known. */
export function codeBlocksOf(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { readonly fence: string; readonly name: string; readonly start: number } | undefined;
  for (const { 0: line, 1: fence = '', 2: name = '', index } of text.matchAll(
    /^[ \t]{0,8}(`{3,}|~{3,})[ \t]*([\w+-]*)/gm,
  )) {
    if (!open) {
      open = { fence, name: name.toLowerCase(), start: text.indexOf('\n', index + line.length) + 1 || text.length };
    } else if (fence.startsWith(open.fence) && name === '') {
      const languageId = /^(?:shell|console|shell-session|curl)$/.test(open.name)
        ? 'shellscript'
        : (languageOfExtension(open.name) ?? open.name);
      if (/^[a-z]+$/.test(languageId) && languageId !== 'markdown') {
        blocks.push({ start: open.start, text: text.slice(open.start, index), languageId });
      }
      open = undefined;
    }
  }
  return blocks;
}
