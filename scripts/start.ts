import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/server.ts';
import { bundleExtension } from './bundle.ts';
import { DemoRepository, demoProject, fileToOpen } from './demoRepository.ts';
import { readOptions } from './options.ts';
import { step, temporaryFolder } from './processes.ts';
import { projectRoot } from './project.ts';
import { findRow } from '../test/support/activityView.ts';
import { launchChromium } from './workbench/chromium.ts';
import { installCodeServer, startCodeServer } from './workbench/codeServer.ts';

const help = `Usage: npm start [-- options]
  --check     verify in a headless browser that every view and page has something to show, then end`;

if (import.meta.main) {
  const { values } = readOptions(help, { options: { check: { type: 'boolean', default: false } } });
  await using demo = await startDemo(values.check);
  if (values.check) {
    await check(demo.url);
  } else {
    console.log(`\nThe sandbox instance:  ${demo.sandbox}\nOpen this in a browser: ${demo.url}\n\nCtrl+C ends both.`);
    const { promise: interrupted, resolve } = Promise.withResolvers<void>();
    // Ctrl+C comes twice: from the terminal, and from npm, which passes it on. A second one must not end the cleaning up.
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
    await interrupted;
  }
}

/**
 * Starts VS Code with the demo repository, signed in to a sandbox with this project.
 *
 * @param isChecked whether a program looks at it: nothing happens in the feed, and only this extension and what it needs is there.
 * @returns the addresses of the workbench and of the sandbox, which end with what is returned.
 */
export async function startDemo(isChecked: boolean) {
  await using left = new AsyncDisposableStack();
  const { path: profile } = left.use(await temporaryFolder());
  // Not in dist/, which tests use that run beside it.
  const extension = join(profile, 'extensions', 'beacon-gitlab.beacon-gitlab');
  await step('Building the extension', () => bundleExtension('development', extension));
  for (const part of ['package.json', 'l10n', 'media']) {
    await cp(join(projectRoot, part), join(extension, part), { recursive: true });
  }
  const demo = new DemoRepository(join(profile, 'tide-table'));
  const sandbox = await startSandbox({ liveEvents: !isChecked, pushCommits: demo.push });
  left.defer(() => sandbox.close());
  await demo.finish(sandbox);
  // The project gets notification settings that are not those of every project.
  await fetch(`${sandbox.url}/api/v4/projects/${encodeURIComponent(demoProject)}/notification_settings`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ level: 'custom', new_merge_request: true, failed_pipeline: true, new_note: false }),
  });
  const entry = await installCodeServer();
  const options = {
    folder: demo.folder,
    profile,
    settings: { 'editor.minimap.enabled': false },
    // Signs a development build in; see src/main.ts.
    env: { BEACON_DEVELOPMENT_ACCOUNT: JSON.stringify({ instanceUrl: sandbox.url, token: sandbox.tokens.owner }) },
    hasAllExtensions: !isChecked,
    // Where it takes one, the workbench believes that a program drives it, and shows no messages.
    takesDevelopmentExtension: false,
  };
  const server = left.use(await step('Starting VS Code', () => startCodeServer(entry, options)));
  console.error(`Up after ${process.uptime().toFixed(0)} s.`);
  const stack = left.move();
  return {
    url: server.url({ openFile: join(demo.folder, fileToOpen) }),
    sandbox: sandbox.url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function check(url: string): Promise<void> {
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(url);
  // Once midnight has passed, what the sandbox has made for today is of yesterday.
  const day = await findRow(page, /^(Today|Yesterday)/);
  const problems = page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ });
  console.log(`Checked: the Activity view has events (${await day.getAttribute('aria-label')}).`);
  console.log(`Checked: ${fileToOpen} has problems and hints (${await problems.getAttribute('aria-label')}).`);
  await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
  console.log('Checked: the Error Tracking view has a client key.');
  const { NotificationForm } = await import('../test/support/notificationForm.ts');
  await new NotificationForm(page).open(demoProject);
  console.log(`Checked: there are notification settings of ${demoProject}.`);
}
