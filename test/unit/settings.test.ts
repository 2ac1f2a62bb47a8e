import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestWindow } from '../support/testWindow.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<
        Record<string, { readonly scope?: string; readonly order?: number; readonly keywords?: readonly string[] }>
      >;
    }[];
  };
};
const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

describe('the sandbox of a window', () => {
  it('has the data and the events of its settings', async () => {
    const titles = async (seed: number): Promise<readonly string[]> => {
      const window = await TestWindow.open({
        settings: { 'beacon.sandbox.seed': seed, 'beacon.sandbox.liveEvents': false },
      });
      try {
        await window.run('beacon.trySandbox');
        await window.until(async () => (await window.rows('beacon.activity')).length > 5);
        // Without how long ago it was.
        return (await window.rows('beacon.activity')).map((row) => row.replace(/ \S+ · .*/, '')).slice(1, 9);
      } finally {
        await window.dispose();
      }
    };
    const first = await titles(3);
    assert.deepEqual(await titles(3), first);
    assert.notDeepEqual(await titles(4), first);
  });
});

describe('the settings', () => {
  it('that decide about connections, tokens or notifications cannot be brought by a workspace', () => {
    const ofWorkspaces = settings.filter(([, { scope }]) => scope !== 'machine' && scope !== 'application');
    assert.deepEqual(
      ofWorkspaces.map(([name]) => name).filter((name) => !name.startsWith('beacon.apiHints.')),
      [],
    );
  });

  it('hold no token, and are found by words that are not in their names', () => {
    for (const [name, { keywords = [], order }] of settings) {
      assert.doesNotMatch(name, /token|secret|password|passphrase/i);
      assert.ok(
        keywords.some((word) => !name.toLowerCase().includes(word.toLowerCase())),
        name,
      );
      assert.equal(typeof order, 'number', name);
    }
  });
});
