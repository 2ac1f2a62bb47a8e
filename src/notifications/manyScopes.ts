import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { type Commands, loadedCommands } from '../commands.ts';
import type { Pins } from '../directory/pins.ts';
import type { ManyScopesParts } from './manyScopesParts.ts';
import { RestoreSchedule } from './profiles/restoreSchedule.ts';

/** What the notification settings of many scopes are built on. */
export interface ManyScopesSources {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'of' | 'current'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'onDidChange'>;
  readonly pins: Pins;
  readonly log: vscode.LogOutputChannel;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  /** A folder that is shared by all windows. */
  readonly globalStorageUri: vscode.Uri;
}

/** Notification settings of many scopes at once: the overview, profiles, the noise estimate. Their code is loaded by the commands. */
export class ManyScopes implements vscode.Disposable {
  readonly #sources: ManyScopesSources;
  readonly #schedule: RestoreSchedule;
  readonly #serializer: vscode.Disposable;
  #parts: Promise<ManyScopesParts> | undefined;

  readonly commands: Commands = loadedCommands(
    ['overview', 'saveProfile', 'applyProfile', 'manageProfiles', 'estimateNoise'],
    () => this.#load(),
    'beacon.notifications.',
  );

  constructor(sources: ManyScopesSources) {
    this.#sources = sources;
    this.#serializer = vscode.window.registerWebviewPanelSerializer('beacon.notificationOverview', {
      deserializeWebviewPanel: async (panel) => (await this.#load()).overview.revive(panel),
    });
    const { accountInUse, globalState, log } = sources;
    this.#schedule = new RestoreSchedule({
      memento: globalState,
      now: Date.now,
      setTimer: (run, delay) => {
        const timer = setTimeout(run, delay);
        return { dispose: () => clearTimeout(timer) };
      },
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
    this.#parts?.then((parts) => parts.dispose()).catch(() => {});
  }

  async #load(): Promise<ManyScopesParts> {
    const { ManyScopesParts: Parts } = await import('./manyScopesParts.ts');
    this.#parts ??= Promise.resolve(new Parts(this.#sources, () => this.#schedule.arm()));
    return await this.#parts;
  }
}
