import assert from 'node:assert/strict';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityWindow } from './activityWindow.ts';
import { sampleEvent as event } from './anyEvent.ts';
import { type ScriptedAnswer, ScriptedInstance } from '../../support/scriptedInstance.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const inside = insideWindow(import.meta.filename);

const minute = 60_000;
const hour = 60 * minute;
const host = 'https://gitlab.example.com';
const projectAt = (path: string) => ({ id: 7, name: 'p', path_with_namespace: path, web_url: `${host}/${path}` });

describe('the Activity view while it is open', () => {
  let events: EventRecord[];
  let failure: ScriptedAnswer | Error | undefined;
  let instance: ScriptedInstance;
  let timers: FakeClock;
  const windows: ActivityWindow[] = [];

  beforeEach(() => {
    events = [event({ id: 2 }), event({ id: 1 })];
    failure = undefined;
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
        return { json: projectAt('group/p') };
      }
      const page = Number(url.searchParams.get('page') ?? '1');
      const perPage = Number(url.searchParams.get('per_page'));
      const ordered = url.searchParams.get('sort') === 'asc' ? events.toReversed() : events;
      const items = ordered.slice((page - 1) * perPage, page * perPage);
      const etag = `W/"${items.map(({ id }) => id).join('-')}"`;
      if (headers.get('if-none-match') === etag) {
        return { status: 304 };
      }
      url.searchParams.set('page', String(page + 1));
      const link: Record<string, string> = page * perPage < events.length ? { link: `<${url.href}>; rel="next"` } : {};
      return { json: items, headers: { etag, ...link } };
    });
  });
  afterEach(async () => {
    windows.splice(0).forEach((window) => window.dispose());
    await inside.window.setting('beacon.activity.notifications', undefined);
  });

  const connect = async () => instance.connection;

  /** A window with the view open and loaded; all windows of a test share a folder. */
  async function openWindow(): Promise<ActivityWindow> {
    const [first] = windows;
    const window = await ActivityWindow.open(connect, { clock: timers, ...(first ? { folder: first.folder } : {}) });
    windows.push(window);
    await window.view.look();
    await window.feed.refresh();
    instance.asked.length = 0;
    return window;
  }

  async function settled(): Promise<void> {
    await Promise.all(windows.map(({ activity }) => activity.polling.settled()));
  }
  const pass = (milliseconds: number) => timers.pass(milliseconds, settled);
  const idsOf = ({ feed }: ActivityWindow) => feed.state.shown.map((item) => ('id' in item ? item.id : 0));

  it('asks by conditional requests, fewer than sixty in an idle hour', async () => {
    await openWindow();
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
  });

  it('asks nothing while the window has no focus or the view is hidden', async () => {
    const window = await openWindow();
    window.view.show(false);
    await pass(hour);
    inside.window.focus(false);
    window.view.show(true);
    await pass(hour);
    assert.equal(instance.asked.length, 0);
    inside.window.focus(true);
    await pass(0);
    assert.equal(instance.asked.length, 1);
  });

  it('polls less often while it is hidden and only notifications are wanted', async () => {
    await inside.window.setting('beacon.activity.notifications', true);
    const window = await openWindow();
    window.view.show(false);
    await pass(4 * minute);
    assert.equal(instance.asked.length, 0);
    await pass(minute);
    assert.equal(instance.asked.length, 1);
    assert.equal(window.feed.state.error, undefined);
  });

  it('asks once when the computer has slept, and shows all that it has missed', async () => {
    const window = await openWindow();
    timers.jump(9 * hour);
    events = [...Array.from({ length: 120 }, (_, index) => event({ id: 200 - index })), ...events];
    await pass(0);
    assert.equal(idsOf(window).length, 122);
    assert.deepEqual(
      instance.asked.map((path) => new URL(path, 'http://x').searchParams.get('page')),
      [null, '2', '3'],
    );
  });

  it('keeps what it shows while the instance is away, says how old it is, and goes on by itself', async () => {
    const window = await openWindow();
    failure = new TypeError('fetch failed');
    await pass(minute);
    assert.deepEqual(idsOf(window), [2, 1]);
    assert.match(window.view.message ?? '', /cannot be reached/);
    assert.match(window.view.description ?? '', /updated 1 minute ago/);
    assert.ok((await window.rows()).includes('Try Again'));
    failure = undefined;
    events = [event({ id: 3 }), ...events];
    await pass(2 * minute);
    assert.deepEqual(idsOf(window), [3, 2, 1]);
    assert.equal(window.view.message, '');
    assert.ok(!(await window.rows()).includes('Try Again'));
  });

  it('says what to do when the token is revoked, stops asking, and goes on when it is renewed', async () => {
    const window = await openWindow();
    failure = { status: 401, json: { error: 'invalid_token', error_description: 'Token was revoked.' } };
    await pass(minute);
    assert.deepEqual(idsOf(window), [2, 1]);
    assert.match(window.view.message ?? '', /is wrong, expired or revoked/);
    const [renew, again] = await window.items();
    assert.deepEqual([renew?.label, again?.label], ['Replace Token…', 'Try Again']);
    assert.deepEqual(renew?.command?.arguments, ['sandbox']);
    instance.asked.length = 0;
    await pass(hour);
    assert.equal(instance.asked.length, 0);
    failure = undefined;
    window.use(sandboxAccount);
    await window.rows();
    assert.deepEqual(idsOf(window), [2, 1]);
    assert.equal(window.view.message, '');
    await inside.window.until(() => instance.asked.length > 0);
  });

  it('offers another feed when the project is deleted', async () => {
    const window = await openWindow();
    await window.activity.feeds.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'group/p' });
    await window.feed.refresh();
    failure = { status: 404, json: { message: '404 Project Not Found' } };
    await pass(minute);
    assert.match(window.view.message ?? '', /^Not found on .*, or not visible to you/);
    assert.deepEqual(idsOf(window), [2, 1]);
    assert.ok((await window.rows()).includes('Select Another Feed…'));
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
        return { status: 301, headers: { location: `${host}/api/v4/projects/7/events${url.search}` } };
      }
      return moved && path === '/projects/7' ? { json: projectAt('new/home') } : answer(url, headers);
    };
    await window.activity.feeds.choose({ kind: 'project', accountId: 'sandbox', path: 'group/p' });
    await window.feed.refresh();
    assert.equal(window.activity.projects.get('sandbox', 7)?.path, 'group/p');
    moved = true;
    events = [event({ id: 3 }), ...events];
    await pass(minute);
    assert.deepEqual(idsOf(window), [3, 2, 1]);
    window.activity.projects.expire();
    await window.feed.refresh();
    assert.equal(window.activity.projects.get('sandbox', 7)?.path, 'new/home');
    const [item] = await window.eventItems();
    assert.match(item?.accessibilityInformation?.label ?? '', /, new\/home, /);
  });

  it('shows the last state at once when it is opened again, marked with its age', async () => {
    const before = await openWindow();
    failure = new TypeError('fetch failed');
    timers.jump(3 * hour);
    const window = await ActivityWindow.open(connect, { clock: timers, folder: before.folder });
    windows.push(window);
    assert.equal((await window.events()).length, 2);
    assert.match(window.view.description ?? '', /updated 3 hours ago/);
    assert.equal(window.feed.state.projects[7]?.path, 'group/p');
    assert.equal(window.feed.state.instanceUrl, 'https://gitlab.example.com');
    await window.feed.refresh();
    assert.equal((await window.events()).length, 2);
  });

  for (const hours of [-8, 8]) {
    it(`goes on in all windows when the clock is set by ${hours} hours`, async () => {
      const [one, other] = [await openWindow(), await openWindow()];
      await pass(minute);
      timers.shift(hours * hour);
      events = [event({ id: 3 }), ...events];
      await pass(6 * minute);
      assert.deepEqual(idsOf(one), [3, 2, 1]);
      assert.deepEqual(idsOf(other), [3, 2, 1]);
      const { length } = instance.asked;
      assert.ok(length <= 20, String(length));
      // The window that asks for both ends without letting go.
      windows[0]?.activity.polling.dispose();
      events = [event({ id: 4 }), ...events];
      await pass(11 * minute);
      assert.deepEqual(idsOf(other), [4, 3, 2, 1]);
    });
  }

  it('writes no token to disk', async () => {
    const window = await openWindow();
    const { readFile } = await import('node:fs/promises');
    const content = await readFile(window.activity.store.path(window.feed.key), 'utf8');
    assert.match(content, /Crash at start/);
    assert.doesNotMatch(content, /token-of-a-test/);
  });
});
