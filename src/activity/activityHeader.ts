import * as vscode from 'vscode';
import { describeProblem } from '../accounts/problem.ts';
import { timeAgo } from '../time/timeAgo.ts';
import type { OpenFeed } from './feeds/openFeed.ts';
import type { OpenFeeds } from './feeds/openFeeds.ts';
import { feedName } from './feeds/feedNames.ts';
import { isEmpty } from './filters/filter.ts';
import { filterText } from './filters/filterText.ts';
import type { ReadState } from './reading/readState.ts';

/** What is said around the rows of the view. */
export interface Header {
  description: string | undefined;
  message: string | undefined;
  badge: vscode.ViewBadge | undefined;
}

/** What the header is made from. */
export interface HeaderFacts {
  readonly feeds: OpenFeeds;
  readonly readState: ReadState;
  readonly onlyNew: boolean;
  /** The name of the account in use, where there are several. */
  readonly account: string | undefined;
  readonly now: Date;
}

/** Says around the rows which feed and filter they show, how old they are, why there are none, and how many are new. */
export function headerOf({ feeds, readState, onlyNew, account, now }: HeaderFacts): Header {
  const only = feeds.shown.length === 1 ? feeds.shown[0] : undefined;
  const open = only?.open;
  const age = open && ageOf(open, now);
  const parts = [
    only && feedName(open?.feed ?? only.choice),
    open && filterText(open.filter),
    onlyNew ? vscode.l10n.t('only new') : undefined,
    age === undefined ? undefined : vscode.l10n.t('as of {0}', age),
    account,
  ];
  return {
    description: feeds.all.length === 0 && open === undefined ? account : parts.filter(Boolean).join(' · '),
    message: open && messageOf(open, age),
    badge: badgeOf(feeds.all.filter(({ id }) => readState.counts(id))),
  };
}

/** What menus ask for, as context keys. */
export function contextKeysOf({ feeds, onlyNew }: HeaderFacts): Record<string, boolean> {
  return {
    'beacon.activity.filtered': feeds.all.some(({ filter }) => !isEmpty(filter)),
    'beacon.activity.hasNew': feeds.all.some(({ newItems }) => newItems.length > 0),
    'beacon.activity.onlyNew': onlyNew,
    'beacon.activity.pinned': feeds.chosen?.isPinned === true,
    'beacon.activity.several': feeds.shown.length > 1,
  };
}

/** How old remembered events are that the instance has not confirmed. */
function ageOf({ state }: OpenFeed, now: Date): string | undefined {
  const isOld = state.checkedAt !== undefined && state.items.length > 0 && (!state.loaded || state.error !== undefined);
  return isOld && state.checkedAt ? timeAgo(state.checkedAt, now, vscode.env.language) : undefined;
}

/** The sentence that says what failed wraps here, where a row would be cut. */
function messageOf({ state }: OpenFeed, age: string | undefined): string | undefined {
  if (state.error === undefined) {
    return undefined;
  }
  const { sentence } = describeProblem(state.error);
  return age === undefined ? sentence : vscode.l10n.t('{0} The state of {1} is shown.', sentence, age);
}

function badgeOf(counting: readonly OpenFeed[]): vscode.ViewBadge | undefined {
  // An event that is in several feeds counts once.
  const ids = new Set(
    counting.flatMap(({ feed, newItems }) =>
      newItems.map((item) => `${feed.accountId}/${'id' in item ? item.id : ''}`),
    ),
  );
  if (ids.size === 0) {
    return undefined;
  }
  return {
    value: ids.size,
    tooltip: ids.size === 1 ? vscode.l10n.t('1 new event') : vscode.l10n.t('{0} new events', ids.size),
  };
}
