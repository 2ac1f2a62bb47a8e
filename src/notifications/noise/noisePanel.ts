import * as vscode from 'vscode';
import { accountName } from '../../accounts/accountInUse.ts';
import { accountProblem } from '../../accounts/dialogs.ts';
import { type Problem, problemOf, reportFailure, runRemedy } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { plainText } from '../../common/inertText.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { NotificationsDeps } from '../notificationsFeature.ts';
import type { BulkChanges, SendHooks } from '../settings/bulkChanges.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import { effectLabel, readEffects, type ScopeEffect } from '../settings/inheritance.ts';
import { levelLabel } from '../settings/labels.ts';
import type { ScopeFinder } from '../settings/scopePicker.ts';
import type { LocatedScope } from '../settings/scopeArgument.ts';
import { planOfLevel, scopeKey, type ScopePlan } from '../settings/settings.ts';
import { type NoiseEstimates, NoiseReading, noiseWantedOf } from './estimates.ts';
import { loudness, mailsOfLevel, type ScopeMails, unknownMails } from './mails.ts';
import { type FromNoise, fromNoiseSchema, type ProjectState, type ToNoise } from './messages.ts';

const { t } = vscode.l10n;

/** Of so many projects, the loudest, the settings are read: each is a request. */
const mostProjects = 100;

/** What the page of noise needs of the other services of `BulkServices`. */
export interface NoiseServices {
  readonly finder: ScopeFinder;
  readonly engine: SettingsEngine;
  readonly bulk: BulkChanges;
  readonly estimates: NoiseEstimates;
}

/** One project on the page. */
interface NoisyProject {
  readonly scope: LocatedScope;
  readonly mails: ScopeMails;
  /** Undefined until the settings were read. */
  readonly effect: ScopeEffect | undefined;
}

/** Converts a project to what the page shows: the levels that can be tried, each with what it sends. */
export function projectState({ scope, mails, effect }: NoisyProject): ProjectState {
  const { settings, inherited, error } = effect ?? {};
  const name = plainText(scope.path, 300);
  const isNew = settings && !notificationLevels.some((level) => level === settings.level);
  const offered = isNew ? [...notificationLevels, settings.level] : notificationLevels;
  const choices = offered.map((level) => {
    const label = levelLabel(level, vscode.l10n).name;
    if (level === 'global') {
      const isKnown = inherited !== undefined && inherited.kind !== 'unknown';
      return {
        level,
        name: label,
        title: isKnown ? t('{0} ({1})', label, effectLabel(inherited)) : label,
        mails: isKnown ? mailsOfLevel(inherited.settings, mails) : unknownMails,
      };
    }
    return { level, name: label, title: label, mails: mailsOfLevel({ level, flags: settings?.flags ?? {} }, mails) };
  });
  return {
    key: scopeKey(scope),
    name: name === '' ? t('Project {0}', String(scope.id)) : name,
    level: settings?.level,
    choices,
    problem: error === undefined ? undefined : problemOf(error, scope.accountId).sentence,
  };
}

