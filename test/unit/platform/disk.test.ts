import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkTarget } from '../../../src/platform/node/disk.ts';

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
