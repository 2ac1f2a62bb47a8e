import { inspect } from '#platform/runtime.ts';
import { join, pathOf, readdir } from '#platform/storage.ts';
import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Pins } from '../accounts/pins.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { systemClock } from '../common/clock.ts';
import { type Commands, LazyService, loadOnce } from '../common/commands.ts';
import type { SettingsEngine } from './settings/engine.ts';

/** What notification settings depend on. */
export interface NotificationsDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: AccountInUse;
  readonly connections: Pick<Connections, 'of' | 'current'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current' | 'onDidChange'>;
  readonly pins: Pins;
  readonly log: vscode.LogOutputChannel;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  /** A folder that is shared by all windows. */
  readonly globalStorageUri: vscode.Uri;
}

/** Leaves the start of the window to others; milliseconds. */
const startDelay = 5_000;

/**
 * Notification settings: the form of one scope, and the overview, the profiles and the noise estimate of many. Their code is
 * loaded by the commands, when the editor restores one of their pages, and while a profile holds that is to end.
 */
export class NotificationsFeature implements vscode.Disposable {
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Loads the commands whose ids begin with `beacon.notifications.`. */
  readonly load: () => Promise<Commands>;
  /** The one engine of this window: its pages follow what it changes. */
  readonly engine: () => Promise<SettingsEngine>;
  /** Whether settings of an account were changed and not saved. */
  readonly hasDrafts: (accountId: string) => Promise<boolean>;
  /** Whether a profile of an account holds for a while. */
  readonly hasTimedProfiles: (accountId: string) => Promise<boolean>;

  constructor(deps: NotificationsDeps) {
    const { accountInUse, log } = deps;
    const profiles = join(pathOf(deps.globalStorageUri), 'profiles');
    const shared = loadOnce(async () => (await import('./sharedServices.ts')).createSharedServices(deps));
    this.engine = async () => (await shared()).engine;
    const form = new LazyService(async () => {
      const { SettingsPanels } = await import('./form/settingsPanels.ts');
      return await SettingsPanels.load({ ...deps, ...(await shared()) });
    });
    this.hasDrafts = async (accountId) => await (await form.load()).hasDrafts(accountId);
    const reasons: readonly ((look: () => void) => vscode.Disposable)[] = [
      (look) => vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
      (look) => accountInUse.onDidChange(look),
    ];
    const bulk = new LazyService(async () => {
      const { BulkServices } = await import('./bulkServices.ts');
      return new BulkServices(deps, await shared(), profiles, reasons);
    });
    const quickChange = loadOnce(async () => {
      const [{ QuickChange }, { EditorDialogs }] = await Promise.all([
        import('./settings/quickChange.ts'),
        import('../accounts/dialogs.ts'),
      ]);
      const { engine } = await shared();
      return new QuickChange({ ...deps, engine, dialogs: new EditorDialogs(deps, 'beacon.activity') });
    });
    this.hasTimedProfiles = async (accountId) => await (await bulk.load()).hasTimedProfiles(accountId);
    const watchProfiles = async (): Promise<void> => {
      const names = await readdir(profiles).catch(() => []);
      if (names.some((name) => name.endsWith('.json'))) {
        // Once it is loaded, it looks by itself.
        await bulk.load().catch((error: unknown) => log.error(inspect(error)));
      }
    };
    // Each loads no more than it needs.
    const commands: Commands = {
      'beacon.notifications.open': async (scope?: unknown) => (await form.load()).open(scope),
      'beacon.notifications.openOfProject': async (node?: unknown) => (await form.load()).openOf(node),
      'beacon.notifications.openOfWorkspace': async () => (await form.load()).openOfWorkspace(),
      'beacon.notifications.change': async (scope?: unknown) => (await quickChange()).run(scope),
      'beacon.notifications.changeGlobal': async () => (await quickChange()).runGlobal(),
      'beacon.notifications.overview': async () => (await bulk.load()).overview.open(),
      'beacon.notifications.saveProfile': async () => (await bulk.load()).profiles.save(),
      'beacon.notifications.applyProfile': async () => (await bulk.load()).profiles.apply(),
      'beacon.notifications.manageProfiles': async () => (await bulk.load()).profiles.manage(),
      'beacon.notifications.estimateNoise': async () => (await bulk.load()).noise.open(),
    };
    this.load = async () => commands;
    this.#subscriptions = [
      form,
      bulk,
      ...reasons.map((subscribe) => subscribe(() => void watchProfiles())),
      { dispose: systemClock.after(startDelay, () => void watchProfiles()) },
      vscode.window.registerWebviewPanelSerializer('beacon.notificationSettings', {
        deserializeWebviewPanel: async (panel, state: unknown) => (await form.load()).revive(panel, state),
      }),
      vscode.window.registerWebviewPanelSerializer('beacon.notificationOverview', {
        deserializeWebviewPanel: async (panel) => (await bulk.load()).overview.revive(panel),
      }),
      vscode.window.registerWebviewPanelSerializer('beacon.notificationNoise', {
        deserializeWebviewPanel: async (panel) => (await bulk.load()).noise.revive(panel),
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
