import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { NotificationPage, sentSince } from '../../support/notificationPage.ts';
import { TestWindow } from '../../support/testWindow.ts';

const format = 'beacon-gitlab-notification-settings';
const path = '/projects/harbor%2Ftide-table/notification_settings';

describe('files of notification settings', () => {
  let window: TestWindow;
  let page: NotificationPage;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    page = await NotificationPage.open(window);
  });
  afterEach(() => window.dispose());

  /** Chooses a file with these settings to be imported. */
  function choose(settings: readonly object[], name = 'settings.json'): void {
    window.write(name, JSON.stringify({ format, version: 1, settings }));
    window.answer('Import Notification Settings', window.path(name).fsPath);
  }

  it('have all that is listed, without account and token, and are imported after a review', async () => {
    window.answer('Export Notification Settings', window.path('out.json').fsPath);
    page.send({ type: 'act', action: 'export' });
    await window.message('Exported settings of scopes: 9');
    const text = window.read('out.json');
    assert.ok(!text.includes(window.sandbox.tokens.owner) && !text.includes('marta@127'));
    window.write('in.json', text.replace('"participating"', '"mention"'));
    window.answer('Import Notification Settings', window.path('in.json').fsPath);
    window.answer('Select the scopes to change', ['Global settings']);
    const start = window.requests.length;
    page.send({ type: 'act', action: 'import' });
    await window.message(/^Saved: Global settings · Level: from Participate to On mention/);
    assert.deepEqual(sentSince(window.requests, start), [{ level: 'mention' }]);
    await page.until(({ form }) => form?.fields?.level === 'mention');
    await window.press('Undo');
    await page.until(({ form }) => form?.fields?.level === 'participating');
  });

  it('are written to what a link leads to once the user says so', async () => {
    const outside = window.path('../outside.json').fsPath;
    writeFileSync(outside, 'theirs');
    symlinkSync(outside, window.path('notification-settings.json').fsPath);
    for (const answer of [undefined, 'Write'] as const) {
      window.answer('Export Notification Settings', window.path('notification-settings.json').fsPath);
      window.answer('Write outside of the workspace?', ({ text }) => {
        assert.match(text, /notification-settings\.json leads to .*outside\.json/);
        assert.equal(readFileSync(outside, 'utf8'), 'theirs');
        return answer;
      });
      page.send({ type: 'act', action: 'export' });
      await window.until(() => window.asked.filter(({ text }) => text.startsWith('Write')).length === (answer ? 2 : 1));
    }
    await window.message('Exported settings of scopes: 9');
    assert.match(readFileSync(outside, 'utf8'), /"settings"/);
  });

  it('leave out what the instance does not have, and say so', async () => {
    choose([
      { scope: 'project', path: 'no/such', level: 'watch' },
      { scope: 'project', path: '../../../other', level: 'watch' },
      { scope: 'project', path: 'harbor/tide-table', level: 'watch' },
    ]);
    window.answer('Select the scopes to change', ['Project harbor/tide-table']);
    page.send({ type: 'act', action: 'import' });
    await window.message(/^Some settings could not be read\. .*no\/such.*: Not found/);
    await window.message(/^Saved: Project harbor\/tide-table/);
    assert.equal((await window.elsewhere(path))['level'], 'watch');
  });

  it('name the first place that is wrong', async () => {
    choose([{ scope: 'global', level: 'loud' }]);
    page.send({ type: 'act', action: 'import' });
    await window.message('settings[0].level is missing, wrong or there twice');
  });

  it('of 10,000 scopes can be cancelled, and send nothing then', async () => {
    choose(Array.from({ length: 10_000 }, (_, id) => ({ scope: 'project', path: `a/p${id}`, level: 'watch' })));
    const start = window.requests.length;
    page.send({ type: 'act', action: 'import' });
    const looking = await window.until(() => window.progress.find(({ title }) => title.includes('Looking up')));
    await window.until(() => window.requests.length > start + 20);
    looking.cancel();
    await window.until(() => !window.progress.includes(looking));
    const asked = window.requests.length - start;
    assert.ok(asked < 5000, String(asked));
    assert.deepEqual(sentSince(window.requests, start), []);
  });
});
