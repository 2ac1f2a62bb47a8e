import type * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import { AccountCommands } from './accountCommands.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import type { Connections } from './connections.ts';
import { CredentialCheck } from './credentialCheck.ts';
import { ConnectionDoctor } from './doctor/connectionDoctor.ts';
import type { Network } from './network/network.ts';
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
  /** The version of this extension. */
  readonly version: string;
  /** Brings what an account shows into view. */
  readonly show: () => Thenable<void>;
}

/** Builds what a person does with accounts and the ways to their instances. This is loaded when the first of it is done. */
export function accountActions(parts: AccountActionsParts) {
  const { accounts, accountInUse, remotes, workspaceProjects, connections, network, log, version, show } = parts;
  const signIn = new SignIn(accounts, new CredentialCheck(connections), log);
  const accountCommands = new AccountCommands(accounts, accountInUse, remotes, signIn, show);
  const doctor = new ConnectionDoctor({
    ...{ store: accounts, inUse: accountInUse, projects: workspaceProjects },
    ...{ connections, network, log, version },
  });
  return {
    signIn,
    accountCommands,
    doctor,
    commands: {
      ...accountCommands.commands,
      ...doctor.commands,
      ...new PassphraseCommands(network.passphrases).commands,
    } satisfies Commands,
  };
}
