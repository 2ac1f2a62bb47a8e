import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { problemOf } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import { numberLabel } from '../events/eventLabel.ts';
import type { Feed } from '../feed/feed.ts';
import { filterLabel } from '../feed/filter.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import { MessageNode } from './nodes.ts';

/**
 * The message rows above the events of a feed.
 *
 * @param isProblemShown whether the sentence of a failure is shown elsewhere, so that only its actions are needed.
 */
export function rowsAbove(feed: Feed, isProblemShown: boolean): MessageNode[] {
  const { t } = vscode.l10n;
  const { error, mutedCount, reading, unreadable } = feed.state;
  const rows = error === undefined ? [] : problemRows(feed, error, isProblemShown);
  if (feed.isFiltered) {
    // First what it does: a narrow view cuts the end.
    const filter = filterLabel(feed.filter);
    const tooltip = t('Filtered: {0}', filter);
    rows.push(row(feed, 'filter', 'filter-filled', 'clearFilter', t('Clear Filter'), { tooltip, description: filter }));
  }
  if (reading.onlyNew) {
    const tooltip = t('Only new events are shown, in all feeds.');
    const description = t('only new');
    rows.push(row(feed, 'onlyNew', 'eye', 'showRead', t('Show Read Activity'), { tooltip, description }));
  }
  if (mutedCount > 0) {
    const names = new Intl.ListFormat(vscode.env.language).format(feed.mutedNames);
    const title = t('Muted events: {0}. Manage…', numberLabel(mutedCount));
    rows.push(row(feed, 'muted', 'mute', 'manageMutes', title, { tooltip: t('Muted: {0}', names) }));
  }
  if (unreadable.size > 0) {
    const title = t('Entries that are no events: {0}. Show Log', numberLabel(unreadable.size));
    const tooltip = t(
      'The instance sent records that this version of Beacon cannot read. The log says what is wrong with them.',
    );
    rows.push(new MessageNode(feed, 'unreadable', 'question', { command: 'beacon.showLog', title, tooltip }));
  }
  return rows;
}

export function rowsBelow(feed: Feed): MessageNode[] {
  const { t } = vscode.l10n;
  const { next, loaded, error, shown, items, mutedCount, filteredCount, reading } = feed.state;
  const rows: MessageNode[] = [];
  const isNarrowed = reading.onlyNew || feed.isFiltered;
  // What is muted has happened, and its row says so.
  if (loaded && error === undefined && shown.length === 0 && (isNarrowed || mutedCount === 0)) {
    const description = reading.onlyNew
      ? t('Nothing is new')
      : !feed.isFiltered
        ? t('Nothing has happened here')
        : mutedCount > 0
          ? t('Nothing matches that is not muted')
          : t('No event matches the filter');
    rows.push(new MessageNode(feed, 'empty', 'info', selectAnother(), description));
  }
  if (next !== undefined) {
    const last = Date.parse(items.at(-1)?.created_at ?? '');
    const date = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' });
    // What the instance does not filter is read in vain.
    const description =
      filteredCount > 0 && !Number.isNaN(last)
        ? feed.isAscending
          ? t('searched up to {0}', date.format(last))
          : t('searched back to {0}', date.format(last))
        : undefined;
    const title = feed.isAscending ? t('Load Newer Events') : t('Load More');
    rows.push(row(feed, 'loadMore', 'fold-down', 'loadMore', title, { description }));
  }
  return rows;
}

/** What to do about a choice that stands for no feed: a workspace without a project of an account. */
export function rowsWithoutFeed({ choice }: ShownFeed): MessageNode[] {
  const reason = vscode.l10n.t('No repository of a project on your instances is open in this window');
  return [new MessageNode(undefined, `${choice.kind}/none`, 'info', selectAnother(), reason)];
}

/** The command that fixes a failure, and "Try Again". The sentence is the view's message, if possible. */
function problemRows(feed: Feed, error: unknown, isShownElsewhere: boolean): MessageNode[] {
  const { sentence, remedy } = problemOf(error, feed.ref.accountId);
  // A problem of the account affects all its feeds; after any other one, another feed may work.
  const others = isApiError(error, 'notFound') || (error instanceof SignedOutError && feed.ref.kind === 'project');
  const description = isShownElsewhere ? undefined : sentence;
  const tryAgain = vscode.l10n.t('Try Again');
  return [
    ...(remedy ? [new MessageNode(feed, 'remedy', 'arrow-right', remedy, description)] : []),
    ...(others ? [new MessageNode(feed, 'chooseFeed', 'rss', selectAnother(), remedy ? undefined : description)] : []),
    row(feed, 'tryAgain', 'refresh', 'refreshFeed', tryAgain, {
      tooltip: sentence,
      description: remedy || others ? undefined : description,
    }),
  ];
}

function selectAnother(): vscode.Command {
  return { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') };
}

function row(
  feed: Feed,
  name: string,
  icon: string,
  command: string,
  title: string,
  { tooltip, description }: { readonly tooltip?: string; readonly description?: string | undefined },
): MessageNode {
  const run = { command: `beacon.activity.${command}`, title, arguments: [{ feed }] };
  return new MessageNode(feed, name, icon, tooltip === undefined ? run : { ...run, tooltip }, description);
}
