import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import type { Account } from '../accounts/account.ts';
import { requireScope, showProblem } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { createStatusBarItem } from '../common/inertWindow.ts';
import { SinglePage } from '../webviews/webview.ts';
import { Changes } from './changes.ts';
import { draftSchema, Drafts } from './drafts.ts';
import { MailFeeds } from './mailFeeds.ts';
import { profileLabel, Profiles } from './profiles.ts';
import { QuickChange } from './quickChange.ts';
import type { NotificationScope } from './scope.ts';
import { ScopeFiles } from './scopeFiles.ts';
import { isItem, lookUp, scopeOfArgument } from './scopes.ts';
import { type Notifications, readKept, SettingsPage } from './settingsPage.ts';
import type { SettingsService } from './settingsService.ts';
import { heldSchema, TimedProfiles } from './timedProfiles.ts';

const { t } = vscode.l10n;

/** Notification settings: the page, quick changes, profiles. */
export class NotificationCommands implements vscode.Disposable {
  readonly commands: CommandsOf<'notifications'>;
  readonly #app: App;
  readonly #pages: SinglePage<SettingsPage>;
  readonly #timed: TimedProfiles;
  readonly #files: ScopeFiles<ReturnType<typeof draftSchema.parse>>;
  readonly #subscriptions: vscode.Disposable;

  constructor(app: App, service: SettingsService) {
    this.#app = app;
    const folder = pathOf(app.context.globalStorageUri);
    const changes = new Changes(app, service);
    this.#files = new ScopeFiles(join(folder, 'drafts'), draftSchema, app.log);
    const item = createStatusBarItem('profile', 'clockface', 'beacon.notifications.manageProfiles');
    const showTimed = (): void => {
      const names = [...new Set(timed.latest.map(({ profile }) => profile))];
      const labels = [...new Set(timed.latest.map(profileLabel))];
      item.show(names.join(', '), t('Beacon: {0}. Click to manage profiles.', labels.join(', ')));
    };
    const profilesFolder = join(folder, 'profiles');
    const timed: TimedProfiles = new TimedProfiles({
      files: new ScopeFiles(profilesFolder, heldSchema, app.log),
      folder: profilesFolder,
      service,
      clock: app.clock,
      log: app.log,
      onDidEnd: (results) => profiles.showEnd(results),
      onDidChange: showTimed,
    });
    this.#timed = timed;
    const profiles = new Profiles(app, changes, timed);
    const quickChange = new QuickChange(app, service, changes);
    const parts: Notifications = {
      app,
      service,
      changes,
      timed,
      drafts: new Drafts(this.#files),
      mails: new MailFeeds(app),
    };
    this.#pages = new SinglePage({
      extensionUri: app.context.extensionUri,
      name: 'notificationSettings',
      title: t('Notification Settings'),
      create: (panel, fill) => new SettingsPage(panel, fill, parts),
    });
    this.commands = {
      'beacon.notifications.open': (argument?: unknown) => this.#open(isItem(argument) ? undefined : argument),
      'beacon.notifications.openOfProject': (argument?: unknown) => this.#open(argument),
      'beacon.notifications.openOfWorkspace': () => this.#openOfWorkspace(),
      'beacon.notifications.change': (argument?: unknown) => quickChange.run(argument),
      'beacon.notifications.changeGlobal': () => quickChange.runGlobal(),
      'beacon.notifications.manageProfiles': () => profiles.manage(),
    };
    // Other windows apply and end profiles, too.
    const look = (): void => void timed.check().then(showTimed, (error: unknown) => app.log.error(inspect(error)));
    this.#subscriptions = vscode.Disposable.from(
      this.#pages,
      timed,
      changes,
      item,
      app.accountInUse.onDidChange(look),
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
    );
    void timed.read().then(showTimed);
  }

  /** Whether settings of an account were changed and not saved, in whichever window. */
  async hasDrafts(accountId: string): Promise<boolean> {
    return (await this.#files.all()).some(({ scope }) => scope.accountId === accountId);
  }

  /** Whether a profile holds for a while in a scope of an account. */
  async hasTimedProfiles(accountId: string): Promise<boolean> {
    return (await this.#timed.read()).some(({ scope }) => scope.accountId === accountId);
  }

  /** Goes on with a page that the editor restores. */
  async revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { account } = this.#app.accountInUse;
    const fallback = account && { accountId: account.id, scope: globalScope(account), isAll: true };
    const shown = readKept(kept) ?? fallback;
    if (shown) {
      await (await this.#pages.revive(panel)).show(shown);
    } else {
      panel.dispose();
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /**
   * Shows a scope; without one all scopes, with the form of the global settings of the account in use.
   *
   * @param argument what the command was called with, see `scopeOfArgument`.
   * @throws SignedOutError if there is no account.
   */
  async #open(argument: unknown): Promise<void> {
    const scope = argument === undefined ? undefined : await scopeOfArgument(argument, this.#app, requireRead);
    if (scope) {
      await this.#show(scope, false);
    } else {
      await this.#show(globalScope((await this.#app.connections.current()).account), true);
    }
  }

  /** Shows the workspace's project, or that there is none. */
  async #openOfWorkspace(): Promise<void> {
    const { connections, workspaceProjects } = this.#app;
    const { current } = workspaceProjects;
    if (current) {
      await this.#show(await lookUp('project', current.path, await connections.of(current.accountId)), false);
      return;
    }
    const { account } = await connections.current();
    showProblem({
      sentence: t('No repository of this workspace has a remote on the instance of your account.'),
      remedy: {
        command: 'beacon.notifications.open',
        title: t('Open Notification Settings'),
        arguments: [globalScope(account)],
      },
    });
  }

  async #show(scope: NotificationScope, isAll: boolean): Promise<void> {
    const page = await this.#pages.open();
    await page.show({ accountId: scope.accountId, scope, isAll });
  }
}

function requireRead(account: Account): void {
  requireScope(account, 'GET');
}

function globalScope({ id }: Account): NotificationScope {
  return { kind: 'global', accountId: id };
}
