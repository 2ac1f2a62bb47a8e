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

  it('calls after a while, unless it is told not to', async () => {
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

  it('tells the time of the machine', () => {
    const before = Date.now();
    const now = systemClock.now();
    assert.ok(before <= now && now <= Date.now());
  });
});
