import assert from 'node:assert/strict';
import { startHostileServer } from '../../support/hostileServer.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { TestWindow } from '../../support/testWindow.ts';
import type { Question } from '../../support/window/questions.ts';

const token = 'Personal access token';
const urlOf = 'The URL of your GitLab instance.';
const first = 'Choose an instance, or type the URL';

/** What an answer says is wrong with what was entered before; nothing else is entered. */
const seesProblem =
  (wrong: RegExp) =>
  (question: Question): undefined => {
    assert.match(question.problem ?? '', wrong);
  };

describe('a sign-in', () => {
  let window: TestWindow;
  let other: Sandbox;
  before(async () => {
    other = await startSandbox({ liveEvents: false, seed: 2 });
  });
  after(() => other.close());
  afterEach(() => window.dispose());

  const host = (sandbox: Pick<Sandbox, 'url'> = window.sandbox): string => new URL(sandbox.url).host;
  const askedTexts = (): string[] => window.asked.map(({ text }) => text);
  /** By the name of the account where there are several, else by that of the instance. */
  const signedIn = (name: string): Promise<unknown> =>
    window.until(() => window.statusBar.includes(`Signed in to ${name}`), name);

  it('asks for the URL and the token, and shows the feed', async () => {
    window = await TestWindow.open();
    window.answer(urlOf, window.sandbox.url);
    window.answer(token, window.sandbox.tokens.owner);
    await window.run('beacon.signIn');
    await signedIn(host());
    assert.equal(window.asked[0]?.value, 'https://gitlab.com');
    assert.deepEqual(await window.secrets.keys(), [`account:marta@${host()}`]);
    assert.ok(!window.log.join('\n').includes(window.sandbox.tokens.owner));
  });

  it('offers to enter a passphrase where a file may need one', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const offered = (): readonly string[] => window.palette().filter((title) => title.includes('Passphrase'));
    assert.deepEqual(offered(), []);
    await window.setting('beacon.tls', { 'gitlab.example.com': { pfx: '~/me.p12' } });
    assert.deepEqual(offered(), ['Enter Certificate Passphrase…']);
  });

  it('begins with the instances that were signed in to, also after a sign-out, and takes another one that is typed', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.answer('Sign out of', 'Sign Out');
    await window.run('beacon.signOut');
    window.answer(first, (question) => {
      assert.deepEqual(question.lines, [host(), 'Enter a URL…']);
      return host();
    });
    window.answer(token, window.sandbox.tokens.developer);
    await window.run('beacon.signIn');
    await signedIn(host());
    // Typed into the list, a URL is its first line.
    window.answer(first, { type: other.url, next: other.url });
    window.answer(token, other.tokens.owner);
    await window.run('beacon.signIn');
    await signedIn(`marta@${host(other)}`);
    window.answer(first, undefined);
    await window.run('beacon.signIn');
    assert.deepEqual(window.asked.at(-1)?.lines, [host(other), host(), 'Enter a URL…']);
  });

  it('keeps the URL that led nowhere, and says why', async () => {
    window = await TestWindow.open();
    window.answer(urlOf, 'not a url');
    window.answer(urlOf, ({ problem, value }) => {
      assert.deepEqual(
        [problem, value],
        ['This is not the URL of an instance. Enter one such as https://gitlab.com.', 'not a url'],
      );
      return window.sandbox.tokens.owner.replace(/^(?!gl)/, 'glpat-');
    });
    window.answer(urlOf, seesProblem(/^This is a token; it was not sent/));
    await window.run('beacon.signIn');
    window.answer(urlOf, window.sandbox.url);
    window.answer(token, undefined);
    await window.run('beacon.signIn');
    window.answer(urlOf, undefined);
    await window.run('beacon.signIn');
    assert.equal(window.asked.at(-1)?.value, window.sandbox.url);
    assert.deepEqual(await window.secrets.keys(), []);
  });

  it('finds the instance above the address of a page, and asks four places at most', async () => {
    window = await TestWindow.open();
    window.answer('Sign In to', undefined);
    await window.run('beacon.signIn', { url: `${window.sandbox.url}/harbor/tide-table/-/settings` });
    assert.deepEqual(askedTexts().at(-1)?.split(' · ')[0], `Sign In to ${host()}`);
    await using site = await startHostileServer((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing</h1>');
    });
    window.answer(urlOf, seesProblem(/does not answer like a GitLab instance|Not found/));
    await window.run('beacon.signIn', { url: `${site.origin}${'/a'.repeat(900)}` });
    assert.equal(site.requests.length, 4);
    assert.ok(site.requests.some(({ target }) => target === '/api/v4/user'));
  });

  it('warns before a token goes to another computer without encryption, and sends none unless the user agrees', async () => {
    window = await TestWindow.open({ settings: { 'http.proxySupport': 'off' } });
    const seen = new Set<unknown>();
    await using site = await startHostileServer(({ target, headers }, response) => {
      const given = headers['private-token'];
      seen.add(given);
      const init = { headers: typeof given === 'string' ? { 'private-token': given } : {} };
      void fetch(window.sandbox.url + target, init).then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      );
    });
    // An address that is not known to be of this computer.
    const url = site.origin.replace('127.0.0.1', '[::ffff:7f00:1]');
    const question = `Sign in to ${url} without encryption?`;
    window.answer(question, undefined);
    window.answer(urlOf, seesProblem(/^No token was sent\. Enter a URL that begins/));
    await window.run('beacon.signIn', { url });
    assert.deepEqual([...seen], [undefined]);
    window.answer(question, 'Sign In without Encryption');
    window.answer(token, window.sandbox.tokens.owner);
    await window.run('beacon.signIn', { url });
    await signedIn(url);
  });

  it('says what a token lacks, leads to the page that makes one, and replaces it', async () => {
    window = await TestWindow.open({ signedInAs: 'readUser' });
    const id = `aiko@${host()}`;
    const narrow = window.sandbox.control.makeToken('aiko', { scopes: ['read_api'] });
    window.answer(/^Replace Token · /, window.sandbox.tokens.owner);
    window.answer(/^Replace Token · /, ({ problem }) => {
      assert.equal(problem, `This is a token of marta. Enter one of aiko; “Sign In…” adds marta as another account.`);
      return narrow;
    });
    await Promise.all([
      window.run('beacon.replaceToken'),
      window.message('A token with the token scope read_api may read but change nothing').then(async () => {
        window.answer(/^Replace Token · /, { button: `Create Token on ${host()}` });
        window.answer(/^Replace Token · /, window.sandbox.tokens.reader);
        await window.press('Replace Token…');
      }),
    ]);
    await window.until(() => /\/-\/user_settings\/personal_access_tokens.*scopes=api/.test(window.opened.at(-1) ?? ''));
    await window.until(() => window.statusBar.includes(`Token replaced: api · ${host()}`), 'the other token');
    assert.match((await window.secrets.get(`account:${id}`)) ?? '', new RegExp(window.sandbox.tokens.reader));
  });

  it('replaces the token of a user who was renamed, and takes none of the user who has that name now', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const { control, tokens } = window.sandbox;
    const names: Readonly<Record<string, string>> = { marta: 'marta.new', tomasz: 'marta' };
    control.transform({
      path: '/user',
      answer: async (own) => {
        const answer = await own();
        const user = (await answer.json()) as { readonly username?: string };
        return Response.json({ ...user, username: names[user.username ?? ''] }, { status: answer.status });
      },
    });
    window.answer(token, control.makeToken('marta'));
    await window.run('beacon.replaceToken');
    await window.until(() => window.statusBar.includes(`Token replaced: api · ${host()}`), 'the other token');
    window.answer(token, tokens.developer);
    window.answer(token, seesProblem(/^This is a token of marta\. Enter one of marta\.new;/));
    await window.run('beacon.replaceToken');
    assert.deepEqual(await window.secrets.keys(), [`account:marta@${host()}`]);
    window.answer(token, tokens.developer);
    await window.run('beacon.signIn', { url: window.sandbox.url });
    assert.deepEqual(await window.secrets.keys(), [`account:marta@${host()}`, `account:marta@${window.sandbox.url}`]);
  });

  it('mentions where a remote leads, and does not fill it in', async () => {
    window = await TestWindow.open({ remotes: { origin: 'git@gitlab.company.example:group/project.git' } });
    await window.until(async () => {
      window.answer(urlOf, undefined);
      await window.run('beacon.signIn');
      return window.asked.at(-1)?.text.endsWith('A remote of this workspace leads to gitlab.company.example.');
    }, 'the remote');
    assert.equal(window.asked.at(-1)?.value, '');
  });

  it('uses the token of the GitLab CLI where there is one, and keeps none of it', async () => {
    window = await TestWindow.open({ files: { 'glab/config.yml': '' } });
    const { tokens } = window.sandbox;
    const before = process.env['GLAB_CONFIG_DIR'];
    process.env['GLAB_CONFIG_DIR'] = window.path('glab').fsPath;
    try {
      // Without a token there, nothing is to be chosen.
      window.answer(token, undefined);
      await window.run('beacon.signIn', { url: window.sandbox.url });
      const lend = (of: string): void =>
        window.write('glab/config.yml', `hosts:\n    ${host()}:\n        token: ${of}\n`);
      lend(tokens.owner);
      window.answer('Choose how to sign in', 'Use Token of the GitLab CLI');
      await window.run('beacon.signIn', { url: window.sandbox.url });
      await signedIn(host());
      // The CLI may have another token soon: what this one may do and how long is not kept, either.
      const kept = (await window.secrets.get(`account:marta@${host()}`)) ?? '';
      assert.doesNotMatch(kept, new RegExp(`${tokens.owner}|scopes|expiresAt`));
      await window.until(async () => (await window.rows('beacon.activity')).length > 5);
      lend(`${tokens.developer}\n        user: tomasz`);
      await window.restart();
      await window.until(async () => {
        await window.rows('beacon.activity');
        return window.log.some((line) => line.includes('the GitLab CLI no longer has a token'));
      }, 'the end');
    } finally {
      Object.assign(process.env, { GLAB_CONFIG_DIR: before });
      if (before === undefined) {
        delete process.env['GLAB_CONFIG_DIR'];
      }
    }
  });

  it("uses an account of GitLab's own extension on the same instance alone, and keeps none of its token", async () => {
    window = await TestWindow.open();
    const sessions = [window.sandbox.url, other.url, 'no address'].map((where, index) => ({
      ...{
        id: `s${index}`,
        scopes: ['api', 'read_user'],
        accessToken: window.sandbox.control.makeToken('marta', { oauth: true }),
      },
      account: { id: `a${index}`, label: `marta (${where})` },
    }));
    window.lend(sessions);
    const lines: (readonly string[])[] = [];
    window.answer(first, (question) => {
      lines.push(question.lines);
      return host();
    });
    window.answer('Choose how to sign in', (question) => {
      lines.push(question.lines.map((line) => line.split(' · ')[0] ?? ''));
      return `marta (${window.sandbox.url})`;
    });
    await window.run('beacon.signIn');
    await signedIn(host());
    assert.deepEqual(lines, [
      [host(), host(other), 'Enter a URL…'],
      [`marta (${window.sandbox.url})`, 'marta (no address)', 'Enter a Personal Access Token…'],
    ]);
    await window.until(async () => (await window.rows('beacon.activity')).length > 5);
    const [kept = ''] = await Promise.all((await window.secrets.keys()).map((key) => window.secrets.get(key)));
    assert.ok(!sessions.some(({ accessToken }) => kept.includes(accessToken)), kept);
  });
});
