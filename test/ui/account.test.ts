import assert from 'node:assert/strict';
import type { Locator, Page, Request } from 'playwright-core';
import { activityRows, countShownEvents, findRow } from '../support/activityView.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { answerSignIn, tokenPlaceholder, typeToken, typeUrl } from '../support/signIn.ts';
import { WebviewPage } from '../support/webviewPage.ts';
import { keepPictureOfFailure, questionMessage, runCommand, takeFound, Workbench } from '../support/workbench.ts';

describe('a user', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let other: Sandbox;
  let page: Page;
  let webview: WebviewPage;

  before(async () => {
    const [one, two] = [{ liveEvents: false }, { liveEvents: false, seed: 2 }];
    [sandbox, other] = await Promise.all([startSandbox(one), startSandbox(two)]);
    // Half of what the sandbox makes up is by the user who is signed in; what is new comes when a test asks for it.
    const settings = { 'beacon.activity.pollingInterval': 0, 'beacon.activity.ownEventsAreNew': true };
    workbench = await Workbench.start({ settings });
    page = await workbench.open();
    webview = new WebviewPage(page);
  });
  after(async () => {
    await workbench.stop();
    await Promise.all([sandbox.close(), other.close()]);
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const tree = (): Locator => page.getByRole('tree', { name: 'Activity' });
  const focused = (): Locator => tree().locator('.monaco-list-row.focused');
  const badge = (): Locator => page.getByRole('tab', { name: /Beacon/ }).locator('.badge-content');
  const hostOf = ({ url }: Sandbox): string => new URL(url).host;
  /** What names the account of the window, where there are several. */
  const statusOf = (instance: Sandbox): Locator =>
    page.getByRole('button', { name: new RegExp(`uses the account \\S+@${hostOf(instance)}`) });
  const optionOf = (instance: Sandbox): Locator => page.getByRole('option').filter({ hasText: hostOf(instance) });

  it('signs in by URL and token, and is told what is wrong where it was typed', async () => {
    const message = questionMessage(page);
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await typeUrl(page, 'not a url');
    await message.getByText('This is not the URL of an instance').waitFor();
    await typeUrl(page, sandbox.url);
    await typeToken(page, 'glpat-wrongwrongwrongwrong');
    await message.getByText('does not accept the token').waitFor();
    assert.equal(await page.getByPlaceholder(tokenPlaceholder).inputValue(), 'glpat-wrongwrongwrongwrong');
    await typeToken(page, sandbox.tokens.owner);
    await countShownEvents(page, 1);
  });

  it('sees the feed of a project that is searched as one types', async () => {
    await runCommand(page, 'Beacon: Select Feed…');
    await takeFound(page, 'harbor/tide-table');
    await page
      .locator('.pane-header, .composite.title')
      .filter({ hasText: 'Activity' })
      .getByText('harbor/tide-table')
      .first()
      .waitFor();
    await findRow(page, /: !\d+ /);
  });

  it('finds what was selected, had the focus and was open, and how far the feed was scrolled, after a refresh that brings events', async () => {
    // At any hour the first day has more rows than fit.
    sandbox.control.addEvents({ count: 15, project: 'harbor/tide-table' });
    await runCommand(page, 'Beacon: Refresh Activity');
    await badge().filter({ hasText: '15' }).waitFor();
    // A day is closed, one that has the same name after midnight, and an event of the first one is selected.
    const dated = await findRow(page, /^\w{3}, \w{3} \d/);
    const name = ((await dated.getAttribute('aria-label')) ?? '').replace(/, \d+ events?$/, '');
    const closed = activityRows(page).and(page.locator('[aria-level="1"]')).filter({ hasText: name });
    if ((await closed.getAttribute('aria-expanded')) === 'true') {
      await closed.click();
    }
    await closed.and(page.locator('[aria-expanded="false"]')).waitFor();
    await page.keyboard.press('Home');
    await focused().and(page.locator('[data-index="0"]')).waitFor();
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      await page.keyboard.press('ArrowDown');
    }
    await focused().and(page.locator('[data-index="6"]')).waitFor();
    await page.keyboard.press('Space');
    await focused().and(page.locator('.selected')).waitFor();
    await tree().hover();
    await page.mouse.wheel(0, 66);
    let before = await place();
    while (before.scrolled === 0) {
      before = await place();
    }

    await untilRowsMove(async () => {
      sandbox.control.addEvents({ count: 2, project: 'harbor/tide-table' });
      await runCommand(page, 'Beacon: Refresh Activity');
    });
    assert.deepEqual(await place(), before);
    await findRow(page, name);
    await closed.and(page.locator('[aria-expanded="false"]')).waitFor();
  });

  it('reads an event and the next one by keyboard, with the focus in the view', async () => {
    const heading = webview.content.getByRole('heading', { level: 1 });
    // An event that was selected by Space is open too: its heading could be taken for that of this one.
    await runCommand(page, 'View: Close All Editors');
    await heading.waitFor({ state: 'detached' });
    await tree().focus();
    await page.keyboard.press('Home');
    while ((await focused().and(page.locator('[aria-level="2"]')).count()) === 0) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    // Until the page is there the editor is still opening, and takes no keys for the view.
    await heading.waitFor();
    const first = await heading.innerText();
    const before = Number(await focused().getAttribute('data-index'));
    for (const [key, index] of [
      ['Alt+ArrowDown', before + 1],
      ['Alt+ArrowUp', before],
    ] as const) {
      await page.keyboard.press(key);
      // The row that has the focus is the one of the event, on which the keys of the view act.
      await focused()
        .and(page.locator(`.selected[data-index="${index}"]`))
        .waitFor();
      await heading.filter(index === before ? { hasText: first } : { hasNotText: first }).waitFor();
    }
    assert.equal(await page.locator('.part.sidebar :focus').count(), 1, 'the focus stays in the view');
  });

  it('sees an event in the theme and at the width of the editor, for which nothing is loaded', async () => {
    const { content } = webview;
    const asked: string[] = [];
    const record = (request: Request): void => {
      if (request.frame().name() === 'active-frame' && !request.isNavigationRequest()) {
        asked.push(request.url());
      }
    };
    page.on('request', record);
    await (await findRow(page, / commented on /)).click();
    await content.getByRole('heading', { level: 1 }).filter({ hasText: 'Commented on' }).waitFor();
    await webview.useTheme('Light High Contrast', 'vscode-high-contrast-light');
    await webview.setEditorWidth(320);
    assert.equal(await content.locator('html').evaluate(isWiderThanShown), false);
    assert.deepEqual(await webview.violations(), []);
    await page.setViewportSize({ width: 1200, height: 800 });
    assert.deepEqual(asked, []);
    page.off('request', record);
    await runCommand(page, 'View: Close All Editors');
  });

  it('filters the feed by a mark of its insights, which break no rule of accessibility', async () => {
    await runCommand(page, 'Beacon: Show Activity Insights');
    const { content } = webview;
    await content.locator('main[aria-busy=false]').waitFor();
    await content.getByRole('button', { name: 'pushes' }).click();
    const filter = activityRows(page).filter({ hasText: 'Clear Filter' });
    await filter.waitFor();
    assert.deepEqual(await webview.violations(), []);
    await filter.click();
    await filter.waitFor({ state: 'hidden' });
  });

  it('has a draft of notification settings that outlasts its page, and saves and undoes it by keyboard', async () => {
    const form = new NotificationForm(page);
    const path = 'harbor/tide-table';
    const level = async (): Promise<unknown> => {
      const address = `${sandbox.url}/api/v4/projects/${encodeURIComponent(path)}/notification_settings`;
      const response = await fetch(address, { headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner } });
      return ((await response.json()) as { readonly level: unknown }).level;
    };
    await form.open(path);
    await form.rests();
    await form.level('Global').focus();
    // Watch, Participate, On mention.
    for (const _ of [1, 2, 3]) {
      await page.keyboard.press('ArrowDown');
    }
    await page.getByRole('tab', { name: /^● Notification Settings/ }).waitFor();
    await runCommand(page, 'View: Close All Editors');
    await form.open(path);
    await page.getByRole('tab', { name: /^● Notification Settings/ }).waitFor();
    await form.content.getByRole('radio', { name: /^On mention/, checked: true }).waitFor();
    assert.equal(await level(), 'global');
    await form.level('On mention').focus();
    await page.keyboard.press('Control+s');
    await form.spoken('status', `Saved: Project ${path}`).waitFor({ state: 'attached' });
    assert.equal(await level(), 'mention');
    await form.button('Undo').focus();
    await page.keyboard.press('Enter');
    await form.spoken('status', `Undone: Project ${path}`).waitFor({ state: 'attached' });
    assert.equal(await level(), 'global');
    await runCommand(page, 'View: Close All Editors');
  });

  it('is in the Accounts menu of the editor, and not named while there is one account', async () => {
    await page.getByRole('button', { name: 'Accounts' }).click();
    await page
      .getByRole('menu')
      .getByRole('menuitem', { name: /^\S+@127\.0\.0\.1:\d+ \(Beacon for GitLab\)/ })
      .waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await statusOf(sandbox).count(), 0);
  });

  it('of two instances is named in the status bar, which switches between them', async () => {
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign In to Another Account…' }).click();
    await answerSignIn(page, other.url, other.tokens.developer);
    await statusOf(other).click();
    await optionOf(sandbox).click();
    await statusOf(sandbox).waitFor();
    await countShownEvents(page, 1);
  });

  it('signs out of one after the other, and nothing is left of the last', async () => {
    await signOut(sandbox);
    await statusOf(sandbox).waitFor({ state: 'hidden' });
    await countShownEvents(page, 1);
    await signOut(undefined);
    await page
      .locator('a')
      .filter({ hasText: /^Try the sandbox$/ })
      .first()
      .waitFor();
    await activityRows(page).first().waitFor({ state: 'hidden' });
  });

  async function signOut(instance: Sandbox | undefined): Promise<void> {
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign Out…' }).click();
    if (instance) {
      // The list before it has rows of the same names.
      await page.getByPlaceholder('Choose the account to sign out of').waitFor();
      await optionOf(instance).click();
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  }

  /** Where the user is in the view: which rows are selected and have the focus, and how far down it is scrolled, in pixels. */
  async function place() {
    const selected = await tree().locator('.monaco-list-row.selected').all();
    const [list, box] = [await tree().boundingBox(), await focused().boundingBox()];
    assert.ok(list && box);
    const index = Number(await focused().getAttribute('data-index'));
    // Without whether it is new, and how long ago it was.
    const nameOf = async (element: Locator): Promise<string | undefined> =>
      (await element.getAttribute('aria-label'))?.replace(/^New: /, '').split(', ')[0];
    return {
      focused: await nameOf(focused()),
      selected: await Promise.all(selected.map(nameOf)),
      scrolled: Math.round(index * box.height - (box.y - list.y)),
    };
  }

  /** Waits until there are more rows above the one that has the focus, while something is done. */
  async function untilRowsMove(action: () => Promise<void>): Promise<void> {
    const index = await focused().getAttribute('data-index');
    await action();
    await focused()
      .and(page.locator(`:not([data-index="${index}"])`))
      .waitFor();
  }
});

function isWiderThanShown({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): boolean {
  return scrollWidth > clientWidth;
}
