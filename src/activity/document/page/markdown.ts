import { type Inline, inlinesOf, type Reading } from './inlines.ts';
import type { Places } from './references.ts';

/** A part of a comment. */
export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  /** The level is that in the page, whose own heading is the first; none is left out. */
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string; readonly info: string }
  | { readonly kind: 'quote'; readonly content: readonly Block[] }
  | {
      readonly kind: 'list';
      readonly start: number | undefined;
      readonly isLoose: boolean;
      readonly items: readonly Item[];
    }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'rule' };

export interface Item {
  /** Whether a task is done; undefined for what is no task. */
  readonly isDone?: boolean | undefined;
  readonly content: readonly Block[];
}

export interface Cell {
  readonly align: 'left' | 'center' | 'right' | undefined;
  readonly content: readonly Inline[];
}

/** Lists and quotes within each other are shown up to this depth. */
const deepest = 12;
/** Elements that are made of a comment; what comes after them stays text. */
const mostElements = 20_000;
/** Of a table. */
const mostColumns = 100;

/**
 * Reads a comment as GitLab does: GitHub Flavored Markdown with the references of GitLab. HTML, footnotes, definitions of links and
 * formulas stay text.
 *
 * The packages that were weighed for it, minified and compressed, do not fit into what a window loads or are stopped by a
 * comment: marked (15 KB) takes ten seconds for 50 KB of `_a` and overflows the stack by 12 KB of `>`; micromark with its tables
 * (24 KB) takes 16 seconds for 50 KB of `*a*`, and so does commonmark.js (48 KB, without tables) for `[a](`; markdown-it (41 KB) is
 * as quick as this. Here each line is read once for each list or quote around it, of which there is a bound.
 *
 * @param text without tabs and control characters.
 * @see https://docs.gitlab.com/user/markdown/
 */
export function readMarkdown(text: string, places: Places): readonly Block[] {
  return new BlockReader({ places, left: mostElements }).read(text.split('\n'), 0);
}

class BlockReader {
  readonly #reading: Reading;
  /** The level of the last heading. */
  #level = 1;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(lines: readonly string[], depth: number): readonly Block[] {
    const blocks: Block[] = [];
    let paragraph: string[] = [];
    const end = (): void => {
      if (paragraph.length > 0) {
        blocks.push({ kind: 'paragraph', content: this.#inlines(paragraph) });
        paragraph = [];
      }
    };
    for (let at = 0; at < lines.length;) {
      const line = lines[at] ?? '';
      const text = line.trimStart();
      if (text === '') {
        end();
        at += 1;
        continue;
      }
      const level = paragraph.length > 0 ? underlineLevel(line) : 0;
      if (level > 0) {
        blocks.push(this.#heading(level, paragraph.join('\n')));
        paragraph = [];
        at += 1;
        continue;
      }
      const found = this.#reading.left > 0 ? this.#block(lines, at, depth, paragraph.length > 0) : undefined;
      if (found) {
        end();
        this.#reading.left -= 1;
        blocks.push(found.block);
        at = found.next;
      } else {
        paragraph.push(text);
        at += 1;
      }
    }
    end();
    return blocks;
  }

  /** What begins at a line, if it is no paragraph, and where it ends. */
  #block(lines: readonly string[], at: number, depth: number, isInParagraph: boolean): Found | undefined {
    const line = lines[at] ?? '';
    const indent = indentOf(line);
    if (indent >= 4) {
      return isInParagraph ? undefined : indentedCode(lines, at);
    }
    const text = line.slice(indent);
    const fence = fenceOf(text);
    if (fence) {
      return fencedCode(lines, at, indent, fence);
    }
    const level = headingLevel(text);
    if (level > 0) {
      return { block: this.#heading(level, headingText(text.slice(level))), next: at + 1 };
    }
    if (isRule(text)) {
      return { block: { kind: 'rule' }, next: at + 1 };
    }
    if (depth < deepest) {
      if (text.startsWith('>')) {
        return this.#quote(lines, at, depth);
      }
      const marker = markerOf(line);
      if (marker && !(isInParagraph && marker.isWeak)) {
        return this.#list(lines, at, depth, marker);
      }
    }
    return this.#table(lines, at);
  }

  #heading(level: number, text: string): Block {
    this.#level = Math.min(level + 1, this.#level + 1, 6);
    return { kind: 'heading', level: this.#level, content: this.#inlines([text]) };
  }

  #quote(lines: readonly string[], from: number, depth: number): Found {
    const isFenced = lines[from]?.trim() === '>>>';
    let end = isFenced ? from + 1 : lines.length;
    while (end < lines.length && lines[end]?.trim() !== '>>>') {
      end += 1;
    }
    if (end < lines.length) {
      const content = this.read(lines.slice(from + 1, end), depth + 1);
      return { block: { kind: 'quote', content }, next: end + 1 };
    }
    const own = new Contained();
    let at = from;
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const indent = indentOf(line);
      if (indent < 4 && line.charAt(indent) === '>') {
        own.push(line.slice(indent + (line.charAt(indent + 1) === ' ' ? 2 : 1)));
      } else if (own.goesOn(line)) {
        own.push(line.trimStart());
      } else {
        break;
      }
    }
    return { block: { kind: 'quote', content: this.read(own.lines, depth + 1) }, next: at };
  }

