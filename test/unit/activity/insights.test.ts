import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { eventKind } from '../../../src/activity/events/eventKind.ts';
import type { FeedItem } from '../../../src/activity/feed/feedRef.ts';
import {
  aggregate,
  type Counts,
  dateOfDay,
  dayNumber,
  fieldsPerEvent,
  hourOfWeek,
  mondayOf,
  type Selection,
  weekdayOf,
} from '../../../src/activity/insights/aggregate.ts';
import { EventRows, kindPasses, localTime } from '../../../src/activity/insights/eventRows.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { isUnrecognized, unrecognizedRecord } from '../../../src/api/unrecognized.ts';
import { sampleEvent } from '../../support/anyEvent.ts';
import { runs } from '../../support/properties.ts';

/** Zones with and without clock changes, with offsets of halves and quarters of an hour, and with a day that was left out. */
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['America/St_Johns', 'Pacific/Apia', 'Pacific/Chatham', 'Africa/Casablanca', 'America/Havana'],
];

/** What a calendar and a clock in a zone show, as the platform alone says it. */
function shown(time: number, timeZone: string): { date: string; hour: number; weekday: string } {
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en', {
      ...{ timeZone, weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', hourCycle: 'h23' },
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    hour: Number(parts['hour']),
    weekday: parts['weekday'] ?? '',
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function countsOf(rows: EventRows, selection: Selection): Counts {
  const { kinds, projects, authors } = rows;
  const sizes = { kinds: kinds.length, projects: projects.length, authors: authors.length };
  return aggregate(rows.from(0), rows.count * fieldsPerEvent, sizes, selection);
}

const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2025, 10, 1), max: Date.UTC(2026, 10, 30) }),
  // Around changes of clocks.
  fc
    .tuple(
      fc.constantFrom(
        Date.UTC(2026, 2, 29, 1),
        Date.UTC(2026, 9, 25, 1),
        Date.UTC(2026, 10, 1, 6),
        Date.UTC(2026, 3, 4, 15),
      ),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([change, distance]) => change + distance),
);

const events: fc.Arbitrary<EventRecord> = fc
  .record({
    id: fc.integer({ min: 1, max: 400 }),
    time: fc.option(moments, { nil: undefined, freq: 10 }),
    project: fc.constantFrom(7, 8, 9, null),
    author: fc.constantFrom('ada', 'ben', undefined),
    kind: fc.constantFrom('push', 'comment', 'opened', 'odd \u202e thing'),
  })
  .map(({ id, time, project, author, kind }) =>
    sampleEvent({
      ...{ id, project_id: project, author: null, author_username: author ?? null },
      created_at: time === undefined ? null : new Date(time).toISOString(),
      action_name: kind,
      ...(kind === 'push' ? { push_data: { ref_type: 'branch' } } : {}),
      ...(kind === 'comment' ? { note: { id: 1, body: 'a' } } : {}),
    }),
  );
const items: fc.Arbitrary<FeedItem> = fc.oneof(
  { weight: 20, arbitrary: events },
  { weight: 1, arbitrary: fc.integer().map((raw) => unrecognizedRecord({ raw }, [])) },
);

/** What is chosen, by the values themselves. */
const choices = fc.record({
  days: fc.option(fc.tuple(fc.integer({ min: 0, max: 364 }), fc.integer({ min: 0, max: 30 })), { nil: undefined }),
  kind: fc.option(fc.constantFrom('push', 'comment', 'opened Issue', undefined), { nil: null }),
  project: fc.option(fc.constantFrom(7, 8, undefined), { nil: null }),
  author: fc.option(fc.constantFrom('ada', undefined), { nil: null }),
  muted: fc.subarray<string | number>(['comment', 8, 'ben']),
});

