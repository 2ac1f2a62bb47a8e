import { inspect } from '#platform/runtime.ts';
import { join } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { createStatusBarItem } from '../common/inertWindow.ts';
import { NoisePanels } from './noise/noisePanel.ts';
import type { NotificationsDeps } from './notificationsFeature.ts';
import { OverviewPanels } from './overview/overviewPanel.ts';
import { EndMessages, ProfileCommands, profileLabel } from './profiles/profileCommands.ts';
import { ProfileStore } from './profiles/profileStore.ts';
import {
  heldSchema,
  ProfileSchedule,
  type ScheduleDeps,
  type TimedProfile,
  TimedProfiles,
} from './profiles/timedProfiles.ts';
import { BulkChanges, EditorPlanDialogs } from './settings/bulkChanges.ts';
import { ScopeFinder } from './settings/scopePicker.ts';
import { ScopeFiles } from './settings/scopeFiles.ts';
import { scopeKey } from './settings/settings.ts';
import type { SharedServices } from './sharedServices.ts';

/** What works on the notification settings of many scopes at once: the overview, profiles, the noise estimate. */
export class BulkServices implements vscode.Disposable {
  readonly overview: OverviewPanels;
  readonly profiles: ProfileCommands;
  readonly schedule: ProfileSchedule;
  readonly noise: NoisePanels;
  readonly #timed: TimedProfiles;
  readonly #subscriptions: vscode.Disposable;

  /**
   * @param folder where it is kept which profiles hold for a while.
   * @param reasons what gives a reason to look whether a profile has to end.
   */
  constructor(
    deps: NotificationsDeps,
    { engine, estimates }: SharedServices,
    folder: string,
    reasons: ScheduleDeps['reasons'],
  ) {
    const { log } = deps;
    const clock = systemClock;
    const dialogs = new EditorPlanDialogs(deps);
    const finder = new ScopeFinder(deps);
    const bulk = new BulkChanges(engine, dialogs, deps.connections);
    const messages = new EndMessages({
      bulk,
      dialogs,
      accountLabels: (scopes) => this.profiles.accountLabels(scopes),
      retry: (scope) => timed.end((held) => scopeKey(held.scope) === scopeKey(scope)),
    });
    const timed = new TimedProfiles({
      files: new ScopeFiles(folder, heldSchema, log),
      lock: join(folder, 'end.lease'),
      engine,
      clock,
      log,
      onDidEnd: (profile, results) => messages.show(profile, results),
    });
    this.#timed = timed;
    const item = createStatusBarItem('profile', 'clockface', 'beacon.notifications.manageProfiles');
    const showTimed = async (): Promise<void> => {
      const held = await timed.all();
      const name = (one: TimedProfile, label: string): string => this.profiles.named(label, one.scopes);
      const tooltips = held.map((one) => name(one, profileLabel(one)));
      const tooltip = vscode.l10n.t('Beacon: {0}. Click to manage profiles.', tooltips.join(', '));
      item.show(held.map((one) => name(one, one.profile)).join(', '), tooltip);
    };
    this.schedule = new ProfileSchedule({
      clock,
      reasons,
      soonest: async () => (await timed.read())[0]?.until,
      end: async () => {
        await timed.endDue().catch((error: unknown) => log.error(inspect(error)));
        await showTimed();
      },
    });
    this.profiles = new ProfileCommands({
      finder,
      bulk,
      timed,
      dialogs,
      clock,
      profiles: new ProfileStore(deps.globalState, log),
      isNamed: () => deps.accounts.all.length > 1,
      onTimedChanged: () => {
        void this.schedule.arm();
        void showTimed();
      },
    });
    this.overview = new OverviewPanels(deps, {
      finder,
      engine,
      bulk,
      dialogs,
      clock,
      estimates,
      profileOf: (scope) => {
        const held = timed.latest.find((one) => scopeKey(one.scope) === scopeKey(scope));
        return held && profileLabel(held);
      },
    });
    this.noise = new NoisePanels(deps, { finder, engine, bulk, estimates });
    // Other windows apply and end profiles, too.
    const watching = reasons.map((subscribe) => subscribe(() => void showTimed()));
    void showTimed();
    this.#subscriptions = vscode.Disposable.from(this.overview, this.noise, this.schedule, item, dialogs, ...watching);
  }

  /** Whether a profile holds for a while in a scope of an account. */
  async hasTimedProfiles(accountId: string): Promise<boolean> {
    return (await this.#timed.read()).some(({ scope }) => scope.accountId === accountId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
