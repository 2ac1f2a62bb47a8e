import { changeOf, type Resource } from '../catalogue.ts';
import type { Origin } from './bindings.ts';
import type { Finding } from './findings.ts';
import { receivedNames } from './findings.ts';
import { fixOfReceived, negated } from './fixes.ts';
import type { Flow } from './flow.ts';
import { type Chain, resourceOfChain } from './origins.ts';
import type { Token } from './tokens.ts';
import { reading } from './words.ts';

interface Source {
  readonly of: Origin['of'];
  readonly certain: boolean;
  readonly fromLibrary: boolean;
}

const equals = /^(?:==|===|!=|!==|eq|ne|is|eql|-eq|-ne)$/;
const equalCall = /^(?:equals|equalsIgnoreCase|Equals|eq|equal|contentEquals|equal\?|eql\?|EqualFold)$/;

/** The names as a library writes them in a language whose members begin with capitals. */
const capitalized = new Map(
  [...receivedNames.keys()].map((name) => [
    name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replace(/^Ip/, 'IP'),
    name,
  ]),
);

/** Finds fields that programs read from what API v4 answers. */
export class FieldFinder {
  readonly #flow: Flow;
  /** Resources that some call of the program is about: only then a name alone is a hint. */
  readonly #called: ReadonlySet<Resource | undefined>;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.#called = new Set(flow.allAnchors.map(({ resource }) => resource));
  }

  /** What is found at a token. */
  at(index: number): Finding | undefined {
    const token = this.#flow.program.tokens[index];
    if (!token || (token.kind !== 'word' && token.kind !== 'text')) {
      return undefined;
    }
    if (receivedNames.has(token.text)) {
      return this.#field(index, token, token.text);
    }
    if (token.kind === 'text' && (token.text === 'active' || token.text === 'paused')) {
      return this.#status(index, token);
    }
    const name = token.kind === 'word' ? capitalized.get(token.text) : undefined;
    return name === undefined ? undefined : this.#field(index, token, name);
  }

  #field(index: number, token: Token, name: string): Finding | undefined {
    const change = receivedNames.get(name);
    const source = this.#sourceOf(index);
    if (!change || !source || !(change.of as readonly string[]).includes(source.of)) {
      const other = token.text === 'active' && token.kind === 'text' ? this.#status(index, token) : undefined;
      return other;
    }
    if (token.text !== name && !source.fromLibrary) {
      return undefined;
    }
    const place =
      token.kind === 'text'
        ? { start: token.parts[0]?.start ?? token.start, end: token.parts.at(-1)?.end ?? token.end }
        : token;
    const range = { start: place.start, end: place.end };
    // `{ merged_by }` is the name of a variable, too.
    const { program } = this.#flow;
    const isVariable =
      program.isMark(program.parent[index] ?? -1, '{') &&
      /^[{,]$/.test(program.at(index - 1)) &&
      program.at(index + 1) !== ':';
    const fix = isVariable
      ? undefined
      : change.id === 'runnerActive'
        ? this.#fixOfActive(index, token)
        : fixOfReceived(change.id, range);
    return {
      change: change.id,
      ...range,
      confidence: source.certain ? 'certain' : 'likely',
      fix: token.text === name && !source.fromLibrary ? fix : undefined,
    };
  }

  /** What a name is read from. */
  #sourceOf(index: number): Source | undefined {
    const { program } = this.#flow;
    const token = program.tokens[index];
    const isText = token?.kind === 'text';
    const next = isText ? token.after : index + 1;
    if (!isText && program.isDot(index - 1) && program.at(next) !== '(') {
      return this.#ofChain(index - 2);
    }
    if (isText && program.isMark(index - 1, '[') && program.isMark(next, ']')) {
      return this.#ofChain(index - 2);
    }
    const parent = program.parent[index] ?? -1;
    if (isText && program.isMark(parent, '(') && reading.test(program.at(parent - 1))) {
      return this.#ofReading(index, parent);
    }
    if (isText && program.at(next) === 'in') {
      return this.#ofOrigin(this.#flow.originOf(next + 1, program.endOfExpression(next + 1)));
    }
    return program.isMark(parent, '{') && /^[{,]$/.test(program.at(index - 1))
      ? this.#ofPattern(index, parent)
      : undefined;
  }

  #ofChain(last: number): Source | undefined {
    return this.#ofFound(this.#flow.chainEndingAt(last));
  }

  #ofFound(chain: Chain): Source | undefined {
    const source = resourceOfChain(chain);
    return source && (chain.origin || this.#called.has(source.of as Resource)) ? source : undefined;
  }

  #ofOrigin(origin: Origin | undefined): Source | undefined {
    return origin?.kind === 'value' ? origin : undefined;
  }

  /** `x.get("name")`, `getattr(x, "name")` */
  #ofReading(index: number, open: number): Source | undefined {
    const { program } = this.#flow;
    if (index === open + 1) {
      return program.isDot(open - 2) ? this.#ofChain(open - 3) : undefined;
    }
    const first = program.endOfExpression(open + 1);
    return first === index - 1 ? this.#ofChain(first - 1) : undefined;
  }

  /** `const { name } = x`, `for (const { name } of xs)`, `({ name }) => …` */
  #ofPattern(index: number, open: number): Source | undefined {
    const { program } = this.#flow;
    const close = program.partner[open] ?? -1;
    if (close < open) {
      return undefined;
    }
    if (program.isMark(close + 1, '=') || program.at(close + 1) === 'of') {
      return this.#ofOrigin(this.#flow.originOf(close + 2, program.endOfExpression(close + 2)));
    }
    if (program.isMark(open - 1, ':') && /^(?:data|body|value|result)$/.test(program.at(open - 2))) {
      return this.#ofPattern(open - 2, program.parent[open] ?? -1);
    }
    const binding = this.#flow.lookUp(program.at(index), index);
    return binding?.isParameter === true && binding.start === index ? this.#ofOrigin(binding.origin) : undefined;
  }

  /** `x.active` means `!x.paused`. Only for a simple read in a language whose operator is known. */
  #fixOfActive(index: number, token: Token): Finding['fix'] {
    const { program } = this.#flow;
    const { syntax } = program;
    const isMember = token.kind === 'word' && program.isMark(index - 1, '.');
    const isIndexed = token.kind === 'text' && program.isMark(index - 1, '[') && program.isMark(token.after, ']');
    if (!syntax || (!isMember && !isIndexed)) {
      return undefined;
    }
    const last = isIndexed ? token.after : index;
    const start = this.#flow.startOfChain(index - 2);
    const [first, end] = [program.tokens[start], program.tokens[last]?.end];
    const [before, after] = [program.at(start - 1), program.at(last + 1)];
    // Assigned to, called, or part of a longer chain: there the value is not simply read.
    if (
      !first ||
      end === undefined ||
      /^(?:=|\.|\[|\(|\?\.|\+=|:=|\|\|=)$/.test(after) ||
      before === 'await' ||
      before === 'new'
    ) {
      return undefined;
    }
    const name = { start: token.parts[0]?.start ?? token.start, end: token.parts.at(-1)?.end ?? token.end };
    if (/^(?:==|===)$/.test(after) && /^(?:true|false)$/i.test(program.at(last + 2))) {
      const literal = program.tokens[last + 2];
      return (
        literal && {
          to: 'paused',
          edits: [
            { ...name, text: 'paused' },
            { start: literal.start, end: literal.end, text: negated(literal.text) },
          ],
        }
      );
    }
    if (before === '!' && syntax.blocks === 'braces') {
      const not = program.tokens[start - 1];
      return (
        not && {
          to: 'paused',
          edits: [
            { start: not.start, end: not.end, text: '' },
            { ...name, text: 'paused' },
          ],
        }
      );
    }
    const [open, close] =
      syntax.blocks === 'indent' ? ['(not ', ')'] : syntax.blocks === 'braces' ? ['!', ''] : ['!', ''];
    return {
      to: 'paused',
      edits: [
        { start: first.start, end: first.start, text: open },
        { ...name, text: 'paused' },
        ...(close === '' ? [] : [{ start: end, end, text: close }]),
      ],
    };
  }

  /** A value that a runner's status is compared with. */
  #status(index: number, token: Token): Finding | undefined {
    const source = this.#comparedWith(index, token);
    const { subject } = changeOf('runnerStatus');
    if (source?.of !== 'runnerStatus' || subject.kind !== 'value' || !subject.received) {
      return undefined;
    }
    return {
      change: 'runnerStatus',
      start: token.parts[0]?.start ?? token.start,
      end: token.parts.at(-1)?.end ?? token.end,
      confidence: source.certain ? 'certain' : 'likely',
      fix: undefined,
    };
  }

  #comparedWith(index: number, token: Token): Source | undefined {
    const { program } = this.#flow;
    if (equals.test(program.at(index - 1))) {
      return this.#statusOf(index - 2);
    }
    if (equals.test(program.at(token.after))) {
      return this.#ofOrigin(this.#flow.originOf(token.after + 1, program.endOfExpression(token.after + 1)));
    }
    const parent = program.parent[index] ?? -1;
    const callee = program.at(parent - 1);
    if (program.isMark(parent, '(') && equalCall.test(callee) && program.isDot(parent - 2)) {
      return this.#statusOf(parent - 3);
    }
    if (parent >= 0 && callee === 'in') {
      return this.#statusOf(program.at(parent - 2) === 'not' ? parent - 3 : parent - 2);
    }
    const close = program.partner[parent] ?? -1;
    if (
      close > parent &&
      program.isDot(close + 1) &&
      /^(?:includes|include\?|contains|include)$/.test(program.at(close + 2))
    ) {
      return this.#ofOrigin(this.#flow.originOf(close + 4, program.endOfExpression(close + 4)));
    }
    return this.#switched(index, parent);
  }

  #statusOf(last: number): Source | undefined {
    const chain = this.#flow.chainEndingAt(last);
    if (chain.origin) {
      return this.#ofOrigin(chain.origin);
    }
    // `runner.status`, where the name alone says what it is
    const { program } = this.#flow;
    const isIndexed = program.isMark(last, ']') && program.at(last - 1) === 'status';
    const isMember = program.at(last) === 'status' && program.isDot(last - 1);
    const base = isIndexed ? this.#ofChain(last - 3) : isMember ? this.#ofChain(last - 2) : undefined;
    return base?.of === 'runner' ? { ...base, of: 'runnerStatus' } : undefined;
  }

  /** `switch (status) { case "active": …`, `case status when "active"`, `match status { "active" => …` */
  #switched(index: number, parent: number): Source | undefined {
    const { program } = this.#flow;
    let block = parent;
    if (program.isMark(block, '(') && program.at(block - 1) === 'Some') {
      block = program.parent[block] ?? -1;
    }
    const isCase = /^(?:case|when)$/.test(program.at(index - 1));
    if (
      program.isMark(block, '{') &&
      (isCase || program.isMark((program.tokens[index]?.after ?? index) + (block === parent ? 0 : 1), '=>'))
    ) {
      const statement = program.statement[block] ?? 0;
      for (let at = block - 1; at >= statement; at -= 1) {
        if (/^(?:switch|match|when)$/.test(program.at(at))) {
          const start = program.isMark(at + 1, '(') ? at + 2 : at + 1;
          return this.#ofOrigin(this.#flow.originOf(start, program.isMark(at + 1, '(') ? block - 1 : block));
        }
      }
    } else if (isCase) {
      for (let at = index - 2; at >= Math.max(0, index - 80); at -= 1) {
        if (
          /^(?:case|match)$/.test(program.at(at)) &&
          program.statement[at] !== program.statement[index] &&
          !program.isText(at + 1)
        ) {
          return this.#ofOrigin(this.#flow.originOf(at + 1, program.endOfStatement(program.statement[at] ?? at)));
        }
      }
    }
    return undefined;
  }
}
