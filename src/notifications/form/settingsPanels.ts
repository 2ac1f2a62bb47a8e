import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import type { Pins } from '../../accounts/pins.ts';
import { problemOf, showProblem } from '../../accounts/problem.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import { presentScope, scopeOfArgument, scopeOfWorkspace } from '../settings/scopeArgument.ts';
import { pickScope } from '../settings/scopePicker.ts';
import { type NotificationScope, scopeKey, scopeSchema } from '../settings/settings.ts';
import { type PageFiles, readPageFiles } from '../webview.ts';
import { Sessions, SettingsPanel, type SettingsPanelDeps } from './settingsPanel.ts';

/** The type by which the editor knows the form, also when it restores one. */
const panelType = 'beacon.notificationSettings';

/** What the forms depend on. */
interface SettingsPanelsDeps {
  readonly engine: SettingsEngine;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly pins: Pick<Pins, 'of'>;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** The forms of this window, one for each scope of each account: opens them, restores them, keeps them up to date. */
export class SettingsPanels implements vscode.Disposable {
  readonly #deps: SettingsPanelsDeps;
  readonly #files: PageFiles;
  readonly #sessions: Sessions;
  readonly #subscription: vscode.Disposable;
  /** The one that was shown last is the last. */
  #panels: readonly SettingsPanel[] = [];

  private constructor(deps: SettingsPanelsDeps, files: PageFiles) {
    this.#deps = deps;
    this.#files = files;
    this.#sessions = new Sessions({
      engine: deps.engine,
      memento: deps.globalState,
      locate: (scope) => presentScope(scope, deps.connections),
    });
    this.#subscription = vscode.Disposable.from(
      this.#sessions,
      // A new token may fix what failed.
      deps.accountInUse.onDidChange(() => this.#panels.forEach((panel) => panel.followAccount())),
    );
  }

  /** Reads what the form is made of, so that it is at hand whenever one is opened. */
  static async load(deps: SettingsPanelsDeps): Promise<SettingsPanels> {
    return new SettingsPanels(deps, await readPageFiles(deps.extensionUri, 'notificationSettings'));
  }

  /**
   * Shows the form of a scope; without one that which was shown last for the account in use, or else its global settings.
   *
   * @param argument what the command was called with, see `scopeOfArgument`.
   * @throws SignedOutError if there is no account.
   */
  async open(argument: unknown): Promise<void> {
    if (argument !== undefined) {
      this.#show((await scopeOfArgument(argument, this.#deps)) ?? (await this.#globalScope()));
      return;
    }
    const { account } = await this.#deps.connections.current();
    const last = this.#panels.findLast(({ scope }) => scope.accountId === account.id);
    this.#show(last?.scope ?? { kind: 'global', accountId: account.id });
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
      sentence: vscode.l10n.t('No repository of this workspace has a remote on the instance of your account.'),
      remedy: {
        command: 'beacon.notifications.open',
        title: vscode.l10n.t('Open Global Settings'),
        arguments: [await this.#globalScope()],
      },
    });
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
      this.#panels = [...this.#panels.filter((one) => one !== shown), shown];
      shown.show(scope);
      shown.reveal();
      return;
    }
    const title = vscode.l10n.t('Notification Settings');
    this.#take(vscode.window.createWebviewPanel(panelType, title, vscode.ViewColumn.Active), scope);
  }

  #take(panel: vscode.WebviewPanel, scope: NotificationScope): void {
    panel.iconPath = vscode.Uri.joinPath(this.#deps.extensionUri, 'media', 'beacon.svg');
    const deps: SettingsPanelDeps = {
      files: this.#files,
      sessions: this.#sessions,
      accountInUse: this.#deps.accountInUse,
      chooseScope: (present) => this.#choose(present),
      onError: (error) => {
        this.#deps.log.error(inspect(error));
        showProblem(problemOf(error));
      },
    };
    this.#find(scope)?.close();
    const form = new SettingsPanel(panel, scope, deps);
    this.#panels = [...this.#panels, form];
    panel.onDidDispose(() => {
      form.dispose();
      this.#panels = this.#panels.filter((one) => one !== form);
    });
  }

  async #choose(present: NotificationScope): Promise<NotificationScope | undefined> {
    const { connections, workspaceProjects, pins } = this.#deps;
    const connection = await connections.of(present.accountId);
    const chosen = await pickScope(connection, {
      workspace: workspaceProjects.all,
      pins: pins.of(present.accountId),
      present,
      drafted: this.#sessions.drafted(present.accountId),
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

  async #globalScope(): Promise<NotificationScope> {
    const { account } = await this.#deps.connections.current();
    return { kind: 'global', accountId: account.id };
  }
}
