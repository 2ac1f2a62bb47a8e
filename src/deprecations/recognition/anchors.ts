import type { ChangeId, Resource } from '../catalogue.ts';
import { addressesIn, type Address } from './addresses.ts';
import { evidenceIn, type Evidence } from './evidence.ts';
import type { LibraryCall } from './libraries.ts';
import type { JoinedText } from './placedTexts.ts';
import type { Program } from './program.ts';
import { serving } from './words.ts';

/** A place where a program says which endpoint it means: an address, or a call of a library. */
export interface Anchor {
  readonly token: number;
  readonly resource: Resource | undefined;
  /** The change of the endpoint itself, with its place in the source. */
  readonly change: { readonly id: ChangeId; readonly start: number; readonly end: number } | undefined;
  readonly address: Address | undefined;
  /** Whether the place itself says that it is about API v4. */
  readonly isCertain: boolean;
}

/** Finds the anchors of a program. */
export class AnchorFinder {
  readonly #program: Program;
  readonly #evidence: Evidence;
  readonly #libraryCall: ((call: string) => LibraryCall | undefined) | undefined;

  constructor(program: Program, libraryCall: ((call: string) => LibraryCall | undefined) | undefined) {
    this.#program = program;
    this.#evidence = evidenceIn(program.tokens);
    this.#libraryCall = libraryCall;
  }

  /** The addresses in a text that begins at a token. */
  inText(index: number, text: JoinedText): Anchor[] {
    const isCommand = this.#program.syntax === undefined && !this.#isArgumentOfGlab(index);
    return addressesIn(text, isCommand).flatMap((address): Anchor[] => {
      if (!address.isExplicit && !this.#isBelievable(index, address)) {
        return [];
      }
      const { change, resource } = address.endpoint;
      return [
        {
          token: index,
          resource,
          change: change && address.changed && { id: change.id, start: address.start, end: address.end },
          address,
          isCertain: address.isExplicit,
        },
      ];
    });
  }

  /** The call of a library at the name of a method. */
  atCall(index: number): Anchor | undefined {
    const program = this.#program;
    if (!this.#libraryCall || !/^(?:\.|\?\.|&\.)$/.test(program.at(index - 1))) {
      return undefined;
    }
    let before = index - 2;
    if (program.isMark(before, ')')) {
      before = (program.partner[before] ?? 0) - 1;
    }
    const call = this.#libraryCall(`${program.at(before)}.${program.at(index)}`);
    const [from, to] = [program.tokens[before], program.tokens[index]];
    return (
      call && {
        token: index,
        resource: call.resource,
        change: call.change && from && to && { id: call.change, start: from.start, end: to.end },
        address: undefined,
        isCertain: false,
      }
    );
  }

  /** Whether a path that does not name API v4 is meant for it. */
  #isBelievable(index: number, { endpoint }: Address): boolean {
    if (this.#isServed(index)) {
      return false;
    }
    if (endpoint.distinctive ? this.#evidence !== 'none' : this.#evidence === 'apiV4') {
      return true;
    }
    return this.#evidence === 'gitlab' && /gitlab|^gl$/i.test(this.#calleeWords(index));
  }

  /** Whether a path is one that the program itself serves. */
  #isServed(index: number): boolean {
    const open = this.#program.parent[index] ?? -1;
    const [callee, dot, receiver] = [1, 2, 3].map((distance) => this.#program.at(open - distance));
    return serving.test(callee ?? '') || (/^(?:\.|->|::)$/.test(dot ?? '') && serving.test(receiver ?? ''));
  }

  #calleeWords(index: number): string {
    const program = this.#program;
    let at = (program.parent[index] ?? 0) - 1;
    while (at > 0 && (program.isWord(at) || /^(?:\.|->|::|\?\.)$/.test(program.at(at)))) {
      if (/gitlab|^gl$/i.test(program.at(at))) {
        return program.at(at);
      }
      at -= 1;
    }
    return '';
  }

  #isArgumentOfGlab(index: number): boolean {
    const program = this.#program;
    for (let at = index - 1; at >= (program.statement[index] ?? 0); at -= 1) {
      if (program.isText(at) && program.at(at) === 'api' && program.at(at - 1) === 'glab') {
        return true;
      }
    }
    return false;
  }
}
