import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EmbeddedSandbox } from '../../src/sandbox/embeddedSandbox.ts';
import { sandboxOptions } from '../../src/services.ts';
import { PersonalSettings } from '../support/reader.ts';

describe('the settings of the sandbox', () => {
  const settings = new PersonalSettings();
  afterEach(() => settings.takeBack());

  it('say which data it starts with and whether events keep happening; what they do not know counts as none', async () => {
    assert.deepEqual(sandboxOptions(), { seed: 1, liveEvents: true });
    await settings.set({ 'beacon.sandbox.seed': 7, 'beacon.sandbox.liveEvents': false });
    assert.deepEqual(sandboxOptions(), { seed: 7, liveEvents: false });
    await settings.set({ 'beacon.sandbox.seed': 'seven' });
    assert.deepEqual(sandboxOptions(), { liveEvents: false });
  });

  it('decide what it serves', async () => {
    const titles = async (seed: number): Promise<readonly unknown[]> => {
      await settings.set({ 'beacon.sandbox.seed': seed, 'beacon.sandbox.liveEvents': false });
      const sandbox = new EmbeddedSandbox(async () => sandboxOptions());
      try {
        const { instanceUrl, token } = await sandbox.start();
        const response = await fetch(`${instanceUrl}/api/v4/events?scope=all`, { headers: { 'PRIVATE-TOKEN': token } });
        return ((await response.json()) as { target_title: unknown }[]).map(({ target_title }) => target_title);
      } finally {
        await sandbox.dispose();
      }
    };
    const [first, again, other] = [await titles(3), await titles(3), await titles(4)];
    assert.ok(first.length > 0);
    assert.deepEqual(again, first);
    assert.notDeepEqual(other, first);
  });

  interface Setting {
    readonly keywords?: string[];
    readonly order?: number;
    readonly scope?: string;
  }
  const manifest = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.packageJSON as {
    readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown } };
    readonly contributes: { readonly configuration: { readonly properties: Record<string, Setting> }[] };
  };
  const { capabilities, contributes } = manifest;

  it('that decide about connections, tokens or notifications cannot be brought by a workspace', () => {
    const all = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const ofWorkspaces = all.filter(([, { scope }]) => scope !== 'machine' && scope !== 'application');
    assert.deepEqual(
      ofWorkspaces.map(([name]) => name).filter((name) => !name.startsWith('beacon.apiHints.')),
      [],
    );
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('are found by words that are not in their names', () => {
    const all = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    assert.ok(all.length >= 11);
    for (const [name, { keywords = [], order }] of all) {
      assert.ok(
        keywords.some((word) => !name.toLowerCase().includes(word.toLowerCase())),
        name,
      );
      assert.equal(typeof order, 'number', name);
    }
  });
});
