import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as node from '../../../src/platform/node/locks.ts';
import * as web from '../../../src/platform/web/locks.ts';
import { hostileText, runs } from '../../support/properties.ts';

describe('a lock between windows', () => {
  let folder: string;
  let path: string;
  let time = 0;
  const take = (at = path) => node.takeLock(at, 100, () => time);
  const holder = (pid: number, until: number) => JSON.stringify({ owner: 'other', pid, until, length: until });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-locks-'));
    path = join(folder, 'token.lock');
    time = 1000;
  });

  it('is for one at a time, until it is released', async () => {
    const release = await take();
    assert.ok(release);
    assert.equal(await take(), undefined);
    await release();
    assert.ok(await take());
    await release();
    assert.equal(await take(), undefined, 'what another has is not released');
  });

  it('is another window’s or this one’s, whatever has become of its file', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), hostileText, fc.constant(JSON.stringify({ owner: 'x', until: 5000 }))),
        async (left) => {
          const path = join(folder, `lease${(round += 1)}`);
          await writeFile(`${path}.1`, left);
          const release = await node.takeLock(path, 100, () => 1000);
          assert.ok(!(release && (await node.takeLock(path, 100, () => 1000))));
          await release?.();
        },
      ),
      runs(50),
    );
  });

  it('is for exactly one of many that find one that has run out or was released', async () => {
    for (let round = 0; round < 20; round += 1) {
      const taken = (await Promise.all(Array.from({ length: 8 }, () => take()))).filter((one) => one !== undefined);
      assert.equal(taken.length, 1, String(round));
      if (round % 2 === 0) {
        time += 101;
      } else {
        await taken[0]?.();
      }
    }
    assert.ok((await readdir(folder)).length <= 2, 'their files do not add up');
  });

  it('is not held by a process that ended, longer than whoever asks would hold it, or by a file that holds something else', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    await writeFile(`${path}.1`, holder(ended, time + 100));
    assert.ok(await take(), 'its process ended');
    await writeFile(`${path}.3`, holder(process.pid, time + 100));
    assert.equal(await take(), undefined);
    for (const [number, until] of [101, 8 * 3_600_000, Number.MAX_SAFE_INTEGER].entries()) {
      await writeFile(`${path}.${number * 2 + 5}`, holder(process.pid, time + until));
      assert.ok(await take(), `until ${until}`);
    }
    for (const [index, content] of ['', '{', 'null', '[]', '{"owner":7}'].entries()) {
      await writeFile(`${path}${index}.1`, content);
      assert.ok(await take(`${path}${index}`), content);
    }
  });

  it('is for everyone where nothing can be written', async () => {
    const missing = join(folder, 'missing', 'token.lock');
    assert.ok(await take(missing));
    assert.ok(await take(missing));
  });
});

for (const [where, withLock] of [
  ['processes', node.withLock],
  ['tabs', web.withLock],
] as const) {
  it(`a lock between ${where} lets exclusive tasks run one after the other, also after one that failed`, async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'beacon-locks-')), 'token.lock');
    const done: string[] = [];
    const run = (name: string) =>
      withLock(path, 60_000, async () => {
        done.push(`${name} begins`);
        await readdir(tmpdir());
        done.push(`${name} ends`);
        return name === 'b' ? Promise.reject(new Error('b fails')) : name;
      });
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(run));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)),
      ['a', undefined, 'c', 'd'],
    );
    assert.equal(done.length, 8);
    for (const [index, line] of done.entries()) {
      assert.match(line, index % 2 === 0 ? /begins$/ : /ends$/);
    }
  });
}
