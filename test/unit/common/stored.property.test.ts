import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CheckedMemento } from '../../../src/common/stored.ts';
import { Kept, Memento } from '../../support/editor/storage.ts';
import { runs } from '../../support/properties.ts';
import { mementoOf, stored } from './keptState.ts';

describe('state that was kept, whatever has become of it', () => {
  it('is of the expected kind, or counts as missing and is reported once', () => {
    fc.assert(
      fc.property(stored, fc.constantFrom<unknown>([], {}, false, 0, ''), (value, wanted) => {
        const { memento, values, warnings } = mementoOf({ key: value });
        const [one, again] = [memento.get('key', wanted), memento.get('key', wanted)];
        assert.equal(one, again);
        assert.deepEqual([typeof one, Array.isArray(one), one === null], [typeof wanted, Array.isArray(wanted), false]);
        assert.equal(warnings.length, one === values.get('key') ? 0 : 1);
        assert.ok(
          warnings.every((sentence) => typeof value !== 'string' || value.length < 8 || !sentence.includes(value)),
        );
        assert.equal(memento.get('another', wanted), wanted);
      }),
      runs(300),
    );
  });
});

describe('what is kept in the editor’s state', () => {
  /** Takes a write back as often as it is asked to, as the editor does when the news of the write before comes late. */
  class ForgetfulMemento extends Memento {
    #forgotten: number;

    constructor(forgotten: number, left = {}) {
      super(new Kept(left));
      this.#forgotten = forgotten;
    }

    override async update(key: string, value: unknown): Promise<void> {
      if (this.#forgotten === 0) {
        await super.update(key, value);
      }
      this.#forgotten = Math.max(0, this.#forgotten - 1);
    }
  }

  it('is written again where the editor has lost it', async () => {
    const values = new ForgetfulMemento(1, { chosen: 'sandbox' });
    const memento = new CheckedMemento(values, { warn: assert.fail });
    await memento.update('chosen', undefined);
    assert.equal(memento.get('chosen'), undefined);
    await memento.update('opened', { ada: [1, 2] });
    assert.deepEqual(memento.get('opened'), { ada: [1, 2] });
  });

  it('is what was written last, while an earlier write is still under way', async () => {
    const memento = new CheckedMemento(new Memento(), { warn: assert.fail });
    await Promise.all([memento.update('chosen', 'ada'), memento.update('chosen', 'bob')]);
    assert.equal(memento.get('chosen'), 'bob');
  });

  it('is given up after some writes, where another window goes on with its own', async () => {
    const memento = new CheckedMemento(new ForgetfulMemento(Infinity), { warn: assert.fail });
    await memento.update('chosen', 'ada');
    assert.equal(memento.get('chosen'), undefined);
  });
});
