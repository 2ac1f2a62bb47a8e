import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

/** What a user does: accepts or closes the input that is open, presses the first button of the newest message, closes all messages. */
export type Act = 'accept' | 'close' | 'press' | 'clear';

/** Where the assertions are made: in the real editor, or over its stand-in. */
export interface Place {
  /** The context of an extension with `truthManifest`. */
  context(): Promise<vscode.ExtensionContext>;
  /** Runs a test where `vscode` can be used. */
  within(run: () => Promise<void>): Promise<void>;
  act(act: Act): Promise<unknown>;
}

/** Milliseconds after which what is waited for counts as what never comes. */
const patience = 30_000;

/** Waits until something holds. */
async function until(condition: () => unknown): Promise<void> {
  const end = performance.now() + patience;
  while (!condition()) {
    assert.ok(performance.now() < end, `Waited in vain for ${String(condition)}`);
    await new Promise(setImmediate);
  }
}

/** Lets what is under way arrive: what the editor answers to a request has come after all that it was told before. */
async function arrived(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'truth', true);
  await new Promise(setImmediate);
}

/** What is written is on its way: it has not arrived in the same turn. */
async function takesTime(writing: Thenable<void>): Promise<void> {
  let isDone = false;
  const done = Promise.resolve(writing).then(() => (isDone = true));
  await new Promise((resolve) => process.nextTick(resolve));
  assert.equal(isDone, false);
  await done;
}

async function fails(outcome: Thenable<unknown>, error: RegExp | ((error: unknown) => boolean) = /./): Promise<void> {
  await assert.rejects(Promise.resolve(outcome), error);
}

interface Node {
  readonly id: string;
  readonly above?: Node;
  readonly below: Node[];
}

/** Two rows at the top, the first of which is open, with closed ones below it. */
function someRows(): Node[] {
  const first: Node = { id: 'first', below: [{ id: 'shut', below: [{ id: 'other', below: [] }] }] };
  const closed: Node = { id: 'closed', above: first, below: [] };
  closed.below.push({ id: 'deep', above: closed, below: [] });
  first.below.push(closed);
  return [first, { id: 'second', below: [] }];
}

/** A tree that notes of which nodes it is asked for those below. The labels are others each time. */
class Tree implements vscode.TreeDataProvider<Node> {
  readonly changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly asked: string[] = [];
  readonly resolved: string[] = [];
  readonly getParent = ({ above }: Node) => above;
  top = someRows();

  get closed(): Node {
    return this.top[0]?.below[1] as Node;
  }

  get deep(): Node {
    return this.closed.below[0] as Node;
  }

  getChildren(node?: Node): Node[] {
    this.asked.push(node?.id ?? 'top');
    return node?.below ?? this.top;
  }

  getTreeItem({ id, below }: Node): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = below.length === 0 ? None : id === 'first' ? Expanded : Collapsed;
    return Object.assign(new vscode.TreeItem(`${id} ${this.asked.length}`, state), { id });
  }

  resolveTreeItem(item: vscode.TreeItem, { id }: Node): vscode.TreeItem {
    this.resolved.push(id);
    return item;
  }
}

