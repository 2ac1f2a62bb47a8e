import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { pickGroup, pickProject } from '../../accounts/pickers.ts';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { type NoiseEstimates, NoiseReading, type NoiseWanted, noiseWantedOf } from '../noise/estimates.ts';
import type { ScopeMails } from '../noise/mails.ts';
import type { NotificationsDeps } from '../notificationsFeature.ts';
import type { BulkChanges, PlanDialogs } from '../settings/bulkChanges.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import type { ScopeFinder } from '../settings/scopePicker.ts';
import { type NotificationScope, planOfLevel, scopeKey, type ScopePlan } from '../settings/settings.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import { type FromOverview, fromOverviewSchema, type ToOverview } from './messages.ts';
import {
  type Overview,
  type OverviewDetails,
  OverviewLoader,
  overviewProblems,
  overviewState,
} from './overviewLoader.ts';
import { EditorFiles, Transfer } from './transfer.ts';

/** The dependencies of the panel. */
export interface OverviewPanelDeps {
  readonly loader: OverviewLoader;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly transfer: Transfer;
  readonly estimates: NoiseEstimates;
  /** The account in use. */
  readonly accountId: () => string | undefined;
  /** Whether there are several accounts to tell apart. */
  readonly isNamed: () => boolean;
  /** Lets the user pin a project or group; answers whether they did. */
  readonly pin: (kind: 'project' | 'group') => Promise<boolean>;
  /** Fires when other projects and groups are of interest. */
  readonly onDidChangeScopes: vscode.Event<void>;
  readonly onDidChangeSettings: SettingsEngine['onDidChange'];
  readonly onError: (error: unknown) => void;
}

const nothing: Overview = { rows: [], rowsWith: () => [], missing: [], hasMore: false };
/** So many of the user's projects are listed at first, and more each time that the user asks for more: each is a request. */
const projectsAtOnce = 100;

