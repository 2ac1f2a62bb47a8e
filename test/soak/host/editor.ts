import * as real from 'vscode';
import { type Input, type Message, questionsTo } from '../../support/editor/inputs.ts';
import { answers, outputs, trace, violations } from './surroundings.ts';
import { InputUser } from './user.ts';

/** A webview of the product with what it has shown last. */
export interface OpenWebview {
  readonly panel: real.WebviewPanel;
  /** The last message that it was sent. */
  state: unknown;
  /** Sends a message as the page does. */
  send(message: unknown): void;
}

/** The views and pages of the product that are there. */
export const trees = new Map<string, real.TreeDataProvider<unknown>>();
export const webviews = new Map<string, OpenWebview>();

const windowState = new real.EventEmitter<real.WindowState>();
let isFocused = true;
let links: real.UriHandler | undefined;

/** What of the product addresses of the editor lead to. */
export function uriHandler(): real.UriHandler | undefined {
  return links;
}

/** Lets the user come back to this window, or go. */
export function focusWindow(focused: boolean): void {
  isFocused = focused;
  windowState.fire({ focused, active: focused });
}

/** What the product has logged of its last failure. */
let lastError = '';

/** An object of the editor with other members in the place of some. */
function overriding<T extends object>(object: T, members: object): T {
  return Object.create(object, Object.getOwnPropertyDescriptors(members)) as T;
}

/** What the product gets for the editor's log: the same, with every line looked at. */
function createOutputChannel(name: string, options: { log: true }): real.LogOutputChannel {
  const channel = real.window.createOutputChannel(name, options);
  const levels = (['trace', 'debug', 'info', 'warn', 'error'] as const).map((level) => {
    const write = (message: string, ...args: unknown[]): void => {
      outputs.see(`the log (${level})`, [message, ...args]);
      trace(`log (${level}): ${message}`);
      lastError = level === 'error' ? message.slice(0, 600) : lastError;
      channel[level](message, ...args);
    };
    return [level, write] as const;
  });
  return overriding(channel, { ...Object.fromEntries(levels), show: () => undefined });
}

function createTreeView<T>(id: string, options: real.TreeViewOptions<T>): real.TreeView<T> {
  trees.set(id, options.treeDataProvider);
  return real.window.createTreeView(id, options);
}

function createWebviewPanel(...given: Parameters<typeof real.window.createWebviewPanel>): real.WebviewPanel {
  const panel = real.window.createWebviewPanel(...given);
  const { webview, viewType } = panel;
  const listeners = new Set<(message: unknown) => unknown>();
  const open: OpenWebview = {
    panel,
    state: undefined,
    send: (message) => listeners.forEach((listener) => listener(message)),
  };
  const post = webview.postMessage.bind(webview);
  const receive = webview.onDidReceiveMessage;
  const reveal = panel.reveal.bind(panel);
  Object.assign(webview, {
    postMessage: async (message: unknown) => {
      outputs.see(`the page ${viewType}`, [message, webview.html]);
      open.state = message;
      return await post(message);
    },
    onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
      listeners.add(listener);
      return real.Disposable.from(receive(listener), { dispose: () => listeners.delete(listener) });
    },
  });
  // Of several pages the one that was shown last is seen.
  webviews.set(viewType, open);
  Object.assign(panel, {
    reveal: (...place: Parameters<typeof reveal>) => {
      webviews.set(viewType, open);
      reveal(...place);
    },
  });
  panel.onDidDispose(() => webviews.get(viewType) === open && webviews.delete(viewType));
  return panel;
}

/** Records a failure that is shown without a sentence of its own. */
export async function noteUnexpected(message: string): Promise<void> {
  // Loaded here because it takes the editor from this module.
  const { problemOf: describeProblem } = await import('../../../src/accounts/problem.ts');
  if (message.includes(describeProblem(new Error('anything')).sentence)) {
    violations.add('unexpected', lastError);
  }
}

const inputUser = new InputUser(answers);

/** Who sits in front of the window: a simulated user, behind whom somebody looks for tokens. */
const user = {
  see(input: Input): void {
    outputs.see('an input', [input.title, input.placeholder, input.prompt, input.items, input.validationMessage]);
    inputUser.see(input);
  },
  async read(message: Message): Promise<string | undefined> {
    const { kind, text, detail, buttons } = message;
    outputs.see(`a message (${kind})`, [text, detail, buttons]);
    await noteUnexpected(text);
    const answer = await answers.message(message);
    trace(`${kind}: ${text} [${buttons.join(', ')}] → ${answer ?? ''}`);
    return answer;
  },
};

/** An edit without a preview, which users accept, or reject, before it is applied. */
class WorkspaceEdit extends real.WorkspaceEdit {
  override createFile(...[uri, options, metadata]: Parameters<real.WorkspaceEdit['createFile']>): void {
    // What needs to be confirmed is there for the preview alone.
    if (metadata?.needsConfirmation !== true) {
      super.createFile(uri, options);
    }
  }

  override replace(uri: real.Uri, range: real.Range, text: string): void {
    super.replace(uri, range, text);
  }
}

async function applyEdit(edit: real.WorkspaceEdit, metadata?: real.WorkspaceEditMetadata): Promise<boolean> {
  const isRejected = metadata?.isRefactoring === true && answers.random.next() < 0.2;
  return !isRejected && (await real.workspace.applyEdit(edit));
}

const window = overriding(real.window, {
  createOutputChannel,
  createTreeView,
  createWebviewPanel,
  ...questionsTo(user),
  registerUriHandler: (handler: real.UriHandler) => {
    links = handler;
    return real.window.registerUriHandler(handler);
  },
  setStatusBarMessage: (text: string) => {
    outputs.see('the status bar', text);
    return { dispose: () => undefined };
  },
  get state() {
    return { focused: isFocused, active: isFocused };
  },
  onDidChangeWindowState: windowState.event,
});

const env = overriding(real.env, {
  openExternal: async (uri: real.Uri) => {
    outputs.see('the browser', uri.toString());
    return true;
  },
  clipboard: { writeText: async (text: string) => outputs.see('the clipboard', text) },
});

/** The editor as the product has it: the real one, but for its questions, which simulated users answer. */
export const vscode = overriding(real, {
  ...{ WorkspaceEdit, window, env },
  workspace: overriding(real.workspace, { applyEdit }),
});
