import * as vscode from 'vscode';
import type { ProjectPlace } from '../accounts/account.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { parseDsn } from './dsn.ts';
import { dsnAtCursor, placeIn } from './insert/cursor.ts';
import type { TrackingNode } from './tree.ts';
import { ErrorTrackingView } from './view.ts';

const dropKind = vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn');

/** Error tracking: its view, and what it says about DSNs in files. */
export class ErrorTracking implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: ErrorTrackingView;
  readonly #subscription: vscode.Disposable;

  constructor(app: App) {
    const { accountInUse } = app;
    const treeView = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (accountInUse.account ? this.#view.children(node) : []),
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
    const update = (): void => this.#changed.fire(undefined);
    this.#view = new ErrorTrackingView(app, treeView, update);
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      treeView,
      accountInUse.onDidChange(update),
      ...this.#provide(),
      this.#view,
    );
  }

  get commands(): CommandsOf<'errorTracking'> {
    return this.#view.commands;
  }

  /** Whether a project is shown without being pinned first. */
  async shows(project: ProjectPlace): Promise<boolean> {
    return this.#view.shows(project);
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    await this.#view.show(project);
  }

  /** Says which notification level of a project holds, after it was changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    await this.#view.reloadLevel(accountId, id);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Offers what the editor shows at DSNs in documents. */
  #provide(): readonly vscode.Disposable[] {
    const anywhere = { pattern: '**' };
    return [
      vscode.languages.registerHoverProvider(anywhere, {
        // Every DSN has an @.
        provideHover: async (document, position) =>
          vscode.workspace.isTrusted && document.lineAt(position).text.includes('@')
            ? this.#view.hover(document, position)
            : undefined,
      }),
      vscode.languages.registerCodeActionsProvider(
        anywhere,
        {
          provideCodeActions: async (document, _range, { diagnostics }) =>
            diagnostics.length > 0 ? this.#view.fixes(document, diagnostics) : [],
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
  const dsn = parseDsn((await dataTransfer.get('text/plain')?.asString()) ?? '');
  return dsn
    ? new vscode.DocumentDropEdit(
        dsnAtCursor(placeIn(document, position), dsn.text),
        vscode.l10n.t('Insert DSN'),
        dropKind,
      )
    : undefined;
}
