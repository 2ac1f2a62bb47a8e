import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { problemOf } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import type { Feed } from '../feed/feed.ts';
import { isEmptyFilter } from '../feed/filter.ts';
import { filterLabel } from '../feed/filterMemory.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import type { MessageNode } from './nodes.ts';

/**
 * The message rows above the events of a feed.
 *
 * @param whole the feed without its filter.
 * @param isProblemShown whether the sentence of a failure is shown elsewhere, so that only its actions are needed.
 */
export function rowsAbove(feed: Feed, whole: Feed | undefined, isProblemShown: boolean): MessageNode[] {
  const { error, mutedCount } = feed.state;
  return [
    ...(error === undefined ? [] : problemRows(feed, error, isProblemShown)),
    ...(isEmptyFilter(feed.filter) ? [] : [filterRow(feed, whole ?? feed)]),
    ...(feed.state.reading.onlyNew ? [onlyNewRow(feed)] : []),
    ...(mutedCount > 0 ? [mutedRow(feed)] : []),
  ];
}

/** The message rows below the events of a feed. */
export function rowsBelow(feed: Feed): MessageNode[] {
  const { next, loaded, error, shown, mutedCount } = feed.state;
  // What is muted has happened, and its row says so.
  const isEmpty = loaded && error === undefined && shown.length === 0 && (feed.isNarrowed || mutedCount === 0);
  return [...(isEmpty ? [emptyRow(feed)] : []), ...(next === undefined ? [] : [loadMoreRow(feed)])];
}

/** What to do about a choice that stands for no feed. */
export function rowsWithoutFeed(shown: ShownFeed): MessageNode[] {
  if (shown.choice.kind !== 'workspaceProject') {
    return [];
  }
  return [
    {
      kind: 'message',
      id: 'workspaceProject/none',
      feed: undefined,
      command: selectAnother(),
      description: vscode.l10n.t('No repository of a project is open'),
      icon: 'info',
    },
  ];
}

/** The command that fixes a failure, and "Try Again". The sentence is the view's message, if possible. */
function problemRows(feed: Feed, error: unknown, isShownElsewhere: boolean): MessageNode[] {
  const { sentence, remedy } = problemOf(error, feed.ref.accountId);
  // A problem of the account affects all its feeds; after any other one, another feed may work.
  const others = isApiError(error, 'notFound') || (error instanceof SignedOutError && feed.ref.kind === 'project');
  const tryAgain = {
    command: 'beacon.activity.refreshFeed',
    title: vscode.l10n.t('Try Again'),
    tooltip: sentence,
    arguments: [{ feed }],
  };
  const [first, ...rows] = [
    ...(remedy ? [row(feed, 'remedy', remedy, 'arrow-right')] : []),
    ...(others ? [row(feed, 'chooseFeed', selectAnother(), 'rss')] : []),
    row(feed, 'tryAgain', tryAgain, 'refresh'),
  ];
  return first ? [isShownElsewhere ? first : { ...first, description: sentence }, ...rows] : [];
}

/** What narrows the feed down, where one looks: a narrow title of the view has no room for it. */
function filterRow(feed: Feed, whole: Feed): MessageNode {
  const filter = filterLabel(feed.filter);
  // The badge counts these, too.
  const hidden = whole.state.newItems.length - feed.state.newItems.length;
  const command = {
    command: 'beacon.activity.clearFilter',
    // First what it does: a narrow view cuts the end.
    title: vscode.l10n.t('Clear Filter'),
    tooltip: vscode.l10n.t('Filtered: {0}', filter),
    arguments: [{ feed }],
  };
  const news = hidden > 0 ? ` · ${vscode.l10n.t('{0} new hidden', hidden)}` : '';
  return row(feed, 'filter', { ...command, tooltip: `${command.tooltip}${news}` }, 'filter-filled', `${filter}${news}`);
}

/** That what was read is left out, which is so in all feeds. */
function onlyNewRow(feed: Feed): MessageNode {
  const { t } = vscode.l10n;
  const command = {
    command: 'beacon.activity.showRead',
    title: t('Show Read Activity'),
    tooltip: t('Only new events are shown, in all feeds.'),
  };
  return row(feed, 'onlyNew', command, 'eye', t('only new'));
}

/** What mutes leave out, and the way to end them. */
function mutedRow(feed: Feed): MessageNode {
  const title = vscode.l10n.t('Muted events: {0}. Manage…', feed.state.mutedCount);
  const names = new Intl.ListFormat(vscode.env.language).format(feed.mutedNames);
  const tooltip = vscode.l10n.t('Muted: {0}', names);
  return row(feed, 'muted', { command: 'beacon.activity.manageMutes', title, tooltip }, 'mute');
}

function emptyRow(feed: Feed): MessageNode {
  const { t } = vscode.l10n;
  const reason = feed.state.reading.onlyNew
    ? t('Nothing is new')
    : isEmptyFilter(feed.filter)
      ? t('Nothing has happened here')
      : feed.state.mutedCount > 0
        ? t('Nothing matches that is not muted')
        : t('No event matches the filter');
  return row(feed, 'empty', selectAnother(), 'info', reason);
}

function loadMoreRow(feed: Feed): MessageNode {
  const title = feed.isAscending ? vscode.l10n.t('Load Newer Events') : vscode.l10n.t('Load More');
  return row(feed, 'loadMore', { command: 'beacon.activity.loadMore', title, arguments: [{ feed }] }, 'fold-down');
}

function selectAnother(): vscode.Command {
  return { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') };
}

/** @param name unique among the rows of the feed that show at once. */
function row(feed: Feed, name: string, command: vscode.Command, icon: string, description?: string): MessageNode {
  const described = description === undefined ? {} : { description };
  return { kind: 'message', id: `${feed.id}/${name}`, feed, command, icon, ...described };
}
