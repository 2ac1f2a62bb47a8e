import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import { eventKind } from '../../../src/activity/events/eventKind.ts';
import { feedId } from '../../../src/activity/feed/feedRef.ts';
import { type FeedFilter, usernameOf } from '../../../src/activity/feed/filter.ts';
import { aggregate, dayNumber, fieldsPerEvent } from '../../../src/activity/insights/aggregate.ts';
import type { FromInsights } from '../../../src/activity/insights/fromInsights.ts';
import type { InsightsState, ToInsights } from '../../../src/activity/insights/messages.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { isRecognized } from '../../../src/api/unrecognized.ts';
import { addDays, calendarDate } from '../../../src/common/dates.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { signOut } from '../../support/answeredInputs.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { sampleEvent } from '../../support/anyEvent.ts';
import { untilTabs } from '../../support/recordedPanel.ts';
import { type ScriptedAnswer, ScriptedInstance } from '../../support/scriptedInstance.ts';
import { SignedInWindow } from '../../support/signedInWindow.ts';

/** A panel whose page is not there: what it gets is kept, what it sends is up to the test. */
class FakePanel {
  readonly #messages = new vscode.EventEmitter<FromInsights>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #posted = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  state: InsightsState | undefined;
  rows: number[] = [];
  isDisposed = false;
  title = '';
  readonly webview = {
    html: '',
    options: {},
    onDidReceiveMessage: this.#messages.event,
    postMessage: async (message: ToInsights): Promise<boolean> => {
      if (message.type === 'state') {
        this.state = message;
      } else {
        this.rows = [...this.rows.slice(0, message.from * fieldsPerEvent), ...message.rows];
      }
      this.#posted.fire();
      return true;
    },
  };

  send(message: FromInsights): void {
    this.#messages.fire(message);
  }

