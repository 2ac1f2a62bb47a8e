import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ProjectPlace } from '../accounts/account.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import type { TrackingNode } from './tree.ts';
import type { ErrorTrackingView } from './view.ts';

const dropKind = vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn');

/**
 * Error tracking as every window has it: its view, and what it says about DSNs in files. Its code is loaded while somebody is
 * signed in, by its commands, and for the hover of a line that may have a DSN.
 */
export class ErrorTracking implements vscode.Disposable {
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #treeView: vscode.TreeView<TrackingNode>;
  readonly #subscription: vscode.Disposable;
  #loading: Promise<ErrorTrackingView> | undefined;
  #loaded: ErrorTrackingView | undefined;

  constructor(app: App) {
    this.#app = app;
    const { accountInUse, log } = app;
    this.#treeView = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (accountInUse.account ? (await this.#view()).children(node) : []),
        getTreeItem: ({ item }) => item,
        getParent: ({ parent }) => parent,
      },
      dragAndDropController: {
        dragMimeTypes: ['text/plain'],
        dropMimeTypes: [],
        // What drops is the DSN.
        handleDrag: (nodes, dataTransfer) => {
          const dsns = nodes.flatMap(({ key }) => (key?.active === true ? [key.tracker_dsn] : []));
          if (dsns.length > 0) {
            dataTransfer.set('text/plain', new vscode.DataTransferItem(dsns.join('\n')));
          }
        },
      },
      showCollapseAll: true,
    });
    const follow = (): void => {
      this.#changed.fire(undefined);
      if (accountInUse.account) {
        this.#view().catch((error: unknown) => log.error(inspect(error)));
      }
    };
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      this.#treeView,
      accountInUse.onDidChange(follow),
      ...this.#provide(),
      { dispose: () => this.#loaded?.dispose() },
    );
    follow();
  }

  /** Loads the commands whose ids begin with `beacon.errorTracking.`. */
  async load(): Promise<Commands> {
    return (await this.#view()).commands;
  }

  /** Whether a project is shown without being pinned first. */
  async shows(project: ProjectPlace): Promise<boolean> {
    return (await this.#view()).shows(project);
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    await (await this.#view()).show(project);
  }

  /** Says which notification level of a project holds, after it was changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    await this.#loaded?.reloadLevel(accountId, id);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #view(): Promise<ErrorTrackingView> {
    this.#loading ??= import('./view.ts').then(({ ErrorTrackingView: View }) => {
      this.#loaded = new View(this.#app, this.#treeView, () => this.#changed.fire(undefined));
      return this.#loaded;
    });
    return await this.#loading;
  }

  /** Offers what the editor shows at DSNs in documents. */
  #provide(): readonly vscode.Disposable[] {
    const anywhere = { pattern: '**' };
    return [
      vscode.languages.registerHoverProvider(anywhere, {
        // Every DSN has an @: other lines are no reason to load anything.
        provideHover: async (document, position) =>
          vscode.workspace.isTrusted && document.lineAt(position).text.includes('@')
            ? (await this.#view()).hover(document, position)
            : undefined,
      }),
      vscode.languages.registerCodeActionsProvider(
        anywhere,
        {
          // Problems of DSNs come from what is loaded by then.
          provideCodeActions: async (document, _range, { diagnostics }) =>
            diagnostics.length > 0 ? this.#loaded?.fixes(document, diagnostics) : [],
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      vscode.languages.registerDocumentDropEditProvider(
        anywhere,
        { provideDocumentDropEdits: dropEdit },
        { dropMimeTypes: ['text/plain'], providedDropEditKinds: [dropKind] },
      ),
    ];
  }
}

/** Says what a DSN that is dropped into an editor becomes: a variable in an env file, a string in code, the DSN itself elsewhere. */
async function dropEdit(
  document: vscode.TextDocument,
  position: vscode.Position,
  dataTransfer: vscode.DataTransfer,
): Promise<vscode.DocumentDropEdit | undefined> {
  const [{ parseDsn }, { dsnAtCursor, placeIn }] = await Promise.all([
    import('./dsn.ts'),
    import('./insert/cursor.ts'),
  ]);
  const dsn = parseDsn((await dataTransfer.get('text/plain')?.asString()) ?? '');
  return dsn
    ? new vscode.DocumentDropEdit(
        dsnAtCursor(placeIn(document, position), dsn.text),
        vscode.l10n.t('Insert DSN'),
        dropKind,
      )
    : undefined;
}
