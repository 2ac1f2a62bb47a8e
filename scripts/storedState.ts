import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from '../src/sandbox/server.ts';
import { NotificationForm } from '../test/support/notificationForm.ts';
import { openSignedIn } from '../test/support/signIn.ts';
import {
  chooseFromMenu,
  closeQuickInput,
  quickInput,
  runCommand,
  stopIdleHosts,
  takeFound,
  Workbench,
} from '../test/support/workbench.ts';
import { projectRoot } from './project.ts';
import { activityRows, countShownEvents } from './workbench/activityView.ts';

// Writes what the packaged extension leaves in a profile to test/host/fixtures/VERSION: the editor's state as JSON, and the files.
// It is read by test/host/migration.test.ts in every later version. Package the version first: npm run package.

/** Runs in the page: the state by the database that it is in, and the secrets by their keys. */
const readState = `async () => {
  const state = {};
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await done(indexedDB.open(name));
    const value = await done(database.transaction('ItemTable').objectStore('ItemTable').get('beacon-gitlab.beacon-gitlab'));
    database.close();
    if (value !== undefined) state[name.endsWith('-global') || name.includes('-global-') ? 'global' : 'workspace'] = JSON.parse(value);
  }
  // As ServerKeyedAESCrypto of VS Code: the key is of two parts, one of which the server has.
  const path = location.pathname.replace(/[/]$/, '') + '/mint-key';
  const ofServer = new Uint8Array(await (await fetch(path, { method: 'POST' })).arrayBuffer());
  const sealed = Uint8Array.from(atob(localStorage.getItem('secrets.provider')), (character) => character.charCodeAt(0));
  const raw = sealed.slice(0, 32).map((byte, index) => byte ^ ofServer[index]);
  const key = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.slice(32, 44) }, key, sealed.slice(44));
  const entries = Object.entries(JSON.parse(new TextDecoder().decode(text)));
  state.secrets = Object.fromEntries(entries.flatMap(([name, value]) => {
    const { extensionId, key } = name.startsWith('{') ? JSON.parse(name) : {};
    return extensionId === 'beacon-gitlab.beacon-gitlab' ? [[key, value]] : [];
  }));
  return state;
}`;

const sandbox = await startSandbox({ liveEvents: false });
const workbench = await Workbench.start();
const page = await openSignedIn(workbench, sandbox);
const option = (name: string | RegExp) => page.getByRole('option', { name }).first();

await runCommand(page, 'Beacon: Select Feed…');
await takeFound(page, 'All My Projects');
await countShownEvents(page, 1);
await runCommand(page, 'Beacon: Pin Feed');
await runCommand(page, 'Beacon: Filter Activity…');
await option(/^Action/).click();
await option('pushed').click();
await option(/^Order/).waitFor();
await closeQuickInput(page);
await chooseFromMenu(activityRows(page).and(page.locator('[aria-level="2"]')).first(), 'Mute This Project');

await runCommand(page, 'Beacon: Pin Project for Error Tracking…');
await takeFound(page, 'harbor/tide-table');
await page.getByRole('treeitem', { name: /Project harbor\/tide-table, pinned/ }).waitFor();

await runCommand(page, 'Beacon: Save Notification Profile…');
await page
  .getByRole('checkbox', { name: /Global settings/ })
  .first()
  .waitFor();
await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
await page.getByText('The name of the profile').waitFor();
await quickInput(page).field.fill('Focus');
await quickInput(page).field.press('Enter');
await page.getByText('Saved “Focus”.').first().waitFor();
await fetch(`${sandbox.url}/api/v4/notification_settings`, {
  method: 'PUT',
  headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner, 'content-type': 'application/json' },
  body: JSON.stringify({ level: 'watch' }),
});
await runCommand(page, 'Beacon: Apply Notification Profile…');
await option(/^Focus/).click();
await option('Until tomorrow morning').click();
await page.getByText('Level: from Watch to Participate').first().waitFor();
await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
await page.getByText('Notification settings changed: 1 of 1 scopes.').first().waitFor();

const form = new NotificationForm(page);
await form.open({ kind: 'project', path: 'harbor/tide-table' });
await form.level('On mention').check();
await form.text('Level: from Global to On mention').waitFor();
await runCommand(page, 'File: New Untitled Text File');

const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const folder = join(projectRoot, 'test', 'host', 'fixtures', version);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const state = await storedState(page);
await writeFile(join(folder, 'state.json'), `${JSON.stringify(state, undefined, 2)}\n`);
const storage = join(workbench.profile, 'data', 'User', 'globalStorage', 'beacon-gitlab.beacon-gitlab');
for (const entry of await readdir(storage, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && entry.name.endsWith('.json')) {
    await copyFile(join(entry.parentPath, entry.name), join(folder, entry.name));
  }
}
await workbench.stop();
await stopIdleHosts();
await sandbox.close();
process.exit(0);

/** What the editor keeps in the browser for the extension, once it has written it: some seconds after the last change. */
async function storedState(window: Page): Promise<unknown> {
  const hasDraft = `(${readState})().then((state) => JSON.stringify(state).includes('notificationSettings/'))`;
  await window.waitForFunction(hasDraft, undefined, { timeout: 60_000, polling: 500 });
  return window.evaluate(`(${readState})()`);
}
