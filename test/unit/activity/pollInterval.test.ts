import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pollingInterval } from '../../../src/activity/feed/polling.ts';

const hour = 3_600_000;

describe('the polling interval', () => {
  it('is what is set for few feeds, shared by many, and slower while the view is hidden', () => {
    assert.equal(pollingInterval(60, 1, true), 60_000);
    assert.equal(pollingInterval(60, 4, true), 60_000);
    assert.equal(pollingInterval(60, 8, true), 120_000);
    assert.equal(pollingInterval(60, 1, false), 300_000);
    assert.equal(pollingInterval(1, 1, true), 10_000);
  });

  it('is none at 0, and at what is no number', () => {
    [0, -5, Number.NaN].forEach((seconds) => assert.equal(pollingInterval(seconds, 1, true), undefined));
  });

  it('leaves requests for what a user does, whatever is set and open', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 10_000, noNaN: true }),
        fc.integer({ min: 0, max: 500 }),
        fc.boolean(),
        (seconds, feeds, isVisible) => {
          const perHour = (feeds * hour) / (pollingInterval(seconds, feeds, isVisible) ?? Number.NaN);
          assert.ok(perHour <= 360, `${perHour} requests an hour`);
        },
      ),
    );
  });
});
