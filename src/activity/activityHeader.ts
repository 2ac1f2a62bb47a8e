import * as vscode from 'vscode';
import { problemOf } from '../accounts/problem.ts';
import { timeAgo } from '../common/dates.ts';
import { isEmptyFilter } from './feed/filter.ts';
import { filterLabel } from './feed/filterMemory.ts';
import { feedLabel, type OpenFeed, type OpenFeeds } from './feed/openFeeds.ts';
import type { ReadState } from './feed/readState.ts';

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
    only && feedLabel(open?.feed ?? only.choice),
    open && filterLabel(open.filter),
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
    'beacon.activity.filtered': feeds.all.some(({ filter }) => !isEmptyFilter(filter)),
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
  const { sentence } = problemOf(state.error);
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

const scheme = 'beacon-new-event';

/** Marks new events as the editor marks changed files: by a dot at the end of the row and by colour. */
export class NewDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #registration = vscode.window.registerFileDecorationProvider(this);

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === scheme
      ? { badge: '●', tooltip: vscode.l10n.t('New'), color: new vscode.ThemeColor('notificationsInfoIcon.foreground') }
      : undefined;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** The address by which a row is marked as new. */
export function newEventUri(key: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${encodeURIComponent(key)}` });
}
