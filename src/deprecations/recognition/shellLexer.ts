import { PartList, type TokenSink } from './tokenSink.ts';

const separatorAt = /\|\||&&|;;|[|;&(){}](?=[\s;|&(){}$"'A-Za-z]|$)|[()|;&]/y;
const assignmentAt = /([A-Za-z_]\w*)\+?=/y;
const variableAt = /\$(?:\{[!#]?(\w{1,200})[^{}\n]{0,200}\}|(\w+|[@*#?!-]))/y;
const makeVariableAt = /\$\((\w+)\)/y;
const templateAt = /\{\{[^{}\n]{0,200}\}\}|\$\{\{[^{}\n]{0,200}\}\}|\$\[\[[^\][\n]{0,200}\]\]/y;
const heredocAt = /<<-?\s*(["']?)(\w+)\1/y;
const declarers = /^(?:export|local|readonly|declare|typeset|env|set)$/;

/** How a shell's commands stand in their file. */
export interface ShellRegion {
  readonly start: number;
  readonly end: number;
  /** Whether a line's end ends a command; not in folded text of YAML. */
  readonly lines?: boolean;
  /** Whether quotes are written as `\"`, as inside a quoted text of YAML. */
  readonly escapedQuotes?: boolean;
}

/** Reads the commands of a shell: words as texts, assignments as a word, `=` and a text; `;` ends a command. */
export function lexShell(sink: TokenSink, region: ShellRegion): void {
  new ShellLexer(sink, region).read(region.start, region.end);
  sink.add('mark', region.end, region.end, ';');
}

class ShellLexer {
  readonly #sink: TokenSink;
  readonly #source: string;
  readonly #region: ShellRegion;
  #awaited: string[] = [];
  #commandStarts = true;
  #depth = 0;

  constructor(sink: TokenSink, region: ShellRegion) {
    this.#sink = sink;
    this.#source = sink.source;
    this.#region = region;
  }

  read(start: number, end: number): void {
    let at = start;
    while (at < end) {
      const character = this.#source[at] ?? '';
      if (character === '\n') {
        at = this.#newline(at, end);
      } else if (character === '\\' && /^\r?\n/.test(this.#source.slice(at + 1, at + 3))) {
        at = this.#source.indexOf('\n', at) + 1;
      } else if (character <= ' ') {
        at += 1;
      } else if (character === '#' && /\s/.test(this.#source[at - 1] ?? ' ')) {
        const lineEnd = this.#source.indexOf('\n', at);
        at = lineEnd === -1 || lineEnd > end ? end : lineEnd;
      } else {
        at = this.#item(at, end);
      }
    }
  }

  #newline(at: number, end: number): number {
    if (this.#region.lines !== false) {
      if (this.#awaited.length > 0) {
        return this.#heredocs(at + 1, end);
      }
      this.#separate(at, at);
    }
    return at + 1;
  }

  #separate(start: number, end: number): void {
    this.#sink.add('mark', start, end, end > start ? this.#source.slice(start, end) : ';');
    this.#commandStarts = true;
  }

  #item(at: number, end: number): number {
    const heredoc = this.#match(heredocAt, at);
    if (heredoc) {
      this.#awaited.push(heredoc[2] ?? '');
      return at + heredoc[0].length;
    }
    const redirection = this.#match(/\d?(?:>>?|<)(?:&\d)?/y, at);
    if (redirection) {
      this.#sink.add('mark', at, at + redirection[0].length, redirection[0].includes('>') ? '>' : '<');
      return at + redirection[0].length;
    }
    const separator = this.#match(separatorAt, at)?.[0];
    if (separator !== undefined) {
      this.#separate(at, at + separator.length);
      return at + separator.length;
    }
    const assignment = this.#commandStarts ? this.#match(assignmentAt, at) : null;
    if (assignment) {
      const name = assignment[1] ?? '';
      const valueStart = at + assignment[0].length;
      this.#sink.add('word', at, at + name.length);
      this.#sink.add('mark', valueStart - 1, valueStart, '=');
      return /[\s;|&()]/.test(this.#source[valueStart] ?? ' ') ? valueStart : this.#word(valueStart, end);
    }
    const start = at;
    const after = this.#word(start, end);
    this.#commandStarts = this.#commandStarts && declarers.test(this.#source.slice(start, after));
    if (/^(?:then|do|else|if|while|until|!|time|elif)$/.test(this.#source.slice(start, after))) {
      this.#commandStarts = true;
    }
    return after;
  }

  /** Reads a word, quoted or not, up to its end. */
  #word(start: number, end: number): number {
    const list = new PartList(this.#source, start);
    const quoteMark = this.#region.escapedQuotes === true ? '\\"' : '"';
    let quoted = false;
    let at = start;
    while (at < end) {
      const character = this.#source[at] ?? '';
      if (this.#source.startsWith(quoteMark, at)) {
        list.close(at, at + quoteMark.length);
        at += quoteMark.length;
        quoted = !quoted;
      } else if (character === "'" && !quoted) {
        const closing = this.#source.indexOf("'", at + 1);
        if (closing === -1 || closing >= end) {
          at += 1;
        } else {
          list.close(at, at + 1);
          list.close(closing, closing + 1);
          at = closing + 1;
        }
      } else if (character === '\\') {
        at += 2;
      } else if (character === '$' || character === '`' || character === '{') {
        at = this.#hole(list, at, end) ?? at + 1;
      } else if (!quoted && /[\s|;&()<>]/.test(character)) {
        break;
      } else {
        at += 1;
      }
    }
    at = Math.min(at, end);
    list.close(at);
    this.#sink.addText(start, at, list.parts, (part) => this.#fill(part.start, part.end, part.source));
    return at === start ? at + 1 : at;
  }

  #hole(list: PartList, at: number, end: number): number | undefined {
    const template = this.#match(templateAt, at)?.[0] ?? this.#match(makeVariableAt, at)?.[0];
    if (template !== undefined) {
      list.addHole(at, at + template.length, at, at + template.length);
      return at + template.length;
    }
    if (this.#source.startsWith('$(', at) && this.#depth < 20) {
      const closing = this.#closing(at + 2, end);
      list.addHole(at, closing + 1, at + 2, closing);
      return closing + 1;
    }
    if (this.#source[at] === '`') {
      const closing = this.#source.indexOf('`', at + 1);
      if (closing === -1 || closing >= end) {
        return undefined;
      }
      list.addHole(at, closing + 1, at + 1, closing);
      return closing + 1;
    }
    const variable = this.#match(variableAt, at);
    if (variable) {
      const name = variable[1] ?? variable[2] ?? '';
      const nameStart = at + variable[0].indexOf(name);
      list.addHole(at, at + variable[0].length, nameStart, nameStart + name.length);
      return at + variable[0].length;
    }
    return undefined;
  }

  /** Where the parenthesis that is open at `from` closes. */
  #closing(from: number, end: number): number {
    let depth = 0;
    let quote = '';
    for (let at = from; at < end; at += 1) {
      const character = this.#source[at] ?? '';
      if (character === '\\') {
        at += 1;
      } else if (quote !== '' ? character === quote : character === '"' || character === "'") {
        quote = quote === '' ? character : '';
      } else if (character === '$' && this.#source[at + 1] === '(' && quote === '"') {
        at = this.#closing(at + 2, end);
      } else if (quote === '' && character === '(') {
        depth += 1;
      } else if (quote === '' && character === ')') {
        if (depth === 0) {
          return at;
        }
        depth -= 1;
      }
    }
    return end;
  }

  #fill(start: number, end: number, source: string): void {
    if (/^\w+$/.test(source)) {
      this.#sink.add('word', start, end);
      return;
    }
    if (/^[{$]/.test(source)) {
      return;
    }
    const before = this.#commandStarts;
    this.#commandStarts = true;
    this.#depth += 1;
    this.read(start, end);
    this.#depth -= 1;
    this.#commandStarts = before;
  }

  #heredocs(start: number, end: number): number {
    let at = start;
    for (const name of this.#awaited.splice(0)) {
      const list = new PartList(this.#source, at);
      const from = at;
      const closing = new RegExp(`^[ \\t]*${name}[ \\t]*\\r?$`, 'my');
      while (at < end && !this.#match(closing, at)) {
        const lineEnd = this.#source.indexOf('\n', at);
        const next = lineEnd === -1 ? end : lineEnd + 1;
        while (at < next) {
          at = (this.#source[at] === '$' ? this.#hole(list, at, end) : undefined) ?? at + 1;
        }
      }
      list.close(at);
      this.#sink.addText(from, at, list.parts, (part) => this.#fill(part.start, part.end, part.source));
      at += this.#match(closing, at)?.[0].length ?? 0;
    }
    this.#separate(at, at);
    return at;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#source);
  }
}
