import { startOfChain } from './chains.ts';
import { type Finding, receivedNames } from './findings.ts';
import { fixOfReceived, negated } from './fixes.ts';
import type { Flow } from './flow.ts';
import { RunnerStatusFinder } from './runnerStatuses.ts';
import { type Source, Sources } from './sources.ts';
import type { Token } from './tokens.ts';
import { reading } from './words.ts';

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
  readonly #sources: Sources;
  readonly #statuses: RunnerStatusFinder;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.#sources = new Sources(flow);
    this.#statuses = new RunnerStatusFinder(flow, this.#sources);
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
      return this.#statuses.at(index, token);
    }
    const name = token.kind === 'word' ? capitalized.get(token.text) : undefined;
    return name === undefined ? undefined : this.#field(index, token, name);
  }

  #field(index: number, token: Token, name: string): Finding | undefined {
    const change = receivedNames.get(name);
    const source = this.#sourceOf(index);
    if (!change || !source || !(change.of as readonly string[]).includes(source.of)) {
      return token.text === 'active' && token.kind === 'text' ? this.#statuses.at(index, token) : undefined;
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
      return this.#sources.ofChain(index - 2);
    }
    if (isText && program.isMark(index - 1, '[') && program.isMark(next, ']')) {
      return this.#sources.ofChain(index - 2);
    }
    const parent = program.parent[index] ?? -1;
    if (isText && program.isMark(parent, '(') && reading.test(program.at(parent - 1))) {
      return this.#ofReading(index, parent);
    }
    if (isText && program.at(next) === 'in') {
      return this.#sources.ofExpression(next + 1, program.endOfExpression(next + 1));
    }
    return program.isMark(parent, '{') && /^[{,]$/.test(program.at(index - 1))
      ? this.#ofPattern(index, parent)
      : undefined;
  }

  /** `x.get("name")`, `getattr(x, "name")` */
  #ofReading(index: number, open: number): Source | undefined {
    const { program } = this.#flow;
    if (index === open + 1) {
      return program.isDot(open - 2) ? this.#sources.ofChain(open - 3) : undefined;
    }
    const first = program.endOfExpression(open + 1);
    return first === index - 1 ? this.#sources.ofChain(first - 1) : undefined;
  }

  /** `const { name } = x`, `for (const { name } of xs)`, `({ name }) => …` */
  #ofPattern(index: number, open: number): Source | undefined {
    const { program } = this.#flow;
    const close = program.partner[open] ?? -1;
    if (close < open) {
      return undefined;
    }
    if (program.isMark(close + 1, '=') || program.at(close + 1) === 'of') {
      return this.#sources.ofExpression(close + 2, program.endOfExpression(close + 2));
    }
    if (program.isMark(open - 1, ':') && /^(?:data|body|value|result)$/.test(program.at(open - 2))) {
      return this.#ofPattern(open - 2, program.parent[open] ?? -1);
    }
    const binding = this.#flow.lookUp(program.at(index), index);
    return binding?.isParameter === true && binding.start === index
      ? this.#sources.ofOrigin(binding.origin)
      : undefined;
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
    const start = startOfChain(program, index - 2);
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
}
