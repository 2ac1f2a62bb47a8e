import { Network } from '#platform/routes.ts';
import * as vscode from 'vscode';
import { lacksReadScope } from './accounts/account.ts';
import { AccountCommands } from './accounts/accountCommands.ts';
import { AccountInUse } from './accounts/accountInUse.ts';
import { AccountStore } from './accounts/accountStore.ts';
import { accountSessions } from './accounts/authenticationProvider.ts';
import { Connections } from './accounts/connections.ts';
import { Pins } from './accounts/pins.ts';
import { reportFailure } from './accounts/problem.ts';
import { RefreshedTokens } from './accounts/refreshedTokens.ts';
import { findSshHosts } from './accounts/sshHosts.ts';
import { tokenNotices } from './accounts/tokenNotices.ts';
import { WorkspaceProjects } from './accounts/workspaceProjects.ts';
import { Activity } from './activity/activity.ts';
import { readActivityTool } from './activity/tool.ts';
import { ApiHints } from './apiHints/apiHints.ts';
import type { App } from './app.ts';
import { ToolRunner } from './assistants/toolRunner.ts';
import { systemClock } from './common/clock.ts';
import type { CommandId, Commands } from './common/commands.ts';
import { createStatusBarItem } from './common/inertWindow.ts';
import { CheckedMemento } from './common/stored.ts';
import { diagnosisCommands } from './diagnostics/diagnosisCommands.ts';
import { createErrorTracking } from './errorTracking/errorTracking.ts';
import { listClientKeysTool } from './errorTracking/tool.ts';
import { helpCommands } from './help/help.ts';
import { LinkHandler } from './links/linkHandler.ts';
import { levelLabel } from './notifications/labels.ts';
import { createNotifications } from './notifications/notifications.ts';
import { SettingsService } from './notifications/settingsService.ts';
import { notificationTools } from './notifications/tool.ts';
import { WorkspaceRemotes } from './workspace/remotes.ts';

/** What the editor reaches by its name. */
export type Services = ReturnType<typeof buildServices>;

/** Builds the services and features of a window and connects them. Sends no request and reads no secret. */
export function buildServices(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
  const globalState = new CheckedMemento(context.globalState, log);
  const workspaceState = new CheckedMemento(context.workspaceState, log);
  const network = new Network(context.secrets, log);
  const accounts: AccountStore = new AccountStore(globalState, context.secrets, () => refreshedTokens);
  const remotes = new WorkspaceRemotes();
  const accountInUse = new AccountInUse(accounts, remotes, { global: globalState, workspace: workspaceState });
  const app: App = {
    context,
    log,
    clock: systemClock,
    globalState,
    workspaceState,
    accounts,
    accountInUse,
    connections: new Connections(accounts, accountInUse, network, log),
    remotes,
    workspaceProjects: new WorkspaceProjects(remotes, accounts, accountInUse),
    pins: new Pins(globalState),
    network,
  };
  const refreshedTokens = new RefreshedTokens(app);

  const activity = new Activity(app);
  const errorTracking = createErrorTracking(app, (level) => levelLabel(level).name);
  const notificationSettings = new SettingsService(app);
  const notifications = createNotifications(app, notificationSettings);
  notificationSettings.onDidChange((scope) => {
    if (scope.kind === 'project') {
      errorTracking.reloadLevel(scope.accountId, scope.id).catch((error: Error) => log.error(error));
    }
  });
  const apiHints = new ApiHints(app);
  const accountCommands = new AccountCommands(app);
  const commands: Required<Commands> = {
    ...activity.commands,
    ...errorTracking.commands,
    ...notifications.commands,
    ...apiHints.commands,
    ...accountCommands.commands,
    ...diagnosisCommands(app),
    ...network.commands,
    ...helpCommands(app),
    'beacon.showLog': () => log.show(),
  };
  const sessions = accountSessions(accounts, (id) => accountCommands.remove(id));
  const tools = {
    beacon_read_activity: readActivityTool(app),
    ...notificationTools(app, notificationSettings),
    beacon_list_client_keys: listClientKeysTool(app),
  };

  const accountItem = createStatusBarItem('account', 'account', 'beacon.accounts');
  // Menus and welcome views ask for this; until it is set they show nothing rather than what may be wrong.
  const updateAccountContext = (): void => {
    const { account } = accountInUse;
    // The titles of views have no room for it where they are narrow.
    const name = account ? accountInUse.labelOf(account.id) : '';
    const [kind, hasAccount] = [account?.kind ?? 'none', account !== undefined];
    const keys = { account: kind, hasAccount, lacksReadScope: lacksReadScope(account), hasOtherAccount: name !== '' };
    for (const [key, value] of Object.entries(keys)) {
      void vscode.commands.executeCommand('setContext', `beacon.${key}`, value);
    }
    accountItem.show(name, vscode.l10n.t('Beacon: this window uses the account {0}. Click to use another one.', name));
  };
  updateAccountContext();

  context.subscriptions.push(
    network,
    accountItem,
    accounts,
    remotes,
    accountInUse,
    app.connections,
    sessions,
    tokenNotices(app),
    app.workspaceProjects,
    activity,
    errorTracking,
    notifications,
    apiHints,
    findSshHosts(app),
    accountInUse.onDidChange(updateAccountContext),
    accounts.onDidChange(updateAccountContext),
  );
  remotes.start().catch((error: Error) => log.error(error));

  // The bundler knows which build it is: what is shipped does not have this.
  const credentials = process.env['BEACON_BUILD'] === 'development' && process.env['BEACON_DEVELOPMENT_ACCOUNT'];
  if (credentials) {
    accountCommands
      .signInForDevelopment(JSON.parse(credentials) as Record<'instanceUrl' | 'token', string>)
      .catch((error: Error) => log.error(error));
  }

  return {
    /** Runs a command. A failure is shown as a sentence, with the command that fixes it. */
    run: async (command: CommandId, args: readonly never[]): Promise<void> => {
      try {
        await commands[command](...args);
      } catch (error) {
        reportFailure(error, log);
      }
    },
    links: new LinkHandler(app, accountCommands, {
      showActivity: ({ accountId, id, path }) => activity.show({ kind: 'project', accountId, id, path }),
      tracksErrors: (project) => errorTracking.shows(project),
      showErrorTracking: (project) => errorTracking.show(project),
    }),
    tools: new ToolRunner(tools, log),
    sessions,
    /** Go on with pages that the editor restores. */
    pages: {
      ...activity.pages,
      notificationSettings: (panel: vscode.WebviewPanel, kept: unknown) => notifications.revive(panel, kept),
    },
    /** Tells of what happened before the services were there. */
    secretChanged: (key: string) => accounts.follow(key),
  };
}
