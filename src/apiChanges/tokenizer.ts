import { languageOfFence, type Syntax } from './languages.ts';

/** A piece of a source. Offsets count UTF-16 code units. */
export interface Token {
  readonly kind: 'word' | 'text' | 'mark';
  readonly start: number;
  end: number;
  /**
   * The token as it stands; of a text its content, in which each character of embedded code is {@link unknown}, so that offsets
   * stay those of the source.
   */
  text: string;
  /** Where the content of a text begins. */
  readonly from: number;
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
  readonly token: Token;
  readonly pattern: RegExp;
  /** The code within it that is read now: where it began, its brackets, and how many of them are open in it. */
  code: { readonly from: number; readonly open: string; readonly close: string; depth: number } | undefined;
  readonly close: string;
}

/**
 * Reads a source in one pass; comments are left out. Yields now and then, so that other tasks can run. A literal that does not end
 * costs nothing more than one that does.
 */
export function* tokensOf(source: string, syntax: Syntax, work: Work): Generator<void, Token[]> {
  const { code, literals, commentEnds } = patternsOf(syntax);
  const endsCommand = syntax.commands ? commandEnds(source, syntax.commands) : undefined;
  const tokens: Token[] = [];
  const frames: Frame[] = [];
  const heredocs: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  const push = (kind: Token['kind'], start: number, text: string): void => {
    tokens.push({ kind, start, end: start + text.length, text, from: start });
  };
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
  return tokens;

  function readLiteral(frame: Frame): void {
    const { token, pattern, close } = frame;
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    const [all = '', closing, opening] = found ?? [];
    const begin = found?.index ?? source.length;
    const isCode = opening !== undefined && frames.length <= maxDepth;
    work.addSearch(begin - at);
    token.text += source.slice(at, closing === undefined && !isCode ? begin + all.length : begin);
    at = begin + all.length;
    if (closing !== undefined) {
      token.end = at;
      frames.pop();
    } else if (isCode) {
      frame.code = { from: begin, open: all.at(-1) ?? '', close, depth: 0 };
      push('mark', at - 1, '(');
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
      const token: Token = { kind: 'text', start: begin, end: source.length, text: '', from: at };
      tokens.push(token);
      frames.push({ token, pattern: literals[index] as RegExp, code: undefined, close: quote.code?.[1] ?? '' });
    } else if (endsCommand && text === '\n') {
      readHeredocs();
      if (endsCommand(begin)) {
        push('mark', begin, text);
      }
    } else if (!(endsCommand && text === '<' && opensHeredoc(begin))) {
      const isClosing = frame?.code?.depth === 0 && text === frame.code.close;
      push(index === syntax.quotes.length ? 'word' : 'mark', begin, isClosing ? ')' : text.replace(/^[$@]+(?=.)/, ''));
      if (frame?.code && isClosing) {
        frame.token.text += unknown.repeat(at - frame.code.from);
        frame.code = undefined;
      } else if (frame?.code) {
        frame.code.depth += text === frame.code.open ? 1 : text === frame.code.close ? -1 : 0;
        frames.length = at - frame.code.from > longestCode ? 0 : frames.length;
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
        push('text', at, source.slice(at, end.index));
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

/** The code blocks of a Markdown file whose language is known. */
export function codeBlocksOf(
  text: string,
): { readonly start: number; readonly text: string; readonly languageId: string }[] {
  const fences = /^[ \t]{0,12}(```+|~~~+)([\w-]*).*\n?/gm;
  const blocks = [];
  for (let open = fences.exec(text); open; open = fences.exec(text)) {
    const start = fences.lastIndex;
    const [, fence = '', name = ''] = open;
    let close = fences.exec(text);
    while (close && !(close[1]?.startsWith(fence) === true && close[2] === '')) {
      close = fences.exec(text);
    }
    const languageId = languageOfFence(name);
    if (languageId !== undefined && close) {
      blocks.push({ start, text: text.slice(start, close.index), languageId });
    }
    if (!close) {
      break;
    }
  }
  return blocks;
}
