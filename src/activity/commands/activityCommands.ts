import * as vscode from 'vscode';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import { reportFailure } from '../../accounts/problem.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { Clock } from '../../common/clock.ts';
import { type Commands, loadOnce } from '../../common/commands.ts';
import { showInformationMessage } from '../../common/inertWindow.ts';
import type { LoadedTree } from '../../common/trees.ts';
import { EventPages } from '../document/eventPages.ts';
import { feedRefOf } from '../feed/feedRef.ts';
import type { FilterMemory } from '../feed/filterMemory.ts';
import type { FeedStore } from '../feed/feedStore.ts';
import type { FeedChoices, OpenFeeds } from '../feed/openFeeds.ts';
import type { FeedPolling } from '../feed/polling.ts';
import type { Projects } from '../feed/projects.ts';
import type { Mutes, ReadState } from '../feed/readState.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { ActivityNode } from '../tree/nodes.ts';
import type { InsightsPanels } from '../insights/insightsPanel.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { EventCommands } from './eventCommands.ts';
import { EventDocuments } from './eventDocuments.ts';
import { FeedCommands } from './feedCommands.ts';
import { FilterCommands } from './filterCommands.ts';
import { LocalCommits } from './localCommits.ts';
import { ReadCommands } from './readCommands.ts';
import { SummaryCommand } from './summaryCommand.ts';

/** What the commands of the Activity view share with the view. */
export interface ActivityCommandsDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state' | 'use'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly choices: FeedChoices;
  readonly filters: FilterMemory;
  readonly context: ViewContext;
  readonly clock: Clock;
  readonly feeds: OpenFeeds;
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  readonly polling: Pick<FeedPolling, 'restart'>;
  readonly store: FeedStore;
  readonly tree: LoadedTree<ActivityNode, ActivityTree>;
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
}

/** Builds what a user does with the Activity view. This is loaded when the first of it is done. */
export function activityCommands(deps: ActivityCommandsDeps) {
  const { accounts, accountInUse, connections, workspaceProjects, choices, context, clock } = deps;
  const { feeds, projects, readState, mutes, polling, tree, extensionUri, log } = deps;
  const localCommits = new LocalCommits(projects, workspaceProjects);
  const documents = new EventDocuments(
    {
      // The page keeps its event when the view shows other feeds.
      get all() {
        return [...feeds.all, ...(pages.node ? [pages.node.feed] : [])];
      },
    },
    (node) => eventCommands.linkOf(node),
  );
  const eventCommands = new EventCommands({
    ...{ context, projects, localCommits, clock },
    showPage: (node) => pages.show(node),
    markOpened: (node) => pages.markOpened(node),
    ask: showInformationMessage,
    openExternal: async (address) => void (await vscode.env.openExternal(vscode.Uri.parse(address, true))),
  });
  const pages = new EventPages({
    ...{ extensionUri, feeds, accounts, accountInUse, clock, documents, localCommits, readState, tree },
    linkOf: (node) => eventCommands.linkOf(node),
    showChanges: (node) => eventCommands.showCommits(node),
    openInBrowser: (node) => eventCommands.openInBrowser(node),
    onError: (error) => reportFailure(error, log),
  });
  const feedCommands = new FeedCommands({
    ...{ accounts, accountInUse, choices, connections, context, feeds, polling, projects, tree },
    workspaceProject: () => workspaceProjects.current,
  });
  const summaryCommand = new SummaryCommand({
    ...{ connections, projects, mutes, clock },
    chooseFeed: async (title) => {
      const choice = await feedCommands.ask(title);
      return (
        choice &&
        feedRefOf(choice, { accountId: accountInUse.account?.id, workspaceProject: workspaceProjects.current })
      );
    },
  });
  const filterCommands = new FilterCommands({
    ...{ accounts, memory: deps.filters, feeds, context, projects, clock },
  });
  const insights = loadOnce(async (): Promise<InsightsPanels> => {
    const { InsightsPanels } = await import('../insights/insightsPanel.ts');
    return new InsightsPanels(deps);
  });
  return {
    commands: {
      ...summaryCommand.commands,
      ...filterCommands.commands,
      ...pages.commands,
      ...withPage(
        {
          ...feedCommands.commands,
          ...new ReadCommands({ accounts, feeds, context, readState, mutes, projects }).commands,
          ...eventCommands.commands,
        },
        pages,
      ),
      'beacon.activity.showInsights': async (target?: Target) => {
        const feed = context.feed(target);
        await (feed ? (await insights()).show(feed.ref) : connections.current());
      },
    } satisfies Commands,
    documents,
    localCommits,
    /** Goes on with pages that the editor restores, by the names of the pages. */
    revive: {
      activityEvent: async (panel: vscode.WebviewPanel, kept: unknown) => await pages.revive(panel, kept),
      activityInsights: async (panel: vscode.WebviewPanel, kept: unknown) =>
        await (await insights()).revive(panel, kept),
    },
  };
}

/** Commands that may come from the title of the page of an event. */
function withPage(commands: Commands, pages: EventPages): Commands {
  const all = Object.entries(commands as Readonly<Record<string, (target?: Target) => unknown>>);
  return Object.fromEntries(
    all.map(([id, run]) => [id, (target?: Target | vscode.Uri) => run(pages.targetOf(target))]),
  );
}
