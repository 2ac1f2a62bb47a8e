import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { current, openEditor } from '../support/editor/editor.ts';
import type { Input, Message } from '../support/editor/inputs.ts';
import { Storage } from '../support/editor/storage.ts';
import { Uri } from '../support/editor/types.ts';
import { lineOf } from '../support/editor/view.ts';
import { replaced } from '../support/answeredInputs.ts';
import { type Act, describeTruth } from '../host/editorTruth.ts';
import { truthManifest } from '../host/truthExtension.ts';

describe('the stand-in of the editor is as the editor is', () => {
  const folder = Uri.file(mkdtempSync(join(tmpdir(), 'beacon-editor-')));
  let input: Input | undefined;
  let seen = 0;
  let read: Message | undefined;
  let answer: (chosen: string | undefined) => void = () => {};
  const start = {
    storage: new Storage(),
    user: {
      see: (shown: Input): void => {
        [input, seen] = [shown, seen + 1];
      },
      read: async (message: Message) => {
        read = message;
        return await new Promise<string | undefined>((resolve) => (answer = resolve));
      },
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
    act: async (act) => {
      await settled();
      const acts: Readonly<Record<Act, () => unknown>> = {
        accept: () => input?.accept(),
        close: () => input?.hide(),
        press: () => answer(read?.buttons[0]),
        clear: () => answer(undefined),
      };
      acts[act]();
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
    assert.equal(openEditor({ ...start, storage }).context.workspaceState.get('c'), 1);
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

  describe('and shows its user', () => {
    const storage = new Storage();
    const editor = openEditor({ ...start, storage });
    const shows = (what: string, run: () => Promise<void>): void => {
      it(what, () => editor.run(run));
    };
    after(() => editor.dispose());

    shows('messages, dialogs and previews, and does what they answer', async () => {
      const [none, modal] = [
        { detail: '', isModal: false, buttons: [] },
        { detail: '', isModal: true, buttons: [] },
      ];
      void vscode.window.showWarningMessage('Text', { modal: true, detail: 'More' }, 'Yes', 'No');
      assert.deepEqual(read, { kind: 'warning', text: 'Text', detail: 'More', isModal: true, buttons: ['Yes', 'No'] });
      void vscode.window.showWarningMessage('Text', { title: 'No' });
      assert.deepEqual(read, { ...none, kind: 'warning', text: 'Text', buttons: ['No'] });
      void vscode.window.showInformationMessage('Text');
      assert.deepEqual(read, { ...none, kind: 'information', text: 'Text' });
      for (const path of ['/a', undefined]) {
        const chosen = path && Uri.file(path);
        const opened = vscode.window.showOpenDialog({ title: 'Open' });
        assert.deepEqual(read, { ...modal, kind: 'open', text: 'Open' });
        answer(path);
        assert.deepEqual(await opened, chosen && [chosen]);
        const saved = vscode.window.showSaveDialog({ title: 'Save' });
        assert.deepEqual(read, { ...modal, kind: 'save', text: 'Save' });
        answer(path);
        assert.deepEqual(await saved, chosen);
      }
      const uri = Uri.joinPath(folder, 'preview.txt');
      writeFileSync(uri.fsPath, 'one');
      const document = await editor.documents.open(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), 'x', { needsConfirmation: true, label: 'Insert', description: 'x' });
      edit.insert(uri, new vscode.Position(0, 3), 'y', { needsConfirmation: true, label: 'Add' });
      edit.createFile(uri, { ignoreIfExists: true });
      for (const button of [undefined, 'Apply']) {
        const applied = vscode.workspace.applyEdit(edit);
        assert.deepEqual(read, { ...modal, kind: 'preview', text: 'Insert · x\nAdd', buttons: ['Apply'] });
        answer(button);
        assert.deepEqual([await applied, document.text], [button === 'Apply', button === 'Apply' ? 'xoney' : 'one']);
      }
      const conflicting = vscode.workspace.applyEdit(edit);
      editor.documents.replaceAll(document, 'two', false);
      answer('Apply');
      assert.equal(await conflicting, false);
    });

    shows('inputs, as often as something of them changes', async () => {
      const texts = { title: 'T', placeHolder: 'P', prompt: 'Q' };
      const text = vscode.window.showInputBox({ ...texts, validateInput: () => 'Wrong' });
      assert.ok(input);
      assert.deepEqual([input.kind, input.title, input.placeholder, input.prompt], ['text', 'T', 'P', 'Q']);
      input.accept();
      await settled();
      assert.deepEqual([input.isOpen, input.validationMessage], [true, 'Wrong']);
      input.hide();
      await text;
      const list = vscode.window.showQuickPick([{ label: 'a' }], texts);
      assert.deepEqual([input.kind, input.title, input.placeholder], ['pick', 'T', 'P']);
      input.accept();
      assert.deepEqual([(await list)?.label, input.isOpen], ['a', false]);
      const pick = vscode.window.createQuickPick();
      const before = seen;
      pick.busy = true;
      assert.equal(seen, before);
      pick.show();
      pick.busy = false;
      pick.placeholder = 'P';
      assert.equal(seen, before + 3);
      pick.dispose();
    });

    shows('rows with their texts and tooltips', async () => {
      const { Expanded } = vscode.TreeItemCollapsibleState;
      const items: Record<string, vscode.TreeItem> = {
        first: Object.assign(new vscode.TreeItem('one\u200B', Expanded), { description: 'two\u200B' }),
        below: new vscode.TreeItem('below'),
        other: { label: 'other', tooltip: 'own', description: true },
        empty: { collapsibleState: Expanded },
      };
      const below: Readonly<Record<string, string[]>> = { top: ['first', 'other', 'empty'], first: ['below'] };
      let asked = 0;
      const changed = new vscode.EventEmitter<string>();
      const view = vscode.window.createTreeView<string>('truth.rows', {
        treeDataProvider: {
          onDidChangeTreeData: changed.event,
          getChildren: (id = 'top') => {
            asked += 1;
            return below[id];
          },
          getTreeItem: (id) => items[id] as vscode.TreeItem,
          resolveTreeItem: async (item, id) =>
            Object.assign(item, { tooltip: id === 'first' ? new vscode.MarkdownString('resolved') : undefined }),
        },
      });
      const visibilities: boolean[] = [];
      view.onDidChangeVisibility(({ visible }) => visibilities.push(visible));
      const shown = editor.views.get('truth.rows');
      changed.fire('none');
      shown?.show(false);
      await settled();
      assert.equal(asked, 0);
      const lines = async () => (await editor.views.get('truth.rows')?.rows())?.map(lineOf);
      assert.deepEqual(await lines(), ['one two', '  below', 'other', '']);
      items['below'] = Object.assign(new vscode.TreeItem('changed'), { description: '' });
      changed.fire('none');
      assert.deepEqual(await lines(), ['one two', '  below', 'other', '']);
      changed.fire('below');
      assert.deepEqual(await lines(), ['one two', '  changed', 'other', '']);
      const tooltips = (await shown?.rows())?.map(async (row) => await shown?.tooltip(row)) ?? [];
      assert.deepEqual(await Promise.all(tooltips), ['resolved', '', 'own', '']);
      await view.reveal('first');
      assert.deepEqual([view.visible, visibilities], [true, [true]]);
      const before = asked;
      view.dispose();
      changed.fire('first');
      await settled();
      assert.equal(asked, before);
      const treeDataProvider = { getChildren: () => ['a'], getTreeItem: (id: string) => new vscode.TreeItem(id) };
      vscode.window.registerTreeDataProvider('truth.rows', treeDataProvider);
      await settled();
      assert.deepEqual([editor.views.get('truth.rows')?.visible, await lines()], [true, ['a']], 'as the view before');
    });

    shows('what is set, opened, copied, logged and under way', async () => {
      await vscode.commands.executeCommand('setContext', 'key', 1);
      await vscode.commands.executeCommand('vscode.diff', 1, 2);
      assert.deepEqual([editor.contextKeys.get('key'), editor.calls.at(-1)], [1, ['vscode.diff', 1, 2]]);
      await vscode.commands.executeCommand('vscode.open', 'https://a.example/?b=c');
      assert.equal(await vscode.env.openExternal(Uri.parse('https://d.example/')), true);
      await vscode.env.clipboard.writeText('text');
      assert.deepEqual([editor.opened, editor.clipboard], [['https://a.example/?b=c', 'https://d.example/'], 'text']);
      assert.equal(String(await vscode.env.asExternalUri(Uri.file('/a'))), 'file:///a');
      const item = vscode.window.createStatusBarItem();
      const texts = () => editor.statusBar.flatMap(({ text, isShown }) => (isShown ? text : []));
      item.text = 'a';
      assert.deepEqual(texts(), []);
      item.show();
      const message = vscode.window.setStatusBarMessage('b');
      assert.deepEqual(texts(), ['a', 'b']);
      item.hide();
      assert.deepEqual(texts(), ['b']);
      vscode.Disposable.from(item, message).dispose();
      assert.deepEqual(editor.statusBar, []);
      const log = vscode.window.createOutputChannel('Log', { log: true });
      log.warn('text');
      log.show();
      log.dispose();
      assert.deepEqual(editor.log, ['warn: text']);
      for (const [location, name] of [
        [{ viewId: 'view' }, 'view'],
        [vscode.ProgressLocation.Window, 'Title'],
      ] as const) {
        const task = vscode.window.withProgress({ location, title: 'Title' }, async (progress, token) => {
          progress.report({ message: 'half' });
          progress.report({ increment: 1 });
          const [shown] = editor.progress;
          assert.deepEqual([shown?.title, shown?.messages], [name, ['half']]);
          shown?.cancel();
          return token.isCancellationRequested;
        });
        assert.deepEqual([await task, editor.progress], [true, []]);
      }
      editor.isFocused = false;
      assert.deepEqual(vscode.window.state, { focused: false, active: false });
    });

    shows('what the extension offers, what is wrong, and the sessions of others', async () => {
      const provider = {} as never;
      const all = [
        vscode.languages.registerHoverProvider('python', provider),
        vscode.languages.registerCodeActionsProvider('python', provider),
        vscode.window.registerUriHandler(provider),
        vscode.window.registerWebviewPanelSerializer('page', provider),
        vscode.window.registerFileDecorationProvider(provider),
        vscode.authentication.registerAuthenticationProvider('sessions', 'Sessions', provider),
        vscode.lm.registerTool('tool', provider),
      ];
      for (const kind of ['hovers', 'actions', 'links', 'pages', 'tools']) {
        assert.deepEqual(editor.offered(kind), [provider]);
      }
      assert.deepEqual([editor.offered('tools', 'tool').length, editor.offered('tools', 'other')], [1, []]);
      vscode.Disposable.from(...all).dispose();
      assert.deepEqual(editor.offers, []);
      const [ada, eve, none] = ['ada', 'eve', 'none'].map((id) => ({ id, label: id }));
      assert.ok(ada && eve && none);
      editor.sessions.push(...[ada, eve].map((account) => ({ id: '', account, scopes: [], accessToken: '' })));
      assert.deepEqual(await vscode.authentication.getAccounts('sessions'), [ada, eve]);
      const asked = [{}, { account: eve }, { account: none }].map((options) =>
        vscode.authentication.getSession('sessions', [], options),
      );
      assert.deepEqual(
        (await Promise.all(asked)).map((one) => one?.account),
        [ada, eve, undefined],
      );
      const problems = vscode.languages.createDiagnosticCollection();
      problems.set(Uri.file('/a'), []);
      const found: string[] = [];
      problems.forEach((uri) => found.push(String(uri)));
      assert.deepEqual(found, ['file:///a']);
    });

    shows('pages with what is posted to them, and takes what they send', async () => {
      const page = vscode.window.createWebviewPanel('page', 'Page', 1);
      const [message, received] = [{ a: [1] }, [] as unknown[]];
      page.webview.onDidReceiveMessage((one) => received.push(one));
      assert.equal(await page.webview.postMessage(message), true);
      message.a.push(2);
      editor.panels[0]?.received.fire('hello');
      assert.deepEqual([editor.panels[0]?.posted, received], [[{ a: [1] }], ['hello']]);
      page.onDidChangeViewState(() => assert.fail('nothing has changed'));
      page.reveal();
    });

    it('another language, no folder or a virtual one, nothing that is built; outside of windows there is no editor', async () => {
      const extensionUri = Uri.joinPath(folder, 'extension');
      mkdirSync(Uri.joinPath(extensionUri, 'l10n').fsPath, { recursive: true });
      writeFileSync(Uri.joinPath(extensionUri, 'l10n', 'bundle.l10n.de.json').fsPath, '{"Yes":"Ja"}');
      const german = openEditor({ ...start, extensionUri, language: 'de', folders: [] });
      await german.run(async () => {
        assert.deepEqual([vscode.l10n.t('Yes'), vscode.l10n.t('No')], ['Ja', 'No']);
        assert.equal(vscode.workspace.workspaceFolders, undefined);
        const built = await vscode.workspace.fs.readFile(Uri.joinPath(extensionUri, 'dist', 'page.js'));
        assert.equal(built.length, 0);
        const stand = replaced({ showQuickPick: async () => undefined });
        assert.equal(await vscode.window.showQuickPick(['a']), undefined);
        stand.dispose();
      });
      const virtual = openEditor({ ...start, folders: [folder.with({ scheme: 'vscode-vfs' })] });
      assert.deepEqual(await virtual.run(() => vscode.workspace.findFiles('**/*')), []);
      // Tests of other files leave the window that they were in.
      current.exit(() => {
        assert.throws(() => vscode.window.state, /outside of any window/);
        assert.equal(vscode.l10n.t('Yes'), 'Yes');
      });
      if (process.platform !== 'win32') {
        const device = await virtual.run(() => vscode.workspace.fs.stat(Uri.file('/dev/null')));
        assert.equal(device.type, vscode.FileType.Unknown);
      }
    });
  });
});
