import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { type Commands, loadedCommands } from '../common/commands.ts';
import type { BulkServices } from './bulkServices.ts';
import type { SettingsPanels } from './form/settingsPanels.ts';
import type { BulkNotificationsDeps, FormDeps } from './notificationDeps.ts';
import { RestoreSchedule } from './profiles/restoreSchedule.ts';

/** Notification settings: the form and its commands. Its code is loaded when a form is opened or restored. */
export class NotificationsFeature implements vscode.Disposable {
  readonly #deps: FormDeps;
  readonly #serializer: vscode.Disposable;
  #panels: Promise<SettingsPanels> | undefined;
  readonly commands: Commands = {
    'beacon.notifications.open': async (scope?: unknown) => (await this.#load()).open(scope),
    'beacon.notifications.openOfProject': async (node?: unknown) => (await this.#load()).open(node),
    'beacon.notifications.openOfWorkspace': async () => (await this.#load()).openOfWorkspace(),
  };

  constructor(deps: FormDeps) {
    this.#deps = deps;
    this.#serializer = vscode.window.registerWebviewPanelSerializer('beacon.notificationSettings', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await this.#load()).revive(panel, state),
    });
  }

  dispose(): void {
    this.#serializer.dispose();
    void this.#panels?.then((panels) => panels.dispose());
  }

  async #load(): Promise<SettingsPanels> {
    this.#panels ??= import('./form/settingsPanels.ts').then(({ SettingsPanels }) => SettingsPanels.load(this.#deps));
    return await this.#panels;
  }
}

/** Notification settings of many scopes at once: the overview, profiles, the noise estimate. Their code is loaded by the commands. */
export class BulkNotifications implements vscode.Disposable {
  readonly #deps: BulkNotificationsDeps;
  readonly #schedule: RestoreSchedule;
  readonly #serializer: vscode.Disposable;
  #services: Promise<BulkServices> | undefined;

  readonly commands: Commands = loadedCommands(
    ['overview', 'saveProfile', 'applyProfile', 'manageProfiles', 'estimateNoise'],
    () => this.#load(),
    'beacon.notifications.',
  );

  constructor(deps: BulkNotificationsDeps) {
    this.#deps = deps;
    this.#serializer = vscode.window.registerWebviewPanelSerializer('beacon.notificationOverview', {
      deserializeWebviewPanel: async (panel) => (await this.#load()).overview.revive(panel),
    });
    const { accountInUse, globalState, log } = deps;
    this.#schedule = new RestoreSchedule({
      memento: globalState,
      clock: systemClock,
      reasons: [
        (look) => vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
        (look) => accountInUse.onDidChange(look),
      ],
      restore: async () => {
        try {
          await (await this.#load()).restorer.restoreDue();
        } catch (error) {
          log.error(inspect(error));
        }
      },
    });
  }

  dispose(): void {
    this.#schedule.dispose();
    this.#serializer.dispose();
    this.#services?.then((services) => services.dispose()).catch(() => {});
  }

  async #load(): Promise<BulkServices> {
    const { BulkServices: Parts } = await import('./bulkServices.ts');
    this.#services ??= Promise.resolve(new Parts(this.#deps, () => this.#schedule.arm()));
    return await this.#services;
  }
}
