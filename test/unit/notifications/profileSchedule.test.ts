import assert from 'node:assert/strict';
import { ProfileSchedule } from '../../../src/notifications/profiles/timedProfiles.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const start = 1_800_000_000_000;
const day = 86_400_000;

describe('the schedule of profiles that end', () => {
  let soonest: number | undefined;
  let clock: FakeClock;
  let restores: number[];
  let focus: () => void;

  beforeEach(() => {
    [soonest, clock, restores] = [undefined, new FakeClock(start), []];
  });

  function schedule(onRestore = async () => {}): ProfileSchedule {
    return new ProfileSchedule({
      clock,
      reasons: [
        (look) => {
          focus = look;
          return { dispose: () => (focus = () => {}) };
        },
      ],
      soonest: async () => soonest,
      end: async () => {
        restores.push(clock.date().getTime() - start);
        await onRestore();
      },
    });
  }
  const done = async () => {
    soonest = undefined;
  };

  it('does nothing as long as nothing is kept', async () => {
    const parts = schedule();
    await parts.check();
    await clock.pass(day);
    assert.deepEqual(restores, []);
  });

  for (const [what, until, at] of [
    ['for the next one', 60_000, 60_000],
    ['longer than a timer can', 90 * day, 90 * day],
    ['after a start a moment at least', -1, 5_000],
  ] as const) {
    it(`waits ${what}`, async () => {
      soonest = start + until;
      schedule(done);
      await clock.pass(at - 1);
      assert.deepEqual(restores, []);
      await clock.pass(1);
      assert.deepEqual(restores, [at]);
    });
  }

  it('restores once at a time, and looks when the window is focused, such as after the clock was set', async () => {
    soonest = start + day;
    const parts = schedule(done);
    await parts.check();
    assert.deepEqual(restores, []);
    clock.ahead = day;
    focus();
    await parts.check();
    assert.deepEqual(restores, [day]);
    await clock.pass(2 * day);
    assert.equal(restores.length, 1);
  });

  it('tries again some minutes after a failure, also if the clock is set back meanwhile', async () => {
    soonest = start - day;
    const parts = schedule();
    await parts.check();
    clock.ahead = -8 * 3_600_000;
    await clock.pass(300_000);
    assert.equal(restores.length, 2);
    parts.dispose();
  });

  it('notices by itself that the clock was set forward', async () => {
    soonest = start + day;
    schedule(done);
    await clock.pass(5_000);
    clock.ahead = day;
    await clock.pass(15 * 60_000);
    assert.equal(restores.length, 1);
  });

  it('tries again some minutes after a failure, until it is disposed', async () => {
    soonest = start - 1;
    const parts = schedule();
    await parts.check();
    await clock.pass(299_999);
    assert.deepEqual(restores, [0]);
    await clock.pass(1);
    assert.deepEqual(restores, [0, 300_000]);
    parts.dispose();
    await clock.pass(day);
    assert.equal(restores.length, 2);
  });
});
