import assert from 'node:assert/strict';
import { type HostileServer, sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { TestWindow } from '../../support/testWindow.ts';

const token = 'glpat-Sample.Token_0123456789';
const html = { 'content-type': 'text/html' };

/** An answer of what stands in front, and what is said of it. */
const fronts: readonly (readonly [name: string, status: number, headers: Record<string, string>, sentence: RegExp])[] =
  [
    [
      'a password',
      401,
      { ...html, 'www-authenticate': 'Negotiate, Basic realm="Restricted"' },
      /A web server or proxy in front of 127\.0\.0\.1:\d+ asks for a password of its own\. The token is not refused: ask /,
    ],
    [
      'a page for signing in elsewhere',
      302,
      { location: 'https://acme.cloudflareaccess.com/cdn-cgi/access/login/gitlab.example.com' },
      /A page for signing in at https:\/\/acme\.cloudflareaccess\.com stands in front of 127\.0\.0\.1:\d+\. The token is not /,
    ],
  ];

describe('what stands in front of an instance', () => {
  let window: TestWindow;
  /** What answers in the place of the instance; undefined for the instance itself. */
  let front: (() => [number, Record<string, string>] | undefined) | undefined;
  let server: HostileServer;

  beforeEach(async () => {
    front = undefined;
    window = await TestWindow.open({ sandbox: false });
    server = await startHostileServer(({ headers, target }, response) => {
      const withToken = headers['private-token'] !== undefined || headers.authorization !== undefined;
      const instead = front?.();
      if (instead) {
        response.writeHead(...instead).end('<html></html>');
      } else if (withToken) {
        const events = target.includes('/events') ? [] : undefined;
        sendJson(response, events ?? { id: 1, username: 'ada', name: 'Ada', scopes: ['api'] });
      } else {
        sendJson(response, { message: '401 Unauthorized' }, { status: 401 });
      }
    });
  });
  afterEach(async () => {
    await window.dispose();
    await server[Symbol.asyncDispose]();
  });

  const tokensSeen = (): number =>
    server.requests.filter(({ headers }) => /glpat|Bearer/.test(JSON.stringify(headers))).length;
  const signIn = async (): Promise<void> => {
    window.answer('Personal access token', token);
    await window.run('beacon.signIn', { url: server.origin });
  };
  /** The line with which a diagnosis ends. */
  const diagnosis = async (): Promise<string> => {
    let last = '';
    window.answer(/^Connection to .* · Failed/, ({ lines }) => void (last = lines.at(-1) ?? ''));
    await window.run('beacon.diagnoseConnection', { url: server.origin });
    return await window.until(() => last);
  };

  for (const [name, status, headers, sentence] of fronts) {
    it(`gets no token at a sign-in, and is named, also by the diagnosis: ${name}`, async () => {
      front = () => [status, headers];
      window.answer('The URL of your GitLab instance.', `${server.origin}/group/project`);
      window.answer('The URL of your GitLab instance.', ({ problem }) => {
        assert.match(problem ?? '', sentence);
        return undefined;
      });
      await window.run('beacon.signIn');
      const found = await diagnosis();
      assert.match(found, /^Instance · Failed/);
      assert.match(found, sentence);
      assert.ok(server.requests.length > 1, 'looked for above the page, too');
      assert.deepEqual([tokensSeen(), await window.secrets.keys()], [0, []]);
    });

    it(`gets no token that is entered after it has come: ${name}`, async () => {
      let probes = 0;
      // The URL was found to be an instance's; then something was put in front of it.
      front = () => ((probes += 1) > 1 ? [status, headers] : undefined);
      window.answer('The URL of your GitLab instance.', server.origin);
      window.answer('Personal access token', token);
      window.answer('Personal access token', ({ problem }) => {
        assert.match(problem ?? '', sentence);
        return undefined;
      });
      await window.run('beacon.signIn');
      assert.equal(tokensSeen(), 0);
    });
  }

  it('does not make the token of an account in use count as rejected', async () => {
    const message = async () => (await window.view('beacon.activity')).message ?? '';
    await signIn();
    await window.rows('beacon.activity');
    for (const [, status, headers, sentence] of fronts) {
      front = () => [status, headers];
      await window.run('beacon.activity.refresh');
      await window.until(async () => sentence.test(await message()));
    }
    front = undefined;
    await window.run('beacon.activity.refresh');
    await window.until(async () => (await message()) === '');
    assert.ok(!window.messages.some(({ text }) => text.includes('no longer accepts')));
  });
});
