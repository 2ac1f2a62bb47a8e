import assert from 'node:assert/strict';
import { RestoreSchedule, restoresKey } from '../../../src/notifications/profiles/restoreSchedule.ts';
import { MemoryMemento } from '../../support/editorState.ts';

const start = 1_800_000_000_000;

describe('the schedule of restores', () => {
  let memento: MemoryMemento;
  let now: number;
  let restores: number;
  let timers: { run: () => void; delay: number; isOver: boolean }[];
  let focus: () => void;

  beforeEach(() => {
    [memento, now, restores, timers] = [new MemoryMemento(), start, 0, []];
  });

  function schedule(onRestore = async () => {}): RestoreSchedule {
    return new RestoreSchedule({
      memento,
      now: () => now,
      setTimer: (run, delay) => {
        const timer = { run, delay, isOver: false };
        timers.push(timer);
        return { dispose: () => (timer.isOver = true) };
      },
      reasons: [
        (look) => {
          focus = look;
          return { dispose: () => (focus = () => {}) };
        },
      ],
      restore: async () => {
        restores += 1;
        await onRestore();
      },
    });
  }
  const waiting = () => timers.filter(({ isOver }) => !isOver).map(({ delay }) => delay);

  it('does nothing as long as nothing is kept', async () => {
    const parts = schedule();
    await parts.check();
    assert.deepEqual(waiting(), []);
    assert.equal(restores, 0);
  });

  it('waits for the next one, at most as long as a timer can, and after a start a moment at least', async () => {
    await memento.update(restoresKey, [{ until: start + 60_000 }, { until: start + 90_000 }, null, { until: 'x' }]);
    schedule();
    assert.deepEqual(waiting(), [60_000]);
    await memento.update(restoresKey, [{ until: start + 90 * 86_400_000 }]);
    timers = [];
    schedule();
    assert.deepEqual(waiting(), [2 ** 31 - 1]);
    await memento.update(restoresKey, [{ until: start - 1 }]);
    timers = [];
    schedule();
    assert.deepEqual(waiting(), [5_000]);
    assert.equal(restores, 0);
  });

  it('restores when it is time, once at a time, and looks when the window is focused', async () => {
    await memento.update(restoresKey, [{ until: start + 1 }]);
    const parts = schedule(() => memento.update(restoresKey, []));
    await parts.check();
    assert.equal(restores, 0);
    now += 2;
    focus();
    await parts.check();
    assert.equal(restores, 1);
    assert.deepEqual(waiting(), []);
  });

  it('tries again some minutes after a failure', async () => {
    await memento.update(restoresKey, [{ until: start - 1 }]);
    const parts = schedule();
    await parts.check();
    assert.deepEqual(waiting(), [300_000]);
    parts.dispose();
    assert.deepEqual(waiting(), []);
  });
});
