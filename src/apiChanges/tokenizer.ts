import { languageOfFence, type Syntax } from './languages.ts';

type Kind = (typeof kinds)[number];

/** A piece of a source. Offsets count UTF-16 code units. */
export interface Token {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** Where the content of a text, or a name without what marks it as a variable, begins. */
  readonly from: number;
  /**
   * The content as it stands; of a text, each character of embedded code is {@link unknown}, so that offsets stay those of the
   * source.
   */
  readonly text: string;
}

const kinds = ['word', 'text', 'mark'] as const;
/** Rows of a block, as a power of two. */
const blockBits = 7;

/**
 * Rows of a few numbers each, which are 0 until they are set, in blocks: objects, or lists that grow, would keep the collection of
 * garbage busy for longer than a frame where the source is large.
 */
export class NumberRows {
  length = 0;
  readonly #width: number;
  readonly #blocks: Int32Array[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /** Adds a row, and returns its index. */
  add(...numbers: readonly number[]): number {
    const index = this.length;
    const block = (this.#blocks[index >> blockBits] ??= new Int32Array(this.#width << blockBits));
    const at = (index % (1 << blockBits)) * this.#width;
    for (let column = 0; column < numbers.length; column += 1) {
      block[at + column] = numbers[column] ?? 0;
    }
    this.length += 1;
    return index;
  }

  /** A number of a row; 0 before the first and after the last. */
  get(index: number, column: number): number {
    return this.#blocks[index >> blockBits]?.[(index % (1 << blockBits)) * this.#width + column] ?? 0;
  }

  set(index: number, column: number, number: number): void {
    const block = this.#blocks[index >> blockBits];
    if (block) {
      block[(index % (1 << blockBits)) * this.#width + column] = number;
    }
  }
}

/** The tokens of a source. */
export class Tokens {
  readonly #source: string;
  /** Kind, start, begin and end of the content, end. */
  readonly #rows = new NumberRows(5);
  /** Texts that are not what stands in the source. */
  readonly #texts = new Map<number, string>();

  constructor(source: string) {
    this.#source = source;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Adds a token with its content, and returns its index. */
  add(kind: Kind, start: number, from: number, to: number, end = to, text?: string): number {
    const index = this.#rows.add(kinds.indexOf(kind), start, from, to, end);
    if (text !== undefined) {
      this.#texts.set(index, text);
    }
    return index;
  }

  /** Ends a text, with its content if that is not what stands in the source. */
  close(index: number, to: number, end: number, text: string | undefined): void {
    this.#rows.set(index, 3, to);
    this.#rows.set(index, 4, end);
    if (text !== undefined) {
      this.#texts.set(index, text);
    }
  }

  /** The token at an index; undefined before the first and after the last. */
  at(index: number): Token | undefined {
    const kind = this.kindAt(index);
    const [start, from, end] = [this.#rows.get(index, 1), this.#rows.get(index, 2), this.#rows.get(index, 4)];
    return kind && { kind, start, from, end, text: this.textAt(index) };
  }

  /** Where in its line the first token of a line begins; -1 for others. */
  columnAt(index: number): number {
    const from = index === 0 ? 0 : this.#rows.get(index - 1, 4);
    const line = this.#source.slice(from, this.#rows.get(index, 1)).lastIndexOf('\n');
    return line === -1 && index > 0 ? -1 : this.#rows.get(index, 1) - from - line - 1;
  }

  kindAt(index: number): Kind | undefined {
    return index >= 0 && index < this.length ? kinds[this.#rows.get(index, 0)] : undefined;
  }

  /** The content of the token at an index; empty before the first and after the last. */
  textAt(index: number): string {
    return this.#texts.get(index) ?? this.#source.slice(this.#rows.get(index, 2), this.#rows.get(index, 3));
  }
}

export const unknown = '\uE000';

/** Counts steps, so that work can be cut into slices, limited and compared. */
export class Work {
  steps = 0;
  readonly #most: number;
  #nextRest = restAfter;

  /** @param most steps after which {@link OverBudgetError} is thrown. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** @throws OverBudgetError if there are too many. */
  add(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#most) {
      throw new OverBudgetError();
    }
  }

  /** Counts a search through characters: sixteen are about a step. */
  addSearch(characters: number): void {
    this.add(characters >> 4);
  }

  /** Counts a step. True when it is time to let other tasks run. */
  isDue(): boolean {
    this.add(1);
    if (this.steps < this.#nextRest) {
      return false;
    }
    this.#nextRest = this.steps + restAfter;
    return true;
  }
}

/** A source needs more steps than it may have. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError';
}

/** Steps between two chances for other tasks: less than a millisecond. */
const restAfter = 4_000;
/** Literals within code of literals: programs nest fewer, and each level costs the text around it once. */
const maxDepth = 6;
/** Code of more characters within a literal belongs to a literal that was not closed. */
const longestCode = 20_000;

/** Whatever is beyond ASCII counts as a letter: patterns that know the letters of Unicode take long to compile. */
const word = '[$@]{0,2}[A-Za-z_\\u0080-\\uFFFF][\\w\\u0080-\\uFFFF]*|\\d[\\w.]*';
const mark = '=>|->|:=|===|!==|==|!=|=~|<=|>=|&&|\\|\\||\\?\\?|\\?\\.|&\\.|::|\\+=|<-|\\n|\\S';
const heredocAt = /<<[-~]?\s?["']?([A-Za-z_]\w*)["']?/y;

/** What is matched in code: a comment, a literal, a word or a mark, as groups in this order. */
interface Patterns {
  readonly code: RegExp;
  /** For each quote: its end, a newline where it ends with its line, or code within it. */
  readonly literals: readonly RegExp[];
  readonly commentEnds: readonly RegExp[];
}

const compiled = new WeakMap<Syntax, Patterns>();

/** The patterns of a language, made once. */
export function patternsOf(syntax: Syntax): Patterns {
  const known = compiled.get(syntax);
  if (known) {
    return known;
  }
  const groups = [...syntax.comments.map(([open]) => open), ...syntax.quotes.map(({ open }) => open), word, mark];
  const space = syntax.commands ? '(?:[^\\S\\n]|\\\\\\n)*' : '\\s*';
  const patterns = {
    code: new RegExp(`${space}(?:${groups.map((group) => `(${group})`).join('|')})`, 'y'),
    literals: syntax.quotes.map(
      ({ close, raw, multiline, code }) =>
        new RegExp(`(${close}${multiline ? '' : '|(?=\\n)'})|(${code?.[0] ?? '(?!)'})${raw ? '' : '|\\\\[^]'}`, 'g'),
    ),
    commentEnds: syntax.comments.map(([, close]) => new RegExp(close === '\n' ? '(?=\\n)' : close, 'g')),
  };
  compiled.set(syntax, patterns);
  return patterns;
}

/** A literal that is open. */
interface Frame {
  readonly index: number;
  readonly pattern: RegExp;
  readonly close: string;
  /** What it holds up to where code in it last ended; undefined while it holds none. */
  text: string | undefined;
  end: number;
  /** The code within it that is read now: where it began, its brackets, and how many of them are open in it. */
  code: { readonly from: number; readonly open: string; readonly close: string; depth: number } | undefined;
}

/**
 * Reads a source in one pass; comments are left out. Yields now and then, so that other tasks can run. A literal that does not end
 * costs nothing more than one that does.
 */
export function* tokensOf(source: string, syntax: Syntax, work: Work): Generator<void, Tokens> {
  const { code, literals, commentEnds } = patternsOf(syntax);
  const endsCommand = syntax.commands ? commandEnds(source, syntax.commands) : undefined;
  const tokens = new Tokens(source);
  const frames: Frame[] = [];
  const heredocs: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  while (at < source.length) {
    if (work.isDue()) {
      yield;
    }
    const frame = frames.at(-1);
    if (frame && !frame.code) {
      readLiteral(frame);
    } else {
      readCode(frame);
    }
  }
  frames.forEach((frame) => close(frame, frame.code?.from ?? source.length, source.length));
  return tokens;

  function close(frame: Frame, to: number, end: number): void {
    tokens.close(frame.index, to, end, frame.text === undefined ? undefined : frame.text + source.slice(frame.end, to));
  }

  function readLiteral(frame: Frame): void {
    frame.pattern.lastIndex = at;
    const found = frame.pattern.exec(source);
    const [all = '', closing, opening] = found ?? [];
    const begin = found?.index ?? source.length;
    work.addSearch(begin - at);
    at = begin + all.length;
    if (closing !== undefined) {
      close(frame, begin, at);
      frames.pop();
    } else if (opening !== undefined && frames.length <= maxDepth) {
      frame.code = { from: begin, open: all.at(-1) ?? '', close: frame.close, depth: 0 };
      tokens.add('mark', at - 1, at - 1, at, at, '(');
    }
  }

  function readCode(frame: Frame | undefined): void {
    code.lastIndex = at;
    const match = code.exec(source);
    const group = match?.findIndex((text, index) => index > 0 && text !== undefined) ?? 0;
    if (!match || group === 0) {
      at = source.length;
      return;
    }
    const text = match[group] ?? '';
    const begin = code.lastIndex - text.length;
    at = code.lastIndex;
    const comment = commentEnds[group - 1];
    const index = group - 1 - commentEnds.length;
    const quote = syntax.quotes[index];
    if (comment) {
      comment.lastIndex = at;
      at = comment.test(source) ? comment.lastIndex : source.length;
      work.addSearch(at - begin);
    } else if (quote) {
      const [token, pattern] = [tokens.add('text', begin, at, at), literals[index] as RegExp];
      frames.push({ index: token, pattern, close: quote.code?.[1] ?? '', text: undefined, end: at, code: undefined });
    } else if (endsCommand && text === '\n') {
      readHeredocs();
      if (endsCommand(begin)) {
        tokens.add('mark', begin, begin, begin + 1);
      }
    } else if (!(endsCommand && text === '<' && opensHeredoc(begin))) {
      const isClosing = frame?.code?.depth === 0 && text === frame.code.close;
      const sigil = /^[$@]*(?=.)/.exec(text)?.[0].length ?? 0;
      const kind = index === syntax.quotes.length ? 'word' : 'mark';
      tokens.add(kind, begin, begin + (kind === 'word' ? sigil : 0), at, at, isClosing ? ')' : undefined);
      readEmbedded(frame, text, isClosing);
    }
  }

  /** Follows the brackets of code within a literal. */
  function readEmbedded(frame: Frame | undefined, text: string, isClosing: boolean): void {
    if (frame?.code && isClosing) {
      const { from } = frame.code;
      frame.text = (frame.text ?? '') + source.slice(frame.end, from) + unknown.repeat(at - from);
      frame.end = at;
      frame.code = undefined;
    } else if (frame?.code) {
      frame.code.depth += text === frame.code.open ? 1 : text === frame.code.close ? -1 : 0;
      if (at - frame.code.from > longestCode) {
        frames.splice(0).forEach((open) => close(open, open.code?.from ?? at, at));
      }
    }
  }

  function opensHeredoc(begin: number): boolean {
    heredocAt.lastIndex = begin;
    const name = heredocAt.exec(source)?.[1];
    if (name === undefined || unclosed.has(name) || unclosed.size > 8) {
      return false;
    }
    heredocs.push(name);
    at = heredocAt.lastIndex;
    return true;
  }

  function readHeredocs(): void {
    for (const name of heredocs.splice(0)) {
      const closing = new RegExp(`^[ \\t]*${name}\\b.*`, 'gm');
      closing.lastIndex = at;
      const end = closing.exec(source);
      work.addSearch((end?.index ?? source.length) - at);
      if (end) {
        tokens.add('text', at, at, end.index);
        at = closing.lastIndex;
      } else {
        unclosed.add(name);
      }
    }
  }
}

/** Knows which ends of lines end a command. Of YAML, those of a text that is folded do not. */
function commandEnds(source: string, kind: NonNullable<Syntax['commands']>): (at: number) => boolean {
  if (kind !== 'blocks') {
    const end = kind === 'lines' ? /\n/y : /\n(?=###|(?:GET|POST|PUT|PATCH|DELETE)\s)/y;
    return (at) => {
      end.lastIndex = at;
      return end.test(source);
    };
  }
  let fold: { readonly indent: number; readonly isPlain: boolean } | undefined;
  return (at) => {
    const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
    const next = source.slice(at + 1, at + 80);
    const isFolded = /[:-]\s+>[-+\d]*\s*$/.test(line);
    const isPlain = !isFolded && /^\s*(?:- +|[\w.-]+: +)[^|>\s]/.test(line);
    if (isFolded || (isPlain && !fold)) {
      fold = { indent: line.search(/\S/), isPlain };
    }
    const isDeeper = fold !== undefined && next.search(/\S/) > fold.indent;
    const goesOn = isDeeper && !(fold?.isPlain === true && /^\s*(?:- |[\w."'-]+:\s|#)/.test(next));
    fold = goesOn ? fold : undefined;
    return !goesOn;
  };
}

/** The code blocks of a Markdown file whose language is known; undefined now and then, so that other tasks can run. */
export function* codeBlocksOf(
  text: string,
  work: Work,
): Generator<{ readonly start: number; readonly text: string; readonly languageId: string } | undefined> {
  const fences = /^[ \t]{0,12}(```+|~~~+)([\w-]*).*\n?/gm;
  let open: { readonly start: number; readonly fence: string; readonly name: string } | undefined;
  for (let match = fences.exec(text); match; match = fences.exec(text)) {
    const [, fence = '', name = ''] = match;
    if (!open) {
      open = { start: fences.lastIndex, fence, name };
    } else if (fence.startsWith(open.fence) && name === '') {
      const languageId = languageOfFence(open.name);
      if (languageId !== undefined) {
        yield { start: open.start, text: text.slice(open.start, match.index), languageId };
      }
      open = undefined;
    }
    if (work.isDue()) {
      yield undefined;
    }
  }
}