/** The overview in an editor tab. */
export class OverviewPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #deps: OverviewPanelDeps;
  readonly #channel: Channel<FromOverview, ToOverview>;
  readonly #subscriptions: vscode.Disposable;
  readonly #noise: NoiseReading;
  #overview = nothing;
  /** The account whose overview is shown: not that of the window while levels are chosen that are not saved. */
  #accountId: string | undefined;
  #phase: ToOverview['phase'] = 'loading';
  #details: Pick<OverviewDetails, 'error' | 'progress'> = {};
  #projects = projectsAtOnce;
  /** Levels that were chosen in the page and are not saved, by the keys of their scopes. */
  #chosen: ReadonlyMap<string, string> = new Map();
  #abort = new AbortController();

  constructor(panel: vscode.WebviewPanel, fill: () => void, deps: OverviewPanelDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#channel = new Channel(panel.webview, fromOverviewSchema, (message) => this.#receive(message), deps.onError);
    this.#noise = new NoiseReading(deps.estimates, () => this.#show(this.#phase, this.#details));
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      this.#noise,
      deps.onDidChangeScopes(() => this.#follow()),
      // What it changes itself, it reads again afterwards.
      deps.onDidChangeSettings(() => (this.#phase === 'changing' ? undefined : this.#follow())),
    );
    fill();
    void this.load();
  }

  /** Reads everything again. A failure shows in the page; what was read before stays. */
  async load(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#accountId = this.#deps.accountId() ?? this.#accountId;
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

  /** The account of the window, if it is another one than that of the overview. */
  get #otherAccount(): string | undefined {
    const id = this.#deps.accountId();
    return id === undefined || id === this.#accountId ? undefined : accountLabel(id);
  }

  /** Reads what is of interest now; not of another account while that would put what is chosen out of sight. */
  #follow(): void {
    if (this.#otherAccount !== undefined && this.#chosen.size > 0) {
      this.#show(this.#phase, this.#details);
    } else {
      void this.load();
    }
  }

  async #receive(message: FromOverview): Promise<void> {
    switch (message.type) {
      case 'ready':
        // The page says itself what is chosen in it.
        this.#chosen = new Map();
        this.#show(this.#phase, this.#details);
        return;
      case 'fixRow': {
        const row = this.#overview.rows.find(({ scope }) => scopeKey(scope) === message.key);
        await (row?.error === undefined ? undefined : this.#fix(problemOf(row.error).remedy));
        return;
      }
      case 'open': {
        const row = this.#overview.rows.find(({ scope }) => scopeKey(scope) === message.key);
        await vscode.commands.executeCommand('beacon.notifications.open', row?.scope);
        return;
      }
      case 'change':
        await this.#change(message.changes);
        return;
      case 'choose':
        this.#chosen = new Map(message.changes.map(({ key, level }) => [key, level]));
        if (this.#otherAccount !== undefined && this.#chosen.size === 0) {
          await this.load();
        } else {
          this.#show(this.#phase, this.#details);
        }
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
      case 'openInUse':
        await this.load();
        return;
      case 'fix': {
        const problems = overviewProblems(this.#overview, this.#details.error);
        await this.#fix(problems.find((problem) => problem.remedy)?.remedy);
        return;
      }
      case 'export':
        await transfer.export(this.#overview.rows);
        return;
      case 'import':
        await this.#whileChanging(() => transfer.import());
        return;
      case 'readNoise':
        await this.#readNoise();
        return;
      case 'cancelNoise':
        this.#noise.cancel();
        return;
      case 'pinProject':
      case 'pinGroup':
        // The list follows the pins by itself.
        await pin(action === 'pinProject' ? 'project' : 'group');
    }
  }

  /** Where nothing else helps, reads everything again. */
  async #fix(remedy: vscode.Command | undefined): Promise<void> {
    if (remedy) {
      await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
    } else {
      await this.load();
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

  async #readNoise(): Promise<void> {
    const accountId = this.#accountId;
    if (accountId !== undefined) {
      await this.#noise.start(accountId, ...this.#noiseWanted(accountId));
    }
  }

  /** The feed of all projects and the own feeds of those that the user has chosen to see; then those of all that are listed. */
  #noiseWanted(accountId: string): readonly [first: NoiseWanted, rest: NoiseWanted] {
    const { rows } = this.#overview;
    const chosen = rows.filter(({ place }) => place === 'pinned' || place === 'workspace');
    return [noiseWantedOf(accountId, chosen), noiseWantedOf(accountId, rows)];
  }

  #show(phase: ToOverview['phase'], details: Pick<OverviewDetails, 'error' | 'progress'> = {}): void {
    this.#phase = phase;
    this.#details = details;
    const { isNamed, estimates } = this.#deps;
    const chosen = this.#chosen;
    const id = this.#accountId;
    const account = id === undefined ? '' : accountLabel(id);
    const title = vscode.l10n.t('Notification Overview');
    const named = isNamed() && id !== undefined ? vscode.l10n.t('{0} ({1})', title, account) : title;
    // The editor marks only its own kinds of tabs as changed.
    this.#panel.title = chosen.size > 0 ? `● ${named}` : named;
    const noise = id === undefined ? {} : { noise: this.#noise.state(id, this.#noiseWanted(id)[1]) };
    const mailsOf = (scope: NotificationScope): ScopeMails | undefined => estimates.mailsOf(scope);
    const otherAccount = this.#otherAccount;
    this.#channel.post(
      overviewState(account, phase, this.#overview, { ...details, ...noise, otherAccount, chosen, mailsOf }),
    );
  }
}

/** What the overview needs of the other services of `BulkServices`. */
export interface OverviewServices {
  readonly finder: ScopeFinder;
  readonly engine: SettingsEngine;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly clock: Pick<Clock, 'date'>;
  readonly estimates: NoiseEstimates;
}

/** The one overview of this window: opens it, restores it. */
export class OverviewPanels implements vscode.Disposable {
  readonly #deps: NotificationsDeps;
  readonly #pages: SinglePage<OverviewPanel>;
  readonly #scopesChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  constructor(deps: NotificationsDeps, { finder, engine, bulk, dialogs, clock, estimates }: OverviewServices) {
    const { accounts, accountInUse, connections, workspaceProjects, pins, extensionUri, log } = deps;
    this.#deps = deps;
    const notify = (): void => this.#scopesChanged.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#scopesChanged,
      accountInUse.onDidChange(notify),
      workspaceProjects.onDidChange(notify),
      pins.onDidChange(notify),
    );
    const panelDeps: OverviewPanelDeps = {
      ...{ bulk, dialogs, estimates },
      loader: new OverviewLoader(connections, finder, engine),
      transfer: new Transfer({ connections, bulk, dialogs, files: new EditorFiles(), clock }),
      accountId: () => accountInUse.account?.id,
      isNamed: () => accounts.all.length > 1,
      pin: (kind) => this.#pin(kind),
      onDidChangeScopes: this.#scopesChanged.event,
      onDidChangeSettings: engine.onDidChange,
      onError: (error) => reportFailure(error, log),
    };
    this.#pages = new SinglePage({
      ...{ extensionUri, name: 'notificationOverview', title: vscode.l10n.t('Notification Overview') },
      create: (panel, fill) => new OverviewPanel(panel, fill, panelDeps),
    });
  }

  /**
   * Shows the overview.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async open(): Promise<void> {
    await this.#deps.connections.current();
    await this.#pages.open();
  }

  /** Goes on with an overview that the editor restores. */
  async revive(panel: vscode.WebviewPanel): Promise<void> {
    await this.#pages.revive(panel);
  }

  dispose(): void {
    this.#pages.dispose();
    this.#subscriptions.dispose();
  }

  async #pin(kind: 'project' | 'group'): Promise<boolean> {
    const { connections, pins } = this.#deps;
    const connection = await connections.current();
    const chosen =
      kind === 'project'
        ? await pickProject(connection, { title: vscode.l10n.t('Pin Project'), pins })
        : await pickGroup(connection, { title: vscode.l10n.t('Pin Group'), pins });
    if (chosen) {
      await pins.add(chosen);
    }
    return chosen !== undefined;
  }
}