  #list(lines: readonly string[], from: number, depth: number, first: Marker): Found {
    const items: Item[] = [];
    let isLoose = false;
    let isBlankBefore = false;
    let at = from;
    for (;;) {
      const line = lines[at] ?? '';
      const marker = at < lines.length ? markerOf(line) : undefined;
      if (marker?.type !== first.type || isRule(line.trimStart())) {
        break;
      }
      isLoose ||= isBlankBefore;
      const task = /^\[([ xX~])\](?= )/.exec(line.slice(marker.offset, marker.offset + 4));
      const own = new Contained();
      own.push(line.slice(marker.offset + (task ? 4 : 0)));
      at += 1;
      for (; at < lines.length; at += 1) {
        const next = lines[at] ?? '';
        const isBlank = next.trim() === '';
        if (isBlank || indentOf(next) >= marker.offset) {
          own.push(isBlank ? '' : next.slice(marker.offset));
        } else if (own.goesOn(next)) {
          own.push(next.trimStart());
        } else {
          break;
        }
      }
      isBlankBefore = own.lines.length > 1 && own.lines.at(-1) === '';
      const content = this.read(own.lines, depth + 1);
      isLoose ||= content.filter(({ kind }) => kind === 'paragraph').length > 1;
      items.push({ content, isDone: task ? task[1] !== ' ' : undefined });
      this.#reading.left -= 1;
    }
    return { block: { kind: 'list', start: first.start, isLoose, items }, next: at };
  }

  #table(lines: readonly string[], from: number): Found | undefined {
    const head = lines[from] ?? '';
    const aligns = head.includes('|') ? alignsOf(lines[from + 1] ?? '') : [];
    const cells = aligns.length > 0 ? cellsOf(head) : [];
    if (cells.length !== aligns.length || cells.length === 0 || cells.length > mostColumns) {
      return undefined;
    }
    const rowOf = (texts: readonly string[]): Cell[] =>
      texts.slice(0, aligns.length).map((text, index) => ({ align: aligns[index], content: this.#inlines([text]) }));
    const rows: Cell[][] = [];
    let at = from + 2;
    for (; at < lines.length && lines[at]?.trim() !== '' && !beginsBlock(lines[at] ?? ''); at += 1) {
      rows.push(rowOf(cellsOf(lines[at] ?? '')));
      this.#reading.left -= 1;
    }
    return { block: { kind: 'table', head: rowOf(cells), rows }, next: at };
  }

  #inlines(lines: readonly string[]): readonly Inline[] {
    return inlinesOf(lines.join('\n').trim(), this.#reading);
  }
}

interface Found {
  readonly block: Block;
  /** The line after it. */
  readonly next: number;
}

/** The lines of a list item or a quote. */
class Contained {
  readonly lines: string[] = [];
  #fence: Fence | undefined;

  push(line: string): void {
    const fence = fenceOf(line.trimStart());
    this.#fence = this.#fence ? (isEnd(line, this.#fence) ? undefined : this.#fence) : fence;
    this.lines.push(line);
  }

  /** Whether a line belongs to the last paragraph, though it does not stand where its other lines do. */
  goesOn(line: string): boolean {
    const last = this.lines.at(-1)?.trim() ?? '';
    return (
      line.trim() !== '' &&
      last !== '' &&
      !this.#fence &&
      !fenceOf(last) &&
      headingLevel(last) === 0 &&
      !beginsBlock(line)
    );
  }
}

/** Whether a line begins something that ends a paragraph. */
function beginsBlock(line: string): boolean {
  const indent = indentOf(line);
  const text = line.slice(indent);
  return (
    indent < 4 &&
    (text.startsWith('>') ||
      headingLevel(text) > 0 ||
      isRule(text) ||
      fenceOf(text) !== undefined ||
      markerOf(line) !== undefined)
  );
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

interface Fence {
  readonly char: string;
  readonly length: number;
  /** The language, and what else stands behind the fence: nothing of a comment is lost. */
  readonly info: string;
}

function fenceOf(text: string): Fence | undefined {
  const char = text.charAt(0);
  if (!text.startsWith('```') && !text.startsWith('~~~')) {
    return undefined;
  }
  const length = lengthOfRun(text);
  const info = text.slice(length).trim();
  return char === '`' && info.includes('`') ? undefined : { char, length, info };
}

function isEnd(line: string, { char, length }: Fence): boolean {
  const text = line.trim();
  return indentOf(line) < 4 && text.startsWith(char) && text.length >= length && lengthOfRun(text) === text.length;
}

/** How many characters at the start of a text are the same. */
function lengthOfRun(text: string): number {
  let length = 1;
  while (length < text.length && text.charCodeAt(length) === text.charCodeAt(0)) {
    length += 1;
  }
  return length;
}

function fencedCode(lines: readonly string[], from: number, indent: number, fence: Fence): Found {
  let end = from + 1;
  while (end < lines.length && !isEnd(lines[end] ?? '', fence)) {
    end += 1;
  }
  const text = lines
    .slice(from + 1, end)
    .map((line) => line.slice(Math.min(indent, indentOf(line))))
    .join('\n');
  return { block: { kind: 'code', text, info: fence.info }, next: end + 1 };
}

function indentedCode(lines: readonly string[], from: number): Found {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() !== '') {
      if (indentOf(line) < 4) {
        break;
      }
      end = at + 1;
    }
  }
  const text = lines
    .slice(from, end)
    .map((line) => line.slice(4))
    .join('\n');
  return { block: { kind: 'code', text, info: '' }, next: end };
}

