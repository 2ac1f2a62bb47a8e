import { inspect } from '#platform/runtime.ts';
import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { SignedOutError } from '../accounts/account.ts';
import { reportFailure } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { createStatusBarItem } from '../common/inertWindow.ts';
import { SinglePage } from '../webviews/webview.ts';
import { Changes } from './changes.ts';
import { draftSchema, Drafts } from './drafts.ts';
import { type FromPage, fromPageSchema, type ToPage } from './pageState.ts';
import { MailFeeds } from './mails.ts';
import { profileLabel, Profiles } from './profiles.ts';
import { changeQuickly } from './quickChange.ts';
import { type NotificationScope, scopeFiles } from './scope.ts';
import { isItem, scopeOfArgument } from './scopes.ts';
import { SettingsPage, shownSchema } from './settingsPage.ts';
import type { SettingsService } from './settingsService.ts';
import { heldSchema, TimedProfiles } from './timedProfiles.ts';

const { t } = vscode.l10n;

/** Notification settings: their commands, their page, and profiles that hold for a while. */
export function createNotifications(app: App, service: SettingsService) {
  const folder = pathOf(app.context.globalStorageUri);
  const changes = new Changes(app, service);
  const drafts = scopeFiles(join(folder, 'drafts'), draftSchema, app.log);
  const item = createStatusBarItem('profile', 'clockface', 'beacon.notifications.manageProfiles');
  const showTimed = (): void => {
    const names = [...new Set(timed.latest.map(({ profile }) => profile))];
    const labels = [...new Set(timed.latest.map(profileLabel))];
    item.show(names.join(', '), t('Beacon: {0}. Click to manage profiles.', labels.join(', ')));
  };
  const held = scopeFiles(join(folder, 'profiles'), heldSchema, app.log);
  const timed: TimedProfiles = new TimedProfiles(app, service, held, (ended) => {
    profiles.showEnd(ended);
    showTimed();
  });
  const profiles = new Profiles(app, changes, timed);
  const parts = { app, service, changes, timed, drafts: new Drafts(drafts), mails: new MailFeeds(app) };
  const pages = new SinglePage<SettingsPage, FromPage, ToPage>({
    extensionUri: app.context.extensionUri,
    name: 'notificationSettings',
    title: t('Notification Settings'),
    schema: fromPageSchema,
    create: (page) => new SettingsPage(page, parts),
    onError: (error) => reportFailure(error, app.log),
  });

  /** Goes on with a page that the editor restores. @param kept what the page has kept. */
  async function revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { account } = app.accountInUse;
    const shown = shownSchema().safeParse(kept).data ?? (account && { scope: globalScope(account.id), isAll: true });
    if (shown) {
      await (await pages.revive(panel)).show(shown);
    } else {
      panel.dispose();
    }
  }

  /** Shows a scope; without one all scopes, with the form of the global settings of the account in use. */
  async function open(argument: unknown): Promise<void> {
    const named = argument === undefined ? undefined : await scopeOfArgument(argument, app, 'GET');
    const scope = named ?? globalScope((await app.connections.current()).account.id);
    if (!app.accountInUse.ofPage(scope.accountId).isSignedIn) {
      throw new SignedOutError(scope.accountId);
    }
    await (await pages.open()).show({ scope, isAll: !named });
  }

  const commands: CommandsOf<'notifications'> = {
    'beacon.notifications.open': (argument?: unknown) => open(isItem(argument) ? undefined : argument),
    'beacon.notifications.openOfProject': (argument?: unknown) => open(argument),
    'beacon.notifications.change': (argument?: unknown) => changeQuickly(argument, app, service, changes),
    'beacon.notifications.manageProfiles': () => profiles.manage(),
  };
  // Other windows apply and end profiles, too.
  const look = (): void => void timed.check().then(showTimed, (error: unknown) => app.log.error(inspect(error)));
  const subscriptions = vscode.Disposable.from(
    pages,
    timed,
    changes,
    item,
    app.accountInUse.onDidChange(look),
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? look() : undefined)),
  );
  return { commands, revive, dispose: (): void => void subscriptions.dispose() };
}

function globalScope(accountId: string): NotificationScope {
  return { kind: 'global', accountId };
}
