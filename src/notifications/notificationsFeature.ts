import { inspect } from '#platform/runtime.ts';
import { join, pathOf, readdir } from '#platform/storage.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { type Commands, LazyService, loadOnce } from '../common/commands.ts';
import type { NotificationScope } from './scope.ts';

/** Leaves the start of the window to others; milliseconds. */
const startDelay = 5_000;

/** Loads notification settings when a command asks for them, when the editor restores their page, and while a profile holds that is to end. */
export class NotificationsFeature implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable;
  /** Loads the commands whose ids begin with `beacon.notifications.`. */
  readonly load: () => Promise<Commands>;
  /** The one service of this window: its page follows what it changes. */
  readonly service = loadOnce(async () => {
    const { SettingsService } = await import('./settingsService.ts');
    const service = new SettingsService(this.#app.connections);
    service.onDidChange(this.#onDidChange);
    return service;
  });
  /** Whether settings of an account were changed and not saved. */
  readonly hasDrafts: (accountId: string) => Promise<boolean>;
  /** Whether a profile of an account holds for a while. */
  readonly hasTimedProfiles: (accountId: string) => Promise<boolean>;
  readonly #app: App;
  readonly #onDidChange: (scope: NotificationScope) => unknown;

  /** @param onDidChange is called when settings were changed here, whatever changed them. */
  constructor(app: App, onDidChange: (scope: NotificationScope) => unknown) {
    this.#app = app;
    this.#onDidChange = onDidChange;
    const feature = new LazyService(async () => {
      const { NotificationCommands } = await import('./notifications.ts');
      return new NotificationCommands(app, await this.service());
    });
    this.load = async () => (await feature.load()).commands;
    this.hasDrafts = async (accountId) => await (await feature.load()).hasDrafts(accountId);
    this.hasTimedProfiles = async (accountId) => await (await feature.load()).hasTimedProfiles(accountId);
    const watchProfiles = async (): Promise<void> => {
      const names = await readdir(join(pathOf(app.context.globalStorageUri), 'profiles')).catch(() => []);
      if (names.some((name) => name.endsWith('.json'))) {
        // Once it is loaded, it looks by itself.
        await feature.load().catch((error: unknown) => app.log.error(inspect(error)));
      }
    };
    this.#subscriptions = vscode.Disposable.from(
      feature,
      vscode.window.onDidChangeWindowState(({ focused }) => (focused ? void watchProfiles() : undefined)),
      app.accountInUse.onDidChange(() => void watchProfiles()),
      { dispose: app.clock.after(startDelay, () => void watchProfiles()) },
      vscode.window.registerWebviewPanelSerializer('beacon.notificationSettings', {
        deserializeWebviewPanel: async (panel, state: unknown) => (await feature.load()).revive(panel, state),
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
