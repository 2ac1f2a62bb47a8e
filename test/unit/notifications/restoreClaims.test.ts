import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestoreClaims } from '../../../src/notifications/profiles/restores.ts';

describe('claims of several windows', () => {
  let folder: string;
  let later: number;
  const now = () => Date.now() + later;
  const clock = { date: () => new Date(now()) };
  const window = () => new RestoreClaims(join(folder, 'claims'), clock, undefined, now);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-claims-'));
    later = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('let one of them do what several want to do', async () => {
    const during: string[] = [];
    const result = await window().run('a', async () => {
      during.push(await window().run('a', async () => true), await window().run('b', async () => true));
      return true;
    });
    assert.deepEqual([result, ...during], ['done', 'claimed', 'done']);
  });

  it('remember what is done, and let what is not be tried again', async () => {
    assert.equal(await window().run('a', async () => false), 'open');
    assert.equal(await window().run('a', async () => true), 'done');
    assert.equal(await window().run('a', () => Promise.reject(new Error('ran again'))), 'done');
  });

  it('are given up on failure', async () => {
    await assert.rejects(
      window().run('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await window().run('a', async () => true), 'done');
  });

  it('pass to another window when theirs is gone, and not while it is at work', async () => {
    const during: string[] = [];
    await window().run('a', async (renew) => {
      later = 6 * 60_000;
      await renew();
      during.push(await window().run('a', async () => true));
      later = 12 * 60_000;
      during.push(await window().run('a', async () => true));
      return true;
    });
    assert.deepEqual(during, ['claimed', 'done']);
  });

  it('pass to another window also where the clock has been set back since', async () => {
    const during: string[] = [];
    await window().run('a', async () => {
      later = -8 * 3_600_000;
      during.push(await window().run('a', async () => true));
      return true;
    });
    assert.deepEqual(during, ['done']);
  });

  it('do not block if their folder cannot be written, and report why', async () => {
    await writeFile(join(folder, 'file'), '');
    const failures: unknown[] = [];
    const claims = new RestoreClaims(join(folder, 'file', 'claims'), clock, (error) => failures.push(error));
    let runs = 0;
    const result = await claims.run('a', async (renew) => {
      await renew();
      runs += 1;
      return true;
    });
    assert.deepEqual([result, runs], ['done', 1]);
    assert.match(String(failures[0]), /ENOTDIR/);
  });

  it('are forgotten after a month', async () => {
    await window().run('a', async () => true);
    later = 31 * 86_400_000;
    await window().run('b', async () => true);
    assert.equal(await window().run('a', async () => false), 'open');
  });
});
