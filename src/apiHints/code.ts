/** Sources without their comments and literals, and the statements, functions and brackets of them. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** How a language writes comments and literals, and code within literals. */
interface Syntax {
  readonly pieces: RegExp;
  readonly hole?: RegExp;
  /** What only literals with such code begin with. */
  readonly holeMark?: RegExp;
}

const slash = '\\/\\/[^\\n]*|\\/\\*[^]*?(?:\\*\\/|$)';
const sharp = `#[^\\n]*|(?<=\\n)=begin\\b[^]*?(?:\\n=end|$)|(?<=\\n[ \\t]*)(?:"""|''')[^]*?(?:"""|'''|$)`;
const literals = `[fFrRbB]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\\\\n]|\\\\.)*"?|(?<![<&])'(?:[^'\\\\\\n]|\\\\.)*'?)`;
const template = '`(?:[^`\\\\$]|\\\\[^]|\\$(?!\\{)|\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\}|\\$)*`?';
const dollar = /[$#]\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g;
const braces = /\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g;
const slashes: Syntax = { pieces: new RegExp(`(?<comment>${slash})|${template}|${literals}`, 'g'), hole: dollar };
const hash: Syntax = { pieces: new RegExp(`(?<comment>${sharp})|${literals}`, 'g'), hole: dollar };
const shell: Syntax = { pieces: /(?<comment>(?<![^\s;])#[^\n]*)|(?<!\w)"(?:[^"\\]|\\[^])*"?|(?<!\w)'[^']*'?/g };
const syntaxes = new Map<string, Syntax>([
  ...['ruby', 'elixir', 'perl', 'terraform'].map((id) => [id, hash] as const),
  ...['shellscript', 'dockerfile', 'makefile', 'yaml', 'dockercompose'].map((id) => [id, shell] as const),
  ['http', { pieces: /(?<comment>(?<=^|\n)(?:#|\/\/|[\w-]{1,60}:\s)[^\n]*)/g }],
  ['python', { ...hash, hole: braces, holeMark: /^[rR]?[fF]/ }],
  ['php', { pieces: new RegExp(`(?<comment>${slash}|#(?!\\[)[^\\n]*)|${literals}`, 'g'), hole: /\{\$[^{}]*\}/g }],
  [
    'csharp',
    {
      pieces: new RegExp(`(?<comment>${slash})|[$@]{1,2}"(?:[^"]|"")*"?|${literals}`, 'g'),
      hole: braces,
      holeMark: /^@?\$/,
    },
  ],
  // Attributes of templates hold code.
  ['vue', { ...slashes, hole: new RegExp(`${dollar.source}|(?<=^")[^"/]*\\w\\.\\w[^"/]*`, 'g') }],
  ['swift', { ...slashes, hole: /\\\([^()]*(?:\([^()]*\)[^()]*)*\)/g }],
  [
    'powershell',
    {
      pieces: /(?<comment><#[^]*?(?:#>|$)|#[^\n]*)|@(["'])[^]*?(?:\n[ \t]*\2@|$)|"(?:[^"`]|`[^])*"?|'[^']*'?/g,
      hole: /\$\([^()]*(?:\([^()]*\)[^()]*)*\)/g,
    },
  ],
]);
/** They hold recorded answers rather than calls. */
const data = /^(?:jsonc?|jsonl|xml|html|s?css|less|csv|log|diff|sql|graphql|markdown)$/;

/** The syntax of a language by the id that editors have for it; that which most share by default, undefined for data. */
export function syntaxOf(languageId: string): Syntax | undefined {
  return syntaxes.get(languageId) ?? (data.test(languageId) ? undefined : slashes);
}

/** A function, a class or all of a source, with what its variables hold. */
export interface Scope<T> extends Range {
  end: number;
  readonly parent: Scope<T> | undefined;
  readonly indent: number;
  readonly variables: Map<string, T>;
}

/** What stands for the content of literals, and for code within them where their text is read. */
export const [inside, hole] = ['\uE001', '\uE000'];

/** What is no function, though brackets and a block may follow; what is one. */
const control =
  /^[\s})]*(?:if|for|foreach|while|until|unless|switch|match|catch|elif|elsif|elseif|else|with|using|lock|try|return|await|when|case|do)\b/;
const head =
  /^\s*(?:[\w@]{1,30}\s+){0,6}(?:defp?|function|func|fn|fun|sub|class|interface|struct|record|module|impl|trait|enum|type)\b|^\s*\w[^=;{}]*\([^;]*\)[^;=(){}]*\{\s*$/;
const block = /(?:\)|=>|->|\b(?:else|do|try|finally|begin)|\)\s*(?:throws\s|:)?\s*[\w<>[\]?.*, ]+|\|)\s*$/;
const declaring =
  /^\s*(?:\w+\s+){0,4}(?:class|interface|struct|record|enum|object|namespace|module|impl|trait|extension|type|function|sub)\b[^=]*$/;
const continued = /^\s*(?:\?\.|\.|->|&\.|::|\+|\|\||&&|\||\?|:)/;
/** A longer line is read to this length. */
export const longestStatement = 4000;
/** Deeper brackets are none: nobody nests so deep. */
const mostNested = 1000;
/** How many characters are read at once, before other tasks have their turn. */
const slice = 4000;

/** A source, read by the syntax of its language. */
export class Code<T> {
  /** The source, with spaces for comments. */
  text = '';
  /** The same without the content of literals, but with the code in them. */
  bare = '';
  /** The contents of literals. */
  readonly literals: Range[] = [];
  /** Of each place, the bracket around it, or -1; of a bracket, the other one, or -1. */
  readonly around: Int32Array;
  readonly match: Int32Array;
  readonly #lines: { readonly start: number; readonly end: number; readonly scope: Scope<T> }[] = [];

  constructor(length: number) {
    this.around = new Int32Array(length + 1);
    this.match = new Int32Array(length + 1);
  }

  /** Reads a source, in slices. */
  static *read<T>(source: string, syntax: Syntax): Generator<void, Code<T>> {
    const code = new Code<T>(source.length);
    yield* code.#mask(source, syntax);
    yield* code.#findBrackets();
    yield* code.#findScopes();
    return code;
  }

  scopeAt(at: number): Scope<T> {
    return (lastBefore(this.#lines, at) ?? this.#lines[0])?.scope as Scope<T>;
  }

  before(at: number, length: number): string {
    return this.bare.slice(Math.max(0, at - length), at);
  }

  /** The literal that a place stands in. */
  literalAt(at: number): Range | undefined {
    const literal = lastBefore(this.literals, at);
    return literal && at < literal.end ? literal : undefined;
  }

  /** Whether a bracket opens statements or fields rather than values. */
  isBlock(opener: number): boolean {
    const start = Math.max(opener - 200, this.bare.lastIndexOf('\n', opener) + 1);
    const line = this.bare.slice(start, opener);
    const isAlone = line.trim() === '' && !/[([,=]\s*$/.test(this.before(start, 200));
    return this.bare[opener] === '{' && (block.test(line) || isAlone || declaring.test(line));
  }

  /** The statements of a program: lines with those that continue them. Blocks within them have statements of their own. */
  *statements(): Generator<Range> {
    for (let index = 0; index < this.#lines.length; index += 1) {
      const { start } = this.#lines[index] as Range;
      let { end } = this.#lines[index] as Range;
      for (let more = true; more && index + 1 < this.#lines.length && end - start < longestStatement;) {
        const opener = this.around[end] as number;
        const next = this.#lines[index + 1] as Range;
        more = opener >= start ? !this.isBlock(opener) : continued.test(this.bare.slice(next.start, next.start + 80));
        if (more) {
          index += 1;
          ({ end } = next);
        }
      }
      yield { start, end };
    }
  }

  *#mask(source: string, { pieces, hole: ofHole, holeMark = /./ }: Syntax): Generator<void> {
    let [text, bare]: [string[], string[]] = [[], []];
    let [at, rested] = [0, 0];
    for (const { 0: piece, index, groups } of source.matchAll(pieces)) {
      const between = source.slice(at, index);
      at = index + piece.length;
      if (at - rested > slice) {
        this.text += text.join('');
        this.bare += bare.join('');
        [text, bare] = [[], []];
        rested = at;
        yield;
      }
      if (groups?.['comment'] !== undefined) {
        const blank = piece.replaceAll(/[^\n]/g, ' ');
        text.push(between, blank);
        bare.push(between, blank);
        continue;
      }
      const opening = /^[fFrRbB@$]{0,2}(?:"""|'''|["'`])/.exec(piece)?.[0].length ?? 1;
      const closing = Math.max(opening, piece.length - (/(?:"""|'''|"@|'@|["'`])$/.exec(piece)?.[0].length ?? 0));
      let masked = piece.slice(0, opening);
      const holes = ofHole && holeMark.test(piece) ? piece.slice(0, closing).matchAll(ofHole) : [];
      for (const { 0: part, index: from } of holes) {
        masked = masked.padEnd(from, inside) + part;
      }
      text.push(between, piece);
      bare.push(between, masked.padEnd(closing, inside), piece.slice(closing));
      this.literals.push({ start: index + opening, end: index + closing });
    }
    this.text += text.join('') + source.slice(at);
    this.bare += bare.join('') + source.slice(at);
    yield;
  }

  *#findBrackets(): Generator<void> {
    const open: number[] = [];
    for (let at = 0; at <= this.bare.length; at += 1) {
      if (at % slice === 0) {
        yield;
      }
      const mark = this.bare[at] as string;
      const opener = mark === ')' || mark === ']' || mark === '}' ? (open.pop() ?? -1) : -1;
      this.match[at] = opener;
      if (opener !== -1) {
        this.match[opener] = at;
      }
      this.around[at] = open.at(-1) ?? -1;
      if ((mark === '(' || mark === '[' || mark === '{') && open.length < mostNested) {
        open.push(at);
      }
    }
  }

  *#findScopes(): Generator<void> {
    let scope: Scope<T> = { start: 0, end: this.bare.length, parent: undefined, indent: -1, variables: new Map() };
    for (let start = 0; start < this.bare.length;) {
      const newline = this.bare.indexOf('\n', start);
      const end = newline === -1 ? this.bare.length : newline;
      const line = this.bare.slice(start, end);
      const indent = line.search(/\S/);
      if (indent !== -1 && !/^[)\]}{|]|^end\b/.test(line.slice(indent))) {
        while (scope.indent >= indent && scope.parent) {
          scope.end = start;
          scope = scope.parent;
        }
        if (line.length < 400 && !control.test(line) && head.test(line)) {
          scope = { start, end: this.bare.length, parent: scope, indent, variables: new Map() };
        }
      }
      this.#lines.push({ start, end, scope });
      if (this.#lines.length % 100 === 0) {
        yield;
      }
      start = end + 1;
    }
  }
}

/** The last of ordered ranges that begins at a place or before. */
export function lastBefore<T extends { readonly start: number }>(ranges: readonly T[], at: number): T | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as T).start <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ranges[low - 1];
}
