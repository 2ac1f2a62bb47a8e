import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { headerOf } from '../../../src/activity/activityHeader.ts';
import { feedKey } from '../../../src/activity/feed/feedLoader.ts';
import { LivePolling } from '../../../src/activity/feed/livePolling.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityParts, sampleEvent as event } from '../../support/activityParts.ts';
import { type ScriptedAnswer, ScriptedInstance } from '../../support/scriptedInstance.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the Activity view while it is open', () => {
  let events: EventRecord[];
  let failure: ScriptedAnswer | Error | undefined;
  let instance: ScriptedInstance;
  let timers: FakeClock;
  let connectFailure: Error | undefined;
  const windows: { parts: ActivityParts; polling: LivePolling }[] = [];

  beforeEach(() => {
    events = [event({ id: 2 }), event({ id: 1 })];
    failure = undefined;
    connectFailure = undefined;
    timers = new FakeClock(new Date(2026, 10, 21, 15, 0).getTime());
    instance = new ScriptedInstance((url, headers) => {
      if (failure instanceof Error) {
        throw failure;
      }
      if (failure) {
        return failure;
      }
      const path = url.pathname.replace('/api/v4', '');
      if (/^\/projects\/\d+$/.test(path)) {
        return {
          json: { id: 7, name: 'p', path_with_namespace: 'group/p', web_url: 'https://gitlab.example.com/group/p' },
        };
      }
      const page = Number(url.searchParams.get('page') ?? '1');
      const perPage = Number(url.searchParams.get('per_page'));
      const items = events.slice((page - 1) * perPage, page * perPage);
      const etag = `W/"${items.map(({ id }) => id).join('-')}"`;
      if (headers.get('if-none-match') === etag) {
        return { status: 304 };
      }
      url.searchParams.set('page', String(page + 1));
      const link: Record<string, string> = page * perPage < events.length ? { link: `<${url.href}>; rel="next"` } : {};
      return { json: items, headers: { etag, ...link } };
    });
  });
  afterEach(() => {
    windows.splice(0).forEach(({ parts, polling }) => {
      polling.dispose();
      parts.dispose();
    });
  });

  /** A window with the view open and loaded; all windows of a test share a folder. */
  async function openWindow(situation = { isFocused: true, isVisible: true, isNotifying: false }) {
    const [first] = windows;
    const connect = async () => {
      if (connectFailure) {
        throw connectFailure;
      }
      return instance.connection;
    };
    const parts = new ActivityParts(connect, first?.parts.folder);
    const news: string[] = [];
    Object.defineProperty(parts, 'now', { get: () => timers.date() });
    await parts.loader.restore(parts.open);
    await parts.loader.refresh(parts.open);
    const polling = new LivePolling({
      feeds: parts.feeds,
      loader: parts.loader,
      store: parts.store,
      clock: timers,
      machineTime: () => timers.now(),
      isFocused: () => situation.isFocused,
      isVisible: () => situation.isVisible,
      isNotifying: () => situation.isNotifying,
      onNews: (open) => news.push(open.id),
    });
    windows.push({ parts, polling });
    instance.asked.length = 0;
    return { parts, polling, news, situation, ids: () => parts.open.shown.map((item) => ('id' in item ? item.id : 0)) };
  }

  async function settled(): Promise<void> {
    await Promise.all(windows.map(({ polling }) => polling.settled()));
  }
  /** Waits until something is so that no time of the test decides. */
  async function waitFor(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise(setImmediate);
    }
  }
  const pass = (milliseconds: number) => timers.pass(milliseconds, settled);
  const header = ({ feeds, readState, now }: ActivityParts) =>
    headerOf({ feeds, readState, onlyNew: false, account: undefined, now });

  it('slides new events in', async () => {
    const window = await openWindow();
    events = [event({ id: 3 }), ...events];
    await pass(minute);
    assert.deepEqual(window.ids(), [3, 2, 1]);
    assert.equal(window.news.length, 1);
    assert.equal(header(window.parts).badge?.value, 1);
  });

  it('asks by conditional requests, fewer than sixty in an idle hour', async () => {
    const window = await openWindow();
    const statuses: number[] = [];
    const { answer } = instance;
    instance.answer = async (url, headers) => {
      const given = await answer(url, headers);
      statuses.push(given.status ?? 200);
      return given;
    };
    await pass(hour);
    assert.ok(statuses.length > 5 && statuses.length <= 60, String(statuses.length));
    assert.ok(statuses.every((status) => status === 304));
    assert.deepEqual(window.news, []);
  });

  it('asks nothing while the window has no focus or the view is hidden', async () => {
    const window = await openWindow();
    window.situation.isVisible = false;
    window.polling.update();
    await pass(hour);
    window.situation.isVisible = true;
    window.situation.isFocused = false;
    window.polling.update();
    await pass(hour);
    assert.equal(instance.asked.length, 0);
    window.situation.isFocused = true;
    window.polling.update();
    await pass(0);
    assert.equal(instance.asked.length, 1);
  });

  it('polls less often while it is hidden and only notifications are wanted', async () => {
    const window = await openWindow({ isFocused: true, isVisible: false, isNotifying: true });
    await pass(4 * minute);
    assert.equal(instance.asked.length, 0);
    await pass(minute);
    assert.equal(instance.asked.length, 1);
    assert.equal(window.parts.open.state.error, undefined);
  });

  it('is asked for by one window for all, and shown in all', async () => {
    const one = await openWindow();
    const other = await openWindow();
    events = [event({ id: 3 }), ...events];
    await pass(minute);
    while (one.ids().length < 3 || other.ids().length < 3) {
      await new Promise(setImmediate); // ~until the folder's watcher has notified the other one
    }
    assert.deepEqual(one.ids(), [3, 2, 1]);
    assert.deepEqual(other.ids(), [3, 2, 1]);
    assert.equal(instance.asked.filter((path) => path.startsWith('/events')).length, 1);
  });

  it('asks once when the computer has slept, and shows all that it has missed', async () => {
    const window = await openWindow();
    timers.jump(9 * hour);
    events = [...Array.from({ length: 120 }, (_, index) => event({ id: 200 - index })), ...events];
    await pass(0);
    assert.equal(window.ids().length, 122);
    assert.deepEqual(
      instance.asked.map((path) => new URL(path, 'http://x').searchParams.get('page')),
      [null, '2', '3'],
    );
  });

  it('keeps what it shows while the instance is away, says how old it is, and goes on by itself', async () => {
    const window = await openWindow();
    failure = new TypeError('fetch failed');
    await pass(minute);
    assert.deepEqual(window.ids(), [2, 1]);
    assert.match(header(window.parts).message ?? '', /cannot be reached.*The state of 1 minute ago is shown\./);
    assert.ok((await window.parts.rows()).includes('Try Again'));
    failure = undefined;
    events = [event({ id: 3 }), ...events];
    await pass(2 * minute);
    assert.deepEqual(window.ids(), [3, 2, 1]);
    assert.equal(header(window.parts).message, undefined);
    assert.ok(!(await window.parts.rows()).includes('Try Again'));
  });

  it('says what to do when the token is revoked, stops asking, and goes on when it is renewed', async () => {
    const window = await openWindow();
    failure = { status: 401, json: { error: 'invalid_token', error_description: 'Token was revoked.' } };
    await pass(minute);
    assert.deepEqual(window.ids(), [2, 1]);
    assert.match(header(window.parts).message ?? '', /does not accept the token/);
    const rows = await window.parts.tree.getChildren();
    const renew = rows.find((node) => window.parts.labelOf(node) === 'Renew Token…');
    assert.deepEqual(renew && window.parts.tree.getTreeItem(renew).command?.arguments, ['sandbox']);
    instance.asked.length = 0;
    await pass(hour);
    assert.equal(instance.asked.length, 0);
    failure = undefined;
    window.parts.feeds.reopen();
    await window.parts.rows();
    assert.deepEqual(window.ids(), [2, 1]);
    assert.equal(header(window.parts).message, undefined);
    window.polling.update();
    await pass(minute);
    assert.ok(instance.asked.length > 0);
  });

  it('says so when the account is gone', async () => {
    const window = await openWindow();
    connectFailure = new SignedOutError();
    await pass(minute);
    assert.match(header(window.parts).message ?? '', /signed out/);
    assert.deepEqual(window.ids(), [2, 1]);
  });

  it('offers another feed when the project is deleted', async () => {
    const window = await openWindow();
    await window.parts.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'group/p' });
    await window.parts.loader.refresh(window.parts.open);
    failure = { status: 404, json: { message: '404 Project Not Found' } };
    await pass(minute);
    assert.match(header(window.parts).message ?? '', /^Not found on .*, or not visible to you/);
    assert.deepEqual(window.ids(), [2, 1]);
    assert.ok((await window.parts.rows()).includes('Select Another Feed…'));
    instance.asked.length = 0;
    await pass(hour);
    assert.equal(instance.asked.length, 0, 'what is gone is not asked for again and again');
  });

  it('follows a project that has moved, and learns its new name when it is refreshed', async () => {
    const window = await openWindow();
    const { answer } = instance;
    let moved = false;
    instance.answer = (url, headers) => {
      const path = url.pathname.replace('/api/v4', '');
      if (moved && path === '/projects/group%2Fp/events') {
        return {
          status: 301,
          headers: { location: `https://gitlab.example.com/api/v4/projects/7/events${url.search}` },
        };
      }
      return moved && path === '/projects/7'
        ? {
            json: { id: 7, name: 'p', path_with_namespace: 'new/home', web_url: 'https://gitlab.example.com/new/home' },
          }
        : answer(url, headers);
    };
    await window.parts.choose({ kind: 'project', accountId: 'sandbox', path: 'group/p' });
    await window.parts.loader.refresh(window.parts.open);
    assert.equal(window.parts.projects.get('sandbox', 7)?.path, 'group/p');
    moved = true;
    events = [event({ id: 3 }), ...events];
    await pass(minute);
    assert.deepEqual(window.ids(), [3, 2, 1]);
    window.parts.projects.expire();
    await window.parts.loader.refresh(window.parts.open);
    assert.equal(window.parts.projects.get('sandbox', 7)?.path, 'new/home');
    const [node] = await window.parts.events();
    assert.match(
      (node && window.parts.tree.getTreeItem(node).accessibilityInformation?.label) ?? '',
      /, in new\/home, /,
    );
  });

  it('shows kinds of events that an upgraded instance has and it does not know', async () => {
    const window = await openWindow();
    const odd = { id: 4, kind: 'of another form' } as unknown as EventRecord;
    events = [odd, event({ id: 3, action_name: 'transmogrified', target_type: 'Tiger' }), ...events];
    await pass(minute);
    const rows = await window.parts.rows();
    assert.deepEqual(rows.slice(1, 3), ['  Event in an unknown format', '  Transmogrified Tiger Crash at start']);
  });

  it('shows the last state at once when it is opened again, marked with its age', async () => {
    const before = await openWindow();
    failure = new TypeError('fetch failed');
    timers.jump(3 * hour);
    const parts = new ActivityParts(async () => instance.connection, before.parts.folder);
    Object.defineProperty(parts, 'now', { get: () => timers.date() });
    await parts.loader.restore(parts.open);
    assert.equal((await parts.events()).length, 2);
    assert.match(header(parts).description ?? '', /as of 3 hours ago/);
    assert.equal(parts.projects.get('sandbox', 7)?.path, 'group/p');
    assert.equal(parts.open.instanceUrl, 'https://gitlab.example.com');
    await parts.loader.refresh(parts.open);
    assert.equal((await parts.events()).length, 2);
    parts.dispose();
  });

  for (const hours of [-8, 8]) {
    it(`goes on in all windows when the clock is set by ${hours} hours`, async () => {
      const [one, other] = [await openWindow(), await openWindow()];
      await pass(minute);
      timers.ahead = hours * hour;
      events = [event({ id: 3 }), ...events];
      await pass(6 * minute);
      assert.deepEqual(
        [one.ids(), other.ids()],
        [
          [3, 2, 1],
          [3, 2, 1],
        ],
      );
      const { length } = instance.asked;
      assert.ok(length <= 20, String(length));
      // The window that asks for both ends without letting go.
      windows[0]?.polling.dispose();
      events = [event({ id: 4 }), ...events];
      await pass(11 * minute);
      assert.deepEqual(other.ids(), [4, 3, 2, 1]);
    });
  }

  it('keeps nothing on disk of an account that was signed out of while a look-up was under way', async () => {
    const { parts } = await openWindow();
    const path = parts.store.path(feedKey(parts.open));
    const lookUp = Promise.withResolvers<void>();
    const { answer } = instance;
    instance.answer = async (url, headers) => {
      if (url.pathname.endsWith('/projects/8')) {
        await lookUp.promise;
        return { json: { id: 8, name: 'q', path_with_namespace: 'group/q' } };
      }
      return answer(url, headers);
    };
    events = [event({ id: 3, project_id: 8 }), ...events];
    const refreshing = parts.loader.refresh(parts.open);
    await waitFor(() => instance.asked.includes('/projects/8'));
    parts.isSignedIn = false;
    await parts.store.keepOnly([]);
    parts.feeds.reopen();
    lookUp.resolve();
    await refreshing;
    assert.equal(existsSync(path), false);
    assert.deepEqual(
      readdirSync(parts.folder).filter((name) => name.endsWith('.json')),
      [],
    );
  });

  it('does not load a feed by itself that ended the process the last time, says so, and loads it by a click', async () => {
    const before = await openWindow();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(`${before.parts.store.path(feedKey(before.parts.open))}.${pid}.reading`, '');
    instance.asked.length = 0;
    const parts: ActivityParts = new ActivityParts(
      async () => instance.connection,
      before.parts.folder,
      async (open) => {
        if (!(await parts.loader.wasInterrupted(open))) {
          await parts.loader.refresh(open);
        }
      },
    );
    assert.deepEqual(await parts.rows(), ['Try Again', 'Without Merge Requests and Epics']);
    assert.match(header(parts).message ?? '', /^The editor stopped while it loaded this feed/);
    assert.deepEqual(instance.asked, []);
    await parts.loader.refresh(parts.open);
    assert.equal((await parts.events()).length, 2);
    assert.equal(header(parts).message, undefined);
    assert.equal(await parts.loader.wasInterrupted(parts.open), false);
    parts.dispose();
  });

  it('writes no token to disk', async () => {
    const { parts } = await openWindow();
    const { readFile } = await import('node:fs/promises');
    const content = await readFile(parts.store.path(feedKey(parts.open)), 'utf8');
    assert.match(content, /Crash at start/);
    assert.doesNotMatch(content, /token-of-a-test/);
  });
});
