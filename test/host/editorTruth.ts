import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

/** Where the assertions are made: in the real editor, or over its stand-in. */
export interface Place {
  /** The context of an extension with `truthManifest`. */
  context(): Promise<vscode.ExtensionContext>;
  /** Runs a test where `vscode` can be used. */
  within(run: () => Promise<void>): Promise<void>;
  /** Accepts what is chosen in the input that is open. */
  accept(): Promise<unknown>;
  /** Closes the input that is open. */
  close(): Promise<unknown>;
  /** Presses the first button of the newest message. */
  press(): Promise<unknown>;
  /** Closes all messages. */
  clear(): Promise<unknown>;
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
  for (let turns = 0; turns < 10; turns += 1) {
    await Promise.resolve();
  }
  assert.equal(isDone, false);
  await done;
}

/** Collects what an event says, as long as a test runs. */
function heard<T>(event: vscode.Event<T>, all: vscode.Disposable[]): T[] {
  const events: T[] = [];
  all.push(event((one) => events.push(one)));
  return events;
}

/** A node of a tree, which counts how often it is asked for. */
interface Node {
  id: string;
  above?: Node;
  below: Node[];
}

/** The rows of the tests: two at the top, the first of which is open, with closed ones below it. */
class Tree implements vscode.TreeDataProvider<Node> {
  readonly changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly asked: string[] = [];
  readonly resolved: string[] = [];
  top = Tree.rows();
  label = 'row';

  static rows(): Node[] {
    const first: Node = { id: 'first', below: [{ id: 'shut', below: [{ id: 'other', below: [] }] }] };
    const closed: Node = { id: 'closed', above: first, below: [] };
    closed.below.push({ id: 'deep', above: closed, below: [] });
    first.below.push(closed);
    return [first, { id: 'second', below: [] }];
  }

  get closed(): Node {
    return this.top[0]?.below[1] as Node;
  }

  get deep(): Node {
    return this.closed.below[0] as Node;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    this.asked.push(node?.id ?? 'top');
    return node?.below ?? this.top;
  }

  async getParent(node: Node): Promise<Node | undefined> {
    return node.above;
  }

  async getTreeItem({ id, below }: Node): Promise<vscode.TreeItem> {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = below.length === 0 ? None : id === 'first' ? Expanded : Collapsed;
    return Object.assign(new vscode.TreeItem(`${this.label} ${id}`, state), { id });
  }

  resolveTreeItem(item: vscode.TreeItem, { id }: Node): vscode.TreeItem {
    this.resolved.push(id);
    return item;
  }
}

