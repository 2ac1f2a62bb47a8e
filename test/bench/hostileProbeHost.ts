import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type * as vscode from 'vscode';

/** The file to write to, which the bundler fills in. */
declare const resultsFile: string;

/** Milliseconds between two lines. */
const interval = 500;

/**
 * Writes down, line by line, how late the event loop of its extension host was at worst, which all extensions share: `pid time delay`,
 * in milliseconds. A host that ended leaves lines of another process after it.
 */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const timer = setInterval(() => {
    appendFileSync(resultsFile, `${process.pid} ${Date.now()} ${(delay.max / 1e6).toFixed(1)}\n`);
    delay.reset();
  }, interval);
  subscriptions.push({
    dispose: () => {
      clearInterval(timer);
      delay.disable();
    },
  });
}
