import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { install } from '@sinonjs/fake-timers';
import type * as vscode from 'vscode';
import type { SampleTokens } from '../../src/sandbox/state/sampleData.ts';
import type { Document } from './editor/documents.ts';
import { type Editor, openEditor, type Panel, type Start } from './editor/editor.ts';
import { Storage } from './editor/storage.ts';
import { labelOf, lineOf, type Row, type View, visible } from './editor/view.ts';
import { CancellationTokenSource, Range, Uri } from './editor/vscode.ts';
import { FakeClock } from './fakeClock.ts';
import { type Sandbox, type SandboxOptions, type SeenRequest, startSandbox } from './sandbox/sandbox.ts';
import { idle } from './window/idle.ts';
import { type Answer, type Question, Questions, type Shown } from './window/questions.ts';
import { Repositories, type RepositoryChoice } from './window/repositories.ts';
import { holds } from './window/whenClause.ts';

const root = join(import.meta.dirname, '..', '..');
/** Real milliseconds after which what a test waits for counts as what never comes. */
const patience = 30_000;
// Before a test sets the time.
const realNow = performance.now.bind(performance);
const realTimeout = setTimeout;

/** What a window is opened with. */
export interface WindowOptions {
  /** Whose account of the sandbox the window is signed in to, by the command of the product. */
  readonly signedInAs?: keyof SampleTokens;
  /** A sandbox that runs already, or how that of the window is started; false: there is none. */
  readonly sandbox?: Sandbox | Omit<SandboxOptions, 'onRequest'> | false;
  /** The texts of files in the workspace, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a folder is open at all; yes if not given. In a `virtual` one the editor cannot search. */
  readonly hasFolder?: boolean | 'virtual';
  /** Settings of the user, by their whole names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** State that is left from before, by its keys: of the editor and of the workspace. */
  readonly left?: Readonly<Record<string, unknown>>;
  /** Remotes of the repository that the workspace's folder is. */
  readonly remotes?: RepositoryChoice['remotes'];
  readonly language?: 'en' | 'de' | 'ja';
  readonly isTrusted?: boolean;
  /** The time of day: from then on time passes by `advance` alone, for the whole process. */
  readonly time?: Date | string | number;
}

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface Contributions {
  readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[];
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
  readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
}

type Clock = ReturnType<typeof install>;

/** What windows have in common that are open one after the other, or side by side. */
interface Ground {
  readonly folder: string;
  readonly sandbox: Sandbox | undefined;
  readonly ownsSandbox: boolean;
  readonly requests: SeenRequest[];
  readonly options: WindowOptions;
  readonly clock: Clock | undefined;
}

/**
 * A window of the editor with the whole extension in it, in plain Node: what a user knows and does, and nothing of what is inside.
 *
 *     const window = await TestWindow.open({ signedInAs: 'owner', files: { 'app.py': '…' } });
 *     window.answer('Search projects', { type: 'shop', next: 'nimbus/shop' });   // before it is asked; see `Answer`
 *     await window.run('beacon.activity.selectFeed');                            // throws if a question had no answer
 *     await window.rows('beacon.activity')                                       // ['Today', '  Ada pushed to main 3 min ago', …]
 *     await window.until(() => window.requests.some(({ path }) => path.startsWith('/events')));
 *     await window.dispose();                                                    // throws if an answer was never asked for
 *
 * - **Questions** (quick picks, inputs, modal messages, previews, dialogs for files): `answer(text, …)` before, `asked` after.
 * - **Messages** that need no answer: `messages`, `message(text)` waits for one, `press(button)` presses a button of one.
 * - **Views**: `rows`, `row` (waits for it), `click`, `choose` (of its menu), `select`, `view` (badge, title, …), `menu` of the title,
 *   `welcome`. A view is visible from the first of these on.
 * - **Commands**: `run(id, …args)`; `palette()` lists what the palette offers; `calls` those of the editor itself that were run.
 * - **Files**: `path(…)`, `write` on the disk, `read`; `show(path, select)` opens one in an editor, `type` replaces text, `text`;
 *   `problems(path)`, `fixes(path)` and `fix(path, title)`, `hover(path, text)`. `document()` is the one in front.
 * - **Pages**: `panel(viewType)` waits for one: `webview.html`, `posted`, `received.fire(message)` sends to the host, `show(false)`.
 * - **Else**: `clipboard`, `opened` (addresses), `log`, `requests` at the sandbox and `sandbox.control`, `statusBar`, `progress`,
 *   `setting(name, value)`, `tool(name, input)` of assistants, `link(path)`, `focus(false)`, `secrets.failure`, `repositories`.
 * - **Life**: `restart()` over the same storage, pages included; `second()` opens another window over it; `within(() => …)` runs code
 *   as the extension's. Time is real unless `time` is given: then `advance(milliseconds)`.
 *
 * Nothing waits for time: `until(condition)` asks again in each turn, and says what is there when it gives up.
 */
