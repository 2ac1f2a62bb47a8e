import type { LogOutputChannel } from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Dialogs } from '../accounts/dialogs.ts';
import type { Pins } from '../accounts/pins.ts';
import type { Commands } from '../common/commands.ts';
import type { Network } from '#platform/network.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { InsertCommands } from './insertion/insertCommands.ts';
import type { DsnStates } from './lens/dsnStates.ts';
import { GitIgnoring } from './insertion/workspaceEdits.ts';
import { KeyCommands } from './keyCommands.ts';
import type { KeyFacts } from './keyFacts.ts';
import { DsnFixes } from './lens/dsnQuickFixes.ts';
import { ProjectCommands } from './projectCommands.ts';
import type { ProjectStates } from './projectStates.ts';
import { RotationCommands } from './rotation/rotationCommands.ts';
import type { RotationJournal } from './rotation/rotationJournal.ts';
import { SettingsCommands } from './settingsCommands.ts';
import { TargetResolver } from './targets.ts';
import { VerifyCommands } from './testError.ts';
import type { TrackedProjects } from './trackedProjects.ts';
import { UsageSearch } from './usages.ts';

/** What the commands of error tracking share with its view and its lens. */
export interface ErrorTrackingCommandsDeps {
  readonly projects: TrackedProjects;
  readonly states: ProjectStates;
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  readonly connections: Connections;
  readonly pins: Pins;
  readonly network: () => Promise<Network>;
  readonly files: WorkspaceFiles;
  readonly dialogs: Dialogs;
  readonly journal: RotationJournal;
  readonly keyFacts: KeyFacts;
  readonly log: Pick<LogOutputChannel, 'error'>;
  readonly dsnStates: DsnStates;
}

/** Builds the commands of error tracking, without those of its view. This is loaded when one of them runs. */
export function errorTrackingCommands(deps: ErrorTrackingCommandsDeps) {
  const { projects, states, connections, pins, network, files, dialogs, journal, keyFacts, log, dsnStates } = deps;
  const targets = new TargetResolver(deps);
  const usages = new UsageSearch(files);
  const ignoring = new GitIgnoring(files, dialogs);
  const rotation = new RotationCommands({
    ...{ targets, states, usages, dialogs, journal },
    client: async (accountId) => (await connections.of(accountId)).client,
  });
  return {
    commands: {
      ...new ProjectCommands({ targets, projects, states, pins, dialogs, log }).commands,
      ...new SettingsCommands(targets, states, dialogs).commands,
      ...new KeyCommands(targets, states, usages, dialogs).commands,
      ...new InsertCommands({ targets, ignoring, dialogs, keyFacts, pathOf: (dsn) => dsnStates.pathOf(dsn) }).commands,
      ...new VerifyCommands({
        ...{ targets, dialogs, keyFacts },
        createTransport: async (url) => (await network()).createTransport(url),
      }).commands,
      ...rotation.commands,
      ...new DsnFixes(ignoring, dialogs, dsnStates).commands,
    } satisfies Commands,
    /** Says which rotations were interrupted. */
    notifyInterrupted: () => rotation.notifyInterrupted(),
  };
}
