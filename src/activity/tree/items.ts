import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { calendarDate } from '../../time/days.ts';
import { timeAgo } from '../../time/timeAgo.ts';
import { dayName, fullTime, type TimeFormat, timeOnDay } from '../../time/timeText.ts';
import { eventIcon } from '../events/eventIcon.ts';
import { eventReference } from '../events/eventReference.ts';
import { authorName, eventText, momentOf } from '../events/eventText.ts';
import { feedIcon, feedName } from '../feeds/feedNames.ts';
import { usernameOf } from '../filters/filter.ts';
import { filterText } from '../filters/filterText.ts';
import type { Projects } from '../loading/projects.ts';
import { newEventUri } from './newDecorations.ts';
import type { DayNode, EventNode, FeedNode } from './nodes.ts';

const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What the rows of the tree are made from, besides the nodes. */
export interface ItemContext {
  readonly projects: Projects;
  readonly now: Date;
  readonly timeFormat: TimeFormat;
}

/** The row of a feed among several. */
export function feedItem({ shown }: FeedNode, isExpanded: boolean): vscode.TreeItem {
  const { choice, isPinned, open } = shown;
  const name = feedName(open?.feed ?? choice);
  const count = open?.newItems.length ?? 0;
  const filter = open ? filterText(open.filter) : '';
  const item = new vscode.TreeItem(name, isExpanded ? Expanded : Collapsed);
  const news = count === 0 ? '' : vscode.l10n.t('{0} new', count);
  item.id = open?.id ?? choice.kind;
  item.iconPath = new vscode.ThemeIcon(feedIcon(choice));
  item.description = [news, filter].filter(Boolean).join(' · ');
  item.contextValue = [
    'feed',
    ...(isPinned ? ['pinned'] : ['unpinned']),
    ...(filter === '' ? [] : ['filtered']),
    ...(open?.feed.kind === 'project' ? ['projectFeed'] : []),
  ].join(' ');
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Feed {0}', name), news, filter].filter(Boolean).join(', '),
  };
  return item;
}

/** The row of a day. */
export function dayItem({ open, date, events, isExpanded }: DayNode, { now }: ItemContext): vscode.TreeItem {
  const name = dayName(date, now, vscode.env.language);
  const item = new vscode.TreeItem(name, isExpanded ? Expanded : Collapsed);
  item.id = `${open.id}/day/${date}`;
  item.description = String(events.length);
  item.contextValue = 'day';
  item.accessibilityInformation = {
    label:
      events.length === 1 ? vscode.l10n.t('{0}, 1 event', name) : vscode.l10n.t('{0}, {1} events', name, events.length),
  };
  return item;
}

/** The row of an event, without its tooltip. */
export function eventItem(node: EventNode, context: ItemContext): vscode.TreeItem {
  const { item: event, open, key } = node;
  const isNew = open.isNew(event);
  const item = isUnrecognized(event) ? unrecognizedItem() : recognizedItem(event, node, isNew, context);
  item.id = `${open.id}/event/${key}`;
  item.command = {
    command: 'beacon.activity.showEvent',
    title: vscode.l10n.t('Show Event'),
    arguments: [node],
  };
  return item;
}

/** When an event happened, as it stands in its row; it changes as time goes by. */
export function eventTime(event: EventRecord, { now, timeFormat }: Omit<ItemContext, 'projects'>): string {
  const created = momentOf(event);
  return created ? timeOnDay(created, now, vscode.env.language, timeFormat) : '';
}

function recognizedItem(
  event: EventRecord,
  { open, key }: EventNode,
  isNew: boolean,
  context: ItemContext,
): vscode.TreeItem {
  const { projects, now } = context;
  const { feed } = open;
  // In the feed of one user, who did it goes without saying. Rows are narrow: usernames are short.
  const by = feed.kind === 'mine' || feed.kind === 'user' ? undefined : (usernameOf(event) ?? authorName(event));
  const label = eventText(event, { by, brief: true });
  const project = projects.get(feed.accountId, event.project_id)?.path;
  const item = new vscode.TreeItem(label, None);
  if (isNew) {
    item.resourceUri = newEventUri(key);
  }
  const place = feed.kind === 'project' ? undefined : project?.split('/').at(-1);
  item.description = [eventTime(event, context), place].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(
    eventIcon(event),
    isNew ? new vscode.ThemeColor('notificationsInfoIcon.foreground') : undefined,
  );
  item.contextValue = contextOf(event, project);
  item.accessibilityInformation = { label: sentenceOf(event, project, isNew, now) };
  return item;
}

/** What the menus of an event ask for, as words. */
function contextOf(event: EventRecord, project: string | undefined): string {
  return [
    'event',
    ...(event.note ? ['comment'] : []),
    ...(event.push_data?.commit_to ? ['push'] : []),
    ...(event.project_id === null || event.project_id === undefined ? [] : ['project']),
    ...(eventReference(event, project) === undefined ? [] : ['reference']),
    ...(event.author?.username || event.author_username ? ['author'] : []),
  ].join(' ');
}

/** Reads an event to those who do not see the view, in one sentence. */
function sentenceOf(event: EventRecord, project: string | undefined, isNew: boolean, now: Date): string {
  const created = momentOf(event);
  const { language } = vscode.env;
  const time = !created
    ? ''
    : calendarDate(created) === calendarDate(now)
      ? timeAgo(created, now, language)
      : fullTime(created, language);
  const what = eventText(event, { by: authorName(event) });
  const sentence =
    project === undefined
      ? vscode.l10n.t('{0}, {1}.', what, time)
      : vscode.l10n.t('{0}, in {1}, {2}.', what, project, time);
  return isNew ? vscode.l10n.t('New: {0}', sentence) : sentence;
}

function unrecognizedItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Event in an unknown format'), None);
  item.iconPath = new vscode.ThemeIcon('question');
  item.contextValue = 'unrecognized';
  item.accessibilityInformation = {
    label: vscode.l10n.t('An event in a format that this version of Beacon does not know.'),
  };
  return item;
}
