import * as vscode from 'vscode';

/** A panel of the editor with a page that is not there: what it gets is kept, what it sends is up to the test. */
export class RecordedPanel {
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #states = new vscode.EventEmitter<void>();
  readonly posted: Readonly<Record<string, unknown>>[] = [];
  readonly webview = {
    html: '',
    options: {} as vscode.WebviewOptions,
    onDidReceiveMessage: this.#messages.event,
    postMessage: async (message: Readonly<Record<string, unknown>>): Promise<boolean> => {
      this.posted.push(message);
      return true;
    },
  };
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#states.event;
  visible = true;
  title = '';
  iconPath: unknown;

  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }

  /** Brings the panel to the front, or another tab over it. */
  look(isVisible: boolean): void {
    this.visible = isVisible;
    this.#states.fire();
  }

  send(message: unknown): void {
    this.#messages.fire(message);
  }

  /** The last state that the page got. */
  get state(): Readonly<Record<string, unknown>> | undefined {
    return this.posted.at(-1);
  }

  async until(test: (state: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
    while (!this.state || !test(this.state)) {
      await new Promise(setImmediate);
    }
  }

  reveals = 0;
  isDisposed = false;

  reveal(): void {
    this.reveals += 1;
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }
}

/** Closes all tabs, without a question about documents that nobody saved: they would be in the way of other tests. */
export async function closeTabs(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/**
 * Waits until something holds of the tabs of the editor, which the extension host hears of a moment after the editor shows them.
 *
 * @param isSo is asked again after each change of a tab.
 */
export async function untilTabs(isSo: (tabs: readonly vscode.Tab[]) => boolean): Promise<void> {
  while (!isSo(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs))) {
    await new Promise<void>((resolve) => {
      const changed = vscode.window.tabGroups.onDidChangeTabs(() => {
        changed.dispose();
        resolve();
      });
    });
  }
}
