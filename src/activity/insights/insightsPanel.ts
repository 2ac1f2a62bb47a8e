import * as vscode from 'vscode';
import { accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import { reportFailure } from '../../accounts/problem.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { FeedRef } from '../feed/feedRef.ts';
import { type FromInsights, fromInsightsSchema, readKept } from './fromInsights.ts';
import { type InsightsDeps, InsightsSession } from './insightsSession.ts';
import type { InsightsState, PeriodChoice, ToInsights } from './messages.ts';

/** What the panel depends on. */
export interface InsightsPanelDeps extends InsightsDeps {
  readonly extensionUri: vscode.Uri;
}

/** The one page of insights of a window: opens it, restores it. */
export class InsightsPanels {
  readonly #pages: SinglePage<InsightsPanel>;

  constructor(deps: InsightsPanelDeps) {
    this.#pages = new SinglePage({
      ...{ extensionUri: deps.extensionUri, name: 'activityInsights', title: vscode.l10n.t('Activity Insights') },
      create: (panel, fill) => new InsightsPanel(panel, fill, deps),
    });
  }

  /** Shows the insights of a feed. Resolves when they are read; a failure to do so shows in the page. */
  async show(feed: FeedRef): Promise<void> {
    await (await this.#pages.open()).show(feed);
  }

  /**
   * Goes on with a page that the editor restores.
   *
   * @param kept what the page has kept, which names the feed and the period.
   */
  async revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const known = readKept(kept);
    if (known) {
      await (await this.#pages.revive(panel)).show(known.feed, known.period);
    } else {
      panel.dispose();
    }
  }
}

/** The page of insights in an editor tab: of one feed at a time. */
class InsightsPanel implements vscode.Disposable {
  readonly #deps: InsightsPanelDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #fill: (state: InsightsState) => void;
  readonly #channel: Channel<FromInsights, ToInsights>;
  readonly #subscriptions: vscode.Disposable;
  #session: InsightsSession | undefined;

  constructor(panel: vscode.WebviewPanel, fill: (state: InsightsState) => void, deps: InsightsPanelDeps) {
    this.#deps = deps;
    this.#panel = panel;
    this.#fill = fill;
    this.#channel = new Channel(
      panel.webview,
      fromInsightsSchema,
      (message) => this.#receive(message),
      (error) => reportFailure(error, deps.log),
    );
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      deps.feeds.onDidChange((feed) => (feed ? undefined : this.#followAccount())),
      deps.accounts.onDidChange(() => this.#followAccount()),
    );
  }

  /** Shows the insights of a feed in a period, the present one if none is given. A failure shows in the page. */
  async show(feed: FeedRef, period: PeriodChoice = this.#session?.period ?? '365'): Promise<void> {
    this.#session?.dispose();
    const session: InsightsSession = new InsightsSession(feed, this.#deps, (message) =>
      this.#session === session ? this.#channel.post(message) : undefined,
    );
    this.#session = session;
    this.#fill(session.state);
    this.#followAccount();
    await session.look(period);
  }

  dispose(): void {
    this.#session?.dispose();
    this.#session = undefined;
    this.#subscriptions.dispose();
  }

  /** The page keeps its account when the window uses another one, and goes when that is signed out. */
  #followAccount(): void {
    const { accounts, accountInUse } = this.#deps;
    const { accountId } = this.#session?.ref ?? {};
    if (accountId !== undefined) {
      const { isSignedIn, isNamed } = pageAccount(accountId, accounts, accountInUse);
      if (!isSignedIn) {
        this.#panel.dispose();
        return;
      }
      const title = vscode.l10n.t('Activity Insights');
      this.#panel.title = isNamed ? vscode.l10n.t('{0} ({1})', title, accountLabel(accountId)) : title;
    }
  }

  /** Shows what the window is about now: a feed of its account that is in the view, or all of its projects. */
  async #openInUse(): Promise<void> {
    const { accountInUse, feeds } = this.#deps;
    const accountId = accountInUse.account?.id;
    if (accountId !== undefined) {
      const feed = feeds.all.find(({ ref }) => ref.accountId === accountId);
      await this.show(feed?.ref ?? { kind: 'allProjects', accountId });
    }
  }

  async #receive(message: FromInsights): Promise<void> {
    const session = this.#session;
    switch (message.type) {
      case 'ready':
        session?.show();
        return;
      case 'period':
        await session?.look(message.period);
        return;
      case 'filter':
        await session?.filter(message.change, message.number);
        return;
      case 'act':
        await this.#act(message.action);
    }
  }

  async #act(action: Extract<FromInsights, { type: 'act' }>['action']): Promise<void> {
    switch (action) {
      case 'cancel':
        this.#session?.cancel();
        return;
      case 'reload':
        await this.#session?.read(true);
        return;
      case 'clear':
        await this.#session?.clearFilter();
        return;
      case 'openInUse':
        await this.#openInUse();
    }
  }
}
