import assert from 'node:assert/strict';
import { makeCertificate } from '../../support/certificates.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { TestWindow } from '../../support/testWindow.ts';
import { startTlsFront } from '../../support/tlsFront.ts';

describe('the diagnosis of a connection', () => {
  let window: TestWindow;
  const running: AsyncDisposable[] = [];
  afterEach(async () => {
    await window.dispose();
    for (const one of running.splice(0)) {
      await one[Symbol.asyncDispose]();
    }
  });
  const started = <T extends AsyncDisposable>(one: T): T => {
    running.push(one);
    return one;
  };

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
    assert.match(lines[4] ?? '', /127\.0\.0\.1:\d+ accepts the token/);
    assert.ok(!JSON.stringify(window.asked.at(-1)).includes('marta'), 'the only account is not named');
  });

  it('ends with the step that failed, whose button leads on, and lists none that was not checked', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.sandbox.control.revokeToken(window.sandbox.tokens.owner);
    window.answer(/^Token: .* expired or revoked\..* · .*revoked/s, 'Replace Token…');
    window.answer(/^Replace Token · /, undefined);
    const lines = await diagnose(undefined, () => 'Token');
    assert.deepEqual(steps(lines).slice(3), ['Instance OK', 'Token Failed']);
    // Once that is over, the connection is looked at again.
    window.answer(/^Connection to .* · Failed/, undefined);
    await window.until(() => window.asked.filter(({ text }) => text.includes('Failed: Token')).length > 1);
  });

  it('sends nothing more with a token that is signed out of meanwhile', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    window.sandbox.control.transform({
      path: '/user',
      answer: async (own, { req }) => {
        // The first request of a diagnosis has no token.
        if (req.header('private-token') !== undefined) {
          asked.resolve();
          await answered.promise;
        }
        return await own();
      },
    });
    const reported = window.run('beacon.reportIssue');
    await asked.promise;
    window.answer('Sign out of', 'Sign Out');
    await window.run('beacon.signOut');
    const { length } = window.requests;
    answered.resolve();
    await reported;
    assert.deepEqual(window.requests.slice(length), []);
  });

  it('goes no further than the URL without a token, and offers to sign in there', async () => {
    window = await TestWindow.open();
    const lines = await diagnose({ url: window.sandbox.url });
    assert.deepEqual(steps(lines).slice(-2), ['Instance OK', 'Token Skipped']);
    assert.deepEqual(steps(await diagnose({ url: 'https://user:s3cret@host' })), ['URL Failed']);
    assert.ok(!JSON.stringify(window.asked).includes('s3cret'));
    assert.deepEqual(steps(await diagnose({ url: 'glpat-AbCdEfGh1234567890xy' })), ['URL Failed']);
    assert.doesNotMatch(JSON.stringify([window.asked, window.log]), /glpat-abcd/i);
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

  const selfSigned = makeCertificate({ name: 'gitlab', hosts: ['localhost'] });
  const port = () => Number(new URL(window.sandbox.url).port);
  const server = async (body: unknown, status: number): Promise<string> =>
    started(await startHostileServer((_, response) => sendJson(response, body, { status }))).origin;
  /** The sandbox behind TLS. */
  const secured = async (): Promise<string> =>
    `https://localhost:${started(await startTlsFront(port(), selfSigned)).port}`;
  const gone = async (): Promise<string> => {
    const one = await startHostileServer(() => undefined);
    await one[Symbol.asyncDispose]();
    return one.origin;
  };
  const elsewhere = async (): Promise<string> => `${window.sandbox.url}/gitlab`;
  for (const [what, step, sentence, arrange] of [
    ['a port that takes no connections', 'Request', /cannot be reached \(ECONNREFUSED\)/, gone],
    ['what does not speak TLS', 'Certificate (TLS)', /does not speak https/, async () => `https://127.0.0.1:${port()}`],
    ['a self-signed certificate', 'Certificate (TLS)', /is self-signed/, secured],
    ['a web site that is no instance', 'Instance', /does not answer like a GitLab/, () => server('Hello', 200)],
    ['an instance that is broken', 'Instance', /has an internal error \(status 500\)/, () => server({}, 500)],
    ['an instance that is elsewhere on its host', 'Instance', /not a GitLab instance|does not answer/, elsewhere],
  ] as const) {
    it(`names the step that ${what} fails`, async () => {
      window = await TestWindow.open();
      const last = (await diagnose({ url: await arrange() })).at(-1) ?? '';
      assert.ok(last.startsWith(`${step} · Failed`), last);
      assert.match(last, sentence);
    });
  }

  it('trusts a certificate once the user has compared its fingerprint, and looks again', async () => {
    window = await TestWindow.open();
    const failed = /^Connection to localhost:\d+ · Failed: Certificate/;
    for (const button of [undefined, 'Trust Certificate']) {
      // By the sentence of the step, and then by the button of its line.
      if (button === undefined) {
        window.answer(failed, 'Certificate (TLS)');
        window.answer(/^Certificate \(TLS\): .*is self-signed/, 'Trust Certificate…');
      } else {
        window.answer(failed, { button: 'Trust Certificate…', of: 'Certificate (TLS)' });
      }
      window.answer('Trust this certificate for localhost', ({ text }) => {
        assert.ok(text.includes(selfSigned.fingerprint), text);
        return button;
      });
    }
    await window.run('beacon.diagnoseConnection', { url: await secured() });
    let shown: readonly string[] = [];
    window.answer(/^Connection to localhost:\d+ · The connection works/, ({ lines }) => void (shown = lines));
    await window.until(() => shown.length > 0, 'the steps');
    assert.equal(window.asked.filter(({ text }) => failed.test(text)).length, 2, 'nothing is trusted before');
    assert.match(shown.find((line) => line.startsWith('Certificate')) ?? '', /is trusted/);
  });
});
