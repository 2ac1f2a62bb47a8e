import assert from 'node:assert/strict';
import { countShownEvents } from '../../../scripts/workbench/activityView.ts';
import { NotificationForm } from '../../support/notificationForm.ts';
import { SignedInSuite } from '../../support/signIn.ts';
import { chooseFromMenu, reloadWindow, runCommand, takeFound } from '../../support/workbench.ts';

describe('the form of notification settings', () => {
  const suite = new SignedInSuite();
  let form: NotificationForm;

  beforeEach(() => {
    form = new NotificationForm(suite.page);
  });

  const tideTable = { kind: 'project', path: 'harbor/tide-table' } as const;
  const globalPath = '/notification_settings';
  const projectPath = '/projects/501/notification_settings';

  it('shows the global settings, previews a change in one line, saves it and takes it back', async () => {
    // Events may be there before the names of their projects, which the menu asks for.
    const placed = suite.page.getByRole('treeitem', { level: 2, name: /, in \S+\/\S+, / });
    await chooseFromMenu(placed.first(), 'Change Project Notifications…');
    await suite.page.getByRole('option', { name: 'Custom…' }).click();
    await form.content.getByRole('heading', { level: 2, name: /Project/ }).waitFor();
    await form.open();
    assert.ok(await form.level('Participate').isChecked());
    assert.equal(await form.level('Global').count(), 0);
    await form.level('Watch').check();
    await form.text('1 change').waitFor();
    await form.text('Level: from Participate to Watch').waitFor();
    await form.button('Save').click();
    await form.spoken('status', 'Saved.').waitFor({ state: 'attached' });
    assert.equal((await suite.call(globalPath))['level'], 'watch');
    await form.text('Undo sets the level back to Participate.').waitFor();
    await form.button('Undo Last Save').click();
    await form.text('The last save was undone.').last().waitFor();
    assert.equal((await suite.call(globalPath))['level'], 'participating');
  });

  it('shows every event of a project as it is, and warns of what cannot be restored', async () => {
    await suite.call(projectPath, 'PUT', { level: 'custom', new_issue: true, close_issue: false });
    await form.open(tideTable);
    assert.ok(await form.event('New issue', 'on').isChecked());
    assert.ok(await form.event('Closed issue', 'off').isChecked());
    // A click on the name does what the switch does.
    const name = form.content.getByText('New issue', { exact: true });
    await name.click();
    await form.event('New issue', 'off').and(form.content.locator(':checked')).waitFor({ state: 'attached' });
    await name.click();
    await form.text('No changes').waitFor();
    await form.unsetEvent('New release', 'default').waitFor();
    await form.unsetEvent('Approver', 'unknown').waitFor();
    await form.event('Approver', 'on').check();
    await form.button('Reset Approver').click();
    await form.unsetEvent('Approver', 'unknown').waitFor();
    const list = form.content.locator('.changes');
    const height = async (): Promise<number> => (await list.boundingBox())?.height ?? 0;
    await form.event('New release', 'off').check();
    await form.text('1 change').waitFor();
    const before = await height();
    for (const button of await form.content.getByRole('button', { name: 'All On', exact: true }).all()) {
      await button.click();
    }
    await form.text(/^\s*\d\d changes/).waitFor();
    assert.equal(await height(), before, 'the list takes no place until it is opened');
    await list.locator('summary').click();
    // The closed line has the same words: only the open list has items.
    await list.getByRole('listitem').filter({ hasText: 'New epic: from default to on' }).waitFor();
    assert.ok((await height()) > before);
    await form.button('Discard').click();
    await form.content.getByLabel('Filter events').fill('release');
    assert.equal(await form.content.getByRole('radiogroup').count(), 1);
    await form.button('All Off').click();
    await form.text('New release: from default to off').waitFor();
    await form.text('the API cannot restore the default: New release.').waitFor();
    await form.button('Save').click();
    await form.text('The last save cannot be undone for: New release.').waitFor();
    const { events } = await suite.call(projectPath);
    assert.equal((events as Record<string, unknown>)['new_release'], false);
    assert.equal((events as Record<string, unknown>)['reopen_issue'], null);
  });

  it('shows both when the settings were changed elsewhere, and saves what is chosen', async () => {
    await suite.call(projectPath, 'PUT', { level: 'custom', new_issue: true, new_note: true });
    await form.open(tideTable);
    await form.event('New issue', 'off').check();
    await form.event('New comment', 'off').check();
    await form.event('New release', 'on').check();
    await suite.call(projectPath, 'PUT', { new_release: false, close_issue: false, reopen_issue: true });
    await form.button('Save').click();
    await form.content.getByRole('heading', { name: 'The settings were changed elsewhere' }).waitFor();
    assert.deepEqual(await form.violations(), []);
    await form.text('New release: was default, is now off').waitFor();
    await form.content.getByLabel('Use the value on the instance: off').check();
    await form.button('Continue').click();
    await form.button('Save').click();
    await form.text('Saved.').last().waitFor();
    const { events } = await suite.call(projectPath);
    const { new_issue, new_release, close_issue } = events as Record<string, unknown>;
    assert.deepEqual([new_issue, new_release, close_issue], [false, false, false]);
  });

  it('keeps what was chosen when it is hidden, closed, or the window is loaded again', async () => {
    const { page } = suite;
    await form.open(tideTable);
    await form.level('On mention').check();
    await form.text('to On mention').waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await page.getByRole('tab', { name: /● Notifications: Project/ }).click();
    await form.text('Level: from Global to On mention').waitFor();
    await runCommand(page, 'View: Close Editor');
    await page.getByText('Your unsaved changes are kept: Project harbor/tide-table.').first().waitFor();
    await form.open();
    await form.button('Change Scope…').click();
    await page.getByRole('option', { name: 'Project harbor/tide-table' }).waitFor();
    await takeFound(page, 'harbor/tide-table');
    await form.text('Level: from Global to On mention').waitFor();
    await reloadWindow(page);
    await form.text('Level: from Global to On mention').waitFor();
    assert.equal((await suite.call(projectPath))['level'], 'global');
    await form.button('Discard').click();
    await form.text('No changes').waitFor();
  });

  const otherChanges = 'Another window has other unsaved changes';

  it('shows in two windows what the other one has chosen since, and goes on with what the user chooses', async () => {
    await form.open();
    const secondPage = await suite.workbench.openAnother(suite.page);
    await countShownEvents(secondPage, 1);
    const second = new NotificationForm(secondPage);
    await second.open();
    const forms = [
      { window: form, level: 'Watch' },
      { window: second, level: 'On mention' },
    ] as const;
    for (const { window, level } of forms) {
      await window.level(level).check();
      await window.text(`Level: from Participate to ${level}`).waitFor();
    }
    // The window whose choice would be kept later shows the other one; which of them that is, no window decides.
    const later = await Promise.any(
      forms.map(async (one) => {
        await one.window.content.getByRole('heading', { name: otherChanges }).waitFor();
        return one;
      }),
    );
    const [earlier] = forms.filter((one) => one !== later);
    assert.ok(earlier);
    await later.window.text(`Level: from Participate to ${earlier.level}`).waitFor();
    await later.window.button('Keep My Changes').click();
    await later.window.content.getByRole('heading', { name: otherChanges }).waitFor({ state: 'hidden' });
    await earlier.window.button('Reload').click();
    await earlier.window.text(`Level: from Participate to ${later.level}`).waitFor();
    await secondPage.close();
  });

  it('shows why nothing was saved, at the field where it is about one, and keeps what was chosen', async () => {
    await form.open();
    const email = form.content.getByLabel('E-mail address');
    await email.fill('nobody@elsewhere.example');
    await form.button('Save').click();
    await form.text('must be an email you have verified').first().waitFor();
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    assert.equal(await email.inputValue(), 'nobody@elsewhere.example');
    await form.level('Watch').check();
    suite.sandbox.control.transform({ answer: 500, method: 'PUT' });
    await form.button('Save').click();
    await form.spoken('alert', 'The settings have not changed').waitFor({ state: 'attached' });
    suite.sandbox.control.transform({ answer: 401, method: 'PUT' });
    await form.button('Save').click();
    await form.button('Replace Token…').waitFor();
    assert.ok(await form.level('Watch').isChecked());
  });

  it('is used by keyboard alone', async () => {
    await form.open();
    const { keyboard } = suite.page;
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
    await keyboard.press('Enter');
    await form.spoken('status', 'The e-mails a week are shown.').waitFor({ state: 'attached' });
    assert.equal(await form.button('Estimate Again').evaluate(isFocused), true);
    await keyboard.press('Tab');
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
    assert.equal(await form.event('New epic', 'off').evaluate(isFocused), true);
    await keyboard.press('ArrowRight');
    assert.ok(await form.event('New epic', 'on').isChecked());
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await form.unsetEvent('New epic', 'unknown').waitFor();
    assert.equal(await form.event('New epic', 'off').evaluate(isFocused), true);
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    // The line says it, too; the list below takes a place of its own among what Tab reaches.
    await form.content.getByRole('listitem').filter({ hasText: 'New epic: from unknown to off' }).waitFor();
    await form.text(/Undo cannot restore what GitLab does not show now: New epic\./).waitFor();
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
    await suite.call(projectPath, 'PUT', { level: 'custom', new_issue: true, close_issue: false });
    await form.open(tideTable);
    await form.event('Closed issue', 'on').check();
    await form.event('New release', 'on').check();
    await form.text('2 changes').click();
    await form.text('New release: from default to on').waitFor();
    await form.button('Show E-mails a Week').click();
    const total = form.content.locator('.total');
    const withIt = await total.textContent();
    await form.event('New comment', 'on').check();
    await form.text('3 changes').waitFor();
    assert.notEqual(await total.textContent(), withIt, 'the total follows the switch');
    await form.content.getByText('How e-mails are estimated').click();
    assert.deepEqual(await form.violationsInAllThemes(), []);
  });
});

function isFocused(element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean {
  return element === element.ownerDocument.activeElement;
}
