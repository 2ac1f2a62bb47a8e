import assert from 'node:assert/strict';
import { planDay } from '../../soak/day.ts';

describe('the day of a soak', () => {
  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(planDay(7), planDay(7));
    assert.notDeepEqual(planDay(7), planDay(8));
  });
});
