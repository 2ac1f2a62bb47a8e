import * as vscode from 'vscode';
import { describeProblem } from '../../accounts/problem.ts';
import { SignedOutError } from '../../accounts/signedOutError.ts';
import { NotFoundError } from '../../api/errors.ts';
import { lacksMergeRequests } from '../feeds/feed.ts';
import type { OpenFeed } from '../feeds/openFeed.ts';
import type { ShownFeed } from '../feeds/openFeeds.ts';
import type { StepNode } from './nodes.ts';

/** What is needed to decide which steps to offer. */
export interface StepContext {
  /** Whether the failure is told elsewhere, so that the steps alone are needed. */
  readonly isProblemTold: boolean;
  /** Whether the person has put away the note on what the feed lacks. */
  readonly isNoteRead: boolean;
}

/** The steps above the events of a feed. */
export function stepsAbove(open: OpenFeed, context: StepContext): StepNode[] {
  const { error } = open.state;
  return [
    ...(error === undefined ? [] : problemSteps(open, error, context.isProblemTold)),
    ...(lacksMergeRequests(open.feed) && !context.isNoteRead ? [noteStep(open)] : []),
  ];
}

/** The steps below the events of a feed. */
export function stepsBelow(open: OpenFeed, { isNoteRead }: StepContext): StepNode[] {
  const { next, loaded, error } = open.state;
  const isEmpty = loaded && error === undefined && open.shown.length === 0;
  return [
    ...(isEmpty ? [emptyStep(open)] : []),
    ...(next === undefined ? [] : [loadMoreStep(open)]),
    ...(open.mutedCount > 0 ? [mutedStep(open)] : []),
    ...(lacksMergeRequests(open.feed) && isNoteRead ? [noteStep(open)] : []),
  ];
}

/** What to do about a choice that stands for no feed. */
export function stepsWithoutFeed(shown: ShownFeed): StepNode[] {
  if (shown.choice.kind !== 'workspaceProject') {
    return [];
  }
  return [
    {
      kind: 'step',
      id: 'workspaceProject/none',
      open: undefined,
      command: { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') },
      description: vscode.l10n.t('No repository of a project is open'),
      icon: 'info',
    },
  ];
}

/** The step that mends a failure, and another try. The sentence that says what failed is the view's message, if it can be. */
function problemSteps(open: OpenFeed, error: unknown, isTold: boolean): StepNode[] {
  const { sentence, remedy } = describeProblem(error);
  // The account's own problem is told by all its feeds: elsewhere another feed may do.
  const others = error instanceof NotFoundError || (error instanceof SignedOutError && open.feed.kind === 'project');
  const chooseFeed = { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') };
  const tryAgain = {
    command: 'beacon.activity.refresh',
    title: vscode.l10n.t('Try Again'),
    tooltip: sentence,
    arguments: [{ open }],
  };
  const step = (name: string, command: vscode.Command, icon: string): StepNode => ({
    kind: 'step',
    id: `${open.id}/${name}`,
    open,
    command,
    icon,
    ...(isTold || name !== 'tryAgain' ? {} : { description: sentence }),
  });
  return [
    step('tryAgain', tryAgain, 'refresh'),
    ...(remedy ? [step('remedy', ofAccount(remedy, open.feed.accountId), 'arrow-right')] : []),
    ...(others ? [step('chooseFeed', chooseFeed, 'list-selection')] : []),
  ];
}

/** A token is renewed for the account that the feed is read with, which may be another than the one in use. */
function ofAccount(remedy: vscode.Command, accountId: string): vscode.Command {
  return remedy.command === 'beacon.renewToken' ? { ...remedy, arguments: [accountId] } : remedy;
}

function noteStep(open: OpenFeed): StepNode {
  return {
    kind: 'step',
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

function emptyStep(open: OpenFeed): StepNode {
  return open.isNarrowed
    ? {
        kind: 'step',
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
        kind: 'step',
        id: `${open.id}/empty`,
        open,
        command: { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') },
        description: vscode.l10n.t('Nothing has happened here'),
        icon: 'info',
      };
}

function loadMoreStep(open: OpenFeed): StepNode {
  const title = open.filter.order === 'asc' ? vscode.l10n.t('Load Newer Events') : vscode.l10n.t('Load More');
  return {
    kind: 'step',
    id: `${open.id}/loadMore`,
    open,
    command: { command: 'beacon.activity.loadMore', title, arguments: [{ open }] },
    icon: 'fold-down',
  };
}

function mutedStep(open: OpenFeed): StepNode {
  const count = open.mutedCount;
  return {
    kind: 'step',
    id: `${open.id}/muted`,
    open,
    command: { command: 'beacon.activity.manageMutes', title: vscode.l10n.t('Manage Muted Activity…') },
    description: count === 1 ? vscode.l10n.t('1 event is muted') : vscode.l10n.t('{0} events are muted', count),
    icon: 'mute',
  };
}
