import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Leases } from '../../../../src/activity/polling/leases.ts';

describe('leases', () => {
  let folder: string;
  let path: string;
  let time = 0;
  const window = () => new Leases(() => time);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-leases-'));
    path = join(folder, 'feed.lease');
    time = 1000;
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('are for one window at a time, which may prolong them', async () => {
    const [one, other] = [window(), window()];
    assert.equal(await one.take(path, 100), true);
    assert.equal(await other.take(path, 100), false);
    assert.equal(await one.take(path, 100), true);
  });

  it('are for exactly one of many windows that ask at the same time', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, async () => window().take(path, 100)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.deepEqual(await readdir(folder), ['feed.lease'], 'nothing is left over');
  });

  it('run out, so that a window that ended holds nothing up', async () => {
    await window().take(path, 100);
    time += 101;
    assert.equal(await window().take(path, 100), true);
  });

  it('can be let go of', async () => {
    const [one, other] = [window(), window()];
    await one.take(path, 100);
    await one.releaseAll();
    assert.equal(await other.take(path, 100), true);
    await one.releaseAll();
    assert.equal(await one.take(path, 100), false, 'what another has is not let go of');
  });

  it('do not depend on what a file holds', async () => {
    for (const content of ['', '{', 'null', '[]', '{"owner":7}']) {
      await writeFile(path, content);
      assert.equal(await window().take(path, 100), true, content);
    }
  });

  it('are for everyone where nothing can be written', async () => {
    assert.equal(await window().take(join(folder, 'missing', 'feed.lease'), 100), true);
  });
});
