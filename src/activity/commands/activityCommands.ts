import type * as vscode from 'vscode';
import type { Command, Commands, CommandsOf } from '../../common/commands.ts';
import type { ActivityContext, Target } from '../context.ts';
import { EventPages } from '../document/eventPages.ts';
import { inertMarkdown } from '../document/markdown.ts';
import { InsightsPanels } from '../insights/insightsPanel.ts';
import type { Polling } from '../feed/polling.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { EventDetails, EventNode } from '../tree/eventNode.ts';
import { eventCommands } from './eventCommands.ts';
import { feedCommands } from './feedCommands.ts';
import { filterCommands } from './filterCommands.ts';
import { LocalCommits } from './localCommits.ts';
import { readCommands } from './readCommands.ts';
import { summaryCommands } from './summaryCommand.ts';

/** Builds what a user does with the Activity view. */
export function activityCommands(view: ActivityContext, tree: ActivityTree, polling: Polling) {
  const localCommits = new LocalCommits(view);
  const pages = new EventPages(view, tree, localCommits);
  const insights = new InsightsPanels(view);
  return {
    commands: {
      ...summaryCommands(view),
      ...filterCommands(view),
      ...pages.commands,
      ...withPage(
        { ...feedCommands(view, tree, polling), ...readCommands(view), ...eventCommands(view, pages, localCommits) },
        pages,
      ),
      'beacon.activity.showInsights': async (target?: Target) => {
        const feed = view.feedOf(target);
        await (feed ? insights.show(feed.ref) : view.app.connections.current());
      },
    } satisfies CommandsOf<'activity'>,
    /** What the tooltip of an event says beside the event itself. */
    detailsOf: async (node: EventNode): Promise<EventDetails> => ({
      comment: inertMarkdown(node.item.note?.body ?? ''),
      commits: await localCommits.titles(node).catch(() => []),
    }),
    /** Goes on with pages that the editor restores, by the names of the pages. */
    revive: {
      activityEvent: async (panel: vscode.WebviewPanel, kept: unknown) => await pages.revive(panel, kept),
      activityInsights: async (panel: vscode.WebviewPanel, kept: unknown) => await insights.revive(panel, kept),
    },
  };
}

/** Commands that may come from the title of the page of an event. */
function withPage<Some extends Commands>(commands: Some, pages: EventPages): Record<keyof Some, Command> {
  const all = Object.entries(commands as Readonly<Record<string, Command>>);
  return Object.fromEntries(
    all.map(([id, run]) => [id, (target?: Target | vscode.Uri) => run(pages.targetOf(target) as never)]),
  ) as Record<string, Command> as Record<keyof Some, Command>;
}
