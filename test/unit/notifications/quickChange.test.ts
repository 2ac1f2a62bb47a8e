import assert from 'node:assert/strict';
import { sentSince } from '../../support/notificationPage.ts';
import { TestWindow } from '../../support/testWindow.ts';

const change = 'beacon.notifications.change';
const project = { kind: 'project', path: 'harbor/tide-table' };
const path = '/projects/harbor%2Ftide-table/notification_settings';

describe('changing notifications from a list', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
  });
  afterEach(() => window.dispose());

  it('applies a level by one choice, which names scope, account and what Global stands for, and takes it back', async () => {
    await window.elsewhere('/groups/harbor/notification_settings', { level: 'watch' });
    window.answer('E-Mail Notifications', 'On mention');
    const start = window.requests.length;
    await window.run(change, project);
    const [{ text, lines } = { text: '', lines: [] }, ...others] = window.asked.filter((one) =>
      one.text.startsWith('E-Mail'),
    );
    assert.equal(others.length, 0, 'two clicks: the row, the level');
    assert.match(text, /^E-Mail Notifications: Project harbor\/tide-table · /);
    assert.match(lines[0] ?? '', /Global.*current.*Watch, set in group harbor/);
    assert.equal(lines.filter((line) => /cannot/.test(line)).length, 0, 'said once, not on every row');
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
    await window.press('Undo');
    await window.message(/^Undone: Project harbor\/tide-table/);
    assert.equal((await window.elsewhere(path))['level'], 'global');
  });

  it('turns one event on and leaves the others as they are, and says what Undo keeps', async () => {
    window.answer('E-Mail Notifications', 'Turn On: New issue');
    const start = window.requests.length;
    await window.run(change, project);
    assert.match(window.asked.at(-1)?.text ?? '', /Select a level, or an event, which sets the level Custom/);
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'custom', new_issue: true }]);
    await window.message(/Not restored by Undo: New issue/);
    window.answer('E-Mail Notifications', 'Turn Off: New issue');
    await window.run(change, project);
    await window.press('Undo');
    await window.message(/^Undone/);
    const { level, events } = await window.elsewhere(path);
    assert.deepEqual([level, (events as Record<string, unknown>)['new_issue']], ['custom', true]);
  });

  it('sends nothing where the settings were changed elsewhere meanwhile, and reads again before it tries again', async () => {
    window.answer('E-Mail Notifications', async () => {
      await window.elsewhere(path, { level: 'watch' });
      return 'Disabled';
    });
    await window.run(change, project);
    await window.message(/changed in the meantime, here or elsewhere, so nothing was sent/);
    assert.equal((await window.elsewhere(path))['level'], 'watch');
    window.sandbox.control.transform({ path: '*/notification_settings', method: 'PUT', answer: 502, times: 1 });
    window.answer('E-Mail Notifications', 'Disabled');
    await window.run(change, project);
    const start = window.requests.length;
    await window.press('Try Again');
    await window.message(/^Saved: Project harbor\/tide-table/);
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'disabled' }]);
  });

  it('is about a row of a view, or a scope that is named, such as the global settings', async () => {
    const asked = (): string => window.asked.findLast(({ text }) => text.startsWith('E-Mail'))?.text ?? '';
    window.answer('E-Mail Notifications', undefined);
    const { id: accountId } = { id: `marta@${new URL(window.sandbox.url).host}` };
    await window.run(change, { project: { accountId, idOrPath: 'harbor/tools/winch' } });
    assert.match(asked(), /Project harbor\/tools\/winch/);
    window.answer('E-Mail Notifications', undefined);
    await window.run(change, { kind: 'global', accountId });
    assert.match(asked(), /Global settings/);
    assert.ok(!window.asked.at(-1)?.lines.some((line) => line.startsWith('Global')));
  });

  it('opens the page for the level Custom, and says at once where a token may not change settings', async () => {
    window.answer('E-Mail Notifications', 'Custom…');
    await window.run(change, project);
    await window.panel('beacon.notificationSettings');
    const token = window.sandbox.control.makeToken('marta', { scopes: ['read_api'] });
    window.answer('Personal access token', token);
    await window.run('beacon.signIn', { url: window.sandbox.url });
    await window.run(change, project);
    const { text, buttons } = await window.message(/may read but change nothing/);
    assert.ok(buttons.includes('Replace Token…'), text);
  });
});
