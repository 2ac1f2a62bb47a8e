import assert from 'node:assert/strict';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { TestWindow } from '../../support/testWindow.ts';

const browser = 'Authorize in the Browser';
const aDay = 24 * 3_600_000;

/** The redirect URI that is registered for a sandbox. */
const redirectUriOf = ({ url }: Sandbox): string =>
  `vscode://beacon-gitlab.beacon-gitlab/signed-in/http~3a~2f~2f127.0.0.1~3a${new URL(url).port}`;

/** Authorizes on a page as the user does in the browser. @returns where the browser goes then. */
async function decide(page: string): Promise<string> {
  const url = new URL(page);
  const body = new URLSearchParams({ ...Object.fromEntries(url.searchParams), decision: 'authorize' });
  const response = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
  return response.headers.get('location') ?? String(response.status);
}

/** What a link to the editor has after its host. */
const linkOf = (uri: string): string => uri.replace('vscode://beacon-gitlab.beacon-gitlab', '');

describe('an authorization in the browser', () => {
  let sandbox: Sandbox;
  let window: TestWindow;
  let settings: Readonly<Record<string, unknown>>;
  /** How far the sandbox's clock is ahead. */
  let ahead = 0;
  const id = (): string => `marta@${new URL(sandbox.url).host}`;

  beforeEach(async () => {
    ahead = 0;
    sandbox = await startSandbox({ liveEvents: false, now: () => new Date(Date.now() + ahead) });
    const application = sandbox.control.registerApplication([redirectUriOf(sandbox)]);
    settings = { 'beacon.signIn.applicationIds': { 'not a url': 'x', [sandbox.url]: application } };
    window = await TestWindow.open({ sandbox, settings });
  });
  afterEach(async () => {
    await window.dispose();
    await sandbox.close();
  });

  /** Begins a sign-in; answers with the page that the browser shows. */
  async function begin(command = 'beacon.signIn', one = window) {
    const { length } = one.opened;
    one.answer('Choose how to sign in', browser);
    const done = one.run(command, ...(command === 'beacon.signIn' ? [{ url: sandbox.url }] : []));
    const page = await one.until(() => one.opened[length], 'the page');
    /** Decides there, and waits for what comes of it. */
    const authorize = async (more = ''): Promise<void> => {
      await one.link(linkOf(await decide(page)) + more);
      await done;
    };
    return { page, done, authorize };
  }

  async function signIn(): Promise<void> {
    const { authorize } = await begin();
    await authorize();
    assert.equal(await window.secrets.get(`account:${id()}`).then((text) => typeof text), 'string');
  }
  const kept = async (): Promise<{ token: string; grant: { refreshToken?: string; expiresAt: number } }> =>
    JSON.parse((await window.secrets.get(`account:${id()}`)) ?? '{}') as never;
  const isRevoked = (token: string): Promise<unknown> =>
    window.until(async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${sandbox.url}/api/v4/user`, { headers })).status === 401;
    }, 'the token to be revoked');
  const tokenRequests = (one = window): number => one.log.filter((line) => /POST \/oauth\/token \d/.test(line)).length;
  const showsEvents = (one = window): Promise<unknown> =>
    one.until(async () => (await one.rows('beacon.activity')).length > 5, 'the feed');

  it('signs in, and leaves nothing of it but the account', async () => {
    await signIn();
    await showsEvents();
    assert.deepEqual(await window.secrets.keys(), [`account:${id()}`]);
    const { token, grant } = await kept();
    assert.ok(token && grant.refreshToken);
    for (const secret of [token, grant.refreshToken]) {
      assert.ok(!window.log.join('\n').includes(secret));
    }
    assert.match(window.log.join('\n'), /entry 1 is ignored/);
  });

  it('goes back from the token to the choice', async () => {
    window.answer('Choose how to sign in', 'Enter a Personal Access Token…');
    window.answer('Personal access token', { button: 'Back' });
    window.answer('Choose how to sign in', 'Enter a Personal Access Token…');
    window.answer('Personal access token', sandbox.tokens.owner);
    await window.run('beacon.signIn', { url: sandbox.url });
    assert.doesNotMatch((await window.secrets.get(`account:${id()}`)) ?? '', /oauth/);
  });

  it('takes an answer once, and none of another window, which says where to sign in', async () => {
    const { page, done } = await begin();
    const answer = linkOf(await decide(page));
    const second = await window.second();
    await second.link(answer);
    assert.match(
      (await second.message('No sign-in of this window waits')).text,
      /Sign in again in the window that you want/,
    );
    assert.deepEqual([tokenRequests(second), await window.secrets.keys()], [0, []]);
    await Promise.all([window.link(answer), window.link(answer)]);
    await done;
    assert.equal(tokenRequests(), 1);
    for (const odd of ['/signed-in/x?code=1&state=unknown', '/signed-in?', '/signed-in?state=&&%']) {
      window.messages.splice(0);
      await window.link(odd);
      await window.message('No sign-in of this window waits');
    }
  });

  it('gives no code of another instance to the one that was asked', async () => {
    const other = await startSandbox({ liveEvents: false, seed: 2 });
    try {
      const { page, done } = await begin();
      // As the instance that was asked can send the browser there, with what it was asked for.
      const elsewhere = new URL(`${other.url}/oauth/authorize${new URL(page).search}`);
      elsewhere.searchParams.set('client_id', other.control.registerApplication([redirectUriOf(other)]));
      assert.equal(await decide(elsewhere.href), '400', 'the redirect URI is that of one instance');
      elsewhere.searchParams.set('redirect_uri', redirectUriOf(other));
      await window.link(linkOf(await decide(elsewhere.href)));
      await done;
      await window.message(`The answer of the browser is not from ${new URL(sandbox.url).host}`);
      assert.deepEqual([tokenRequests(), await window.secrets.keys()], [0, []]);
    } finally {
      await other.close();
    }
  });

  for (const [issuers, isTaken] of [
    [(url: string) => [url], true],
    [(url: string) => [`${url}/`], true],
    [(url: string) => [`${url}.example`], false],
    [(url: string) => [url, ''], false],
  ] as const) {
    it(`${isTaken ? 'takes' : 'refuses'} an answer with the issuers ${JSON.stringify(issuers('…'))}`, async () => {
      const { authorize } = await begin();
      await authorize(
        issuers(sandbox.url)
          .map((issuer) => `&iss=${encodeURIComponent(issuer)}`)
          .join(''),
      );
      assert.equal(tokenRequests(), isTaken ? 1 : 0);
    });
  }

  for (const [error, sentence] of [
    ['access_denied', /^Beacon was not authorized on .*, so you are not signed in\.$/],
    [
      'invalid_scope',
      /did not complete the sign-in \(invalid_scope\)\. Ask an administrator .* with the token scope api/,
    ],
    ['<b>%0a', /did not complete the sign-in \(\?\)/],
  ] as const) {
    it(`says what the browser brings instead of a code: ${error}`, async () => {
      const { page, done } = await begin();
      const state = new URL(page).searchParams.get('state') ?? '';
      await window.link(`${linkOf(redirectUriOf(sandbox))}?error=${error}&state=${state}&error_description=Pwned`);
      await done;
      await window.message(sentence);
      assert.ok(!JSON.stringify(window.messages).includes('Pwned'));
    });
  }

  it('can be canceled, and then shows what an administrator may have to do', async () => {
    const { done } = await begin();
    window.progress.find(({ title }) => title.startsWith('Authorize Beacon'))?.cancel();
    await window.message(`with the token scope api and the redirect URI ${redirectUriOf(sandbox)}.`);
    await window.press('Copy Redirect URI');
    await done;
    await window.until(() => window.clipboard === redirectUriOf(sandbox), 'the copy');
  });

  it('waits for an hour, and replaces one of the same moment', async () => {
    const late = await TestWindow.open({ sandbox, settings, time: '2026-11-20T10:00:00Z' });
    try {
      for (const [minutes, waits] of [
        [61, false],
        [59, true],
      ] as const) {
        const { authorize } = await begin('beacon.signIn', late);
        await late.advance(minutes * 60_000);
        await authorize();
        assert.equal((await late.secrets.keys()).length, waits ? 1 : 0);
      }
      // The authorization before it ends, and not the account, even in the same millisecond.
      const { authorize } = await begin('beacon.replaceToken', late);
      await authorize();
      await late.until(() => late.log.some((line) => line.includes('POST /oauth/revoke 200')), 'the revocation');
      await late.run('beacon.activity.refresh');
      assert.equal((await late.secrets.keys()).length, 1);
    } finally {
      await late.dispose();
    }
  });

  it('replaces the token of an account', async () => {
    await signIn();
    const { token } = await kept();
    const { authorize } = await begin('beacon.replaceToken');
    await authorize();
    assert.notEqual((await kept()).token, token);
    await isRevoked(token);
  });

  /** Lets the access token expire, for the sandbox and for what is kept. */
  async function letExpire(): Promise<void> {
    ahead += aDay;
    const { grant, ...entry } = await kept();
    await window.secrets.store(`account:${id()}`, JSON.stringify({ ...entry, grant: { ...grant, expiresAt: 1 } }));
  }
  const refresh = (one: TestWindow): Promise<unknown> =>
    one.run('beacon.activity.refresh').then(() => showsEvents(one));

  it('is refreshed once for two windows at a time', async () => {
    await signIn();
    const second = await window.second();
    await Promise.all([showsEvents(), showsEvents(second)]);
    const { token } = await kept();
    await letExpire();
    await Promise.all([refresh(window), refresh(second)]);
    await window.until(async () => (await kept()).token !== token, 'another token');
    assert.equal(tokenRequests() + tokenRequests(second), 2, 'one for the sign-in, one for the refresh');
  });

  /** Spends the refresh token as another window does, so that the kept one is spent. @returns what that one got. */
  async function spend(): Promise<string> {
    await letExpire();
    const spent = await kept();
    await refresh(window);
    const fresh = await window.until(async () => {
      const text = await window.secrets.get(`account:${id()}`);
      return text !== JSON.stringify(spent) && text;
    }, 'other tokens');
    await window.secrets.store(`account:${id()}`, JSON.stringify(spent));
    await window.restart();
    return fresh;
  }

  it('ends where a window has spent it and crashed, is tried once, and asks to sign in again', async () => {
    await signIn();
    await showsEvents();
    await spend();
    await window.until(async () => {
      const rows = await window.rows('beacon.activity');
      return rows.some((row) => row.includes('Sign In Again…'));
    }, 'the way out');
    const refusals = (): number => window.log.filter((line) => line.includes('POST /oauth/token')).length;
    const before = refusals();
    await window.run('beacon.activity.refresh');
    assert.equal(refusals(), before);
  });

  it('goes on with the token of a window that was faster and shares no lock', async () => {
    await signIn();
    await showsEvents();
    const fresh = await spend();
    const get = window.secrets.get.bind(window.secrets);
    const isRefused = (): boolean => window.log.some((line) => line.includes('invalid_grant'));
    let rereads = 0;
    window.secrets.get = async (key) => {
      rereads += isRefused() ? 1 : 0;
      return await get(key);
    };
    await window.until(async () => {
      await window.rows('beacon.activity');
      return rereads > 0;
    }, 'the store to be read again');
    await new Promise(setImmediate);
    await window.secrets.store(`account:${id()}`, fresh);
    const after = (): string =>
      window.log.slice(window.log.findLastIndex((line) => line.includes('invalid_grant'))).join('\n');
    await window.until(() => /GET \/events \d|the authorization has ended/.test(after()), 'what comes of it');
    assert.doesNotMatch(after(), /the authorization has ended/);
    assert.equal(await get(`account:${id()}`), fresh);
  });

  for (const [when, step] of [
    ['before its new tokens are kept', 'get'],
    ['while they are', 'store'],
  ] as const) {
    it(`ends when the user signs out during a refresh, ${when}`, async () => {
      await signIn();
      await showsEvents();
      await letExpire();
      const before = tokenRequests();
      const { secrets } = window;
      const own = secrets[step] as (...args: readonly string[]) => Promise<string | undefined>;
      const whenOut = Promise.withResolvers<void>();
      const late = async (...args: readonly string[]): Promise<string | undefined> => {
        const read = step === 'get' ? await own.call(secrets, ...args) : undefined;
        if (tokenRequests() === before) {
          return read;
        }
        Object.assign(secrets, { [step]: own });
        window.answer('Sign out of', 'Sign Out');
        await window.run('beacon.signOut');
        await (step === 'store' && own.call(secrets, ...args));
        whenOut.resolve();
        return read;
      };
      Object.assign(secrets, { [step]: late });
      await window.run('beacon.activity.refresh');
      await whenOut.promise;
      await window.until(async () => (await secrets.keys()).length === 0, 'no account');
      const revocations = (): number => window.log.filter((line) => line.includes('POST /oauth/revoke 200')).length;
      await window.until(() => revocations() === 2, 'the revocation of both tokens');
      assert.deepEqual(await secrets.keys(), []);
    });
  }

  it('ends on the instance, too, when the user signs out', async () => {
    await signIn();
    const { token } = await kept();
    window.answer('Sign out of', 'Sign Out');
    await window.run('beacon.signOut');
    await isRevoked(token);
  });
});
