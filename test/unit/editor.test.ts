import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEditor } from '../support/editor/editor.ts';
import type { Input } from '../support/editor/inputs.ts';
import { Storage } from '../support/editor/storage.ts';
import { Uri } from '../support/editor/types.ts';
import { describeTruth } from '../support/editorTruth.ts';
import { truthManifest } from '../support/truthExtension.ts';
import { Rows } from '../support/window/rows.ts';

describe('the stand-in of the editor is as the editor is', () => {
  const folder = Uri.file(mkdtempSync(join(tmpdir(), 'beacon-editor-')));
  let input: Input | undefined;
  const editor = openEditor({
    storage: new Storage(),
    user: { see: (shown) => (input = shown), read: async () => undefined },
    extensionUri: folder,
    storageUri: folder,
    folders: [folder],
    manifest: truthManifest,
    language: 'en',
    isTrusted: true,
  });
  // Who looks at a view sees its rows.
  const rows: Rows[] = [];
  const focus = editor.handlers.get('truth.tree.focus');
  editor.handlers.set('truth.tree.focus', () => {
    focus?.();
    const view = editor.views.get('truth.tree');
    rows.push(...(view ? [new Rows(view)] : []));
  });
  after(() => {
    rows.forEach((one) => one.dispose());
    rmSync(folder.fsPath, { recursive: true });
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
});
