import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { accountName } from '../../accounts/accountName.ts';
import { describeProblem, showProblem } from '../../accounts/problem.ts';
import { pickGroup, pickProject } from '../../directory/pickers.ts';
import type { ManyScopesSources } from '../manyScopes.ts';
import type { Dialogs } from '../scopes/dialogs.ts';
import type { PlanRunner } from '../scopes/planRunner.ts';
import type { ScopeFinder } from '../scopes/scopeFinder.ts';
import type { ScopeSettings } from '../scopes/scopeSettings.ts';
import { EditorFiles } from './editorFiles.ts';
import { OverviewLoader } from './overviewLoader.ts';
import { OverviewPanel, type OverviewPanelParts } from './overviewPanel.ts';
import { type PageFiles, readPageFiles } from '../webview/shell.ts';
import { Transfer } from './transfer.ts';

/** The type by which the editor knows the overview, also when it restores one. */
const overviewType = 'beacon.notificationOverview';

/** What the overview needs of the other parts of `ManyScopes`. */
export interface OverviewParts {
  readonly finder: ScopeFinder;
  readonly settings: ScopeSettings;
  readonly runner: PlanRunner;
  readonly dialogs: Dialogs;
  readonly now: () => number;
}

/** The one overview of this window: opens it, restores it. */
export class OverviewPanels implements vscode.Disposable {
  readonly #sources: ManyScopesSources;
  readonly #panelParts: OverviewPanelParts;
  readonly #scopesChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #files: Promise<PageFiles> | undefined;
  #panel: OverviewPanel | undefined;

  constructor(sources: ManyScopesSources, { finder, settings, runner, dialogs, now }: OverviewParts) {
    const { accountInUse, connections, workspaceProjects, pins, extensionUri, log } = sources;
    this.#sources = sources;
    const tell = (): void => this.#scopesChanged.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#scopesChanged,
      accountInUse.onDidChange(tell),
      workspaceProjects.onDidChange(tell),
      pins.onDidChange(tell),
    );
    this.#panelParts = {
      ...{ extensionUri, runner, dialogs },
      loader: new OverviewLoader(connections, finder, settings),
      transfer: new Transfer({ connections, runner, dialogs, files: new EditorFiles(), now }),
      account: () => accountName(accountInUse.account),
      pin: (kind) => this.#pin(kind),
      onDidChangeScopes: this.#scopesChanged.event,
      onError: (error) => {
        log.error(inspect(error));
        showProblem(describeProblem(error));
      },
    };
  }

  /**
   * Shows the overview.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async open(): Promise<void> {
    await this.#sources.connections.current();
    const files = await this.#readFiles();
    if (this.#panel) {
      this.#panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Notification Overview');
    this.#take(vscode.window.createWebviewPanel(overviewType, title, vscode.ViewColumn.Active), files);
  }

  /** Goes on with an overview that the editor restores. */
  async revive(panel: vscode.WebviewPanel): Promise<void> {
    this.#take(panel, await this.#readFiles());
  }

  #take(panel: vscode.WebviewPanel, files: PageFiles): void {
    const overview = new OverviewPanel(panel, files, this.#panelParts);
    this.#panel = overview;
    panel.onDidDispose(() => {
      overview.dispose();
      if (this.#panel === overview) {
        this.#panel = undefined;
      }
    });
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#subscriptions.dispose();
  }

  async #readFiles(): Promise<PageFiles> {
    this.#files ??= readPageFiles(this.#sources.extensionUri, 'notificationOverview');
    return await this.#files;
  }

  async #pin(kind: 'project' | 'group'): Promise<boolean> {
    const { connections, pins } = this.#sources;
    const connection = await connections.current();
    const accountId = connection.account.id;
    if (kind === 'project') {
      const project = await pickProject(connection, { title: vscode.l10n.t('Pin Project') });
      if (project) {
        await pins.add({ kind, accountId, id: project.id, path: project.path_with_namespace });
      }
      return project !== undefined;
    }
    const group = await pickGroup(connection, { title: vscode.l10n.t('Pin Group') });
    if (group) {
      await pins.add({ kind, accountId, id: group.id, path: group.full_path });
    }
    return group !== undefined;
  }
}
