import { AsyncLocalStorage } from 'node:async_hooks';
import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type * as vscode from 'vscode';
import { decode, type Document, Documents } from './documents.ts';
import { askForText, Input, pickFrom, type User } from './inputs.ts';
import { configuration, Memento, Secrets, type Storage } from './storage.ts';
import * as types from './types.ts';

/** The window that the running code belongs to. */
export const current = new AsyncLocalStorage<Editor>();

/** What a window begins with. */
export interface Start {
  readonly storage: Storage;
  readonly user: User;
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly folders: readonly vscode.Uri[];
  readonly manifest: Manifest;
  readonly language: string;
  readonly isTrusted: boolean;
}

/** What is read of package.json. */
export interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

/** A page in a tab. */
export class Panel {
  readonly viewType: string;
  title: string;
  iconPath: unknown;
  visible = true;
  isDisposed = false;
  reveals = 0;
  readonly posted: unknown[] = [];
  readonly received = new types.EventEmitter<unknown>();
  readonly disposed = new types.EventEmitter<void>();
  readonly viewState = new types.EventEmitter<{ webviewPanel: Panel }>();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.viewState.event;
  readonly webview = {
    html: '',
    options: {},
    onDidReceiveMessage: this.received.event,
    postMessage: async (message: unknown): Promise<boolean> => {
      this.posted.push(structuredClone(message));
      return this.visible && !this.isDisposed;
    },
  };

  constructor(viewType: string, title: string) {
    [this.viewType, this.title] = [viewType, title];
  }

  get active(): boolean {
    return this.visible;
  }

  reveal(): void {
    this.reveals += 1;
    this.show(true);
  }

  /** Brings the tab to the front, or another one over it. */
  show(isVisible: boolean): void {
    if (this.visible !== isVisible) {
      this.visible = isVisible;
      this.viewState.fire({ webviewPanel: this });
    }
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.visible = false;
      this.disposed.fire();
    }
  }
}

/** A view of the side bar, without its rows. */
export class View {
  readonly id: string;
  readonly options: vscode.TreeViewOptions<object>;
  visible = false;
  selection: readonly object[] = [];
  title: string | undefined;
  description: string | undefined;
  message: string | undefined;
  badge: vscode.ViewBadge | undefined;
  readonly revealed: { readonly node: object; readonly options: object | undefined }[] = [];
  readonly visibility = new types.EventEmitter<{ visible: boolean }>();
  readonly selected = new types.EventEmitter<{ selection: readonly object[] }>();
  readonly expanded = new types.EventEmitter<{ element: object }>();
  readonly collapsed = new types.EventEmitter<{ element: object }>();
  readonly checked = new types.EventEmitter<{ items: readonly (readonly [object, number])[] }>();
  readonly onDidChangeVisibility = this.visibility.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidExpandElement = this.expanded.event;
  readonly onDidCollapseElement = this.collapsed.event;
  readonly onDidChangeCheckboxState = this.checked.event;
  /** Where a window shows the rows, goes to one of them. */
  goTo: (node: object) => Promise<void> = async () => undefined;

  constructor(id: string, options: vscode.TreeViewOptions<object>) {
    [this.id, this.options] = [id, options];
  }

  show(isVisible: boolean): void {
    if (this.visible !== isVisible) {
      this.visible = isVisible;
      this.visibility.fire({ visible: isVisible });
    }
  }

  async reveal(node: object, options?: object): Promise<void> {
    this.show(true);
    await this.goTo(node);
    this.revealed.push({ node, options });
    this.selection = [node];
    this.selected.fire({ selection: [node] });
  }

  dispose(): void {}
}

type Selected<T> = { readonly selector: vscode.DocumentSelector; readonly provider: T };

