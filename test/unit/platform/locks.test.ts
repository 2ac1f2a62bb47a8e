import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock, Leases, machineTime } from '../../../src/platform/node/locks.ts';

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
    assert.deepEqual(await readdir(folder), ['feed.lease.1'], 'nothing is left over');
  });

  it('are for exactly one of many windows that find one that has run out or was let go of', async () => {
    for (let round = 0; round < 20; round += 1) {
      const windows = Array.from({ length: 8 }, window);
      const taken = await Promise.all(windows.map((one) => one.take(path, 100)));
      assert.equal(taken.filter(Boolean).length, 1, String(round));
      if (round % 2 === 0) {
        time += 101;
      } else {
        await Promise.all(windows.map((one) => one.releaseAll()));
      }
    }
    assert.ok((await readdir(folder)).length <= 2, 'their files do not add up');
  });

  it('run exclusive tasks one after the other, also after one that crashed', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    await writeFile(
      `${path}.7`,
      JSON.stringify({ owner: 'other', pid: ended, until: machineTime() + 9e4, length: 1e5 }),
    );
    const done: string[] = [];
    const run = (name: string) =>
      withLock(path, 60_000, async () => {
        done.push(`${name} begins`);
        await readdir(folder);
        done.push(`${name} ends`);
        if (name === 'b') {
          throw new Error('b fails');
        }
      }).catch((error: Error) => done.push(error.message));
    await Promise.all(['a', 'b', 'c', 'd'].map(run));
    assert.equal(done.filter((line) => line.endsWith('ends')).length, 4);
    for (const [index, line] of done.filter((one) => one !== 'b fails').entries()) {
      assert.match(line, index % 2 === 0 ? /begins$/ : /ends$/);
    }
  });

  it('run out, so that a window that ended holds nothing up', async () => {
    await window().take(path, 100);
    time += 101;
    assert.equal(await window().take(path, 100), true);
  });

  for (const jump of [-8 * 3_600_000, 8 * 3_600_000]) {
    it(`are held by one window again after the clock has jumped by ${jump / 3_600_000} hours`, async () => {
      const [one, other] = [window(), window()];
      await one.take(path, 100);
      time += jump;
      const taken = [await other.take(path, 100), await one.take(path, 100), await other.take(path, 100)];
      assert.deepEqual(taken, [true, false, true], 'nobody waits for hours');
    });
  }

  it('do not outlive the process that has one', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    await writeFile(`${path}.1`, JSON.stringify({ owner: 'other', pid: ended, until: time + 100, length: 100 }));
    assert.equal(await window().take(path, 100), true);
    await writeFile(`${path}.3`, JSON.stringify({ owner: 'other', pid: process.pid, until: time + 100, length: 100 }));
    assert.equal(await window().take(path, 100), false);
  });

  it('count by a time that is the same for all processes and that setting the clock does not change', () => {
    const others = spawnSync(process.execPath, ['-p', 'process.hrtime.bigint().toString()']).stdout.toString();
    const between = machineTime() - Number(BigInt(others.trim()) / 1_000_000n);
    assert.ok(between >= 0 && between < 60_000, String(between));
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
    for (const [index, content] of ['', '{', 'null', '[]', '{"owner":7}'].entries()) {
      await writeFile(`${path}${index}.1`, content);
      assert.equal(await window().take(`${path}${index}`, 100), true, content);
    }
  });

  it('are for everyone where nothing can be written', async () => {
    assert.equal(await window().take(join(folder, 'missing', 'feed.lease'), 100), true);
  });
});
