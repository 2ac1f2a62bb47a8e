import { matchAt, type Places, referenceAt, safeAddress, webAddressAt } from './references.ts';

/** A part of a line of text. */
export type Inline =
  | string
  | { readonly kind: 'strong' | 'emphasis' | 'strikethrough'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** An image is a link, too: nothing is loaded. The address is of the web or of mail. */
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[]; readonly isImage?: true };

/** What reading a comment shares. */
export interface Reading {
  readonly places: Places;
  /** How many more elements may be made of the text; what comes after them stays text. */
  left: number;
}

/** Emphasis within emphasis is shown up to this depth. */
const deepest = 16;
const longestAddress = 2048;
const longestTitle = 1000;
/** Parentheses within the address of a link, one in the other. */
const mostParentheses = 8;

/**
 * Reads text of one block as GitLab does, but for HTML, which stays text. The work grows no faster than the text: what looks
 * ahead is bounded, and no delimiter is looked at more often than there are kinds of them.
 *
 * @see https://docs.gitlab.com/user/markdown/
 */
export function inlinesOf(source: string, reading: Reading): readonly Inline[] {
  return reading.left > 0 ? new InlineReader(source, reading).read() : [source];
}

/** Characters that may begin or end emphasis. */
interface Run {
  readonly char: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Those that are nothing but themselves so far. */
  left: number;
  /** What begins after it, the innermost first. */
  readonly opens: Emphasis[];
  /** What ends before it, the innermost first. */
  readonly closes: Emphasis[];
}

type Emphasis = 'strong' | 'emphasis' | 'strikethrough';
type Token = Inline | Run;

class InlineReader {
  readonly #source: string;
  readonly #reading: Reading;
  #tokens: Token[] = [];
  /** Brackets that may begin a link: where their tokens stand. */
  #brackets: { readonly index: number; readonly isImage: boolean }[] = [];
  /** From here to the place that is read stands text that is nothing but itself. */
  #plain = 0;
  #ticks: ReadonlyMap<number, readonly number[]> | undefined;
  /** How many of the runs of backticks are passed, by their length. */
  readonly #passed = new Map<number, number>();

  constructor(source: string, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
  }

