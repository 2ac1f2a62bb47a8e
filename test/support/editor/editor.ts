import { AsyncLocalStorage } from 'node:async_hooks';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { toFileSystemError } from 'jest-mock-vscode/dist/vscode/FileSystemError.js';
import type * as vscode from 'vscode';
import { decode, type Document, Documents } from './documents.ts';
import { questionsTo, type User } from './inputs.ts';
import { configuration, Memento, Secrets, type Storage } from './storage.ts';
import * as types from './types.ts';
import { View } from './view.ts';

/** The window that the running code belongs to. */
export const current: AsyncLocalStorage<Pick<Editor, 'api'>> = new AsyncLocalStorage();

/** What is read of package.json. */
interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

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

/** A page in a tab, in front of which another one may come. */
export class Panel {
  readonly viewType: string;
  title: string;
  visible = false;
  readonly posted: unknown[] = [];
  readonly received = new types.EventEmitter<unknown>();
  readonly #disposed = new types.EventEmitter<void>();
  readonly #viewState = new types.EventEmitter<{ webviewPanel: Panel }>();
  /** The pages of the window. */
  readonly #all: Panel[];
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#viewState.event;
  readonly webview = {
    html: '',
    onDidReceiveMessage: this.received.event,
    postMessage: async (message: unknown): Promise<boolean> => {
      this.posted.push(structuredClone(message));
      return this.visible;
    },
  };

