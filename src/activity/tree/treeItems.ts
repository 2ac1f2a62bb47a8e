import * as vscode from 'vscode';
import { isReadOnly, lacksReadScope } from '../../accounts/account.ts';
import { accountLabel, briefAccountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { calendarDate, timeAgo } from '../../common/dates.ts';
import { escapeMarkdown, plainLines, plainText } from '../../common/inertText.ts';
import { dayLabel, fullTimeLabel, timeOnDay } from '../../common/timeText.ts';
import { newEventUri } from '../activityHeader.ts';
import { authorPicture, eventIcon } from '../events/eventIcon.ts';
import { authorDetails, authorName, eventLabel, momentOf, rowTexts } from '../events/eventLabel.ts';
import { eventReference } from '../events/eventLink.ts';
import { isAboveRead, isNew } from '../feed/feedState.ts';
import { filterLabel } from '../feed/filterMemory.ts';
import { feedIcon, feedLabel, feedNote } from '../feed/openFeeds.ts';
import { type DayNode, type EventNode, type FeedNode, projectFacts } from './nodes.ts';

const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;

/** What the rows of the tree are made from, besides the nodes. */
export interface ItemContext {
  readonly now: Date;
  /** Whether rows show pictures of authors. */
  readonly authorPictures: boolean;
  /** Whether a repository of a project is open in this window. */
  readonly isOpen: (accountId: string, path: string) => boolean;
  readonly accounts: Pick<AccountStore, 'all'>;
  /** Whether feeds of several accounts are shown, so that each says whose it is. */
  readonly hasSeveralAccounts: boolean;
}

/** The row of a feed among several. */
export function feedItem(
  { shown }: FeedNode,
  { accounts, hasSeveralAccounts }: Pick<ItemContext, 'accounts' | 'hasSeveralAccounts'>,
  isExpanded: boolean,
): vscode.TreeItem {
  const { choice, isPinned, feed } = shown;
  const name = feedLabel(feed?.ref ?? choice);
  const count = feed?.state.newItems.length ?? 0;
  const filter = feed ? filterLabel(feed.filter) : '';
  const counts = feed?.state.reading.counts ?? true;
  const item = new vscode.TreeItem(name, isExpanded ? Expanded : Collapsed);
  const news = count === 0 ? '' : vscode.l10n.t('{0} new', count);
  const { accountId } = feed?.ref ?? {};
  const isNamed = accountId !== undefined && hasSeveralAccounts;
  const note = feedNote(
    feed?.ref ?? choice,
    accounts.all.find(({ id }) => id === accountId),
  );
  const factsWith = (account: string): string[] =>
    // A narrow row cuts the end.
    [account, news, filter, counts ? '' : vscode.l10n.t('not in badge'), note].filter(Boolean);
  const facts = factsWith(isNamed ? accountLabel(accountId) : '');
  item.id = feed?.id ?? choice.kind;
  // The editor shows buttons of rows under the pointer alone.
  item.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : feedIcon(choice));
  item.description = factsWith(isNamed ? briefAccountLabel(accountId, accounts) : '').join(' · ');
  item.tooltip = [name, ...facts].join('\n');
  item.contextValue = [
    'feed',
    ...(isPinned ? ['pinned'] : ['unpinned']),
    ...(counts ? ['counted'] : ['uncounted']),
    ...(filter === '' ? ['unfiltered'] : ['filtered']),
    ...(feed?.ref.kind === 'project' ? ['projectFeed'] : []),
    ...(feed ? accessContext(feed.ref.accountId, accounts) : []),
  ].join(' ');
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Feed {0}', name), ...(isPinned ? [vscode.l10n.t('pinned')] : []), ...facts].join(', '),
  };
  return item;
}

/** What the row of a feed says, and what its menu offers. */
export function feedRow(node: FeedNode, context: Pick<ItemContext, 'accounts' | 'hasSeveralAccounts'>): string {
  const { description, contextValue } = feedItem(node, context, false);
  return JSON.stringify([description, contextValue]);
}

