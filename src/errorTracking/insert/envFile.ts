/** A change of a text: replaces `length` characters from an offset on. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** The name that SDKs know. */
export const defaultVariable = 'SENTRY_DSN';

/** What may stand in an env file, a shell command or YAML between single quotes; a DSN of an instance is nothing else. */
const safeValue = /^[\w.~:@%/[\]-]+$/;
/** What a shell takes as it is even without quotes: `~` and brackets may be expanded. */
const plainValue = /^[\w.:@%/-]+$/;

/**
 * A line of an env file, without its end.
 *
 * @throws Error for a value that programs and shells would read differently.
 */
export function envLine(name: string, value: string): string {
  return `${name}=${quoted(value)}`;
}

function quoted(value: string, quote = plainValue.test(value) ? '' : "'"): string {
  if (!safeValue.test(value)) {
    throw new Error('This is no DSN.');
  }
  return `${quote}${value}${quote}`;
}

interface Assignment {
  /** Where its value is, with its quotes. */
  readonly offset: number;
  readonly written: string;
  readonly value: string;
}

/** What an env file says of a variable; `unclear` where programs and shells read it differently, so that it is left alone. */
export type Reading = 'missing' | 'unclear' | Assignment;

const nameAt = /[ \t]*(?:export +)?([\w.-]+)([ \t]*=[ \t]*)/y;
/** A variable without a value, for which Node.js takes what follows the blanks, and dotenv what follows the colon: the next line. */
const takesNext = /^[^#=]*(?:=[ \t]+|:)\r?\n?$/;
/** A value between quotes, which may have several lines; what escapes a quote differs by the reader, and is not read. */
const quotedAt = /"((?:[^"\\]|\\[^"\\])*)"|'((?:[^'\\]|\\(?!'))*)'|`([^`\\]*)`/y;
/** What a line that is no assignment to every reader may have: quotes that end, and a comment. */
const closed = /"[^"]*"|'[^']*'|`[^`]*`|(?:^|[ \t])#.*/g;
/** What decides in a shell whether, or as what, other lines count. */
const controlFlow = /^[ \t]*(?:if|case|for|while|until|function)\b|^[ \t]*\w+[ \t]*\(\)/;
/** Where a shell begins to read lines as a text: what is added below may be a part of it. */
const hereDocument = /<<-?[ \t]*["'\\]?\w/;
const plainAt = /[^"'`\\#;&|\r\n\u2028\u2029]*/y;
const endAt = /[ \t]*(?:[ \t]#[^\n]*)?\r?(?:\n|$)/y;

/**
 * Reads a variable as dotenv, Node.js and shells do; of several lines for it the last counts. Lines end at line feeds alone: dotenv sees
 * an end in U+2028, too, where the others see a character.
 */
export function readVariable(text: string, name: string): Reading {
  // A colon is for dotenv alone, what is appended for shells, and a tab after `export` is not for Node.js.
  const differing = new RegExp(String.raw`^[ \t]*(?:export +)?${name}[ \t]*(?::|\+=)|^[ \t]*export *\t[ \t]*${name}\b`);
  let last: Reading = 'missing';
  let isTaken = false;
  let isProgram = false;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    const line = text.slice(start, end);
    const separator = line.search(/[\u2028\u2029]/);
    if (differing.test(line) || (separator >= 0 && line.includes(name, separator))) {
      return 'unclear';
    }
    nameAt.lastIndex = start;
    const [head = '', found] = nameAt.exec(text) ?? [];
    const isEmpty = takesNext.test(line);
    const value =
      found === undefined ? undefined : valueAt(text, start + (isEmpty ? head.trimEnd().length : head.length));
    // Quotes that do not end where they seem to, and a line that goes on in the next, may hold all that follows.
    const rest = found === undefined ? line.replaceAll(closed, '') : line.slice(head.length).replace(/[ \t]#.*/, '');
    const isOpen = /["'`]|\\\r?\n?$/.test(rest);
    const isText = found === undefined && hereDocument.test(line);
    if (isText || (!value && (found === name || isOpen)) || (found === name && isTaken)) {
      return 'unclear';
    }
    isProgram ||= found === undefined && controlFlow.test(line);
    isTaken = isEmpty ? found !== name : isTaken && line.trim() === '';
    last = value && found === name ? value : last;
    start = value ? endOf(text, value.offset + value.written.length) : end;
  }
  return (isTaken && last === 'missing') || (isProgram && last !== 'missing') ? 'unclear' : last;
}

/** The value at a place, if it is one to every reader. */
function valueAt(text: string, offset: number): Assignment | undefined {
  quotedAt.lastIndex = offset;
  const [written, ...contents] = quotedAt.exec(text) ?? [];
  if (written !== undefined) {
    const content = contents.find((one) => one !== undefined) ?? '';
    return endOf(text, offset + written.length) < 0 ? undefined : { offset, written, value: content };
  }
  plainAt.lastIndex = offset;
  const plain = plainAt.exec(text)?.[0].trimEnd() ?? '';
  return endOf(text, offset + plain.length) < 0 ? undefined : { offset, written: plain, value: plain };
}

/** Where the next line begins after a value; -1 if something else follows it. */
function endOf(text: string, offset: number): number {
  endAt.lastIndex = offset;
  return endAt.test(text) ? Math.max(endAt.lastIndex, offset) : -1;
}

/**
 * The change that gives a variable of an env file a value: in its place if it is there, at the end otherwise. Quotes, `export`, comments
 * and the kind of line ends stay.
 *
 * @param isShell whether a shell reads the file, which needs `export` to pass a variable on; a file all of whose variables have it gets
 *   one more such line anyway.
 * @returns undefined where the file is unclear.
 */
export function setVariable(text: string, name: string, value: string, isShell = false): TextChange | undefined {
  const reading = readVariable(text, name);
  // To a shell, a second word is a command.
  if (reading === 'unclear' || (isShell && reading !== 'missing' && /^[^"'].*\s/.test(reading.written))) {
    return undefined;
  }
  if (reading !== 'missing') {
    const quote = /^["']/.exec(reading.written)?.[0];
    return { offset: reading.offset, length: reading.written.length, newText: quoted(value, quote) };
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  const isExported = isShell || (/^[ \t]*export\s/m.test(text) && !/^[ \t]*\w+[ \t]*=/m.test(text));
  const line = `${isExported ? 'export ' : ''}${envLine(name, value)}`;
  return { offset: text.length, length: 0, newText: `${start}${line}${end}` };
}

/** Whether an env file is run by a shell, as those of direnv are. */
export function isShellScript(path: string): boolean {
  return path.endsWith('/.envrc');
}

/** Whether a file is an env file by its name, such as `.env`, `.env.local` or `production.env`. */
export function isEnvFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^\.env(?:\.|$)|\.env$|^\.envrc$/.test(name);
}

/** Whether an env file is a pattern for others, kept in the repository, where no value belongs. */
export function isEnvExample(path: string): boolean {
  return /\.(?:example|sample|template|dist|defaults)$/.test(path);
}
