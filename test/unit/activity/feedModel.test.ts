import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Account, sandboxAccount, SignedOutError } from '../../../src/accounts/account.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityWindow, type Feed } from './activityWindow.ts';
import { sampleEvent } from './anyEvent.ts';
import { Kept, Memento } from '../../support/editor/storage.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { runs } from '../../support/properties.ts';
import { type ScriptedAnswer, ScriptedInstance } from '../../support/scriptedInstance.ts';

const minute = 60_000;
const other: Account = {
  ...{ kind: 'instance', id: 'bo@gitlab.example.com', instanceUrl: 'https://gitlab.example.com' },
  ...{ userId: 2, username: 'bo', tokenStoredAt: 1 },
};
const filters: readonly Feed['filter'][] = [
  {},
  { author: 'ada' },
  { actions: ['closed'] },
  { order: 'asc' },
  { order: 'asc', author: 'bo' },
];
const failures: readonly (ScriptedAnswer | Error | undefined)[] = [
  undefined,
  { status: 500, json: { message: 'no' } },
  { status: 401, json: { message: '401 Unauthorized' } },
  new TypeError('fetch failed'),
];

/** Two instances with events, and windows on one machine that show them. */
class World {
  readonly clock = new FakeClock(new Date(2026, 10, 21, 15, 0));
  readonly windows: ActivityWindow[] = [];
  readonly globalState = new Memento();
  failure: ScriptedAnswer | Error | undefined;
  #id = 0;
  #folder = '';
  #gate: PromiseWithResolvers<void> | undefined;
  readonly #pending: Promise<unknown>[] = [];
  readonly #events = new Map<string, EventRecord[]>([
    [sandboxAccount.id, []],
    [other.id, []],
  ]);
  readonly #instances = new Map(
    [...this.#events].map(([accountId, events]) => [
      accountId,
      new ScriptedInstance((url) => this.#answer(events, url)),
    ]),
  );

  constructor() {
    this.happen(130);
  }

  /** So many events happen, for either account. */
  happen(count: number): void {
    for (let number = 0; number < count; number += 1) {
      const id = (this.#id += 1);
      // Thirty a day, the last of them some hours ago.
      const created = new Date(this.clock.date().getTime() - (5000 - id) * 48 * minute);
      const [username, action_name] = [id % 3 === 0 ? 'ada' : 'bo', id % 4 === 0 ? 'closed' : 'opened'];
      const event = sampleEvent({
        ...{ id, project_id: (id % 5) + 1, action_name, created_at: created.toISOString() },
        author: { id: 1, username, name: username, web_url: null },
      });
      this.#events.forEach((events) => events.unshift(event));
    }
  }

  /** Opens a window that shows the user's feed; all of them share a folder and what is kept for all windows. */
  async open(): Promise<void> {
    const workspaceState = new Memento(new Kept({ 'activity.feed': { kind: 'mine' } }));
    const connect = async (accountId: string) => {
      const instance = this.#instances.get(accountId);
      if (!instance) {
        throw new SignedOutError();
      }
      return instance.connection;
    };
    const { clock, globalState } = this;
    const shared = { clock, globalState, workspaceState, ...(this.#folder === '' ? {} : { folder: this.#folder }) };
    const window = await ActivityWindow.open(connect, shared);
    this.#folder = window.folder;
    this.windows.push(window);
  }

  /** Answers no request from now on, or all that wait. */
  hold(isHeld: boolean): void {
    this.#gate?.resolve();
    this.#gate = isHeld ? Promise.withResolvers() : undefined;
  }

  /** Waits for a task, unless it waits for an answer. */
  async wait(task: Promise<unknown>): Promise<void> {
    this.#pending.push(task);
    await (this.#gate ? new Promise(setImmediate) : task);
  }

  /** Lets time pass. Nothing that waits for an answer can come to its end meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    if (!this.#gate) {
      await this.clock.pass(milliseconds, async () =>
        Promise.all(this.windows.map(({ activity }) => activity.polling.settled())),
      );
      this.windows.forEach(({ tree }) => tree.updateTimes());
    }
  }

  /** Takes a window away as when its process ends while it reads its feed, and opens another one. */
  async crash(window: ActivityWindow): Promise<void> {
    window.dispose();
    this.windows.splice(this.windows.indexOf(window), 1);
    await this.open();
  }

  /** What holds at each moment: of what is loaded, nothing is missing, there twice, or in another order. */
  check(): void {
    for (const window of this.windows) {
      for (const { ref, state, filter } of window.activity.feeds.all) {
        const ids = state.items.map((item) => item.id);
        const there = this.#expected(ref.accountId, filter.actions?.[0], filter.order).map(({ id }) => id);
        const first = filter.order === 'asc' ? 0 : Math.max(0, there.indexOf(ids[0] ?? 0));
        assert.deepEqual(ids, there.slice(first, first + ids.length));
      }
    }
  }

  /** Lets all come to its end with an instance that answers, and compares what windows show with what there is. */
  async end(): Promise<void> {
    this.failure = undefined;
    this.hold(false);
    await Promise.all(this.#pending);
    for (const window of this.windows) {
      if (window.activity.feeds.all[0]?.ref.accountId !== sandboxAccount.id) {
        window.use(sandboxAccount);
      }
      await window.view.look();
      await window.run('refresh');
      await window.view.settled();
    }
    this.check();
    for (const window of this.windows) {
      const { state, filter } = window.feed;
      assert.equal(state.error, undefined);
      const there = this.#expected(sandboxAccount.id, filter.actions?.[0], filter.order);
      const reach = state.complete ? there.length : state.items.length;
      assert.deepEqual(
        state.items.map((item) => item.id),
        there.slice(0, reach).map(({ id }) => id),
        'no event is lost',
      );
      const rows = await window.events();
      assert.deepEqual(
        rows.map(({ item }) => item),
        state.shown,
        'each event is a row',
      );
      for (const node of window.view.nodes) {
        const { label, description, iconPath } = window.tree.getTreeItem(node);
        const seen = window.view.itemOf(node);
        assert.deepEqual([seen?.label, seen?.description, seen?.iconPath], [label, description, iconPath]);
      }
    }
  }

  dispose(): void {
    this.hold(false);
    this.windows.forEach((window) => window.dispose());
  }

  #expected(accountId: string, action: string | undefined, order: 'asc' | undefined): readonly EventRecord[] {
    const events = (this.#events.get(accountId) ?? []).filter(
      ({ action_name }) => action === undefined || action_name === action,
    );
    return order === 'asc' ? events.toReversed() : events;
  }

  async #answer(of: readonly EventRecord[], url: URL): Promise<ScriptedAnswer> {
    await this.#gate?.promise;
    if (this.failure instanceof Error) {
      throw this.failure;
    }
    if (this.failure) {
      return this.failure;
    }
    const id = /\/projects\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) {
      return { json: { id: Number(id), name: 'p', path_with_namespace: `group/p${id}` } };
    }
    if (!url.pathname.endsWith('/events')) {
      return { json: [] };
    }
    const { searchParams: asked } = url;
    const account = [...this.#events].find(([, events]) => events === of)?.[0] ?? '';
    const order = asked.get('sort') === 'asc' ? 'asc' : undefined;
    const events = this.#expected(account, asked.get('action') ?? undefined, order);
    const [page, perPage] = [Number(asked.get('page') ?? '1'), Number(asked.get('per_page'))];
    asked.set('page', String(page + 1));
    const next = page * perPage < events.length ? { link: `<${url.href}>; rel="next"` } : undefined;
    return { json: events.slice((page - 1) * perPage, page * perPage), ...(next ? { headers: next } : {}) };
  }
}

type Step = fc.AsyncCommand<object, World>;

/** A step of a user, of the instance or of time; with a number that says in which window, or how much of it. */
function step(
  name: string,
  run: (world: World, window: ActivityWindow, number: number) => unknown,
): fc.Arbitrary<Step> {
  return fc.tuple(fc.nat(2), fc.nat(80)).map(([place, number]) => ({
    check: () => true,
    run: async (_, world) => {
      const window = world.windows[place % world.windows.length];
      assert.ok(window);
      await run(world, window, number);
      world.check();
    },
    toString: () => `${name}(window ${place}, ${number})`,
  }));
}

/** What is new in feeds, and loaded. */
function newIdsOf(feeds: readonly Feed[]): readonly (readonly number[])[] {
  return feeds.map(({ state }) => state.newItems.map(({ id }) => id)).filter(({ length }) => length > 0);
}

const steps: readonly fc.Arbitrary<Step>[] = [
  step('look', (world, { view }) => world.wait(view.look())),
  step('refresh', (world, window) => world.wait(window.run('refresh').catch(isSignedOut))),
  step('load more', (world, window) => world.wait(window.run('loadMore').catch(isSignedOut))),
  step('events happen', (world, _, number) => world.happen(number)),
  step('very many events happen', (world, _, number) => world.happen(number * 10)),
  step('time passes', (world, _, number) => world.pass(number * 2000)),
  step('filter', async (world, { activity }, number) => {
    const [feed] = activity.feeds.all;
    // A feed that is shown whole again asks for what has come meanwhile.
    await (feed && world.wait(activity.feeds.setFilter(feed.id, filters[number % filters.length] ?? {})));
  }),
  step('only new', (_, window, number) => window.run(number % 2 === 0 ? 'showOnlyNew' : 'showRead')),
  step('mark as read', (_, { activity }, number) => {
    const [feed] = activity.feeds.all;
    const older = feed?.state.items.slice(number).map(({ id }) => id) ?? [];
    return feed && activity.readState.setRead(feed.ref.accountId, older, true);
  }),
  step('mark a row as read or not', async (_, { activity }, number) => {
    const [feed] = activity.feeds.all;
    const item = feed?.state.items[number];
    await (item && activity.readState.setRead(feed.ref.accountId, [item.id], number % 2 === 0));
  }),
  step('mark all as read, and undo that', async (_, { activity }) => {
    const before = newIdsOf(activity.feeds.all);
    const marked = await activity.readState.markAllRead(activity.feeds.all);
    assert.deepEqual(newIdsOf(activity.feeds.all), []);
    await marked?.takeBack();
    assert.deepEqual(newIdsOf(activity.feeds.all), before, 'what was new is new again');
  }),
  step('mark all as read', (_, window) => window.run('markAllRead')),
  step('mute', async ({ globalState }, { activity }, number) => {
    const mute = { accountId: sandboxAccount.id, what: 'project', value: String((number % 5) + 1), name: 'p' } as const;
    const isMuted = JSON.stringify(globalState.get('activity.mutes', [])).includes(`"value":"${mute.value}"`);
    const { mutes } = activity.readState;
    await (isMuted ? mutes.remove([mute]) : mutes.add(mute));
  }),
  step('use another account', (_, window, number) => {
    const accounts = [sandboxAccount, other, undefined].filter(
      (account) => account?.id !== window.activity.feeds.all[0]?.ref.accountId,
    );
    window.use(accounts[number % accounts.length]);
  }),
  step('answers fail', (world, _, number) => (world.failure = failures[number % failures.length])),
  step('answers wait', (world) => world.hold(true)),
  step('answers come', (world) => world.hold(false)),
  step('open a window', (world) => (world.windows.length < 3 ? world.open() : undefined)),
  step('crash', (world, window) => world.crash(window)),
];

/** There is nothing to load without an account. */
function isSignedOut(error: unknown): void {
  assert.ok(error instanceof SignedOutError);
}

describe('a feed, in any order of what users, instances, windows and time do', () => {
  insideWindow(import.meta.filename);

  it('loses, doubles and reorders no event, takes Mark All back, and leaves no rejection unhandled', async () => {
    const rejected: unknown[] = [];
    // The editor's own extension for Git may still look at a repository of another test that is gone by now.
    const isForeign = (reason: unknown): boolean => reason instanceof Error && 'gitErrorCode' in reason;
    const note = (reason: unknown): void => void (isForeign(reason) || rejected.push(reason));
    process.on('unhandledRejection', note);
    try {
      await fc.assert(
        fc.asyncProperty(fc.commands([...steps], { maxCommands: 40 }), async (commands) => {
          const world = new World();
          await world.open();
          try {
            await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
            await world.end();
          } finally {
            world.dispose();
          }
          assert.deepEqual(rejected, []);
        }),
        runs(40),
      );
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