export class TestWindow {
  readonly #ground: Ground;
  readonly #storage: Storage;
  readonly #workspace: vscode.Uri;
  readonly #others: TestWindow[] = [];
  #questions = new Questions();
  #editor: Editor;
  #repositories: Repositories;

  private constructor(ground: Ground, storage: Storage, workspace: string) {
    [this.#ground, this.#storage, this.#workspace] = [ground, storage, Uri.file(workspace)];
    [this.#editor, this.#repositories] = this.#makeEditor();
  }

  static async open(options: WindowOptions = {}): Promise<TestWindow> {
    const folder = mkdtempSync(join(tmpdir(), 'beacon-window-'));
    const clock = options.time === undefined ? undefined : stopTime(new Date(options.time));
    const requests: SeenRequest[] = [];
    const { sandbox: choice = {} } = options;
    const start = { liveEvents: false, ...choice, onRequest: (request: SeenRequest) => requests.push(request) };
    const isRunning = choice === false || 'control' in choice;
    const sandbox = isRunning ? choice || undefined : await startSandbox(start);
    const ground = { folder, sandbox, ownsSandbox: !isRunning, requests, options, clock };
    ['workspace', 'storage'].forEach((part) => mkdirSync(join(folder, part)));
    const storage = new Storage();
    Object.assign(storage.settings[0], options.settings);
    storage.global.text = storage.workspace.text = JSON.stringify(options.left ?? {});
    const window = new TestWindow(ground, storage, join(folder, 'workspace'));
    Object.entries(options.files ?? {}).forEach(([path, text]) => window.write(path, text));
    if (options.remotes) {
      window.repositories.open({ folder: window.#workspace, remotes: options.remotes });
    }
    try {
      await window.#activate();
      if (options.signedInAs !== undefined) {
        await window.signIn(options.signedInAs);
      }
      return window;
    } catch (error) {
      await window.dispose().catch(() => undefined);
      throw error;
    }
  }

  /** Signs in to the sandbox of the window, or to another one, by the command of the product. */
  async signIn(
    as: keyof SampleTokens = 'owner',
    sandbox: Pick<Sandbox, 'url' | 'tokens'> = this.sandbox,
  ): Promise<void> {
    const before = this.messages.length;
    this.answer('Personal access token', sandbox.tokens[as]);
    await this.run('beacon.signIn', { url: sandbox.url });
    this.messages.splice(before);
  }

  // What the user does.

  /** See `Questions.expect`. */
  answer(question: string | RegExp, answer: Answer): void {
    this.#questions.expect(question, answer);
  }

  /** Runs a command, as a key or a link does. @throws if a question had no answer. */
  async run(command: string, ...args: readonly unknown[]): Promise<unknown> {
    const result = this.within(() => this.#editor.api.commands.executeCommand(command, ...args));
    return await this.#patiently(result, `"${command}" comes to no end`);
  }

  /** Presses the button of the newest message that has it, once there is one. */
  async press(button: string): Promise<void> {
    await this.until(() => this.within(() => this.#questions.press(button)), `a message with the button "${button}"`);
  }

  /** Closes messages that need no answer as soon as they are shown, from now on, and questions that have none. */
  closeMessages({ andQuestions = false } = {}): void {
    Object.assign(this.#questions, { closesMessages: true, dismissesQuestions: andQuestions });
  }

  /** Waits until something holds. @returns what it gives. */
  async until<T>(
    condition: () => T | Promise<T>,
    what = String(condition),
  ): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
    const end = realNow() + patience;
    for (let turns = 0; ; turns += 1) {
      this.#questions.check();
      const result = await condition();
      if (result) {
        return result as Exclude<T, undefined | null | false | 0 | ''>;
      }
      if (realNow() > end) {
        throw new Error(`Waited in vain for ${what}\n${this.#situation()}`);
      }
      // What takes more than some turns waits for an answer or a process: to look without a break would only slow it down.
      await new Promise<void>((resolve) => (turns < 20 ? setImmediate(resolve) : realTimeout(resolve, 2)));
    }
  }

  /** Lets time pass that `time` has stopped, with all that falls due meanwhile. */
  async advance(milliseconds: number): Promise<void> {
    const { clock } = this.#ground;
    if (!clock) {
      throw new Error('The window was opened without a time');
    }
    await idle();
    await new FakeClock(clock.now, clock).pass(milliseconds, idle);
  }

  /** Comes to the window, or goes to another one. */
  focus(isFocused: boolean): void {
    this.#editor.isFocused = isFocused;
    this.#editor.on.focus.fire({ focused: isFocused, active: isFocused });
  }

  /** Changes a setting of the user. */
  async setting(name: string, value: unknown): Promise<void> {
    await this.within(() => this.#editor.api.workspace.getConfiguration().update(name, value, true));
  }

  /** Follows a link to the editor, such as `/project?…`. */
  async link(pathAndQuery: string): Promise<void> {
    const uri = Uri.parse(`vscode://beacon-gitlab.beacon-gitlab${pathAndQuery}`);
    await this.#patiently(
      this.within(async () => await this.#editor.offered<vscode.UriHandler>('links')[0]?.handleUri(uri)),
      `the link ${pathAndQuery} comes to no end`,
    );
  }

  /**
   * Lets a language model use a tool.
   *
   * @param between what happens after the user was shown what is asked for; false: they are not shown it.
   * @returns what it is told, and what the user is asked before.
   */
  async tool(
    name: string,
    input: object,
    between: (() => Promise<unknown>) | false = async () => undefined,
  ): Promise<{ readonly text: string; readonly confirmation: string | undefined }> {
    const [tool] = this.#editor.offered<vscode.LanguageModelTool<object>>('tools', name);
    const options = { input, toolInvocationToken: undefined };
    return await this.within(async () => {
      const { token } = new CancellationTokenSource();
      const prepared = between === false ? undefined : await tool?.prepareInvocation?.({ input }, token);
      await (between && between());
      const result = await tool?.invoke(options, token);
      const { title, message } = prepared?.confirmationMessages ?? {};
      const question = typeof message === 'object' ? message.value : message;
      return {
        text: (result?.content ?? []).map((part) => (part as { value: string }).value).join('\n'),
        confirmation: title === undefined ? undefined : visible(`${title}\n${question ?? ''}`),
      };
    });
  }

  /** Installs GitLab's own extension, which has these sessions to lend. */
  lend(sessions: readonly vscode.AuthenticationSession[]): void {
    const packageJSON = { displayName: 'GitLab', contributes: { authentication: [{ id: 'gitlab' }] } };
    const extension = { id: 'gitlab.gitlab-workflow', packageJSON, isActive: true };
    this.#editor.extensions.push(extension as unknown as vscode.Extension<unknown>);
    this.#editor.sessions.push(...sessions);
  }

  /** Runs code as the extension's, which may use `vscode`. */
  within<T>(act: () => T): T {
    return this.#editor.run(act);
  }

  /** Calls the instance as its owner does elsewhere, such as in the browser. @returns what it answers, as JSON. */
  async elsewhere<T = Readonly<Record<string, unknown>>>(
    path: string,
    body?: object,
    method = body ? 'PUT' : 'GET',
  ): Promise<T> {
    const headers = { 'private-token': this.sandbox.tokens.owner, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const text = await (await fetch(`${this.sandbox.url}/api/v4${path}`, init)).text();
    return (text && JSON.parse(text)) as T;
  }

  // What the user sees.

  get asked(): readonly Question[] {
    return this.#questions.asked;
  }

  get messages(): Shown[] {
    return this.#questions.messages;
  }

  /** Waits for a message whose text has or matches this. */
  async message(wanted: string | RegExp): Promise<Shown> {
    const matches = ({ text }: Shown): boolean =>
      typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    return await this.until(() => this.messages.findLast(matches), `a message with ${String(wanted)}`);
  }

  get clipboard(): string {
    return this.#editor.clipboard;
  }

  /** Addresses that were opened in the browser. */
  get opened(): readonly string[] {
    return this.#editor.opened;
  }

  get calls(): Editor['calls'] {
    return this.#editor.calls;
  }

  get log(): readonly string[] {
    return this.#editor.log;
  }

  /** Texts of the status bar. */
  get statusBar(): readonly string[] {
    return this.#editor.statusBar.filter(({ isShown }) => isShown).map(({ text }) => visible(text));
  }

  /** What runs with progress: notifications by their titles, and views by their ids. */
  get progress(): Editor['progress'] {
    return this.#editor.progress;
  }

  /** What is kept beside secrets, as it is on the disk: mementos, and files of the extension's own folder. */
  get kept(): string {
    const folder = join(this.#ground.folder, 'storage');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const texts = files.map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`);
    return [this.#storage.global.text, this.#storage.workspace.text, ...texts].join('\n');
  }

  get secrets(): Editor['secrets'] {
    return this.#editor.secrets;
  }

  get repositories(): Repositories {
    return this.#repositories;
  }

  get sandbox(): Sandbox {
    return present(this.#ground.sandbox, 'a sandbox');
  }

  /** What reached the instance, of all windows. */
  get requests(): readonly SeenRequest[] {
    return this.#ground.requests;
  }

  /** The requests that write. */
  get writes(): readonly SeenRequest[] {
    return this.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  }

  get contextKeys(): ReadonlyMap<string, unknown> {
    return this.#editor.contextKeys;
  }

  /** Waits for a page of this type, such as `beacon.activityEvent`. */
  async panel(viewType: string): Promise<Panel> {
    return await this.until(() => this.panels.findLast((one) => one.viewType === viewType), `a page ${viewType}`);
  }

  get panels(): readonly Panel[] {
    return this.#editor.panels;
  }

  /** The titles of the commands that the palette offers. */
  palette(): readonly string[] {
    const { commands, menus } = this.#contributions;
    const entries = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
    return commands
      .filter(({ command, enablement }) => this.#holds(entries.get(command)) && this.#holds(enablement))
      .map(({ command }) => this.#title(command));
  }

  // Views.

  /** What a view says of itself, once there is one. */
  async view(id: string): Promise<View> {
    return await this.until(() => this.#editor.views.get(id), `the view ${id}`);
  }

  /** All rows of a view in lines, indented by their depth, as they are by now. */
  async rows(view: string): Promise<readonly string[]> {
    return (await this.#look(view)).map(lineOf);
  }

  /** Waits for a row whose label is or matches this, and gives it with what the editor makes of it. */
  async row(view: string, label: string | RegExp) {
    const row = await this.#find(view, label);
    const { item } = row;
    const { description, contextValue = '' } = item;
    const shown = await this.view(view);
    return {
      label: labelOf(item),
      description: typeof description === 'string' ? visible(description) : '',
      contextValue,
      tooltip: await this.within(() => shown.tooltip(row)),
      /** The id of the command that a click runs. */
      command: item.command?.command,
      accessibleName: item.accessibilityInformation?.label,
      icon: item.iconPath,
      /** The titles of what its menu and its icons offer; those of a submenu after its name and `>`. */
      menu: this.#menu('view/item/context', view, item.contextValue).map(({ title }) => title),
    };
  }

  /** Clicks on a row. */
  async click(view: string, label: string | RegExp): Promise<void> {
    await this.select(view, label);
    const { item } = await this.#find(view, label);
    if (item.command) {
      await this.run(item.command.command, ...((item.command.arguments as unknown[] | undefined) ?? []));
    }
  }

  /** Selects rows. */
  async select(view: string, ...labels: readonly (string | RegExp)[]): Promise<void> {
    const nodes = await Promise.all(labels.map(async (label) => (await this.#find(view, label)).node));
    (await this.view(view)).select(...nodes);
  }

  /** Chooses from the menu of a row, by the title. Rows that are selected with it are given, too. */
  async choose(view: string, label: string | RegExp, title: string): Promise<void> {
    const row = await this.#find(view, label);
    const menu = this.#menu('view/item/context', view, row.item.contextValue);
    const { selection } = await this.view(view);
    const others = selection.includes(row.node) && selection.length > 1 ? [selection] : [];
    await this.run(commandOf(menu, title), row.node, ...others);
  }

  /** The titles of what the title of a view offers. */
  menu(view: string): readonly string[] {
    return this.#menu('view/title', view).map(({ title }) => title);
  }

  /** Chooses from the title of a view. */
  async chooseOfTitle(view: string, title: string): Promise<void> {
    await this.run(commandOf(this.#menu('view/title', view), title));
  }

  /** What a view says in place of rows, where it has none. */
  async welcome(view: string): Promise<string> {
    const texts = this.#contributions.viewsWelcome.filter((one) => one.view === view && this.#holds(one.when));
    return (await this.rows(view)).length > 0 ? '' : texts.map(({ contents }) => textOf(contents)).join('\n');
  }

  // Files and documents.

  /** The address of a file of the workspace. */
  path(path: string): vscode.Uri {
    return Uri.joinPath(this.#workspace, path);
  }

  /** Writes a file on the disk, as another program does. */
  write(path: string, text: string | Uint8Array): void {
    const uri = this.path(path);
    mkdirSync(dirname(uri.fsPath), { recursive: true });
    writeFileSync(uri.fsPath, text);
    const document = this.#editor.documents.find(uri);
    if (document && !document.isDirty) {
      this.within(() => this.#editor.documents.replaceAll(document, Buffer.from(text).toString(), false));
    }
  }

  /** What is on the disk. */
  read(path: string): string {
    return readFileSync(this.path(path).fsPath, 'utf8');
  }

  /** Opens a file in an editor. @param selected the text that is selected there, or after `|` of which the cursor stands. */
  async show(path: string | vscode.Uri, selected = '|'): Promise<Document> {
    const uri = typeof path === 'string' ? this.path(path) : path;
    const document = await this.within(() => this.#editor.documents.open(uri));
    const start = document.text.indexOf(selected.replace('|', ''));
    const cursor = start + selected.indexOf('|');
    const [from, to] = selected.includes('|') ? [cursor, cursor] : [start, start + selected.length];
    const selection = new Range(document.positionAt(from), document.positionAt(to));
    await this.within(() => this.#editor.api.window.showTextDocument(document, { selection }));
    return document;
  }

  /** The document in front. */
  document(): Document {
    return present(this.#editor.activeEditor, 'an editor').document;
  }

  /** Replaces text of an open document, once or all of it. */
  type(path: string, text: string, replaced?: string): void {
    const document = this.#document(path);
    const whole = replaced === undefined ? text : document.text.replace(replaced, () => text);
    this.within(() => this.#editor.documents.replaceAll(document, whole, true));
  }

  /** The text of an open document. */
  text(path: string): string {
    return this.#document(path).text;
  }

  /** What is wrong with a document, one line each: `2:14 warning The client key is inactive`. */
  problems(path: string | vscode.Uri): readonly string[] {
    const uri = typeof path === 'string' ? this.path(path) : path;
    const severities = ['error', 'warning', 'information', 'hint'];
    return this.#editor.api.languages
      .getDiagnostics(uri)
      .toSorted((one, other) => one.range.start.line - other.range.start.line)
      .map(({ range: { start }, severity, message }) => {
        return `${start.line + 1}:${start.character + 1} ${severities[severity]} ${visible(message)}`;
      });
  }

  /** The titles of what the light bulb offers where a text stands, or anywhere. */
  async fixes(path: string, at?: string): Promise<readonly string[]> {
    return (await this.#actions(path, at)).map(({ title }) => title);
  }

  /** Does what the light bulb offers. */
  async fix(path: string, title: string, at?: string): Promise<void> {
    const actions = await this.#actions(path, at);
    const action = present(
      actions.find((one) => one.title === title),
      `"${title}" among ${actions.map((one) => one.title).join(', ')}`,
    );
    if (action.edit) {
      await this.within(() => this.#editor.api.workspace.applyEdit(action.edit as never));
    }
    if (action.command) {
      await this.run(action.command.command, ...((action.command.arguments as unknown[] | undefined) ?? []));
    }
  }

  /** What is shown for a text under the pointer. */
  async hover(path: string, text: string): Promise<string> {
    const document = this.#document(path);
    const position = document.positionAt(document.text.indexOf(text));
    const hovers = await this.#ask<vscode.HoverProvider, vscode.Hover>('hovers', (provider, token) =>
      provider.provideHover(document as never, position, token),
    );
    return hovers
      .flatMap(({ contents }) => contents)
      .map((part) => visible(typeof part === 'string' ? part : part.value))
      .join('\n\n');
  }

  // Its life.

  /** Closes the window and opens it again: what is stored is still there, and pages come back. @param kept what pages have kept. */
  async restart(kept?: unknown): Promise<void> {
    const pages = [...this.panels];
    await this.#close();
    [this.#editor, this.#repositories] = this.#makeEditor();
    if (this.#ground.options.remotes) {
      this.repositories.open({ folder: this.#workspace, remotes: this.#ground.options.remotes });
    }
    await this.#activate();
    for (const { viewType, title } of pages) {
      const serializer = await this.until(
        () => this.#editor.offered<vscode.WebviewPanelSerializer>('pages', viewType)[0],
        `who restores ${viewType}`,
      );
      const panel = this.#editor.api.window.createWebviewPanel(viewType, title);
      await this.within(async () => await serializer.deserializeWebviewPanel(panel as never, kept));
    }
  }

  /** Opens another window over the same storage, with a workspace of its own. It goes with this one. */
  async second(): Promise<TestWindow> {
    const workspace = mkdtempSync(join(this.#ground.folder, 'workspace-'));
    const other = new TestWindow(this.#ground, this.#storage.ofOtherWorkspace(), workspace);
    this.#others.push(other);
    await other.#activate();
    return other;
  }

  /** Closes the window with all that it has left. @throws if a question had no answer, or an answer was not asked for. */
  async dispose(): Promise<void> {
    const { folder, sandbox, ownsSandbox, clock } = this.#ground;
    try {
      for (const window of [...this.#others, this]) {
        await window.#close();
      }
      if (ownsSandbox) {
        await sandbox?.close();
      }
    } finally {
      clock?.uninstall();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    for (const { waiting } of [...this.#others, this].map((one) => one.#questions)) {
      if (waiting.length > 0) {
        throw new Error(`These answers were never asked for: ${waiting.join('; ')}`);
      }
    }
  }

  #makeEditor(): [Editor, Repositories] {
    const { folder, options } = this.#ground;
    this.#questions = new Questions();
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Start['manifest'];
    const editor = openEditor({
      storage: this.#storage,
      user: this.#questions,
      extensionUri: Uri.file(root),
      storageUri: Uri.file(join(folder, 'storage')),
      folders:
        options.hasFolder === false
          ? []
          : [options.hasFolder === 'virtual' ? this.#workspace.with({ scheme: 'vscode-vfs' }) : this.#workspace],
      manifest,
      language: options.language ?? 'en',
      isTrusted: options.isTrusted ?? true,
    });
    return [editor, new Repositories(editor)];
  }

  async #activate(): Promise<void> {
    await this.within(async () => {
      const { activate } = await import('../../src/extension.ts');
      activate(this.#editor.context);
    });
    // The task after activation.
    const { clock } = this.#ground;
    await this.until(async () => {
      await clock?.tickAsync(1);
      return this.#editor.views.size > 0;
    }, 'the views');
  }

  async #close(): Promise<void> {
    this.#questions.check();
    await this.within(() =>
      Promise.all(this.#editor.context.subscriptions.toReversed().map((one): unknown => one.dispose())),
    );
    this.#editor.dispose();
  }

  async #look(id: string): Promise<readonly Row[]> {
    const view = await this.view(id);
    return await this.within(() => {
      view.show(true);
      return view.rows();
    });
  }

  async #find(view: string, label: string | RegExp): Promise<Row> {
    const isIt = ({ item }: Row): boolean =>
      typeof label === 'string' ? labelOf(item) === label : label.test(labelOf(item));
    return await this.until(async () => (await this.#look(view)).find(isIt), `the row ${String(label)} of ${view}`);
  }

  get #contributions(): Contributions {
    return this.#editor.start.manifest.contributes as unknown as Contributions;
  }

  #holds(when: string | undefined, more: Readonly<Record<string, unknown>> = {}): boolean {
    return holds(when, (key) => more[key] ?? this.#editor.contextKeys.get(key) ?? this.#ownContext(key));
  }

  /** The keys that the editor itself sets. */
  #ownContext(key: string): unknown {
    switch (key) {
      case 'workspaceFolderCount':
        return this.#editor.start.folders.length;
      case 'activeWebviewPanelId':
        return this.panels.find(({ visible: isVisible }) => isVisible)?.viewType;
      default:
        return undefined;
    }
  }

  /** What a menu offers, with the submenus in it. */
  #menu(menu: string, view: string, viewItem = '', path = ''): readonly { title: string; command: string }[] {
    const { menus, submenus, commands } = this.#contributions;
    return (menus[menu] ?? [])
      .filter(({ when }) => this.#holds(when, { view, viewItem }))
      .flatMap(({ command, submenu }) => {
        if (submenu !== undefined) {
          const label = submenus.find(({ id }) => id === submenu)?.label ?? submenu;
          return this.#menu(submenu, view, viewItem, `${path}${textOf(label)} > `);
        }
        const { enablement } = commands.find((one) => one.command === command) ?? {};
        return command !== undefined && this.#holds(enablement, { view, viewItem })
          ? [{ title: path + this.#title(command), command }]
          : [];
      });
  }

  #title(command: string): string {
    const { title } = present(
      this.#contributions.commands.find((one) => one.command === command),
      `the command ${command} in the manifest`,
    );
    return textOf(title);
  }

  #document(path: string): Document {
    return present(this.#editor.documents.find(this.path(path)), `the document ${path}`);
  }

  async #actions(path: string, at: string | undefined): Promise<readonly vscode.CodeAction[]> {
    const document = this.#document(path);
    const start = at === undefined ? 0 : document.text.indexOf(at);
    const end = at === undefined ? document.text.length : start + at.length;
    const range = new Range(document.positionAt(start), document.positionAt(end));
    const diagnostics = this.#editor.api.languages
      .getDiagnostics(document.uri)
      .filter((one) => range.intersection(one.range) !== undefined);
    const context = { diagnostics, only: undefined, triggerKind: 1 } as unknown as vscode.CodeActionContext;
    const found = await this.#ask<vscode.CodeActionProvider, object[]>('actions', (provider, token) =>
      provider.provideCodeActions(document as never, range, context, token),
    );
    return found.flat() as readonly vscode.CodeAction[];
  }

  /** Asks all providers of a kind; answers with what they have. */
  async #ask<Provider, Found>(
    kind: string,
    ask: (provider: Provider, token: vscode.CancellationToken) => vscode.ProviderResult<Found>,
  ): Promise<readonly Found[]> {
    const { token } = new CancellationTokenSource();
    const providers = this.#editor.offered<Provider>(kind);
    const found = await this.within(() => Promise.all(providers.map(async (provider) => await ask(provider, token))));
    return found.filter((one) => one !== undefined && one !== null);
  }

  async #patiently<T>(result: Promise<T>, what: string): Promise<T> {
    let outcome: { readonly value: Promise<T> } | undefined;
    void result.then(
      () => (outcome = { value: result }),
      () => (outcome = { value: result }),
    );
    const ended = await this.until(() => outcome, what);
    return await ended.value;
  }

  /** What there is to see, for somebody who waited in vain. */
  #situation(): string {
    return [
      ...this.#questions.waiting.map((answer) => `not asked for: ${answer}`),
      ...this.asked.slice(-3).map(({ text, lines }) => `asked: ${text}\n  ${lines.join('\n  ')}`),
      ...this.messages.slice(-5).map(({ text }) => `message: ${text}`),
      ...this.log.slice(-10),
    ].join('\n');
  }
}

/** Stops the time of the process. What a timer runs belongs to the window that has set it. */
function stopTime(now: Date): Clock {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;
  const clock = install({ now, toFake: [...toFake], shouldClearNativeTimers: true });
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = globalThis[name] as (run: () => void, ...rest: unknown[]) => NodeJS.Timeout;
    const bound = (run: () => void, ...rest: unknown[]): NodeJS.Timeout => start(AsyncLocalStorage.bind(run), ...rest);
    Object.assign(globalThis, { [name]: bound });
  }
  return clock;
}

/** A text of the manifest, in English. */
const textOf = (text: string): string => text.replace(/^%(.+)%$/s, '$1');

function commandOf(menu: readonly { title: string; command: string }[], title: string): string {
  const titles = menu.map((entry) => entry.title).join(', ');
  return present(
    menu.find((entry) => entry.title === title),
    `"${title}" among ${titles}`,
  ).command;
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`There is no ${what.replace(/^an? /, '')}`);
  }
  return value;
}
