import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import type * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { estimateNoiseHere } from './noise/noiseCommand.ts';
import type { NotificationsDeps } from './notificationsFeature.ts';
import { OverviewPanels } from './overview/overviewPanel.ts';
import { ProfileCommands } from './profiles/profileCommands.ts';
import { ProfileStore } from './profiles/profileStore.ts';
import { Restorer } from './profiles/restorer.ts';
import { RestoreClaims, Restores } from './profiles/restores.ts';
import { EditorPlanDialogs } from './settings/planDialogs.ts';
import { PlanRunner } from './settings/planRunner.ts';
import { ScopeFinder } from './settings/scopePicker.ts';
import { ScopeSettings } from './settings/scopeSettings.ts';

/** What works on the notification settings of many scopes at once: the overview, profiles, the noise estimate. */
export class BulkServices implements vscode.Disposable {
  readonly #dialogs: EditorPlanDialogs;
  readonly overview: OverviewPanels;
  readonly profiles: ProfileCommands;
  readonly restorer: Restorer;
  readonly estimateNoise: () => Promise<void>;

  /** @param onRestoresChanged is called when a restore was added, changed or removed. */
  constructor(deps: NotificationsDeps, onRestoresChanged: () => void) {
    const { connections, globalState, globalStorageUri, log } = deps;
    const clock = systemClock;
    const dialogs = new EditorPlanDialogs(log);
    const finder = new ScopeFinder(deps);
    const settings = new ScopeSettings(connections);
    const runner = new PlanRunner(settings, dialogs);
    const restores = new Restores(globalState);
    const claims = new RestoreClaims(join(pathOf(globalStorageUri), 'restores'), clock, (error) =>
      log.warn(inspect(error)),
    );
    this.#dialogs = dialogs;
    this.restorer = new Restorer({ restores, claims, settings, runner, dialogs, log, clock });
    this.profiles = new ProfileCommands({
      ...{ finder, runner, restores, restorer: this.restorer, dialogs, clock, onRestoresChanged },
      profiles: new ProfileStore(globalState),
    });
    this.overview = new OverviewPanels(deps, { finder, settings, runner, dialogs, clock });
    this.estimateNoise = () => estimateNoiseHere({ connections, finder, dialogs, clock });
  }

  dispose(): void {
    this.overview.dispose();
    this.#dialogs.dispose();
  }
}
