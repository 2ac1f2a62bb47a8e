import { hole, type Part, type Token } from './tokens.ts';

/** Collects tokens and counts lines for them. */
export class TokenSink {
  readonly source: string;
  readonly tokens: Token[] = [];
  #line = 0;
  #indent = 0;
  #lineStart = 0;
  #lineEnd: number;

  /** @param from where the counting of lines begins. */
  constructor(source: string, from = 0) {
    this.source = source;
    this.#lineEnd = source.indexOf('\n', from);
  }

  add(kind: 'word' | 'number' | 'mark', start: number, end: number, text = this.source.slice(start, end)): void {
    this.#countTo(start);
    this.tokens.push({ kind, text, start, end, line: this.#line, indent: this.#indent, parts: [], after: 0 });
    const last = this.tokens.at(-1);
    if (last) {
      last.after = this.tokens.length;
    }
  }

  /** Adds a literal text; its holes' tokens are added by `fill`, which is called for each hole between parentheses. */
  addText(start: number, end: number, parts: readonly Part[], fill: (part: Part) => void): void {
    this.#countTo(start);
    const text = parts.map(({ isHole, source }) => (isHole ? hole : source)).join('');
    const token: Token = { kind: 'text', text, start, end, line: this.#line, indent: this.#indent, parts, after: 0 };
    this.tokens.push(token);
    for (const part of parts) {
      if (part.isHole) {
        this.add('mark', part.start, part.start, '(');
        fill(part);
        this.add('mark', part.end, part.end, ')');
      }
    }
    this.#countTo(end);
    token.after = this.tokens.length;
  }

  #countTo(offset: number): void {
    while (this.#lineEnd !== -1 && this.#lineEnd < offset) {
      const last = this.source[this.#lineEnd - 1] === '\r' ? this.#lineEnd - 2 : this.#lineEnd - 1;
      if (this.source[last] !== '\\') {
        this.#line += 1;
      }
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.source.indexOf('\n', this.#lineStart);
    }
    if (this.tokens.at(-1)?.line !== this.#line) {
      this.#indent = offset - this.#lineStart;
    }
  }
}

/** Builds the parts of a literal text piece by piece. */
export class PartList {
  readonly #source: string;
  readonly parts: Part[] = [];
  #from: number;

  /** @param from where the text's characters begin. */
  constructor(source: string, from: number) {
    this.#source = source;
    this.#from = from;
  }

  /** Ends the characters before `start` and adds a hole, whose expression stands between `inner` and `innerEnd`. */
  addHole(start: number, end: number, inner: number, innerEnd: number): void {
    this.close(start);
    this.parts.push({ start: inner, end: innerEnd, source: this.#source.slice(inner, innerEnd), isHole: true });
    this.#from = end;
  }

  /** Ends the characters before `end`, and goes on at `next`. */
  close(end: number, next = end): void {
    if (end > this.#from) {
      this.parts.push({ start: this.#from, end, source: this.#source.slice(this.#from, end), isHole: false });
    }
    this.#from = next;
  }
}
