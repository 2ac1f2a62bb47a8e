import assert from 'node:assert/strict';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { hostileText, runs } from '../../support/properties.ts';
import { stored } from '../common/keptState.ts';
import { keptDrafts } from './notificationSettings.ts';

const scope = { kind: 'global', accountId: 'ada@host' } as const;

describe('drafts that were kept, whatever has become of them', () => {
  it('of this version and form are there, the others count as none, and the log names each once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'beacon-drafts-'));
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
          const files = keptDrafts(folder, (sentence) => warnings.push(sentence));
          await files.write(scope, kept);
          const [name = ''] = await readdir(folder);
          await writeFile(join(folder, name), left);
          const read = await files.read(scope);
          assert.deepEqual((await files.all()).length, read ? 1 : 0);
          assert.equal(warnings.length, read ? 0 : 1);
          const { change = {}, base: { level } = base } = read ?? {};
          assert.ok(
            level !== '' && Object.values(change).every((value) => ['string', 'boolean'].includes(typeof value)),
          );
          await files.write(scope, kept);
          assert.deepEqual(await files.all(), [kept]);
          await files.remove(scope);
          assert.deepEqual([await files.all(), await readdir(folder)], [[], []]);
        },
      ),
      runs(60),
    );
  });
});
