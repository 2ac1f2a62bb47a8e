import type { Connections } from '../accounts/connections.ts';
import type { Network } from '../accounts/network/network.ts';
import type { Commands } from '../commands.ts';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import type { Dialogs } from './dialogs.ts';
import { GitIgnoring } from './insertion/gitIgnoring.ts';
import { InsertCommands } from './insertion/insertCommands.ts';
import { KeyCommands } from './keys/keyCommands.ts';
import { DsnFixes } from './lens/dsnFixes.ts';
import type { ProjectStates } from './projectStates.ts';
import { RotationCommands } from './rotation/rotationCommands.ts';
import type { RotationJournal } from './rotation/rotationJournal.ts';
import { SettingsCommands } from './settings/settingsCommands.ts';
import { Targets } from './targets.ts';
import type { TrackedProjects } from './trackedProjects.ts';
import { UsageSearch } from './usages.ts';
import { VerifyCommands } from './verify/verifyCommands.ts';

/** What the commands of error tracking share with its view and its lens. */
export interface ErrorTrackingCommandsParts {
  readonly projects: TrackedProjects;
  readonly states: ProjectStates;
  readonly connections: Connections;
  readonly network: () => Promise<Network>;
  readonly files: WorkspaceFiles;
  readonly dialogs: Dialogs;
  readonly journal: RotationJournal;
}

/** Builds the commands of error tracking, without those of its view. This is loaded when one of them runs. */
export function errorTrackingCommands(parts: ErrorTrackingCommandsParts) {
  const { projects, states, connections, network, files, dialogs, journal } = parts;
  const targets = new Targets(projects, states, connections, dialogs);
  const usages = new UsageSearch(files);
  const ignoring = new GitIgnoring(files, dialogs);
  const rotation = new RotationCommands({
    ...{ targets, states, usages, dialogs, journal },
    client: async (accountId) => (await connections.of(accountId)).client,
  });
  return {
    commands: {
      ...new SettingsCommands(targets, states, dialogs).commands,
      ...new KeyCommands(targets, states, usages, dialogs).commands,
      ...new InsertCommands(targets, ignoring, dialogs).commands,
      ...new VerifyCommands(targets, async (url) => (await network()).carrierTo(url), dialogs).commands,
      ...rotation.commands,
      ...new DsnFixes(ignoring, dialogs).commands,
    } satisfies Commands,
    /** Says which rotations were interrupted. */
    tellInterrupted: () => rotation.tellInterrupted(),
  };
}
