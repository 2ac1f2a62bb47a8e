import assert from 'node:assert/strict';
import { install } from '@sinonjs/fake-timers';
import { systemClock } from '../../../src/common/clock.ts';

const aDay = 24 * 60 * 60 * 1000;

describe('the clock', () => {
  it('sleeps, and wakes at once when the signal is aborted before or meanwhile', async () => {
    await systemClock.sleep(0);
    await systemClock.sleep(aDay, AbortSignal.abort());
    const controller = new AbortController();
    const sleeping = systemClock.sleep(aDay, controller.signal);
    controller.abort();
    await sleeping;
  });

  it('gives the time of day, and a time that does not follow it when it is set', () => {
    const before = Date.now();
    const date = systemClock.date().getTime();
    assert.ok(before <= date && date <= Date.now());
    const timers = install({ now: date });
    try {
      const start = systemClock.now();
      timers.setSystemTime(0);
      assert.deepEqual([systemClock.date().getTime(), systemClock.now() - start], [0, 0]);
      let called = false;
      systemClock.after(10, () => (called = true));
      systemClock.after(5, () => assert.fail('it is cancelled'))();
      timers.setSystemTime(date + aDay);
      timers.tick(9);
      assert.ok(!called);
      timers.tick(1);
      assert.ok(called);
    } finally {
      timers.uninstall();
    }
  });
});
