import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/api/events.ts';
import { addDays, calendarDate, groupByDay } from '../../../src/common/dates.ts';
import { drawMoment, drawZone } from '../../../scripts/testMoment.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { inZone } from '../../support/zone.ts';
import { call, callAllPages } from './caller.ts';

const ofUsers: Readonly<Record<string, (event: EventRecord) => boolean>> = {
  'a push': ({ push_data }) => push_data?.action === 'pushed' && push_data.ref === 'main',
  'a comment': ({ note }) => note?.noteable_type === 'Issue',
  'an opened issue': ({ action_name, target_type }) => action_name === 'opened' && target_type === 'Issue',
  'a closed issue': ({ action_name, target_type }) => action_name === 'closed' && target_type === 'Issue',
};
const ofProjects: typeof ofUsers = {
  ...ofUsers,
  'a comment on a merge request': ({ note }) => note?.noteable_type === 'MergeRequest',
  ...Object.fromEntries(
    ['opened', 'approved', 'accepted'].map((action) => [
      `a merge request ${action}`,
      ({ action_name, target_type }: EventRecord) => action_name === action && target_type === 'MergeRequest',
    ]),
  ),
};

/** Looks at sandboxes of several seeds, in any time zone, at moments at which programs go wrong. */
async function atMoments(count: number, look: (sandbox: Sandbox, now: Date, timeZone: string) => Promise<void>) {
  for (let seed = 1; seed <= count; seed += 1) {
    const timeZone = drawZone();
    const now = inZone(timeZone, drawMoment);
    const sandbox = await startSandbox({ now: () => now, timeZone, seed });
    try {
      await look(sandbox, now, timeZone);
    } catch (error) {
      throw new Error(`With seed ${seed} in ${timeZone} at ${now.toISOString()}`, { cause: error });
    } finally {
      await sandbox.close();
    }
  }
}

const eventsOf = async (sandbox: Sandbox): Promise<readonly EventRecord[]> =>
  (await callAllPages(sandbox, '/projects/harbor%2Ftide-table/events?per_page=100')) as unknown as EventRecord[];

describe('The sample data at any moment', () => {
  it('have events of today, of yesterday and of every common kind among the first 20 of each feed', async () => {
    await atMoments(12, async (sandbox, now, timeZone) => {
      for (const [path, kinds] of [
        ['/events', ofUsers],
        ['/events?scope=all', ofUsers],
        ['/projects/harbor%2Ftide-table/events', ofProjects],
      ] as const) {
        const { records } = await call(sandbox, `${path}${path.includes('?') ? '&' : '?'}per_page=20`);
        const events = records as unknown as EventRecord[];
        const [today, days] = inZone(timeZone, () => [calendarDate(now), groupByDay(events, now)] as const);
        const dates = days.map(({ date }) => date);
        assert.deepEqual(dates.slice(0, 2), [today, addDays(today, -1)], path);
        for (const [kind, test] of Object.entries(kinds)) {
          assert.ok(events.some(test), `${path}: ${kind}`);
        }
        const authors = new Set(events.map(({ author_username }) => author_username));
        assert.equal(authors.size > 1, path !== '/events', [...authors].join());
        assert.ok(events.every(({ created_at }) => Date.parse(created_at ?? '') <= now.getTime()));
        // A list that is shown whole has a second page.
        const { headers } = await call(sandbox, path);
        assert.ok(Number(headers.get('x-total')) > 50);
      }
    });
  });

  it('give each issue and merge request one title, in whatever event it is', async () => {
    await atMoments(12, async (sandbox) => {
      const titles = new Map<string, Set<unknown>>();
      for (const { target_type: type, target_iid: iid, target_title: title, note } of await eventsOf(sandbox)) {
        if (note?.noteable_iid || type === 'Issue' || type === 'MergeRequest') {
          const key = note ? `${note.noteable_type} ${note.noteable_iid}` : `${type} ${iid}`;
          titles.set(key, (titles.get(key) ?? new Set()).add(title));
        }
      }
      assert.deepEqual(
        [...titles].filter(([, { size }]) => size > 1),
        [],
      );
    });
  });

  it('are the same for the same seed, clock and time zone', async () => {
    await atMoments(5, async (one, now, timeZone) => {
      const seed = 7;
      const copies = [1, 2].map(async () => {
        const sandbox = await startSandbox({ now: () => now, timeZone, seed });
        const text = JSON.stringify(await eventsOf(sandbox)).replaceAll(sandbox.url, '');
        await sandbox.close();
        return [sandbox.tokens, text];
      });
      assert.deepEqual(await copies[0], await copies[1]);
      assert.notEqual(JSON.stringify(await eventsOf(one)).replaceAll(one.url, ''), (await copies[0])?.[1]);
    });
  });

  it('have the project that is found by "tide", with a client key that is active and one that is not', async () => {
    await atMoments(10, async (sandbox) => {
      const found = await call(sandbox, '/projects?search=tide&membership=true');
      assert.deepEqual(
        found.records.map((project) => project['path_with_namespace']),
        ['harbor/tide-table'],
      );
      const keys = await call(sandbox, '/projects/harbor%2Ftide-table/error_tracking/client_keys');
      assert.deepEqual(
        keys.records.map(({ active }) => active),
        [true, false],
      );
    });
  });
});
