import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { sandboxAccount } from './accounts/account.ts';
import { AccountStore } from './accounts/accountStore.ts';
import { Connections } from './accounts/connections.ts';
import { signInForDevelopment } from './accounts/developmentAccount.ts';
import { describeProblem, showProblem } from './accounts/problem.ts';
import { SignIn } from './accounts/signIn.ts';
import { ActivityView } from './activity/activityView.ts';
import type { Command } from './commands.ts';
import { EmbeddedSandbox } from './sandbox/embeddedSandbox.ts';

/** Builds the parts and joins them. Requests nothing and reads no secret. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Beacon for GitLab', { log: true });
  const accounts = new AccountStore(context.globalState, context.secrets);
  const sandbox = new EmbeddedSandbox();
  const connections = new Connections(accounts, () => sandbox.start(), log);
  const signIn = new SignIn(accounts, connections, log);
  const activity = new ActivityView(accounts, connections, log);

  // Menus and welcome views ask for this; until it is set they show nothing rather than what may be wrong.
  const tellAccount = (): void =>
    void vscode.commands.executeCommand('setContext', 'beacon.account', accounts.account?.kind ?? 'none');
  tellAccount();

  const showActivity = (): Thenable<void> => vscode.commands.executeCommand('beacon.activity.focus');
  const commands: Record<string, Command> = {
    'beacon.signIn': async () => {
      if (await signIn.run()) {
        await showActivity();
      }
    },
    'beacon.signOut': () => accounts.signOut(),
    'beacon.trySandbox': async () => {
      await accounts.use(sandboxAccount);
      await showActivity();
    },
    ...activity.commands,
    'beacon.showLog': () => log.show(),
  };

  context.subscriptions.push(
    log,
    accounts,
    connections,
    activity,
    { dispose: () => sandbox.dispose() },
    accounts.onDidChange(tellAccount),
    ...Object.entries(commands).map(([name, run]) => registerCommand(name, run, log)),
  );

  if (context.extensionMode === vscode.ExtensionMode.Development) {
    signInForDevelopment(signIn, context.globalState, process.env['BEACON_DEVELOPMENT_ACCOUNT'])
      .then((signedIn) => (signedIn ? showActivity() : undefined))
      .catch((error: Error) => log.error(error));
  }
}

/** Registers a command whose failure is told in a sentence, with the step that mends it. */
function registerCommand(name: string, run: Command, log: vscode.LogOutputChannel): vscode.Disposable {
  return vscode.commands.registerCommand(name, async (...args: never[]) => {
    try {
      await run(...args);
    } catch (error) {
      log.error(inspect(error));
      showProblem(describeProblem(error));
    }
  });
}
