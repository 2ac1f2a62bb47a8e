import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type AccountInUse, accountName } from '../../accounts/accountInUse.ts';
import { problemOf, showProblem } from '../../accounts/problem.ts';
import { Channel } from '../../webviews/channel.ts';
import { fillWebview, readPageFiles, tabIcon } from '../../webviews/webview.ts';
import type { Feed } from '../feed/feed.ts';
import { type InsightsDeps, InsightsSession } from './insightsSession.ts';
import { type FromInsights, fromInsightsSchema } from './fromInsights.ts';
import type { ToInsights } from './messages.ts';

/** What the panel depends on. */
export interface InsightsPanelDeps extends InsightsDeps {
  readonly extensionUri: vscode.Uri;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
}

/** The one page of insights of a window: of one feed at a time. */
export class InsightsPanel {
  readonly #deps: InsightsPanelDeps;
  #panel: vscode.WebviewPanel | undefined;
  #shown: { readonly session: InsightsSession; readonly subscriptions: vscode.Disposable } | undefined;

  constructor(deps: InsightsPanelDeps) {
    this.#deps = deps;
  }

  /** Shows the insights of a feed. Resolves when they are read; a failure to do so shows in the page. */
  async show(feed: Feed): Promise<void> {
    const { extensionUri } = this.#deps;
    const files = await readPageFiles(extensionUri, 'activityInsights');
    const panel = (this.#panel ??= this.#open(extensionUri));
    const period = this.#shown?.session.period ?? '365';
    this.#shown?.subscriptions.dispose();
    const { webview } = panel;
    const session: InsightsSession = new InsightsSession(
      feed,
      accountName(this.#deps.accountInUse.account),
      this.#deps,
      (message) => channel.post(message),
    );
    const channel = new Channel<FromInsights, ToInsights>(
      webview,
      fromInsightsSchema,
      (message) => this.#receive(session, message),
      (error) => this.#report(error),
    );
    const subscriptions = vscode.Disposable.from(session, channel);
    this.#shown = { session, subscriptions };
    fillWebview(webview, { ...files, title: panel.title, state: session.state });
    panel.reveal();
    await session.look(period);
  }

  #open(extensionUri: vscode.Uri): vscode.WebviewPanel {
    const title = vscode.l10n.t('Activity Insights');
    const panel = vscode.window.createWebviewPanel('beacon.insights', title, vscode.ViewColumn.Active);
    panel.iconPath = tabIcon(extensionUri);
    // What belongs to an account goes with it.
    const watch = this.#deps.feeds.onDidChange(() => {
      if (this.#shown?.session.ref.accountId !== this.#deps.accountInUse.account?.id) {
        panel.dispose();
      }
    });
    panel.onDidDispose(() => {
      watch.dispose();
      this.#shown?.subscriptions.dispose();
      this.#shown = undefined;
      this.#panel = undefined;
    });
    return panel;
  }

  async #receive(session: InsightsSession, message: FromInsights): Promise<void> {
    switch (message.type) {
      case 'ready':
        session.show();
        return;
      case 'period':
        await session.look(message.period);
        return;
      case 'filter':
        await session.filter(message.change, message.number);
        return;
      case 'save':
        await save(message.format, message.text);
        return;
      case 'act':
        await this.#act(session, message.action);
    }
  }

  async #act(session: InsightsSession, action: Extract<FromInsights, { type: 'act' }>['action']): Promise<void> {
    switch (action) {
      case 'cancel':
        session.cancel();
        return;
      case 'reload':
        await session.read(true);
        return;
      case 'clear':
        await session.clearFilter();
    }
  }

  #report(error: unknown): void {
    this.#deps.log.error(inspect(error));
    showProblem(problemOf(error));
  }
}

/** Lets the user choose a file, and writes it. */
async function save(format: 'csv' | 'svg', text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `activity-insights.${format}`;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Activity Insights'),
    filters: { [format.toUpperCase()]: [format] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (uri) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}
