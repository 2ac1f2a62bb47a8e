import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { createStatusBarItem } from '../common/inertWindow.ts';
import { NoisePanels } from './noise/noisePanel.ts';
import type { NotificationsDeps } from './notificationsFeature.ts';
import { OverviewPanels } from './overview/overviewPanel.ts';
import { ProfileCommands, profileLabel, RestoreMessages } from './profiles/profileCommands.ts';
import { ProfileStore } from './profiles/profileStore.ts';
import {
  type Restore,
  RestoreClaims,
  Restorer,
  Restores,
  RestoreSchedule,
  type ScheduleDeps,
} from './profiles/restores.ts';
import { BulkChanges, EditorPlanDialogs } from './settings/bulkChanges.ts';
import { ScopeFinder } from './settings/scopePicker.ts';
import type { SharedServices } from './sharedServices.ts';

/** What works on the notification settings of many scopes at once: the overview, profiles, the noise estimate. */
export class BulkServices implements vscode.Disposable {
  readonly overview: OverviewPanels;
  readonly profiles: ProfileCommands;
  readonly schedule: RestoreSchedule;
  readonly noise: NoisePanels;
  readonly #subscriptions: vscode.Disposable;

  /** @param reasons what gives a reason to look whether a profile has to end. */
  constructor(deps: NotificationsDeps, { engine, estimates }: SharedServices, reasons: ScheduleDeps['reasons']) {
    const { globalState, globalStorageUri, log } = deps;
    const clock = systemClock;
    const dialogs = new EditorPlanDialogs(log);
    const finder = new ScopeFinder(deps);
    const bulk = new BulkChanges(engine, dialogs, deps.connections);
    const restores = new Restores(globalState);
    const claims = new RestoreClaims(join(pathOf(globalStorageUri), 'restores'), clock, (error) =>
      log.warn(inspect(error)),
    );
    const messages = new RestoreMessages({
      ...{ restores, bulk, dialogs },
      accountLabels: (scopes) => this.profiles.accountLabels(scopes),
      retry: (id, scope) => restorer.retry(id, scope),
    });
    const restorer = new Restorer({
      ...{ restores, claims, engine, clock, log },
      onDidRestore: (restore, left, results) => messages.show(restore, left, results),
    });
    const item = createStatusBarItem('profile', 'clockface', 'beacon.notifications.manageProfiles');
    const showRestores = (): void => {
      const name = (restore: Restore, label: string): string => this.profiles.named(label, restore.scopes);
      const tooltips = restores.all.map((restore) => name(restore, profileLabel(restore)));
      const tooltip = vscode.l10n.t('Beacon: {0}. Click to manage profiles.', tooltips.join(', '));
      item.show(restores.all.map((restore) => name(restore, restore.profile)).join(', '), tooltip);
    };
    this.schedule = new RestoreSchedule({
      ...{ memento: globalState, clock, reasons },
      restore: async () => {
        await restorer.restoreDue().catch((error: unknown) => log.error(inspect(error)));
        showRestores();
      },
    });
    this.profiles = new ProfileCommands({
      ...{ finder, bulk, restores, restorer, dialogs, clock },
      profiles: new ProfileStore(globalState),
      isNamed: () => deps.accounts.all.length > 1,
      onRestoresChanged: () => {
        this.schedule.arm();
        showRestores();
      },
    });
    this.overview = new OverviewPanels(deps, {
      ...{ finder, engine, bulk, dialogs, clock, estimates },
      profileOf: (scope) => {
        const held = restores.of(scope);
        return held && profileLabel(held);
      },
    });
    this.noise = new NoisePanels(deps, { finder, engine, bulk, estimates });
    // Other windows apply and end profiles, too.
    const watching = reasons.map((subscribe) => subscribe(showRestores));
    showRestores();
    this.#subscriptions = vscode.Disposable.from(this.overview, this.noise, this.schedule, item, dialogs, ...watching);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
