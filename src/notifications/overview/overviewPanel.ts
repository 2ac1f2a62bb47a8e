import * as vscode from 'vscode';
import { scopeKey } from '../model/scope.ts';
import type { Dialogs } from '../scopes/dialogs.ts';
import { type ScopePlan, planFor } from '../scopes/plan.ts';
import type { PlanRunner } from '../scopes/planRunner.ts';
import { Channel } from '../webview/channel.ts';
import { fillWebview, type PageFiles } from '../webview/shell.ts';
import { type FromOverview, fromOverviewSchema, type ToOverview } from './messages.ts';
import type { Overview, OverviewLoader } from './overviewLoader.ts';
import { overviewState } from './overviewState.ts';
import type { Transfer } from './transfer.ts';

/** What the panel needs of the other parts. */
export interface OverviewPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly loader: OverviewLoader;
  readonly runner: PlanRunner;
  readonly dialogs: Dialogs;
  readonly transfer: Transfer;
  /** Names the account in use. */
  readonly account: () => string;
  /** Lets the person pin a project or group; answers whether they did. */
  readonly pin: (kind: 'project' | 'group') => Promise<boolean>;
  /** Fires when other projects and groups are of interest. */
  readonly onDidChangeScopes: vscode.Event<void>;
  readonly onError: (error: unknown) => void;
}

const nothing: Overview = { rows: [], missing: [] };

/** The overview in an editor tab. */
export class OverviewPanel implements vscode.Disposable {
  readonly #parts: OverviewPanelParts;
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<FromOverview, ToOverview>;
  readonly #subscriptions: vscode.Disposable;
  #overview = nothing;
  #phase: ToOverview['phase'] = 'loading';
  #error: unknown;
  #abort = new AbortController();

  constructor(panel: vscode.WebviewPanel, files: PageFiles, parts: OverviewPanelParts) {
    this.#panel = panel;
    this.#parts = parts;
    this.#channel = new Channel(panel.webview, fromOverviewSchema, (message) => this.#receive(message), parts.onError);
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      parts.onDidChangeScopes(() => void this.load()),
    );
    panel.iconPath = vscode.Uri.joinPath(parts.extensionUri, 'media', 'beacon.svg');
    const title = vscode.l10n.t('Notification Overview');
    panel.title = title;
    fillWebview(panel.webview, { ...files, title });
    void this.load();
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Reads everything again. A failure shows in the page; what was read before stays. */
  async load(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#show('loading');
    try {
      const overview = await this.#parts.loader.load(signal);
      if (!signal.aborted) {
        this.#overview = overview;
        this.#show('ready');
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#show('ready', error);
      }
    }
  }

  dispose(): void {
    this.#abort.abort();
    this.#subscriptions.dispose();
  }

  async #receive(message: FromOverview): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#show(this.#phase, this.#error);
        return;
      case 'open': {
        const row = this.#overview.rows.find(({ scope }) => scopeKey(scope) === message.key);
        await vscode.commands.executeCommand('beacon.notifications.open', row?.scope);
        return;
      }
      case 'change':
        await this.#change(message.changes);
        return;
      case 'act':
        await this.#act(message.action);
    }
  }

  async #act(action: Extract<FromOverview, { type: 'act' }>['action']): Promise<void> {
    const { transfer, pin } = this.#parts;
    switch (action) {
      case 'reload':
        await this.load();
        return;
      case 'export':
        await transfer.export(this.#overview.rows);
        return;
      case 'import':
        await this.#whileChanging(() => transfer.import());
        return;
      case 'pinProject':
      case 'pinGroup':
        // The list follows the pins by itself.
        await pin(action === 'pinProject' ? 'project' : 'group');
    }
  }

  /** Lets the person review new levels, and sends what they confirm. */
  async #change(changes: Extract<FromOverview, { type: 'change' }>['changes']): Promise<void> {
    const plans = changes.flatMap(({ key, level }): readonly ScopePlan[] => {
      const row = this.#overview.rows.find(({ scope }) => scopeKey(scope) === key);
      return row?.settings ? [planOfLevel(row.scope, row.settings, level)] : [];
    });
    if (plans.length > 0) {
      await this.#whileChanging(() => this.#parts.runner.run(vscode.l10n.t('Change Notification Levels'), plans));
    }
  }

  /** Reads everything again after something that may have changed settings. */
  async #whileChanging(run: () => Promise<unknown>): Promise<void> {
    this.#show('changing');
    let changed: unknown;
    try {
      changed = await run();
    } finally {
      if (changed === undefined) {
        this.#show('ready');
      } else {
        await this.load();
      }
    }
  }

  #show(phase: ToOverview['phase'], error?: unknown): void {
    this.#phase = phase;
    this.#error = error;
    this.#channel.post(overviewState(this.#parts.account(), phase, this.#overview, error));
  }
}

/** A change of the level alone: its events stay as they are, so there is nothing to say about them. */
function planOfLevel(scope: ScopePlan['scope'], settings: ScopePlan['before'], level: string): ScopePlan {
  return { ...planFor(scope, settings, { level }), notes: [] };
}
