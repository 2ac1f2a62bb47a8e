import type { Network } from '#platform/network.ts';
import * as vscode from 'vscode';
import { AccountCommands } from './accounts/accountCommands.ts';
import type { AccountInUse } from './accounts/accountInUse.ts';
import type { AccountStore } from './accounts/accountStore.ts';
import type { Connections } from './accounts/connections.ts';
import { CredentialCheck } from './accounts/credentialCheck.ts';
import { EditorEnvironment, OAuthSignIn } from './accounts/oauthSignIn.ts';
import { openProviderBy } from './accounts/refreshedTokens.ts';
import { type ProjectView, SignIn } from './accounts/signIn.ts';
import type { WorkspaceProjects } from './accounts/workspaceProjects.ts';
import { systemClock } from './common/clock.ts';
import type { Commands } from './common/commands.ts';
import { ConnectionDoctor } from './diagnostics/connectionDoctor.ts';
import type { Pins } from './accounts/pins.ts';
import type { WorkspaceRemotes } from './workspace/remotes.ts';

/** What a user's work with accounts depends on. */
export interface AccountServicesDeps {
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly remotes: WorkspaceRemotes;
  readonly workspaceProjects: WorkspaceProjects;
  readonly pins: Pins;
  readonly connections: Connections;
  readonly network: Network;
  readonly log: vscode.LogOutputChannel;
  readonly context: vscode.ExtensionContext;
  readonly globalState: vscode.Memento;
  /** Whether notification settings of an account were changed and not saved. */
  readonly hasDrafts: (accountId: string) => Promise<boolean>;
  /** Whether a notification profile of an account holds for a while. */
  readonly hasTimedProfiles: (accountId: string) => Promise<boolean>;
  /** Brings what an account shows into view. */
  readonly show: () => Thenable<void>;
  readonly errorTracking: ProjectView;
}

/** What a sign-out of an account interrupts, in sentences. */
export async function interruptedBySignOut(
  accountId: string,
  { hasDrafts, hasTimedProfiles }: Pick<AccountServicesDeps, 'hasDrafts' | 'hasTimedProfiles'>,
): Promise<readonly string[]> {
  const { t } = vscode.l10n;
  return [
    ...((await hasDrafts(accountId))
      ? [t('Unsaved notification settings are kept for your next sign-in to this account.')]
      : []),
    ...((await hasTimedProfiles(accountId))
      ? [t('Notification profiles that hold for a while do not end before you sign in to this account again.')]
      : []),
  ];
}

/** Builds the services behind the commands for accounts and connections. Loaded when the first of these commands runs. */
export function accountServices(deps: AccountServicesDeps) {
  const {
    accounts,
    accountInUse,
    remotes,
    workspaceProjects,
    pins,
    connections,
    network,
    log,
    context,
    show,
    errorTracking,
  } = deps;
  const { secrets, extension } = context;
  const { version } = extension.packageJSON as { readonly version: string };
  const oauth = new OAuthSignIn({
    ...{ secrets, openProvider: openProviderBy(async () => network, log), log, clock: systemClock },
    environment: new EditorEnvironment(extension.id),
  });
  const signIn = new SignIn({ store: accounts, check: new CredentialCheck(connections), oauth, log, errorTracking });
  const accountCommands = new AccountCommands(accounts, accountInUse, remotes, signIn, show, (accountId) =>
    interruptedBySignOut(accountId, deps),
  );
  const doctor = new ConnectionDoctor({
    ...{ store: accounts, inUse: accountInUse, projects: workspaceProjects, pins },
    ...{ connections, network, log, version },
  });
  return {
    signIn,
    accountCommands,
    doctor,
    commands: {
      ...accountCommands.commands,
      ...doctor.commands,
      ...network.commands,
    } satisfies Commands,
  };
}
