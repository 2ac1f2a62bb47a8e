import * as vscode from 'vscode';
import { sandboxAccount } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { pickGroup, pickProject } from '../../accounts/pickers.ts';
import { problemOf, reportFailure, runRemedy } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { type NoiseEstimates, NoiseReading, type NoiseWanted, noiseWantedOf } from '../noise/estimates.ts';
import type { ScopeMails } from '../noise/mails.ts';
import type { NotificationsDeps } from '../notificationsFeature.ts';
import { type BulkChanges, type PlanDialogs, resultLabel, type SendHooks } from '../settings/bulkChanges.ts';
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
  type OverviewRow,
  overviewProblems,
  overviewState,
} from './overviewLoader.ts';
import { EditorFiles, Transfer } from './transfer.ts';

const { t } = vscode.l10n;

/** The dependencies of the panel. */
export interface OverviewPanelDeps {
  readonly loader: OverviewLoader;
  readonly bulk: BulkChanges;
  readonly dialogs: PlanDialogs;
  readonly transfer: Transfer;
  readonly estimates: NoiseEstimates;
  readonly profileOf: NonNullable<OverviewDetails['profileOf']>;
  /** The account in use. */
  readonly accountId: () => string | undefined;
  /** Whether there are several accounts to tell apart. */
  readonly isNamed: () => boolean;
  /** Lets the user pin a project or group of an account. */
  readonly pin: (kind: 'project' | 'group', accountId: string) => Promise<void>;
  /** Fires when the window works with another account, token or project. */
  readonly onDidChangeWindow: vscode.Event<void>;
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
  /** The account whose overview is shown. It stays, whatever the window works with, until the user asks for another one. */
  #accountId: string | undefined;
  #phase: ToOverview['phase'] = 'loading';
  #details: Pick<OverviewDetails, 'error' | 'progress'> = {};
  #projects = projectsAtOnce;
  /** Levels that were chosen in the page and are not saved, by the keys of their scopes. */
  #chosen: ReadonlyMap<string, string> = new Map();
  #result: string | undefined;
  /** Whether something has changed while the page was hidden, or changes were reviewed or made. */
  #isOutdated = false;
  #isDisposed = false;
  #abort = new AbortController();

