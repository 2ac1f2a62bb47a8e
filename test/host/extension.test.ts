import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration?: unknown;
  };
}

describe('the extension', () => {
  const extension = vscode.extensions.getExtension<unknown>('beacon-gitlab.beacon-gitlab');

  before(async () => {
    assert.ok(extension, 'the extension is there');
    await extension.activate();
  });

  it('loads the API client and the sandbox no sooner than they are needed', () => {
    const loaded = Object.keys(require.cache).filter(
      (file) => dirname(file) === join(extension?.extensionPath ?? '', 'dist'),
    );
    assert.deepEqual(loaded.map((file) => basename(file)).sort(), ['errors.js', 'extension.js']);
  });

  it('registers every command of its manifest and no other', async () => {
    const manifest = extension?.packageJSON as Manifest;
    const declared = manifest.contributes.commands.map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter((command) => command.startsWith('beacon.'));
    // The editor adds commands of its own to each view.
    const own = registered.filter(
      (command) => !/\.(focus|open|removeView|resetViewLocation|toggleVisibility)$/.test(command),
    );
    assert.deepEqual(own.sort(), declared.sort());
  });

  it('answers every command that needs an account when there is none, without an error', async () => {
    for (const command of ['beacon.activity.refresh', 'beacon.activity.loadMore', 'beacon.signOut']) {
      await vscode.commands.executeCommand(command);
    }
  });

  it('has no setting that holds a token', () => {
    const manifest = extension?.packageJSON as Manifest;
    assert.doesNotMatch(
      JSON.stringify(manifest.contributes.configuration ?? {}),
      /"beacon\.[^"]*(token|secret|password|passphrase)/i,
    );
  });
});
