import { type Pair, languageOfFence, type Quote, type Syntax } from './languages.ts';

/** A piece of a source. Offsets count UTF-16 code units. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'mark';
  readonly start: number;
  end: number;
  /**
   * The token as it stands; of a text its content, in which each character that is not known (an interpolation) is {@link unknown} and
   * each that means nothing (a quote within an argument of a shell) is {@link nothing}, so that offsets stay those of the source.
   */
  text: string;
  /** Where the content of a text begins. */
  from: number;
}

export const unknown = '\uE000';
export const nothing = '\uE001';

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

  /** Counts a step. True when it is time to let others run. */
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

/** Steps between two chances for others: less than a millisecond. */
const restAfter = 4_000;
/** Literals within embedded expressions of literals: programs nest fewer, and each level costs the text around it once. */
const maxDepth = 6;

const wordAt = /[$@]{0,2}[\p{L}_][\p{L}\p{N}_]*/uy;
const numberAt = /\d[\w.]*/y;
const markAt = /=>|->|:=|===|!==|==|!=|=~|<=|>=|&&|\|\||\?\?|\?\.|&\.|::|\+=|<-|\$\(|[^]/y;
const regexAt = /\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,300}\/[a-z]{0,8}/y;
const variableAt = /\$(?:[A-Za-z_]\w*|[0-9@*#?])/y;
const heredocAt = /<<[-~]?\s?(["']?)([A-Za-z_]\w*)\1/y;

interface Frame {
  readonly quote: Quote | 'argument';
  readonly token: Token;
  /** Ranges of the content that are not known or mean nothing. */
  readonly masks: { readonly from: number; readonly to: number; readonly as: string }[];
  /** The quote within an argument of a shell. */
  inner: '"' | "'" | undefined;
  /** The interpolation that is open, with the brackets that are open in it. */
  interpolation: { readonly from: number; readonly open: string; readonly close: string; depth: number } | undefined;
  readonly variables: Token[];
}

/**
 * Reads a range of a source in one pass; comments are left out. Yields now and then, so that others can run. A literal that does
 * not end on its line, or at all, ends there: whatever follows costs nothing more.
 */
function* tokenize(
  source: string,
  syntax: Syntax,
  work: Work,
  start = 0,
  end = source.length,
): Generator<void, Token[]> {
  const tokens: Token[] = [];
  const frames: Frame[] = [];
  const heredocs: string[] = [];
  const missingHeredocs = new Set<string>();
  const isShell = syntax.kind !== 'program';
  let at = start;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const push = (kind: Token['kind'], from: number, to: number, text = source.slice(from, to)): Token => {
    const token = { kind, start: from, end: to, text, from };
    tokens.push(token);
    return token;
  };
  const open = (quote: Frame['quote'], length: number): void => {
    const token = push('text', at, at, '');
    token.from = at + length;
    at += length;
    frames.push({ quote, token, masks: [], inner: undefined, interpolation: undefined, variables: [] });
  };
  const close = (frame: Frame, contentEnd: number, after: number): void => {
    frames.pop();
    const { token } = frame;
    token.end = after;
    token.text = masked(source, token.from, contentEnd, frame.masks);
    work.add(contentEnd - token.from);
    for (const variable of frame.variables) {
      tokens.push(variable);
    }
    at = after;
  };
  const openInterpolation = (frame: Frame, [opening, closing]: Pair): void => {
    frame.interpolation = { from: at, open: opening.at(-1) ?? '', close: closing, depth: 0 };
    at += opening.length;
    if (isShell) {
      push('mark', at - opening.length, at, '$(');
    }
  };
  const variable = (frame: Frame, braced: boolean): boolean => {
    const name = braced ? match(/\$\{[^}\n"'`]{0,200}\}/y) : match(variableAt);
    if (name === undefined) {
      return false;
    }
    frame.masks.push({ from: at, to: at + name.length, as: unknown });
    const plain = /\w+/.exec(name)?.[0] ?? '';
    frame.variables.push({ kind: 'word', start: at, end: at + name.length, text: plain, from: at });
    at += name.length;
    return true;
  };

  while (at < end) {
    if (work.isDue()) {
      yield;
    }
    const character = source[at] ?? '';
    const frame = frames.at(-1);
    if (frame && !frame.interpolation) {
      readLiteral(frame, character);
      continue;
    }
    if (frame?.interpolation) {
      const { interpolation } = frame;
      if (character === interpolation.close && interpolation.depth === 0) {
        frame.masks.push({ from: interpolation.from, to: at + 1, as: unknown });
        if (isShell) {
          push('mark', at, at + 1, ')');
        }
        frame.interpolation = undefined;
        at += 1;
        continue;
      }
      interpolation.depth += character === interpolation.open ? 1 : character === interpolation.close ? -1 : 0;
      // An interpolation that is still open after a page is none: the literal before it has ended elsewhere.
      if (at - interpolation.from > longestInterpolation) {
        frames.length = 0;
      }
    }
    readCode(character);
  }
  for (const frame of frames.toReversed()) {
    close(frame, end, end);
  }
  return tokens;

  function readLiteral(frame: Frame, character: string): void {
    const { quote } = frame;
    if (quote === 'argument') {
      readArgument(frame, character);
      return;
    }
    if (character === '\n' && !quote.multiline) {
      close(frame, at, at);
    } else if (source.startsWith(quote.close, at)) {
      close(frame, at, at + quote.close.length);
    } else {
      const interpolation =
        frames.length <= maxDepth
          ? quote.interpolations.find(([opening]) => source.startsWith(opening, at))
          : undefined;
      if (interpolation && source.startsWith(`${interpolation[0]}{`, at) && interpolation[0] === '{') {
        at += 2;
      } else if (interpolation) {
        openInterpolation(frame, interpolation);
      } else if (character === '\\' && quote.escapes) {
        at += 2;
      } else if (!(character === '$' && quote.variables && variable(frame, false))) {
        at += 1;
      }
    }
  }

  function readArgument(frame: Frame, character: string): void {
    const nothingHere = (): void => {
      frame.masks.push({ from: at, to: at + 1, as: nothing });
      at += 1;
    };
    if (
      frame.inner === undefined &&
      (/[\s|;<>()]/.test(character) || (character === '&' && !/\w/.test(source[at + 1] ?? '')))
    ) {
      close(frame, at, at);
    } else if (frame.inner === character || (frame.inner === undefined && (character === '"' || character === "'"))) {
      frame.inner = frame.inner === undefined ? character : undefined;
      nothingHere();
    } else if (frame.inner === "'") {
      at += 1;
    } else if (character === '\\') {
      if (source[at + 1] === '\n' && frame.inner === undefined) {
        close(frame, at, at);
      } else {
        at += 2;
      }
    } else if (source.startsWith('$(', at) && frames.length <= maxDepth) {
      openInterpolation(frame, ['$(', ')']);
    } else if (character === '`') {
      nothingHere();
    } else if (!(character === '$' && (variable(frame, true) || variable(frame, false)))) {
      at += 1;
    }
  }

  function readCode(character: string): void {
    if (character === '\n') {
      if (isShell) {
        push('mark', at, at + 1);
      }
      at += 1;
      readHeredocs();
    } else if (character === ' ' || character === '\t' || character === '\r') {
      at += 1;
    } else if (comment(character)) {
      return;
    } else if (heredoc(character)) {
      return;
    } else if (isShell) {
      readShell(character);
    } else {
      readProgram(character);
    }
  }

  function comment(character: string): boolean {
    for (const [opening, closing] of syntax.blockComments) {
      if (source.startsWith(opening, opening.startsWith('\n') ? at - 1 : at)) {
        const closed = source.indexOf(closing, at + 1);
        const after = closed === -1 || closed > end ? end : closed + closing.length;
        at = Math.max(after, at + 1);
        return true;
      }
    }
    if (isShell && character === '#' && /\S/.test(source[at - 1] ?? ' ')) {
      return false;
    }
    if (!syntax.lineComments.some((opening) => source.startsWith(opening, at))) {
      return false;
    }
    const closed = source.indexOf('\n', at);
    at = closed === -1 || closed > end ? end : closed;
    return true;
  }

  function heredoc(character: string): boolean {
    const isPossible =
      character === '<' && source[at + 1] === '<' && (isShell || /\w|["'-~]/.test(source[at + 2] ?? ''));
    const found = isPossible && !frames.some(({ interpolation }) => !interpolation) ? match(heredocAt) : undefined;
    const name = found === undefined ? undefined : /\w+/.exec(found)?.[0];
    if (found === undefined || name === undefined || missingHeredocs.size > 8 || missingHeredocs.has(name)) {
      return false;
    }
    if (!isShell && !/^[A-Z]/.test(name)) {
      return false;
    }
    heredocs.push(name);
    at += found.length;
    return true;
  }

  function readHeredocs(): void {
    for (const name of heredocs.splice(0)) {
      const from = at;
      const closing = new RegExp(`^[ \\t]*${name}\\b`, 'my');
      let line = at;
      while (line < end) {
        closing.lastIndex = line;
        if (closing.test(source)) {
          break;
        }
        const next = source.indexOf('\n', line);
        work.add(next === -1 ? end - line : next - line);
        line = next === -1 ? end : next + 1;
      }
      if (line >= end) {
        missingHeredocs.add(name);
        continue;
      }
      const masks = [...source.slice(from, line).matchAll(/[#$]\{[^}\n]{0,200}\}|\$\w+/g)].map((interpolation) => ({
        from: from + interpolation.index,
        to: from + interpolation.index + interpolation[0].length,
        as: unknown,
      }));
      push('text', from, line, masked(source, from, line, masks));
      at = line + name.length;
      const lineEnd = source.indexOf('\n', line);
      at = lineEnd === -1 ? end : lineEnd;
    }
  }

  function readShell(character: string): void {
    if (character === '\\' && source[at + 1] === '\n') {
      at += 2;
    } else if (/[|;<>()&]/.test(character)) {
      const mark = match(markAt) ?? character;
      push('mark', at, at + mark.length);
      at += mark.length;
    } else {
      open('argument', 0);
    }
  }

  function readProgram(character: string): void {
    const quote = syntax.quotes.find(({ open: opening }) => source.startsWith(opening, at));
    if (quote) {
      const before = source.slice(Math.max(0, at - 3), at);
      const prefix = syntax.prefixes.find(({ ends }) => ends.test(before));
      open(prefix ? { ...quote, interpolations: prefix.interpolations } : quote, quote.open.length);
      return;
    }
    if (character === '/' && syntax.regexes && mayBeRegex(tokens.at(-1))) {
      const regex = match(regexAt);
      if (regex !== undefined) {
        at += regex.length;
        return;
      }
    }
    const word = match(wordAt);
    if (word !== undefined) {
      push('word', at, at + word.length, word.replace(/^[$@]+/, ''));
      at += word.length;
      return;
    }
    const number = match(numberAt);
    if (number !== undefined) {
      push('number', at, at + number.length);
      at += number.length;
      return;
    }
    const mark = match(markAt) ?? character;
    push('mark', at, at + mark.length);
    at += mark.length;
  }
}

/** An interpolation of more characters is a literal that was not closed. */
const longestInterpolation = 20_000;

/** Whether a slash after this is no division: nothing stands before it that could be divided. */
function mayBeRegex(last: Token | undefined): boolean {
  return !last || (last.kind === 'mark' ? !/^[)\]}]$/.test(last.text) : /^(?:return|typeof|case|in)$/.test(last.text));
}

function masked(
  source: string,
  from: number,
  to: number,
  masks: readonly { readonly from: number; readonly to: number; readonly as: string }[],
): string {
  let text = '';
  let at = from;
  for (const mask of masks) {
    text += source.slice(at, mask.from) + mask.as.repeat(Math.max(0, mask.to - mask.from));
    at = mask.to;
  }
  return text + source.slice(at, Math.max(at, to));
}

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
      const text = source
        .slice(from, end)
        .replaceAll(/\{\{[^}\n]{0,80}\}\}/g, (interpolation) => unknown.repeat(interpolation.length));
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
        for (const interpolation of source.slice(from, end).matchAll(/\{\{\s*(\w+)/g)) {
          tokens.push({
            kind: 'word',
            start: from + interpolation.index,
            end: from + interpolation.index + interpolation[0].length,
            text: interpolation[1] ?? '',
            from: from + interpolation.index,
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
