import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';

describe('help', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  it('shows a report without secrets, and copies it as the user has left it where the editor has no reporter', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const reported = window.run('beacon.reportIssue');
    await window.message('Nothing has been sent. Read the report');
    const { text } = window.document();
    assert.match(text, /^### Connection\n\n```text\nBeacon for GitLab \d/);
    assert.match(text, /✓ Token: Signed in as marta/);
    assert.ok(!text.includes(window.sandbox.tokens.owner));
    await window.press('Continue to Issue Reporter');
    await reported;
    await window.until(
      () => window.clipboard !== '' || window.calls.some(([command]) => command.includes('IssueReporter')),
    );
  });

  it('removes everything once the user confirms, and says what stays', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.answer('Remove everything that Beacon keeps?', ({ text }) => {
      assert.match(text, /Personal access tokens are valid until you revoke them on the instance\./);
      return 'Remove Everything';
    });
    await window.run('beacon.reset');
    await window.message('Everything that Beacon kept was removed.');
    assert.deepEqual(await window.secrets.keys(), []);
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