/** One window of the editor: what an extension gets of it, and what it did there. */
export class Editor {
  readonly start: Start;
  readonly documents: Documents;
  /** What commands do, by their ids. */
  readonly handlers = new Map<string, (...args: never[]) => unknown>();
  /** Commands of the editor itself that were run, with what they were given. */
  readonly calls: (readonly [command: string, ...args: unknown[]])[] = [];
  readonly contextKeys = new Map<string, unknown>();
  readonly views = new Map<string, View>();
  readonly panels: Panel[] = [];
  readonly tabs: { readonly input: object; readonly panel?: Panel; readonly document?: Document }[] = [];
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();
  readonly tools = new Map<string, vscode.LanguageModelTool<object>>();
  readonly log: { readonly level: string; readonly text: string }[] = [];
  readonly statusBar: { text: string; tooltip: unknown; command: unknown; isShown: boolean }[] = [];
  readonly progress: { readonly title: string; readonly messages: string[]; readonly cancel: () => void }[] = [];
  /** Addresses that were opened outside. */
  readonly opened: string[] = [];
  readonly decorations: vscode.FileDecorationProvider[] = [];
  readonly hovers: Selected<vscode.HoverProvider>[] = [];
  readonly actions: Selected<vscode.CodeActionProvider>[] = [];
  readonly lenses: Selected<vscode.CodeLensProvider>[] = [];
  readonly drops: Selected<vscode.DocumentDropEditProvider>[] = [];
  readonly diagnostics: Map<string, readonly vscode.Diagnostic[]>[] = [];
  readonly sessionProviders = new Map<string, vscode.AuthenticationProvider>();
  readonly extensions: vscode.Extension<unknown>[] = [];
  readonly extensionsChanged = new types.EventEmitter<void>();
  readonly trusted = new types.EventEmitter<void>();
  readonly focusChanged = new types.EventEmitter<{ focused: boolean; active: boolean }>();
  readonly filesChanged = new types.EventEmitter<{ kind: 'created' | 'changed' | 'deleted'; uri: vscode.Uri }>();
  readonly foldersChanged = new types.EventEmitter<void>();
  readonly editorChanged = new types.EventEmitter<object | undefined>();
  readonly secrets: Secrets;
  readonly context: vscode.ExtensionContext;
  activeEditor: { readonly document: Document; selections: readonly types.Selection[] } | undefined;
  isFocused = true;
  isTrusted: boolean;
  clipboard = '';
  uriHandler: vscode.UriHandler | undefined;
  #input: Input | undefined;

  constructor(start: Start) {
    this.start = start;
    this.isTrusted = start.isTrusted;
    this.documents = new Documents(async (labels) => {
      const preview = {
        kind: 'preview',
        text: labels.join('\n'),
        detail: '',
        isModal: true,
        buttons: ['Apply'],
      } as const;
      return (await start.user.read(preview)) === 'Apply';
    });
    const { storage, extensionUri, storageUri } = start;
    this.secrets = new Secrets(storage);
    const id = `${start.manifest.publisher}.${start.manifest.name}`;
    const extension = { id, extensionUri, packageJSON: start.manifest, isActive: true };
    this.extensions.push(extension as unknown as vscode.Extension<unknown>);
    this.context = {
      ...{
        subscriptions: [],
        extension,
        extensionUri,
        globalStorageUri: storageUri,
        logUri: storageUri,
        secrets: this.secrets,
      },
      ...{ globalState: new Memento(storage.global), workspaceState: new Memento(storage.workspace) },
    } as unknown as vscode.ExtensionContext;
    Object.values(start.manifest.contributes.views)
      .flat()
      .forEach(({ id: view }) => this.handlers.set(`${view}.focus`, () => this.views.get(view)?.show(true)));
  }

  /** Runs something as a part of this window. */
  run<T>(act: () => T): T {
    return current.run(this, act);
  }

  readonly commands = {
    registerCommand: (id: string, handler: (...args: never[]) => unknown) => {
      if (this.handlers.has(id)) {
        throw new Error(`command '${id}' already exists`);
      }
      this.handlers.set(id, handler);
      return new types.Disposable(() => this.handlers.delete(id));
    },
    executeCommand: async (id: string, ...args: unknown[]): Promise<unknown> => {
      const handler = this.handlers.get(id);
      if (handler) {
        return await handler(...(args as never[]));
      }
      if (id === 'setContext') {
        this.contextKeys.set(args[0] as string, args[1]);
      } else if (id === 'vscode.open') {
        await this.#open(args[0] as vscode.Uri);
      } else if (!/^(?:vscode|workbench|markdown|git)\./.test(id)) {
        throw new Error(`command '${id}' not found`);
      }
      this.calls.push([id, ...args]);
      return undefined;
    },
    getCommands: async () => [...this.handlers.keys()],
  };