describe('activity insights', () => {
  it('count what the records say, in any zone, for whatever is chosen', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(items, { maxLength: 12 }), { maxLength: 20 }),
        fc.constantFrom(...zones),
        choices,
        (pages, zone, chosen) => {
          const rows = new EventRows(zone);
          pages.forEach((page) => rows.add(page));
          const to = dayNumber('2026-11-23');
          const period = { from: to - 364, to };
          const days = chosen.days && {
            from: period.from + chosen.days[0],
            to: period.from + chosen.days[0] + chosen.days[1],
          };
          const placeSet = <T>(names: readonly T[], value: T | null): ReadonlySet<number> | undefined =>
            value === null ? undefined : new Set(names.flatMap((name, place) => (name === value ? place : [])));
          const isMuted = (value: number | string | undefined): boolean => chosen.muted.some((one) => one === value);
          const mutedIn = (names: readonly (number | string | undefined)[]): number[] =>
            names.flatMap((name, place) => (isMuted(name) ? place : []));
          const counts = countsOf(rows, {
            ...{ period, days },
            muted: { kinds: mutedIn(rows.kinds), projects: mutedIn(rows.projects), authors: mutedIn(rows.authors) },
            kinds: placeSet(rows.kinds, chosen.kind),
            projects: placeSet(rows.projects, chosen.project),
            authors: placeSet(rows.authors, chosen.author),
          });

          // The same again from the records, one after the other.
          const seen = new Set<number | string>();
          const facts = pages.flat().flatMap((item) => {
            const key = isUnrecognized(item) ? JSON.stringify(item.raw) : item.id;
            if (seen.has(key)) {
              return [];
            }
            seen.add(key);
            const isRecord = !isUnrecognized(item);
            const time = Date.parse(isRecord ? (item.created_at ?? '') : '');
            const at = Number.isNaN(time) ? undefined : shown(time, zone);
            return [
              {
                date: at?.date,
                hour: at && weekdays.indexOf(at.weekday) * 24 + at.hour,
                kind: isRecord ? eventKind(item) : undefined,
                project: isRecord ? (item.project_id ?? undefined) : undefined,
                author: isRecord ? (item.author_username ?? undefined) : undefined,
              },
            ];
          });
          const [first, last] = [dateOfDay(period.from), dateOfDay(period.to)];
          const heardOrNot = facts.filter(({ date }) => date === undefined || (date >= first && date <= last));
          const within = heardOrNot.filter(
            ({ kind, project, author }) => ![kind, project, author].some((value) => isMuted(value)),
          );
          type Fact = (typeof facts)[number];
          const tests: Record<string, (fact: Fact) => boolean> = {
            days: ({ date }) =>
              days === undefined || (date !== undefined && date >= dateOfDay(days.from) && date <= dateOfDay(days.to)),
            kinds: ({ kind }) => chosen.kind === null || kind === chosen.kind,
            projects: ({ project }) => chosen.project === null || project === chosen.project,
            authors: ({ author }) => chosen.author === null || author === chosen.author,
          };
          const under = (but?: string): Fact[] =>
            within.filter((fact) => Object.entries(tests).every(([name, test]) => name === but || test(fact)));
          assert.equal(counts.all, within.length);
          assert.equal(counts.muted, heardOrNot.length - within.length);
          assert.equal(counts.chosen, under().length);
          assert.equal(counts.undated, within.filter(({ date }) => date === undefined).length);
          const byDay = under('days');
          counts.days.forEach((count, index) =>
            assert.equal(count, byDay.filter(({ date }) => date === dateOfDay(period.from + index)).length),
          );
          counts.hours.forEach((count, hour) =>
            assert.equal(count, under().filter((fact) => fact.hour === hour).length),
          );
          for (const [name, field, values] of [
            ['kinds', 'kind', rows.kinds],
            ['projects', 'project', rows.projects],
            ['authors', 'author', rows.authors],
          ] as const) {
            values.forEach((value, place) =>
              assert.equal(counts[name][place], under(name).filter((fact) => fact[field] === value).length),
            );
          }
        },
      ),
      runs(150),
    );
  });

  it('know what clocks show, on days on which they change too', () => {
    for (const zone of zones) {
      const toLocal = localTime(zone);
      for (let time = Date.UTC(2026, 2, 28); time < Date.UTC(2026, 2, 31); time += 900_000) {
        assert.equal(new Date(toLocal(time)).toISOString().slice(0, 10), shown(time, zone).date);
        assert.equal(new Date(toLocal(time)).getUTCHours(), shown(time, zone).hour);
      }
    }
    const hoursOn = (date: string): number => {
      const toLocal = localTime('Europe/Berlin');
      const start = Date.parse(`${date}T00:00:00Z`) - 86_400_000;
      const all = Array.from({ length: 72 }, (_, hour) => new Date(toLocal(start + hour * 3_600_000)).toISOString());
      return all.filter((text) => text.startsWith(date)).length;
    };
    assert.deepEqual(['2026-03-29', '2026-10-25', '2026-11-21'].map(hoursOn), [23, 25, 24]);
  });

  it('know the weekday of a day', () => {
    assert.equal(dateOfDay(mondayOf(dayNumber('2026-11-22'))), '2026-11-16');
    assert.equal(weekdayOf(dayNumber('1969-12-29')), 0);
    assert.equal(hourOfWeek(dayNumber('2026-11-22'), 23), 167);
  });

  it('find the kinds that a filter of the instance lets through', () => {
    const kinds = [
      'push',
      'comment',
      'opened Issue',
      'opened MergeRequest',
      'accepted MergeRequest',
      'created Project',
      'joined',
      'created WikiPage::Meta',
      undefined,
    ];
    const passing = (filter: Parameters<typeof kindPasses>[0]) => kinds.filter((kind) => kindPasses(filter, kind));
    assert.deepEqual(passing({ action: 'pushed' }), ['push', undefined]);
    assert.deepEqual(passing({ targetType: 'note' }), ['comment', undefined]);
    assert.deepEqual(passing({ action: 'merged' }), ['accepted MergeRequest', undefined]);
    assert.deepEqual(passing({ action: 'created', targetType: 'merge_request' }), ['opened MergeRequest', undefined]);
    assert.deepEqual(passing({ targetType: 'wiki' }), ['created WikiPage::Meta', undefined]);
    assert.deepEqual(passing({ kind: 'opened WorkItem' }), ['opened Issue', undefined]);
    assert.deepEqual(passing({}), kinds);
  });
});
