import { pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { type Account, lacksReadScope, sandboxAccount } from '../../accounts/account.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Connections } from '../../accounts/connections.ts';
import type { Pins } from '../../accounts/pins.ts';
import { notify, reportFailure, requireScope, showProblem } from '../../accounts/problem.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { NoiseEstimates } from '../noise/estimates.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import { readInherited } from '../settings/inheritance.ts';
import { scopeLabel } from '../settings/labels.ts';
import { isItem, scopeOfArgument, scopeOfWorkspace } from '../settings/scopeArgument.ts';
import { pickScope } from '../settings/scopePicker.ts';
import { scopeSchema } from '../settings/schemas.ts';
import { type NotificationScope, scopeKey } from '../settings/settings.ts';
import { type PageFiles, readPageFiles, tabIcon } from '../../webviews/webview.ts';
import { Sessions, SettingsPanel, type SettingsPanelDeps } from './settingsPanel.ts';

const { t } = vscode.l10n;

/** The type by which the editor knows the form, also when it restores one. */
const panelType = 'beacon.notificationSettings';

/** What the forms depend on. */
interface SettingsPanelsDeps {
  readonly engine: SettingsEngine;
  readonly estimates: NoiseEstimates;
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly pins: Pick<Pins, 'of'>;
  /** A folder that is shared by all windows. */
  readonly globalStorageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

function requireRead(account: Account): void {
  requireScope(account, 'GET');
}

/** The forms of this window, one for each scope of each account: opens them, restores them, keeps them up to date. */
export class SettingsPanels implements vscode.Disposable {
  readonly #deps: SettingsPanelsDeps;
  readonly #files: PageFiles;
  readonly #sessions: Sessions;
  readonly #subscription: vscode.Disposable;
  #panels: readonly SettingsPanel[] = [];

  private constructor(deps: SettingsPanelsDeps, files: PageFiles) {
    this.#deps = deps;
    this.#files = files;
    this.#sessions = new Sessions({
      engine: deps.engine,
      folder: pathOf(deps.globalStorageUri),
      log: deps.log,
    });
    this.#subscription = vscode.Disposable.from(
      this.#sessions,
      // A new token may fix what failed.
      deps.accountInUse.onDidChange(() => this.#panels.forEach((panel) => this.#followAccount(panel))),
      deps.accounts.onDidChange((ids) =>
        this.#panels
          .filter(({ scope: { accountId } }) => ids.includes(accountId) && accountId !== deps.accountInUse.account?.id)
          .forEach((panel) => panel.follow('reload')),
      ),
      // A form may inherit from what was changed; while it saves itself, it reads nothing else.
      deps.engine.onDidChange((scopes) =>
        this.#panels
          .filter(({ scope: { accountId } }) => scopes.some((scope) => scope.accountId === accountId))
          .forEach((panel) => panel.follow('load')),
      ),
    );
  }

  /** Reads what the form is made of, so that it is at hand whenever one is opened. */
  static async load(deps: SettingsPanelsDeps): Promise<SettingsPanels> {
    return new SettingsPanels(deps, await readPageFiles(deps.extensionUri, 'notificationSettings'));
  }

  /**
   * Shows the form of a scope; without one, or for an item of a view, that of the global settings of the account in use.
   *
   * @param argument what the command was called with, see `scopeOfArgument`.
   * @throws SignedOutError if there is no account.
   */
  async open(argument: unknown): Promise<void> {
    await this.openOf(isItem(argument) ? undefined : argument);
  }

  /** The same for an item of a view: that of its project. */
  async openOf(argument: unknown): Promise<void> {
    const scope = argument === undefined ? undefined : await scopeOfArgument(argument, this.#deps, requireRead);
    this.#show(scope ?? (await this.#globalScope()));
  }

  /**
   * Shows the form of the workspace's project, or that there is none.
   *
   * @throws SignedOutError if there is no account.
   */
  async openOfWorkspace(): Promise<void> {
    const scope = await scopeOfWorkspace(this.#deps);
    if (scope) {
      this.#show(scope);
      return;
    }
    await this.#deps.connections.current();
    showProblem({
      sentence: t('No repository of this workspace has a remote on the instance of your account.'),
      remedy: {
        command: 'beacon.notifications.open',
        title: t('Open Global Notification Settings'),
        arguments: [await this.#globalScope()],
      },
    });
  }

  /** Whether settings of an account were changed and not saved, in whichever window. */
  async hasDrafts(accountId: string): Promise<boolean> {
    return (await this.#sessions.drafted(accountId)).length > 0;
  }

  /** Goes on with a form that the editor restores, with the scope that it showed. */
  async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { scope } = (state ?? {}) as { readonly scope?: unknown };
    const shown = scopeSchema.safeParse(scope);
    let present: NotificationScope;
    try {
      present = shown.success ? shown.data : await this.#globalScope();
    } catch {
      // Nobody is signed in, and the form had shown nothing yet.
      panel.dispose();
      return;
    }
    this.#take(panel, present);
  }

  dispose(): void {
    this.#panels.forEach((panel) => panel.dispose());
    this.#subscription.dispose();
  }

  #show(scope: NotificationScope): void {
    const shown = this.#find(scope);
    if (shown) {
      shown.show(scope);
      shown.reveal();
      return;
    }
    const title = t('Notification Settings');
    this.#take(vscode.window.createWebviewPanel(panelType, title, vscode.ViewColumn.Active), scope);
  }

  #take(panel: vscode.WebviewPanel, scope: NotificationScope): void {
    panel.iconPath = tabIcon(this.#deps.extensionUri);
    const deps: SettingsPanelDeps = {
      files: this.#files,
      sessions: this.#sessions,
      estimates: this.#deps.estimates,
      accountInUse: this.#deps.accountInUse,
      readInherited: (present) => readInherited(present, this.#deps),
      ableAccount: (present) => this.#ableAccount(present),
      openOther: async (present) => {
        const able = this.#ableAccount(present);
        await this.open(able && { kind: 'global', accountId: able.id });
      },
      chooseScope: (present) => this.#choose(present),
      onError: (error) => reportFailure(error, this.#deps.log),
    };
    const before = this.#find(scope);
    const form = new SettingsPanel(panel, scope, deps);
    this.#panels = [...this.#panels, form];
    panel.onDidDispose(() => {
      form.dispose();
      this.#panels = this.#panels.filter((one) => one !== form);
      if (form.hasChanges && !this.#find(form.scope)) {
        this.#notifyKept(form.scope);
      }
    });
    before?.close();
  }

  /** A form keeps its account, unless it is that of global settings and was signed out. */
  #followAccount(panel: SettingsPanel): void {
    const { account } = this.#deps.accountInUse;
    const scope = account && ({ kind: 'global', accountId: account.id } as const);
    if (scope && panel.scope.kind === 'global' && panel.isLeft && !this.#find(scope)) {
      panel.show(scope);
    } else {
      panel.followAccount();
      // The token may be another one; the sandbox can be used only by a window that works with it.
      if ([account?.id, sandboxAccount.id].includes(panel.scope.accountId)) {
        panel.follow('reload');
      }
    }
  }

  /** Says that closing a form loses nothing; does not ask. */
  #notifyKept(scope: NotificationScope): void {
    const sentence = t('Your unsaved changes are kept: {0}.', scopeLabel(scope, vscode.l10n));
    const open = { title: t('Open'), run: () => this.open(scope) };
    notify('info', sentence, [open], this.#deps.log);
  }

  async #choose(present: NotificationScope): Promise<NotificationScope | undefined> {
    const { connections, workspaceProjects, pins } = this.#deps;
    const connection = await connections.of(present.accountId);
    const chosen = await pickScope(connection, {
      workspace: workspaceProjects.all,
      pins: pins.of(present.accountId),
      present,
      drafted: await this.#sessions.drafted(present.accountId),
    });
    const scope =
      chosen && 'folder' in chosen
        ? await scopeOfArgument({ kind: 'project', accountId: chosen.accountId, path: chosen.path }, this.#deps)
        : chosen;
    if (!scope || (scope.accountId === present.accountId && !this.#find(scope))) {
      return scope;
    }
    // A form keeps its account, and no two show the same.
    this.#show(scope);
    return undefined;
  }

  #find(scope: NotificationScope): SettingsPanel | undefined {
    return this.#panels.find((panel) => scopeKey(panel.scope) === scopeKey(scope));
  }

  #ableAccount({ accountId }: NotificationScope): Account | undefined {
    const { accounts, accountInUse } = this.#deps;
    const { account } = accountInUse;
    return account?.id === accountId && lacksReadScope(account)
      ? accounts.all.find((one) => !lacksReadScope(one))
      : undefined;
  }

  async #globalScope(): Promise<NotificationScope> {
    const { account } = await this.#deps.connections.current();
    return { kind: 'global', accountId: account.id };
  }
}
