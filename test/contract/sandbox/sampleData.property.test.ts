import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { EventRecord } from '../../../src/api/events.ts';
import { addDays, calendarDate, groupByDay } from '../../../src/common/dates.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { runs } from '../../support/properties.ts';
import { inZone } from '../../support/zone.ts';
import { call, callAllPages } from './caller.ts';

const hour = 3_600_000;

/** With offsets of halves and quarters of an hour, the first and the last ones, and clocks that change at midnight. */
const timeZones = [
  ...['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Etc/GMT+12'],
  ...['Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns', 'Africa/Cairo', 'Asia/Beirut', 'America/Havana'],
  ...['America/Santiago', 'Atlantic/Azores', 'America/Scoresbysund', 'Europe/Berlin', 'Africa/Casablanca'],
];

/** The noons, in UTC, of the days of a year before which the clocks of a time zone were changed. */
function changesOfClocks(year: number, timeZone: string): number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric' });
  const noons = Array.from({ length: 365 }, (_, day) => Date.UTC(year, 0, 1 + day, 12));
  return noons.filter((noon) => format.format(noon) !== format.format(noon - 24 * hour));
}

const year = fc.integer({ min: 2024, max: 2037 });
/** Any moment; 29 February, New Year or a change of clocks with the days around; the first minutes of a day. */
const moments = fc.constantFrom(...timeZones).chain((timeZone) => {
  const around = (time: number): fc.Arbitrary<number> =>
    fc.integer({ min: -48 * hour, max: 48 * hour }).map((offset) => time + offset);
  const moment = fc.oneof(
    fc.integer({ min: Date.UTC(2024), max: Date.UTC(2038) }),
    fc.constantFrom(2024, 2028, 2032, 2036).chain((leap) => around(Date.UTC(leap, 1, 29, 12))),
    year.chain((next) => around(Date.UTC(next, 0, 1))),
    year.chain((of) => {
      const changes = changesOfClocks(of, timeZone);
      return changes.length === 0 ? around(Date.UTC(of, 2, 29)) : fc.constantFrom(...changes).chain(around);
    }),
  );
  const minutes = fc.option(fc.integer({ min: 0, max: 10 * 60_000 }));
  return fc.record({ timeZone: fc.constant(timeZone), now: fc.tuple(moment, minutes).map(dayStart(timeZone)) });
});

/** Moves a moment to so many milliseconds after its day has begun, if any are given. */
function dayStart(timeZone: string) {
  return ([moment, after]: [number, number | null]): Date => {
    if (after === null) {
      return new Date(moment);
    }
    const dateOf = (time: number): string => inZone(timeZone, () => calendarDate(new Date(time)));
    const date = dateOf(moment);
    // Days begin at whole minutes.
    let start = moment - (moment % 60_000);
    for (const step of [hour, 60_000]) {
      while (dateOf(start - step) === date) {
        start -= step;
      }
    }
    return new Date(start + after);
  };
}

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

async function sandboxAt(now: Date, timeZone: string, seed: number, use: (sandbox: Sandbox) => Promise<void>) {
  const sandbox = await startSandbox({ now: () => now, timeZone, seed });
  try {
    await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

describe('The sample data at any moment', () => {
  it('have events of today, of yesterday and of every common kind among the first 20 of each feed', async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.integer({ min: 1, max: 1000 }), async ({ now, timeZone }, seed) => {
        await sandboxAt(now, timeZone, seed, async (sandbox) => {
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
      }),
      runs(12),
    );
  });

  it('give each issue and merge request one title, in whatever event it is', async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.integer({ min: 1, max: 1000 }), async ({ now, timeZone }, seed) => {
        await sandboxAt(now, timeZone, seed, async (sandbox) => {
          const events = (await callAllPages(
            sandbox,
            '/projects/harbor%2Ftide-table/events?per_page=100',
          )) as unknown as EventRecord[];
          const titles = new Map<string, Set<unknown>>();
          for (const { target_type: type, target_iid: iid, target_title: title, note } of events) {
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
      }),
      runs(12),
    );
  });

  it('are the same for the same seed, clock and time zone', async () => {
    await fc.assert(
      fc.asyncProperty(moments, async ({ now, timeZone }) => {
        const copies: unknown[] = [];
        for (let copy = 0; copy < 2; copy += 1) {
          await sandboxAt(now, timeZone, 7, async (sandbox) => {
            const records = await callAllPages(sandbox, '/projects/harbor%2Ftide-table/events?per_page=100');
            copies.push([sandbox.tokens, JSON.stringify(records).replaceAll(sandbox.url, '')]);
          });
        }
        assert.deepEqual(copies[0], copies[1]);
      }),
      runs(5),
    );
  });

  it('have the project that is found by "tide", with a client key that is active and one that is not', async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.integer({ min: 1, max: 1000 }), async ({ now, timeZone }, seed) => {
        await sandboxAt(now, timeZone, seed, async (sandbox) => {
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
      }),
      runs(10),
    );
  });
});
