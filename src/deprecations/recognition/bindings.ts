import type { Resource } from '../catalogue.ts';

/** Where a value comes from: the address of an endpoint, or what the endpoint answers. */
export interface Origin {
  /** `runnerStatus` is the status of a runner. */
  readonly of: Resource | 'runnerStatus';
  readonly kind: 'address' | 'value';
  /** Whether every step from a call that says it is of API v4 is seen. */
  readonly certain: boolean;
  /** Whether a client library gave it, with names of its own for fields. */
  readonly fromLibrary: boolean;
}

/** The origin of what is answered at an address, or of a part of a value. */
export function asValue(origin: Origin | undefined): Origin | undefined {
  return origin && { ...origin, kind: 'value' };
}

/** A name that is given a value at a place in a program. All numbers are indices of tokens. */
export interface Binding {
  readonly name: string;
  /** The name has this value behind this token … */
  readonly at: number;
  /** … within this range. */
  readonly from: number;
  readonly to: number;
  readonly origin: Origin | undefined;
  /** The text that it is, with U+0000 for what is not known. */
  readonly text: string | undefined;
  readonly isParameter: boolean;
  /** The expression that gives the value. */
  readonly start: number;
  readonly end: number;
}

/** The names of a program in the order of their values. */
export class Bindings {
  readonly #byName = new Map<string, Binding[]>();

  clear(): void {
    this.#byName.clear();
  }

  add(binding: Binding): void {
    const bindings = this.#byName.get(binding.name);
    if (bindings) {
      bindings.push(binding);
    } else {
      this.#byName.set(binding.name, [binding]);
    }
  }

  /** What a name stands for at a place: the last value before it, or what is given below a function that uses it. */
  lookUp(name: string, index: number): Binding | undefined {
    const bindings = this.#byName.get(name) ?? [];
    const isVisible = ({ from, to }: Binding): boolean => from <= index && index < to;
    return (
      bindings.findLast((binding) => binding.at <= index && isVisible(binding)) ??
      bindings.find((binding) => binding.from === 0 && !binding.isParameter && isVisible(binding))
    );
  }
}
