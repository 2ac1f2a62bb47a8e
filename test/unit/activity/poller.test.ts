import assert from 'node:assert/strict';
import { type Outcome, Poller } from '../../../src/activity/feed/polling.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const minute = 60_000;
const hour = 60 * minute;

function start(given: { readonly outcome?: Outcome } = {}) {
  const timers = new FakeClock();
  const rounds: number[] = [];
  const state: { outcome: Outcome; interval: number | undefined; isActive: boolean } = {
    outcome: given.outcome ?? 'unchanged',
    interval: minute,
    isActive: true,
  };
  const poller = new Poller({
    round: async () => {
      rounds.push(timers.now());
      return state.outcome;
    },
    interval: () => state.interval,
    isActive: () => state.isActive,
    clock: timers,
  });
  poller.update();
  return { timers, rounds, state, poller };
}

describe('the poller', () => {
  it('asks at the interval while things change', async () => {
    const { timers, rounds } = start({ outcome: 'changed' });
    await timers.pass(5 * minute);
    assert.deepEqual(
      rounds,
      [1, 2, 3, 4, 5].map((count) => count * minute),
    );
  });

  it('asks less and less often while nothing changes, down to every five intervals', async () => {
    const { timers, rounds } = start();
    await timers.pass(hour);
    const gaps = rounds.slice(1).map((time, index) => time - (rounds[index] ?? 0));
    assert.equal(gaps[0], 1.5 * minute);
    assert.equal(gaps.at(-1), 5 * minute);
    assert.ok(rounds.length <= 20);
  });

  it('asks often again once something has changed', async () => {
    const { timers, rounds, state } = start();
    await timers.pass(hour);
    state.outcome = 'changed';
    await timers.pass(5 * minute);
    const { length } = rounds;
    await timers.pass(3 * minute);
    assert.equal(rounds.length, length + 3);
  });

  it('waits longer after each failure', async () => {
    const { timers, rounds } = start({ outcome: 'failed' });
    await timers.pass(15 * minute);
    assert.deepEqual(
      rounds,
      [1, 3, 7, 15].map((count) => count * minute),
    );
  });

  it('asks nothing while no one looks, and at once when someone does after that', async () => {
    const { timers, rounds, state, poller } = start();
    state.isActive = false;
    poller.update();
    await timers.pass(hour);
    assert.deepEqual(rounds, []);
    state.isActive = true;
    poller.update();
    await timers.pass(0);
    assert.deepEqual(rounds, [hour]);
  });

  it('does not ask again for a glance that comes before the interval is over', async () => {
    const { timers, rounds, state, poller } = start();
    await timers.pass(minute);
    state.isActive = false;
    poller.update();
    state.isActive = true;
    poller.update();
    await timers.pass(minute);
    assert.equal(rounds.length, 1);
  });

  it('asks once, and not as often as it has missed, when the computer has slept', async () => {
    const { timers, rounds } = start({ outcome: 'changed' });
    timers.jump(8 * hour);
    await timers.pass(0);
    assert.deepEqual(rounds, [8 * hour]);
  });

  it('asks nothing without an interval', async () => {
    const { timers, rounds, state, poller } = start();
    state.interval = undefined;
    poller.update();
    await timers.pass(hour);
    assert.deepEqual(rounds, []);
  });

  it('counts what the user has asked for', async () => {
    const { timers, rounds, poller } = start();
    await timers.pass(minute / 2);
    poller.restart();
    await timers.pass(minute / 2);
    assert.deepEqual(rounds, []);
    await timers.pass(minute / 2);
    assert.equal(rounds.length, 1);
  });

  it('asks no more once it is disposed of', async () => {
    const { timers, rounds, poller } = start();
    poller.dispose();
    poller.update();
    await timers.pass(hour);
    assert.deepEqual(rounds, []);
  });

  it('takes an interval of months as one, and not as none', async () => {
    const { timers, rounds, state, poller } = start();
    state.interval = 9_999_999_000;
    poller.update();
    await timers.pass(10 * 9_999_999_000);
    assert.ok(rounds.length >= 2 && rounds.length <= 10, String(rounds.length));
  });

  for (const hours of [-8, 8]) {
    it(`asks as often as before after the clock was set by ${hours} hours`, async () => {
      const { timers, rounds } = start({ outcome: 'changed' });
      await timers.pass(2 * minute);
      timers.ahead = hours * hour;
      await timers.pass(3 * minute);
      assert.deepEqual(
        rounds,
        [1, 2, 3, 4, 5].map((count) => count * minute),
      );
    });
  }
});
