import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface Renovate {
  readonly customManagers: readonly {
    readonly managerFilePatterns: readonly string[];
    readonly matchStrings: readonly string[];
  }[];
  readonly packageRules: readonly { readonly matchPackageNames: readonly string[] }[];
}

describe('what keeps dependencies up to date', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { customManagers, packageRules } = JSON.parse(read('renovate.json')) as Renovate;

  it('finds the versions that stand in scripts', () => {
    for (const { managerFilePatterns, matchStrings } of customManagers) {
      for (const file of managerFilePatterns) {
        for (const pattern of matchStrings) {
          assert.match(read(file), new RegExp(pattern), file);
        }
      }
    }
  });

  it('names packages that the manifest has', () => {
    const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, Record<string, string>>>;
    const known = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] });
    const named = packageRules.flatMap(({ matchPackageNames }) => matchPackageNames);
    assert.deepEqual(
      named.filter((name) => !name.endsWith('/**') && !known.includes(name)),
      [],
    );
  });
});
