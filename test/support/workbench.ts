import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page, ViewportSize } from 'playwright-core';
import { packagedExtension } from '../../scripts/packaging.ts';
import { testFolder } from '../../scripts/project.ts';
import { launchWithProfile } from '../../scripts/workbench/chromium.ts';
import {
  codeServerEnvironment,
  installCodeServer,
  nodeFor,
  profileFlags,
  startCodeServer,
  type CodeServer,
} from '../../scripts/workbench/codeServer.ts';

/** What a workbench is opened with. */
export interface WorkbenchOptions {
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the opened folder holds, by the paths of the files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Packaged extensions that are installed as well. */
  readonly extensions?: readonly string[];
}

/** A real workbench with the packaged extension installed, in a profile of its own. */
export class Workbench {
  /** The folder that is opened. */
  readonly folder: string;
  readonly #profile: string;
  readonly #server: CodeServer;
  readonly #browser: BrowserContext;

  private constructor(profile: string, folder: string, server: CodeServer, browser: BrowserContext) {
    [this.#profile, this.folder, this.#server, this.#browser] = [profile, folder, server, browser];
  }

  static async start({ settings = {}, files = {}, extensions = [] }: WorkbenchOptions = {}): Promise<Workbench> {
    const profile = await mkdtemp(join(tmpdir(), 'beacon-ui-'));
    const entry = await installCodeServer();
    await installExtensions(entry, profile, [packagedExtension, ...extensions]);
    const folder = await mkdtemp(join(profile, 'workspace-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const server = await startCodeServer(entry, {
      ...{ folder, profile, settings: { ...keepLists, ...settings } },
      hasAllExtensions: false,
    });
    const browser = await launchWithProfile(join(profile, 'browser'));
    // The other windows of a machine share its clock; see shiftedClock.cjs.
    await browser.addInitScript(`globalThis.beaconClockOffset = ${Number(process.env['BEACON_CLOCK_OFFSET'] ?? 0)};`);
    await browser.addInitScript({ path: join(import.meta.dirname, 'shiftedClock.cjs') });
    return new Workbench(profile, folder, server, browser);
  }

  /** Opens a window at the Beacon view container, signed out. */
  async open(viewport: ViewportSize = { width: 1200, height: 800 }): Promise<Page> {
    const page = this.#browser.pages()[0] ?? (await this.#browser.newPage());
    await page.setViewportSize(viewport);
    await page.goto(this.#server.url());
    await page.getByRole('tab', { name: 'Beacon' }).click();
    // Where the pointer rests, a hover appears sooner or later, and takes the clicks of what is below it.
    await page.mouse.move(viewport.width - 50, viewport.height / 2);
    return page;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#server[Symbol.asyncDispose]();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Lists stay open when a view takes the focus, which it does at the end of a sign-in: a test goes on faster than a user, who would
 * not have opened one by then.
 */
const keepLists = { 'workbench.quickOpen.closeOnFocusLost': false };

/**
 * Installs packaged extensions.
 *
 * @param entry of the workbench, as `installCodeServer` gives it.
 * @throws Error with what the installation printed, if it fails.
 */
export async function installExtensions(entry: string, profile: string, packages: readonly string[]): Promise<void> {
  const args = [
    entry,
    ...profileFlags(profile),
    ...packages.flatMap((extension) => ['--install-extension', extension]),
  ];
  await promisify(execFile)(nodeFor(entry), args, { env: codeServerEnvironment() });
}

/** Keeps a picture of the window in which a test has failed. */
export async function keepPictureOfFailure(page: Page, test: Mocha.Test | undefined): Promise<void> {
  if (test?.state === 'failed') {
    await page.screenshot({ path: join(testFolder, 'failures', `${test.fullTitle()}.png`) });
  }
}

/** The input of the palette. All questions have one input: it is told by its placeholder from one that is still closing. */
export function paletteOf(page: Page): Locator {
  return page.getByPlaceholder('Type the name of a command to run');
}

/** Runs a command by the palette. Resolves when the palette has closed: one that is opened before goes with it. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const palette = paletteOf(page);
  await page.keyboard.press('F1');
  await palette.fill(`>${title}`);
  // Rows are highlighted once the list is narrowed down: before, they are still to move below the pointer.
  const narrowed = page.getByRole('option', { name: title }).filter({ has: page.locator('.highlight') });
  await narrowed.first().click();
  await palette.waitFor({ state: 'hidden' });
}

/**
 * Chooses from the context menu of an item. By Enter: for a moment after a menu has opened VS Code takes no click, so
 * that the one that opened it chooses nothing.
 */
export async function chooseFromMenu(item: Locator, title: string): Promise<void> {
  await item.click({ button: 'right' });
  await item.page().getByRole('menuitem', { name: title }).hover();
  await item.page().keyboard.press('Enter');
}

/** Gives up a question. A palette that is opened while the input of the question is going goes with it. */
export async function closeQuickInput(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/**
 * Takes what a text names from a list that searches by name as one types. By Enter, which waits for the answer: a click on a row is
 * lost if the answer replaces it meanwhile.
 */
export async function takeFound(page: Page, text: string): Promise<void> {
  const field = page.getByPlaceholder(/search.* by name, path, ID or web address/i);
  await field.fill(text);
  await field.press('Enter');
}

/** Pins a project to the Error Tracking view as a newcomer would; resolves when its rows are those that stay. */
export async function pinProject(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Pin Project' }).first().click();
  await takeFound(page, path);
  // The button is there once its state is known, with which the rows are read again: a menu that opens before is closed by that.
  const project = page.getByRole('treeitem', { name: `Project ${path}, pinned` });
  await project.getByRole('button', { name: 'Create Client Key' }).waitFor();
}

/** What VS Code shows below the input of a question. */
export function questionMessage(page: Page): Locator {
  return page.locator('.quick-input-widget .quick-input-message');
}

/** The list of messages, opened: beside it a message is shown for some seconds alone. */
export async function openMessages(page: Page): Promise<Locator> {
  await runCommand(page, 'Notifications: Show Notifications');
  return page.locator('.notifications-center');
}
