import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/common/commands.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const extension = vscode.extensions.getExtension<unknown>('beacon-gitlab.beacon-gitlab');

/** The bundled files that were loaded by now. */
const loadedFiles = (): string[] => {
  const dist = join(extension?.extensionPath ?? '', 'dist');
  return Object.keys(require.cache).flatMap((file) => (dirname(file) === dist ? basename(file) : []));
};

/** The files that were loaded before any test ran, with the views seen: tests of other files sign in, and open documents. */
let loadedSignedOut: readonly string[] = [];
before(async () => {
  await extension?.activate();
  for (const view of ['beacon.activity', 'beacon.errorTracking']) {
    await vscode.commands.executeCommand(`${view}.focus`);
  }
  loadedSignedOut = loadedFiles();
});

describe('the extension', () => {
  before(() => assert.ok(extension, 'the extension is there'));

  it('loads nothing but what registers it while nobody is signed in, also where the views are seen', async () => {
    assert.deepEqual(loadedSignedOut, ['extension.js']);
    await vscode.commands.executeCommand('beacon.showLog');
    assert.deepEqual(loadedFiles().toSorted(), ['app.js', 'extension.js']);
  });

  it('registers every command of its table and no other', async () => {
    const manifest = extension?.packageJSON as Manifest;
    const registered = (await vscode.commands.getCommands(true)).filter((command) => command.startsWith('beacon.'));
    // The editor adds commands of its own to each view.
    const views = Object.values(manifest.contributes.views).flat();
    const names = ['focus', 'open', 'removeView', 'resetViewLocation', 'toggleVisibility'];
    const ofViews = new Set(views.flatMap(({ id }) => names.map((name) => `${id}.${name}`)));
    const own = registered.filter((command) => !ofViews.has(command));
    assert.deepEqual(own.sort(), Object.values(commandIds).flat().sort());
  });
});
