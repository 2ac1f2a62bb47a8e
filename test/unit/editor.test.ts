import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { current, openEditor } from '../support/editor/editor.ts';
import type { Input, Message } from '../support/editor/inputs.ts';
import { Storage } from '../support/editor/storage.ts';
import { Uri } from '../support/editor/types.ts';
import { describeTruth } from '../support/editorTruth.ts';
import { truthManifest } from '../support/truthExtension.ts';
import { Rows } from '../support/window/rows.ts';

describe('the stand-in of the editor is as the editor is', () => {
  const folder = Uri.file(mkdtempSync(join(tmpdir(), 'beacon-editor-')));
  let input: Input | undefined;
  let looks = 0;
  const messages: Message[] = [];
  const answers: (string | undefined)[] = [];
  const see = (shown: Input): void => {
    input = shown;
    looks += 1;
  };
  const start = {
    storage: new Storage(),
    user: {
      see,
      read: async (message: Message) => {
        messages.push(message);
        return answers.shift();
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

  it('shows a user what a question is given, and looks again when that changes', () =>
    editor.run(async () => {
      const given = { title: 'Title', placeHolder: 'Placeholder', prompt: 'Prompt' };
      const picked = vscode.window.showQuickPick(['one'], given);
      await settled();
      const list = input;
      assert.deepEqual([list?.title, list?.placeholder, list?.items[0]?.label], ['Title', 'Placeholder', 'one']);
      list?.hide();
      assert.equal(await picked, undefined);
      const text = vscode.window.showInputBox({ ...given, password: true, validateInput: () => 'wrong' });
      await settled();
      assert.deepEqual([input?.title, input?.placeholder, input?.prompt], ['Title', 'Placeholder', 'Prompt']);
      assert.equal(Reflect.get(input ?? {}, 'password'), true);
      input?.accept();
      await settled();
      assert.deepEqual([input?.validationMessage, input?.isOpen, list?.isOpen], ['wrong', true, false]);
      input?.hide();
      await text;
      const before = looks;
      const pick = vscode.window.createQuickPick();
      pick.busy = true;
      pick.show();
      pick.busy = false;
      assert.equal(looks, before + 2);
      pick.dispose();
    }));

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

  it('shows messages, files to choose, previews, pages and addresses, and gives back what the user does', () =>
    editor.run(async () => {
      answers.push('Yes', undefined, '/chosen', '/saved');
      assert.equal(await vscode.window.showWarningMessage('Sure?', { modal: true, detail: 'Really' }, 'Yes'), 'Yes');
      assert.equal(await vscode.window.showInformationMessage('Done', 'Undo'), undefined);
      assert.equal((await vscode.window.showOpenDialog({ title: 'Open' }))?.[0]?.path, '/chosen');
      assert.equal((await vscode.window.showSaveDialog({ title: 'Save' }))?.path, '/saved');
      assert.equal(await vscode.window.showOpenDialog(), undefined);
      assert.deepEqual(messages.splice(0), [
        { kind: 'warning', text: 'Sure?', detail: 'Really', isModal: true, buttons: ['Yes'] },
        { kind: 'information', text: 'Done', detail: '', isModal: false, buttons: ['Undo'] },
        { kind: 'open', text: 'Open', detail: '', isModal: true, buttons: [] },
        { kind: 'save', text: 'Save', detail: '', isModal: true, buttons: [] },
        { kind: 'open', text: '', detail: '', isModal: true, buttons: [] },
      ]);
      const { uri } = await editor.documents.open({ content: 'a' });
      const edit = new vscode.WorkspaceEdit();
      const metadata = { needsConfirmation: true, label: 'Insert', description: 'here' };
      edit.insert(uri, new vscode.Position(0, 0), 'b', metadata);
      assert.equal(await vscode.workspace.applyEdit(edit), false);
      answers.push('Apply');
      assert.equal(await vscode.workspace.applyEdit(edit), true);
      const preview = { kind: 'preview', text: 'Insert · here', detail: '', isModal: true, buttons: ['Apply'] };
      assert.deepEqual(messages.splice(0), [preview, preview]);
      answers.push('Apply');
      const conflict = vscode.workspace.applyEdit(edit);
      editor.documents.all
        .filter((one) => one.uri === uri)
        .forEach((one) => editor.documents.replaceAll(one, 'c', true));
      assert.equal(await conflict, false);
      const view = vscode.window.createTreeView<object>('truth.tree', {
        treeDataProvider: { getChildren: () => [], getTreeItem: () => ({}) },
      });
      const seen: boolean[] = [];
      view.onDidChangeVisibility(({ visible }) => seen.push(visible));
      assert.equal(view.visible, false);
      await view.reveal({});
      editor.views.get('truth.tree')?.show(false);
      assert.deepEqual([seen, view.visible], [[true, false], false]);
      view.dispose();
      assert.equal(Reflect.set(vscode.window, 'truth', 1) && Reflect.get(vscode.window, 'truth'), 1);
      assert.equal(await vscode.env.clipboard.readText(), '');
      assert.equal(vscode.extensions.getExtension('beacon-gitlab.truth')?.extensionUri, folder);
      vscode.window.createWebviewPanel('page', 'Page', vscode.ViewColumn.One);
      const [panel] = editor.panels;
      assert.equal(await panel?.webview.postMessage({ a: 1 }), true);
      panel?.reveal();
      assert.deepEqual([panel?.posted, panel?.reveals, panel?.isDisposed], [[{ a: 1 }], 1, false]);
      panel?.show(false);
      assert.equal(await panel?.webview.postMessage({}), false);
      panel?.dispose();
      await vscode.commands.executeCommand('vscode.open', 'https://example.com/a');
      await vscode.env.openExternal(vscode.Uri.parse('https://example.com/b'));
      await vscode.commands.executeCommand('setContext', 'key', 1);
      assert.deepEqual(editor.opened, ['https://example.com/a', 'https://example.com/b']);
      assert.deepEqual([editor.contextKeys.get('key'), editor.calls.at(-1)], [1, ['setContext', 'key', 1]]);
      const item = vscode.window.createStatusBarItem();
      item.text = 'shown';
      item.show();
      assert.deepEqual(editor.statusBar.at(-1)?.isShown, true);
      item.dispose();
      assert.equal(editor.statusBar.length, 0);
      vscode.window.createOutputChannel('Log', { log: true }).warn('odd');
      assert.equal(editor.log.at(-1), 'warn: odd');
      await vscode.window.withProgress({ location: { viewId: 'view' } }, async (progress, token) => {
        progress.report({ message: 'half' });
        const [shown] = editor.progress;
        assert.deepEqual([shown?.title, shown?.messages], ['view', ['half']]);
        shown?.cancel();
        assert.equal(token.isCancellationRequested, true);
      });
      assert.equal(editor.progress.length, 0);
    }));

  it('has tabs, a status bar, a log and progress as extensions left them', () =>
    editor.run(async () => {
      const { tabGroups } = vscode.window;
      const opened = vscode.window.createWebviewPanel('tab', 'Tab', vscode.ViewColumn.One);
      const document = await vscode.workspace.openTextDocument({ content: 'a' });
      const { selection } = await vscode.window.showTextDocument(document);
      assert.deepEqual([selection.start.line, selection.end.character, opened.visible], [0, 0, false]);
      assert.equal(tabGroups.all[0]?.tabs.length, 2);
      await tabGroups.close(tabGroups.all.flatMap(({ tabs }) => tabs));
      assert.deepEqual([tabGroups.all[0]?.tabs.length, editor.panels.at(-1)?.isDisposed], [0, true]);
      vscode.window.createWebviewPanel('tab', 'Tab', vscode.ViewColumn.One).dispose();
      assert.equal(tabGroups.all[0]?.tabs.length, 0);
      const item = vscode.window.createStatusBarItem();
      assert.deepEqual([item.text, editor.statusBar[0]?.isShown], ['', false]);
      const message = vscode.window.setStatusBarMessage('said');
      assert.deepEqual(editor.statusBar[1], { text: 'said', isShown: true });
      [item, message].forEach((one) => void one.dispose());
      const log = vscode.window.createOutputChannel('Log', { log: true });
      log.error(new Error('broken'));
      assert.match(editor.log.at(-1) ?? '', /^error: Error: broken\n +at /);
      log.show();
      assert.deepEqual(editor.calls.at(-1), ['showLog']);
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: 'Title' }, async () => {
        assert.equal(editor.progress[0]?.title, 'Title');
      });
      const provider = { getChildren: () => [], getTreeItem: () => ({}) };
      const first = vscode.window.createTreeView<object>('truth.tree', { treeDataProvider: provider });
      editor.views.get('truth.tree')?.show(true);
      const second = vscode.window.registerTreeDataProvider<object>('truth.tree', { ...provider });
      await settled();
      // One that takes the place of another is as visible.
      assert.equal(editor.views.get('truth.tree')?.visible, true);
      assert.notEqual(editor.views.get('truth.tree')?.provider, provider);
      editor.views.get('truth.tree')?.show(false);
      const links = vscode.window.registerUriHandler({ handleUri: () => undefined });
      assert.deepEqual([editor.offered('links').length, editor.offered('links', 'other').length], [1, 0]);
      [first, second, links].forEach((one) => void one.dispose());
    }));

  it('has pages that are in front until another one covers them, and say once that they are closed', () =>
    editor.run(async () => {
      const open = (title: string) => vscode.window.createWebviewPanel('truth.page', title, vscode.ViewColumn.One);
      const first = open('First');
      assert.deepEqual([first.viewType, first.title, first.visible, first.active], ['truth.page', 'First', true, true]);
      assert.equal(first.webview.html, '');
      const { input: tab } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(tab instanceof vscode.TabInputWebview && tab.viewType.endsWith('truth.page'));
      const heard: unknown[] = [];
      first.onDidChangeViewState(({ webviewPanel }) => heard.push(webviewPanel === first && webviewPanel.visible));
      first.onDidDispose(() => heard.push('closed'));
      first.webview.onDidReceiveMessage((message) => heard.push(message));
      const second = open('Second');
      first.reveal();
      first.reveal();
      editor.panels.find(({ title }) => title === 'First')?.received.fire('message');
      first.dispose();
      first.dispose();
      assert.deepEqual(heard, [false, true, 'message', 'closed']);
      second.dispose();
    }));

  it('has what an extension offers, in its language, and nothing outside of a window', async () => {
    mkdirSync(join(folder.fsPath, 'l10n'));
    writeFileSync(join(folder.fsPath, 'l10n', 'bundle.l10n.de.json'), '{ "one": "eins" }');
    const german = openEditor({ ...start, language: 'de' });
    await german.run(async () => {
      assert.deepEqual([vscode.l10n.t('one'), vscode.l10n.t('two'), vscode.env.language], ['eins', 'two', 'de']);
      const session = { id: 's', accessToken: 't', scopes: [], account: { id: 'a', label: 'Ada' } };
      const asked: unknown[] = [];
      const getSessions = async (_scopes: unknown, options: object) => {
        asked.push(options);
        return [session];
      };
      const createSession = async () => session;
      const provider = { getSessions, createSession } as unknown as vscode.AuthenticationProvider;
      const offer = vscode.authentication.registerAuthenticationProvider('truth', 'Truth', provider);
      assert.deepEqual(await vscode.authentication.getAccounts('truth'), [session.account]);
      assert.equal(await vscode.authentication.getSession('truth', []), session);
      assert.equal(await vscode.authentication.getSession('truth', [], { account: session.account }), session);
      assert.deepEqual(asked, [{}, {}, { account: session.account }]);
      const account = { id: 'other', label: 'Other' };
      assert.equal(await vscode.authentication.getSession('truth', [], { account }), undefined);
      assert.equal(await vscode.authentication.getSession('truth', [], { account, createIfNone: true }), session);
      offer.dispose();
      assert.deepEqual(await vscode.authentication.getAccounts('truth'), []);
      const tool = vscode.lm.registerTool('tool', { invoke: () => undefined });
      assert.equal(german.offered('tools', 'tool').length, 1);
      tool.dispose();
      assert.deepEqual(german.offered('tools', 'tool'), []);
      assert.equal((await vscode.env.asExternalUri(folder)).path, folder.path);
    });
    const empty = openEditor({ ...start, folders: [] });
    assert.equal(
      empty.run(() => vscode.workspace.workspaceFolders),
      undefined,
    );
    empty.dispose();
    mkdirSync(join(folder.fsPath, 'deep'));
    writeFileSync(join(folder.fsPath, 'deep', 'deep.txt'), '');
    await german.run(async () => {
      assert.equal((await vscode.workspace.findFiles('**/deep.txt')).length, 1);
      symlinkSync(join(folder.fsPath, 'deep'), join(folder.fsPath, 'linked'));
      const types = new Map(await vscode.workspace.fs.readDirectory(folder));
      const { Directory, SymbolicLink } = vscode.FileType;
      assert.deepEqual([types.get('deep'), types.get('linked')], [Directory, Directory | SymbolicLink]);
    });
    assert.throws(() => current.exit(() => vscode.window.state), /vscode\.window\.state is used outside of any window/);
    german.dispose();
  });
});
