import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { NotificationPage } from '../../support/notificationPage.ts';
import { TestWindow } from '../../support/testWindow.ts';

describe('help', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  /** What the reporter gets, or the clipboard. */
  async function report(): Promise<string> {
    await window.run('beacon.reportIssue');
    const [, handed] = window.calls.find(([command]) => command.endsWith('openIssueReporter')) ?? [];
    return handed === undefined ? window.clipboard : (handed as { readonly data: string }).data;
  }

  it('hands a report without secrets to the reporter, or copies it where the editor has none', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const text = await report();
    assert.match(text, /### Connection\n\n```text\nBeacon for GitLab \d/);
    assert.match(text, /✓ Token: 127\.0\.0\.1:\d+ accepts the token/);
    assert.ok(!text.includes('marta'));
    assert.ok(!text.includes(window.sandbox.tokens.owner));
  });

  it('names no home folder in a report, and so not its user', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const file = join(homedir(), 'certificates', 'ca.pem');
    await window.setting('beacon.tls', { [new URL(window.sandbox.url).host]: { ca: file } });
    const text = await report();
    assert.match(text, /The file ~.certificates.ca\.pem, set in beacon\.tls/);
    assert.ok(!text.includes(homedir()), text);
  });

  it('removes everything once the user confirms, and says what stays', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const page = await NotificationPage.open(window, { kind: 'project', path: 'harbor/tide-table' });
    await page.edit({ level: 'mention' });
    window.answer('Remove everything that Beacon keeps?', ({ text }) => {
      assert.match(text, /Personal access tokens are valid until you revoke them on the instance\./);
      return 'Remove Everything';
    });
    await window.run('beacon.reset');
    await window.message('Everything that Beacon kept was removed.');
    assert.deepEqual([await window.secrets.keys(), window.panels], [[], []]);
    assert.doesNotMatch(window.kept, /marta|tide-table|mention/);
    assert.match(await window.welcome('beacon.activity'), /Sign In/);
    await window.restart();
    assert.match(await window.welcome('beacon.activity'), /Sign In/);
  });

  it('does not remove half where the secret store cannot be written', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.answer('Remove everything that Beacon keeps?', 'Remove Everything');
    window.secrets.failure = new Error('no keyring');
    await window.run('beacon.reset');
    await window.message('The secret store of the editor cannot be written');
    window.secrets.failure = undefined;
    assert.equal((await window.secrets.keys()).length, 1);
  });

  it('opens a program with a DSN of the sandbox that is in use', async () => {
    window = await TestWindow.open({ sandbox: false });
    await window.run('beacon.openSample');
    assert.match(window.document().text, /sentry_sdk\.init\(dsn="https:\/\/glet_\w+@gitlab\.example\.com/);
  });
});
