import * as vscode from 'vscode';
import { describeProblem } from '../accounts/problem.ts';
import type { EventRecord } from '../api/events.ts';
import { isUnrecognized } from '../api/unrecognized.ts';
import { dayName, groupByDay, timeOnDay, type Day } from './days.ts';
import { eventLink } from './eventLink.ts';
import { eventIcon, eventLabel } from './eventText.ts';
import { eventTooltip } from './eventTooltip.ts';
import type { Feed, FeedItem } from './feed.ts';
import type { Projects } from './projects.ts';

/** What the tree consists of. */
export type ActivityNode =
  | { readonly kind: 'day'; readonly day: Day<FeedItem>; readonly expanded: boolean }
  | { readonly kind: 'event'; readonly event: FeedItem }
  | { readonly kind: 'action'; readonly command: vscode.Command; readonly icon: string };

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;

/** Shows a feed grouped by day. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  readonly #feed: Feed;
  readonly #projects: Projects;
  readonly #now: () => Date;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(feed: Feed, projects: Projects, now: () => Date) {
    this.#feed = feed;
    this.#projects = projects;
    this.#now = now;
  }

  /** Shows what the feed holds now. */
  update(): void {
    this.#changed.fire();
  }

  getChildren(node?: ActivityNode): ActivityNode[] {
    if (node) {
      return node.kind === 'day' ? node.day.events.map((event) => ({ kind: 'event', event })) : [];
    }
    const { items, error, next } = this.#feed.state;
    let shown = 0;
    const days = groupByDay(items, this.#now()).map((day): ActivityNode => {
      const expanded = shown < eventsShownAtFirst;
      shown += day.events.length;
      return { kind: 'day', day, expanded };
    });
    return [...(error === undefined ? [] : problemNodes(error)), ...days, ...loadMoreNodes(next !== undefined)];
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    switch (node.kind) {
      case 'day':
        return this.#dayItem(node.day, node.expanded);
      case 'event':
        return isUnrecognized(node.event)
          ? unrecognizedItem()
          : this.#eventItem(node.event, this.linkOf(node) !== undefined);
      case 'action':
        return actionItem(node.command, node.icon);
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: ActivityNode): vscode.TreeItem {
    if (node.kind === 'event') {
      item.tooltip = eventTooltip(node.event, this.#projects);
    }
    return item;
  }

  /** The web address of what a node stands for; undefined if it has none, or not yet. */
  linkOf(node: ActivityNode): string | undefined {
    if (node.kind !== 'event' || isUnrecognized(node.event)) {
      return undefined;
    }
    const projectUrl = this.#projects.get(node.event.project_id)?.webUrl;
    return projectUrl && eventLink(node.event, projectUrl);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #dayItem({ date, events }: Day<FeedItem>, expanded: boolean): vscode.TreeItem {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const name = dayName(date, this.#now(), vscode.env.language);
    const item = new vscode.TreeItem(name, expanded ? Expanded : Collapsed);
    item.id = `day/${date}`;
    item.description = String(events.length);
    item.accessibilityInformation = {
      label:
        events.length === 1
          ? vscode.l10n.t('{0}, 1 event', name)
          : vscode.l10n.t('{0}, {1} events', name, events.length),
    };
    return item;
  }

  #eventItem(event: EventRecord, hasLink: boolean): vscode.TreeItem {
    const label = eventLabel(event);
    const time = timeOnDay(new Date(event.created_at), this.#now(), vscode.env.language);
    const project = this.#projects.get(event.project_id)?.path;
    const item = new vscode.TreeItem(label);
    item.id = `event/${event.id}`;
    item.description = project === undefined ? time : `${project} · ${time}`;
    item.iconPath = new vscode.ThemeIcon(eventIcon(event));
    item.contextValue = hasLink ? 'event+link' : 'event';
    item.accessibilityInformation = {
      label: project === undefined ? `${label}, ${time}` : vscode.l10n.t('{0}, in {1}, {2}', label, project, time),
    };
    return item;
  }
}

function loadMoreNodes(hasMore: boolean): ActivityNode[] {
  const command = { command: 'beacon.activity.loadMore', title: vscode.l10n.t('Load More') };
  return hasMore ? [{ kind: 'action', command, icon: 'fold-down' }] : [];
}

/** The step that mends a failure, and another try. The sentence that says what failed is the view's message. */
function problemNodes(error: unknown): ActivityNode[] {
  const { sentence, remedy } = describeProblem(error);
  const retry = {
    command: 'beacon.activity.refresh',
    title: vscode.l10n.t('Try Again'),
    tooltip: sentence,
  };
  return [
    ...(remedy ? [{ kind: 'action' as const, command: remedy, icon: 'arrow-right' }] : []),
    { kind: 'action', command: retry, icon: 'refresh' },
  ];
}

function actionItem(command: vscode.Command, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(command.title);
  item.command = command;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = command.tooltip;
  item.accessibilityInformation = { label: [command.title, command.tooltip].filter(Boolean).join('. ') };
  return item;
}

function unrecognizedItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('An event of unknown form'));
  item.iconPath = new vscode.ThemeIcon('question');
  return item;
}
