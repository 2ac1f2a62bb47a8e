import { withRecords } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';

describe('when a token expires', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  it('is asked of the instance at the sign-in, and warned of, also by the diagnosis', async () => {
    const now = '2026-05-04T09:00:00Z';
    window = await TestWindow.open({ time: now, sandbox: { now: () => new Date(now) } });
    window.sandbox.control.transform({
      path: '/personal_access_tokens/self',
      answer: withRecords((token) => ({ ...token, expires_at: '2026-05-07' })),
    });
    window.answer('Personal access token', window.sandbox.tokens.owner);
    await window.run('beacon.signIn', { url: window.sandbox.url });
    await window.message('the token expires in 3 days.');
    let steps: readonly string[] = [];
    window.answer(/^Connection.*/, ({ lines }) => {
      steps = lines;
      return undefined;
    });
    await window.run('beacon.diagnoseConnection');
    await window.until(() => steps.some((line) => line.includes('The token expires soon: on May 7, 2026.')));
  });
});
