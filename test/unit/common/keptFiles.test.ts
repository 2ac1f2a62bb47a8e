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

  it('leave no draft behind where they cannot be put into their places', async () => {
    await files.write('ada', { level: 'watch' });
    const busy = Object.assign(new Error('busy'), { code: 'EBUSY' });
    const { rename } = fs.promises;
    const take = (stand: unknown): void => {
      Object.assign(fs.promises, { rename: stand });
      syncBuiltinESMExports();
    };
    take(() => Promise.reject(busy));
    await assert.rejects(files.write('ada', { level: 'mention' }), busy).finally(() => take(rename));
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