  async until(test: (state: InsightsState) => boolean): Promise<InsightsState> {
    for (;;) {
      if (this.state && test(this.state)) {
        return this.state;
      }
      await new Promise<void>((resolve) => {
        const subscription = this.#posted.event(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  }

  reveal(): void {}

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }
}

describe('activity insights', () => {
  const { createWebviewPanel } = vscode.window;
  let window: ActivityWindow;
  let signedIn: SignedInWindow | undefined;
  let panel: FakePanel;

  beforeEach(() => {
    panel = new FakePanel();
    Object.assign(vscode.window, { createWebviewPanel: () => panel });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { createWebviewPanel });
    window.dispose();
    await signedIn?.close();
    signedIn = undefined;
  });

  async function openSandbox(): Promise<SignedInWindow> {
    const opened = (signedIn = await SignedInWindow.open());
    window = await ActivityWindow.open(async () => opened.connection);
    window.now = new Date();
    return opened;
  }

  /** A window of an instance whose feeds are what a function answers. */
  async function openScripted(answer: (page: number, url: URL) => ScriptedAnswer): Promise<ScriptedInstance> {
    const instance = new ScriptedInstance((url) =>
      url.pathname.endsWith('/events')
        ? answer(Number(url.searchParams.get('page') ?? '1'), url)
        : { json: { id: 7, name: 'p', path_with_namespace: 'group/p', web_url: 'https://gitlab.example.com/group/p' } },
    );
    window = await ActivityWindow.open(async () => instance.connection);
    return instance;
  }

  /** What the page would count. */
  function counts({ names, today, muted }: InsightsState) {
    const to = dayNumber(today);
    const sizes = { kinds: names.kinds.length, projects: names.projects.length, authors: names.authors.length };
    return aggregate(Int32Array.from(panel.rows), panel.rows.length, sizes, {
      ...{ period: { from: to - 364, to }, days: undefined },
      ...{ kinds: undefined, projects: undefined, authors: undefined, muted },
    });
  }

  it('opens as a tab by its command, and goes when its account is signed out', async () => {
    Object.assign(vscode.window, { createWebviewPanel });
    await openScripted(() => ({ json: [] }));
    await vscode.commands.executeCommand('beacon.trySandbox');
    await vscode.commands.executeCommand('beacon.activity.showInsights');
    const isInsights = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputWebview && input.viewType.endsWith('beacon.activityInsights');
    await untilTabs((tabs) => tabs.some((tab) => isInsights(tab) && tab.label === 'Activity Insights'));
    await signOut();
    await untilTabs((tabs) => !tabs.some(isInsights));
  });

  it('keep their account when the window uses another one, say so, and lead to the other', async () => {
    await openScripted(() => ({ json: [] }));
    const ada = sampleAccount('ada', 'https://one.example');
    await window.run('showInsights');
    await panel.until(({ phase }) => phase === 'ready');
    window.accounts.push(ada);
    window.use(ada);
    const { account, otherAccount } = await panel.until((state) => state.otherAccount !== undefined);
    assert.deepEqual([account, otherAccount, panel.isDisposed], ['marta@sandbox', ada.id, false]);
    assert.equal(panel.title, 'Activity Insights (marta@sandbox)');
    panel.send({ type: 'act', action: 'openInUse' });
    while (!panel.webview.html.includes('"account":"ada@one.example"')) {
      await new Promise(setImmediate);
    }
    panel.send({ type: 'ready' });
    assert.equal((await panel.until((state) => state.account === ada.id)).otherAccount, undefined);
    window.use(sandboxAccount);
    await panel.until((state) => state.otherAccount === 'marta@sandbox');
    window.signOutOf(ada.id);
    assert.ok(panel.isDisposed);
  });

  it('have what the instance says of the feed in a year', async () => {
    const { client } = await openSandbox();
    await window.run('showInsights');
    const state = await panel.until(({ phase }) => phase === 'ready');
    const records: EventRecord[] = [];
    const first = addDays(calendarDate(window.now), -364);
    for await (const { items } of client.events.mine({ after: addDays(first, -2) }, { perPage: 100 })) {
      records.push(
        ...items.filter(isRecognized).filter(({ created_at: at }) => calendarDate(new Date(at ?? '')) >= first),
      );
    }
    const { all, days, kinds, projects, authors } = counts(state);
    assert.equal(all, records.length);
    assert.ok(all > 50);
    const byDate = Map.groupBy(records, ({ created_at: at }) => calendarDate(new Date(at ?? '')));
    days.forEach((count, index) => assert.equal(count, byDate.get(addDays(first, index))?.length ?? 0));
    const countsBy = (key: (record: EventRecord) => unknown): number[] =>
      [...Map.groupBy(records, key).values()].map(({ length }) => length).sort((one, other) => one - other);
    const numbers = (all: Uint32Array): number[] =>
      [...all].filter((count) => count > 0).sort((one, other) => one - other);
    assert.deepEqual(numbers(kinds), countsBy(eventKind));
    assert.deepEqual(
      numbers(projects),
      countsBy(({ project_id: id }) => id),
    );
    assert.deepEqual(numbers(authors), countsBy(usernameOf));
    assert.ok(state.names.projects.some(({ label }) => label === 'harbor/tide-table'));
    assert.deepEqual(state.notes, ['Merge requests and epics are only in the feeds of projects.']);
  });

  it('filter the feed, and follow its filter', async () => {
    await openSandbox();
    await window.run('showInsights');
    const { names } = await panel.until(({ phase }) => phase === 'ready');
    const push = names.kinds.findIndex(({ label }) => label === 'pushes');
    panel.send({ type: 'filter', number: 1, change: { by: 'kind', place: push } });
    assert.deepEqual((await panel.until(({ answered }) => answered === 1)).filter.kinds, [push]);
    const filterOf = (): FeedFilter => window.feed.filter;
    assert.deepEqual(filterOf(), { action: 'pushed' });
    const place = names.projects.findIndex(({ label }) => label === 'harbor/tide-table');
    panel.send({ type: 'filter', number: 2, change: { by: 'project', place } });
    await panel.until(({ answered }) => answered === 2);
    panel.send({ type: 'filter', number: 3, change: { by: 'days', from: '2026-11-02', to: '2026-11-08' } });
    const { filter } = await panel.until(({ answered }) => answered === 3);
    assert.deepEqual(filter.projects, [place]);
    assert.deepEqual(filter.days, { from: dayNumber('2026-11-02'), to: dayNumber('2026-11-08') });
    const { project, ...others }: FeedFilter = filterOf();
    assert.deepEqual(others, { action: 'pushed', since: '2026-11-02', until: '2026-11-08' });
    assert.equal(project?.path, 'harbor/tide-table');
    panel.send({ type: 'filter', number: 4, change: { by: 'kind', place: null } });
    await panel.until(({ answered }) => answered === 4);
    assert.equal(filterOf().action, undefined);

    await window.activity.filters.set(window.feed.id, { targetType: 'issue', author: 'marta', order: 'asc' });
    const followed = (await panel.until(({ filter: { authors } }) => authors !== null)).filter;
    assert.deepEqual(
      followed.kinds?.map((kind) => names.kinds[kind]?.label).filter((label) => !label?.endsWith(' issues')),
      [],
    );
    assert.deepEqual(followed.authors, [names.authors.findIndex(({ label }) => label === 'marta')]);
    assert.equal(followed.days, null);
    panel.send({ type: 'act', action: 'clear' });
    await panel.until(({ filter: { authors } }) => authors === null);
    assert.deepEqual(window.feed.filter, { order: 'asc' });
  });

  it('show with a cleared filter what has come while it held, whichever way it is cleared', async () => {
    let newest = 1;
    await openScripted((page) => ({ json: page === 1 ? [sampleEvent({ id: newest, action_name: 'opened' })] : [] }));
    await window.view.look();
    await window.run('showInsights');
    const { names } = await panel.until(({ phase }) => phase === 'ready');
    assert.equal(names.kinds.length, 1);
    const ways: readonly FromInsights[] = [
      { type: 'act', action: 'clear' },
      { type: 'filter', number: 1, change: { by: 'kind', place: null } },
    ];
    for (const way of ways) {
      await window.activity.filters.set(window.feed.id, { action: 'opened' });
      await panel.until(({ filter: { kinds } }) => kinds !== null);
      newest += 1;
      panel.send(way);
      await panel.until(({ filter: { kinds } }) => kinds === null);
      while ((await window.events())[0]?.key !== String(newest)) {
        await new Promise<void>((resolve) => {
          const subscription = window.activity.feeds.onDidChange(() => {
            subscription.dispose();
            resolve();
          });
        });
      }
    }
  });

  it('read short pages to their end, count what is unknown or has no author, and leave out what is muted', async () => {
    const pages = [
      [sampleEvent({ id: 9, author: null, author_username: null, author_id: 4, created_at: '2026-11-20T10:00:00Z' })],
      [],
      [
        sampleEvent({
          id: 8,
          action_name: 'juggled',
          created_at: null,
          project_id: null,
          author_username: 'ada',
          author: null,
        }),
        { no: 'event' },
        sampleEvent({ id: 7, author_username: 'noisy', author: null, created_at: '2026-11-19T10:00:00Z' }),
      ],
    ];
    await openScripted((page, url) => {
      url.searchParams.set('page', String(page + 1));
      return {
        json: pages[page - 1] ?? [],
        headers: page < pages.length ? { link: `<${url.href}>; rel="next"` } : {},
      };
    });
    const { accountId } = window.feed.ref;
    await window.activity.mutes.add({ accountId, what: 'author', value: 'noisy', name: 'noisy' });
    await window.run('showInsights');
    const state = await panel.until(({ phase }) => phase === 'ready');
    assert.equal(counts(state).all, 3);
    assert.equal(counts(state).undated, 2);
    assert.deepEqual(
      state.names.authors.map(({ label, isKnown }) => [label, isKnown]),
      [
        ['Deleted or unknown users', false],
        ['ada', true],
        ['noisy', true],
      ],
    );
    assert.deepEqual(
      state.names.kinds.map(({ label }) => label),
      ['opened issues', 'juggled issues', 'entries of unknown form'],
    );
    assert.ok(state.names.projects.some(({ label }) => label === 'Outside of projects'));
    assert.equal(counts(state).muted, 1);
    assert.deepEqual(state.muted, { kinds: [], projects: [], authors: [2] });
  });

  it('follow what is muted while they are open', async () => {
    const event = { author: null, created_at: '2026-11-20T10:00:00Z' };
    await openScripted(() => ({
      json: [
        sampleEvent({ ...event, id: 9, author_username: 'noisy' }),
        sampleEvent({ ...event, id: 8, author_username: 'ada', action_name: 'closed' }),
        sampleEvent({ ...event, id: 7, author_username: 'ada' }),
      ],
    }));
    const { accountId } = window.feed.ref;
    const { mutes } = window.activity;
    await window.run('showInsights');
    const shown = async (all: number): Promise<readonly number[]> => {
      const state = await panel.until((now) => now.phase === 'ready' && counts(now).all === all);
      return [...counts(state).authors];
    };
    assert.deepEqual(await shown(3), [1, 2]);
    const ofAuthor = { accountId, what: 'author', value: 'noisy', name: 'noisy' } as const;
    await mutes.add(ofAuthor);
    assert.deepEqual(await shown(2), [0, 2]);
    await mutes.add({ accountId, what: 'kind', value: 'closed Issue', name: 'closed issue' });
    assert.deepEqual(await shown(1), [0, 1]);
    await mutes.remove(mutes.all);
    assert.deepEqual(await shown(3), [1, 2]);
  });

  it('are restored with their feed, period and filter, and closed where nothing says which they were', async () => {
    await openScripted(() => ({ json: [] }));
    const ref = { kind: 'user', accountId: window.feed.ref.accountId, id: 3, username: 'ada', name: 'Ada' } as const;
    await window.activity.filters.set(feedId(ref), { author: 'ada' });
    const revive = async (kept: unknown): Promise<void> =>
      await (await window.activity.commands()).revive.activityInsights(panel as unknown as vscode.WebviewPanel, kept);
    await revive({ feed: ref, period: '30', hours: [], local: [], version: 2 });
    const state = await panel.until(({ phase }) => phase === 'ready');
    assert.deepEqual([state.ref, state.feed, state.period], [ref, 'Ada', '30']);
    assert.deepEqual(state.filter.authors, []);
    assert.equal(panel.title, 'Activity Insights');
    window.use(undefined);
    assert.ok(panel.isDisposed);
    for (const kept of [
      undefined,
      { feed: ref, period: '31' },
      { feed: { kind: 'user', accountId: 'a' }, period: '30' },
    ]) {
      panel = new FakePanel();
      await revive(kept);
      assert.ok(panel.isDisposed);
      assert.equal(panel.webview.html, '');
    }
  });

  it('can be cancelled, and say that there is more', async () => {
    let asked = 0;
    await openScripted((page, url) => {
      asked = Math.max(asked, page);
      if (page === 12) {
        panel.send({ type: 'act', action: 'cancel' });
      }
      url.searchParams.set('page', String(page + 1));
      return {
        json: [sampleEvent({ id: 10_000 - page, created_at: new Date(2026, 10, 20, 10).toISOString() })],
        headers: { link: `<${url.href}>; rel="next"` },
      };
    });
    await window.run('showInsights');
    const state = await panel.until(({ phase }) => phase === 'ready');
    assert.ok(state.notes.includes('Reading was canceled: older events are missing.'));
    assert.ok(asked < 30);
    assert.equal(panel.rows[0], dayNumber('2026-11-20'));
  });

  it('end after many pages and say so, keep what a failure left, and read nothing for what is kept', async () => {
    let [asked, isDown] = [0, false];
    await openScripted((page, url) => {
      asked += 1;
      if (isDown) {
        return { status: 403 };
      }
      url.searchParams.set('page', String(page + 1));
      return {
        json: [sampleEvent({ id: 10_000 - page, created_at: '2026-11-20T10:00:00Z' })],
        headers: { link: `<${url.href}>; rel="next"` },
      };
    });
    await window.run('showInsights');
    const cut = await panel.until(({ phase }) => phase === 'ready');
    assert.equal(counts(cut).all, 500);
    assert.ok(cut.notes.some((note) => note.startsWith('There are more events')));
    const before = asked;
    panel.send({ type: 'period', period: 'kept' });
    const kept = await panel.until(({ period }) => period === 'kept');
    assert.equal(kept.phase, 'ready');
    assert.equal(asked, before);
    isDown = true;
    panel.send({ type: 'period', period: '30' });
    const failed = await panel.until(({ problem }) => problem !== undefined);
    assert.equal(counts(failed).all, 500);
  });
});
