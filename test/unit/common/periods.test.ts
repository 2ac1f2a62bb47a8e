import assert from 'node:assert/strict';
import { readPeriod } from '../../../src/common/dates.ts';
import { inZone } from '../../support/zone.ts';

describe('relative days', () => {
  // A Saturday.
  const now = new Date('2026-11-21T15:00:00Z');
  const read = (text: string) => {
    const period = inZone('UTC', () => readPeriod(text, now));
    return period && `${period.from} ${period.to}`;
  };
  const cases: readonly [text: string, period: string | undefined][] = [
    ['today', '2026-11-21 2026-11-21'],
    [' Yesterday ', '2026-11-20 2026-11-20'],
    ['this week', '2026-11-16 2026-11-22'],
    ['last week', '2026-11-09 2026-11-15'],
    ['this month', '2026-11-01 2026-11-30'],
    ['last month', '2026-10-01 2026-10-31'],
    ['last year', '2025-01-01 2025-12-31'],
    ['3 days ago', '2026-11-18 2026-11-18'],
    ['2 weeks ago', '2026-11-07 2026-11-07'],
    ['2 months ago', '2026-09-22 2026-09-22'],
    ['last 7 days', '2026-11-15 2026-11-21'],
    ['last 2 weeks', '2026-11-08 2026-11-21'],
    ['7 days', '2026-11-15 2026-11-21'],
    ['1000 days ago', '2024-02-25 2024-02-25'],
    ['monday', undefined],
    ['2026-11-03', '2026-11-03 2026-11-03'],
    ['2026-2-3', '2026-02-03 2026-02-03'],
    ['2026-02-30', undefined],
    ['last 3 days ago', undefined],
    ['11/3/2026', undefined],
    ['', undefined],
    ['0 days', undefined],
    ['last 0 years', undefined],
    ['2026-13-01', undefined],
  ];
  for (const [text, period] of cases) {
    it(`reads "${text}" as ${period ?? 'no day'}`, () => {
      assert.equal(read(text), period);
    });
  }

  it('takes today from the calendar of the time zone', () => {
    const late = new Date('2026-11-21T23:30:00Z');
    const today = (zone: string) => inZone(zone, () => readPeriod('today', late))?.from;
    assert.deepEqual([today('UTC'), today('Asia/Tokyo')], ['2026-11-21', '2026-11-22']);
  });

  it('does not read what is longer than any name of a day', () => {
    for (const piece of ['1 ', 'last ', '1/', '2026-11-21 ', ' ', '\u3000']) {
      for (const times of [1, 2, 4, 16]) {
        assert.equal(readPeriod(piece.repeat(times * 64 * 1024), now), undefined);
      }
    }
  });
});
