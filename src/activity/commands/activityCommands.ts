import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import type { ViewContext } from '../viewContext.ts';
import { feedOf, type FeedContext } from '../feed/feed.ts';
import type { FilterMemory } from '../feed/filterMemory.ts';
import type { FeedChoices, OpenFeeds } from '../feed/openFeeds.ts';
import type { Projects } from '../feed/projects.ts';
import type { Mutes, ReadState } from '../feed/readState.ts';
import { EventCommands } from './eventCommands.ts';
import { EventDocuments } from './eventDocuments.ts';
import { FeedCommands } from './feedCommands.ts';
import { FilterCommands } from './filterCommands.ts';
import { LocalCommits } from './localCommits.ts';
import { ReadCommands } from './readCommands.ts';
import { SummaryCommand } from './summaryCommand.ts';

/** What the commands of the Activity view share with the view. */
export interface ActivityCommandsDeps {
  readonly connections: Connections;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly choices: FeedChoices;
  readonly filters: FilterMemory;
  readonly feedContext: () => FeedContext;
  readonly context: ViewContext;
  readonly clock: Pick<Clock, 'date'>;
  readonly feeds: OpenFeeds;
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  /** Shows read events again, if only new ones are shown. */
  readonly showAll: () => Promise<void>;
}

/** Builds what a user does with the Activity view. This is loaded when the first of it is done. */
export function activityCommands(deps: ActivityCommandsDeps) {
  const { connections, workspaceProjects, choices, context, clock, feeds, projects, readState, mutes } = deps;
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
    ...{ connections, projects, clock },
    chooseFeed: async (title) => {
      const choice = await feedCommands.ask(title, vscode.l10n.t('Choose a feed'));
      return choice && feedOf(choice, deps.feedContext());
    },
  });
  const filterCommands = new FilterCommands({
    ...{ memory: deps.filters, context, projects, clock },
    showAll: deps.showAll,
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
