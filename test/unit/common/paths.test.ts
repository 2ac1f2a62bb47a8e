import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { isBelow, isSamePlace } from '../../../src/common/paths.ts';
import { isInside } from '../../../src/platform/node/disk.ts';

const file = (path: string) => ({ scheme: 'file', path });

describe('paths of each platform', () => {
  it('are below a folder on Windows whatever the case of the drive, as git and the editor write it', () => {
    assert.ok(isBelow(file('/C:/Users/ada/repo'), file('/c:/Users/ada/repo/src/a.ts'), true));
    assert.ok(isSamePlace(file('/C:/repo'), file('/c:/Repo'), true));
    assert.ok(!isBelow(file('/C:/repo'), file('/c:/repository/a.ts'), true));
  });

  it('are others on Linux where their case differs', () => {
    assert.ok(isBelow(file('/home/ada/repo'), file('/home/ada/repo/a.ts'), false));
    assert.ok(!isBelow(file('/home/ada/Repo'), file('/home/ada/repo/a.ts'), false));
    assert.ok(!isSamePlace(file('/home/ada/Repo'), file('/home/ada/repo'), false));
    assert.ok(!isBelow(file('/repo'), { scheme: 'vscode-vfs', path: '/repo/a.ts' }, false));
  });

  it('are inside of a folder by the rules of the platform: drives, case, shares, long paths', () => {
    assert.ok(isInside('C:\\work\\repo', 'c:\\Work\\Repo\\.env', win32));
    assert.ok(isInside('\\\\host\\share\\repo', '\\\\HOST\\share\\repo\\.env', win32));
    assert.ok(isInside('C:\\repo', `C:\\repo\\${'long-name\\'.repeat(40)}x`, win32));
    assert.ok(!isInside('C:\\work\\repo', 'D:\\work\\repo\\.env', win32));
    assert.ok(!isInside('C:\\work\\repo', 'C:\\work\\repository\\.env', win32));
    assert.ok(isInside('/home/ada/repo', '/home/ada/repo', posix));
    assert.ok(isInside('/home/ada/repo', '/home/ada/repo/..env', posix));
    assert.ok(!isInside('/home/ada/Repo', '/home/ada/repo/.env', posix));
    assert.ok(!isInside('/home/ada/repo', '/work', posix));
  });
});
