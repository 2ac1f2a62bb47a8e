import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { problemOf } from '../accounts/problem.ts';
import { timeAgo } from '../common/dates.ts';
import { showInformationMessage } from '../common/inertWindow.ts';
import type { ActivityContext } from './context.ts';
import { authorName, eventLabel, numberLabel } from './events/eventLabel.ts';
import type { Feed } from './feed/feed.ts';
import { feedLabel, feedLabelAmong, feedNote } from './feed/feedRef.ts';
import { filterLabel } from './feed/filter.ts';

const { t } = vscode.l10n;

/** Says around the rows which feed and filter they show, how old they are, why there are none, and how many are new. */
export class Header {
  readonly #view: ActivityContext;
  readonly #keys = new Map<string, boolean>();

  constructor(view: ActivityContext) {
    this.#view = view;
  }

  update(): void {
    const { feeds, treeView } = this.#view;
    const [only, second] = feeds.shown;
    const description = this.#description;
    const message = only?.feed && !second ? this.#messageOf(only.feed) : '';
    // The editor would draw what is the same again.
    if (treeView.description !== description) {
      treeView.description = description;
    }
    if (treeView.message !== message) {
      treeView.message = message;
    }
    treeView.badge = this.#badge;
    for (const [key, value] of Object.entries(this.contextKeys)) {
      if (this.#keys.get(key) !== value) {
        this.#keys.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    }
  }

  get contextKeys(): Readonly<Record<string, boolean>> {
    const { feeds, readState, mutes } = this.#view;
    return {
      'beacon.activity.hasNew': feeds.all.some(({ state }) => state.newItems.length > 0),
      'beacon.activity.hasMutes': mutes.all.length > 0,
      'beacon.activity.onlyNew': readState.onlyNew,
      // Of several feeds the menus of the rows say which one is meant.
      'beacon.activity.several': feeds.shown.length > 1,
      'beacon.activity.pinned': feeds.chosen?.isPinned === true,
    };
  }

  get #description(): string {
    const { feeds, readState, app } = this.#view;
    const { accounts, accountInUse } = app;
    const { account } = accountInUse;
    const only = feeds.shown.length === 1 ? feeds.shown[0] : undefined;
    const feed = only?.feed;
    const isOfOther = feeds.shown.some(({ isOfOtherAccount }) => isOfOtherAccount);
    // Where the feeds are of several accounts, each row names its own.
    const isNamed = !feeds.hasSeveralAccounts && (accounts.all.length > 1 || account?.kind === 'sandbox' || isOfOther);
    const age = feed && this.#ageOf(feed);
    const names = [
      only && feedLabel(feed?.ref ?? only.choice),
      // That of the workspace's project may be read by another account than the one in use.
      isNamed && account && accountLabel((feed ?? feeds.all[0])?.ref.accountId ?? account.id),
    ];
    const parts = [
      // A narrow view cuts the end. The status bar names the account of the window where there are several, but no other.
      ...(isOfOther ? names.reverse() : names),
      only?.isPinned === true ? t('pinned') : undefined,
      feed && filterLabel(feed.filter),
      feeds.shown.length > 0 && readState.onlyNew ? t('only new') : undefined,
      feed?.state.reading.counts === false ? t('not in badge') : undefined,
      age === undefined ? undefined : t('updated {0}', age),
      feed && feedNote(feed.ref, accounts),
    ];
    return parts.filter(Boolean).join(' · ');
  }

  /** How old remembered events are that the instance has not confirmed. */
  #ageOf({ state: { checkedAt, items, loaded, error } }: Feed): string | undefined {
    return checkedAt && items.length > 0 && (!loaded || error !== undefined)
      ? timeAgo(checkedAt, this.#view.app.clock.date(), vscode.env.language)
      : undefined;
  }

  /** The sentence that says what failed wraps here, where a row would be cut. */
  #messageOf(feed: Feed): string {
    const { error } = feed.state;
    if (error === undefined) {
      return '';
    }
    const { sentence } = problemOf(error, feed.ref.accountId);
    const age = this.#ageOf(feed);
    return age === undefined ? sentence : t('{0} Last updated {1}.', sentence, age);
  }

  /** Counts an event once that is in several feeds; the rows of these say how many each has. */
  get #badge(): vscode.ViewBadge | undefined {
    const { feeds, app } = this.#view;
    const [first, ...others] = feeds.all.filter(({ state }) => state.reading.counts && state.newItems.length > 0);
    if (!first) {
      return undefined;
    }
    const all = [first, ...others].flatMap(({ ref, state }) =>
      state.newItems.map(({ id }) => `${ref.accountId}/${id}`),
    );
    const value = new Set(all).size;
    const total = value === 1 ? t('1 new event') : t('{0} new events', numberLabel(value));
    return { value, tooltip: others.length > 0 ? total : countLabel(feedLabelAmong(first.ref, app.accounts), value) };
  }
}

/** Notifies of new events, if the user has enabled that: at most one notification per feed at a time. */
export class NewsNotifier {
  readonly #view: ActivityContext;
  readonly #notifying = new Set<string>();
  /** How many events of a feed were new at its last notification. */
  readonly #notified = new Map<string, number>();

  constructor(view: ActivityContext) {
    this.#view = view;
  }

  get isOn(): boolean {
    return vscode.workspace.getConfiguration('beacon.activity').get('notifications', false);
  }

  /** Notifies of new events in a feed, unless the view is visible; waits until the user has answered. Never rejects. */
  async notify({ id, ref, state: { newItems, reading } }: Feed): Promise<void> {
    const { treeView, app } = this.#view;
    const before = this.#notified.get(id) ?? 0;
    this.#notified.set(id, newItems.length);
    const isNews = this.isOn && !treeView.visible && newItems.length > before && reading.counts;
    if (!isNews || this.#notifying.has(id)) {
      return;
    }
    this.#notifying.add(id);
    try {
      const [newest, second] = newItems;
      const name = feedLabelAmong(ref, app.accounts);
      const news = newest && !second ? eventLabel(newest, authorName(newest)) : countLabel(name, newItems.length);
      if ((await showInformationMessage(news, t('Show'))) === t('Show')) {
        await vscode.commands.executeCommand('beacon.activity.focus');
      }
    } catch (error) {
      app.log.error(inspect(error));
    } finally {
      this.#notifying.delete(id);
    }
  }
}

function countLabel(name: string, count: number): string {
  return count === 1 ? t('1 new event in {0}', name) : t('{0} new events in {1}', numberLabel(count), name);
}
