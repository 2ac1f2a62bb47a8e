import type { Holes, Syntax, TextForm } from './syntax.ts';
import { PartList, TokenSink } from './tokenSink.ts';
import type { Part, Token } from './tokens.ts';

const wordAt = /[$@]{0,2}[\p{L}_][\p{L}\p{N}_]*/uy;
const numberAt = /\d\w*(?:\.\d\w*)?/y;
const markAt = /=>|->|:=|===|!==|==|!=|=~|<=|>=|&&|\|\|=|\|\||\?\?=|\?\?|\?\.|&\.|::|\+=|<-|<>|\.\.\.?|\S/y;
const regexAt = /\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** Holes in texts in holes, and holes that do not end: nobody writes more. */
const maxDepth = 20;
const maxOpenHoles = 20;
const nameHole = /\$(?:[A-Za-z_]\w*)(?:(?:->\w+)|(?:\[[^\]\n]{1,40}\]))*/y;

/** Reads the tokens of a program; its comments are left out. */
export function lex(source: string, syntax: Syntax): Token[] {
  const lexer = new Lexer(new TokenSink(source), syntax);
  lexer.read(0, source.length, undefined);
  return lexer.tokens;
}

class Lexer {
  readonly #sink: TokenSink;
  readonly #source: string;
  readonly #syntax: Syntax;
  /** Openings of heredocs whose lines have yet to come. */
  #awaited: string[] = [];
  #depth: number;
  readonly #isProbe: boolean;
  /** Where texts end, by form and beginning, as far as it is known: a text in a hole is read once for each hole around it. */
  readonly #known: { readonly ends: Map<string, number | undefined>; openHoles: number };

  /**
   * @param outer the lexer that only looks for the end of a hole with this one, so that the tokens do not matter.
   */
  constructor(sink: TokenSink, syntax: Syntax, outer?: Lexer) {
    this.#sink = sink;
    this.#depth = outer ? outer.#depth + 1 : 0;
    this.#known = outer ? outer.#known : { ends: new Map(), openHoles: 0 };
    this.#isProbe = outer !== undefined;
    this.#source = sink.source;
    this.#syntax = syntax;
  }

  get tokens(): Token[] {
    return this.#sink.tokens;
  }

  /**
   * Reads from `start`.
   *
   * @param closing the bracket that ends the reading where it closes none of its own kind.
   * @returns the offset of the closing bracket, or `end`.
   */
  read(start: number, end: number, closing: string | undefined): number {
    const opening = closing === '}' ? '{' : '(';
    let depth = 0;
    let at = start;
    while (at < end) {
      const character = this.#source[at] ?? '';
      if (character === '\n' && this.#awaited.length > 0) {
        at = this.#heredocs(at + 1, end);
        continue;
      }
      const afterComment = this.#comment(at, end);
      if (afterComment !== undefined) {
        at = afterComment;
        continue;
      }
      if (character <= ' ') {
        at += 1;
        continue;
      }
      if (closing !== undefined && character === closing) {
        if (depth === 0) {
          return at;
        }
        depth -= 1;
      } else if (closing !== undefined && character === opening) {
        depth += 1;
      }
      at = this.#token(at, end);
    }
    return end;
  }

