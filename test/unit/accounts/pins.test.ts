import assert from 'node:assert/strict';
import { type Pin, Pins } from '../../../src/accounts/pins.ts';
import { Memento } from '../../support/editor/storage.ts';

const tide: Pin = { kind: 'project', accountId: 'ada@host', id: 7, path: 'harbor/tide-table' };
const winch: Pin = { kind: 'project', accountId: 'ada@host', id: 8, path: 'harbor/winch' };
const foreign: Pin = { kind: 'project', accountId: 'bob@host', id: 7, path: 'harbor/tide-table' };

describe('pins', () => {
  let memento: Memento;
  let pins: Pins;
  let changes: number;

  beforeEach(() => {
    memento = new Memento();
    pins = new Pins(memento);
    changes = 0;
    pins.onDidChange(() => (changes += 1));
  });

  it('are kept by account, in the order in which they were added', async () => {
    await pins.add(tide);
    await pins.add(winch);
    await pins.add(foreign);
    assert.deepEqual(pins.of('ada@host'), [tide, winch]);
    assert.deepEqual(new Pins(memento).of('bob@host'), [foreign]);
    assert.equal(changes, 3);
  });

  it('are pinned once, and removed on their own', async () => {
    await pins.add(tide);
    await pins.add(tide);
    await pins.add(winch);
    await pins.remove(tide);
    await pins.remove(tide);
    assert.deepEqual(pins.of('ada@host'), [winch]);
    assert.equal(pins.has(tide), false);
    assert.equal(changes, 3);
  });

  it('follow what has moved, and nothing that is not pinned', async () => {
    await pins.add(tide);
    await pins.updatePath({ ...tide, path: 'fleet/tide-table' });
    await pins.updatePath({ ...foreign, path: 'fleet/tide-table' });
    assert.deepEqual(pins.of('ada@host'), [{ ...tide, path: 'fleet/tide-table' }]);
    assert.deepEqual(pins.of('bob@host'), []);
    assert.equal(changes, 2);
  });
});