/** Describes what the stand-in and the editor have in common. */
export function describeTruth(place: Place): void {
  const all: vscode.Disposable[] = [];
  let folder: string;
  const truth = (title: string, run: () => Promise<void>): void => {
    it(title, () => place.within(run));
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'beacon-truth-'));
  });
  afterEach(() =>
    place.within(async () => {
      vscode.Disposable.from(...all.splice(0)).dispose();
    }),
  );
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): vscode.Uri => {
    writeFileSync(join(folder, name), text);
    return vscode.Uri.file(join(folder, name));
  };

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
      assert.deepEqual(calls.slice(2), ['second 2', 'late 2']);
      emitter.dispose();
      emitter.fire(3);
      assert.equal(calls.length, 4);
    });
    truth('of cancellation come once; who asks later is told a moment later', async () => {
      const source = new vscode.CancellationTokenSource();
      let told = 0;
      source.token.onCancellationRequested(() => (told += 1));
      assert.equal(source.token.isCancellationRequested, false);
      source.cancel();
      source.cancel();
      assert.equal(told, 1);
      assert.equal(source.token.isCancellationRequested, true);
      source.token.onCancellationRequested(() => (told += 10));
      source.token.onCancellationRequested(() => (told += 1000)).dispose();
      assert.equal(told, 1);
      await until(() => told >= 11);
      await arrived();
      assert.equal(told, 11);
      assert.equal(new vscode.CancellationError().name, 'Canceled');
      const disposed = new vscode.CancellationTokenSource();
      disposed.token.onCancellationRequested(() => (told += 100));
      disposed.dispose();
      disposed.cancel();
      assert.equal(told, 11);
    });
  });

  describe('commands', () => {
    truth('get arguments as they are and give back what they return or throw', async () => {
      const given = new Map();
      all.push(vscode.commands.registerCommand('truth.echo', (...args: unknown[]) => args));
      all.push(
        vscode.commands.registerCommand('truth.fail', () => {
          throw new RangeError('no');
        }),
      );
      const [map, two] = await vscode.commands.executeCommand<[unknown, unknown]>('truth.echo', given, 2);
      assert.equal(map, given);
      assert.equal(two, 2);
      await assert.rejects(Promise.resolve(vscode.commands.executeCommand('truth.fail')), /no/);
    });
    truth('are registered once, and unknown after that', async () => {
      const command = vscode.commands.registerCommand('truth.once', () => undefined);
      assert.throws(() => vscode.commands.registerCommand('truth.once', () => undefined), /already exists/);
      command.dispose();
      await assert.rejects(Promise.resolve(vscode.commands.executeCommand('truth.once')), /not found/);
    });
  });

  describe('messages', () => {
    truth('give back the button itself that was pressed, or nothing when they are closed', async () => {
      const text = vscode.window.showInformationMessage('One', 'Yes', 'No');
      await place.press();
      assert.equal(await text, 'Yes');
      const items = [{ title: 'Yes' }, { title: 'No' }];
      const item = vscode.window.showWarningMessage('Two', {}, ...items);
      await place.press();
      assert.equal(await item, items[0]);
      const closed = vscode.window.showInformationMessage('Three', 'Yes');
      await place.clear();
      assert.equal(await closed, undefined);
    });
  });

  describe('pages', () => {
    const open = (title: string): vscode.WebviewPanel => {
      const panel = vscode.window.createWebviewPanel('truth.page', title, vscode.ViewColumn.Active);
      all.push(panel);
      return panel;
    };
    const tabs = (): readonly vscode.Tab[] =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('-truth.page'));
    truth('are in tabs, of which one is seen', async () => {
      const first = open('First');
      const states = heard(first.onDidChangeViewState, all);
      assert.deepEqual(
        [first.viewType, first.title, first.visible, first.webview.html],
        ['truth.page', 'First', true, ''],
      );
      await until(() => tabs().length === 1);
      await arrived();
      const second = open('Second');
      await until(() => !first.visible && tabs().length === 2);
      assert.equal(states.at(-1)?.webviewPanel, first);
      first.reveal();
      await until(() => first.visible && !second.visible);
      await vscode.window.showTextDocument(file('page.txt', ''));
      await until(() => !first.visible);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
    truth('end once, with their tabs', async () => {
      const [first, second] = [open('First'), open('Second')];
      const [ends, others] = [heard(first.onDidDispose, all), heard(second.onDidDispose, all)];
      open('Third');
      await until(() => tabs().length === 3);
      first.dispose();
      first.dispose();
      await until(() => tabs().length === 2);
      await vscode.window.tabGroups.close(tabs().slice(0, 1));
      await until(() => others.length === 1);
      assert.deepEqual([ends.length, tabs().length], [1, 1]);
    });
  });

  describe('mementos', () => {
    truth('keep values, null too, and have the default for none', async () => {
      const { globalState: state, workspaceState } = await place.context();
      assert.equal(state.get('a'), undefined);
      assert.equal(state.get('a', 5), 5);
      await state.update('a', null);
      assert.equal(state.get('a', 5), null);
      const writing = state.update('a', { deep: [1] });
      assert.deepEqual(state.get('a'), { deep: [1] });
      await takesTime(writing);
      assert.deepEqual(state.get('a'), { deep: [1] });
      assert.equal(workspaceState.get('a'), undefined);
    });
    truth('list the keys that have a value', async () => {
      const { workspaceState: state } = await place.context();
      await state.update('a', 1);
      await state.update('b', 2);
      const removing = state.update('a', undefined);
      assert.deepEqual(
        state.keys().filter((key) => /^[ab]$/.test(key)),
        ['b'],
      );
      await removing;
    });
  });

  describe('secrets', () => {
    truth('are kept, changed and deleted, and say so', async () => {
      const { secrets } = await place.context();
      const changes = heard(secrets.onDidChange, all);
      assert.equal(await secrets.get('a'), undefined);
      await takesTime(secrets.store('a', 'one'));
      await secrets.store('a', 'two');
      assert.equal(await secrets.get('a'), 'two');
      assert.deepEqual(await secrets.keys(), ['a']);
      await secrets.delete('a');
      assert.equal(await secrets.get('a'), undefined);
      await until(() => changes.length === 3);
      assert.deepEqual(
        changes.map(({ key }) => key),
        ['a', 'a', 'a'],
      );
    });
  });

  describe('settings', () => {
    const settings = () => vscode.workspace.getConfiguration('truth');
    afterEach(() =>
      place.within(async () => {
        await settings().update('count', undefined, vscode.ConfigurationTarget.Global);
        await settings().update('count', undefined, vscode.ConfigurationTarget.Workspace);
      }),
    );
    truth('have the defaults of the manifest, by whole names and in a section', async () => {
      assert.equal(settings().get('count'), 7);
      assert.equal(vscode.workspace.getConfiguration().get('truth.count'), 7);
      assert.equal(settings().get('none'), undefined);
      assert.equal(settings().get('none', 3), 3);
    });
    truth('are null where that was written, whatever they are by default', async () => {
      await settings().update('count', null, vscode.ConfigurationTarget.Global);
      assert.equal(settings().get('count', 3), null);
    });
    truth('change for all who ask anew, and say what is affected', async () => {
      const changes = heard(vscode.workspace.onDidChangeConfiguration, all);
      const before = settings();
      await takesTime(before.update('count', 8, vscode.ConfigurationTarget.Global));
      await until(() => changes.length > 0);
      assert.equal(before.get('count'), 7);
      assert.equal(settings().get('count'), 8);
      assert.equal(settings().inspect('count')?.globalValue, 8);
      const affects = (name: string): boolean => changes.some((change) => change.affectsConfiguration(name));
      assert.deepEqual(['truth', 'truth.count', 'truth.part', 'trut'].map(affects), [true, true, false, false]);
    });
    truth('of the workspace come before those of the user', async () => {
      await settings().update('count', 8, true);
      await settings().update('count', 9, vscode.ConfigurationTarget.Workspace);
      assert.equal(settings().get('count'), 9);
      const { key, defaultValue, globalValue, workspaceValue } = settings().inspect('count') ?? {};
      assert.deepEqual([key, defaultValue, globalValue, workspaceValue], ['truth.count', 7, 8, 9]);
      await settings().update('count', undefined, false);
      assert.equal(settings().get('count'), 8);
      assert.equal(settings().inspect('count')?.workspaceValue, undefined);
    });
    truth('are written only where a manifest declares them', async () => {
      await assert.rejects(Promise.resolve(settings().update('none', 1, true)), /not a registered configuration/);
    });
    truth('of the editor itself are there', async () => {
      const settingOf = (name: string): unknown => vscode.workspace.getConfiguration().get(name);
      assert.equal((settingOf('files.exclude') as Record<string, unknown>)['**/.git'], true);
      assert.equal(typeof settingOf('search.exclude'), 'object');
      assert.equal(settingOf('http.proxyStrictSSL'), true);
    });
    truth('are copies', async () => {
      const names = settings().get<string[]>('part.names') ?? [];
      assert.deepEqual(settings().get('part.names'), ['one']);
      try {
        names.push('two');
      } catch {
        // Which may not be changed.
      }
      assert.deepEqual(settings().get('part.names'), ['one']);
    });
  });

  describe('questions', () => {
    const lines = (): vscode.QuickPickItem[] => [
      { label: 'head', kind: vscode.QuickPickItemKind.Separator },
      { label: 'one' },
      { label: 'two', picked: true },
    ];
    truth('give back the chosen line itself, at first the top one', async () => {
      const items = lines();
      const chosen = vscode.window.showQuickPick(items);
      await place.accept();
      assert.equal(await chosen, items[1]);
    });
    truth('give back all lines that are picked, where several can be', async () => {
      const items = lines();
      const chosen = vscode.window.showQuickPick(items, { canPickMany: true });
      await place.accept();
      assert.deepEqual(await chosen, [items[2]]);
    });
    truth('give nothing back when they are closed', async () => {
      const list = vscode.window.showQuickPick(lines());
      await place.close();
      assert.equal(await list, undefined);
      const text = vscode.window.showInputBox({ value: 'a' });
      await place.close();
      assert.equal(await text, undefined);
    });
    truth('are empty at first', async () => {
      const [pick, input] = [vscode.window.createQuickPick(), vscode.window.createInputBox()];
      all.push(pick, input);
      const { value, items, activeItems, selectedItems, buttons, busy, enabled, canSelectMany } = pick;
      assert.deepEqual([value, items, activeItems, selectedItems, buttons], ['', [], [], [], []]);
      assert.deepEqual([busy, enabled, canSelectMany, input.value], [false, true, false, '']);
      const { onDidChangeValue, onDidTriggerButton, onDidTriggerItemButton } = pick;
      const heardOf = [
        heard(onDidChangeValue, all),
        heard(onDidTriggerButton, all),
        heard(onDidTriggerItemButton, all),
      ];
      assert.deepEqual(heardOf, [[], [], []]);
    });
    truth('of lists say what is active and accepted, and stay until they are hidden', async () => {
      const pick = vscode.window.createQuickPick();
      all.push(pick);
      const [accepted, hidden] = [heard(pick.onDidAccept, all), heard(pick.onDidHide, all)];
      const active = heard(pick.onDidChangeActive, all);
      pick.items = lines();
      pick.show();
      await until(() => active.length > 0);
      assert.deepEqual(
        pick.activeItems.map(({ label }) => label),
        ['one'],
      );
      const before = active.length;
      pick.busy = true;
      pick.busy = false;
      await place.accept();
      await until(() => accepted.length > 0);
      assert.deepEqual([hidden.length, active.length], [0, before]);
      pick.hide();
      pick.hide();
      await until(() => hidden.length > 0);
      await arrived();
      assert.equal(hidden.length, 1);
      pick.show();
      pick.dispose();
      await until(() => hidden.length > 1);
    });
    truth('are asked one at a time', async () => {
      const pick = vscode.window.createQuickPick();
      all.push(pick);
      const hidden = heard(pick.onDidHide, all);
      pick.items = lines();
      pick.show();
      await arrived();
      const text = vscode.window.showInputBox();
      await until(() => hidden.length > 0);
      await place.close();
      await text;
    });
    truth('for a text take the value that stands there, unless it is wrong', async () => {
      const text = vscode.window.showInputBox({ value: 'abc' });
      await place.accept();
      assert.equal(await text, 'abc');
      const empty = vscode.window.showInputBox({ validateInput: () => null });
      await place.accept();
      assert.equal(await empty, '');
      let checked = 0;
      const wrong = vscode.window.showInputBox({
        value: 'abc',
        validateInput: async (value) => {
          checked += 1;
          return `${value} is wrong`;
        },
      });
      let isAnswered = false;
      void wrong.then(() => (isAnswered = true));
      await place.accept();
      await until(() => checked > 0);
      await arrived();
      assert.equal(isAnswered, false);
      await place.close();
      assert.equal(await wrong, undefined);
      const noted = vscode.window.showInputBox({
        value: 'abc',
        validateInput: () => ({ message: 'fine', severity: vscode.InputBoxValidationSeverity.Info }),
      });
      await place.accept();
      assert.equal(await noted, 'abc');
    });
  });

  describe('trees', () => {
    const tree = (provider: Tree): vscode.TreeView<Node> => {
      const view = vscode.window.createTreeView('truth.tree', { treeDataProvider: provider });
      all.push(view);
      return view;
    };
    const show = async (
      provider: Tree,
      onVisibility: (event: vscode.TreeViewVisibilityChangeEvent) => unknown = () => undefined,
    ): Promise<vscode.TreeView<Node>> => {
      const view = tree(provider);
      all.push(view.onDidChangeVisibility(onVisibility));
      await vscode.commands.executeCommand('truth.tree.focus');
      await until(() => view.visible && provider.asked.includes('first'));
      return view;
    };
    truth('are read when they are seen, as far as they are open', async () => {
      const provider = new Tree();
      const visibilities: boolean[] = [];
      const view = await show(provider, ({ visible }) => visibilities.push(visible));
      assert.deepEqual(provider.asked, ['top', 'first']);
      assert.deepEqual(provider.resolved, []);
      assert.deepEqual([view.visible, visibilities.at(-1), view.selection.length], [true, true, 0]);
    });
    truth('are read again from where they changed', async () => {
      const provider = new Tree();
      await show(provider);
      provider.asked.length = 0;
      provider.changed.fire(provider.top.slice(0, 1));
      await until(() => provider.asked.length > 0);
      await arrived();
      assert.deepEqual(provider.asked, ['first']);
      provider.changed.fire(undefined);
      await until(() => provider.asked.length > 2);
      assert.deepEqual(provider.asked, ['first', 'top', 'first']);
    });
    truth('stay open by their ids', async () => {
      const provider = new Tree();
      const view = await show(provider);
      const { deep } = provider;
      await view.reveal(deep);
      provider.top = Tree.rows();
      provider.asked.length = 0;
      provider.label = 'changed';
      provider.changed.fire(undefined);
      await until(() => provider.asked.includes('closed'));
      provider.closed.below.pop();
      provider.asked.length = 0;
      provider.changed.fire(undefined);
      await until(() => provider.asked.includes('first'));
      await arrived();
      assert.deepEqual(provider.asked, ['top', 'first']);
    });
    truth('go to a row below others, and select it', async () => {
      const provider = new Tree();
      const view = await show(provider);
      const selections = heard(view.onDidChangeSelection, all);
      const { deep } = provider;
      await view.reveal(deep, { select: true });
      await until(() => selections.length > 0);
      assert.equal(view.selection[0], deep);
      assert.equal(selections.at(-1)?.selection[0], deep);
      assert.ok(provider.asked.includes('closed') && !provider.asked.includes('shut'));
      assert.equal(provider.asked.filter((id) => id === 'first').length, 1);
      await assert.rejects(Promise.resolve(view.reveal({ id: 'none', below: [] })));
    });
  });

  describe('documents', () => {
    const range = (...ends: [number, number, number, number]): vscode.Range => new vscode.Range(...ends);
    truth('are one for each file, and none for one that is not there', async () => {
      const uri = file('once.py', 'a = 1\n');
      const opened = heard(vscode.workspace.onDidOpenTextDocument, all);
      const document = await vscode.workspace.openTextDocument(uri);
      assert.equal(await vscode.workspace.openTextDocument(uri), document);
      assert.ok(vscode.workspace.textDocuments.includes(document));
      assert.equal(opened.filter((one) => one === document).length, 1);
      const { languageId, isDirty, isUntitled, encoding } = document;
      assert.deepEqual([languageId, isDirty, isUntitled, encoding], ['python', false, false, 'utf8']);
      assert.equal(await vscode.workspace.openTextDocument(uri.fsPath), document);
      const missing = vscode.workspace.openTextDocument(vscode.Uri.joinPath(uri, '..', 'none.py'));
      await assert.rejects(Promise.resolve(missing));
    });
    truth('have the languages of their files', async () => {
      const languages = {
        ...{ ts: 'typescript', js: 'javascript', rb: 'ruby', go: 'go', sh: 'shellscript', json: 'json', yml: 'yaml' },
        ...{ java: 'java', php: 'php', cs: 'csharp', txt: 'plaintext' },
      };
      for (const [ending, language] of Object.entries(languages)) {
        const { languageId } = await vscode.workspace.openTextDocument(file(`language.${ending}`, ''));
        assert.equal(languageId, language);
      }
    });
    truth('are read by their encoding', async () => {
      const bytes = Uint8Array.of(0xe9);
      writeFileSync(join(folder, 'latin.txt'), bytes);
      const uri = vscode.Uri.file(join(folder, 'latin.txt'));
      const first = await vscode.workspace.openTextDocument(file('first.txt', 'é'), { encoding: 'iso88591' });
      assert.equal(first.getText(), 'Ã©');
      const document = await vscode.workspace.openTextDocument(uri);
      assert.deepEqual([document.encoding, document.getText()], ['utf8', '\uFFFD']);
      assert.equal(await vscode.workspace.openTextDocument(uri, { encoding: 'iso88591' }), document);
      await until(() => document.getText() === 'é');
      assert.deepEqual([document.encoding, document.isDirty], ['iso88591', false]);
      assert.equal(await vscode.workspace.openTextDocument(uri), document);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 1), '!');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      assert.deepEqual([...readFileSync(uri.fsPath)], [0xe9, 0x21]);
      assert.equal(await vscode.workspace.decode(bytes, { encoding: 'iso88591' }), 'é');
      assert.equal(await vscode.workspace.decode(Buffer.from('é'), { encoding: 'utf8' }), 'é');
    });
    truth('know their places', async () => {
      const document = await vscode.workspace.openTextDocument(file('places.txt', 'one\r\ntwo\r\n'));
      assert.equal(document.lineCount, 3);
      assert.equal(document.offsetAt(new vscode.Position(1, 1)), 6);
      assert.equal(document.offsetAt(new vscode.Position(0, 99)), 3);
      assert.deepEqual(document.positionAt(7), new vscode.Position(1, 2));
      assert.deepEqual(document.positionAt(99), new vscode.Position(2, 0));
      assert.deepEqual([document.lineAt(1).text, document.getText(range(0, 1, 1, 1))], ['two', 'ne\r\nt']);
      const line = document.lineAt(new vscode.Position(1, 2));
      assert.deepEqual([line.lineNumber, line.range.isEqual(range(1, 0, 1, 3))], [1, true]);
    });
    truth('change by edits, whose places are those before, and are saved', async () => {
      const uri = file('edits.txt', 'one two three');
      const document = await vscode.workspace.openTextDocument(uri);
      const changes = heard(vscode.workspace.onDidChangeTextDocument, all);
      const saves = heard(vscode.workspace.onDidSaveTextDocument, all);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, range(0, 0, 0, 3), '1');
      edit.replace(uri, range(0, 8, 0, 13), '3');
      edit.insert(uri, new vscode.Position(0, 4), 'a');
      edit.insert(uri, new vscode.Position(0, 4), 'é');
      assert.deepEqual([edit.entries().length, edit.get(uri).length], [1, 4]);
      const { version } = document;
      assert.equal(await vscode.workspace.applyEdit(edit), true);
      assert.equal(document.getText(), '1 aétwo 3');
      assert.ok(document.isDirty && document.version > version);
      const own = changes.filter((change) => change.document === document && change.contentChanges.length > 0);
      assert.equal(own.length, 1);
      assert.equal(readFileSync(uri.fsPath, 'utf8'), 'one two three');
      assert.equal(await document.save(), true);
      assert.equal(readFileSync(uri.fsPath, 'utf8'), '1 aétwo 3');
      assert.equal(document.isDirty, false);
      await until(() => saves.length > 0);
    });
    truth('are created by edits, unless they are there', async () => {
      const uri = vscode.Uri.file(join(folder, 'created.txt'));
      const create = (options: object, text?: string): Thenable<boolean> => {
        const edit = new vscode.WorkspaceEdit();
        edit.createFile(uri, options);
        if (text !== undefined) {
          edit.insert(uri, new vscode.Position(0, 0), text);
        }
        return vscode.workspace.applyEdit(edit);
      };
      assert.equal(await create({ contents: Buffer.from('a') }), true);
      assert.equal(readFileSync(uri.fsPath, 'utf8'), 'a');
      assert.equal(await create({}), false);
      assert.equal(await create({ ignoreIfExists: true }, 'b'), true);
      assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), 'ba');
      assert.equal(readFileSync(uri.fsPath, 'utf8'), 'a');
      await (await vscode.workspace.openTextDocument(uri)).save();
      const below = vscode.Uri.file(join(folder, 'new', 'below.txt'));
      for (const contents of [undefined, Buffer.from('b')]) {
        const edit = new vscode.WorkspaceEdit();
        edit.createFile(below, { overwrite: true, ...(contents && { contents }) });
        assert.equal(await vscode.workspace.applyEdit(edit), true);
        assert.equal(readFileSync(below.fsPath, 'utf8'), contents ? 'b' : '');
      }
    });
    truth('without a file are untitled', async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'python', content: 'a = 1' });
      const { isUntitled, languageId, uri } = document;
      assert.deepEqual([isUntitled, languageId, uri.scheme, document.getText()], [true, 'python', 'untitled', 'a = 1']);
      assert.match(uri.path, /^Untitled-\d+$/);
      assert.equal(await vscode.workspace.openTextDocument(uri), document);
      const empty = await vscode.workspace.openTextDocument();
      assert.deepEqual([empty.getText(), empty.uri.path === uri.path], ['', false]);
    });
    truth('of other addresses are provided, again when they change', async () => {
      const changed = new vscode.EventEmitter<vscode.Uri>();
      let text = 'one';
      const tokens: boolean[] = [];
      const provideTextDocumentContent = (_: vscode.Uri, token: vscode.CancellationToken) => {
        tokens.push(token.isCancellationRequested);
        return text;
      };
      const provider = { onDidChange: changed.event, provideTextDocumentContent };
      all.push(vscode.workspace.registerTextDocumentContentProvider('truth', provider));
      const uri = vscode.Uri.parse('truth:/a.md');
      const [document, same] = await Promise.all([uri, uri].map((one) => vscode.workspace.openTextDocument(one)));
      assert.ok(document && document === same);
      assert.deepEqual([document.getText(), document.languageId, document.encoding], ['one', 'markdown', 'utf8']);
      const changes = heard(vscode.workspace.onDidChangeTextDocument, all);
      changed.fire(vscode.Uri.parse('truth:/never-opened.md'));
      const before = tokens.length;
      changed.fire(uri);
      await until(() => tokens.length > before);
      await arrived();
      assert.ok(changes.every((change) => change.document !== document));
      text = 'two';
      changed.fire(uri);
      await until(() => changes.some((change) => change.document === document));
      assert.deepEqual([document.getText(), document.isDirty], ['two', false]);
      assert.ok(tokens.length > 1 && tokens.every((isCancelled) => !isCancelled));
    });
    truth('in front are in the active editor', async () => {
      const uri = file('front.txt', 'one');
      const actives = heard(vscode.window.onDidChangeActiveTextEditor, all);
      const selection = range(0, 1, 0, 2);
      await vscode.commands.executeCommand('vscode.open', uri, { selection });
      await until(() => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString());
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor !== undefined && editor.selections[0]?.isEqual(selection));
      await until(() => actives.length > 0);
      const other = await vscode.workspace.openTextDocument(file('behind.txt', 'one'));
      const shown = await vscode.window.showTextDocument(other);
      assert.deepEqual([shown.document, shown.selection.isEmpty], [other, true]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  describe('files', () => {
    truth('are found by globs below a folder', async () => {
      file('found.rb', '');
      file('.found.env', '');
      file('other.py', '');
      mkdirSync(join(folder, 'found.d'));
      file('found.d/found.go', '');
      const find = async (include: string, exclude?: string): Promise<string[]> => {
        const base = new vscode.RelativePattern(vscode.Uri.file(folder), include);
        const found = await vscode.workspace.findFiles(base, exclude);
        return found.map(({ path }) => path.split('/').at(-1) ?? '').sort();
      };
      assert.deepEqual(await find('**/found.*'), ['found.go', 'found.rb']);
      assert.deepEqual(await find('**/*found*', 'found.d/**'), ['.found.env', 'found.rb']);
      assert.deepEqual(await find('**/{found,other}.*', '**/*.{py,go}'), ['found.rb']);
    });
    truth('of the workspace have a folder, and paths in it', async () => {
      const [first] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(first);
      const uri = vscode.Uri.joinPath(first.uri, 'in-workspace.py');
      assert.deepEqual([first.index, first.name, vscode.workspace.isTrusted], [0, basename(first.uri.path), true]);
      assert.equal(vscode.workspace.getWorkspaceFolder(uri)?.uri.toString(), first.uri.toString());
      assert.equal(vscode.workspace.getWorkspaceFolder(vscode.Uri.file('/elsewhere')), undefined);
      assert.equal(vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, 'a', 'b.py')), 'in-workspace.py/a/b.py');
      assert.equal(
        vscode.workspace.asRelativePath(vscode.Uri.file('/elsewhere')),
        vscode.Uri.file('/elsewhere').fsPath,
      );
      for (const one of [uri, vscode.Uri.joinPath(first.uri, 'in-workspace.rb')]) {
        await vscode.workspace.fs.writeFile(one, Buffer.from('a'));
      }
      const found = async (most?: number): Promise<number> =>
        (await vscode.workspace.findFiles('in-workspace.*', null, most)).length;
      assert.deepEqual([await found(), await found(1)], [2, 1]);
    });
    truth('say what they are', async () => {
      const uri = file('stat.txt', 'four');
      symlinkSync(uri.fsPath, join(folder, 'link.txt'));
      symlinkSync('nowhere', join(folder, 'dangling.txt'));
      const link = vscode.Uri.joinPath(uri, '..', 'link.txt');
      const { size, type } = await vscode.workspace.fs.stat(uri);
      assert.deepEqual([size, type], [4, vscode.FileType.File]);
      assert.equal((await vscode.workspace.fs.stat(link)).type, vscode.FileType.File | vscode.FileType.SymbolicLink);
      const entries = new Map(await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder)));
      assert.equal(entries.get('stat.txt'), vscode.FileType.File);
      assert.equal(entries.get('dangling.txt'), vscode.FileType.SymbolicLink);
      assert.equal((await vscode.workspace.fs.stat(vscode.Uri.file(folder))).type, vscode.FileType.Directory);
      assert.ok((await vscode.workspace.fs.stat(uri)).mtime > 0);
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), 'four');
      await vscode.workspace.fs.delete(uri);
      for (const [one, isMissing] of [
        [uri, true],
        [vscode.Uri.file(folder), false],
      ] as const) {
        await assert.rejects(
          Promise.resolve(vscode.workspace.fs.readFile(one)),
          (error) => error instanceof vscode.FileSystemError && (error.code === 'FileNotFound') === isMissing,
        );
      }
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '..', 'found.d'), { recursive: true });
    });
  });

  describe('small things', () => {
    truth(': an extension knows itself, and others by their ids', async () => {
      const { extension, extensionUri, subscriptions, globalStorageUri } = await place.context();
      const { name } = extension.packageJSON as { readonly name: string };
      assert.deepEqual([extension.id, name, globalStorageUri.scheme], ['beacon-gitlab.truth', 'truth', 'file']);
      assert.equal(extension.extensionUri.toString(), extensionUri.toString());
      assert.ok(Array.isArray(subscriptions));
      assert.equal(vscode.extensions.getExtension(extension.id)?.id, extension.id);
      assert.equal(vscode.extensions.getExtension('beacon-gitlab.none'), undefined);
      assert.ok(vscode.extensions.all.some(({ id }) => id === extension.id));
    });
    truth(': what may change is heard, and what is there is named', async () => {
      for (const event of [
        ...[vscode.window.onDidChangeWindowState, vscode.extensions.onDidChange],
        ...[vscode.workspace.onDidChangeWorkspaceFolders, vscode.workspace.onDidGrantWorkspaceTrust],
        vscode.workspace.onDidCloseTextDocument,
      ]) {
        assert.deepEqual(heard<unknown>(event, all), []);
      }
      const { env, window, InputBoxValidationSeverity, QuickPickItemKind } = vscode;
      const { Info, Warning, Error: wrong } = InputBoxValidationSeverity;
      assert.deepEqual([Info, Warning, wrong, QuickPickItemKind.Default], [1, 2, 3, 0]);
      assert.ok(vscode.QuickInputButtons.Back);
      assert.deepEqual(
        [env.language, env.uriScheme, env.appName, window.state.focused, window.state.active].map((one) => typeof one),
        ['string', 'string', 'string', 'boolean', 'boolean'],
      );
    });
    truth(': logs and the status bar take texts', async () => {
      const log = vscode.window.createOutputChannel('Truth', { log: true });
      const item = vscode.window.createStatusBarItem();
      all.push(log, item, vscode.window.setStatusBarMessage('Truth'));
      (['trace', 'debug', 'info', 'warn', 'error'] as const).forEach((level) => log[level]('text'));
      assert.equal(item.text, '');
      item.show();
      item.hide();
    });
    truth(': diagnostics are kept by file, from all collections', async () => {
      const uri = file('problems.txt', 'one');
      const one = vscode.languages.createDiagnosticCollection('one');
      const other = vscode.languages.createDiagnosticCollection('other');
      all.push(one, other);
      const found = (text: string) => new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), text);
      one.set(uri, [found('a'), found('b')]);
      other.set(uri, [found('c')]);
      const texts = (): string[] => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
      assert.deepEqual(texts().sort(), ['a', 'b', 'c']);
      one.delete(uri);
      assert.deepEqual(texts(), ['c']);
      one.set(uri, [found('a')]);
      one.clear();
      one.set(uri, undefined);
      assert.deepEqual(texts(), ['c']);
      assert.equal(vscode.languages.getDiagnostics(uri)[0]?.severity, vscode.DiagnosticSeverity.Error);
      other.dispose();
      assert.deepEqual(texts(), []);
    });
    truth(': Markdown escapes what is text', async () => {
      assert.equal(new vscode.MarkdownString().value, '');
      const text = new vscode.MarkdownString('# ').appendText('*a* <b>\nc');
      assert.equal(text.value, '# \\*a\\*&nbsp;<b\\>\n\nc');
    });
    truth(': texts take values by place and by name', async () => {
      assert.equal(vscode.l10n.t('{0} of {1}', 1, 'two'), '1 of two');
      assert.equal(vscode.l10n.t('{name} is {missing}', { name: 'a' }), 'a is {missing}');
    });
    truth(': progress gives back what the task does', async () => {
      const location = vscode.ProgressLocation.Notification;
      const result = await vscode.window.withProgress({ location, title: 'Truth' }, async (progress, token) => {
        progress.report({ message: 'half' });
        return token.isCancellationRequested;
      });
      assert.equal(result, false);
      const failing = vscode.window.withProgress({ location }, async () => {
        throw new Error('half');
      });
      await assert.rejects(Promise.resolve(failing), /half/);
    });
  });
}