  #comment(at: number, end: number): number | undefined {
    for (const [open, close] of this.#syntax.blockComments) {
      if (this.#source.startsWith(open, at)) {
        const closed = this.#source.indexOf(close, at + open.length);
        return closed === -1 ? end : closed + close.length;
      }
    }
    for (const open of this.#syntax.lineComments) {
      if (this.#source.startsWith(open, at)) {
        const closed = this.#source.indexOf('\n', at);
        return closed === -1 ? end : closed;
      }
    }
    return undefined;
  }

  #token(at: number, end: number): number {
    for (const form of this.#syntax.texts) {
      const opening = this.#match(form.open, at);
      if (opening) {
        const after = this.#text(form, at, at + opening[0].length, opening[1] || '}', end);
        if (after !== undefined) {
          return after;
        }
      }
    }
    const heredoc = this.#syntax.heredocs && this.#match(this.#syntax.heredocs, at);
    if (heredoc) {
      this.#awaited.push(heredoc[2] ?? '');
      return at + heredoc[0].length;
    }
    if (this.#syntax.symbols === true) {
      const symbol = this.#source[at - 1] === ':' ? undefined : this.#match(/:(?=[a-z_])\w+[?!]?/y, at);
      if (symbol) {
        const after = at + symbol[0].length;
        this.#sink.addText(
          at,
          after,
          [{ start: at + 1, end: after, source: symbol[0].slice(1), isHole: false }],
          () => {},
        );
        return after;
      }
    }
    if (this.#syntax.regexes === true && this.#source[at] === '/' && this.#mayBeRegex()) {
      const regex = this.#match(regexAt, at);
      if (regex) {
        return at + regex[0].length;
      }
    }
    const word = this.#match(wordAt, at)?.[0];
    if (word !== undefined) {
      this.#sink.add('word', at, at + word.length, word.replace(/^[$@]+/, ''));
      return at + word.length;
    }
    const number = this.#match(numberAt, at)?.[0];
    if (number !== undefined) {
      this.#sink.add('number', at, at + number.length);
      return at + number.length;
    }
    const mark = this.#match(markAt, at)?.[0] ?? '?';
    if (mark !== '\\') {
      this.#sink.add('mark', at, at + mark.length);
    }
    return at + mark.length;
  }

  /** Whether a slash here is no division: nothing stands before it that could be divided. */
  #mayBeRegex(): boolean {
    const last = this.tokens.at(-1);
    return (
      !last || (last.kind === 'mark' ? !/^[)\]}]$/.test(last.text) : /^(?:return|typeof|case|in)$/.test(last.text))
    );
  }

  /** Reads a literal text; undefined if it is none, because its line or the source ends first. */
  #text(form: TextForm, start: number, from: number, close: string, end: number): number | undefined {
    const key = `${form.open.source} ${start}`;
    if (this.#known.ends.has(key)) {
      const known = this.#known.ends.get(key);
      if (known === undefined || this.#isProbe) {
        return known;
      }
    }
    const after = this.#readText(form, start, from, close, end);
    this.#known.ends.set(key, after);
    return after;
  }

  #readText(form: TextForm, start: number, from: number, close: string, end: number): number | undefined {
    const { escape, holes, multiline } = form;
    const list = new PartList(this.#source, from);
    let at = from;
    while (at < end) {
      const character = this.#source[at] ?? '';
      if (character === '\n' && multiline !== true) {
        return undefined;
      }
      if (escape === '"' && this.#source.startsWith('""', at)) {
        at += 2;
      } else if (this.#source.startsWith(close, at)) {
        list.close(at);
        const after = at + close.length;
        this.#sink.addText(start, after, list.parts, (part) => this.#fill(part));
        return after;
      } else if (holes === 'swift' && this.#source.startsWith('\\(', at)) {
        at = this.#hole(list, at, 2, ')', end);
      } else if (character === escape && escape !== '"') {
        at += 2;
      } else {
        at = (holes && this.#openHole(holes, list, at, end)) ?? at + 1;
      }
    }
    return undefined;
  }

  /** Reads a hole if one opens here. */
  #openHole(holes: Holes, list: PartList, at: number, end: number): number | undefined {
    const opens = (text: string): boolean => this.#source.startsWith(text, at);
    switch (holes) {
      case 'hash':
        return opens('#{') ? this.#hole(list, at, 2, '}', end) : undefined;
      case 'brace':
        if (opens('{{') || opens('}}')) {
          return at + 2;
        }
        return opens('{') ? this.#hole(list, at, 1, '}', end) : undefined;
      case 'swift':
        return undefined;
      case 'dollarBrace':
      case 'dollar':
      case 'php':
      case 'powershell': {
        if (opens('${')) {
          return this.#hole(list, at, 2, '}', end);
        }
        if (holes === 'powershell' && opens('$(')) {
          return this.#hole(list, at, 2, ')', end);
        }
        if (holes === 'php' && opens('{$')) {
          return this.#hole(list, at, 1, '}', end);
        }
        const name = holes === 'dollarBrace' ? undefined : this.#match(nameHole, at)?.[0];
        if (name === undefined) {
          return undefined;
        }
        list.addHole(at, at + name.length, at + 1, at + name.length);
        return at + name.length;
      }
    }
  }

  #hole(list: PartList, at: number, opening: number, closing: string, end: number): number {
    if (this.#depth >= maxDepth || this.#known.openHoles > maxOpenHoles) {
      return at + 1;
    }
    const inner = at + opening;
    // Its tokens are read when the text is complete; here only its end is looked for.
    const probe = new Lexer(new TokenSink(this.#source, inner), this.#syntax, this);
    const innerEnd = probe.read(inner, end, closing);
    if (innerEnd >= end) {
      this.#known.openHoles += 1;
      return at + 1;
    }
    list.addHole(at, innerEnd + 1, inner, innerEnd);
    return innerEnd + 1;
  }

  #fill({ start, end }: Part): void {
    this.#depth += 1;
    this.read(start, end, undefined);
    this.#depth -= 1;
  }

  /** Reads the awaited heredocs, whose lines begin here. */
  #heredocs(start: number, end: number): number {
    const holes: Holes = this.#syntax.join === '.' ? 'php' : 'hash';
    let at = start;
    for (const name of this.#awaited.splice(0)) {
      const list = new PartList(this.#source, at);
      const from = at;
      const closing = new RegExp(`^[ \\t]*${name}\\b`, 'my');
      while (at < end && !this.#match(closing, at)) {
        const lineEnd = this.#source.indexOf('\n', at);
        const next = lineEnd === -1 ? end : lineEnd + 1;
        while (at < next) {
          at = this.#openHole(holes, list, at, end) ?? at + 1;
        }
      }
      list.close(at);
      this.#sink.addText(from, at, list.parts, (part) => this.#fill(part));
      at += this.#match(closing, at)?.[0].length ?? 0;
    }
    return at;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#source);
  }
}
