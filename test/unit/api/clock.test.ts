import assert from 'node:assert/strict';
import { systemClock } from '../../../src/api/clock.ts';

const never = new AbortController().signal;
const aDay = 24 * 60 * 60 * 1000;

describe('systemClock', () => {
  it('sleeps, and wakes at once when the signal is aborted before or meanwhile', async () => {
    await systemClock.sleep(0, never);
    await systemClock.sleep(aDay, AbortSignal.abort());
    const controller = new AbortController();
    const sleeping = systemClock.sleep(aDay, controller.signal);
    controller.abort();
    await sleeping;
  });

  it('calls after a delay, unless it is cancelled', async () => {
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

  it('gives the time of day, and a monotonic time', (done) => {
    const before = Date.now();
    const date = systemClock.date().getTime();
    assert.ok(before <= date && date <= Date.now());
    const { now } = Date;
    const start = systemClock.now();
    Date.now = () => 0;
    try {
      assert.ok(systemClock.now() >= start);
      systemClock.after(1, () => done());
    } finally {
      Date.now = now;
    }
  });

  for (const wait of [2 ** 31, 9_999_999_000, 1e300, Infinity]) {
    it(`waits ${wait} milliseconds in pieces that timers can hold, and not in none`, () => {
      const { setTimeout: real } = globalThis;
      const timers: { readonly run: () => void; readonly delay: number }[] = [];
      globalThis.setTimeout = ((run: () => void, delay: number) => timers.push({ run, delay })) as never;
      let called = false;
      try {
        systemClock.after(wait, () => (called = true));
        for (let piece = 0; piece < 5; piece += 1) {
          // A timer that ends early does not end the wait.
          timers[piece]?.run();
        }
        void systemClock.sleep(wait, never).then(() => (called = true));
      } finally {
        globalThis.setTimeout = real;
      }
      assert.equal(timers.length, 7);
      assert.ok(timers.every(({ delay }) => delay > 2 ** 30 && delay < 2 ** 31));
      assert.ok(!called);
    });
  }
});
