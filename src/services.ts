import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type Credentials, lacksReadScope } from './accounts/account.ts';
import { AccountInUse, accountLabel } from './accounts/accountInUse.ts';
import { AccountStore } from './accounts/accountStore.ts';
import { AccountsAuthenticationProvider, authenticationProviderId } from './accounts/authenticationProvider.ts';
import { Connections } from './accounts/connections.ts';
import { Pins } from './accounts/pins.ts';
import { SshHosts } from './accounts/sshHosts.ts';
import { WorkspaceProjects } from './accounts/workspaceProjects.ts';
import { Activity } from './activity/activity.ts';
import { ApiHints } from './apiHints/apiHints.ts';
import type { App } from './app.ts';
import type { ToolRunner } from './assistants/toolRunner.ts';
import { CheckedMemento } from './common/checkedMemento.ts';
import { systemClock } from './common/clock.ts';
import { type CommandSource, findCommand, loadOnce } from './common/commands.ts';
import { createStatusBarItem } from './common/inertWindow.ts';
import { ErrorTracking } from './errorTracking/errorTracking.ts';
import { NotificationsFeature } from './notifications/notificationsFeature.ts';
import { EmbeddedSandbox } from './sandbox/embeddedSandbox.ts';
import type { AppOptions } from './sandbox/app.ts';
import { WorkspaceFiles } from './workspace/files.ts';
import { WorkspaceRemotes } from './workspace/remotes.ts';

/** What the editor reaches by its name: commands and what links and tools run, which is loaded when it is first asked for. */
export interface Services {
  /** Runs a command of the manifest. A failure is shown as a sentence, with the command that fixes it. */
  readonly run: (command: string, args: readonly never[]) => Promise<void>;
  readonly links: () => Promise<vscode.UriHandler>;
  readonly tools: () => Promise<ToolRunner>;
}

