import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

describe('coverage of the API documentation', () => {
  let rows: readonly Row[];
  let fileList: string;
  before(async () => {
    const document = await readFile(join(root, 'docs/api-coverage.md'), 'utf8');
    const [tables = '', files = ''] = document.split("## The sandbox's test files");
    rows = rowsOf(tables);
    fileList = files;
  });

  for (const [subject, pattern] of [
    ['client', 'test/{contract/client,unit/api}/*.test.ts'],
    ['sandbox', 'test/contract/sandbox/*.test.ts'],
  ] as const) {
    it(`names tests of the ${subject} that exist`, async () => {
      const files = globSync(pattern, { cwd: root });
      const sources = (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
      const named = rows.flatMap((row) => row[subject] ?? []);
      assert.ok(named.length > 60);
      for (const name of named) {
        assert.ok(sources.includes(`'${name}'`) || sources.includes(`\`${name}\``), `There is no test "${name}"`);
      }
    });
  }

  it('leaves no row without a test', () => {
    for (const row of rows) {
      assert.ok(row.client === undefined || row.client.length > 0, row.name);
      assert.ok(row.sandbox.length > 0 || row.name.includes('not part of this client'), row.name);
    }
  });

  it('names all test files of the sandbox and no other', () => {
    const named = [...fileList.matchAll(/`(\w[\w.]*\.test\.ts)`/g)].map(([, name = '']) => name);
    const files = globSync('*.test.ts', { cwd: join(root, 'test/contract/sandbox') });
    assert.deepEqual([...new Set(named)].sort(), files.sort(), 'docs/api-coverage.md lists them at its end');
  });
});

interface Row {
  readonly name: string;
  /** Undefined in a table of the sandbox alone. */
  readonly client?: readonly string[];
  readonly sandbox: readonly string[];
}

/** The rows of the tables, with the names of tests in each cell. */
function rowsOf(tables: string): Row[] {
  return tables
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (row|-+) /.test(line))
    .map((line) => {
      const [name = '', ...cells] = line.slice(2).split(' | ');
      const named = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, test = '']) => test));
      return { name, ...(named.length === 2 ? { client: named[0] ?? [] } : {}), sandbox: named.at(-1) ?? [] };
    });
}
