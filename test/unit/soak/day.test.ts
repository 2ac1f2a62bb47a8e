import assert from 'node:assert/strict';
import { Random } from '../../../src/sandbox/state/random.ts';
import { planDay } from '../../soak/day.ts';
import { makeEpisode } from '../../soak/faults.ts';
import { SimulatedTime } from '../../soak/time/simulatedTime.ts';

describe('the day of a soak', () => {
  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(planDay(7), planDay(7));
    assert.notDeepEqual(planDay(7), planDay(8));
  });

  it('holds steps in chronological order, and is quiet at its end', () => {
    const steps = planDay(1);
    assert.ok(steps.every(({ at }, index) => at >= (steps[index - 1]?.at ?? 0)));
    assert.equal(steps.at(-1)?.kind, 'calm');
  });

  it('holds every kind of step in one day or another', () => {
    const steps = [1, 2, 3, 4, 5].flatMap(planDay);
    const kinds = ['away', 'calm', 'clock', 'deleteProject', 'elsewhere', 'events', 'fault', 'moveProject', 'offline'];
    assert.deepEqual([...new Set(steps.map(({ kind }) => kind))].sort(), [...kinds, 'revokeToken', 'sleep', 'user']);
  });

  it('makes faults of every kind, for some requests or some time', () => {
    const random = new Random(3);
    const episodes = Array.from({ length: 200 }, () => makeEpisode(random));
    assert.ok(new Set(episodes.map(({ name }) => name)).size >= 14);
    assert.ok(episodes.every(({ lasts, rule }) => lasts > 0 && (rule.times ?? 1) > 0));
  });
});

describe('simulated time', () => {
  const settled = async (): Promise<void> => {};

  it('runs timers in order, and intervals repeatedly', async () => {
    const time = new SimulatedTime(1000);
    const heard: string[] = [];
    time.setTimeout(() => heard.push(`late at ${time.now}`), 25);
    const ticking = time.setInterval(() => heard.push(`tick at ${time.now}`), 10);
    time.clear(time.setTimeout(() => heard.push('never'), 5));
    await time.passUntil(1029, settled);
    time.clear(ticking);
    await time.passUntil(1100, settled);
    assert.deepEqual(heard, ['tick at 1010', 'tick at 1020', 'late at 1025']);
    assert.equal(time.now, 1100);
  });

  it('lets happen late, and once, what fell due while the computer slept', async () => {
    const time = new SimulatedTime(0);
    const heard: number[] = [];
    time.setInterval(() => heard.push(time.now), 10);
    time.sleep(95);
    await time.passUntil(106, settled);
    assert.deepEqual(heard, [95, 105]);
  });

  it('knows who waits for it', async () => {
    const owner = { timers: 0 };
    const time = new SimulatedTime(0, () => owner);
    const never = time.setTimeout(() => undefined, 100);
    time.setTimeout(() => undefined, 10);
    assert.equal(owner.timers, 2);
    await time.passUntil(50, settled);
    assert.equal(owner.timers, 1);
    time.clear(never);
    time.clear(never);
    assert.equal(owner.timers, 0);
  });
});