  constructor(panel: vscode.WebviewPanel, fill: () => void, deps: OverviewPanelDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#channel = new Channel(panel.webview, fromOverviewSchema, (message) => this.#receive(message), deps.onError);
    this.#noise = new NoiseReading(deps.estimates, () => this.#show(this.#phase, this.#details));
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      this.#noise,
      panel.onDidChangeViewState(() => (this.#isOutdated ? this.#follow() : undefined)),
      deps.onDidChangeWindow(() => this.#followWindow()),
      deps.onDidChangeScopes(() => this.#follow()),
      deps.onDidChangeSettings((scopes) =>
        scopes.some(({ accountId }) => accountId === this.#accountId) ? this.#follow() : undefined,
      ),
    );
    fill();
    void this.load();
  }

  /** Reads everything again. A failure shows in the page; what was read before stays. */
  async load(): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#accountId ??= this.#deps.accountId();
    this.#isOutdated = false;
    this.#show('loading');
    try {
      const overview = await this.#deps.loader.load({
        ...{ accountId: this.#accountId, signal, projects: this.#projects },
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

  /** Shows the account that the window works with, as the user has asked for; not where that would put what is chosen out of sight. */
  async showInUse(): Promise<void> {
    if (!this.#isBusy && this.#chosen.size === 0) {
      await this.#openInUse();
    }
  }

  get accountId(): string | undefined {
    return this.#accountId;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#abort.abort();
    this.#subscriptions.dispose();
  }

  /** The account of the window, if it is another one than that of the overview. */
  get #otherAccount(): string | undefined {
    const id = this.#deps.accountId();
    return id === undefined || id === (this.#accountId ?? id) ? undefined : accountLabel(id);
  }

  get #isBusy(): boolean {
    return this.#phase === 'reviewing' || this.#phase === 'changing';
  }

  /** Reads what is of interest now; after what is under way, which is about what is shown, and once somebody looks. */
  #follow(): void {
    if (this.#isBusy || !this.#panel.visible) {
      this.#isOutdated = true;
      this.#show(this.#phase, this.#details);
    } else {
      this.#result = undefined;
      void this.load();
    }
  }

  /** What another account changes in the window is only said; the sandbox can be used only by a window that works with it. */
  #followWindow(): void {
    if ([this.#deps.accountId(), sandboxAccount.id, undefined].includes(this.#accountId)) {
      this.#follow();
    } else {
      this.#show(this.#phase, this.#details);
    }
  }

  async #openInUse(): Promise<void> {
    if (this.#otherAccount !== undefined) {
      this.#accountId = this.#deps.accountId();
      this.#overview = nothing;
      this.#chosen = new Map();
      this.#projects = projectsAtOnce;
      this.#noise.cancel();
      await this.load();
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
        const row = this.#row(message.key);
        await (row?.error === undefined ? undefined : this.#fix(problemOf(row.error, row.scope.accountId).remedy));
        return;
      }
      case 'open':
        await vscode.commands.executeCommand('beacon.notifications.open', this.#row(message.key)?.scope);
        return;
      case 'change':
        await this.#change(message.changes);
        return;
      case 'choose':
        this.#chosen = new Map(message.changes.map(({ key, level }) => [key, level]));
        if (this.#chosen.size > 0) {
          this.#result = undefined;
        }
        this.#show(this.#phase, this.#details);
        return;
      case 'act':
        await this.#act(message.action);
    }
  }

  async #act(action: Extract<FromOverview, { type: 'act' }>['action']): Promise<void> {
    const { transfer, pin } = this.#deps;
    // None is in use where nothing of this is offered.
    const accountId = this.#accountId ?? '';
    switch (action) {
      case 'more':
        this.#projects += projectsAtOnce;
        await this.load();
        return;
      case 'reload':
        await this.load();
        return;
      case 'openInUse':
        await this.#openInUse();
        return;
      case 'fix': {
        const problems = overviewProblems(this.#accountId, this.#overview, this.#details.error);
        await this.#fix(problems.find((problem) => problem.remedy)?.remedy);
        return;
      }
      case 'trySandbox':
        await this.#fix({ command: 'beacon.trySandbox', title: '' });
        return;
      case 'export':
        await transfer.export(accountId, this.#overview.rows);
        return;
      case 'import':
        await this.#whileChanging((hooks) => transfer.import(accountId, hooks));
        return;
      case 'fixNoise':
      case 'readNoise':
        await (action === 'fixNoise' ? this.#noise.fix() : undefined);
        await this.#readNoise();
        return;
      case 'cancelNoise':
        this.#noise.cancel();
        return;
      case 'pinProject':
      case 'pinGroup':
        // The list follows the pins by itself.
        await pin(action === 'pinProject' ? 'project' : 'group', accountId);
    }
  }

  /** Where nothing else helps, reads everything again. Who signs in from here as somebody else wants to see their overview. */
  async #fix(remedy: vscode.Command | undefined): Promise<void> {
    if (!remedy) {
      await this.load();
      return;
    }
    const before = this.#deps.accountId();
    await runRemedy(remedy);
    if (this.#deps.accountId() !== before) {
      await this.showInUse();
    }
  }

  /** Lets the user review new levels, and sends what they confirm. */
  async #change(changes: Extract<FromOverview, { type: 'change' }>['changes']): Promise<void> {
    const plans = changes.flatMap(({ key, level }): readonly ScopePlan[] => {
      const row = this.#row(key);
      return row?.settings ? [planOfLevel(row.scope, row.settings, level)] : [];
    });
    if (plans.length > 0) {
      const title = t('Change Notification Levels');
      await this.#whileChanging((hooks) => this.#deps.bulk.run(title, plans, hooks));
    }
  }

  /**
   * Shows how far changes are, and reads everything again once they are made.
   *
   * @param run answers undefined if nothing was sent.
   */
  async #whileChanging(run: (hooks: SendHooks) => Promise<unknown>): Promise<void> {
    if (this.#isBusy) {
      return;
    }
    this.#result = undefined;
    this.#show('reviewing', this.#details);
    let outcomes: unknown;
    try {
      outcomes = await run({
        // After an undo, the page follows what it has changed.
        before: async (_, isUndo) => (isUndo ? undefined : this.#show('changing', this.#details)),
        after: async (sent, isUndo) => {
          if (!isUndo) {
            this.#result = resultLabel(sent);
            void this.load();
          }
        },
      });
      this.#result ??= t('Nothing was changed.');
    } finally {
      if (outcomes === undefined) {
        await (this.#isOutdated ? this.load() : this.#show('ready', this.#details));
      }
    }
  }

  #row(key: string): OverviewRow | undefined {
    return this.#overview.rows.find(({ scope }) => scopeKey(scope) === key);
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
    if (this.#isDisposed) {
      return;
    }
    this.#phase = phase;
    this.#details = details;
    const { isNamed, estimates, profileOf } = this.#deps;
    const chosen = this.#chosen;
    const id = this.#accountId;
    const title = t('Notification Overview');
    const otherAccount = this.#otherAccount;
    const named =
      (isNamed() || otherAccount !== undefined) && id !== undefined ? t('{0} ({1})', title, accountLabel(id)) : title;
    // The editor marks only its own kinds of tabs as changed.
    this.#panel.title = chosen.size > 0 ? `● ${named}` : named;
    const noise = id === undefined ? {} : { noise: this.#noise.state(id, this.#noiseWanted(id)[1]) };
    const mailsOf = (scope: NotificationScope): ScopeMails | undefined => estimates.mailsOf(scope);
    const result = this.#result;
    this.#channel.post(
      overviewState(id, phase, this.#overview, {
        ...{ otherAccount, result, chosen, mailsOf, profileOf },
        ...details,
        ...noise,
      }),
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
  readonly profileOf: OverviewPanelDeps['profileOf'];
}

/** The one overview of this window: opens it, restores it. */
export class OverviewPanels implements vscode.Disposable {
  readonly #deps: NotificationsDeps;
  readonly #pages: SinglePage<OverviewPanel>;
  readonly #windowChanged = new vscode.EventEmitter<void>();
  readonly #scopesChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  constructor(deps: NotificationsDeps, { finder, engine, clock, ...services }: OverviewServices) {
    const { accounts, accountInUse, connections, workspaceProjects, pins, extensionUri, log } = deps;
    this.#deps = deps;
    const notify = (): void => this.#scopesChanged.fire();
    const notifyOfWindow = (): void => this.#windowChanged.fire();
    this.#subscriptions = vscode.Disposable.from(
      ...[this.#scopesChanged, this.#windowChanged],
      accountInUse.onDidChange(notifyOfWindow),
      // The page may be about another account.
      accounts.onDidChange((ids) => (ids.includes(this.#pages.page?.accountId ?? '') ? notify() : undefined)),
      workspaceProjects.onDidChange(notifyOfWindow),
      pins.onDidChange(notify),
    );
    const panelDeps: OverviewPanelDeps = {
      ...services,
      loader: new OverviewLoader(connections, finder, engine),
      transfer: new Transfer({ ...services, connections, files: new EditorFiles(), clock }),
      accountId: () => accountInUse.account?.id,
      isNamed: () => accounts.all.length > 1,
      pin: (kind, accountId) => this.#pin(kind, accountId),
      onDidChangeWindow: this.#windowChanged.event,
      onDidChangeScopes: this.#scopesChanged.event,
      onDidChangeSettings: engine.onDidChange,
      onError: (error) => reportFailure(error, log),
    };
    this.#pages = new SinglePage({
      ...{ extensionUri, name: 'notificationOverview', title: t('Notification Overview') },
      create: (panel, fill) => new OverviewPanel(panel, fill, panelDeps),
    });
  }

  /**
   * Shows the overview of the account in use.
   *
   * @throws SignedOutError if no account is in use.
   */
  async open(): Promise<void> {
    await this.#deps.connections.current();
    await (await this.#pages.open()).showInUse();
  }

  /** Goes on with an overview that the editor restores. */
  async revive(panel: vscode.WebviewPanel): Promise<void> {
    await this.#pages.revive(panel);
  }

  dispose(): void {
    this.#pages.dispose();
    this.#subscriptions.dispose();
  }

  async #pin(kind: 'project' | 'group', accountId: string): Promise<void> {
    const { connections, pins } = this.#deps;
    const connection = await connections.of(accountId);
    const chosen =
      kind === 'project'
        ? await pickProject(connection, { title: t('Pin Project'), pins })
        : await pickGroup(connection, { title: t('Pin Group'), pins });
    if (chosen) {
      await pins.add(chosen);
    }
  }
}
