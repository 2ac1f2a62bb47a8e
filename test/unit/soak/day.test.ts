import assert from 'node:assert/strict';
import { Random } from '../../../src/sandbox/state/random.ts';
import { planDay } from '../../soak/day.ts';
import { makeEpisode } from '../../soak/faults.ts';

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
