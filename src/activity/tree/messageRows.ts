import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { problemOf } from '../../accounts/problem.ts';
import { NotFoundError } from '../../api/errors.ts';
import { lacksMergeRequests } from '../feed/feed.ts';
import { filterLabel } from '../feed/filterMemory.ts';
import type { OpenFeed, ShownFeed } from '../feed/openFeeds.ts';
import type { MessageNode } from './nodes.ts';

/** What decides which message rows to show. */
export interface MessageContext {
  /** Whether the failure is shown elsewhere, so that only its actions are needed. */
  readonly isProblemShown: boolean;
  /** Whether the user has put away the note on what the feed lacks. */
  readonly isNoteRead: boolean;
}

/** The message rows above the events of a feed. */
export function rowsAbove(open: OpenFeed, context: MessageContext): MessageNode[] {
  const { error } = open.state;
  return [
    ...(error === undefined ? [] : problemRows(open, error, context.isProblemShown)),
    ...(open.isNarrowed ? [filterRow(open)] : []),
    ...(lacksMergeRequests(open.feed) && !context.isNoteRead ? [noteRow(open)] : []),
  ];
}

/** The message rows below the events of a feed. */
export function rowsBelow(open: OpenFeed, { isNoteRead }: MessageContext): MessageNode[] {
  const { next, loaded, error } = open.state;
  const isEmpty = loaded && error === undefined && open.shown.length === 0;
  return [
    ...(isEmpty ? [emptyRow(open)] : []),
    ...(next === undefined ? [] : [loadMoreRow(open)]),
    ...(open.mutedCount > 0 ? [mutedRow(open)] : []),
    ...(lacksMergeRequests(open.feed) && isNoteRead ? [noteRow(open)] : []),
  ];
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
      open: undefined,
      command: { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') },
      description: vscode.l10n.t('No repository of a project is open'),
      icon: 'info',
    },
  ];
}

/** The command that fixes a failure, and "Try Again". The sentence is the view's message, if possible. */
function problemRows(open: OpenFeed, error: unknown, isShownElsewhere: boolean): MessageNode[] {
  const { sentence, remedy } = problemOf(error);
  // A problem of the account affects all its feeds; after any other one, another feed may work.
  const others = error instanceof NotFoundError || (error instanceof SignedOutError && open.feed.kind === 'project');
  const chooseFeed = { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') };
  const tryAgain = {
    command: 'beacon.activity.refresh',
    title: vscode.l10n.t('Try Again'),
    tooltip: sentence,
    arguments: [{ open }],
  };
  const action = (name: string, command: vscode.Command, icon: string): MessageNode => ({
    kind: 'message',
    id: `${open.id}/${name}`,
    open,
    command,
    icon,
    ...(isShownElsewhere || name !== 'tryAgain' ? {} : { description: sentence }),
  });
  return [
    action('tryAgain', tryAgain, 'refresh'),
    ...(remedy ? [action('remedy', ofAccount(remedy, open.feed.accountId), 'arrow-right')] : []),
    ...(others ? [action('chooseFeed', chooseFeed, 'list-selection')] : []),
  ];
}

/** A token is renewed for the account that the feed is read with, which may be another than the one in use. */
function ofAccount(remedy: vscode.Command, accountId: string): vscode.Command {
  return remedy.command === 'beacon.renewToken' ? { ...remedy, arguments: [accountId] } : remedy;
}

/** What narrows the feed down, where one looks: a narrow title of the view has no room for it. */
function filterRow(open: OpenFeed): MessageNode {
  const filter = filterLabel(open.filter) || vscode.l10n.t('only new');
  return {
    kind: 'message',
    id: `${open.id}/filter`,
    open,
    command: {
      command: 'beacon.activity.clearFilter',
      title: vscode.l10n.t('Filtered: {0}', filter),
      arguments: [{ open }],
    },
    description: vscode.l10n.t('Clear Filter'),
    icon: 'filter-filled',
  };
}

function noteRow(open: OpenFeed): MessageNode {
  return {
    kind: 'message',
    id: `${open.id}/note`,
    open,
    command: {
      command: 'beacon.activity.openProjectFeed',
      title: vscode.l10n.t('Without Merge Requests and Epics'),
      tooltip: vscode.l10n.t(
        'The instance leaves merge requests and epics out of the feeds of users. Project feeds have them: select one.',
      ),
    },
    description: vscode.l10n.t('Show a project feed…'),
    icon: 'info',
    contextValue: 'note',
  };
}

function emptyRow(open: OpenFeed): MessageNode {
  return open.isNarrowed
    ? {
        kind: 'message',
        id: `${open.id}/empty`,
        open,
        command: {
          command: 'beacon.activity.clearFilter',
          title: vscode.l10n.t('Show All Events'),
          arguments: [{ open }],
        },
        description: vscode.l10n.t('No event matches the filter'),
        icon: 'clear-all',
      }
    : {
        kind: 'message',
        id: `${open.id}/empty`,
        open,
        command: { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') },
        description: vscode.l10n.t('Nothing has happened here'),
        icon: 'info',
      };
}

function loadMoreRow(open: OpenFeed): MessageNode {
  const title = open.filter.order === 'asc' ? vscode.l10n.t('Load Newer Events') : vscode.l10n.t('Load More');
  return {
    kind: 'message',
    id: `${open.id}/loadMore`,
    open,
    command: { command: 'beacon.activity.loadMore', title, arguments: [{ open }] },
    icon: 'fold-down',
  };
}

function mutedRow(open: OpenFeed): MessageNode {
  const count = open.mutedCount;
  return {
    kind: 'message',
    id: `${open.id}/muted`,
    open,
    command: { command: 'beacon.activity.manageMutes', title: vscode.l10n.t('Manage Muted Activity…') },
    description: count === 1 ? vscode.l10n.t('1 event is muted') : vscode.l10n.t('{0} events are muted', count),
    icon: 'mute',
  };
}
