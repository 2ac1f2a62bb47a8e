import assert from 'node:assert/strict';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { TestWindow } from '../../support/testWindow.ts';
import type { SampleTokens } from '../../../src/sandbox/state/sampleData.ts';

/** What a window is to say, with `A` and `B` for the hosts. */
interface Expected {
  /** The description of the Activity view. */
  readonly activity: string;
  readonly activityRow?: RegExp;
  readonly tracking: string;
  /** A row of the Error Tracking view, or its welcome. */
  readonly trackingRow: RegExp;
  /** The account of the status bar; none where there is only one. */
  readonly status?: string;
  /** What the page of notification settings says of the account. */
  readonly page?: RegExp;
  readonly context: string;
}

/** With the account that has no role for error tracking. */
const ofTomasz: Expected = {
  ...{ activity: 'harbor/tide-table · tomasz@A', tracking: 'tomasz@A', status: 'tomasz@A', context: 'instance' },
  trackingRow: /Maintainer or Owner needed/,
};

describe('a walk with two instances and three accounts', () => {
  let window: TestWindow;
  let first: Sandbox;
  let second: Sandbox;
  before(async () => {
    first = await startSandbox({ liveEvents: false });
    second = await startSandbox({ liveEvents: false, seed: 2 });
  });
  after(() => Promise.all([window.dispose(), first.close(), second.close()]));

  const host = ({ url }: Sandbox): string => new URL(url).host;
  const short = (text: string): string => text.replaceAll(host(first), 'A').replaceAll(host(second), 'B');
  const long = (id: string): string => id.replace(/@A$/, `@${host(first)}`).replace(/@B$/, `@${host(second)}`);
  const signIn = async (as: keyof SampleTokens, sandbox: Sandbox): Promise<void> => {
    window.answer('Personal access token', sandbox.tokens[as]);
    await window.run('beacon.signIn', { url: sandbox.url });
  };
  const signOut = async (id: string, isOnly = false): Promise<void> => {
    window.answer('Choose the account for this window', 'Sign Out…');
    if (!isOnly) {
      window.answer('Choose the account to sign out of', long(id));
    }
    // The only one is not named.
    window.answer(`Sign out of ${isOnly ? host(second) : long(id)}?`, 'Sign Out');
    await window.run('beacon.accounts');
  };
  const choose = async (id: string): Promise<void> => {
    window.answer('Choose the account for this window', long(id));
    await window.run('beacon.accounts');
  };
  const accountItem = (): string | undefined =>
    window.statusBar.find((text) => text.startsWith('$(account)'))?.replace('$(account) ', '');
  const textsOf = async (id: string): Promise<{ description: string; texts: string[] }> => {
    const { description = '', message = '', title = '' } = await window.view(id);
    const rows = await window.rows(id);
    return { description: short(description), texts: [title, message, ...rows, await window.welcome(id)].map(short) };
  };
  /** The texts of what a page is sent; what it only hands back is none. */
  const textsIn = (value: unknown, name = ''): readonly string[] =>
    /^(?:kept|keys?|id|accountId)$/.test(name)
      ? []
      : typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, one]) => textsIn(one, key))
        : [String(value)];
  const settingsPage = 'beacon.notificationSettings';
  /** What the page of notification settings says once it is looked at; its title is the first line. */
  const pageText = (): string => {
    window.panels.find(({ viewType }) => viewType === settingsPage)?.show(true);
    return pageTexts().get(settingsPage) ?? '';
  };
  /** All that the pages say which are open, by their types. */
  const pageTexts = (): ReadonlyMap<string, string> =>
    new Map(
      window.panels.map(({ viewType, title, posted, webview }) => {
        const drawn = webview.html.replaceAll(/<style[^]*?<\/style>|<[^>]*>/g, ' ');
        return [viewType, short([title, drawn, ...textsIn(posted.at(-1) ?? '')].join('\n'))];
      }),
    );

  /** Waits until the window says what it is to say, and looks at all else that it says. */
  async function says(expected: Expected, ...signedIn: readonly string[]): Promise<void> {
    const [activityView, trackingView] = ['beacon.activity', 'beacon.errorTracking'];
    const seen = async (): Promise<Record<string, unknown>> => {
      const [activity, tracking] = [await textsOf(activityView), await textsOf(trackingView)];
      const { activityRow = /./, trackingRow, page = /^/ } = expected;
      return {
        ...{ activity: activity.description, tracking: tracking.description, status: short(accountItem() ?? '') },
        activityRow: activity.texts.some((text) => activityRow.test(text)) || activity.texts,
        trackingRow: tracking.texts.some((text) => trackingRow.test(text)) || tracking.texts,
        page: page.test(pageText()) || pageText(),
        context: window.contextKeys.get('beacon.account'),
      };
    };
    const { activity, tracking, status = '', context } = expected;
    const wanted = { activity, tracking, status, activityRow: true, trackingRow: true, page: true, context };
    let last: unknown;
    await window
      .until(async () => JSON.stringify((last = await seen())) === JSON.stringify({ ...wanted }), 'the views')
      .catch(() => undefined);
    assert.deepEqual(last, wanted);
    // No text names an account as present that is not, or says that nobody is signed in.
    const inViews = (await Promise.all([activityView, trackingView].map(textsOf))).flatMap(({ description, texts }) => [
      description,
      ...texts,
    ]);
    for (const text of inViews) {
      assert.ok(signedIn.length === 0 || !/signed out|Sign in to see/i.test(text), text);
      assert.doesNotMatch(text, /No repository is open|works as/);
    }
    for (const text of [...inViews, ...pageTexts().values()]) {
      for (const [id] of text.matchAll(/\b\w+@(?:A|B|sandbox)\b/g)) {
        assert.ok(signedIn.length > 1 && signedIn.includes(id), `${id}: ${text}`);
      }
    }
    const palette = window.palette();
    assert.equal(palette.includes('Accounts…'), signedIn.length > 0);
    assert.equal(palette.includes('Sign In…'), signedIn.length === 0);
    assert.equal(palette.includes('Try Sandbox'), signedIn.length === 0);
    assert.equal(palette.includes('Replace Token…'), expected.context === 'instance');
  }

  it('begins with nobody', async () => {
    const remotes = { origin: `${first.url}/harbor/tide-table.git` };
    window = await TestWindow.open({ sandbox: first, remotes });
    await says({
      ...{ activity: '', activityRow: /^Sign in to see/, tracking: '', trackingRow: /^Connect your app/ },
      context: 'none',
    });
  });

  it('names nobody while there is one account', async () => {
    await signIn('owner', first);
    await says(
      {
        ...{
          activity: 'harbor/tide-table',
          tracking: '',
          trackingRow: /^harbor\/tide-table this workspace · e-mails: Global/,
        },
        context: 'instance',
      },
      'marta@A',
    );
    window.answer('Choose a feed', /^Workspace Project/);
    await window.run('beacon.activity.selectFeed');
    await window.run('beacon.notifications.open');
    assert.match(await window.until(pageText, 'the page'), /^Notification Settings\n(?![^]*This page is about)/);
    await window.until(async () => (await window.rows('beacon.activity')).length > 5, 'the feed');
    await window.click('beacon.activity', /: [#!]\d/);
    await window.run('beacon.activity.showInsights');
    await window.until(() => window.panels.length === 3, 'three pages');
  });

  it('names each once there is another one on the instance', async () => {
    await signIn('developer', first);
    await says(
      {
        ...ofTomasz,
        page: /^Notification Settings \(marta@A\)\n[^]*This page is about the account marta@A; this window uses tomasz@A\.$/m,
      },
      ...['marta@A', 'tomasz@A'],
    );
  });

  it('follows to a second instance, where the workspace has no project', async () => {
    await signIn('owner', second);
    await says(
      {
        activity: 'All My Projects · marta@B · GitLab leaves out MRs and epics',
        // The one row names its account, which is not that of the window.
        ...{ tracking: '', trackingRow: /^harbor\/tide-table marta@A · this workspace/ },
        page: /this window uses marta@B\.$/m,
        ...{ status: 'marta@B', context: 'instance' },
      },
      ...['marta@A', 'tomasz@A', 'marta@B'],
    );
  });

  it('goes to the project that is pinned, and not to that of the same path on the other instance', async () => {
    window.answer('Search by name', /^harbor\/tide-table/);
    await window.run('beacon.errorTracking.pinProject');
    const [pinned] = (await window.view('beacon.errorTracking')).selection;
    const projects = async (): Promise<readonly string[]> =>
      (await window.rows('beacon.errorTracking')).filter((row) => row.startsWith('harbor')).map(short);
    const [above = '', below = ''] = await projects();
    assert.ok(above.startsWith('harbor/tide-table marta@A') && /^harbor\/tide-table …\d/.test(below));
    const { text } = await window.message('Pinned ');
    assert.equal(short(text), 'Pinned harbor/tide-table: it is shown while this window uses marta@B.');
    await window.run('beacon.errorTracking.unpinProject', pinned);
    assert.equal((await projects()).length, 1);
  });

  it('leads from an open page to the same scope of the account of the window', async () => {
    for (const viewType of ['beacon.activityInsights', 'beacon.activityEvent']) {
      (await window.panel(viewType)).received.fire({ type: 'switchAccount' });
      await window.until(() => short(accountItem() ?? '') === 'marta@A', viewType);
      await choose('marta@B');
    }
    await choose('marta@A');
    await says(
      {
        ...{
          activity: 'harbor/tide-table · marta@A',
          tracking: 'marta@A',
          trackingRow: /this workspace · e-mails: Global/,
        },
        page: /^Notification Settings \(marta@A\)\n(?![^]*This page is about)/,
        ...{ status: 'marta@A', context: 'instance' },
      },
      ...['marta@A', 'tomasz@A', 'marta@B'],
    );
  });

  it('names the account in front of a message, or behind what is its own', async () => {
    await window.run('beacon.errorTracking.createKey');
    const { text: created } = await window.message('was created');
    assert.match(short(created), /^Client key glet_\S+ of harbor\/tide-table \(marta@A\) was created\.$/);
    window.answer('E-Mail Notifications: Global settings (', /^On mention/);
    await window.run('beacon.notifications.change', { kind: 'global', accountId: long('marta@A') });
    const { text: saved } = await window.message('Saved: Global settings');
    assert.match(short(saved), /^marta@A · Saved: Global settings · /);
  });

  it('names the account of what is pinned, as long as it is there', async () => {
    window.answer('Choose a feed', /^My Activity/);
    await window.run('beacon.activity.selectFeed');
    await window.run('beacon.activity.pinFeed');
    window.answer('Choose a feed', /^Workspace Project/);
    await window.run('beacon.activity.selectFeed');
    window.answer('Search by name', /^website\/landing-page/);
    await window.run('beacon.errorTracking.pinProject');
    await choose('tomasz@A');
    const rows = async (): Promise<string> =>
      short([...(await window.rows('beacon.activity')), ...(await window.rows('beacon.errorTracking'))].join('\n'));
    await window.until(async () => /^My Activity marta@A/m.test(await rows()), 'the pinned feed');
    // Of an account that the window does not use, feeds go on alone.
    assert.doesNotMatch(await rows(), /website\/landing-page/);
    await choose('marta@A');
  });

  it('forgets in every row the account that is signed out of', async () => {
    await signOut('marta@A');
    const { text } = await window.message('Signed out of');
    assert.equal(short(text), 'Signed out of marta@A. This window uses tomasz@A.');
    await says(
      // With its pages: they would go on to show what it saw.
      { ...ofTomasz, page: /^$/ },
      ...['tomasz@A', 'marta@B'],
    );
    assert.ok((await window.rows('beacon.errorTracking')).every((row) => !row.includes('Accounts…')));
    assert.deepEqual(window.panels, []);
  });

  it('shows the sandbox, though a feed of the workspace was chosen', async () => {
    await window.run('beacon.trySandbox');
    await says(
      {
        activity: 'All My Projects · marta@sandbox · GitLab leaves out MRs and epics',
        ...{ tracking: 'marta@sandbox', trackingRow: /^The workspace has no project of the sandbox/ },
        ...{ status: 'marta@sandbox', context: 'sandbox' },
      },
      ...['marta@sandbox', 'tomasz@A', 'marta@B'],
    );
  });

  it('goes back to what was chosen', async () => {
    await choose('tomasz@A');
    await says(ofTomasz, 'tomasz@A', 'marta@B');
  });

  it('says what a token with less can no longer do', async () => {
    window.answer('Replace Token (', first.control.makeToken('tomasz', { scopes: ['read_user'] }));
    window.closeMessages();
    await window.run('beacon.replaceToken');
    const { text } = await window.message('The token of this account is enough for feeds only');
    assert.match(short(text), /^tomasz@A: /);
    await says(
      { ...ofTomasz, trackingRow: /^The token of this account is enough for feeds only/ },
      ...['tomasz@A', 'marta@B'],
    );
  });

  it('ends with the accounts, one by one', async () => {
    await signOut('tomasz@A');
    await says(
      {
        activity: 'All My Projects · GitLab leaves out MRs and epics',
        ...{ tracking: '', trackingRow: /^Your workspace has no project on the instance of this account/ },
        context: 'instance',
      },
      'marta@B',
    );
    await signOut('marta@B', true);
    await says({
      ...{ activity: '', activityRow: /^Sign in to see/, tracking: '', trackingRow: /^Connect your app/ },
      context: 'none',
    });
  });
});
