import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type CodeServerOptions, installCodeServer, startCodeServer } from './codeServer.ts';

export interface HostRunOptions extends CodeServerOptions {
  /** The folder of the extension that is loaded. */
  readonly developmentPath: string;
  /** The module whose `run()` the extension host calls. */
  readonly testsPath: string;
  /** The size of the window. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether the page is drawn, and takes clicks; it does by default. */
  readonly isSeen?: boolean;
  /** Timeout in milliseconds; none by default. */
  readonly deadline?: number;
  /** Called with what the extension host writes to its console, such as `error` and its arguments. */
  readonly onLog?: (type: string, args: readonly unknown[]) => void;
  /** Does something with the page before the workbench is opened in it. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/**
 * Starts a workbench, opens it in a browser, and waits until `run()` of a module in its extension host has settled.
 *
 * @returns the exit code: 0 if it has resolved.
 * @throws Error if the page crashes or the deadline passes, with what was logged last.
 */
export async function runInHost(options: HostRunOptions): Promise<number> {
  await using server = await startCodeServer(await installCodeServer(), options);
  await using browser = await launchChromium(options.isSeen);
  const page = await browser.newPage({ viewport: options.viewport ?? { width: 1280, height: 720 } });
  const ended = Promise.withResolvers<number>();
  let last = 'nothing';
  await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
    last = args.map(String).join(' ');
    options.onLog?.(type, args);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
  page.on('crash', () => ended.reject(new Error('The browser page of the workbench crashed.')));
  const late = (): void => ended.reject(new Error(`The run does not end. Last it logged: ${last}`));
  using _timer = options.deadline === undefined ? undefined : setTimeout(late, options.deadline);
  await options.prepare?.(page);
  const { developmentPath: extensionDevelopmentPath, testsPath: extensionTestsPath } = options;
  await page.goto(server.url({ extensionDevelopmentPath, extensionTestsPath }));
  return await ended.promise;
}