  constructor(viewType: string, title: string, all: Panel[]) {
    [this.viewType, this.title, this.#all] = [viewType, title, all];
    all.push(this);
    this.show(true);
  }

  reveal(): void {
    this.show(true);
  }

  show(isVisible: boolean): void {
    if (this.visible !== isVisible) {
      this.visible = isVisible;
      this.#viewState.fire({ webviewPanel: this });
      this.#all.filter((other) => isVisible && other !== this).forEach((other) => other.show(false));
    }
  }

  dispose(): void {
    if (this.#all.includes(this)) {
      this.#all.splice(this.#all.indexOf(this), 1);
      this.#disposed.fire();
    }
  }
}

/** Settings of the editor itself, without which some features do nothing. */
const editorDefaults = { 'files.exclude': { '**/.git': true }, 'search.exclude': {}, 'http.proxyStrictSSL': true };

export type Editor = ReturnType<typeof openEditor>;

/** Opens a window of the editor: `api` is what an extension gets of it, all else is what the window shows and has. */
export function openEditor(start: Start) {
  const { storage, user, folders, manifest, extensionUri } = start;
  const documents = new Documents(async (labels) => {
    const preview = { text: labels.join('\n'), detail: '', isModal: true, buttons: ['Apply'] };
    return (await user.read({ kind: 'preview', ...preview })) === 'Apply';
  });
  const [globalState, workspaceState] = [new Memento(storage.global), new Memento(storage.workspace)];
  const extension = { id: `${manifest.publisher}.${manifest.name}`, extensionUri, packageJSON: manifest };
  const on = {
    focus: new types.EventEmitter<{ focused: boolean; active: boolean }>(),
    editor: new types.EventEmitter<object | undefined>(),
  };
  const it = {
    start,
    documents,
    on,
    secrets: new Secrets(storage),
    handlers: new Map<string, (...args: readonly never[]) => unknown>(),
    contextKeys: new Map<string, unknown>(),
    /** Commands of the editor itself that were run, with what they were given. */
    calls: [] as (readonly [command: string, ...args: unknown[]])[],
    views: new Map<string, View>(),
    panels: [] as Panel[],
    /** What the extension offers by `register…`: the kind, for what, and the provider. */
    offers: [] as (readonly [kind: string, of: unknown, provider: unknown])[],
    diagnostics: [] as Map<string, readonly vscode.Diagnostic[]>[],
    extensions: [extension] as unknown as vscode.Extension<unknown>[],
    /** Those of another extension, which it lends. */
    sessions: [] as vscode.AuthenticationSession[],
    log: [] as string[],
    statusBar: [] as { text: string; isShown: boolean }[],
    progress: [] as { readonly title: string; readonly messages: string[]; readonly cancel: () => void }[],
    /** Addresses that were opened outside. */
    opened: [] as string[],
    isFocused: true,
    clipboard: '',
    activeEditor: undefined as
      | { readonly document: Document; readonly selection: types.Selection; readonly selections: object[] }
      | undefined,
  };
  const context = {
    ...{ subscriptions: [], secrets: it.secrets, globalState, workspaceState },
    ...{ extension, extensionUri, globalStorageUri: start.storageUri },
  };
  const never = new types.EventEmitter<void>().event;

  /** Keeps something in a list until it is disposed of. */
  const listed = <T>(list: T[], one: T): types.Disposable => {
    list.push(one);
    return new types.Disposable(() => list.splice(list.indexOf(one), 1));
  };
  const offering = (kind: string) => (of: unknown, provider: unknown) => listed(it.offers, [kind, of, provider]);
  /** Those who offer something, the newest one first. */
  const offered = <T>(kind: string, of?: unknown): T[] =>
    it.offers
      .filter((offer) => offer[0] === kind && (of === undefined || offer[1] === of))
      .map((offer) => offer[2] as T);
  const openExternal = async (uri: vscode.Uri): Promise<boolean> => it.opened.push(uri.toString(true)) > 0;
  const createTreeView = (id: string, options: vscode.TreeViewOptions<object>): View => {
    const view = new View(options);
    if (it.views.get(id)?.visible === true) {
      queueMicrotask(() => view.show(true));
    }
    it.views.set(id, view);
    return view;
  };
  const showTextDocument = async (given: Document | vscode.Uri, options: { selection?: vscode.Range } = {}) => {
    const document = 'getText' in given ? given : await documents.open(given);
    it.panels.forEach((panel) => panel.show(false));
    const { start: from, end: to } = options.selection ?? new types.Range(0, 0, 0, 0);
    const selection = new types.Selection(from, to);
    it.activeEditor = { document, selection, selections: [selection] };
    on.editor.fire(it.activeEditor);
    return it.activeEditor;
  };
  const properties = manifest.contributes.configuration.flatMap((part) => Object.entries(part.properties));
  const ownDefaults = Object.fromEntries(properties.map(([name, property]) => [name, property.default]));
  const workspaceFolders = folders.map((uri, index) => ({ uri, index, name: basename(uri.path) }));
  const folderOf = ({ path }: vscode.Uri) => workspaceFolders.find(({ uri }) => `${path}/`.startsWith(`${uri.path}/`));
  const bundle = types.Uri.joinPath(extensionUri, 'l10n', `bundle.l10n.${start.language}.json`);
  // What pages are built from may not be there, and no test of the stand-in looks at it.
  const built = types.Uri.joinPath(extensionUri, 'dist').fsPath;
  const views = Object.values(manifest.contributes.views).flat();
  views.forEach(({ id }) => it.handlers.set(`${id}.focus`, () => it.views.get(id)?.show(true)));

  const api = {
    commands: {
      registerCommand: (id: string, handler: (...args: readonly never[]) => unknown) => {
        if (it.handlers.has(id)) {
          throw new Error(`command '${id}' already exists`);
        }
        it.handlers.set(id, handler);
        return new types.Disposable(() => it.handlers.delete(id));
      },
      executeCommand: async (id: string, ...args: readonly unknown[]): Promise<unknown> => {
        const handler = it.handlers.get(id);
        if (handler) {
          return await handler(...(args as never[]));
        }
        const [first, second] = args;
        if (id === 'setContext') {
          it.contextKeys.set(first as string, second);
        } else if (id === 'vscode.open') {
          await openExternal(types.Uri.parse(String(first)));
        } else if (!/^(?:vscode|workbench|markdown|git)\./.test(id)) {
          throw new Error(`command '${id}' not found`);
        }
        it.calls.push([id, ...args]);
        return undefined;
      },
    },
    window: {
      ...questionsTo(user),
      withProgress: async (
        { title = '', location }: vscode.ProgressOptions,
        run: (progress: object, token: object) => Promise<unknown>,
      ) => {
        const source = new types.CancellationTokenSource();
        const messages: string[] = [];
        const name = typeof location === 'object' ? location.viewId : title;
        const shown = listed(it.progress, { title: name, messages, cancel: () => source.cancel() });
        const report = ({ message }: { message?: string }) => message !== undefined && messages.push(message);
        return await Promise.resolve(run({ report }, source.token)).finally(() => void shown.dispose());
      },
      createStatusBarItem: () => {
        const item = { text: '', isShown: false };
        const [show, hide] = [true, false].map((isShown) => () => Object.assign(item, { isShown }));
        const shown = listed(it.statusBar, item);
        return Object.assign(item, { show, hide, dispose: () => void shown.dispose() });
      },
      setStatusBarMessage: (text: string) => listed(it.statusBar, { text, isShown: true }),
      createOutputChannel: () => {
        const write = (level: string) => (text: unknown) => it.log.push(`${level}: ${String(text)}`);
        const levels = ['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, write(level)]);
        return { ...Object.fromEntries(levels), show: () => {}, dispose: () => {} } as object;
      },
      createTreeView,
      registerTreeDataProvider: (id: string, treeDataProvider: vscode.TreeDataProvider<object>) =>
        createTreeView(id, { treeDataProvider }),
      createWebviewPanel: (viewType: string, title: string) => new Panel(viewType, title, it.panels),
      registerWebviewPanelSerializer: offering('pages'),
      registerUriHandler: (handler: vscode.UriHandler) => offering('links')(undefined, handler),
      registerFileDecorationProvider: offering('decorations'),
      showTextDocument,
      get activeTextEditor() {
        return it.activeEditor;
      },
      get state() {
        return { focused: it.isFocused, active: it.isFocused };
      },
      onDidChangeWindowState: on.focus.event,
      onDidChangeActiveTextEditor: on.editor.event,
      get tabGroups() {
        const tabs = it.panels.map((panel) => ({
          input: new types.TabInputWebview(`mainThreadWebview-${panel.viewType}`),
          panel,
        }));
        return { all: [{ tabs }], close: async (all: typeof tabs) => all.forEach(({ panel }) => panel.dispose()) };
      },
    },
    workspace: {
      isTrusted: start.isTrusted,
      workspaceFolders: folders.length === 0 ? undefined : workspaceFolders,
      onDidChangeWorkspaceFolders: never,
      onDidGrantWorkspaceTrust: never,
      getWorkspaceFolder: folderOf,
      asRelativePath: (uri: vscode.Uri) => relative(folderOf(uri)?.uri.fsPath ?? uri.fsPath, uri.fsPath) || uri.fsPath,
      getConfiguration: (section?: string) => configuration(storage, { ...editorDefaults, ...ownDefaults }, section),
      onDidChangeConfiguration: (listener: (change: vscode.ConfigurationChangeEvent) => unknown) =>
        storage.settingChanged.event((name) =>
          listener({ affectsConfiguration: (section) => `${name}.`.startsWith(`${section}.`) }),
        ),
      textDocuments: documents.all,
      openTextDocument: (...given: Parameters<Documents['open']>) => documents.open(...given),
      registerTextDocumentContentProvider: (scheme: string, provider: vscode.TextDocumentContentProvider) =>
        documents.provide(scheme, provider),
      onDidOpenTextDocument: documents.opened.event,
      onDidChangeTextDocument: documents.changed.event,
      onDidSaveTextDocument: documents.saved.event,
      onDidCloseTextDocument: never,
      applyEdit: (edit: types.WorkspaceEdit) => documents.apply(edit),
      decode: async (bytes: Uint8Array, { encoding }: { encoding?: string }) => decode(bytes, encoding),
      findFiles: async (include: string | vscode.RelativePattern, exclude?: string | null, most?: number) => {
        const [bases, pattern] =
          typeof include === 'string' ? [folders, include] : [[include.baseUri], include.pattern];
        const found = bases.flatMap((base) =>
          (base.scheme === 'file' ? (readdirSync(base.fsPath, { recursive: true }) as string[]) : [])
            .filter((path) => fits(path, pattern) && !fits(path, exclude ?? ''))
            .map((path) => types.Uri.joinPath(base, path))
            .filter(({ fsPath }) => lstatSync(fsPath, { throwIfNoEntry: false })?.isDirectory() !== true),
        );
        return found.slice(0, most);
      },
      fs: {
        readFile: onDisk((path) => (path.startsWith(built) ? new Uint8Array() : readFileSync(path))),
        writeFile: onDisk((path, bytes: Uint8Array) => writeFileSync(path, bytes)),
        delete: onDisk((path, options?: { recursive?: boolean }) => rmSync(path, options)),
        stat: onDisk((path) => {
          const { size, mtimeMs: mtime } = statSync(path);
          return { type: typeOf(path), size, mtime };
        }),
        readDirectory: onDisk((path) => readdirSync(path).map((name) => [name, typeOf(join(path, name))])),
      },
    },
    languages: {
      registerHoverProvider: offering('hovers'),
      registerCodeActionsProvider: offering('actions'),
      createDiagnosticCollection: () => {
        const all = new Map<string, readonly vscode.Diagnostic[]>();
        it.diagnostics.push(all);
        const set = (uri: vscode.Uri, found: readonly vscode.Diagnostic[] = []) => void all.set(uri.toString(), found);
        const clear = () => all.clear();
        const forEach = (call: (uri: vscode.Uri) => void) =>
          [...all.keys()].forEach((uri) => call(types.Uri.parse(uri)));
        return { set, clear, forEach, dispose: clear };
      },
      getDiagnostics: (uri: vscode.Uri) => it.diagnostics.flatMap((all) => all.get(uri.toString()) ?? []),
    },
    env: {
      ...{ language: start.language, uriScheme: 'vscode', appName: 'Visual Studio Code' },
      clipboard: {
        writeText: async (text: string) => void (it.clipboard = text),
      },
      openExternal,
      asExternalUri: async (uri: vscode.Uri) => uri,
    },
    l10n: {
      bundle:
        start.language === 'en'
          ? undefined
          : (JSON.parse(readFileSync(bundle.fsPath, 'utf8')) as Readonly<Record<string, string>>),
    },
    authentication: {
      registerAuthenticationProvider: offering('sessions'),
      getAccounts: async () => it.sessions.map(({ account }) => account),
      getSession: async (_: string, _scopes: unknown, { account }: vscode.AuthenticationGetSessionOptions) =>
        it.sessions.find((one) => !account || one.account.id === account.id),
    },
    lm: { registerTool: offering('tools') },
    extensions: {
      all: it.extensions,
      getExtension: (id: string) => it.extensions.find((one) => one.id === id),
      onDidChange: never,
    },
  };
  const run = <T>(act: () => T): T => current.run({ api }, act);
  /** The window is closed: it no longer hears of what others store. */
  const dispose = () => void types.Disposable.from(globalState, workspaceState).dispose();
  return Object.assign(it, { api, context: context as unknown as vscode.ExtensionContext, offered, run, dispose });
}

/** Does something to a file, or fails as the editor does. */
const onDisk =
  <Rest extends readonly unknown[], T>(act: (path: string, ...rest: Rest) => T) =>
  async (uri: vscode.Uri, ...rest: Rest): Promise<T> => {
    try {
      return act(uri.fsPath, ...rest);
    } catch (error) {
      throw toFileSystemError(uri, error);
    }
  };

/** The type of a file; of a link that of its target, too. */
function typeOf(path: string): number {
  const { File, Directory, SymbolicLink, Unknown } = types.FileType;
  // One that is gone by now is of no type.
  const [target, own] = [statSync, lstatSync].map((read) => read(path, { throwIfNoEntry: false }));
  const type = target?.isDirectory() ? Directory : target?.isFile() ? File : Unknown;
  return type + (own?.isSymbolicLink() ? SymbolicLink : Unknown);
}

/** Whether a path fits a glob as the editor reads them: unlike in a shell, `*` stands for names with a dot in front, too. */
function fits(path: string, glob: string): boolean {
  const meanings: Readonly<Record<string, string>> = {
    ...{ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' },
  };
  const source = glob.replaceAll(/\*\*\/|\*\*|[*{},]|[.?+^$()|\\]/g, (part) => meanings[part] ?? `\\${part}`);
  return new RegExp(`^(?:${source})$`).test(path);
}
