import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type InstanceAccount, SignedOutError } from '../../src/accounts/account.ts';
import { SecretStoreError } from '../../src/accounts/accountStore.ts';
import { AccountsAuthenticationProvider } from '../../src/accounts/authenticationProvider.ts';
import { answerPathOf, EditorEnvironment, readApplicationIds, redirectUriOf } from '../../src/accounts/oauthSignIn.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { TokenNotices } from '../../src/accounts/tokenNotices.ts';
import { createClient } from '../../src/api/client.ts';
import { UnavailableError } from '../../src/api/errors.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/sandbox.ts';
import { AnsweredInput, AnsweredPick, replaced } from '../support/answeredInputs.ts';
import { SleeplessClock } from '../support/fakeClock.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { decide, OAuthWindow, redirectUriFor, registerApplication } from '../support/oauthWindow.ts';
import { PersonalSettings } from '../support/reader.ts';

const browser = 'Authorize in the Browser';
const personalToken = 'Enter a Personal Access Token…';

describe('accounts that are authorized by OAuth', () => {
  const settings = new PersonalSettings();
  let sandbox: Sandbox;
  let clock: SleeplessClock;
  let memento: MemoryMemento;
  let secrets: MemorySecrets;
  let folder: string;
  let windows: OAuthWindow[];
  /** What the editor shows: choices, inputs, warnings. */
  let shown: string[];
  let answers: string[];
  let editor: vscode.Disposable;

  before(async () => {
    clock = new SleeplessClock(Date.now());
    sandbox = await startSandbox({ now: () => clock.date() });
  });
  after(() => sandbox.close());
  beforeEach(async () => {
    secrets = new MemorySecrets();
    memento = new MemoryMemento();
    folder = await mkdtemp(join(tmpdir(), 'beacon-oauth-'));
    windows = [];
    [shown, answers] = [[], []];
    editor = replaced({
      createInputBox: () => {
        const inputs: { value: string; prompt: string }[] = [];
        inputs.push = (...items) => shown.push(...items.map(({ prompt }) => prompt));
        return new AnsweredInput(answers, inputs);
      },
      createQuickPick: () => new AnsweredPick(answers, shown),
      showWarningMessage: async (sentence: string, ...buttons: string[]) => {
        shown.push([sentence, ...buttons].join(' | '));
      },
    });
    await registerApplication(sandbox, settings);
    sandbox.control.setVersion('18.7.0-ee');
  });
  afterEach(async () => {
    editor.dispose();
    vscode.Disposable.from(...windows).dispose();
    await settings.takeBack();
  });

  function openWindow(): OAuthWindow {
    const opened = new OAuthWindow({ secrets, memento, folder, clock });
    windows.push(opened);
    return opened;
  }

  /** Signs in with the browser; answers with the account. */
  async function signIn(by: OAuthWindow): Promise<InstanceAccount> {
    answers.push(sandbox.url, browser);
    const account = await by.authorizing().signIn.run(undefined);
    assert.ok(account, shown.join('\n'));
    return account;
  }

  const username = async (by: OAuthWindow, id: string): Promise<string> =>
    (await (await by.connections.of(id)).client.directory.currentUser()).username;
  const kept = (id: string): { token: string; grant: { refreshToken?: string } } =>
    JSON.parse(secrets.values.get(`account:${id}`) ?? '{}') as { token: string; grant: { refreshToken?: string } };

  /** Expires the access token, for the sandbox and for the windows. */
  const letExpire = (): void => {
    clock.ahead += 7_201_000;
  };

  /** Expires it for the sandbox alone: the windows believe that it is good. */
  const revokeAccessToken = async (id: string): Promise<void> => {
    sandbox.control.revokeToken(kept(id).token);
  };

  describe('signing in', () => {
    it('offers the browser and a token where the application is known', async () => {
      const window = openWindow();
      const account = await signIn(window);
      assert.deepEqual(shown.splice(0), [
        'The URL of your GitLab instance',
        `Sign In to ${new URL(sandbox.url).host} | ${browser} | ${personalToken}`,
      ]);
      assert.deepEqual(
        { ...account, tokenStoredAt: 0 },
        {
          ...{
            kind: 'instance',
            id: `marta@${new URL(sandbox.url).host}`,
            instanceUrl: sandbox.url,
            username: 'marta',
          },
          ...{ scopes: ['api'], expiresAt: undefined, bearer: true, tokenSource: { kind: 'oauth' }, tokenStoredAt: 0 },
        },
      );
      assert.equal(await username(window, account.id), 'marta');
      assert.deepEqual([...secrets.values.keys()], [`account:${account.id}`], 'nothing of the sign-in is left');
      const state = JSON.stringify([...memento.values]);
      const { token, grant } = kept(account.id);
      assert.ok(token.length > 20 && grant.refreshToken);
      for (const secret of [token, grant.refreshToken]) {
        assert.ok(!state.includes(secret) && !window.logged.join('\n').includes(secret));
      }
    });

    it('goes back from the token to the choice, and from there to the URL', async () => {
      answers.push(sandbox.url, personalToken, 'Back', 'Back', sandbox.url, personalToken, sandbox.tokens.owner);
      const window = openWindow();
      // The button of the input has no tooltip to be answered by.
      const back = vscode.QuickInputButtons.Back;
      Object.assign(back, { tooltip: 'Back' });
      assert.equal((await window.signIn.run(undefined))?.tokenSource, undefined);
      assert.equal(shown.filter((line) => line.includes(browser)).length, 3);
    });

    it('asks for a token at once where no application is known, and says what would make one known', async () => {
      await settings.takeBack();
      answers.push(sandbox.url, 'Sign In with the Browser Instead…');
      const window = openWindow();
      assert.equal(await window.signIn.run(undefined), undefined);
      assert.ok(!shown.join('\n').includes(browser));
      await new Promise(setImmediate);
      assert.deepEqual(window.messages, [
        `To sign in to ${new URL(sandbox.url).host} with the browser, an administrator registers an application there: not confidential, with the token scope api and the redirect URI ${redirectUriFor(sandbox)}. Its id goes into the settings. | Copy Redirect URI | Open Setting beacon.signIn.applicationIds`,
      ]);
    });

    it('goes on in the window to which the browser brings the answer', async () => {
      const [first, second] = [openWindow(), openWindow()];
      answers.push(sandbox.url, browser);
      assert.equal(await first.authorizing('authorize', second).signIn.run(undefined), undefined);
      const [account] = second.store.all;
      assert.equal(account?.username, 'marta');
      assert.equal(await username(second, account.id), 'marta');
      assert.equal(await username(first, account.id), 'marta', 'the window that began it has the account, too');
    });

    it('accepts an answer once, and none that was not requested', async () => {
      const window = openWindow();
      let answer = vscode.Uri.parse('about:blank');
      window.browse = async (address) => {
        answer = await decide(address);
        await Promise.all([window.signIn.answer(answer), window.signIn.answer(answer)]);
      };
      answers.push(sandbox.url, browser);
      await window.signIn.run(undefined);
      const before = secrets.values.get([...secrets.values.keys()][0] ?? '');
      const messages = shown.length;
      assert.equal(await window.signIn.answer(answer), undefined);
      assert.equal(shown.length, messages, 'what comes again, as from a page that is loaded again, does nothing');
      for (const query of ['code=1&state=unknown', `code=1&state=${'a'.repeat(43)}`, 'state=', '', '&&%']) {
        assert.equal(await window.signIn.answer({ path: answer.path, query }), undefined);
        assert.match(
          shown.pop() ?? '',
          /^No sign-in is waiting for this answer of the browser: .* Sign in again\. \| Sign In…$/,
        );
      }
      assert.equal(secrets.values.get([...secrets.values.keys()][0] ?? ''), before);
      assert.equal(window.tokenRequests, 1);
    });

    it('redeems an answer once that comes twice to a window which did not begin it', async () => {
      const [first, second] = [openWindow(), openWindow()];
      first.browse = async (address) => {
        const answer = await decide(address);
        await Promise.all([second.signIn.answer(answer), second.signIn.answer(answer)]);
      };
      answers.push(sandbox.url, browser);
      assert.equal(await first.signIn.run(undefined), undefined);
      assert.equal(second.store.all.length, 1);
      assert.deepEqual([first.tokenRequests, second.tokenRequests], [0, 1]);
    });

    describe('at one of two instances', () => {
      let other: Sandbox;
      let otherApplication: string;
      before(async () => {
        other = await startSandbox({ seed: 2 });
        otherApplication = other.control.registerApplication([redirectUriFor(other)]);
      });
      after(() => other.close());

      const refusal = (): RegExp =>
        new RegExp(`^The answer of the browser is not from ${new URL(sandbox.url).host}, .* \\| Sign In…$`);

      /** The page of the other instance, as the one that was asked can send the browser there with what it was asked for. */
      const atOther = (address: string, redirectUri = redirectUriFor(other)): string => {
        const { search } = new URL(address);
        const page = new URL(`${other.url}/oauth/authorize${search}`);
        page.searchParams.set('client_id', otherApplication);
        page.searchParams.set('redirect_uri', redirectUri);
        return page.href;
      };

      for (const isAwaited of [true, false]) {
        it(`gives no code of the other one to it (${isAwaited ? 'in the window that asked' : 'in another window'})`, async () => {
          const window = openWindow();
          const answered = isAwaited ? window : openWindow();
          window.browse = async (address) => {
            const answer = await decide(atOther(address));
            assert.match(answer.query, /code=/);
            assert.equal(await answered.signIn.answer(answer), undefined);
          };
          answers.push(sandbox.url, browser);
          assert.equal(await window.signIn.run(undefined), undefined);
          assert.match(shown.at(-1) ?? '', refusal());
          assert.deepEqual([window.tokenRequests, answered.tokenRequests, window.store.all], [0, 0, []]);
          assert.equal(secrets.values.size, 0, 'it is over');
        });
      }

      it('registers no redirect URI that the other one has', async () => {
        const page = atOther('http://any/?', redirectUriFor(sandbox));
        assert.equal((await fetch(page)).status, 400);
      });

      for (const [what, change, isTaken] of [
        ['its own issuer', () => [sandbox.url], true],
        ['its own issuer with a slash', () => [`${sandbox.url}/`], true],
        ['the issuer of the other one', () => [other.url], false],
        ['both issuers', () => [sandbox.url, other.url], false],
        ['an empty issuer', () => [''], false],
        ['an issuer that only begins so', () => [`${sandbox.url}.example`], false],
      ] as const satisfies readonly (readonly [string, () => string[], boolean])[]) {
        it(`${isTaken ? 'takes' : 'refuses'} an answer with ${what}`, async () => {
          const window = openWindow();
          window.browse = async (address) => {
            const answer = await decide(address);
            const issuers = change().map((issuer) => `&iss=${encodeURIComponent(issuer)}`);
            await window.signIn.answer(vscode.Uri.parse(answer.toString(true) + issuers.join('')));
          };
          answers.push(sandbox.url, browser);
          const account = await window.signIn.run(undefined);
          assert.equal(account !== undefined, isTaken);
          assert.ok(isTaken || refusal().test(shown.at(-1) ?? ''), shown.at(-1));
          assert.equal(window.tokenRequests, isTaken ? 1 : 0);
        });
      }

      it('refuses an answer at the path that all had before', async () => {
        const window = openWindow();
        window.browse = async (address) => {
          const { query } = await decide(address);
          await window.signIn.answer({ path: '/signed-in', query });
        };
        answers.push(sandbox.url, browser);
        assert.equal(await window.signIn.run(undefined), undefined);
        assert.match(shown.at(-1) ?? '', refusal());
      });
    });

    it('says in a sentence of its own that the user denied it', async () => {
      answers.push(sandbox.url, browser);
      const window = openWindow();
      assert.equal(await window.authorizing('deny').signIn.run(undefined), undefined);
      const host = new URL(sandbox.url).host;
      assert.equal(shown.at(-1), `Beacon was not authorized on ${host}, so you are not signed in. | Sign In…`);
      assert.deepEqual([window.store.all, secrets.values.size], [[], 0]);
    });

    for (const [code, sentence] of [
      ['invalid_scope', /may not use the token scope api: ask an administrator/],
      ['unauthorized_client', /does not know the application in the settings/],
      ['anything_else', /did not complete the sign-in \(anything_else\)\. \| Show Log/],
      ['<b>%0a', /did not complete the sign-in \(\?\)/],
    ] as const) {
      it(`says what the browser brings instead of a code: ${code}`, async () => {
        const window = openWindow();
        window.browse = async (address) => {
          const state = new URL(address).searchParams.get('state') ?? '';
          const { path } = vscode.Uri.parse(redirectUriFor(sandbox));
          await window.signIn.answer({ path, query: `error=${code}&state=${state}&error_description=Pwned` });
        };
        answers.push(sandbox.url, browser);
        assert.equal(await window.signIn.run(undefined), undefined);
        assert.match(shown.at(-1) ?? '', sentence);
        assert.ok(!shown.join('\n').includes('Pwned'));
      });
    }

    it('can be cancelled, and then shows what an administrator may have to do', async () => {
      const window = openWindow();
      window.wait = (cancel) => setImmediate(cancel);
      answers.push(sandbox.url, browser);
      assert.equal(await window.signIn.run(undefined), undefined);
      assert.ok(window.messages[0]?.includes(`has to register ${redirectUriFor(sandbox)} for the application.`));
      assert.equal(secrets.values.size, 0);
    });

    it('says that the secret store cannot be written, and opens nothing', async () => {
      const window = openWindow();
      const pages: string[] = [];
      window.browse = async (address) => void pages.push(address);
      secrets.store = () => Promise.reject(new Error('locked'));
      answers.push(sandbox.url, browser);
      assert.equal(await window.signIn.run(undefined), undefined);
      assert.match(shown.at(-1) ?? '', /^The secret store of the editor cannot be written/);
      assert.deepEqual(pages, []);
    });

    it('forgets what a window that has ended left behind', async () => {
      await secrets.store('signIn:left', JSON.stringify({ startedAt: clock.date().getTime() - 3_700_000 }));
      await secrets.store('signIn:odd', 'null');
      await signIn(openWindow());
      assert.deepEqual(
        [...secrets.values.keys()].filter((key) => key.startsWith('signIn:')),
        [],
      );
    });

    it('again is for the same user, with the same choice', async () => {
      const window = openWindow();
      const account = await signIn(window);
      const { token } = kept(account.id);
      answers.push(browser);
      assert.equal((await window.signIn.renew(account))?.id, account.id);
      assert.match(shown.at(-1) ?? '', /^Renew Token of marta@.* \| Authorize in the Browser \| /);
      assert.notEqual(kept(account.id).token, token);
      // What belongs to another user is not taken.
      const femi = { ...account, id: `femi@${new URL(sandbox.url).host}`, username: 'femi' };
      await window.store.save(femi, 'token', { applicationId: 'any' });
      answers.push(browser);
      assert.equal(await window.signIn.renew(femi), undefined);
      assert.match(shown.at(-1) ?? '', /^This is a token of marta\. Enter one of femi/);
      assert.equal(kept(femi.id).token, 'token');
    });

    it('uses the valid entries of the setting, and reports the others', () => {
      const ignored: number[] = [];
      const value = {
        ...{ 'https://gitlab.example/': 'one', 'GITLAB.com': 'two', 'https://host/gitlab/api/v4': 'three' },
        ...{ 'not a url': 'x', 'https://user:pw@host': 'x', 'https://a.example': '', 'https://b.example': 7 },
        ...{ 'https://c.example': 'two words', 'https://d.example': 'a'.repeat(256) },
      };
      const ids = readApplicationIds(value, (place) => ignored.push(place));
      assert.deepEqual(Object.fromEntries(ids), {
        ...{ 'https://gitlab.example': 'one', 'https://gitlab.com': 'two', 'https://host/gitlab': 'three' },
      });
      assert.deepEqual(ignored, [4, 5, 6, 7, 8, 9]);
      for (const odd of [undefined, null, 7, 'text', []]) {
        assert.equal(readApplicationIds(odd, () => undefined).size, 0);
      }
    });

    it('has the registered address as its redirect URI, in a browser that of the server', async () => {
      const redirectUri = redirectUriFor(sandbox);
      const own = vscode.Uri.parse(redirectUri);
      assert.equal(redirectUriOf(own, own.with({ query: 'windowId=2' })), redirectUri);
      const address = 'https://code.example/callback?vscode-reqid=1&vscode-path=%2Fsigned-in%2Fgitlab.example.com';
      const [origin = '', query = ''] = address.split('?');
      assert.equal(redirectUriOf(own, vscode.Uri.parse(origin).with({ query })), address);
      assert.match(
        await new EditorEnvironment('a.b').redirectUri('/signed-in/gitlab.example.com~3a8443'),
        /^https?:.*\/callback\?.*vscode-authority=a\.b&vscode-path=%2Fsigned-in%2Fgitlab\.example\.com~3a8443$/,
      );
    });

    it('has a path for each instance, which an address of the editor carries as it is', () => {
      const paths = [
        ['https://gitlab.example.com', '/signed-in/gitlab.example.com'],
        ['http://gitlab.example.com', '/signed-in/http~3a~2f~2fgitlab.example.com'],
        ['https://gitlab.example.com:8443', '/signed-in/gitlab.example.com~3a8443'],
        ['https://gitlab.example.com/8443', '/signed-in/gitlab.example.com~2f8443'],
        ['https://gitlab.example.com/a~2fb', '/signed-in/gitlab.example.com~2fa~7e2fb'],
        ['https://[::1]/%C3%A4', '/signed-in/~5b~3a~3a1~5d~2f~25C3~25A4'],
      ] as const;
      for (const [instanceUrl, path] of paths) {
        assert.equal(answerPathOf(instanceUrl), path);
        const uri = `vscode://a.b${path}`;
        assert.deepEqual([vscode.Uri.parse(uri).toString(), new URL(uri).pathname], [uri, path]);
      }
    });
  });

  describe('refreshing', () => {
    it('goes on with the same connection, and changes no account', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      const connection = await window.connections.of(id);
      const changed: string[] = [];
      window.store.onDidChange((ids) => changed.push(...ids));
      const before = kept(id);
      for (let round = 0; round < 3; round += 1) {
        letExpire();
        assert.equal((await connection.client.directory.currentUser()).username, 'marta');
      }
      assert.equal(await window.connections.of(id), connection);
      assert.notEqual(kept(id).grant.refreshToken, before.grant.refreshToken);
      assert.deepEqual(changed, []);
      assert.equal(window.tokenRequests, 4);
    });

    for (const [what, expire] of [
      ['when it expires', async () => letExpire()],
      ['when the instance no longer takes it', revokeAccessToken],
    ] as const) {
      it(`spends a refresh token once, ${what} for two windows at once`, async () => {
        const [first, second] = [openWindow(), openWindow()];
        const { id } = await signIn(first);
        await Promise.all([username(first, id), username(second, id)]);
        await expire(id);
        const both = [first, second, first, second, first, second].map((one) => username(one, id));
        assert.deepEqual(new Set(await Promise.all(both)), new Set(['marta']));
        assert.equal(first.tokenRequests + second.tokenRequests, 2, 'one for the sign-in, one for the refresh');
        const { token } = kept(id);
        assert.deepEqual([await first.store.token(id), await second.store.token(id)], [token, token]);
      });
    }

    it('asks to sign in again, once, where a window ended between the refresh and keeping what it gave', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      const before = secrets.values.get(`account:${id}`) ?? '';
      letExpire();
      await username(window, id);
      // As if the window had ended before it could write.
      await secrets.store(`account:${id}`, before);
      const again = openWindow();
      for (let round = 0; round < 3; round += 1) {
        const error: unknown = await username(again, id).catch((reason: unknown) => reason);
        const { sentence, remedy } = problemOf(error);
        assert.equal(sentence, `${id}: the authorization has ended or was revoked. Sign in again.`);
        assert.deepEqual([remedy?.command, remedy?.arguments], ['beacon.renewToken', [id]]);
      }
      assert.equal(again.tokenRequests, 1, 'it is not tried again');
      answers.push(browser);
      await again.authorizing().signIn.renew(again.store.find(id) as InstanceAccount);
      assert.equal(await username(window, id), 'marta');
    });

    it('leaves what is kept as it is where the instance cannot be reached, and uses a token as long as it lives', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      await username(window, id);
      const before = secrets.values.get(`account:${id}`);
      const { openProvider } = window;
      const facts = { method: 'POST', pathTemplate: '/oauth/token', instance: 'gitlab.example' };
      window.openProvider = () => Promise.reject(new UnavailableError(facts, 'network', 'ECONNRESET'));
      clock.ahead += 7_200_000 - 30_000;
      assert.equal(await username(window, id), 'marta');
      clock.ahead += 31_000;
      await assert.rejects(username(window, id), { reason: 'unavailable' });
      assert.equal(secrets.values.get(`account:${id}`), before);
      window.openProvider = openProvider;
      assert.equal(await username(window, id), 'marta');
    });

    it('keeps what a refresh gave until the secret store can be written', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      letExpire();
      const store = secrets.store.bind(secrets);
      secrets.store = () => Promise.reject(new Error('locked'));
      await assert.rejects(window.store.token(id), SecretStoreError);
      secrets.store = store;
      assert.equal(await username(window, id), 'marta');
      assert.equal(window.tokenRequests, 2);
    });

    it('brings no account back that is signed out of meanwhile, and revokes what it got', async () => {
      const [first, second] = [openWindow(), openWindow()];
      const { id } = await signIn(first);
      letExpire();
      const { openProvider } = first;
      let fresh = '';
      first.openProvider = async (...args) => {
        const provider = await openProvider(...args);
        const refresh = provider.refresh.bind(provider);
        provider.refresh = async (token) => {
          const pair = await refresh(token);
          fresh = pair.accessToken;
          await second.store.remove(id);
          return pair;
        };
        return provider;
      };
      await assert.rejects(first.store.token(id), SignedOutError);
      assert.deepEqual([secrets.values.size, first.store.all], [0, []]);
      const client = createClient({ instanceUrl: sandbox.url, token: fresh, bearer: true });
      await assert.rejects(client.directory.currentUser(), { reason: 'notSignedIn' });
      await client.close();
    });

    it('ends on the instance, too, when the user signs out', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      const { token } = kept(id);
      const revoked = new Promise<void>((resolve) => {
        const { openProvider } = window;
        window.openProvider = async (...args) => {
          const provider = await openProvider(...args);
          const close = provider.close.bind(provider);
          provider.close = async () => {
            await close();
            resolve();
          };
          return provider;
        };
      });
      await window.store.remove(id);
      await revoked;
      const client = createClient({ instanceUrl: sandbox.url, token, bearer: true });
      await assert.rejects(client.directory.currentUser(), { reason: 'notSignedIn' });
      await client.close();
    });

    it('is not shown to the user', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      const messages: string[] = [];
      const never = new vscode.EventEmitter<never>();
      const notices = new TokenNotices(
        {
          ...{ store: window.store, memento, clock: { date: () => new Date(clock.date().getTime() + 7_000_000) } },
          ...{ inUse: { onDidChange: never.event } as never, onDidRejectToken: window.connections.onDidRejectToken },
        },
        async (sentence) => {
          messages.push(sentence);
          return undefined;
        },
        async () => undefined,
      );
      await notices.warnOfExpiry();
      letExpire();
      await username(window, id);
      await revokeAccessToken(id);
      await username(window, id);
      assert.deepEqual(messages, []);
      vscode.Disposable.from(notices, never).dispose();
    });

    it('is done for other extensions that ask for a session, and not for the menu of accounts', async () => {
      const window = openWindow();
      const { id } = await signIn(window);
      const provider = new AccountsAuthenticationProvider(
        window.store,
        async () => undefined,
        (id) => window.store.remove(id),
      );
      letExpire();
      const before = kept(id).token;
      assert.deepEqual(
        (await provider.getSessions(undefined)).map(({ accessToken }) => accessToken),
        [before],
      );
      assert.equal(window.tokenRequests, 1);
      const [session] = await provider.getSessions(['api']);
      assert.equal(session?.accessToken, kept(id).token);
      assert.notEqual(session?.accessToken, before);
      provider.dispose();
    });
  });
});
