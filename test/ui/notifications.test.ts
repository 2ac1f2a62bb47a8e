import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { openSignedIn } from '../support/signIn.ts';
import { keepPictureOfFailure, runCommand, Workbench } from '../support/workbench.ts';

const path = '/projects/501/notification_settings';

describe('the page of notification settings', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;
  let form: NotificationForm;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    workbench = await Workbench.start();
    page = await openSignedIn(workbench, sandbox);
    form = new NotificationForm(page);
    await form.open('harbor/tide-table');
    await form.rests();
  });
  after(async () => {
    await workbench.stop();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  /** The level of the project on the instance. */
  async function level(): Promise<unknown> {
    const headers = { 'PRIVATE-TOKEN': sandbox.tokens.owner };
    const response = await fetch(`${sandbox.url}/api/v4${path}`, { headers });
    return ((await response.json()) as { readonly level: unknown }).level;
  }

  it('is used by keyboard alone: a level, an event, a save, and taking it back', async () => {
    const { keyboard } = page;
    await form.level('Global').focus();
    // Watch, Participate, On mention, Disabled, Custom.
    for (const _ of [1, 2, 3, 4, 5]) {
      await keyboard.press('ArrowDown');
    }
    await form.content.getByRole('heading', { name: 'Events' }).waitFor();
    await keyboard.press('Tab');
    await keyboard.type('new comment');
    const event = form.event('New comment');
    for (let tabs = 0; tabs < 6 && !(await event.evaluate(isFocused)); tabs += 1) {
      await keyboard.press('Tab');
    }
    assert.equal(await event.evaluate(isFocused), true);
    await keyboard.press('Space');
    await form.text('2 changes').waitFor();
    await keyboard.press('Control+s');
    await form.spoken('status', 'Saved: Project harbor/tide-table').waitFor({ state: 'attached' });
    assert.equal(await level(), 'custom');
    await form.button('Undo').focus();
    await keyboard.press('Enter');
    await form.spoken('status', 'Undone: Project harbor/tide-table').waitFor({ state: 'attached' });
    assert.equal(await level(), 'global');
  });

  it('keeps what is not saved when it is closed and opened again', async () => {
    await form.level('On mention').check();
    await page.getByRole('tab', { name: /^● Notification Settings/ }).waitFor();
    await runCommand(page, 'View: Close All Editors');
    await form.open('harbor/tide-table');
    assert.equal(await form.level('On mention').isChecked(), true);
    await page.getByRole('tab', { name: /^● Notification Settings/ }).waitFor();
    assert.equal(await level(), 'global');
  });
});

function isFocused(element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean {
  return element === element.ownerDocument.activeElement;
}