/** Describes what the stand-in and the editor have in common. */
export function describeTruth(place: Place): void {
  const { commands, window, workspace } = vscode;
  const all: vscode.Disposable[] = [];
  let folder: string;
  const truth = (title: string, run: () => Promise<void>): void => {
    it(title, () => place.within(run));
  };
  /** Collects what an event says, as long as a test runs. */
  const heard = <T>(event: vscode.Event<T>): T[] => {
    const events: T[] = [];
    all.push(event((one) => events.push(one)));
    return events;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'beacon-truth-'));
  });
  afterEach(() => place.within(async () => void vscode.Disposable.from(...all.splice(0)).dispose()));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content?: string | Uint8Array): vscode.Uri => {
    const path = join(folder, name);
    if (content !== undefined) {
      writeFileSync(path, content);
    }
    return vscode.Uri.file(path);
  };
  const onDisk = (uri: vscode.Uri): string => readFileSync(uri.fsPath, 'utf8');
  const opened = async (name: string, text: string) => await workspace.openTextDocument(file(name, text));
  const range = (...ends: [number, number, number, number]): vscode.Range => new vscode.Range(...ends);

  describe('events', () => {
    truth('reach listeners in order, those alone that were there before, until they are disposed of', async () => {
      const emitter = new vscode.EventEmitter<number>();
      const calls: string[] = [];
      const first = emitter.event((value) => {
        calls.push(`first ${value}`);
        emitter.event((late) => calls.push(`late ${late}`));
      });
      emitter.event((value) => calls.push(`second ${value}`));
      emitter.fire(1);
      assert.deepEqual(calls, ['first 1', 'second 1']);
      first.dispose();
      emitter.fire(2);
      emitter.dispose();
      emitter.fire(3);
      assert.deepEqual(calls.slice(2), ['second 2', 'late 2']);
    });
    truth('of cancellation come once, and none from what is disposed of', async () => {
      const [source, disposed] = [new vscode.CancellationTokenSource(), new vscode.CancellationTokenSource()];
      const told = [source, disposed].map(({ token }) => heard<unknown>(token.onCancellationRequested));
      assert.equal(source.token.isCancellationRequested, false);
      disposed.dispose();
      [source, source, disposed].forEach((one) => one.cancel());
      assert.deepEqual([source.token.isCancellationRequested, ...told.map(({ length }) => length)], [true, 1, 0]);
      assert.equal(new vscode.CancellationError().name, 'Canceled');
    });
  });

  describe('commands', () => {
    truth('get arguments as they are, give back what they return or throw, and are registered once', async () => {
      const given = new Map();
      const echo = commands.registerCommand('truth.echo', (...args: unknown[]) => args);
      all.push(commands.registerCommand('truth.fail', () => Promise.reject(new RangeError('no'))));
      const [map, two] = await commands.executeCommand<[unknown, unknown]>('truth.echo', given, 2);
      assert.ok(map === given && two === 2);
      await fails(commands.executeCommand('truth.fail'), /no/);
      assert.throws(() => commands.registerCommand('truth.echo', () => undefined), /already exists/);
      echo.dispose();
      await fails(commands.executeCommand('truth.echo'), /not found/);
    });
  });

  describe('messages', () => {
    truth('give back the button itself that was pressed, or nothing when they are closed', async () => {
      const items = [{ title: 'Yes' }, { title: 'No' }];
      const [text, item] = [
        () => window.showInformationMessage('One', 'Yes', 'No'),
        () => window.showWarningMessage('Two', {}, ...items),
      ];
      for (const [show, pressed] of [[text, 'Yes'] as const, [item, items[0]] as const]) {
        const shown = show();
        await place.act('press');
        assert.equal(await shown, pressed);
      }
      const closed = text();
      await place.act('clear');
      assert.equal(await closed, undefined);
    });
  });

  describe('pages', () => {
    const open = (title: string): vscode.WebviewPanel => {
      const panel = window.createWebviewPanel('truth.page', title, vscode.ViewColumn.Active);
      all.push(panel);
      return panel;
    };
    const tabs = (): readonly vscode.Tab[] =>
      window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('-truth.page'));
    truth('are in tabs, of which one is seen', async () => {
      const first = open('First');
      const states = heard(first.onDidChangeViewState);
      const { viewType, title, visible, webview } = first;
      assert.deepEqual([viewType, title, visible, webview.html], ['truth.page', 'First', true, '']);
      await until(() => tabs().length === 1);
      await arrived();
      const second = open('Second');
      await until(() => !first.visible && tabs().length === 2);
      assert.equal(states.at(-1)?.webviewPanel, first);
      first.reveal();
      await until(() => first.visible && !second.visible);
      await window.showTextDocument(file('page.txt', ''));
      await until(() => !first.visible);
      await commands.executeCommand('workbench.action.closeActiveEditor');
    });
    truth('end once, with their tabs', async () => {
      const [first, second] = [open('First'), open('Second')];
      const [ends, others] = [heard(first.onDidDispose), heard(second.onDidDispose)];
      open('Third');
      await until(() => tabs().length === 3);
      first.dispose();
      first.dispose();
      await until(() => tabs().length === 2);
      await window.tabGroups.close(tabs().slice(0, 1));
      await until(() => others.length === 1);
      assert.deepEqual([ends.length, tabs().length], [1, 1]);
    });
  });

  describe('what is kept', () => {
    truth('in a memento is what was written, null too, and the default where nothing was', async () => {
      const { globalState: state, workspaceState } = await place.context();
      assert.deepEqual([state.get('a'), state.get('a', 5)], [undefined, 5]);
      await state.update('a', null);
      assert.equal(state.get('a', 5), null);
      const writing = state.update('a', { deep: [1] });
      assert.deepEqual(state.get('a'), { deep: [1] });
      await takesTime(writing);
      assert.deepEqual([state.get('a'), workspaceState.get('a')], [{ deep: [1] }, undefined]);
      await state.update('b', 2);
      const removing = state.update('a', undefined);
      const keys = state.keys().filter((key) => /^[ab]$/.test(key));
      assert.deepEqual(keys, ['b']);
      await removing;
    });
    truth('as a secret is changed and deleted, and each of that is told', async () => {
      const { secrets } = await place.context();
      const changes = heard(secrets.onDidChange);
      assert.equal(await secrets.get('a'), undefined);
      await takesTime(secrets.store('a', 'one'));
      await secrets.store('a', 'two');
      assert.deepEqual([await secrets.get('a'), await secrets.keys()], ['two', ['a']]);
      await secrets.delete('a');
      assert.equal(await secrets.get('a'), undefined);
      await until(() => changes.length === 3);
      assert.ok(changes.every(({ key }) => key === 'a'));
    });
  });

  describe('settings', () => {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const settings = () => workspace.getConfiguration('truth');
    afterEach(() =>
      place.within(async () => {
        await settings().update('count', undefined, Global);
        await settings().update('count', undefined, Workspace);
      }),
    );
    truth('have the defaults of the manifest and of the editor, as copies', async () => {
      const whole = workspace.getConfiguration();
      assert.deepEqual([settings().get('count'), whole.get('truth.count')], [7, 7]);
      assert.deepEqual([settings().get('none'), settings().get('none', 3)], [undefined, 3]);
      assert.equal(whole.get<Record<string, unknown>>('files.exclude')?.['**/.git'], true);
      assert.deepEqual([typeof whole.get('search.exclude'), whole.get('http.proxyStrictSSL')], ['object', true]);
      settings().get<string[]>('part.names')?.push('two');
      assert.deepEqual(settings().get('part.names'), ['one']);
    });
    truth('change for all who ask anew, and say what is affected', async () => {
      const changes = heard(workspace.onDidChangeConfiguration);
      const before = settings();
      await takesTime(before.update('count', 8, Global));
      await until(() => changes.length > 0);
      assert.deepEqual([before.get('count'), settings().get('count')], [7, 8]);
      const affects = (name: string): boolean => changes.some((change) => change.affectsConfiguration(name));
      assert.deepEqual(['truth', 'truth.count', 'truth.part', 'trut'].map(affects), [true, true, false, false]);
    });
    truth('of the workspace come before those of the user, also null; a manifest has them', async () => {
      await settings().update('count', 8, true);
      await settings().update('count', null, Workspace);
      const { defaultValue, globalValue } = settings().inspect('count') ?? {};
      assert.deepEqual([settings().get('count', 3), defaultValue, globalValue], [null, 7, 8]);
      await settings().update('count', undefined, false);
      assert.equal(settings().get('count'), 8);
      await fails(settings().update('none', 1, true), /not a registered configuration/);
    });
  });

  describe('questions', () => {
    const items: vscode.QuickPickItem[] = [
      { label: 'head', kind: vscode.QuickPickItemKind.Separator },
      { label: 'one' },
      { label: 'two', picked: true },
    ];
    const answered = async <T>(question: Thenable<T>, act: Act): Promise<T> => {
      await place.act(act);
      return await question;
    };
    const { Info, Error: wrong } = vscode.InputBoxValidationSeverity;
    const note = (severity: vscode.InputBoxValidationSeverity) => () => ({ message: 'noted', severity });
    truth('give back the line itself, or all that are picked; a text unless it is wrong', async () => {
      assert.equal(await answered(window.showQuickPick(items), 'accept'), items[1]);
      assert.equal(await answered(window.showQuickPick(items), 'close'), undefined);
      assert.deepEqual(await answered(window.showQuickPick(items, { canPickMany: true }), 'accept'), [items[2]]);
      for (const validateInput of [() => null, () => undefined, note(Info)]) {
        assert.equal(await answered(window.showInputBox({ value: 'abc', validateInput }), 'accept'), 'abc');
      }
      assert.equal(await answered(window.showInputBox(), 'accept'), '');
      assert.equal(await answered(window.showInputBox({ value: 'a' }), 'close'), undefined);
      for (const problem of [async () => 'wrong', note(wrong)]) {
        let [checked, isAnswered] = [0, false];
        const validateInput = (): ReturnType<typeof problem> => {
          checked += 1;
          return problem();
        };
        const question = window.showInputBox({ value: 'abc', validateInput });
        void question.then(() => (isAnswered = true));
        await place.act('accept');
        await until(() => checked > 0);
        await arrived();
        assert.equal(isAnswered, false);
        assert.equal(await answered(question, 'close'), undefined);
      }
    });
    truth('say what is active and accepted, and stay until they are hidden, also by another one', async () => {
      const [pick, input] = [window.createQuickPick(), window.createInputBox()];
      all.push(pick, input);
      const { value, activeItems, selectedItems, buttons, busy, enabled, canSelectMany } = pick;
      assert.deepEqual([value, pick.items, activeItems, selectedItems, buttons], ['', [], [], [], []]);
      assert.deepEqual([busy, enabled, canSelectMany, input.value], [false, true, false, '']);
      const { onDidChangeValue, onDidTriggerButton, onDidTriggerItemButton } = pick;
      const none = [heard(onDidChangeValue), heard(onDidTriggerButton), heard(onDidTriggerItemButton)];
      const [accepted, hidden, active] = [
        heard(pick.onDidAccept),
        heard(pick.onDidHide),
        heard(pick.onDidChangeActive),
      ];
      pick.items = items;
      pick.show();
      await until(() => active.length > 0);
      assert.equal(pick.activeItems[0]?.label, 'one');
      const before = active.length;
      pick.busy = true;
      pick.busy = false;
      await place.act('accept');
      await until(() => accepted.length > 0);
      assert.deepEqual([none, hidden.length, active.length], [[[], [], []], 0, before]);
      pick.hide();
      pick.hide();
      await until(() => hidden.length > 0);
      await arrived();
      assert.equal(hidden.length, 1);
      pick.show();
      await arrived();
      const text = window.showInputBox();
      await until(() => hidden.length === 2);
      await answered(text, 'close');
      pick.show();
      pick.dispose();
      await until(() => hidden.length > 2);
    });
  });

  describe('trees', () => {
    const show = async () => {
      const tree = new Tree();
      const view = window.createTreeView('truth.tree', { treeDataProvider: tree });
      const visibilities = heard(view.onDidChangeVisibility);
      all.push(view);
      await commands.executeCommand('truth.tree.focus');
      await until(() => view.visible && tree.asked.includes('first'));
      // The window has the rows.
      await arrived();
      return { tree, view, visibilities };
    };
    truth('are read when they are seen, as far as they are open, and again from where they changed', async () => {
      const { tree, view, visibilities } = await show();
      assert.deepEqual([tree.asked, tree.resolved, view.selection], [['top', 'first'], [], []]);
      assert.deepEqual([view.visible, visibilities.at(-1)?.visible], [true, true]);
      tree.asked.length = 0;
      tree.changed.fire(tree.top.slice(0, 1));
      await until(() => tree.asked.length > 0);
      await arrived();
      tree.changed.fire(undefined);
      await until(() => tree.asked.length > 2);
      assert.deepEqual(tree.asked, ['first', 'top', 'first']);
    });
    truth('go to a row below others, select it, and stay open by their ids', async () => {
      const { tree, view } = await show();
      const selections = heard(view.onDidChangeSelection);
      const { deep } = tree;
      await view.reveal(deep, { select: true });
      await until(() => selections.length > 0);
      assert.ok(view.selection[0] === deep && selections.at(-1)?.selection[0] === deep);
      assert.ok(tree.asked.includes('closed') && !tree.asked.includes('shut'));
      assert.equal(tree.asked.filter((id) => id === 'first').length, 1);
      await fails(view.reveal({ id: 'none', below: [] }));
      tree.top = someRows();
      tree.asked.length = 0;
      tree.changed.fire(undefined);
      await until(() => tree.asked.includes('closed'));
      tree.closed.below.pop();
      tree.asked.length = 0;
      tree.changed.fire(undefined);
      await until(() => tree.asked.includes('first'));
      await arrived();
      assert.deepEqual(tree.asked, ['top', 'first']);
    });
  });

  describe('documents', () => {
    const change = (act: (edit: vscode.WorkspaceEdit) => void): Thenable<boolean> => {
      const edit = new vscode.WorkspaceEdit();
      act(edit);
      return workspace.applyEdit(edit);
    };
    const start = new vscode.Position(0, 0);
    truth('are one for each file, in its language, and none for one that is not there', async () => {
      const openings = heard(workspace.onDidOpenTextDocument);
      const document = await opened('once.py', 'a = 1\n');
      const { uri, languageId, isDirty, isUntitled, encoding } = document;
      for (const address of [uri, uri.fsPath]) {
        assert.equal(await workspace.openTextDocument(address as string), document);
      }
      assert.ok(workspace.textDocuments.includes(document));
      assert.equal(openings.filter((one) => one === document).length, 1);
      assert.deepEqual([languageId, isDirty, isUntitled, encoding], ['python', false, false, 'utf8']);
      await fails(workspace.openTextDocument(file('none.py')));
      for (const [ending, language] of Object.entries({
        ...{ ts: 'typescript', js: 'javascript', rb: 'ruby', go: 'go', sh: 'shellscript', json: 'json', yml: 'yaml' },
        ...{ java: 'java', php: 'php', cs: 'csharp', txt: 'plaintext' },
      })) {
        assert.equal((await opened(`language.${ending}`, '')).languageId, language);
      }
    });
    truth('are read and written by their encoding', async () => {
      const bytes = Uint8Array.of(0xe9);
      const encoded = { encoding: 'iso88591' };
      assert.equal((await workspace.openTextDocument(file('first.txt', 'é'), encoded)).getText(), 'Ã©');
      const document = await workspace.openTextDocument(file('latin.txt', bytes));
      const { uri } = document;
      assert.deepEqual([document.encoding, document.getText()], ['utf8', '\uFFFD']);
      assert.equal(await workspace.openTextDocument(uri, encoded), document);
      await until(() => document.getText() === 'é');
      assert.deepEqual([document.encoding, document.isDirty], ['iso88591', false]);
      await change((edit) => edit.insert(uri, new vscode.Position(0, 1), '!'));
      await document.save();
      assert.deepEqual([...readFileSync(uri.fsPath)], [0xe9, 0x21]);
      const texts = [workspace.decode(bytes, encoded), workspace.decode(Buffer.from('é'), { encoding: 'utf8' })];
      assert.deepEqual(await Promise.all(texts), ['é', 'é']);
    });
    truth('know their places', async () => {
      const document = await opened('places.txt', 'one\r\ntwo\r\n');
      const offsets = [new vscode.Position(1, 1), new vscode.Position(0, 99)].map((one) => document.offsetAt(one));
      assert.deepEqual([document.lineCount, ...offsets], [3, 6, 3]);
      const places = [document.positionAt(7), document.positionAt(99)];
      assert.deepEqual(places, [new vscode.Position(1, 2), new vscode.Position(2, 0)]);
      assert.deepEqual([document.lineAt(1).text, document.getText(range(0, 1, 1, 1))], ['two', 'ne\r\nt']);
      const line = document.lineAt(new vscode.Position(1, 2));
      assert.deepEqual([line.lineNumber, line.range.isEqual(range(1, 0, 1, 3))], [1, true]);
    });
    truth('change by edits, whose places are those before, and are saved', async () => {
      const document = await opened('edits.txt', 'one two three');
      const { uri, version } = document;
      const changes = heard(workspace.onDidChangeTextDocument);
      const saves = heard(workspace.onDidSaveTextDocument);
      const isDone = await change((edit) => {
        edit.replace(uri, range(0, 0, 0, 3), '1');
        edit.set(uri, [vscode.TextEdit.replace(range(0, 8, 0, 13), '3')]);
        edit.insert(uri, new vscode.Position(0, 4), 'a');
        edit.insert(uri, new vscode.Position(0, 4), 'é');
      });
      assert.deepEqual([isDone, document.getText()], [true, '1 aétwo 3']);
      assert.ok(document.isDirty && document.version > version);
      const own = changes.filter((one) => one.document === document && one.contentChanges.length > 0);
      assert.deepEqual([own.length, onDisk(uri)], [1, 'one two three']);
      assert.deepEqual([await document.save(), onDisk(uri), document.isDirty], [true, '1 aétwo 3', false]);
      await until(() => saves.length > 0);
    });
    truth('are created by edits, unless they are there', async () => {
      const uri = file('created.txt');
      assert.equal(await change((edit) => edit.createFile(uri, { contents: Buffer.from('a') })), true);
      assert.equal(await change((edit) => edit.createFile(uri, {})), false);
      const isDone = await change((edit) => {
        edit.createFile(uri, { ignoreIfExists: true });
        edit.createFile(file('empty.txt'));
        edit.insert(uri, start, 'b');
      });
      const document = await workspace.openTextDocument(uri);
      assert.deepEqual([isDone, document.getText(), onDisk(uri), onDisk(file('empty.txt'))], [true, 'ba', 'a', '']);
      await document.save();
    });
    truth('without a file are untitled', async () => {
      const document = await workspace.openTextDocument({ language: 'python', content: 'a = 1' });
      const { isUntitled, languageId, uri } = document;
      assert.deepEqual([isUntitled, languageId, uri.scheme, document.getText()], [true, 'python', 'untitled', 'a = 1']);
      assert.match(uri.path, /^Untitled-\d+$/);
      assert.equal(await workspace.openTextDocument(uri), document);
      const empty = await workspace.openTextDocument();
      assert.deepEqual([empty.getText(), empty.uri.path === uri.path], ['', false]);
    });
    truth('of other addresses are provided', async () => {
      const provideTextDocumentContent = (_: vscode.Uri, { isCancellationRequested }: vscode.CancellationToken) =>
        `${isCancellationRequested}`;
      const provider = workspace.registerTextDocumentContentProvider('truth', { provideTextDocumentContent });
      const uri = vscode.Uri.parse('truth:/a.md');
      const [document, same] = await Promise.all([uri, uri].map((one) => workspace.openTextDocument(one)));
      assert.ok(document && document === same);
      assert.deepEqual([document.getText(), document.languageId, document.encoding], ['false', 'markdown', 'utf8']);
      provider.dispose();
      await fails(workspace.openTextDocument(vscode.Uri.parse('truth:/b.md')));
    });
    truth('in front are in the active editor', async () => {
      const uri = file('front.txt', 'one');
      const actives = heard(window.onDidChangeActiveTextEditor);
      const selection = range(0, 1, 0, 2);
      await window.showTextDocument(uri, { selection });
      const editor = window.activeTextEditor;
      assert.ok(editor?.document.uri.fsPath === uri.fsPath && editor.selections[0]?.isEqual(selection));
      await until(() => actives.length > 0);
      const other = await opened('behind.txt', 'one');
      const shown = await window.showTextDocument(other);
      assert.deepEqual([shown.document, shown.selection.isEmpty], [other, true]);
      await commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  describe('files', () => {
    truth('are found by globs below a folder', async () => {
      mkdirSync(join(folder, 'found.d'));
      ['found.rb', '.found.env', 'other.py', 'found.d/found.go'].forEach((name) => file(name, ''));
      const find = async (include: string, exclude?: string): Promise<string[]> => {
        const found = await workspace.findFiles(new vscode.RelativePattern(file(''), include), exclude);
        return found.map(({ path }) => basename(path)).sort();
      };
      assert.deepEqual(await find('**/found.*'), ['found.go', 'found.rb']);
      assert.deepEqual(await find('**/*found*', 'found.d/**'), ['.found.env', 'found.rb']);
      assert.deepEqual(await find('**/{found,other}.*', '**/*.{py,go}'), ['found.rb']);
    });
    truth('of the workspace have a folder, and paths in it', async () => {
      const [first] = workspace.workspaceFolders ?? [];
      assert.ok(first);
      const uri = vscode.Uri.joinPath(first.uri, 'in-workspace.py');
      const elsewhere = vscode.Uri.file('/elsewhere');
      assert.deepEqual([first.index, first.name, workspace.isTrusted], [0, basename(first.uri.path), true]);
      const folders = [uri, elsewhere].map((one) => workspace.getWorkspaceFolder(one)?.uri.toString());
      assert.deepEqual(folders, [first.uri.toString(), undefined]);
      const paths = [vscode.Uri.joinPath(uri, 'a', 'b.py'), elsewhere].map((one) => workspace.asRelativePath(one));
      assert.deepEqual(paths, ['in-workspace.py/a/b.py', elsewhere.fsPath]);
      for (const one of [uri, vscode.Uri.joinPath(first.uri, 'in-workspace.rb')]) {
        await workspace.fs.writeFile(one, Buffer.from('a'));
      }
      const found = await Promise.all([undefined, 1].map((most) => workspace.findFiles('in-workspace.*', null, most)));
      assert.deepEqual(
        found.map(({ length }) => length),
        [2, 1],
      );
    });
    truth('say what they are', async () => {
      const { File, Directory, SymbolicLink } = vscode.FileType;
      const uri = file('stat.txt', 'four');
      symlinkSync(uri.fsPath, join(folder, 'link.txt'));
      symlinkSync('nowhere', join(folder, 'dangling.txt'));
      const { size, mtime } = await workspace.fs.stat(uri);
      assert.ok(size === 4 && mtime > 0);
      const facts = await Promise.all([uri, file('link.txt'), file('')].map((one) => workspace.fs.stat(one)));
      assert.deepEqual(
        facts.map(({ type }) => type),
        [File, File | SymbolicLink, Directory],
      );
      const entries = new Map(await workspace.fs.readDirectory(file('')));
      assert.deepEqual([entries.get('stat.txt'), entries.get('dangling.txt')], [File, SymbolicLink]);
      assert.equal(Buffer.from(await workspace.fs.readFile(uri)).toString(), 'four');
      await workspace.fs.delete(uri);
      const isError = (error: unknown) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      await fails(workspace.fs.readFile(uri), isError);
      await fails(workspace.fs.readFile(file('')), (error) => !isError(error));
      mkdirSync(join(folder, 'gone.d'));
      file('gone.d/file.txt', '');
      await workspace.fs.delete(file('gone.d'), { recursive: true });
      await fails(workspace.fs.stat(file('gone.d')));
    });
  });

  describe('small things', () => {
    truth(': an extension knows itself, and others by their ids', async () => {
      const { extension, extensionUri, subscriptions, globalStorageUri } = await place.context();
      const { name } = extension.packageJSON as { readonly name: string };
      assert.deepEqual([extension.id, name, globalStorageUri.scheme], ['beacon-gitlab.truth', 'truth', 'file']);
      assert.equal(extension.extensionUri.toString(), extensionUri.toString());
      assert.ok(Array.isArray(subscriptions));
      const ids = [extension.id, 'beacon-gitlab.none'].map((id) => vscode.extensions.getExtension(id)?.id);
      assert.deepEqual(ids, [extension.id, undefined]);
      assert.ok(vscode.extensions.all.some(({ id }) => id === extension.id));
    });
    truth(': what may change is heard, and what is there is named', async () => {
      const { onDidChangeWorkspaceFolders, onDidGrantWorkspaceTrust, onDidCloseTextDocument } = workspace;
      const ofWorkspace = [onDidChangeWorkspaceFolders, onDidGrantWorkspaceTrust, onDidCloseTextDocument];
      for (const event of [...ofWorkspace, window.onDidChangeWindowState, vscode.extensions.onDidChange]) {
        assert.deepEqual(heard(event as vscode.Event<unknown>), []);
      }
      const { env, version, InputBoxValidationSeverity, QuickPickItemKind } = vscode;
      const { Info, Warning, Error: wrong } = InputBoxValidationSeverity;
      assert.deepEqual([Info, Warning, wrong, QuickPickItemKind.Default], [1, 2, 3, 0]);
      assert.ok(vscode.QuickInputButtons.Back);
      assert.ok([version, env.language, env.uriScheme, env.appName].every((one) => typeof one === 'string'));
      assert.ok([window.state.focused, window.state.active].every((one) => typeof one === 'boolean'));
    });
    truth(': what is made of a value holds it', async () => {
      const part = new vscode.LanguageModelTextPart('part');
      const { contents } = new vscode.Hover(['text']);
      const { content } = new vscode.LanguageModelToolResult([part]);
      const item = new vscode.DataTransferItem('item');
      assert.deepEqual([part.value, contents, item.value], ['part', ['text'], 'item']);
      assert.ok(content[0] === part && file('') instanceof vscode.Uri);
    });
    truth(': logs and the status bar take texts', async () => {
      const log = window.createOutputChannel('Truth', { log: true });
      const item = window.createStatusBarItem();
      all.push(log, item, window.setStatusBarMessage('Truth'));
      (['trace', 'debug', 'info', 'warn', 'error'] as const).forEach((level) => log[level]('text'));
      assert.equal(item.text, '');
      item.show();
      item.hide();
    });
    truth(': diagnostics are kept by file, from all collections', async () => {
      const uri = file('problems.txt', 'one');
      const [one, other] = ['one', 'other'].map((name) => vscode.languages.createDiagnosticCollection(name));
      assert.ok(one && other);
      all.push(one, other);
      const found = (...texts: string[]) => texts.map((text) => new vscode.Diagnostic(range(0, 0, 0, 1), text));
      const texts = (): string[] => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
      one.set(uri, found('a', 'b'));
      other.set(uri, found('c'));
      assert.deepEqual(texts().sort(), ['a', 'b', 'c']);
      assert.equal(vscode.languages.getDiagnostics(uri)[0]?.severity, vscode.DiagnosticSeverity.Error);
      one.clear();
      one.set(uri, undefined);
      assert.deepEqual(texts(), ['c']);
      other.dispose();
      assert.deepEqual(texts(), []);
    });
    truth(': Markdown escapes what is text, and texts take values by place and by name', async () => {
      assert.equal(new vscode.MarkdownString().value, '');
      const text = new vscode.MarkdownString('# ').appendText('*a* <b>\nc');
      assert.equal(text.value, '# \\*a\\*&nbsp;<b\\>\n\nc');
      assert.equal(vscode.l10n.t('{0} of {1}', 1, 'two'), '1 of two');
      assert.equal(vscode.l10n.t('{name} is {missing}', { name: 'a' }), 'a is {missing}');
    });
    truth(': progress gives back what the task does', async () => {
      const location = vscode.ProgressLocation.Notification;
      const result = await window.withProgress({ location, title: 'Truth' }, async (progress, token) => {
        progress.report({ message: 'half' });
        return token.isCancellationRequested;
      });
      assert.equal(result, false);
      await fails(
        window.withProgress({ location }, () => Promise.reject(new Error('half'))),
        /half/,
      );
    });
  });
}
