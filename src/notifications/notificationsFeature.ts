import * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import type { NotificationParts } from './notificationParts.ts';
import type { SettingsPanels } from './panel/settingsPanels.ts';

/** Notification settings: the form and its commands. Its code is loaded when a form is opened or restored. */
export class NotificationsFeature implements vscode.Disposable {
  readonly #parts: NotificationParts;
  readonly #serializer: vscode.Disposable;
  #panels: Promise<SettingsPanels> | undefined;
  readonly commands: Commands = {
    'beacon.notifications.open': async (scope?: unknown) => (await this.#load()).open(scope),
    'beacon.notifications.openOfProject': async (node?: unknown) => (await this.#load()).open(node),
    'beacon.notifications.openOfWorkspace': async () => (await this.#load()).openOfWorkspace(),
  };

  constructor(parts: NotificationParts) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer('beacon.notificationSettings', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await this.#load()).revive(panel, state),
    });
  }

  dispose(): void {
    this.#serializer.dispose();
    void this.#panels?.then((panels) => panels.dispose());
  }

  async #load(): Promise<SettingsPanels> {
    this.#panels ??= import('./panel/settingsPanels.ts').then(({ SettingsPanels }) => SettingsPanels.load(this.#parts));
    return await this.#panels;
  }
}
