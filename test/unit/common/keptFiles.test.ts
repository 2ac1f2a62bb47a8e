import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { KeptFiles } from '../../../src/common/keptFiles.ts';

describe('files that all windows share', () => {
  let folder: string;
  let warnings: string[];
  let files: KeptFiles<string, { readonly level: string }>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-kept-'));
    warnings = [];
    const log = { warn: (sentence: string) => warnings.push(sentence) };
    files = new KeptFiles(
      folder,
      (name: string) => name,
      () => z.object({ level: z.string() }),
      log,
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs something with one function of Node's files in the place of another. @returns how often that was called. */
  async function callsOf(name: 'rm' | 'rename', stand: () => Promise<void>, run: () => Promise<void>): Promise<number> {
    const own = fs.promises[name];
    let calls = 0;
    const counted = async (...given: readonly unknown[]): Promise<void> => {
      calls += given.some((one) => String(one).startsWith(folder)) ? 1 : 0;
      await stand();
    };
    try {
      Object.assign(fs.promises, { [name]: counted });
      syncBuiltinESMExports();
      await run();
    } finally {
      Object.assign(fs.promises, { [name]: own });
      syncBuiltinESMExports();
    }
    return calls;
  }

  it('are put into their places, after which nothing is left to remove', async () => {
    const removals = await callsOf(
      'rm',
      async () => undefined,
      () => files.write('ada', { level: 'watch' }),
    );
    assert.equal(removals, 0);
    assert.deepEqual([await files.read('ada'), await readdir(folder)], [{ level: 'watch' }, ['ada.json']]);
  });

  it('leave no draft behind where they cannot be put there', async () => {
    await files.write('ada', { level: 'watch' });
    const busy = Object.assign(new Error('busy'), { code: 'EBUSY' });
    await callsOf(
      'rename',
      () => Promise.reject(busy),
      () => assert.rejects(files.write('ada', { level: 'mention' }), busy),
    );
    assert.deepEqual([await files.read('ada'), await readdir(folder)], [{ level: 'watch' }, ['ada.json']]);
  });

  it('count as none, and are removed, where they hold what was never written or is out of all proportion', async () => {
    for (const text of ['{"version":2,"level":7}', 'null', `{"version":2,"level":"a","more":${'['.repeat(2000)}`]) {
      await writeFile(files.path('bob'), text);
      assert.equal(await files.read('bob'), undefined, text.slice(0, 30));
    }
    assert.deepEqual([warnings.length, await readdir(folder)], [3, []]);
  });
});