/** By which the menus leave out what the token of an account cannot do. They come last in a context value. */
export function accessContext(accountId: string, accounts: Pick<AccountStore, 'all'>): string[] {
  const account = accounts.all.find(({ id }) => id === accountId);
  return [...(isReadOnly(account) ? ['readOnly'] : []), ...(lacksReadScope(account) ? ['feedOnly'] : [])];
}

/** The row of a day. */
export function dayItem({ feed, date, events, isExpanded }: DayNode, { now }: ItemContext): vscode.TreeItem {
  const name = dayLabel(date, now, vscode.env.language);
  const item = new vscode.TreeItem(name, isExpanded ? Expanded : Collapsed);
  item.id = `${feed.id}/day/${date}`;
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
  const { item: event, feed, key } = node;
  const item = isUnrecognized(event) ? unrecognizedItem() : recognizedItem(event, node, context);
  item.id = `${feed.id}/event/${key}`;
  item.command = {
    command: 'beacon.activity.showEvent',
    title: vscode.l10n.t('Show Event'),
    arguments: [node],
  };
  return item;
}

/** When an event happened, as it stands in its row; it changes as time goes by. */
export function eventTime(event: EventRecord, { now }: ItemContext): string {
  const created = momentOf(event);
  return created ? timeOnDay(created, now, vscode.env.language) : '';
}

function recognizedItem(event: EventRecord, node: EventNode, context: ItemContext): vscode.TreeItem {
  const { ref, state } = node.feed;
  const isUnread = isNew(state.reading, event);
  // In the feed of one user, who did it goes without saying, and in that of a project, where.
  const by = ref.kind === 'mine' || ref.kind === 'user' ? undefined : authorName(event);
  const { path: project, defaultBranch } = projectFacts(event, state) ?? {};
  const place = ref.kind === 'project' ? undefined : project?.split('/').at(-1);
  const icon = eventIcon(event);
  const picture = context.authorPictures ? authorPicture(event, state.instanceUrl ?? '') : undefined;
  // A picture does not say what was done, as the icon does.
  const { label, detail } = picture ? { label: eventLabel(event) } : rowTexts(event, defaultBranch);
  const item = new vscode.TreeItem(label, None);
  if (isUnread) {
    item.resourceUri = newEventUri(node.key);
  }
  // First who and when: a narrow view cuts the end.
  item.description = [by, eventTime(event, context), place, detail].filter(Boolean).join(' · ');
  item.iconPath =
    (picture && vscode.Uri.parse(picture)) ??
    new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
  item.contextValue = [
    contextOf(event, project, project !== undefined && context.isOpen(ref.accountId, project)),
    ...(isAboveRead(state.reading, event) ? ['aboveRead'] : []),
    ...accessContext(ref.accountId, context.accounts),
  ].join(' ');
  const sentence = eventSentence(event, project, context.now);
  item.accessibilityInformation = { label: isUnread ? vscode.l10n.t('New: {0}', sentence) : sentence };
  return item;
}

/** What the menus match of an event: the context value of its row, but for what repositories are open and what a token may do. */
export function eventContextValue({ item, feed }: EventNode): string {
  return isUnrecognized(item) ? 'unrecognized' : contextOf(item, projectFacts(item, feed.state)?.path, false);
}

/** The context value of an event, as words that the menus match. */
function contextOf(event: EventRecord, project: string | undefined, isOpen: boolean): string {
  return [
    'event',
    ...(event.push_data?.commit_to ? [isOpen ? 'localPush' : 'remotePush'] : []),
    // Without its name there is nothing to choose it by, and the token cannot read it.
    ...(project === undefined ? [] : ['project']),
    ...(typeof event.project_id === 'number' ? ['projectId'] : []),
    ...(eventReference(event, project) === undefined ? [] : ['reference']),
    ...(event.author?.username || event.author_username ? ['author'] : []),
  ].join(' ');
}

