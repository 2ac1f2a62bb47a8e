import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOnDisk, linkTarget } from '../../../src/platform/node/disk.ts';

describe('where a file really is', () => {
  it('is known of a link and of what is below one, inside of the folder and outside, and asked of nothing else', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'beacon-links-')));
    const [home, outside] = [join(root, 'home'), join(root, 'outside')];
    await mkdir(join(home, 'real'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(home, 'real', '.env'), '');
    await symlink('real', join(home, 'app'));
    await symlink(outside, join(home, 'elsewhere'));
    await symlink('not-there-yet', join(home, '.env'));
    await symlink(home, join(root, 'link-to-home'));
    const targetOf = (path: string, folder = home) => linkTarget({ fsPath: folder }, { fsPath: join(folder, path) });
    assert.equal(await targetOf('real/.env'), undefined);
    assert.equal(await targetOf('real/.env', join(root, 'link-to-home')), undefined, 'the folder was opened by a link');
    assert.deepEqual(await targetOf('app/.env'), { path: join(home, 'real', '.env'), isOutside: false });
    assert.deepEqual(await targetOf('.env'), { path: join(home, 'not-there-yet'), isOutside: false });
    assert.deepEqual(await targetOf('elsewhere/a/.env'), { path: join(outside, 'a', '.env'), isOutside: true });
  });
});

describe('the bytes of a file', () => {
  const read = (path: string) => bytesOnDisk({ fsPath: path } as Parameters<typeof bytesOnDisk>[0], 1000);

  it('are all of it, or it is too large, whatever size the system says that it has', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beacon-bytes-'));
    await writeFile(join(folder, 'small'), 'text');
    await writeFile(join(folder, 'empty'), '');
    await using sparse = await open(join(folder, 'sparse'), 'w');
    await sparse.truncate(2 ** 30);
    assert.equal(String(await read(join(folder, 'small'))), 'text');
    assert.equal(String(await read(join(folder, 'empty'))), '');
    assert.equal(await read(join(folder, 'sparse')), 'large');
    assert.equal(await read(folder), undefined);
    // Such a file of Linux says that it is empty, and never ends.
    if (process.platform === 'linux') {
      await symlink('/proc/self/maps', join(folder, 'link'));
      assert.equal(await read(join(folder, 'link')), 'large');
    }
  });
});