/** How many signs of a heading a text begins with; 0 if it is none. */
function headingLevel(text: string): number {
  return /^#{1,6}(?= |$)/.exec(text)?.[0].length ?? 0;
}

/** What stands in a heading, without the signs that may close it. */
function headingText(text: string): string {
  const shown = text.trim();
  let end = shown.length;
  while (shown.charAt(end - 1) === '#') {
    end -= 1;
  }
  return end === 0 || shown.charAt(end - 1) === ' ' ? shown.slice(0, end) : shown;
}

/** The level of the heading that a line makes of the lines before it. */
function underlineLevel(line: string): number {
  const text = line.trim();
  const sign = text.charAt(0);
  const isUnderline = indentOf(line) < 4 && (sign === '=' || sign === '-') && lengthOfRun(text) === text.length;
  return !isUnderline ? 0 : sign === '=' ? 1 : 2;
}

function isRule(text: string): boolean {
  if (!/^[*_-]/.test(text)) {
    return false;
  }
  const signs = text.replaceAll(' ', '');
  return signs.length >= 3 && lengthOfRun(signs) === signs.length;
}

interface Marker {
  /** What the markers of one list have in common. */
  readonly type: string;
  /** The number of the first item; undefined where items have none. */
  readonly start: number | undefined;
  /** Where the text of the item begins. */
  readonly offset: number;
  /** Whether it is too little to end a paragraph. */
  readonly isWeak: boolean;
}

function markerOf(line: string): Marker | undefined {
  const indent = indentOf(line);
  const [sign, number] = /^(?:[-+*]|(\d{1,9})[.)])(?= |$)/.exec(line.slice(indent, indent + 12)) ?? [];
  if (sign === undefined || indent >= 4) {
    return undefined;
  }
  const after = indent + sign.length;
  const text = line.slice(after).trimStart();
  const spaces = line.length - after - text.length;
  return {
    type: sign.slice(-1),
    start: number === undefined ? undefined : Number(number),
    offset: after + (text === '' || spaces > 4 ? 1 : spaces),
    isWeak: text === '' || (number !== undefined && Number(number) !== 1),
  };
}

/** How the columns of a table stand, from the line below its heads; empty if it is none. */
function alignsOf(line: string): readonly Cell['align'][] {
  if (!line.includes('-') || /[^-|: ]/.test(line)) {
    return [];
  }
  const cells = cellsOf(line);
  const isTable = cells.every((cell) => {
    const dashes = cell.slice(cell.startsWith(':') ? 1 : 0, cell.endsWith(':') ? -1 : cell.length);
    return dashes.startsWith('-') && lengthOfRun(dashes) === dashes.length;
  });
  return isTable
    ? cells.map((cell) =>
        cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : cell.startsWith(':') ? 'left' : undefined,
      )
    : [];
}

/** The cells of a row; a bar after a backslash is text. */
function cellsOf(line: string): readonly string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = '';
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '|') {
      cells.push(cell.trim());
      cell = '';
    } else if (char === '\\' && text.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else {
      cell += char;
    }
  }
  return cell.trim() === '' && text.endsWith('|') ? cells : [...cells, cell.trim()];
}
