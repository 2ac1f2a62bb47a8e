import assert from 'node:assert/strict';
import { createClock } from '@sinonjs/fake-timers';
import { clockOf, systemClock } from '../../../src/common/clock.ts';

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

  it('calls after a while, unless it is cancelled', async () => {
    const called: string[] = [];
    const cancel = systemClock.after(0, () => called.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(0, () => {
        called.push('kept');
        resolve();
      });
    });
    assert.deepEqual(called, ['kept']);
  });

  it('gives the time of day, and a time that does not follow it when it is set', () => {
    const before = Date.now();
    const date = systemClock.date().getTime();
    assert.ok(before <= date && date <= Date.now());
    const timers = createClock(date);
    const clock = clockOf(timers);
    const start = clock.now();
    timers.setSystemTime(0);
    assert.deepEqual([clock.date().getTime(), clock.now() - start], [0, 0]);
    let called = false;
    clock.after(10, () => (called = true));
    timers.setSystemTime(date + aDay);
    timers.tick(9);
    assert.ok(!called);
    timers.tick(1);
    assert.ok(called);
  });

  for (const wait of [2 ** 31, 1e300, Infinity]) {
    it(`does not call at once what is to be called after ${wait} milliseconds`, () => {
      const timers = createClock();
      let called = false;
      clockOf(timers).after(wait, () => (called = true));
      timers.tick(24 * aDay);
      assert.ok(!called);
    });
  }
});