  readonly window = {
    showInformationMessage: this.#message('information'),
    showWarningMessage: this.#message('warning'),
    showErrorMessage: this.#message('error'),
    createInputBox: () => this.#createInput('text'),
    createQuickPick: () => this.#createInput('pick'),
    showInputBox: (options?: vscode.InputBoxOptions) => askForText(this.#createInput('text'), options),
    showQuickPick: (...given: [Parameters<typeof pickFrom>[1], vscode.QuickPickOptions?]) =>
      pickFrom(this.#createInput('pick'), ...given),
    showOpenDialog: async (options: vscode.OpenDialogOptions = {}) => {
      const uri = await this.#chooseFile('open', options.title);
      return uri && [uri];
    },
    showSaveDialog: (options: vscode.SaveDialogOptions = {}) => this.#chooseFile('save', options.title),
    withProgress: async (
      { title = '', location }: vscode.ProgressOptions,
      run: (progress: object, token: object) => Promise<unknown>,
    ) => {
      const source = new types.CancellationTokenSource();
      const name = typeof location === 'object' ? location.viewId : title;
      const shown = { title: name, messages: [] as string[], cancel: () => source.cancel() };
      const kept = this.#keep(this.progress, shown);
      const report = ({ message }: { message?: string }) => message !== undefined && shown.messages.push(message);
      return await Promise.resolve(run({ report }, source.token)).finally(() => kept.dispose());
    },
    createStatusBarItem: () => {
      const item = { text: '', tooltip: undefined, command: undefined, isShown: false };
      const kept = this.#keep(this.statusBar, item);
      return Object.assign(item, {
        show: () => (item.isShown = true),
        hide: () => (item.isShown = false),
        dispose: () => kept.dispose(),
      });
    },
    setStatusBarMessage: (text: string) =>
      this.#keep(this.statusBar, { text, tooltip: undefined, command: undefined, isShown: true }),
    createOutputChannel: () => {
      const write =
        (level: string) =>
        (text: unknown, ...rest: unknown[]) =>
          this.log.push({
            level,
            text: [text, ...rest].map((one) => (one instanceof Error ? one.stack : String(one))).join(' '),
          });
      const levels = ['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, write(level)]);
      const show = () => this.calls.push(['showLog']);
      return { ...Object.fromEntries(levels), show, dispose: () => undefined } as object;
    },
    createTreeView: (id: string, options: vscode.TreeViewOptions<object>) => {
      const view = new View(id, options);
      const isVisible = this.views.get(id)?.visible === true;
      this.views.set(id, view);
      queueMicrotask(() => view.show(isVisible));
      return view;
    },
    registerTreeDataProvider: (id: string, treeDataProvider: vscode.TreeDataProvider<object>) =>
      this.window.createTreeView(id, { treeDataProvider }),
    createWebviewPanel: (viewType: string, title: string) => this.openPanel(viewType, title),
    registerWebviewPanelSerializer: (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
      this.serializers.set(viewType, serializer);
      return new types.Disposable(() => this.serializers.delete(viewType));
    },
    registerUriHandler: (handler: vscode.UriHandler) => {
      this.uriHandler = handler;
      return new types.Disposable(() => (this.uriHandler = undefined));
    },
    registerFileDecorationProvider: (provider: vscode.FileDecorationProvider) => this.#keep(this.decorations, provider),
    showTextDocument: async (given: Document | vscode.Uri, options: { selection?: types.Range } = {}) => {
      const document = 'getText' in given ? given : await this.documents.open(given);
      const { start, end } = options.selection ?? new types.Range(0, 0, 0, 0);
      this.activeEditor = { document, selections: [new types.Selection(start, end)] };
      this.#openTab({ input: new types.TabInputText(document.uri), document });
      this.editorChanged.fire(this.activeEditor);
      return this.activeEditor;
    },
    activeTextEditor: () => this.activeEditor && { ...this.activeEditor, selection: this.activeEditor.selections[0] },
    state: () => ({ focused: this.isFocused, active: this.isFocused }),
    onDidChangeWindowState: this.focusChanged.event,
    onDidChangeActiveTextEditor: this.editorChanged.event,
    tabGroups: () => {
      const activeTab = this.tabs.at(-1);
      const group = { tabs: this.tabs, activeTab };
      return {
        all: [group],
        activeTabGroup: group,
        close: async (tabs: Editor['tabs']) => tabs.forEach((tab) => this.closeTab(tab)),
      };
    },
  };

  readonly workspace = {
    isTrusted: () => this.isTrusted,
    onDidGrantWorkspaceTrust: this.trusted.event,
    workspaceFolders: () =>
      this.start.folders.length === 0
        ? undefined
        : this.start.folders.map((uri, index) => ({ uri, index, name: basename(uri.path) })),
    onDidChangeWorkspaceFolders: this.foldersChanged.event,
    getWorkspaceFolder: ({ path }: vscode.Uri) =>
      this.workspace.workspaceFolders()?.find(({ uri }) => path === uri.path || path.startsWith(`${uri.path}/`)),
    asRelativePath: ({ fsPath, path }: vscode.Uri) => {
      const folder = this.start.folders.find((one) => path.startsWith(`${one.path}/`));
      return folder ? relative(folder.fsPath, fsPath) : fsPath;
    },
    getConfiguration: (section?: string) => configuration(this.start.storage, this.#defaults(), section),
    onDidChangeConfiguration: (listener: (change: vscode.ConfigurationChangeEvent) => unknown) =>
      this.start.storage.settingChanged.event((name) =>
        listener({
          affectsConfiguration: (section) =>
            name === section || `${name}.`.startsWith(`${section}.`) || section.startsWith(`${name}.`),
        }),
      ),
    textDocuments: () => this.documents.all,
    openTextDocument: (...given: Parameters<Documents['open']>) => this.documents.open(...given),
    registerTextDocumentContentProvider: (scheme: string, provider: vscode.TextDocumentContentProvider) => {
      this.documents.providers.set(scheme, provider);
      const changes = provider.onDidChange?.(async (uri) => {
        const document = this.documents.find(uri);
        const text = document && (await provider.provideTextDocumentContent(uri, {} as vscode.CancellationToken));
        if (document && text !== document.text) {
          const all = new types.Range(0, 0, document.lineCount, 0);
          this.documents.change(document, [new types.TextEdit(all, text ?? '')], false);
        }
      });
      return new types.Disposable(() => changes?.dispose());
    },
    onDidOpenTextDocument: () => this.documents.opened.event,
    onDidChangeTextDocument: () => this.documents.changed.event,
    onDidSaveTextDocument: () => this.documents.saved.event,
    onDidCloseTextDocument: () => this.documents.closed.event,
    applyEdit: (edit: types.WorkspaceEdit) => this.documents.apply(edit.steps),
    decode: async (bytes: Uint8Array, { encoding }: { encoding?: string } = {}) => decode(bytes, encoding),
    findFiles: async (include: string | vscode.RelativePattern, exclude?: string | null, most = Infinity) => {
      const bases = typeof include === 'string' ? this.start.folders : [include.baseUri];
      const pattern = typeof include === 'string' ? include : include.pattern;
      const files = bases.flatMap(({ fsPath }) =>
        readdirSync(fsPath, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter(
            (path) => fits(relative(fsPath, path), pattern) && !(exclude && fits(relative(fsPath, path), exclude)),
          ),
      );
      return files.slice(0, most).map((path) => types.Uri.file(path));
    },
    createFileSystemWatcher: () => {
      const on = (wanted: string) => (listener: (uri: vscode.Uri) => unknown) =>
        this.filesChanged.event(({ kind, uri }) => kind === wanted && listener(uri));
      return {
        onDidCreate: on('created'),
        onDidChange: on('changed'),
        onDidDelete: on('deleted'),
        dispose: () => undefined,
      };
    },
    fs: {
      readFile: async ({ fsPath }: vscode.Uri) => onDisk(() => readFileSync(fsPath)),
      writeFile: async ({ fsPath }: vscode.Uri, bytes: Uint8Array) => onDisk(() => writeFileSync(fsPath, bytes)),
      stat: async ({ fsPath }: vscode.Uri) =>
        onDisk(() => {
          const [facts, link] = [statSync(fsPath), lstatSync(fsPath).isSymbolicLink() ? 64 : 0];
          return {
            type: link + (facts.isDirectory() ? 2 : 1),
            size: facts.size,
            mtime: facts.mtimeMs,
            ctime: facts.ctimeMs,
          };
        }),
      readDirectory: async ({ fsPath }: vscode.Uri) =>
        onDisk(() =>
          readdirSync(fsPath, { withFileTypes: true }).map((one) => [
            one.name,
            one.isSymbolicLink()
              ? 64 + (statSync(join(fsPath, one.name)).isDirectory() ? 2 : 1)
              : one.isDirectory()
                ? 2
                : 1,
          ]),
        ),
    },
  };

  readonly languages = {
    registerHoverProvider: this.#selecting(() => this.hovers),
    registerCodeActionsProvider: this.#selecting(() => this.actions),
    registerCodeLensProvider: this.#selecting(() => this.lenses),
    registerDocumentDropEditProvider: this.#selecting(() => this.drops),
    createDiagnosticCollection: () => {
      const all = new Map<string, readonly vscode.Diagnostic[]>();
      this.diagnostics.push(all);
      return {
        set: (uri: vscode.Uri, found: readonly vscode.Diagnostic[] = []) => void all.set(uri.toString(), found),
        delete: (uri: vscode.Uri) => void all.delete(uri.toString()),
        clear: () => all.clear(),
        dispose: () => all.clear(),
      };
    },
    getDiagnostics: (uri: vscode.Uri) => this.diagnostics.flatMap((all) => all.get(uri.toString()) ?? []),
  };

  readonly env = {
    language: () => this.start.language,
    uriScheme: 'vscode',
    appName: 'Visual Studio Code',
    remoteName: undefined,
    uiKind: types.UIKind.Desktop,
    clipboard: {
      readText: async () => this.clipboard,
      writeText: async (text: string) => void (this.clipboard = text),
    },
    openExternal: async (uri: vscode.Uri) => {
      this.opened.push(uri.toString(true));
      return true;
    },
    asExternalUri: async (uri: vscode.Uri) => uri,
  };

  readonly l10n = {
    bundle: () => this.#bundle(),
    t: (given: Message, ...rest: unknown[]): string => translate(this.#bundle(), given, ...rest),
  };

  readonly authentication = {
    registerAuthenticationProvider: (id: string, _label: string, provider: vscode.AuthenticationProvider) => {
      this.sessionProviders.set(id, provider);
      return new types.Disposable(() => this.sessionProviders.delete(id));
    },
    getAccounts: async (id: string) => {
      const sessions = await this.sessionProviders.get(id)?.getSessions(undefined, {});
      return sessions?.map(({ account }) => account) ?? [];
    },
    getSession: async (id: string, scopes: readonly string[], options: vscode.AuthenticationGetSessionOptions = {}) => {
      const provider = this.sessionProviders.get(id);
      const { account, createIfNone } = options;
      const sessions = (await provider?.getSessions(scopes, account ? { account } : {})) ?? [];
      const found = sessions.find((one) => !account || one.account.id === account.id);
      return found ?? (createIfNone ? await provider?.createSession(scopes, {}) : undefined);
    },
  };

  readonly lm = {
    registerTool: (name: string, tool: vscode.LanguageModelTool<object>) => {
      this.tools.set(name, tool);
      return new types.Disposable(() => this.tools.delete(name));
    },
  };

  readonly extensionsApi = {
    all: () => this.extensions,
    getExtension: (id: string) => this.extensions.find((one) => one.id === id),
    onDidChange: this.extensionsChanged.event,
  };

  /** The window is closed: it no longer hears of what others store. */
  dispose(): void {
    [this.context.globalState, this.context.workspaceState].forEach((one) => (one as unknown as Memento).dispose());
  }

  openPanel(viewType: string, title: string): Panel {
    const panel = new Panel(viewType, title);
    this.panels.push(panel);
    const tab = { input: new types.TabInputWebview(`mainThreadWebview-${viewType}`), panel };
    this.#openTab(tab);
    panel.onDidDispose(() => this.closeTab(tab));
    return panel;
  }

  closeTab(tab: Editor['tabs'][number]): void {
    if (this.tabs.includes(tab)) {
      this.tabs.splice(this.tabs.indexOf(tab), 1);
      tab.panel?.dispose();
      if (tab.document) {
        this.documents.close(tab.document);
      }
    }
  }

  #openTab(tab: Editor['tabs'][number]): void {
    this.tabs.forEach(({ panel }) => panel?.show(false));
    this.tabs.push(tab);
  }

  /** An address that is given as text is opened as it stands. */
  async #open(uri: vscode.Uri | string): Promise<void> {
    if (typeof uri === 'string') {
      this.opened.push(uri);
    } else if (/^https?$/.test(uri.scheme)) {
      await this.env.openExternal(uri);
    } else {
      await this.window.showTextDocument(uri);
    }
  }

  #message(kind: 'information' | 'warning' | 'error') {
    return async (text: string, ...rest: readonly (string | vscode.MessageOptions)[]): Promise<string | undefined> => {
      const buttons = rest.filter((one) => typeof one === 'string');
      const options = rest.find((one) => typeof one === 'object');
      const { modal: isModal = false, detail = '' } = options ?? {};
      return await this.start.user.read({ kind, text, detail, isModal, buttons });
    };
  }

  async #chooseFile(kind: 'open' | 'save', text = ''): Promise<vscode.Uri | undefined> {
    const path = await this.start.user.read({ kind, text, detail: '', isModal: true, buttons: [] });
    return path === undefined ? undefined : types.Uri.file(path);
  }

  #createInput(kind: Input['kind']): Input {
    return new Input(kind, (input) => {
      if (this.#input !== input) {
        // There is one at a time.
        this.#input?.hide();
        this.#input = input;
      }
      this.start.user.see(input);
    });
  }

  #selecting<T>(all: () => Selected<T>[]) {
    return (selector: vscode.DocumentSelector, provider: T) => this.#keep(all(), { selector, provider });
  }

