import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchWithProfile } from '../../scripts/workbench/chromium.ts';
import { startWebHost } from './webHost.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';

/** A window of VS Code for the Web with the packaged extension, its view open, and a sandbox of another origin. */
export interface WebWindow {
  readonly browser: BrowserContext;
  readonly page: Page;
  readonly sandbox: Sandbox;
}

/** What is to be closed after the last test. */
const closing: (() => Promise<unknown>)[] = [];
let browser: Promise<BrowserContext> | undefined;
let shared: Promise<WebWindow> | undefined;

after(async () => {
  for (const close of closing.splice(0).reverse()) {
    await close();
  }
  [browser, shared] = [undefined, undefined];
});

/** The browser that all tests of a job share, started on the first call. */
export function sharedBrowser(): Promise<BrowserContext> {
  return (browser ??= startBrowser());
}

/** The window that all tests of a job share, opened on the first call. Who signs in there signs out again. */
export function sharedWindow(): Promise<WebWindow> {
  return (shared ??= openWindow());
}

async function startBrowser(): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-browser-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const context = await launchWithProfile(folder);
  closing.push(() => context.close());
  return context;
}

async function openWindow(): Promise<WebWindow> {
  const context = await sharedBrowser();
  const sandbox = await startSandbox({ liveEvents: false });
  closing.push(() => sandbox.close());
  const host = await startWebHost(
    { 'package.json': '{ "name": "program", "dependencies": { "@sentry/node": "10" } }', 'main.js': '' },
    { 'beacon.sandbox.liveEvents': false, 'workbench.quickOpen.closeOnFocusLost': false },
  );
  closing.push(async () => await host[Symbol.asyncDispose]());
  const page = await context.newPage();
  closing.push(() => page.close());
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(host.url);
  await page.getByRole('tab', { name: 'Beacon' }).click();
  await page.mouse.move(1150, 400);
  return { browser: context, page, sandbox };
}