/** Who did what, where and when, in one sentence. */
function eventSentence(event: EventRecord, project: string | undefined, now: Date): string {
  const created = momentOf(event);
  const { language } = vscode.env;
  const time = !created
    ? ''
    : calendarDate(created) === calendarDate(now)
      ? timeAgo(created, now, language)
      : fullTimeLabel(created, language);
  const what = eventLabel(event, authorName(event));
  if (project !== undefined && time !== '') {
    return vscode.l10n.t('{0}, in {1}, {2}.', what, project, time);
  }
  const fact = project ?? time;
  return fact === '' ? what : vscode.l10n.t('{0}, {1}.', what, fact);
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

/** Longer comments are cut; a tooltip is for a glance. */
const maxNoteLength = 1000;
/** So many commits of a push are listed. */
const maxCommits = 10;

/**
 * The details of an event. Text of the instance is shown as plain text: it is neither Markdown nor HTML nor a command.
 *
 * @param commits the titles of the commits of a push, the newest first, as far as they are known.
 * @param accounts who is signed in.
 */
export function eventTooltip(
  { item: event, feed }: EventNode,
  commits: readonly string[],
  now: Date,
  accounts: Pick<AccountStore, 'all'>,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  if (isUnrecognized(event)) {
    return tooltip.appendCodeblock(JSON.stringify(event.raw, null, 2).slice(0, maxNoteLength), 'json');
  }
  const project = projectFacts(event, feed.state)?.path;
  tooltip.appendMarkdown(`**${asMarkdown(eventSentence(event, project, now))}**\n\n`);
  tooltip.appendMarkdown(asMarkdown(factsOf(event).join(' · ')));
  const { accountId } = feed.ref;
  const isUnnamed = project === undefined && lacksReadScope(accounts.all.find(({ id }) => id === accountId));
  const notes = [
    ...(accounts.all.length > 1 ? [vscode.l10n.t('Account: {0}', accountLabel(accountId))] : []),
    ...(isUnnamed
      ? [
          vscode.l10n.t(
            'Project {0} is not named, and links lead no further than to it: the token has neither api nor read_api.',
            event.project_id ?? '',
          ),
        ]
      : []),
  ];
  notes.forEach((note) => tooltip.appendMarkdown(`\n\n${asMarkdown(note)}`));
  if (event.note) {
    tooltip.appendMarkdown(`\n\n---\n\n${asMarkdown(plainLines(event.note.body, maxNoteLength))}`);
  } else if (event.push_data) {
    appendPush(tooltip, event.push_data, commits);
  }
  return tooltip;
}

/** Text that means nothing but itself, line by line. The editor's `appendText` makes spaces at which no line breaks, so that words break. */
function asMarkdown(text: string): string {
  return text.split('\n').map(escapeMarkdown).join('  \n');
}

function factsOf(event: EventRecord): string[] {
  const created = momentOf(event);
  return [
    authorDetails(event),
    ...(created ? [fullTimeLabel(created, vscode.env.language)] : []),
    ...(event.imported === true
      ? [
          event.imported_from
            ? vscode.l10n.t('imported from {0}', plainText(event.imported_from))
            : vscode.l10n.t('imported'),
        ]
      : []),
  ];
}

function appendPush(tooltip: vscode.MarkdownString, push: EventPush, commits: readonly string[]): void {
  const { commit_from: from, commit_to: to, commit_title: title, commit_count: count, ref_count: refs } = push;
  const lines = commits.length > 0 ? commits.slice(0, maxCommits) : [title].filter((line) => typeof line === 'string');
  const left = (refs ? 0 : (count ?? 0)) - lines.length;
  if (lines.length > 0) {
    tooltip.appendMarkdown('\n\n---\n\n');
    lines.forEach((line) => tooltip.appendMarkdown(`- ${asMarkdown(plainText(line))}\n`));
    if (left > 0) {
      const more = left === 1 ? vscode.l10n.t('and 1 more commit') : vscode.l10n.t('and {0} more commits', left);
      tooltip.appendMarkdown(`- ${asMarkdown(more)}\n`);
    }
  }
  const range = [from, to].filter((commit) => typeof commit === 'string').map((commit) => commit.slice(0, 8));
  if (range.length > 0) {
    tooltip.appendMarkdown(`\n\n${asMarkdown(plainText(`${push.ref ?? ''} ${range.join('…')}`.trim()))}`);
  }
}
