import assert from 'node:assert/strict';
import { sampleAccount } from '../../support/accountSamples.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { withRecords } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';

const view = 'beacon.activity';

describe('the accounts of an editor', () => {
  let window: TestWindow;
  let other: Sandbox;
  before(async () => {
    other = await startSandbox({ liveEvents: false, seed: 2 });
  });
  after(() => other.close());
  afterEach(() => window.dispose());

  const host = (sandbox: Pick<Sandbox, 'url'> = window.sandbox): string => new URL(sandbox.url).host;
  const showsEvents = (one = window): Promise<unknown> =>
    one.until(async () => (await one.rows(view)).length > 5, 'the feed');
  /** What the view says of itself, and its rows. */
  const shown = async (): Promise<string> =>
    [(await window.view(view)).message ?? '', ...(await window.rows(view))].join('\n');
  /** A diagnosis ends with a failure of the token. */
  const diagnosed = async (sentence: string, button: string): Promise<void> => {
    window.answer('Connection to', ({ lines, buttons }) => {
      assert.ok(lines.at(-1)?.startsWith(`Token · Failed · ${sentence}`), lines.join('\n'));
      assert.ok(buttons.includes(button));
    });
    await window.run('beacon.diagnoseConnection');
    await window.until(() => window.asked.some(({ text }) => text.startsWith('Connection to')));
  };
  /** From now on a new sign-in alone puts right what the secret store has for some keys. */
  const breakEntry = (isBroken: (key: string) => boolean): void => {
    const get = window.secrets.get.bind(window.secrets);
    const spoiled = new Map(window.secrets.values);
    window.secrets.get = async (key) => {
      const text = await get(key);
      return isBroken(key) && text === spoiled.get(key) ? Promise.reject(new Error('broken')) : text;
    };
  };
  const namesAccount = (one = window): boolean => one.statusBar.some((text) => text.includes(`@${host(other)}`));

  it('are named where there are several, and the one used last is that of the window', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await showsEvents();
    assert.ok(!window.statusBar.some((text) => text.startsWith('$(account)')), window.statusBar.join());
    await window.signIn('owner', other);
    await window.until(() => namesAccount());
    const second = await window.second();
    await second.until(() => namesAccount(second), 'the account used last');
    window.answer('Choose the account for this window', ({ lines }) => {
      assert.deepEqual(lines, [
        `marta@${host(other)} · In use in this window`,
        `marta@${host()}`,
        'Sign In to Another Account…',
        'Sign Out…',
        'Try Sandbox',
      ]);
      return `marta@${host()}`;
    });
    await window.run('beacon.accounts');
    await window.restart();
    await window.until(() => window.statusBar.some((text) => text.includes(`@${host()}`)));
    assert.ok(namesAccount(second), 'each workspace has its own');
    window.answer('Sign out of', 'Sign Out');
    window.answer('Choose the account to sign out of', `marta@${host()}`);
    await window.run('beacon.signOut');
    await window.message(`Signed out of marta@${host()}. This window uses marta@${host(other)}.`);
    assert.match(window.asked.at(-1)?.text ?? '', /Beacon removes its copies .*\n\nThe token stays valid on/s);
    await window.until(() => !namesAccount(), 'no name');
  });

  it('are left and gone on with in sentences as the language writes them', async () => {
    window = await TestWindow.open({ language: 'ja' });
    window.answer('パーソナルアクセストークン', window.sandbox.tokens.owner);
    await window.run('beacon.signIn', { url: window.sandbox.url });
    await window.run('beacon.trySandbox');
    await window.run('beacon.signOut');
    await window.message(/^[^。]+。\S+ marta@/);
  });

  it('of a development run are there again where the page of the editor was loaded again and its secrets are gone', async () => {
    try {
      window = await TestWindow.open();
      const account = { instanceUrl: window.sandbox.url, token: window.sandbox.tokens.owner };
      process.env['BEACON_BUILD'] = 'development';
      process.env['BEACON_DEVELOPMENT_ACCOUNT'] = JSON.stringify(account);
      await window.restart();
      await window.run('beacon.activity.refresh');
      await showsEvents();
      window.secrets.values.clear();
      await window.restart();
      await window.until(async () => (await window.secrets.keys()).length > 0, 'a token');
      await window.until(async () => !(await shown()).includes('Sign In Again'), 'no more to do');
      await showsEvents();
    } finally {
      // Not all of it: a plain object in its place would take no time zone any more.
      delete process.env['BEACON_BUILD'];
      delete process.env['BEACON_DEVELOPMENT_ACCOUNT'];
    }
  });

  it('say the same sentence everywhere where the keyring is gone', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.secrets.failure = new Error('no keyring');
    await window.restart();
    window.secrets.failure = new Error('no keyring');
    const sentence = 'The secret store of the editor cannot be read: unlock or repair the keyring of your system.';
    await window.until(async () => (await shown()).includes(sentence), 'the view to say it');
    assert.match(await shown(), /Open Keyring Help/);
    await window.row('beacon.errorTracking', /^The secret store of the editor cannot be read/);
    await window.run('beacon.replaceToken');
    await window.message(sentence);
    await window.press('Open Keyring Help');
    const { text } = await window.tool('beacon_read_activity', {}).catch((error: Error) => ({ text: error.message }));
    assert.ok(text.startsWith(sentence), text);
    await diagnosed(sentence, 'Open Keyring Help');
  });

  it('say that a token is missing where an entry is corrupt, and not that nobody is signed in', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.restart();
    const { get } = window.secrets;
    window.secrets.get = async () => '{"account":';
    await window.until(async () => (await shown()).includes('The token of this account is missing'), 'what is wrong');
    assert.match(await shown(), /Sign In Again…/);
    await window.row('beacon.errorTracking', /^The token of this account is missing/);
    await window.row('beacon.errorTracking', /^Sign In/);
    assert.doesNotMatch(await shown(), /signed out/);
    await diagnosed('The token of this account is missing', 'Sign In Again…');
    window.answer('Personal access token', window.sandbox.tokens.owner);
    window.secrets.get = get;
    await window.click(view, 'Sign In Again…');
    await showsEvents();
  });

  for (const what of ['cannot be read', 'is corrupt']) {
    it(`do not depend on an entry of another one that ${what}`, async () => {
      window = await TestWindow.open({ signedInAs: 'owner' });
      await window.signIn('owner', other);
      const bad = `account:marta@${host(other)}`;
      if (what === 'is corrupt') {
        await window.secrets.store(bad, 'no JSON');
      }
      const unknown = 'account:nobody@nowhere.example';
      await window.secrets.store(unknown, '{"account":');
      await window.run('beacon.accounts', `marta@${host()}`);
      await window.restart();
      breakEntry((key) => what === 'cannot be read' && (key === bad || key === unknown));
      await window.run('beacon.activity.refresh');
      await showsEvents();
    });
  }

  it('get another token where the entry of theirs cannot be read', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.restart();
    breakEntry(() => true);
    window.answer('Personal access token', window.sandbox.tokens.owner);
    await window.run('beacon.replaceToken');
    await window.run('beacon.activity.refresh');
    await showsEvents();
  });

  it('warn of no token that has been replaced meanwhile', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await showsEvents();
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { control, tokens } = window.sandbox;
    control.transform({
      path: '/events',
      answer: async (own, { req }) => {
        if (req.header('private-token') === tokens.owner) {
          asked.resolve();
          await answered.promise;
        }
        return await own();
      },
    });
    const told = window.tool('beacon_read_activity', {}).then(undefined, (error: Error) => ({ text: error.message }));
    await asked.promise;
    window.answer('Personal access token', control.makeToken('marta'));
    await window.run('beacon.replaceToken');
    control.revokeToken(tokens.owner);
    answered.resolve();
    assert.match((await told).text, /does not accept the token/);
    // A message would be there before what is asked after it is answered.
    await window.tool('beacon_read_activity', {});
    assert.deepEqual(window.messages, []);
  });

  it('warn once a day that a token expires, and once that it is no longer accepted', async () => {
    const now = '2026-05-04T09:00:00Z';
    window = await TestWindow.open({ time: now, sandbox: { now: () => new Date(now) } });
    const account = sampleAccount('marta', window.sandbox.url, { expiresAt: '2026-05-07' });
    const entry = { account, token: 'glpat-unknown-token-00000' };
    await window.secrets.store(`account:${account.id}`, JSON.stringify(entry));
    await window.message(`${host()}: the token expires in 3 days.`);
    window.focus(false);
    window.focus(true);
    await window.rows(view);
    await window.message(`${host()}: the instance no longer accepts the token. It expired or was revoked.`);
    await window.run('beacon.activity.refresh');
    const count = (text: string): number => window.messages.filter((message) => message.text.includes(text)).length;
    assert.deepEqual([count('expires in'), count('no longer accepts')], [1, 1]);
    await window.advance(24 * 3_600_000);
    window.focus(true);
    await window.message(`${host()}: the token expires in 2 days.`);
  });

  it('are asked of the instance at the sign-in when their tokens expire, of which the diagnosis warns, too', async () => {
    const now = '2026-05-04T09:00:00Z';
    window = await TestWindow.open({ time: now, sandbox: { now: () => new Date(now) } });
    window.sandbox.control.transform({
      path: '/personal_access_tokens/self',
      answer: withRecords((token) => ({ ...token, expires_at: '2026-05-07' })),
    });
    window.answer('Personal access token', window.sandbox.tokens.owner);
    await window.run('beacon.signIn', { url: window.sandbox.url });
    await window.message('the token expires in 3 days.');
    window.answer('Connection', undefined);
    await window.run('beacon.diagnoseConnection');
    const warning = 'The token expires soon: on May 7, 2026.';
    await window.until(() => window.asked.at(-1)?.lines.some((line) => line.includes(warning)));
  });
});
