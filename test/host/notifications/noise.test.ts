import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type { EventRecord } from '../../../src/api/events.ts';
import { isRecognized } from '../../../src/api/unrecognized.ts';
import { NoiseEstimates, NoiseReading } from '../../../src/notifications/noise/estimates.ts';
import { type Mails, mailsLabel, mailsOfEvent } from '../../../src/notifications/noise/mails.ts';
import { NoisePanel, projectState } from '../../../src/notifications/noise/noisePanel.ts';
import type { NotificationsDeps } from '../../../src/notifications/notificationsFeature.ts';
import { OverviewLoader, overviewState } from '../../../src/notifications/overview/overviewLoader.ts';
import type { NotificationScope } from '../../../src/notifications/settings/settings.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { RecordedPanel } from '../../support/recordedPanel.ts';
import { endless, late, never, type Rule } from '../../support/sandbox/transforms.ts';

const label = (mails: Mails | undefined): string => (mails ? mailsLabel(mails, vscode.l10n, 'en') : 'nothing was read');

describe('the estimates of e-mails', () => {
  let window: NotificationWindow;
  let estimates: NoiseEstimates;
  let planner: NotificationScope;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    window = await NotificationWindow.open({ extra: { events: 300 } });
    ({ estimates } = window);
    planner = { kind: 'project', accountId: window.account.id, id: 502, path: 'harbor/berth-planner' };
  });
  afterEach(async () => {
    estimates.dispose();
    await window.close();
  });

  const read = (all: boolean, ...projects: number[]) => estimates.read(window.account.id, { all, projects }, signal);
  const event = (scope: NotificationScope, name: string): string =>
    label(mailsOfEvent(name, estimates.mailsOf(scope)?.events ?? {}));
  /** How often a page of a feed was asked for. */
  const requests = (): number => window.requests.filter((path) => path.endsWith('/events')).length;
  const setFaults = (...rules: Rule[]) => window.sandbox.control.transform(...rules);

  /** What others did in two weeks, by the records of the feed alone. */
  async function commentsIn(project: number): Promise<number> {
    const { client } = await window.connection();
    const after = new Date(window.time - 14 * 86_400_000);
    const records: EventRecord[] = [];
    for await (const { items } of client.events.ofProject(project, {
      after: new Date(after.getTime() - 2 * 86_400_000),
    })) {
      records.push(...items.filter(isRecognized));
    }
    return records.filter(
      ({ note, created_at: at, author_id: author }) =>
        note && note.system !== true && author !== 101 && Date.parse(at ?? '') >= after.getTime(),
    ).length;
  }

  it('of a project need its own feed alone, and are half of what that tells of two weeks', async () => {
    assert.equal(estimates.mailsOf(window.tideTable), undefined);
    await read(false, 501);
    const comments = await commentsIn(501);
    assert.ok(comments > 0);
    const { least, most } = mailsOfEvent('new_note', estimates.mailsOf(window.tideTable)?.events ?? {});
    assert.deepEqual([least, most], [comments / 2, comments / 2]);
    assert.match(event(window.tideTable, 'new_merge_request'), /^(about|none)/);
    assert.equal(event(window.tideTable, 'failed_pipeline'), 'unknown');
    assert.equal(estimates.mailsOf(planner), undefined, 'nothing of others was read');
    assert.equal(estimates.mailsOf(window.global), undefined);
    assert.ok(estimates.has(window.account.id, { all: false, projects: [501] }));
    assert.ok(!estimates.has(window.account.id, { all: true, projects: [] }));
  });

  it('of groups and global settings are the sums of projects, as lower bounds without merge requests', async () => {
    await read(true);
    const watch = (scope: NotificationScope): number => estimates.mailsOf(scope)?.levels.watch.least ?? NaN;
    const { id: accountId } = window.account;
    const projects = [...estimates.projectsOf(accountId)].map(
      ([id, path = '']) => ({ kind: 'project', accountId, id, path }) as const,
    );
    const sum = (prefix: string): number =>
      projects.filter(({ path }) => path.startsWith(prefix)).reduce((total, project) => total + watch(project), 0);
    assert.ok(watch(window.global) > 0);
    assert.equal(watch(window.global), sum(''));
    assert.equal(watch(window.tools), sum('harbor/tools/'));
    assert.equal(event(window.global, 'new_merge_request'), 'unknown');
    assert.match(label(estimates.mailsOf(window.global)?.levels.watch), /^at least/);
    assert.equal(event(planner, 'new_merge_request'), 'unknown', 'its own feed was not read');
    const before = watch(window.tideTable);
    await read(false, 501);
    assert.notEqual(event(window.tideTable, 'new_merge_request'), 'unknown');
    assert.ok(watch(window.tideTable) >= before);
  });

  it('share one reading, which is counted once whoever waits for it', async () => {
    const alone = new NoiseEstimates({ connections: { of: () => window.connection() }, clock: window.clock });
    await alone.read(window.account.id, { all: true, projects: [501] }, signal);
    const once = requests();
    await Promise.all([read(true, 501), read(false, 501), read(true)]);
    assert.equal(requests(), 2 * once);
    await Promise.all([read(true, 501), read(true)]);
    assert.equal(requests(), 2 * once, 'what was read is not read again');
    assert.deepEqual(estimates.mailsOf(window.global), alone.mailsOf(window.global));
    await estimates.read(window.account.id, { all: false, projects: [501] }, signal, true);
    assert.equal(requests(), 3 * once, 'all of it is read again when that is asked for');
    alone.dispose();
  });

  it('go on for others when one gives up, and end when all have', async () => {
    setFaults({ answer: late(400), path: '/events' });
    const [one, other] = [new AbortController(), new AbortController()];
    const wanted = { all: true, projects: [] };
    const first = estimates.read(window.account.id, wanted, one.signal);
    const second = estimates.read(window.account.id, wanted, other.signal);
    while (!window.requests.includes('/user')) {
      await new Promise(setImmediate);
    }
    one.abort();
    await assert.rejects(first);
    await second;
    assert.ok(estimates.has(window.account.id, wanted));
    setFaults({ answer: never, path: '/events' });
    const third = new AbortController();
    const last = estimates.read(window.account.id, wanted, third.signal, true);
    third.abort();
    await assert.rejects(last);
    assert.ok(estimates.has(window.account.id, wanted), 'what was there before stays');
  });

  it('use the feed of all where a project’s own feed is refused, and fail with that', async () => {
    setFaults({ answer: 403, path: '/projects/501/events' });
    await read(false, 501);
    assert.equal(event(window.tideTable, 'new_merge_request'), 'unknown');
    assert.match(label(estimates.mailsOf(window.tideTable)?.levels.watch), /^at least/);
    assert.ok(estimates.has(window.account.id, { all: false, projects: [501] }), 'there is no more to read');
    setFaults({ answer: 503, path: '/events' });
    await assert.rejects(estimates.read(window.account.id, { all: true, projects: [] }, signal, true), {
      reason: 'unavailable',
    });
  });

  it('end where the feed has no end, and are lower bounds then', async () => {
    setFaults({ answer: endless(), path: '/events' });
    await read(true);
    assert.ok(estimates.notesOf(window.account.id).some((note) => note.startsWith('There are more events')));
    assert.equal(event(window.global, 'push_to_merge_request'), 'unknown');
  });

  it('say what they were made of and assume, and nothing before', async () => {
    assert.deepEqual(estimates.notesOf(window.account.id), []);
    window.time += 100 * 86_400_000;
    await read(true);
    const [first = '', ...others] = estimates.notesOf(window.account.id);
    assert.match(first, /An estimate by the activity from .* Events read: 0\./);
    assert.match(others.at(-1) ?? '', /^Not in any feed, so unknown: .*Failed pipeline/);
    assert.equal(estimates.projectsOf(window.account.id).size, 0);
  });

  it('are shown by a page as they are read, given up, or fail', async () => {
    const { id } = window.account;
    const wanted = { all: true, projects: [] };
    let changes = 0;
    const reading = new NoiseReading(estimates, () => (changes += 1));
    const state = () => reading.state(id, wanted);
    assert.deepEqual(state(), {
      isReading: false,
      events: 0,
      canRead: true,
      notes: [],
      problem: undefined,
      remedy: undefined,
    });
    setFaults({ answer: never, path: '/events' });
    const givenUp = reading.start(id, wanted);
    assert.equal(state().isReading, true);
    reading.cancel();
    assert.equal(state().isReading, false);
    await givenUp;
    assert.equal(state().problem, undefined);
    setFaults({ answer: 503, path: '/events' });
    await reading.start(id, wanted);
    assert.match(state().problem ?? '', /./);
    setFaults();
    const rest = { all: true, projects: [501, 502] };
    await Promise.all([reading.start(id, wanted, rest), reading.start(id, wanted, rest)]);
    assert.equal(reading.state(id, rest).canRead, true, 'the rest is read when that is asked for');
    await reading.start(id, wanted, rest);
    assert.equal(reading.state(id, rest).canRead, false);
    const { isReading, canRead, problem, events, notes } = state();
    assert.deepEqual([isReading, canRead, problem], [false, false, undefined]);
    assert.ok(events > 0 && notes.length > 1 && changes > 3);
    reading.dispose();
  });

  describe('on their page', () => {
    let panel: RecordedPanel;
    let page: NoisePanel;
    let others: object[];
    const changed = new vscode.EventEmitter<void>();

    beforeEach(() => {
      panel = new RecordedPanel();
      others = [];
      const { account, finder, engine, bulk } = window;
      const deps = {
        accounts: {
          onDidChange: changed.event,
          get all() {
            return [account, ...others];
          },
        },
        accountInUse: { account, state: 'instance', onDidChange: changed.event },
        connections: { of: (id: string) => window.connection(id), current: () => window.connection(window.account.id) },
        log: { error: assert.ifError },
      };
      const services = { finder, engine, bulk, estimates };
      page = new NoisePanel(panel.asPanel, () => undefined, deps as unknown as NotificationsDeps, services);
    });
    afterEach(() => page.dispose());

    it('offer what helps where they cannot be read, and are read once it did', async () => {
      const { executeCommand } = vscode.commands;
      const commands: unknown[] = [];
      Object.assign(window.account, { scopes: ['read_user'] });
      await page.load();
      assert.match(String(panel.state?.['problem']), /^The token of marta@sandbox is enough for feeds only/);
      Object.assign(vscode.commands, {
        executeCommand: async (...call: unknown[]) => {
          commands.push(call);
          Object.assign(window.account, { scopes: ['api'] });
        },
      });
      try {
        panel.send({ type: 'act', action: 'fix' });
        await panel.until(({ phase, projects }) => phase === 'ready' && (projects as unknown[]).length > 0);
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      assert.deepEqual(commands, [['beacon.renewToken', 'marta@sandbox']]);
      assert.deepEqual([panel.state?.['problem'], panel.state?.['remedy']], [undefined, undefined]);
    });

    it('say who is signed out, and name the account where there are several', async () => {
      window.signedIn = false;
      await page.load();
      await page.load(true);
      assert.equal(panel.state?.['remedy'], 'Sign In…');
      assert.equal(panel.title, 'Notification Noise');
      others.push({});
      changed.fire();
      assert.equal(panel.title, 'Notification Noise (marta@sandbox)');
    });
  });

  it('stand in the overview at the level in effect, as unknown where that is', async () => {
    await window.pinSamples();
    await window.change(window.tideTable, { level: 'watch' });
    setFaults({ answer: 503, path: '/groups/12/notification_settings' });
    const connections = { of: () => window.connection() };
    const overview = await new OverviewLoader(connections, window.finder, window.engine).load({ projects: 100 });
    const mailsOf = (scope: NotificationScope) => estimates.mailsOf(scope);
    const rows = () =>
      new Map(overviewState('marta', 'ready', overview, { mailsOf }).rows.map((row) => [row.name, row]));
    assert.ok([...rows().values()].every(({ mails }) => mails === undefined));
    await read(true, 501);
    assert.deepEqual(rows().get('harbor/tide-table')?.mails, estimates.mailsOf(window.tideTable)?.levels.watch);
    assert.deepEqual(rows().get('harbor/berth-planner')?.mails, estimates.mailsOf(planner)?.levels.participating);
    assert.equal(label(rows().get('harbor/tools')?.mails), 'unknown');
  });

  it('of one project offer each level to try, with its own name as text', async () => {
    await read(false, 501);
    const mails = estimates.mailsOf(window.tideTable);
    assert.ok(mails && window.tideTable.kind === 'project');
    const scope = window.tideTable;
    const settings = { level: 'custom', flags: { new_note: 'on' } } as const;
    const inherited = { kind: 'group', path: 'harbor', settings: { level: 'mention', flags: {} } } as const;
    const effect = { scope, settings, effect: { kind: 'own', settings }, inherited } as const;
    const { choices } = projectState({ scope, mails, effect });
    const found = new Map(choices.map((choice) => [choice.level, choice]));
    assert.deepEqual([...found.keys()], ['global', 'watch', 'participating', 'mention', 'disabled', 'custom']);
    assert.equal(found.get('global')?.title, 'Global (On mention, from group harbor)');
    assert.deepEqual(found.get('global')?.mails, mails.levels.mention);
    assert.ok((found.get('custom')?.mails.least ?? 0) >= mails.levels.participating.least);
    fc.assert(
      fc.property(hostileText, hostileText, (path, level) => {
        const hostile = { ...effect, settings: { level, flags: {} } };
        const state = projectState({ scope: { ...scope, path }, mails, effect: hostile });
        assert.doesNotMatch(state.name, /[\p{Cc}\u202a-\u202e]/u);
        assert.ok(state.name !== '' && state.choices.some((choice) => choice.level === level));
        assert.equal(projectState({ scope, mails, effect: undefined }).level, undefined);
      }),
      runs(60),
    );
  });
});
