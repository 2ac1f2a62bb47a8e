import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { accountName } from '../../accounts/accountInUse.ts';
import { pickGroup, pickProject } from '../../accounts/pickers.ts';
import { problemOf, showProblem } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import type { NotificationsDeps } from '../notificationsFeature.ts';
import type { BulkChanges, PlanDialogs } from '../settings/bulkChanges.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import type { ScopeFinder } from '../settings/scopePicker.ts';
import { type NotificationScope, planFor, scopeKey, type ScopePlan, type Settings } from '../settings/settings.ts';
import { Channel } from '../../webviews/channel.ts';
import { fillWebview, type PageFiles, readPageFiles, tabIcon } from '../../webviews/webview.ts';
import { type FromOverview, fromOverviewSchema, type ToOverview } from './messages.ts';
import { type Overview, OverviewLoader, overviewState } from './overviewLoader.ts';
import { EditorFiles, Transfer } from './transfer.ts';

/** The dependencies of the panel. */
export interface OverviewPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly loader: OverviewLoader;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly transfer: Transfer;
  /** Names the account in use. */
  readonly account: () => string;
  /** Lets the user pin a project or group; answers whether they did. */
  readonly pin: (kind: 'project' | 'group') => Promise<boolean>;
  /** Fires when other projects and groups are of interest. */
  readonly onDidChangeScopes: vscode.Event<void>;
  readonly onError: (error: unknown) => void;
}

const nothing: Overview = { rows: [], missing: [], hasMore: false };
/** So many of the user's projects are listed at first, and more each time that the user asks for more: each is a request. */
const projectsAtOnce = 100;

/** The overview in an editor tab. */
export class OverviewPanel implements vscode.Disposable {
  readonly #deps: OverviewPanelDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<FromOverview, ToOverview>;
  readonly #subscriptions: vscode.Disposable;
  #overview = nothing;
  #phase: ToOverview['phase'] = 'loading';
  #error: unknown;
  #projects = projectsAtOnce;
  #abort = new AbortController();

  constructor(panel: vscode.WebviewPanel, files: PageFiles, deps: OverviewPanelDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#channel = new Channel(panel.webview, fromOverviewSchema, (message) => this.#receive(message), deps.onError);
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      deps.onDidChangeScopes(() => void this.load()),
    );
    const title = vscode.l10n.t('Notification Overview');
    panel.title = title;
    panel.iconPath = tabIcon(deps.extensionUri);
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
      const overview = await this.#deps.loader.load({
        ...{ signal, projects: this.#projects },
        onStep: (done, total) => (signal.aborted ? undefined : this.#show('loading', { progress: { done, total } })),
      });
      if (!signal.aborted) {
        this.#overview = overview;
        this.#show('ready');
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#show('ready', { error });
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
        this.#show(this.#phase, { error: this.#error });
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
    const { transfer, pin } = this.#deps;
    switch (action) {
      case 'more':
        this.#projects += projectsAtOnce;
        await this.load();
        return;
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

  /** Lets the user review new levels, and sends what they confirm. */
  async #change(changes: Extract<FromOverview, { type: 'change' }>['changes']): Promise<void> {
    const plans = changes.flatMap(({ key, level }): readonly ScopePlan[] => {
      const row = this.#overview.rows.find(({ scope }) => scopeKey(scope) === key);
      return row?.settings ? [planOfLevel(row.scope, row.settings, level)] : [];
    });
    if (plans.length > 0) {
      await this.#whileChanging(() => this.#deps.bulk.run(vscode.l10n.t('Change Notification Levels'), plans));
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

  #show(phase: ToOverview['phase'], details: Parameters<typeof overviewState>[3] = {}): void {
    this.#phase = phase;
    this.#error = details.error;
    this.#channel.post(overviewState(this.#deps.account(), phase, this.#overview, details));
  }
}

/** A change of the level alone: its events stay as they are, so there is nothing to say about them. */
function planOfLevel(scope: NotificationScope, settings: Settings, level: string): ScopePlan {
  return { ...planFor(scope, settings, { level, flags: {} }), notes: [] };
}

/** The type by which the editor knows the overview, also when it restores one. */
const overviewType = 'beacon.notificationOverview';

/** What the overview needs of the other services of `BulkServices`. */
export interface OverviewServices {
  readonly finder: ScopeFinder;
  readonly engine: SettingsEngine;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly clock: Pick<Clock, 'date'>;
}

/** The one overview of this window: opens it, restores it. */
export class OverviewPanels implements vscode.Disposable {
  readonly #deps: NotificationsDeps;
  readonly #panelDeps: OverviewPanelDeps;
  readonly #scopesChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #files: Promise<PageFiles> | undefined;
  #panel: OverviewPanel | undefined;

  constructor(deps: NotificationsDeps, { finder, engine, bulk, dialogs, clock }: OverviewServices) {
    const { accountInUse, connections, workspaceProjects, pins, extensionUri, log } = deps;
    this.#deps = deps;
    const notify = (): void => this.#scopesChanged.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#scopesChanged,
      accountInUse.onDidChange(notify),
      workspaceProjects.onDidChange(notify),
      pins.onDidChange(notify),
    );
    this.#panelDeps = {
      ...{ extensionUri, bulk, dialogs },
      loader: new OverviewLoader(connections, finder, engine),
      transfer: new Transfer({ connections, bulk, dialogs, files: new EditorFiles(), clock }),
      account: () => accountName(accountInUse.account),
      pin: (kind) => this.#pin(kind),
      onDidChangeScopes: this.#scopesChanged.event,
      onError: (error) => {
        log.error(inspect(error));
        showProblem(problemOf(error));
      },
    };
  }

  /**
   * Shows the overview.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async open(): Promise<void> {
    await this.#deps.connections.current();
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
    const overview = new OverviewPanel(panel, files, this.#panelDeps);
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
    this.#files ??= readPageFiles(this.#deps.extensionUri, 'notificationOverview');
    return await this.#files;
  }

  async #pin(kind: 'project' | 'group'): Promise<boolean> {
    const { connections, pins } = this.#deps;
    const connection = await connections.current();
    const chosen =
      kind === 'project'
        ? await pickProject(connection, { title: vscode.l10n.t('Pin Project') })
        : await pickGroup(connection, { title: vscode.l10n.t('Pin Group') });
    if (chosen) {
      await pins.add(chosen);
    }
    return chosen !== undefined;
  }
}
