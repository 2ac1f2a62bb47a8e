import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../src/sandbox/server.ts';
import { bundleExtension } from './bundle.ts';
import { DemoRepository, demoProject, fileToOpen } from './demoRepository.ts';
import { readOptions } from './options.ts';
import { step, timeTaken } from './processes.ts';
import { projectRoot } from './project.ts';
import { countEvents, findRow } from './workbench/activityView.ts';
import { launchChromium } from './workbench/chromium.ts';
import { installCodeServer, startCodeServer } from './workbench/codeServer.ts';

const help = `Usage: npm start [-- options]
  --check     verify in a headless browser that the feed has events of today and yesterday, then end
  --port N    the port of the browser-hosted VS Code (default: a free one)`;

const { values } = readOptions(help, {
  options: {
    check: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
  },
});
await start();

async function start(): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'beacon-'));
  try {
    // Tests that run beside it use what is in dist/.
    const built = join(installedExtension(profile), 'dist');
    await step('Building the extension', () => bundleExtension('development', built));
    const demo = new DemoRepository(join(profile, 'tide-table'));
    const sandbox = await startSandbox({ liveEvents: !values.check, pushCommits: demo.push });
    try {
      await demo.finish(sandbox);
      await chooseNotifications(sandbox);
      await open(profile, demo.folder, sandbox);
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/** Gives the demo project notification settings that are not those of every project. */
async function chooseNotifications({ url, tokens }: Sandbox): Promise<void> {
  await fetch(`${url}/api/v4/projects/${encodeURIComponent(demoProject)}/notification_settings`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': tokens.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ level: 'custom', new_merge_request: true, failed_pipeline: true, new_note: false }),
  });
}

/** What signs a development build in to the sandbox; see src/accounts/developmentAccount.ts. */
function signInEnvironment(sandbox: Sandbox): Record<string, string> {
  return { BEACON_DEVELOPMENT_ACCOUNT: JSON.stringify({ instanceUrl: sandbox.url, token: sandbox.tokens.owner }) };
}

async function open(profile: string, folder: string, sandbox: Sandbox): Promise<void> {
  await installManifest(installedExtension(profile));
  const entry = await installCodeServer();
  const options = {
    folder,
    userDataDir: join(profile, 'data'),
    extensionsDir: join(profile, 'extensions'),
    settings: { 'editor.minimap.enabled': false },
    env: signInEnvironment(sandbox),
    port: Number(values.port),
    // What is checked is what this extension shows.
    hasAllExtensions: !values.check,
    // Where it takes one, the workbench believes that a program drives it, and shows no messages.
    takesDevelopmentExtension: false,
  };
  const server = await step('Starting VS Code', () => startCodeServer(entry, options));
  try {
    console.error(`Up after ${timeTaken()}.`);
    const url = server.url({ file: join(folder, fileToOpen) });
    if (values.check) {
      await check(url);
    } else {
      console.log(`\nThe sandbox instance:  ${sandbox.url}\nOpen this in a browser: ${url}\n\nCtrl+C ends both.`);
      await interrupted();
    }
  } finally {
    await server.stop();
  }
}

/** Where the extension is installed in a profile. */
function installedExtension(profile: string): string {
  return join(profile, 'extensions', 'beacon-gitlab.beacon-gitlab');
}

/** Installs all of the extension that is not built. */
async function installManifest(folder: string): Promise<void> {
  for (const part of [
    'package.json',
    'package.nls.json',
    'package.nls.de.json',
    'package.nls.ja.json',
    'l10n',
    'media',
  ]) {
    await cp(join(projectRoot, part), join(folder, part), { recursive: true });
  }
}

async function check(url: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    // Once midnight has passed, what the sandbox has made for today is of yesterday.
    const day = await findRow(page, /^(Today|Yesterday)/);
    const isToday = (await day.textContent())?.startsWith('Today') === true;
    const days = [
      ...(isToday ? [`${await countEvents(day)} of today`] : []),
      `${await countEvents(await findRow(page, /^Yesterday/))} of yesterday`,
    ];
    const problems = page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ });
    const found = await problems.getAttribute('aria-label');
    console.log(`Checked: the Activity view has events: ${days.join(', ')}.`);
    console.log(`Checked: ${fileToOpen} has problems and hints (${found}).`);
  } finally {
    await browser.close();
  }
}

async function interrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Ctrl+C comes twice: from the terminal, and from npm, which passes it on. A second one must not end the cleaning up.
  process.on('SIGINT', () => resolve());
  process.on('SIGTERM', () => resolve());
  await promise;
}