/** The page of noise in an editor tab. */
export class NoisePanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #deps: NotificationsDeps;
  readonly #services: NoiseServices;
  readonly #channel: Channel<FromNoise, ToNoise>;
  readonly #noise: NoiseReading;
  readonly #subscriptions: vscode.Disposable;
  #accountId: string | undefined;
  #effects = new Map<string, ScopeEffect>();
  #phase: ToNoise['phase'] = 'ready';
  #progress: ToNoise['progress'];
  #problem: Problem | undefined;
  #isDisposed = false;
  #abort = new AbortController();

  constructor(panel: vscode.WebviewPanel, fill: () => void, deps: NotificationsDeps, services: NoiseServices) {
    this.#panel = panel;
    this.#deps = deps;
    this.#services = services;
    this.#channel = new Channel(
      panel.webview,
      fromNoiseSchema,
      (message) => this.#receive(message),
      (error) => reportFailure(error, deps.log),
    );
    this.#noise = new NoiseReading(services.estimates, () => this.#show());
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      this.#noise,
      deps.accountInUse.onDidChange(() => this.#followAccount()),
      deps.accounts.onDidChange(() => this.#show()),
      services.engine.onDidChange((scopes) => {
        const isOwn = scopes.some(({ accountId }) => accountId === this.#accountId);
        if (isOwn && this.#phase === 'ready' && this.#effects.size > 0) {
          void this.load();
        }
      }),
    );
    fill();
  }

  /**
   * Reads the feeds, unless that was done before, and the settings of the projects in them. A failure shows in the page.
   *
   * @param isAgain whether the feeds are read again.
   */
  async load(isAgain = false): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { finder, estimates } = this.#services;
    [this.#phase, this.#progress, this.#problem] = ['loading', undefined, undefined];
    this.#show();
    try {
      const { account } = await this.#deps.connections.current();
      if (this.#accountId !== account.id) {
        this.#effects = new Map();
        this.#accountId = account.id;
      }
      const { found } = await finder.find({ signal });
      signal.throwIfAborted();
      const chosen = noiseWantedOf(account.id, found);
      if (isAgain || !estimates.has(account.id, chosen)) {
        await this.#noise.start(account.id, chosen, noiseWantedOf(account.id, this.#projects()));
        signal.throwIfAborted();
      }
      await this.#readSettings(account.id, signal);
    } catch (error) {
      if (this.#abort.signal !== signal) {
        return;
      }
      this.#problem = signal.aborted ? undefined : accountProblem(this.#accountId, error);
    }
    if (this.#abort.signal === signal) {
      [this.#phase, this.#progress] = ['ready', undefined];
      this.#show();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#abort.abort();
    // What is ending has nothing to show any more.
    this.#abort = new AbortController();
    this.#subscriptions.dispose();
  }

  async #receive(message: FromNoise): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#show();
        return;
      case 'open': {
        const scope = this.#projects().find((project) => scopeKey(project.scope) === message.key)?.scope;
        if (scope) {
          await vscode.commands.executeCommand('beacon.notifications.open', scope);
        }
        return;
      }
      case 'act':
        if (message.action === 'cancel') {
          this.#noise.cancel();
          this.#abort.abort();
        } else if (message.action === 'fix') {
          await (this.#problem ? runRemedy(this.#problem.remedy) : this.#noise.fix());
          await this.load();
        } else {
          await this.load(true);
        }
        return;
      case 'change':
        await this.#change(message.changes);
    }
  }

  /** Lets the user review new levels, and sends what they confirm. */
  async #change(changes: Extract<FromNoise, { type: 'change' }>['changes']): Promise<void> {
    const plans = changes.flatMap(({ key, level }): readonly ScopePlan[] => {
      const effect = this.#effects.get(key);
      return effect?.settings ? [planOfLevel(effect.scope, effect.settings, level)] : [];
    });
    if (plans.length === 0) {
      return;
    }
    this.#phase = 'reviewing';
    this.#show();
    // What failed may be tried again long afterwards: that shows in the same way.
    const hooks: SendHooks = {
      before: async (_, isUndo) => {
        this.#phase = isUndo ? this.#phase : 'changing';
        this.#show();
      },
      after: async (_, isUndo) => (isUndo ? undefined : void this.load()),
    };
    let changed: unknown;
    try {
      changed = await this.#services.bulk.run(t('Change Notification Levels'), plans, hooks);
    } finally {
      if (changed === undefined) {
        this.#phase = 'ready';
        this.#show();
      }
    }
  }

  /** The settings of the loudest projects, and what they inherit. */
  async #readSettings(accountId: string, signal: AbortSignal): Promise<void> {
    const scopes = this.#projects().map(({ scope }) => scope);
    if (scopes.length === 0) {
      return;
    }
    const { connections } = this.#deps;
    const read = await readEffects(
      [{ kind: 'global', accountId }, ...scopes],
      { connections, engine: this.#services.engine },
      {
        signal,
        onStep: (done, total) => {
          this.#progress = { done, total };
          this.#show();
        },
      },
    );
    signal.throwIfAborted();
    this.#effects = new Map(read().map((effect) => [scopeKey(effect.scope), effect]));
  }

  /** The loudest first. */
  #projects(): readonly NoisyProject[] {
    return this.#all().slice(0, mostProjects);
  }

  #all(): readonly NoisyProject[] {
    const accountId = this.#accountId;
    if (accountId === undefined) {
      return [];
    }
    const { estimates } = this.#services;
    return [...estimates.projectsOf(accountId)]
      .flatMap(([id, path = '']): readonly NoisyProject[] => {
        const scope = { kind: 'project', accountId, id, path } as const;
        const mails = estimates.mailsOf(scope);
        return mails ? [{ scope, mails, effect: this.#effects.get(scopeKey(scope)) }] : [];
      })
      .toSorted(
        (one, other) =>
          (loudness(other.mails.levels.watch) ?? 0) - (loudness(one.mails.levels.watch) ?? 0) ||
          one.scope.path.localeCompare(other.scope.path),
      );
  }

  /** Shows what is known of another account; its feeds are read when the user asks for it. */
  #followAccount(): void {
    const id = this.#deps.accountInUse.account?.id;
    if (id !== this.#accountId) {
      this.#abort.abort();
      this.#effects = new Map();
      [this.#accountId, this.#phase, this.#problem] = [id, 'ready', undefined];
      this.#show();
    }
  }

  #show(): void {
    if (this.#isDisposed) {
      return;
    }
    const all = this.#all();
    const shown = all.slice(0, mostProjects);
    const { accounts, accountInUse } = this.#deps;
    const accountId = this.#accountId ?? '';
    const account = accountName(accountInUse.account);
    const title = t('Notification Noise');
    // The page follows the account of the window.
    this.#panel.title = account !== '' && accounts.all.length > 1 ? t('{0} ({1})', title, account) : title;
    this.#channel.post({
      account,
      phase: this.#phase,
      noise: this.#noise.state(accountId, noiseWantedOf(accountId, shown)),
      progress: this.#progress,
      projects: shown.map(projectState),
      more: all.length - shown.length,
      problem: this.#problem?.sentence,
      remedy: this.#problem?.remedy?.title,
    });
  }
}

/** The one page of noise of this window: opens it, restores it. */
export class NoisePanels implements vscode.Disposable {
  readonly #deps: NotificationsDeps;
  readonly #pages: SinglePage<NoisePanel>;

  constructor(deps: NotificationsDeps, services: NoiseServices) {
    this.#deps = deps;
    this.#pages = new SinglePage({
      ...{ extensionUri: deps.extensionUri, name: 'notificationNoise', title: t('Notification Noise') },
      create: (panel, fill) => new NoisePanel(panel, fill, deps, services),
    });
  }

  /**
   * Shows the page.
   *
   * @throws SignedOutError if no account is in use.
   */
  async open(): Promise<void> {
    await this.#deps.connections.current();
    const isOpen = this.#pages.page !== undefined;
    const page = await this.#pages.open();
    if (!isOpen) {
      void page.load();
    }
  }

  /** Goes on with a page that the editor restores: the feeds are read when the user asks for it. */
  async revive(panel: vscode.WebviewPanel): Promise<void> {
    await this.#pages.revive(panel);
  }

  dispose(): void {
    this.#pages.dispose();
  }
}
