import assert from 'node:assert/strict';
import { NotificationPage, sentSince, type ToPage } from '../../support/notificationPage.ts';
import { never, truncated } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';

const project = { kind: 'project', path: 'harbor/tide-table' } as const;
const settingsOf = '/projects/harbor%2Ftide-table/notification_settings';
const routes = '*/notification_settings';

describe('the page of notification settings', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
  });
  afterEach(() => window.dispose());

  const levelNow = async (): Promise<unknown> => (await window.elsewhere(settingsOf))['level'];

  it('saves a project in one request, and takes it back', async () => {
    const page = await NotificationPage.open(window, project);
    assert.equal(page.state.form?.title, 'Project harbor/tide-table');
    assert.equal(page.state.rows.length, 1);
    assert.equal(page.panel.title, 'Notification Settings');
    await page.edit({ level: 'mention' });
    assert.match(page.panel.title, /^● /);
    assert.deepEqual(page.state.changes[0]?.sentences, ['Level: from Global to On mention']);
    const start = window.requests.length;
    assert.match(await page.save(), /^Saved: Project harbor\/tide-table · Level: from Global to On mention/);
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
    assert.doesNotMatch(page.panel.title, /●/);
    assert.deepEqual(page.state.message?.actions, ['Undo']);
    page.send({ type: 'answer', title: 'Undo' });
    await page.until(({ message }) => message?.sentence.startsWith('Undone'));
    assert.equal(await levelNow(), 'global');
    assert.equal(page.state.form?.fields?.level, 'global');
  });

  it('lists all scopes with what they inherit, also by what is chosen, and saves several at once', async () => {
    const page = await NotificationPage.open(window);
    const effectOf = (name: string): string | undefined => page.state.rows.find((row) => row.name === name)?.effect;
    assert.equal(page.state.form?.title, 'Global settings');
    assert.equal(effectOf('harbor/tools/winch'), 'Participate, set globally');
    const keyOf = (name: string): string => page.state.rows.find((row) => row.name === name)?.key ?? '';
    page.send({ type: 'select', keys: [keyOf('harbor')] });
    await page.edit({ level: 'watch' });
    assert.equal(effectOf('harbor/tools/winch'), 'Watch, set in group harbor');
    const projects = ['harbor/berth-planner', 'harbor/tools/winch'].map(keyOf);
    page.send({ type: 'select', keys: projects });
    assert.equal(page.state.form?.title, 'Project harbor/berth-planner and Project harbor/tools/winch');
    await page.edit({ level: 'disabled' });
    await page.until(({ changes }) => changes.length === 3);
    page.send({ type: 'discard', keys: [keyOf('harbor')] });
    await page.until(({ changes }) => changes.length === 2);
    const start = window.requests.length;
    assert.match(
      await page.save(),
      /^Project harbor\/berth-planner and Project harbor\/tools\/winch now have the level Disabled/,
    );
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'disabled' }, { level: 'disabled' }]);
    page.send({ type: 'answer', title: 'Undo' });
    const undone = 'Undone: Project harbor/berth-planner and Project harbor/tools/winch now have the level Global';
    await page.until(({ message }) => message?.sentence === undone);
    assert.equal(effectOf('harbor/tools/winch'), 'Participate, set globally');
  });

  it('shows events with Custom alone, each as it is known, and says what no undo brings back', async () => {
    const page = await NotificationPage.open(window, project);
    assert.equal(page.state.form?.fields?.subjects.length, 0);
    await page.edit({ level: 'custom' });
    const names = page.state.form?.fields?.subjects.flatMap(({ events }) => events.map(({ name }) => name));
    assert.deepEqual(names, [
      ...['New issue', 'Closed issue', 'Reopened issue', 'Reassigned issue', 'Due issue', 'New merge request'],
      ...['Push to merge request', 'Merged merge request', 'Closed merge request', 'Reopened merge request'],
      ...['Reassigned merge request', 'Change of reviewer', 'Auto-merge', 'Approver', 'Failed pipeline'],
      ...['Fixed pipeline', 'Successful pipeline', 'New comment', 'New epic', 'New release', 'Moved project'],
    ]);
    assert.equal(page.event('new_note')?.note, 'unknown: GitLab does not show it');
    assert.match(page.state.form?.fields?.notes.join(' ') ?? '', /once the level Custom is saved/);
    await page.edit({ new_note: true });
    assert.match(page.state.cautions.join(), /^Undo cannot restore .*: New comment\.$/);
    assert.match(await page.save(), /Not restored by Undo: New comment/);
    assert.equal(page.event('new_note')?.isOn, true);
    assert.equal(page.event('new_issue')?.note, 'default: GitLab decides');
    await page.edit({ new_issue: false });
    assert.equal(page.event('new_issue')?.note, 'Current: default: GitLab decides');
    await page.edit({ level: 'watch' });
    assert.match(page.state.form?.fields?.notes.join(' ') ?? '', /saved only with the level Custom: 1/);
    const start = window.requests.length;
    await page.save();
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'watch' }]);
    assert.match(page.panel.title, /^● /, 'what was not sent is still there');
  });

  it('sends nothing where a field was changed elsewhere, until the user has chosen', async () => {
    await window.elsewhere(settingsOf, { level: 'custom', new_note: true, new_issue: false });
    const page = await NotificationPage.open(window, project);
    await page.edit({ new_issue: true });
    await window.elsewhere(settingsOf, { new_note: false });
    const start = window.requests.length;
    assert.match(await page.save(), /changed in the meantime, here or elsewhere, so nothing was sent/);
    assert.deepEqual(page.state.changes, [], 'nothing is sent as long as it is not decided');
    assert.deepEqual(page.state.form?.conflicts, [
      { field: 'new_note', sentence: 'New comment: was on, is now off', take: undefined },
    ]);
    page.send({ type: 'keep', keys: [...page.keys] });
    await page.until(({ changes }) => changes.length === 1);
    assert.match(await page.save(), /^Saved/);
    assert.deepEqual(sentSince(window.requests, start), [{ new_issue: true }]);
  });

  it('takes the value that is there in place of the one that was chosen', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    await window.elsewhere(settingsOf, { level: 'watch' });
    await page.save();
    assert.deepEqual(page.state.form?.conflicts, [
      { field: 'level', sentence: 'Level: was Global, is now Watch; you chose On mention', take: 'Use Watch' },
    ]);
    await page.edit({ level: null });
    assert.deepEqual([page.state.form?.conflicts, page.state.form?.fields?.level], [[], 'watch']);
    assert.equal(await levelNow(), 'watch');
  });

  it('reads again where an answer is lost, and says what holds', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    window.sandbox.control.transform({ path: routes, method: 'PUT', answer: truncated, times: 1 });
    assert.match(await page.save(), /^Saved: Project harbor\/tide-table · Level/);
    assert.equal(await levelNow(), 'mention');
    await page.edit({ level: 'watch' });
    window.sandbox.control.transform({ path: routes, method: 'PUT', answer: 502, times: 1 });
    assert.match(await page.save(), /the answer is missing, so it is not known whether this took effect/);
    assert.equal(await levelNow(), 'mention');
    assert.deepEqual(page.state.message?.actions, ['Try Again']);
    const start = window.requests.length;
    page.send({ type: 'answer', title: 'Try Again' });
    await page.until(({ message }) => message?.sentence.startsWith('Saved'));
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'watch' }]);
  });

  it('keeps what was chosen where the token is no longer accepted in between, and when it opens again', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    window.sandbox.control.transform({ path: routes, answer: 401 });
    assert.match(await page.save(), /wrong, expired or revoked/);
    assert.equal(page.state.changes.length, 1);
    window.sandbox.control.transform();
    await window.restart();
    const later = new NotificationPage(window);
    await later.until((state) => state.changes.length === 1 && state.phase === 'ready');
    assert.match(later.panel.title, /^● /);
    assert.match(await later.save(), /^Saved: Project harbor\/tide-table/);
    await later.edit({ level: 'watch' });
    later.panel.dispose();
    await window.message('Your unsaved changes are kept: Global settings.');
  });

  it('shows the newer draft of another window with one sentence, and does not overwrite it', async () => {
    const second = await window.second();
    const [one, other] = [await NotificationPage.open(window, project), await NotificationPage.open(second, project)];
    await one.edit({ level: 'mention' });
    await other.edit({ level: 'watch' });
    assert.match(other.state.message?.sentence ?? '', /another window has changed what is not saved/);
    assert.deepEqual(other.state.changes[0]?.sentences, ['Level: from Global to On mention']);
    await other.edit({ level: 'watch' });
    assert.match(await one.save(), /another window has changed/);
    assert.deepEqual(one.state.changes[0]?.sentences, ['Level: from Global to Watch']);
    assert.equal(await levelNow(), 'global');
    assert.match(await one.save(), /^Saved/);
    other.send({ type: 'act', action: 'reload' });
    await other.until(({ phase, form }) => phase === 'ready' && form?.fields?.level === 'watch');
    assert.equal(other.state.changes.length, 0);
  });

  it('follows what is changed by other parts of the extension', async () => {
    const page = await NotificationPage.open(window, project);
    window.answer('E-Mail Notifications', 'Watch');
    await window.run('beacon.notifications.change', project);
    await page.until(({ form }) => form?.fields?.level === 'watch');
    await page.edit({ level: 'mention' });
    const { seen } = page.state;
    page.send({ type: 'act', action: 'reload' });
    await page.until(({ phase }) => phase === 'loading');
    await page.until(({ phase }) => phase === 'ready');
    assert.equal(page.state.seen, seen, 'the same is still to be sent');
    window.answer('E-Mail Notifications', 'Disabled');
    await window.run('beacon.notifications.change', project);
    await page.until(({ form }) => form?.conflicts.length === 1);
    assert.notEqual(page.state.seen, seen);
  });

  it('reads what has changed while it was hidden once it is seen', async () => {
    const page = await NotificationPage.open(window);
    page.panel.show(false);
    const start = window.requests.length;
    const isRead = (): boolean =>
      window.requests.slice(start).some(({ path }) => path.endsWith('/notification_settings'));
    window.answer('Pin Project', { type: 'harbor/tide-table', next: 'harbor/tide-table' });
    await window.run('beacon.errorTracking.pinProject');
    assert.equal(isRead(), false);
    page.panel.show(true);
    await window.until(isRead);
  });

  it('saves nothing that has come into the list since the page showed what would be saved', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    const { seen } = page.state;
    const other = await NotificationPage.open(await window.second());
    await other.until(({ phase }) => phase === 'ready');
    await other.edit({ level: 'watch' });
    const start = window.requests.length;
    page.send({ type: 'act', action: 'showAll' });
    await page.until(({ phase, changes }) => phase === 'ready' && changes.length === 2);
    page.send({ type: 'save', seen });
    await page.until(({ message }) => message?.sentence.includes('has changed in the meantime'));
    assert.deepEqual(sentSince(window.requests, start), []);
  });

  it('does nothing that its form does not offer, whatever an old or hostile page sends', async () => {
    const page = await NotificationPage.open(window, project);
    const [key = ''] = page.keys;
    const { seen } = page.state;
    const start = window.requests.length;
    const edits = [
      { level: 'loud' },
      { notification_email: 'x@y.example' },
      { __proto__: true, constructor: true },
      { id: true },
    ] as unknown as Record<string, string>[];
    for (const edit of edits) {
      page.send({ type: 'edit', keys: [key, 'other project 7', ''], edit });
    }
    const { received } = page.panel;
    for (const message of [null, 1, [], { type: 'save' }, { type: 'edit', keys: [key], edit: { level: true } }, {}]) {
      received.fire(message);
    }
    page.send({ type: 'save', seen });
    page.send({ type: 'save', seen: seen + 7 });
    page.send({ type: 'keep', keys: [key] });
    page.send({ type: 'fix', key: 'nothing' });
    page.send({ type: 'answer', title: 'Undo' });
    page.send({ type: 'select', keys: ['elsewhere'] });
    page.send({ type: 'select', keys: [key] });
    await page.edit({ level: 'mention' });
    const { changes } = await page.until((state) => state.changes.length > 0);
    assert.deepEqual(changes[0]?.sentences, ['Level: from Global to On mention']);
    // Twice, and by a page that has not seen what would be sent.
    page.send({ type: 'save', seen: seen - 1 });
    await page.until(({ message }) => message?.sentence.includes('has changed in the meantime'));
    page.send({ type: 'save', seen: page.state.seen });
    page.send({ type: 'save', seen: page.state.seen });
    await page.until(({ message }) => message?.sentence.startsWith('Saved'));
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
  });

  it('is not opened where the secret store cannot be read, which is said', async () => {
    await window.restart();
    window.secrets.failure = new Error('no keyring');
    window.closeMessages();
    await window.run('beacon.notifications.open');
    await window.message('The secret store of the editor cannot be read');
    assert.deepEqual(window.panels, []);
  });

  it('names what is wrong with a field, and keeps what was typed', async () => {
    const page = await NotificationPage.open(window);
    await page.edit({ notification_email: 'nobody@elsewhere.example' });
    assert.match(await page.save(), /does not accept the request.*E-mail address: .*verified/);
    assert.equal(page.state.form?.fields?.email?.value, 'nobody@elsewhere.example');
  });

  it('gives up a save that hangs, and says what became of it', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    window.sandbox.control.transform({ path: routes, method: 'PUT', answer: never });
    const start = window.requests.length;
    const saved = page.save();
    await window.until(() => sentSince(window.requests, start).length > 0, 'a request that hangs');
    page.send({ type: 'act', action: 'cancel' });
    assert.match(await saved, /not known whether this took effect/);
    window.sandbox.control.transform();
    assert.equal(page.state.changes.length, 1);
  });

  it('takes a save back while it reads again, and is not ready before that is done', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    await page.save();
    window.sandbox.control.transform({ path: routes, method: 'PUT', answer: never });
    const [start, shown] = [window.requests.length, page.panel.posted.length];
    page.send({ type: 'act', action: 'reload' });
    page.send({ type: 'answer', title: 'Undo' });
    page.send({ type: 'answer', title: 'Undo' });
    await window.until(() => sentSince(window.requests, start).length > 0, 'a request that hangs');
    page.send({ type: 'act', action: 'reload' });
    page.send({ type: 'save', seen: page.state.seen });
    // Another window reads the same from now on: once it has, what was being read here has come, too.
    await NotificationPage.open(await window.second(), project);
    const phases = (page.panel.posted.slice(shown) as readonly ToPage[]).map(({ phase }) => phase);
    assert.ok(!phases.includes('ready'), phases.join(' '));
    window.sandbox.control.transform();
    page.send({ type: 'act', action: 'cancel' });
    await page.until(({ message, phase }) => message && phase === 'ready');
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'global' }]);
  });

  it('estimates e-mails a week by level, scope and event, or shows none', async () => {
    const page = await NotificationPage.open(window, project);
    assert.equal(page.state.mails.isShown, false);
    page.send({ type: 'act', action: 'mails' });
    const { rows, form } = await page.until(({ mails }) => mails.isShown && !mails.isReading);
    const mailsOf = (level: string): number | undefined =>
      form?.fields?.levels.find(({ value }) => value === level)?.mails;
    assert.equal(mailsOf('disabled'), 0);
    assert.ok((mailsOf('watch') ?? 0) >= (mailsOf('participating') ?? 0));
    assert.equal(rows[0]?.mails, mailsOf('participating'), 'the level that counts here');
    const before = mailsOf('watch');
    await page.edit({ level: 'watch' });
    await page.save();
    assert.equal(page.state.rows[0]?.mails, before, 'the number is the same once it is saved');
    await page.edit({ level: 'custom' });
    assert.ok((page.event('new_note')?.mails ?? 0) > 0);
  });

  it('counts for a group, globally and for several projects what they have together', async () => {
    const page = await NotificationPage.open(window);
    page.send({ type: 'act', action: 'mails' });
    const { rows } = await page.until(({ mails }) => mails.isShown && !mails.isReading);
    const counts = new Map<string, number>();
    for (const { key, name } of rows) {
      page.send({ type: 'select', keys: [key] });
      const { form } = await page.until((state) => state.form?.keys[0] === key);
      counts.set(name, form?.fields?.levels.find(({ value }) => value === 'watch')?.mails ?? Number.NaN);
    }
    const isProject = ({ key }: { readonly key: string }): boolean => / project \d+$/.test(key);
    const sumIn = (group: string): number =>
      rows
        .filter((row) => isProject(row) && row.name.startsWith(group))
        .reduce((sum, { name }) => sum + (counts.get(name) ?? 0), 0);
    assert.ok(sumIn('') > 0);
    assert.equal(counts.get('Global settings'), sumIn(''));
    assert.equal(counts.get('harbor'), sumIn('harbor/'));
    assert.equal(counts.get('harbor/tools'), sumIn('harbor/tools/'));
    // What a project sends counts by its own level.
    page.send({ type: 'open', key: rows.find(({ name }) => name === 'harbor/tide-table')?.key ?? '' });
    const mailsOfHarbor = (): number => page.state.rows.find(({ name }) => name === 'harbor')?.mails ?? Number.NaN;
    const [before, own] = [mailsOfHarbor(), page.state.rows.find(({ name }) => name === 'harbor/tide-table')?.mails];
    await page.edit({ level: 'disabled' });
    assert.equal(mailsOfHarbor(), before - (own ?? Number.NaN));
    const some = rows.filter(isProject).slice(0, 2);
    page.send({ type: 'select', keys: some.map(({ key }) => key) });
    const { form } = await page.until((state) => state.form?.keys.length === 2);
    const together = some.reduce((sum, { name }) => sum + (counts.get(name) ?? 0), 0);
    assert.equal(form?.fields?.levels.find(({ value }) => value === 'watch')?.mails, together);
  });

  for (const isAll of [false, true]) {
    it(`says that the window works with another account, and opens the same project there${isAll ? ' among all' : ''}`, async () => {
      const page = await NotificationPage.open(window, project);
      if (isAll) {
        page.send({ type: 'act', action: 'showAll' });
        const { rows } = await page.until((state) => state.rows.length > 5 && state.phase === 'ready');
        page.send({ type: 'select', keys: rows.flatMap(({ key, isSelected }) => (isSelected ? key : [])) });
      }
      await window.signIn('developer');
      await page.until(({ banner }) => banner !== undefined);
      assert.match(page.state.banner?.sentence ?? '', /^This page is about the account marta@.*; this window uses /);
      await page.edit({ level: 'watch' });
      page.send({ type: 'act', action: 'openInUse' });
      await window.message(/^Your unsaved changes are kept: Project harbor\/tide-table \(marta@/);
      await page.until(({ banner, form }) => banner === undefined && form?.title === 'Project harbor/tide-table');
      await page.until(({ phase }) => phase === 'ready');
      assert.deepEqual([page.state.isAll, page.state.rows.length > 3], [isAll, isAll]);
      assert.ok(
        page.state.rows.every(({ isTicked }) => !isTicked),
        'nobody has ticked it there',
      );
    });
  }
});
