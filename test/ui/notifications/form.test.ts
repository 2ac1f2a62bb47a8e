import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { NotificationForm } from '../../support/notificationForm.ts';
import { openSignedIn } from '../../support/signIn.ts';
import { chooseFromMenu, reloadWindow, runCommand, Workbench } from '../../support/workbench.ts';

describe('the form of notification settings', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;
  let form: NotificationForm;

  before(async () => {
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    page = await openSignedIn(workbench, sandbox);
    form = new NotificationForm(page);
  });
  afterEach(async function releaseWindow() {
    await workbench.release(page, this.currentTest);
    await sandbox.close();
  });

  /** The settings as they are on the instance. */
  async function onInstance(path = '/notification_settings'): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.url}/api/v4${path}`, {
      headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner },
    });
    return (await response.json()) as Record<string, unknown>;
  }

  /** Changes settings elsewhere. */
  async function putOnInstance(path: string, body: object): Promise<void> {
    await fetch(`${sandbox.url}/api/v4${path}`, {
      method: 'PUT',
      headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async function setFaults(...faults: object[]): Promise<void> {
    await fetch(`${sandbox.url}/-/sandbox/faults`, { method: 'PUT', body: JSON.stringify(faults) });
  }

  const tideTable = { kind: 'project', path: 'harbor/tide-table' } as const;
  const projectPath = '/projects/501/notification_settings';

  it('shows the global settings, previews a change, saves it and takes it back', async () => {
    await form.open();
    assert.ok(await form.level('Participate').isChecked());
    assert.equal(await form.level('Global').count(), 0);
    await form.level('Watch').check();
    await form.text('Level: from Participate to Watch').waitFor();
    await form.button('Save').click();
    await form.spoken('status', 'Saved.').waitFor({ state: 'attached' });
    assert.equal((await onInstance())['level'], 'watch');
    await form.text('Undo sets Level back to Participate.').waitFor();
    await form.button('Undo Last Save').click();
    await form.text('The last save was undone.').first().waitFor();
    assert.equal((await onInstance())['level'], 'participating');
  });

  it('shows every event of a project as it is, and warns of what cannot be restored', async () => {
    await putOnInstance(projectPath, { level: 'custom', new_issue: true, close_issue: false });
    await form.open(tideTable);
    assert.ok(await form.event('New issue', 'on').isChecked());
    assert.ok(await form.event('Closed issue', 'off').isChecked());
    assert.ok(await form.event('New release', 'default').isChecked());
    assert.ok(await form.event('Approver', 'unknown').isChecked());
    await form.content.getByLabel('Filter events').fill('release');
    assert.equal(await form.content.getByRole('radiogroup').count(), 1);
    await form.button('All Off').click();
    await form.text('New release: from default to off').waitFor();
    await form.text('cannot be restored once it is overwritten: New release').waitFor();
    await form.button('Save').click();
    await form.text('Saved.').first().waitFor();
    await form.text('The last save cannot be undone for: New release.').waitFor();
    const { events } = await onInstance(projectPath);
    assert.equal((events as Record<string, unknown>)['new_release'], false);
    assert.equal((events as Record<string, unknown>)['reopen_issue'], null);
  });

  it('shows the platform’s error at its field, and keeps what was typed', async () => {
    await form.open();
    const email = form.content.getByLabel('E-mail address');
    await email.fill('nobody@elsewhere.example');
    await form.button('Save').click();
    await form.text('must be an email you have verified').first().waitFor();
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    assert.equal(await email.inputValue(), 'nobody@elsewhere.example');
  });

  it('shows both when the settings were changed elsewhere, and saves what is chosen', async () => {
    await putOnInstance(projectPath, { level: 'custom', new_issue: true, new_note: true });
    await form.open(tideTable);
    await form.event('New issue', 'off').check();
    await form.event('New comment', 'off').check();
    await form.event('New release', 'on').check();
    await putOnInstance(projectPath, { new_release: false, close_issue: false });
    await putOnInstance(projectPath, { reopen_issue: true });
    await form.button('Save').click();
    await form.content.getByRole('heading', { name: 'The settings were changed elsewhere' }).waitFor();
    assert.deepEqual(await form.violations(), []);
    await form.text('New release: was default, is now off').waitFor();
    await form.content.getByLabel('Use the value on the instance: off').check();
    await form.button('Continue').click();
    await form.button('Save').click();
    await form.text('Saved.').first().waitFor();
    const { events } = await onInstance(projectPath);
    const { new_issue, new_release, close_issue } = events as Record<string, unknown>;
    assert.deepEqual([new_issue, new_release, close_issue], [false, false, false]);
  });

  it('keeps what was chosen when it is hidden, closed, or the window is loaded again', async () => {
    await form.open(tideTable);
    await form.level('On mention').check();
    await form.text('to On mention').waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await page.getByRole('tab', { name: /Notifications: Project/ }).click();
    await form.text('Level: from Global to On mention').waitFor();
    await runCommand(page, 'View: Close Editor');
    await runCommand(page, 'Beacon: Open Notification Settings');
    await form.shows('Global');
    await form.button('Change Scope…').click();
    await page.getByRole('option', { name: 'Project harbor/tide-table' }).click();
    await form.text('Level: from Global to On mention').waitFor();
    await reloadWindow(page);
    await form.text('Level: from Global to On mention').waitFor();
    assert.equal((await onInstance(projectPath))['level'], 'global');
    await form.button('Discard').click();
    await form.text('No changes').waitFor();
  });

  it('shows the outcome of a failed save, and keeps what was chosen', async () => {
    await form.open();
    await form.level('Watch').check();
    await setFaults({ kind: 'status', status: 500, method: 'PUT' });
    await form.button('Save').click();
    await form.spoken('alert', 'The settings have not changed').waitFor({ state: 'attached' });
    await form.text('Level: from Participate to Watch').waitFor();

    await setFaults({ kind: 'status', status: 403, method: 'PUT' });
    await form.button('Save').click();
    await form.text('Nothing was saved: your changes are still here.').last().waitFor();

    await setFaults({ kind: 'truncate', method: 'PUT' });
    await form.button('Save').click();
    await form.text('The answer was lost, but the settings show: Saved.').last().waitFor();
    assert.equal((await onInstance())['level'], 'watch');

    await setFaults({ kind: 'status', status: 401 });
    await form.level('On mention').check();
    await form.button('Save').click();
    await form.button('Renew Token…').waitFor();
    assert.ok(await form.level('On mention').isChecked());
  });

  it('reconciles a save that was under way when the window closed', async () => {
    await form.open();
    await form.level('Watch').check();
    await setFaults({ kind: 'latency', milliseconds: 60_000, method: 'PUT' });
    await form.button('Save').click();
    await form.button('Cancel').waitFor();
    await reloadWindow(page);
    await setFaults();
    await form.text('The answer to the last save is missing.').last().waitFor();
    await form.text('Level: from Participate to Watch').waitFor();
  });

  it('opens from an event of the Activity view', async () => {
    await chooseFromMenu(page.getByRole('treeitem', { level: 2 }).first(), 'Project Notification Settings');
    await form.content.getByRole('heading', { level: 2, name: /Project/ }).waitFor();
  });

  it('is used by keyboard alone', async () => {
    await form.open();
    const { keyboard } = page;
    await form.button('Change Scope…').focus();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    assert.equal(await form.level('Participate').evaluate(isFocused), true);
    // Participate, On mention, Disabled, Custom.
    for (const _ of [1, 2, 3]) {
      await keyboard.press('ArrowDown');
    }
    await form.content.getByRole('heading', { name: 'Events' }).waitFor();
    await keyboard.press('Tab');
    assert.equal(await form.content.getByLabel('E-mail address').evaluate(isFocused), true);
    await keyboard.press('Tab');
    await keyboard.type('epic');
    await form.spoken('status', 'Events shown: 1').waitFor({ state: 'attached' });
    for (const button of ['All On', 'All Off', 'Reset All']) {
      await keyboard.press('Tab');
      assert.equal(await form.button(button).evaluate(isFocused), true, button);
    }
    await keyboard.press('Tab');
    assert.equal(await form.event('New epic', 'unknown').evaluate(isFocused), true);
    await keyboard.press('ArrowRight');
    await form.text('New epic: from unknown to off').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    assert.equal(await form.button('Save').evaluate(isFocused), true);
    await keyboard.press('Enter');
    await form.spoken('status', 'Saved.').waitFor({ state: 'attached' });
    await form.text('Sent, but GitLab does not show it: New epic').last().waitFor();
    // The focus stays where it was, so that the user can go on.
    assert.equal(await form.button('Save').evaluate(isFocused), true);
  });

  it('breaks no rule of accessibility, in every kind of theme', async () => {
    await putOnInstance(projectPath, { level: 'custom', new_issue: true, close_issue: false });
    await form.open(tideTable);
    await form.event('Closed issue', 'on').check();
    await form.event('New release', 'on').check();
    await form.text('New release: from default to on').waitFor();
    assert.deepEqual(await form.violations(), []);
    for (const [name, kind] of [
      ['Dark Modern', 'vscode-dark'],
      ['Light Modern', 'vscode-light'],
      ['Dark High Contrast', 'vscode-high-contrast'],
      ['Light High Contrast', 'vscode-high-contrast-light'],
    ] as const) {
      await form.useTheme(name, kind);
      // Of a theme the page has colours alone.
      assert.deepEqual(await form.violations('color-contrast'), [], name);
    }
  });
});

function isFocused(element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean {
  return element === element.ownerDocument.activeElement;
}
