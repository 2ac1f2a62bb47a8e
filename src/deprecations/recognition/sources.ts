import type { Resource } from '../catalogue.ts';
import type { Origin } from './bindings.ts';
import type { Flow } from './flow.ts';
import { resourceOfChain } from './origins.ts';

/** What a program reads something from: a record of a resource, or the status of a runner. */
export interface Source {
  readonly of: Origin['of'];
  readonly certain: boolean;
  readonly fromLibrary: boolean;
}

/** Tells what a program reads from. */
export class Sources {
  readonly #flow: Flow;
  /** Resources that some call of the program is about: only then a name alone is a hint. */
  readonly #called: ReadonlySet<Resource | undefined>;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.#called = new Set(flow.allAnchors.map(({ resource }) => resource));
  }

  /** What the chain leads to that ends with a token, or speaks of by its name. */
  ofChain(last: number): Source | undefined {
    const chain = this.#flow.chainEndingAt(last);
    const source = resourceOfChain(chain);
    return source && (chain.origin || this.#called.has(source.of as Resource)) ? source : undefined;
  }

  /** What the value of an expression is. */
  ofExpression(start: number, end: number): Source | undefined {
    return this.ofOrigin(this.#flow.originOf(start, end));
  }

  ofOrigin(origin: Origin | undefined): Source | undefined {
    return origin?.kind === 'value' ? origin : undefined;
  }
}
