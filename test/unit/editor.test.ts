import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openEditor } from '../support/editor/editor.ts';
import type { Input } from '../support/editor/inputs.ts';
import { Storage } from '../support/editor/storage.ts';
import { Uri } from '../support/editor/types.ts';
import { describeTruth } from '../host/editorTruth.ts';
import { truthManifest } from '../host/truthExtension.ts';

describe('the stand-in of the editor is as the editor is', () => {
  const folder = Uri.file(mkdtempSync(join(tmpdir(), 'beacon-editor-')));
  let input: Input | undefined;
  const start = {
    storage: new Storage(),
    user: {
      see: (shown: Input): void => void (input = shown),
      read: async () => undefined,
    },
    extensionUri: folder,
    storageUri: folder,
    folders: [folder],
    manifest: truthManifest,
    language: 'en',
    isTrusted: true,
  };
  const editor = openEditor(start);
  // Who opens a view sees its rows.
  const focus = editor.handlers.get('truth.tree.focus');
  editor.handlers.set('truth.tree.focus', async () => {
    focus?.();
    await editor.views.get('truth.tree')?.rows();
  });
  const settled = () => new Promise(setImmediate);

  describeTruth({
    context: async () => editor.context,
    within: (run) => editor.run(run),
    accept: async () => {
      await settled();
      input?.accept();
    },
    close: async () => {
      await settled();
      input?.hide();
    },
  });

  it('shares what is stored with other windows, each of which writes all that it knows', async () => {
    const storage = new Storage();
    const [one, other] = [storage, storage.ofOtherWorkspace()].map((kept) => openEditor({ ...start, storage: kept }));
    assert.ok(one && other);
    const states = [one, other].map(({ context }) => context.globalState);
    await one.run(async () => {
      await Promise.all([states[0]?.update('a', 1), states[0]?.update('b', 2)]);
      assert.deepEqual([states[1]?.get('a'), states[1]?.get('b')], [1, 2]);
      await Promise.all([states[0]?.update('mine', 1), states[1]?.update('theirs', 1)]);
      assert.deepEqual(
        [states[0]?.get('mine'), states[1]?.get('mine'), states[0]?.get('theirs')],
        [undefined, undefined, 1],
      );
      await one.context.workspaceState.update('c', 1);
      await vscode.workspace.getConfiguration('truth').update('count', 8, true);
      await vscode.workspace.getConfiguration('truth').update('part.on', false, false);
    });
    const seen = other.run(() => vscode.workspace.getConfiguration('truth'));
    assert.deepEqual(
      [other.context.workspaceState.get('c'), seen.get('count'), seen.get('part.on')],
      [undefined, 8, true],
    );
    other.dispose();
    await states[0]?.update('a', 3);
    assert.equal(states[1]?.get('a'), 1);
    one.secrets.failure = new Error('No keyring');
    await assert.rejects(Promise.resolve(one.context.secrets.get('a')), /No keyring/);
    one.dispose();
  });
});
