/** Commands of shells, YAML and files of requests, and the code blocks of Markdown. */
import { languageOfExtension } from '../workspace/languages.ts';
import { endpointOf } from './calls.ts';
import { type ChangeId, changesNamed, type Resource } from './catalogue.ts';
import { type Code, hole, longestStatement, type Range } from './code.ts';
import { pathWord } from './values.ts';

/** Reads the commands of a source: a name is one of the API if the same command calls it, or is given what calls it. */
export function* readCommands(
  code: Code<unknown>,
  languageId: string,
  isAbout: boolean,
  anyName: RegExp,
  add: (change: ChangeId, range: Range, how: 'called' | 'sent' | 'read') => void,
): Generator<void> {
  const variables = new Map<string, readonly Resource[]>();
  for (const { start, end: last } of yield* commandsOf(code, languageId)) {
    yield;
    const source = code.text.slice(start, Math.min(last, start + longestStatement));
    const text = source.replaceAll(/(?<=[\w}])["'](?=\/)/g, hole).replaceAll(/\$\((\w+)\)/g, '${$1}');
    const of: Resource[] = /\bglab\s+mr\s+(?:view|list)\b/.test(text) ? ['mergeRequest'] : [];
    const isGlab = /\bglab\b/.test(text.slice(0, 300));
    for (const { 0: word, index: at } of text.matchAll(/[^\s<>|();`\\"']+/g)) {
      const endpoint = pathWord.test(word) ? endpointOf(word) : undefined;
      const isPath = /^[\w-]*=?(?:\$|\{\{|\}\}).*\//.test(word);
      const isOurs = endpoint?.namesApi || isGlab || (isAbout && isPath && !endpoint?.isElsewhere);
      if (endpoint && isOurs) {
        of.push(...endpoint.of);
        if (endpoint.change) {
          add(endpoint.change, { start: start + at + endpoint.start, end: start + at + endpoint.end }, 'called');
        }
      }
      of.push(...(variables.get(word.replace(/^[^$]*\$\{?(\w+).*$/, '$1')) ?? []));
    }
    const target = /^\s*(?:- )?(?:(?:export|local|readonly|declare|ENV|ARG)\s+)?(\w{1,60})(?:=|:\s)/.exec(text)?.[1];
    if (target !== undefined) {
      variables.set(target, of);
    }
    for (const { 0: word, index: at } of of.length > 0 ? source.matchAll(anyName) : []) {
      const range = { start: start + at, end: start + at + word.length };
      const left = source.slice(Math.max(0, at - 12), at);
      const right = source.slice(at + word.length, at + word.length + 12);
      const isForm = /[?&{,\s"'(\\;]$/.test(left) && /^\\?["']?\s*(?::?==?|:(?!:))/.test(right);
      const isFilter = /(?:^|[\s('"|[\],!])\.$|\[\\?["']$/.test(left);
      for (const { change } of word !== word.toUpperCase() && (isForm || isFilter) ? changesNamed(word) : []) {
        const { subject, id } = change;
        const value = /^[\\"':=\s]*([\w-]+)/.exec(right)?.[1];
        const hasValue = subject.values?.some((one) => (one ?? 'null') === value) ?? true;
        if ((isFilter ? subject.isRead : subject.isSent && hasValue) && of.some((one) => subject.of.includes(one))) {
          add(id, range, isForm ? 'sent' : 'read');
        }
      }
    }
  }
}

/** The commands of a source in their order: lines, with those that continue them; items of YAML; requests. */
function* commandsOf(code: Code<unknown>, languageId: string): Generator<void, Range[]> {
  const commands: { start: number; end: number }[] = [];
  const isYaml = /^(?:yaml|dockercompose)$/.test(languageId);
  let current: { start: number; end: number } | undefined;
  /** Of YAML: how far the item is indented, and the block of lines within it. */
  let [item, block, lines] = [-1, -1, 0];
  let [continues, terminator]: [boolean, string | undefined] = [false, undefined];
  for (let start = 0; start < code.text.length;) {
    const newline = code.text.indexOf('\n', start);
    const end = newline === -1 ? code.text.length : newline;
    const line = code.text.slice(start, end);
    const indent = line.search(/\S/);
    lines += 1;
    if (lines % 50 === 0) {
      yield;
    }
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
      continues = terminator !== undefined || /[\\|]$/.test(line) || code.literalAt(end) !== undefined;
      if (isYaml && block === -1 && /(?:^|\s)\|[-+]?\s*$/.test(line)) {
        block = isDash && !/:\s*\|[-+]?\s*$/.test(line) ? indent : line.search(/[^\s-]/);
        continues = false;
      }
    }
    start = end + 1;
  }
  return commands;
}

/** The code blocks of a Markdown document, each with the language that its fence names; undefined where that is not known. */
export function* codeBlocksOf(
  text: string,
): Generator<{ readonly start: number; readonly text: string; readonly languageId: string } | undefined> {
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
      yield /^[a-z]+$/.test(languageId) && languageId !== 'markdown'
        ? { start: open.start, text: text.slice(open.start, index), languageId }
        : undefined;
      open = undefined;
    }
  }
}
