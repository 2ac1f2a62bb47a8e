import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../scripts/workbench/chromium.ts';
import { type CodeServer, installCodeServer, startCodeServer } from '../../scripts/workbench/codeServer.ts';
import { installExtensions, runCommand } from '../support/workbench.ts';

/** So long it is waited for what is written down, in milliseconds. */
const patience = 60_000;

/** A real workbench with packaged extensions, whose windows are measured. */
export class MeasuredWorkbench implements AsyncDisposable {
  readonly #profile: string;
  readonly #server: CodeServer;
  readonly #browser: Browser;

  private constructor(profile: string, server: CodeServer, browser: Browser) {
    this.#profile = profile;
    this.#server = server;
    this.#browser = browser;
  }

  /**
   * @param packages of the extensions.
   * @param atStart whether they activate by themselves; otherwise their first command or view activates them.
   */
  static async start(packages: readonly string[], atStart: boolean): Promise<MeasuredWorkbench> {
    const profile = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
    const folder = join(profile, 'workspace');
    await mkdir(folder);
    const entry = await installCodeServer();
    await installExtensions(entry, profile, packages);
    if (!atStart) {
      await dropActivationEvents(join(profile, 'extensions'));
    }
    const env = { BEACON_BENCH_RESULTS: join(profile, 'results.json') };
    const server = await startCodeServer(entry, { folder, profile, env });
    return new MeasuredWorkbench(profile, server, await launchChromium());
  }

  /** Opens a window with a profile of its own, which stays until its context is closed. */
  async open(): Promise<Page> {
    // Lists have rows for what there is room for alone.
    const context = await this.#browser.newContext({ viewport: { width: 1200, height: 4000 } });
    const page = await context.newPage();
    await this.load(page);
    return page;
  }

  /** Loads a window, also a second time, with what the first one has kept. */
  async load(page: Page): Promise<void> {
    await page.goto(this.#server.url());
    // A palette that is opened before the extensions are known never lists their commands.
    await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  }

  /** Runs a command that writes down what it has measured, and returns that. */
  async measure(page: Page, command: string): Promise<unknown> {
    const file = join(this.#profile, 'results.json');
    await runCommand(page, command);
    const end = performance.now() + patience;
    while (performance.now() < end) {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text !== '') {
        await rm(file);
        return JSON.parse(text) as unknown;
      }
      await setTimeout(100);
    }
    throw new Error(`${command} has written down nothing.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#server[Symbol.asyncDispose]();
  }
}

async function dropActivationEvents(extensionsDir: string): Promise<void> {
  for (const name of await readdir(extensionsDir)) {
    const file = join(extensionsDir, name, 'package.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) {
      const { activationEvents: _, ...manifest } = JSON.parse(text) as Record<string, unknown>;
      await writeFile(file, JSON.stringify(manifest));
    }
  }
}