  read(): readonly Inline[] {
    const { length } = this.#source;
    for (let at = 0; at < length;) {
      at = this.#next(at);
    }
    this.#flush(length);
    return treeOf(this.#tokens);
  }

  /** Reads what stands at a place, and gives the next place. */
  #next(at: number): number {
    const source = this.#source;
    const char = source.charAt(at);
    switch (char) {
      case '\\':
        return this.#escape(at);
      case '\n':
        return source.startsWith('  ', at - 2) ? this.#add(at, at + 1, { kind: 'break' }) : at + 1;
      case '`':
        return this.#code(at);
      case '*':
      case '_':
      case '~':
        return this.#run(at, char);
      case '[':
        return this.#open(at, false);
      case ']':
        return this.#close(at);
      case '<': {
        const address = matchAt(bracketed, source, at)?.[1];
        return address === undefined ? at + 1 : this.#link(at, at + address.length + 2, address, [address]);
      }
      case '!':
        if (source.charAt(at + 1) === '[') {
          return this.#open(at, true);
        }
    }
    if (char === '&') {
      const match = matchAt(entity, source, at);
      if (match) {
        return this.#add(at, at + match[0].length, decoded(match));
      }
    }
    const found = referenceAt(source, at, this.#plain, this.#reading.places) ?? webAddressAt(source, at);
    return found ? this.#link(found.start, found.end, found.address, [source.slice(found.start, found.end)]) : at + 1;
  }

  /** A character after a backslash is nothing but itself; a line end after one stays. */
  #escape(at: number): number {
    const next = this.#source.charAt(at + 1);
    if (next === '\n') {
      return this.#add(at, at + 2, { kind: 'break' });
    }
    if (!/[!-/:-@[-`{-~]/.test(next)) {
      return at + 1;
    }
    this.#flush(at);
    this.#plain = at + 1;
    return at + 2;
  }

  #code(at: number): number {
    const end = endOfRun(this.#source, at);
    const close = this.#nextTicks(end - at, end);
    if (close === undefined) {
      return end;
    }
    const text = this.#source.slice(end, close).replaceAll('\n', ' ');
    const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
    return this.#add(at, close + end - at, { kind: 'code', text: isPadded ? text.slice(1, -1) : text });
  }

  /** Where so many backticks stand next. Places are asked for in their order, so that none is passed twice. */
  #nextTicks(length: number, from: number): number | undefined {
    this.#ticks ??= tickRuns(this.#source);
    const places = this.#ticks.get(length) ?? [];
    let index = this.#passed.get(length) ?? 0;
    while ((places[index] ?? from) < from) {
      index += 1;
    }
    this.#passed.set(length, index);
    return places[index];
  }

  #run(at: number, char: string): number {
    const source = this.#source;
    const end = endOfRun(source, at);
    const [before, after] = [source.charAt(at - 1), source.charAt(end)];
    const leads = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before));
    const follows = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after));
    const isUnderscore = char === '_';
    const canOpen = leads && (!isUnderscore || !follows || isPunctuation(before));
    const canClose = follows && (!isUnderscore || !leads || isPunctuation(after));
    const length = end - at;
    // Within a word an underscore is a letter of it; one tilde begins a label.
    if ((!canOpen && !canClose) || (char === '~' && length !== 2)) {
      return end;
    }
    return this.#add(at, end, { char, length, canOpen, canClose, left: length, opens: [], closes: [] });
  }

  #open(at: number, isImage: boolean): number {
    const sign = isImage ? '![' : '[';
    this.#add(at, at + sign.length, sign);
    this.#brackets.push({ index: this.#tokens.length - 1, isImage });
    return at + sign.length;
  }

  /** Makes a link of what stands in brackets, if its address follows and is one that may be opened. */
  #close(at: number): number {
    const opener = this.#brackets.pop();
    const target = opener && this.#source.charAt(at + 1) === '(' ? targetAt(this.#source, at + 2) : undefined;
    const address = target && safeAddress(target.address, this.#reading.places);
    if (!opener || !target || address === undefined) {
      return at + 1;
    }
    this.#flush(at);
    const content = withoutLinks(treeOf(this.#tokens.splice(opener.index + 1)));
    this.#tokens.pop();
    this.#plain = at;
    if (!opener.isImage) {
      // No link is in another one.
      this.#brackets = [];
    }
    return this.#link(at, target.end, address, content, opener.isImage);
  }

  #link(start: number, end: number, address: string, content: readonly Inline[], isImage = false): number {
    const isEmpty = content.every((inline) => typeof inline === 'string' && inline.trim() === '');
    const name = isImage ? (address.split('/').at(-1) ?? '') : address;
    const shown = isEmpty ? [name || address] : content;
    return this.#add(start, end, { kind: 'link', address, content: shown, ...(isImage ? { isImage } : {}) });
  }

  /** Adds what stands between two places. */
  #add(start: number, end: number, token: Token): number {
    this.#flush(start);
    this.#tokens.push(token);
    this.#reading.left -= 1;
    this.#plain = end;
    return this.#reading.left > 0 ? end : this.#source.length;
  }

  #flush(end: number): void {
    if (end > this.#plain) {
      this.#tokens.push(this.#source.slice(this.#plain, end));
    }
    this.#plain = end;
  }
}

const bracketed = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy;
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/iy;
const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** The character that an entity stands for, if it may be shown. */
function decoded([whole, decimal, hexadecimal, name]: RegExpExecArray): string {
  const code = name === undefined ? Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10) : 0;
  const isShown =
    code >= 0x20 && code <= 0x10_ffff && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(code));
  return named.get(name?.toLowerCase() ?? '') ?? (isShown ? String.fromCodePoint(code) : whole);
}

function isSpace(char: string): boolean {
  return char === '' || /\s/.test(char);
}

function isPunctuation(char: string): boolean {
  return /[\p{P}\p{S}]/u.test(char);
}

/** Where the characters end that are the same as the one at a place. */
function endOfRun(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source.charCodeAt(end) === source.charCodeAt(at)) {
    end += 1;
  }
  return end;
}

/** Where runs of backticks stand, by their length. */
function tickRuns(source: string): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>();
  for (let at = source.indexOf('`'); at >= 0;) {
    const end = endOfRun(source, at);
    const places = runs.get(end - at) ?? [];
    places.push(at);
    runs.set(end - at, places);
    at = source.indexOf('`', end);
  }
  return runs;
}

/** The address of a link, which may have a title, and where the closing parenthesis ends. */
function targetAt(source: string, from: number): { readonly address: string; readonly end: number } | undefined {
  const start = skipSpaces(source, from);
  const isBracketed = source.charAt(start) === '<';
  const end = isBracketed ? endOfBracketed(source, start + 1) : endOfAddress(source, start);
  if (end === undefined) {
    return undefined;
  }
  const address = unescaped(source.slice(isBracketed ? start + 1 : start, end));
  let at = skipSpaces(source, isBracketed ? end + 1 : end);
  const quote = { '"': '"', "'": "'", '(': ')' }[source.charAt(at)];
  if (quote !== undefined) {
    const length = source.slice(at + 1, at + 1 + longestTitle).indexOf(quote);
    if (length < 0) {
      return undefined;
    }
    at = skipSpaces(source, at + length + 2);
  }
  return source.charAt(at) === ')' ? { address, end: at + 1 } : undefined;
}

function skipSpaces(source: string, from: number): number {
  let at = from;
  while (at < from + longestTitle && (source.charAt(at) === ' ' || source.charAt(at) === '\n')) {
    at += 1;
  }
  return at;
}

function endOfBracketed(source: string, start: number): number | undefined {
  for (let at = start; at < start + longestAddress; at += 1) {
    const char = source.charAt(at);
    if (char === '>') {
      return at;
    }
    if (char === '' || char === '<' || char === '\n') {
      return undefined;
    }
  }
  return undefined;
}

function endOfAddress(source: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < start + longestAddress; at += 1) {
    const char = source.charAt(at);
    if (isSpace(char) || (char === ')' && depth === 0)) {
      return at;
    }
    if (char === '\\') {
      at += 1;
    } else if (char === '(' || char === ')') {
      depth += char === '(' ? 1 : -1;
      if (depth > mostParentheses) {
        return undefined;
      }
    }
  }
  return undefined;
}

/** An address as it is meant, without backslashes and entities. */
function unescaped(address: string): string {
  return address
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (...match) =>
      decoded(match as unknown as RegExpExecArray),
    );
}

/** References within a link lead where the link does. */
function withoutLinks(content: readonly Inline[]): readonly Inline[] {
  return content.flatMap((inline): readonly Inline[] => {
    if (typeof inline === 'string' || !('content' in inline)) {
      return [inline];
    }
    const inner = withoutLinks(inline.content);
    return inline.kind === 'link' ? inner : [{ ...inline, content: inner }];
  });
}

/** Finds what is emphasized, and what within that. */
function treeOf(tokens: readonly Token[]): readonly Inline[] {
  matchRuns(tokens.filter((token): token is Run => typeof token !== 'string' && 'char' in token));
  const root: Inline[] = [];
  const open: { readonly kind: Emphasis; readonly content: Inline[]; readonly isFlat: boolean }[] = [];
  const add = (inline: Inline): void => {
    const content = open.at(-1)?.content ?? root;
    const last = content.at(-1);
    if (typeof inline === 'string' && typeof last === 'string') {
      content[content.length - 1] = last + inline;
    } else {
      content.push(inline);
    }
  };
  for (const token of tokens) {
    if (typeof token === 'string' || !('char' in token)) {
      add(token);
      continue;
    }
    for (const kind of token.closes) {
      const ended = open.pop();
      if (ended && !ended.isFlat) {
        add({ kind, content: ended.content });
      }
    }
    if (token.left > 0) {
      add(token.char.repeat(token.left));
    }
    for (const kind of token.opens.toReversed()) {
      const isFlat = open.length >= deepest;
      open.push({ kind, content: isFlat ? (open.at(-1)?.content ?? root) : [], isFlat });
    }
  }
  return root;
}

/**
 * Finds the beginnings and ends of emphasis that belong together. Where a kind of end has found no beginning, none is looked
 * for again.
 *
 * @see https://spec.commonmark.org/0.31.2/#phase-2-inline-structure
 */
function matchRuns(runs: readonly Run[]): void {
  const openers: Run[] = [];
  const bottoms = new Map<string, number>();
  for (const closer of runs) {
    const key = `${closer.char}${closer.canOpen}${closer.length % 3}`;
    while (closer.canClose && closer.left > 0) {
      const bottom = bottoms.get(key) ?? 0;
      let index = openers.length - 1;
      while (index >= bottom && !isPair(openers[index], closer)) {
        index -= 1;
      }
      const opener = openers[index];
      if (index < bottom || !opener) {
        bottoms.set(key, openers.length);
        break;
      }
      const isDouble = opener.left >= 2 && closer.left >= 2;
      const kind = closer.char === '~' ? 'strikethrough' : isDouble ? 'strong' : 'emphasis';
      opener.left -= isDouble ? 2 : 1;
      closer.left -= isDouble ? 2 : 1;
      opener.opens.push(kind);
      closer.closes.push(kind);
      openers.length = opener.left > 0 ? index + 1 : index;
      bottoms.forEach((one, other) => bottoms.set(other, Math.min(one, openers.length)));
    }
    if (closer.canOpen && closer.left > 0) {
      openers.push(closer);
    }
  }
}

function isPair(opener: Run | undefined, closer: Run): boolean {
  if (opener?.char !== closer.char) {
    return false;
  }
  const isOdd =
    (opener.canClose || closer.canOpen) &&
    (opener.length + closer.length) % 3 === 0 &&
    (opener.length % 3 !== 0 || closer.length % 3 !== 0);
  return !isOdd;
}
