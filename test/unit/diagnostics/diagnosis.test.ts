import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';

describe('the diagnosis of a connection', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  /** The lines of a diagnosis once it is over. */
  async function diagnose(
    options?: object,
    answer: () => string | undefined = () => undefined,
  ): Promise<readonly string[]> {
    let shown: readonly string[] = [];
    window.answer(/^Connection( to .*)? · (The connection works|Failed)/, ({ lines }) => {
      shown = lines;
      return answer();
    });
    await window.run('beacon.diagnoseConnection', options);
    await window.until(() => shown.length > 0, 'the steps');
    return shown;
  }
  const steps = (lines: readonly string[]): string[] => lines.map((line) => line.split(' · ').slice(0, 2).join(' '));

  it('says of each step that it works', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const lines = await diagnose();
    assert.deepEqual(steps(lines), [
      ...['URL OK', 'Request OK', 'Certificate (TLS) OK', 'Instance OK', 'Token OK'],
      ...['Scopes of the Token OK', 'Role in the Project Skipped'],
    ]);
    assert.match(lines[4] ?? '', /Signed in as marta/);
  });

  it('ends with the step that failed, whose button leads on, and lists none that was not checked', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.sandbox.control.revokeToken(window.sandbox.tokens.owner);
    window.answer(/^Token: The token was revoked/, 'Replace Token…');
    window.answer('Replace Token of', undefined);
    const lines = await diagnose(undefined, () => 'Token');
    assert.deepEqual(steps(lines).slice(3), ['Instance OK', 'Token Failed']);
    // Once that is over, the connection is looked at again.
    window.answer(/^Connection to .* · Failed/, undefined);
    await window.until(() => window.asked.filter(({ text }) => text.includes('Failed: Token')).length > 1);
  });

  it('goes no further than the URL without a token, and offers to sign in there', async () => {
    window = await TestWindow.open();
    const lines = await diagnose({ url: window.sandbox.url });
    assert.deepEqual(steps(lines).slice(-2), ['Instance OK', 'Token Skipped']);
    assert.deepEqual(steps(await diagnose({ url: 'https://user:s3cret@host' })), ['URL Failed']);
    assert.ok(!JSON.stringify(window.asked).includes('s3cret'));
  });

  it('says what a narrow token lacks, and what a role does', async () => {
    window = await TestWindow.open({ signedInAs: 'readUser' });
    const lines = await diagnose();
    assert.deepEqual(steps(lines).at(-1), 'Scopes of the Token Failed');
    await window.signIn('developer');
    window.answer('This link leads to the error tracking of', 'Pin');
    await window.link(`/error-tracking?instance=${encodeURIComponent(window.sandbox.url)}&project=501`);
    window.answer('Choose the account whose connection to diagnose', /^tomasz@/);
    assert.match(
      (await diagnose()).at(-1) ?? '',
      /Your role in harbor\/tide-table allows the feed; error tracking needs Maintainer/,
    );
  });
});
