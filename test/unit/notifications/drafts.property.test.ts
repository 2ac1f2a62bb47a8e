import assert from 'node:assert/strict';
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { draftSchema } from '../../../src/notifications/drafts.ts';
import { scopeFiles } from '../../../src/notifications/scope.ts';
import { stored } from '../common/keptState.ts';
import { hostileText, runs } from '../../support/properties.ts';

const scope = { kind: 'global', accountId: 'ada@host' } as const;

describe('drafts that were kept, whatever has become of them', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-drafts-'));
  });

  it('of this version and form are there, the others count as none, and the log names each once', async () => {
    const base = { level: 'global' };
    const kept = { scope, change: { level: 'watch' }, base, revision: 'a' };
    const content = fc.oneof(
      fc.record({
        version: fc.constantFrom(1, 2),
        scope: fc.constant(scope),
        change: stored,
        base: stored,
        revision: stored,
      }),
      stored,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          content.map((one) => JSON.stringify(one)),
          hostileText,
        ),
        async (left) => {
          const warnings: string[] = [];
          const files = scopeFiles(folder, draftSchema, { warn: (sentence) => warnings.push(sentence) });
          await files.write(scope, kept);
          const [name = ''] = await readdir(folder);
          await writeFile(join(folder, name), left);
          const read = await files.read(scope);
          assert.deepEqual((await files.all()).length, read ? 1 : 0);
          assert.equal(warnings.length, read ? 0 : 1);
          assert.ok(read === undefined || draftSchema().safeParse(read).success);
          await files.write(scope, kept);
          assert.deepEqual(await files.all(), [kept]);
          await files.remove(scope);
          assert.deepEqual([await files.all(), await readdir(folder)], [[], []]);
        },
      ),
      runs(60),
    );
  });

  it('are for the eyes of the user alone', async () => {
    const draft = { scope, change: {}, base: { level: 'global' }, revision: 'a' };
    await scopeFiles(folder, draftSchema, { warn: assert.fail }).write(scope, draft);
    const [name = ''] = await readdir(folder);
    assert.equal((await stat(join(folder, name))).mode & 0o077, 0);
  });
});
