import * as vscode from 'vscode';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { systemClock } from '../api/clock.ts';
import type { Commands } from '../commands.ts';
import { EventCommands } from './actions/eventCommands.ts';
import { EventDocuments } from './actions/eventDocuments.ts';
import { LocalCommits } from './actions/localCommits.ts';
import type { ViewContext } from './actions/viewContext.ts';
import { feedOf, type Situation } from './feeds/feedChoice.ts';
import type { FeedChoices } from './feeds/feedChoices.ts';
import { FeedCommands } from './feeds/feedCommands.ts';
import type { OpenFeeds } from './feeds/openFeeds.ts';
import { FilterCommands } from './filters/filterCommands.ts';
import type { FilterMemory } from './filters/filterMemory.ts';
import type { Projects } from './loading/projects.ts';
import type { Mutes } from './reading/mutes.ts';
import { ReadCommands } from './reading/readCommands.ts';
import type { ReadState } from './reading/readState.ts';
import { SummaryCommand } from './summary/summaryCommand.ts';

/** What the commands of the Activity view share with the view. */
export interface ActivityCommandsParts {
  readonly connections: Connections;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly choices: FeedChoices;
  readonly filters: FilterMemory;
  readonly situation: () => Situation;
  readonly context: ViewContext;
  readonly now: () => Date;
  readonly feeds: OpenFeeds;
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  /** Shows read events again, if only new ones are shown. */
  readonly showAll: () => Promise<void>;
}

/** Builds what a person does with the Activity view. This is loaded when the first of it is done. */
export function activityCommands(parts: ActivityCommandsParts) {
  const { connections, workspaceProjects, choices, context, now, feeds, projects, readState, mutes } = parts;
  const localCommits = new LocalCommits(projects, workspaceProjects);
  const documents = new EventDocuments(feeds, projects, (node) => eventCommands.linkOf(node));
  const eventCommands = new EventCommands({
    ...{ context, projects, documents, localCommits },
    clock: systemClock,
    openExternal: async (address) => void (await vscode.env.openExternal(vscode.Uri.parse(address, true))),
  });
  const feedCommands = new FeedCommands({
    ...{ choices, connections, context, projects },
    workspaceProject: () => workspaceProjects.current?.path,
  });
  const summaryCommand = new SummaryCommand({
    ...{ connections, projects, now },
    chooseFeed: async (title) => {
      const choice = await feedCommands.ask(title, vscode.l10n.t('Choose a feed'));
      return choice && feedOf(choice, parts.situation());
    },
  });
  const filterCommands = new FilterCommands({
    ...{ memory: parts.filters, context, projects, now },
    showAll: parts.showAll,
  });
  return {
    commands: {
      ...feedCommands.commands,
      ...summaryCommand.commands,
      ...filterCommands.commands,
      ...new ReadCommands({ feeds, context, readState, mutes, projects }).commands,
      ...eventCommands.commands,
    } satisfies Commands,
    documents,
    localCommits,
  };
}
