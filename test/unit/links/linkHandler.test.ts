import assert from 'node:assert/strict';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { TestWindow } from '../../support/testWindow.ts';

describe('a link to the editor', () => {
  let window: TestWindow;
  let other: Sandbox;
  before(async () => {
    other = await startSandbox({ liveEvents: false, seed: 2 });
  });
  after(() => other.close());
  afterEach(() => window.dispose());

  const to = (view: string, { url }: Pick<Sandbox, 'url'>, rest = '&project=harbor%2Ftide-table'): string =>
    `/${view}?instance=${encodeURIComponent(url)}${rest}`;
  const host = ({ url }: Pick<Sandbox, 'url'>): string => new URL(url).host;

  it('opens what it names with the account of the window, and asks before it pins', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.link(to('activity', window.sandbox));
    await window.until(async () => {
      await window.rows('beacon.activity');
      return window.requests.some(({ path }) => path.startsWith('/projects/501/events'));
    }, 'the feed of the project');
    window.answer('This link leads to the error tracking of harbor/tide-table.', 'Pin');
    await window.link(to('error-tracking', window.sandbox));
    await window.row('beacon.errorTracking', /tide-table/);
    await window.link(to('error-tracking', window.sandbox));
    assert.equal(window.asked.filter(({ text }) => text.startsWith('This link')).length, 1);
  });

  it('switches the account, signs in or asks anything of an instance only if the user agrees', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.answer(`This link leads to ${host(other)}, where you are not signed in.`, undefined);
    await window.link(to('activity', other));
    await window.signIn('owner', other);
    window.answer(`This link leads to ${host(window.sandbox)}.`, ({ text }) => {
      assert.ok(text.includes(`This window will switch to the account marta@${host(window.sandbox)}.`));
      return 'Switch Account';
    });
    await window.link(to('activity', window.sandbox));
    await window.until(() => window.statusBar.some((text) => text.includes(`marta@${host(window.sandbox)}`)));
  });

  it('is one at a time, however many come', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    window.answer('where you are not signed in', () => promise);
    const first = window.link(to('activity', other));
    await window.until(() => window.asked.some(({ text }) => text.includes('where you are not signed in')));
    for (let count = 0; count < 50; count += 1) {
      await window.link(`/activity?instance=https%3A%2F%2Fhost${count}.example&project=a%2Fb`);
    }
    resolve(undefined);
    await first;
    assert.equal(window.asked.filter(({ text }) => text.startsWith('This link')).length, 1);
    window.answer('where you are not signed in', undefined);
    await window.link(to('activity', other));
  });

  it('says that it cannot be opened where it names nothing, and what the instance says of what it names', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    for (const odd of [
      '/',
      '/activity',
      '/activity?instance=javascript:1',
      to('activity', window.sandbox, '&project=..%2F..'),
    ]) {
      window.messages.splice(0);
      await window.link(odd);
      await window.message('This link cannot be opened');
    }
    await window.link(to('activity', window.sandbox, '&project=no%2Fsuch'));
    await window.message(`Not found on ${host(window.sandbox)}, or not visible to you.`);
  });

  it('asks nothing of the instance for what no project can be called, however many links there are', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const path = `a${'/a'.repeat(950)}`;
    const odd = ['/nowhere', '/activity?', to('activity', window.sandbox, `&project=${encodeURIComponent(path)}`)];
    const requests = window.requests.length;
    window.closeMessages();
    for (let count = 0; count < 1000; count += 1) {
      await window.link(odd[count % odd.length] ?? '');
      await window.link(`/signed-in/x?code=1&state=${count}`);
    }
    // The editor shows the same sentence once.
    assert.equal(new Set(window.messages.map(({ text }) => text)).size, 2);
    assert.equal(window.requests.length, requests);
    assert.deepEqual(window.asked.slice(1), []);
  });

  it('asks where http stands beside the https of an account, and leaves that alone', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    const account = { kind: 'instance', userId: 1, username: 'ada', tokenStoredAt: 1 };
    const entry = {
      account: { ...account, id: 'ada@gitlab.example', instanceUrl: 'https://gitlab.example' },
      token: 'x',
    };
    await window.secrets.store('account:ada@gitlab.example', JSON.stringify(entry));
    await window.until(() => window.contextKeys.get('beacon.hasOtherAccount') === true);
    window.answer('This link leads to http://gitlab.example, where you are not signed in.', undefined);
    await window.link('/activity?instance=http%3A%2F%2Fgitlab.example&project=a%2Fb');
    assert.ok(!window.log.join('\n').includes('http://gitlab.example'));
  });
});
