import type * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import { AccountCommands } from './accountCommands.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import type { Connections } from './connections.ts';
import { CredentialCheck } from './credentialCheck.ts';
import { ConnectionDoctor } from './doctor/connectionDoctor.ts';
import type { Network } from './network/network.ts';
import { EditorSurroundings, OAuthSignIn } from './oauth/oauthSignIn.ts';
import { openProviderBy } from './oauth/refreshedTokens.ts';
import { PassphraseCommands } from './network/passphraseCommands.ts';
import { SignIn } from './signIn.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';
import type { WorkspaceRemotes } from './workspaceRemotes.ts';

/** What a person's work with accounts depends on. */
export interface AccountActionsParts {
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly remotes: WorkspaceRemotes;
  readonly workspaceProjects: WorkspaceProjects;
  readonly connections: Connections;
  readonly network: Network;
  readonly log: vscode.LogOutputChannel;
  readonly context: vscode.ExtensionContext;
  /** Brings what an account shows into view. */
  readonly show: () => Thenable<void>;
}

/** Builds what a person does with accounts and the ways to their instances. This is loaded when the first of it is done. */
export function accountActions(parts: AccountActionsParts) {
  const { accounts, accountInUse, remotes, workspaceProjects, connections, network, log, context, show } = parts;
  const { secrets, extension } = context;
  const { version } = extension.packageJSON as { readonly version: string };
  const oauth = new OAuthSignIn({
    ...{ secrets, openProvider: openProviderBy(async () => network, log), log, now: Date.now },
    surroundings: new EditorSurroundings(extension.id),
  });
  const signIn = new SignIn({ store: accounts, check: new CredentialCheck(connections), oauth, log });
  const accountCommands = new AccountCommands(accounts, accountInUse, remotes, signIn, show);
  const doctor = new ConnectionDoctor({
    ...{ store: accounts, inUse: accountInUse, projects: workspaceProjects },
    ...{ connections, network, log, version },
  });
  return {
    signIn,
    accountCommands,
    commands: {
      ...accountCommands.commands,
      ...doctor.commands,
      ...new PassphraseCommands(network.passphrases).commands,
    } satisfies Commands,
  };
}
