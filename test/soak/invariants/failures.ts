import { inspect } from 'node:util';
import type { Violations } from './violations.ts';

/**
 * Records unhandled rejections and exceptions of the product.
 *
 * @param folder of the extension: the host and other extensions have failures of their own.
 */
export function watchFailures(violations: Violations, folder: string): void {
  const note = (error: unknown): void => {
    const text = inspect(error);
    if (text.includes(folder)) {
      violations.add('failures', text.slice(0, 1000));
    }
  };
  process.on('unhandledRejection', note);
  process.on('uncaughtExceptionMonitor', note);
}
