import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NotificationForm } from '../support/notificationForm.ts';
import { SignedInSuite } from '../support/signIn.ts';
import { runCommand } from '../support/workbench.ts';

/** The themes of pictures for a person to look at. */
const pictured =
  process.env['BEACON_PICTURES'] === undefined
    ? []
    : ([
        ['Dark Modern', 'vscode-dark'],
        ['Dark High Contrast', 'vscode-high-contrast'],
      ] as const);
const projectPath = '/projects/501/notification_settings';

describe('the page of notification settings in a browser', () => {
  const suite = new SignedInSuite();
  let form: NotificationForm;

  beforeEach(() => {
    form = new NotificationForm(suite.page);
  });

  it('is used by keyboard alone: a scope, a level, an event, a save, and taking it back', async () => {
    await form.open('harbor/tide-table');
    await form.rests();
    const { keyboard } = suite.page;
    await form.level('Global').focus();
    // Watch, Participate, On mention, Disabled, Custom.
    for (const _ of [1, 2, 3, 4, 5]) {
      await keyboard.press('ArrowDown');
    }
    await form.content.getByRole('heading', { name: 'Events' }).waitFor();
    await keyboard.press('Tab');
    await keyboard.type('new comment');
    for (const button of ['All On', 'All Off', 'Reset All']) {
      await keyboard.press('Tab');
      assert.equal(await form.button(button).evaluate(isFocused), true, button);
    }
    await keyboard.press('Tab');
    assert.equal(await form.event('New comment').evaluate(isFocused), true);
    assert.equal(await form.event('New comment').evaluate(isIndeterminate), true);
    await keyboard.press('Space');
    await form.text('2 changes').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await form.text('1 change').waitFor();
    assert.equal(await form.event('New comment').evaluate(isFocused), true, 'the focus goes where the button was');
    await keyboard.press('Space');
    await form.text('2 changes').waitFor();
    await keyboard.press('Control+s');
    await form.spoken('status', 'Saved: Project harbor/tide-table').waitFor({ state: 'attached' });
    assert.equal((await suite.call(projectPath))['level'], 'custom');
    await form.button('Save').focus();
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await form.spoken('status', 'Undone: Project harbor/tide-table').waitFor({ state: 'attached' });
    assert.equal((await suite.call(projectPath))['level'], 'global');
  });

  it('breaks no rule of accessibility, in every kind of theme, from 300 pixels on', async () => {
    await suite.call(projectPath, 'PUT', { level: 'custom', new_issue: true, close_issue: false });
    await form.open('harbor/tide-table');
    await form.rests();
    await form.event('Closed issue').check();
    await form.event('New release').check();
    await form.button('Show E-mails a Week').click();
    await form.content.getByRole('columnheader', { name: 'E-mails a week' }).waitFor();
    await runCommand(suite.page, 'View: Toggle Primary Side Bar Visibility');
    const tooWide: number[] = [];
    for (const width of [300, 600, 900, 1400]) {
      await form.setEditorWidth(width);
      if (await form.content.locator('body').evaluate(isWiderThanShown)) {
        tooWide.push(width);
      }
      await picture(`light-${width}`);
    }
    assert.deepEqual(tooWide, []);
    for (const [name, kind] of pictured) {
      await form.useTheme(name, kind);
      await picture(kind);
    }
    assert.deepEqual(await form.violationsInAllThemes(), []);
    await form.setEditorWidth(300);
    assert.deepEqual(await form.violations(), [], 'where it is narrow');
  });

  it('shows both where settings were changed elsewhere, with the focus on it', async () => {
    await form.open('harbor/tide-table');
    await form.rests();
    await form.level('On mention').check();
    await suite.call(projectPath, 'PUT', { level: 'watch' });
    await form.button('Save').click();
    await form.text('Level: was Global, is now Watch; you chose On mention').waitFor();
    assert.deepEqual(await form.violations(), []);
    await form.button('Use Watch').click();
    await form.text('No changes').waitFor();
  });

  /** Takes a picture for a person to look at, if a folder for that is given. */
  async function picture(name: string): Promise<void> {
    const folder = process.env['BEACON_PICTURES'];
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      await suite.page.locator('.part.editor').screenshot({ path: join(folder, `${name}.png`) });
    }
  }
});

function isFocused(element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean {
  return element === element.ownerDocument.activeElement;
}

function isIndeterminate(element: { readonly indeterminate?: boolean }): boolean {
  return element.indeterminate === true;
}

function isWiderThanShown({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): boolean {
  return scrollWidth > clientWidth;
}
