import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

describe('coverage of the API documentation', () => {
  it('names tests of the client that exist', async () => {
    const files = globSync('test/{contract/client,unit/api}/*.test.ts', { cwd: root });
    const sources = (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
    const [table = ''] = (await readFile(join(root, 'docs/api-coverage.md'), 'utf8')).split('## The sandbox');
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
    assert.ok(rows.length > 40);
    for (const row of rows) {
      const [, client = ''] = row.split(' | ');
      const names = [...client.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      assert.ok(names.length > 0, `No test in the row ${row}`);
      for (const name of names) {
        assert.ok(sources.includes(`'${name}'`), `There is no test "${name}"`);
      }
    }
  });

  it('names test files of the sandbox that exist', async () => {
    const [, table = ''] = (await readFile(join(root, 'docs/api-coverage.md'), 'utf8')).split('## The sandbox');
    const named = [...table.matchAll(/`(\w[\w.]*\.test\.ts)`/g)].map(([, name = '']) => name);
    const files = globSync('*.test.ts', { cwd: join(root, 'test/contract/sandbox') });
    assert.deepEqual([...new Set(named)].sort(), files.sort());
  });
});