/** Builds the services and connects them. Sends no request and reads no secret. */
export function buildServices(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Services {
  const globalState = new CheckedMemento(context.globalState, log);
  const workspaceState = new CheckedMemento(context.workspaceState, log);
  const network = loadOnce(async () => {
    const { Network } = await import('#platform/network.ts');
    const loaded = new Network(context.secrets, log);
    context.subscriptions.push(loaded);
    return loaded;
  });
  const tokens = loadOnce(async () => {
    const { RefreshedTokens } = await import('./accounts/refreshedTokens.ts');
    return new RefreshedTokens(app);
  });
  const accounts: AccountStore = new AccountStore(globalState, context.secrets, tokens);
  const remotes = new WorkspaceRemotes();
  const accountInUse = new AccountInUse(accounts, remotes, { global: globalState, workspace: workspaceState });
  const sandbox = new EmbeddedSandbox(async () => sandboxOptions());
  const connections = new Connections(accounts, accountInUse, () => sandbox.start(), network, log);
  const show = (): Thenable<void> => vscode.commands.executeCommand('beacon.activity.focus');
  const workspaceProjects = new WorkspaceProjects(remotes, accounts, accountInUse);
  const forAccounts = loadOnce(async () => {
    const [{ AccountCommands }, { diagnosisCommands }, { commands: ofNetwork }] = await Promise.all([
      import('./accounts/accountCommands.ts'),
      import('./diagnostics/connectionDoctor.ts'),
      network(),
    ]);
    const { hasDrafts, hasTimedProfiles } = notifications;
    const accountCommands = new AccountCommands(app, { show, hasDrafts, hasTimedProfiles });
    return {
      accountCommands,
      commands: { ...accountCommands.commands, ...diagnosisCommands(app), ...ofNetwork },
    };
  });
  const authenticationProvider = new AccountsAuthenticationProvider(
    accounts,
    async () => (await forAccounts()).accountCommands.signIn(),
    async (accountId) => (await forAccounts()).accountCommands.remove(accountId),
  );
  const tokenNotices = loadOnce(async () => {
    const { TokenNotices } = await import('./accounts/tokenNotices.ts');
    const loaded = new TokenNotices(app);
    context.subscriptions.push(loaded);
    await loaded.warnOfExpiry();
  });
  /** There is nothing to say of tokens before the first sign-in. */
  const watchTokens = (): void => {
    if (accounts.all.length > 0) {
      tokenNotices().catch((error: Error) => log.error(error));
    }
  };
  const pins = new Pins(globalState);
  const files = new WorkspaceFiles();
  const app: App = {
    context,
    log,
    clock: systemClock,
    globalState,
    workspaceState,
    accounts,
    accountInUse,
    connections,
    remotes,
    workspaceProjects,
    pins,
    files,
    network,
  };
  const activity = new Activity(app);
  const errorTracking = new ErrorTracking(app);
  const notifications = new NotificationsFeature(app, (scope) => {
    if (scope.kind === 'project') {
      errorTracking.reloadLevel(scope.accountId, scope.id).catch((error: Error) => log.error(error));
    }
  });
  const apiHints = new ApiHints(app);
  const links = loadOnce(async () => {
    const [{ LinkHandler }, { accountCommands }] = await Promise.all([import('./links/linkHandler.ts'), forAccounts()]);
    return new LinkHandler(app, accountCommands, {
      showActivity: ({ accountId, id, path }) => activity.show({ kind: 'project', accountId, id, path }),
      tracksErrors: (project) => errorTracking.shows(project),
      showErrorTracking: (project) => errorTracking.show(project),
    });
  });
  const tools = loadOnce(async () => {
    const [{ assistantTools }, service] = await Promise.all([import('./assistantTools.ts'), notifications.service()]);
    return assistantTools(app, service);
  });

  const help = loadOnce(async () => {
    const { HelpCommands } = await import('./help/helpCommands.ts');
    return new HelpCommands(app);
  });

  const accountItem = createStatusBarItem('account', 'account', 'beacon.accounts');
  // Menus and welcome views ask for this; until it is set they show nothing rather than what may be wrong.
  const updateAccountContext = (): void => {
    const { account, state, isOneOfSeveral: hasOtherAccount } = accountInUse;
    const keys = { account: state, lacksReadScope: lacksReadScope(account), hasOtherAccount };
    for (const [key, value] of Object.entries(keys)) {
      void vscode.commands.executeCommand('setContext', `beacon.${key}`, value);
    }
    // The titles of views have no room for it where they are narrow.
    const name = account && hasOtherAccount ? accountLabel(account.id) : '';
    accountItem.show(name, vscode.l10n.t('Beacon: this window uses the account {0}. Click to use another one.', name));
  };
  updateAccountContext();

  const commands: readonly CommandSource[] = [
    { prefix: 'beacon.activity.', load: () => activity.load() },
    { prefix: 'beacon.errorTracking.', load: () => errorTracking.load() },
    { prefix: 'beacon.notifications.', load: notifications.load },
    { prefix: 'beacon.apiHints.', load: () => apiHints.load() },
    // Needs nothing that may fail to load.
    { prefix: 'beacon.', load: async () => ({ 'beacon.showLog': () => log.show() }) },
    { prefix: 'beacon.', load: async () => (await forAccounts()).commands },
    { prefix: 'beacon.', load: async () => (await help()).commands },
  ];

  context.subscriptions.push(
    accountItem,
    accounts,
    remotes,
    accountInUse,
    connections,
    authenticationProvider,
    accountInUse.onDidChange(watchTokens),
    workspaceProjects,
    activity,
    pins,
    errorTracking,
    notifications,
    apiHints,
    new SshHosts(app),
    { dispose: () => sandbox.dispose() },
    accountInUse.onDidChange(updateAccountContext),
    accounts.onDidChange(updateAccountContext),
    vscode.authentication.registerAuthenticationProvider(
      authenticationProviderId,
      'Beacon for GitLab',
      authenticationProvider,
      { supportsMultipleAccounts: true },
    ),
  );

  remotes.start().catch((error: Error) => log.error(error));
  watchTokens();

  // The bundler knows which build it is: what is shipped does not have this.
  if (process.env['BEACON_BUILD'] === 'development') {
    const credentials = process.env['BEACON_DEVELOPMENT_ACCOUNT'];
    const signIn = async (text: string): Promise<void> => {
      const { accountCommands } = await forAccounts();
      await accountCommands.signInForDevelopment(JSON.parse(text) as Credentials);
    };
    if (credentials !== undefined) {
      signIn(credentials).catch((error: Error) => log.error(error));
    }
  }

  return {
    run: async (command, args) => {
      try {
        const runCommand = await findCommand(command, commands);
        await runCommand(...args);
      } catch (error) {
        log.error(inspect(error));
        const { problemOf, showProblem } = await import('./accounts/problem.ts');
        showProblem(problemOf(error));
      }
    },
    links,
    tools,
  };
}

/** How the sandbox starts, by the settings. Values that the settings editor would not take count as none. */
export function sandboxOptions(): AppOptions {
  const settings = vscode.workspace.getConfiguration('beacon.sandbox');
  const seed = settings.get<unknown>('seed');
  return {
    liveEvents: settings.get<unknown>('liveEvents') !== false,
    ...(Number.isSafeInteger(seed) ? { seed: seed as number } : {}),
  };
}
