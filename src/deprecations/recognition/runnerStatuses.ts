import { changeOf } from '../catalogue.ts';
import type { Finding } from './findings.ts';
import type { Flow } from './flow.ts';
import type { Source, Sources } from './sources.ts';
import type { Token } from './tokens.ts';

const equals = /^(?:==|===|!=|!==|eq|ne|is|eql|-eq|-ne)$/;
const equalCall = /^(?:equals|equalsIgnoreCase|Equals|eq|equal|contentEquals|equal\?|eql\?|EqualFold)$/;

/** Finds values that programs compare the status of a runner with. */
export class RunnerStatusFinder {
  readonly #flow: Flow;
  readonly #sources: Sources;

  constructor(flow: Flow, sources: Sources) {
    this.#flow = flow;
    this.#sources = sources;
  }

  /** What is found at a text, such as "active". */
  at(index: number, token: Token): Finding | undefined {
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
      return this.#sources.ofExpression(token.after + 1, program.endOfExpression(token.after + 1));
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
      return this.#sources.ofExpression(close + 4, program.endOfExpression(close + 4));
    }
    return this.#switched(index, parent);
  }

  #statusOf(last: number): Source | undefined {
    const chain = this.#flow.chainEndingAt(last);
    if (chain.origin) {
      return this.#sources.ofOrigin(chain.origin);
    }
    // `runner.status`, where the name alone says what it is
    const { program } = this.#flow;
    const isIndexed = program.isMark(last, ']') && program.at(last - 1) === 'status';
    const isMember = program.at(last) === 'status' && program.isDot(last - 1);
    const base = isIndexed ? this.#sources.ofChain(last - 3) : isMember ? this.#sources.ofChain(last - 2) : undefined;
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
          return this.#sources.ofExpression(start, program.isMark(at + 1, '(') ? block - 1 : block);
        }
      }
    } else if (isCase) {
      for (let at = index - 2; at >= Math.max(0, index - 80); at -= 1) {
        if (
          /^(?:case|match)$/.test(program.at(at)) &&
          program.statement[at] !== program.statement[index] &&
          !program.isText(at + 1)
        ) {
          return this.#sources.ofExpression(at + 1, program.endOfStatement(program.statement[at] ?? at));
        }
      }
    }
    return undefined;
  }
}