  /** Keeps something in a list until it is disposed of. */
  #keep<T>(list: T[], one: T): types.Disposable {
    list.push(one);
    return new types.Disposable(() => list.splice(list.indexOf(one), 1));
  }

  #defaults(): Record<string, unknown> {
    const properties = this.start.manifest.contributes.configuration.flatMap((part) => Object.entries(part.properties));
    return { ...editorDefaults, ...Object.fromEntries(properties.map(([name, property]) => [name, property.default])) };
  }

  #bundle(): Record<string, string> | undefined {
    const file = types.Uri.joinPath(this.start.extensionUri, 'l10n', `bundle.l10n.${this.start.language}.json`);
    return this.start.language === 'en'
      ? undefined
      : (JSON.parse(readFileSync(file.fsPath, 'utf8')) as Record<string, string>);
  }
}

type Message = string | { message: string; args?: object };

/** Does what `vscode.l10n.t` does. */
export function translate(bundle: Record<string, string> | undefined, given: Message, ...rest: unknown[]): string {
  const [message, args] = typeof given === 'string' ? [given, rest] : [given.message, given.args ?? []];
  const values = (rest[0] !== null && typeof rest[0] === 'object' ? rest[0] : args) as Record<string, unknown>;
  const text = bundle?.[message] ?? message;
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** Settings of the editor itself, without which some features do nothing. */
const editorDefaults = { 'files.exclude': { '**/.git': true }, 'search.exclude': {}, 'http.proxyStrictSSL': true };

function onDisk<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new types.FileSystemError(message, code === 'ENOENT' ? 'FileNotFound' : code);
  }
}

/** Whether a path fits a glob as the editor reads them: unlike in a shell, `*` stands for names with a dot in front, too. */
function fits(path: string, glob: string): boolean {
  const meanings: Readonly<Record<string, string>> = {
    ...{ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|' },
  };
  const source = glob.replaceAll(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (part) => meanings[part] ?? `\\${part}`);
  return new RegExp(`^(?:${source})$`).test(path.replaceAll(sep, '/'));
}
