import assert from 'node:assert/strict';
import { addDays, dayLabel, daysBetween, groupByDay, shortAge, timeAgo, timeOnDay } from '../../../src/common/dates.ts';
import { inZone } from '../../support/zone.ts';

const at = (created_at: string) => ({ created_at });

describe('grouping by day', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  it('follows the calendar of the time zone, not of UTC', () => {
    const events = [at('2026-03-01T01:30:00.000Z'), at('2026-02-28T23:30:00.000Z'), at('2026-02-28T05:00:00.000Z')];
    const days = (timeZone: string) =>
      inZone(timeZone, () => groupByDay(events, now)).map(({ date, events: { length } }) => [date, length]);
    assert.deepEqual(days('UTC'), [
      ['2026-03-01', 1],
      ['2026-02-28', 2],
    ]);
    assert.deepEqual(days('Europe/Berlin'), [
      ['2026-03-01', 2],
      ['2026-02-28', 1],
    ]);
    assert.deepEqual(days('America/New_York'), [['2026-02-28', 3]]);
  });

  it('understands offsets', () => {
    assert.equal(inZone('UTC', () => groupByDay([at('2026-03-02T00:30:00.000+01:00')], now))[0]?.date, '2026-03-01');
  });

  it('keeps what bears no date with what comes before it', () => {
    const odd = { raw: 1 };
    const events = [odd, at('2026-02-20T10:00:00Z'), odd, at('never')];
    const days = inZone('UTC', () => groupByDay<object>(events, now));
    assert.deepEqual(
      days.map((day) => [day.date, day.events.length]),
      [
        ['2026-03-01', 1],
        ['2026-02-20', 3],
      ],
    );
  });
});

describe('the name of a day', () => {
  const now = new Date(2026, 10, 21, 9, 0);
  it('is relative for today and yesterday', () => {
    assert.equal(dayLabel('2026-11-21', now, 'en'), 'Today');
    assert.equal(dayLabel('2026-11-20', now, 'en'), 'Yesterday');
    assert.equal(dayLabel('2026-11-20', now, 'de'), 'Gestern');
  });
  it('has the weekday, and the year where it is another', () => {
    assert.equal(dayLabel('2026-11-17', now, 'en'), 'Tue, Nov 17');
    assert.equal(dayLabel('2025-12-31', now, 'en'), 'Wed, Dec 31, 2025');
    assert.match(dayLabel('2025-12-31', now, 'th'), /2025/, 'as the instance counts years');
  });
});

describe('the time of an event', () => {
  const now = new Date(2026, 10, 21, 15, 0);
  it('is how long ago it was for today', () => {
    assert.equal(timeOnDay(new Date(2026, 10, 21, 14, 55), now, 'en'), '5m');
    assert.equal(timeOnDay(new Date(2026, 10, 21, 11, 40), now, 'en'), '3h');
    assert.equal(timeOnDay(new Date(2026, 10, 21, 11, 40), now, 'de'), '3h');
    assert.equal(timeOnDay(new Date(2026, 10, 21, 14, 38), now, 'ja'), '22分前', 'no letters of another language');
  });
  it('never lies in the future', () => {
    assert.equal(timeOnDay(new Date(2026, 10, 21, 15, 2), now, 'en'), 'now');
  });
  it('is the time of day for other days', () => {
    assert.match(timeOnDay(new Date(2026, 10, 20, 14, 5), now, 'en'), /^2:05\sPM$/);
  });
});

describe('how long ago something was', () => {
  const now = new Date('2026-11-21T15:00:00Z');
  const cases: readonly [moment: string, long: string, short: string][] = [
    ['2026-11-21T14:59:40Z', 'now', 'now'],
    ['2026-11-21T15:00:40Z', 'now', 'now'],
    ['2026-11-21T14:59:00Z', '1 minute ago', '1m'],
    ['2026-11-21T12:10:00Z', '2 hours ago', '2h'],
    ['2026-11-20T12:00:00Z', 'yesterday', '1d'],
    ['2026-11-10T12:00:00Z', 'last week', '1w'],
    ['2026-08-10T12:00:00Z', '3 months ago', '3 mths'],
    ['2023-11-10T12:00:00Z', '3 years ago', '3y'],
  ];
  for (const [moment, long, short] of cases) {
    it(`is "${long}", or "${short}", for ${moment}`, () => {
      assert.equal(timeAgo(new Date(moment), now, 'en'), long);
      assert.equal(shortAge(new Date(moment), now, 'en'), short);
    });
  }
});

describe('counting days', () => {
  it('crosses months, years and clock changes', () => {
    assert.equal(addDays('2026-03-01', -1), '2026-02-28');
    assert.equal(addDays('2025-12-31', 1), '2026-01-01');
    assert.equal(daysBetween('2026-03-30', '2026-03-28'), 2);
  });
});
