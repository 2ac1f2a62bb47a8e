import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Violations } from './violations.ts';

const megabyte = 1024 * 1024;
/** What a day may leave behind, in megabytes: loaded pages of feeds, forms that were opened. */
const mostGrowth = 16;

/** The heap of the extension host after a garbage collection, first and last. */
export class Memory {
  readonly #violations: Violations;
  readonly #collect: () => void;
  /** Megabytes. */
  first: number | undefined;
  last = 0;

  constructor(violations: Violations) {
    this.#violations = violations;
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
  }

  /** Measures now; the first time is what later ones are compared with. */
  measure(): void {
    this.#collect();
    this.last = process.memoryUsage().heapUsed / megabyte;
    this.first ??= this.last;
    const growth = this.last - this.first;
    if (growth > mostGrowth) {
      this.#violations.add('memory', `the heap grew by ${growth.toFixed(1)} MB`);
    }
  }
}
