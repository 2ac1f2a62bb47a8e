import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type AccountInUse, accountLabel } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import { problemOf } from '../accounts/problem.ts';
import { isUnrecognized } from '../api/unrecognized.ts';
import type { Clock } from '../common/clock.ts';
import { timeAgo } from '../common/dates.ts';
import { showInformationMessage } from '../common/inertWindow.ts';
import type { Feed } from './feed/feed.ts';
import type { FeedItem } from './feed/feedRef.ts';
import { isEmptyFilter } from './feed/filter.ts';
import { filterLabel } from './feed/filterMemory.ts';
import { feedLabel, feedLabelAmong, feedNote, type OpenFeeds } from './feed/openFeeds.ts';
import type { ReadState } from './feed/readState.ts';

/** The parts of a view around its rows. */
type HeaderView = Pick<vscode.TreeView<unknown>, 'description' | 'message' | 'badge'>;

/** What the header depends on. */
export interface ActivityHeaderDeps {
  readonly feeds: Pick<OpenFeeds, 'shown' | 'all' | 'whole' | 'chosen' | 'hasSeveralAccounts'>;
  readonly readState: Pick<ReadState, 'onlyNew'>;
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly view: HeaderView;
}

/** Says around the rows which feed and filter they show, how old they are, why there are none, and how many are new. */
export class ActivityHeader {
  readonly #deps: ActivityHeaderDeps;
  /** The context keys as they were last set. */
  readonly #keys = new Map<string, boolean>();

  constructor(deps: ActivityHeaderDeps) {
    this.#deps = deps;
  }

  /** Shows what holds now. */
  update(): void {
    const { feeds, view } = this.#deps;
    const [only] = feeds.shown;
    const description = this.#description;
    const message = feeds.shown.length === 1 && only?.feed ? messageOf(only.feed, this.#ageOf(only.feed)) : '';
    // The editor would draw what is the same again.
    if (view.description !== description) {
      view.description = description;
    }
    if (view.message !== message) {
      view.message = message;
    }
    view.badge = badgeOf(feeds.whole, this.#deps.accounts);
    for (const [key, value] of Object.entries(this.contextKeys)) {
      if (this.#keys.get(key) !== value) {
        this.#keys.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    }
  }

  /** What menus ask for. */
  get contextKeys(): Readonly<Record<string, boolean>> {
    const { feeds, readState } = this.#deps;
    return {
      'beacon.activity.filtered': !isEmptyFilter(feeds.chosen?.feed?.filter ?? {}),
      'beacon.activity.hasNew': feeds.whole.some(({ state }) => state.newItems.length > 0),
      'beacon.activity.onlyNew': readState.onlyNew,
      // Of several feeds the menus of the rows say which one is meant.
      'beacon.activity.several': feeds.shown.length > 1,
      'beacon.activity.pinned': feeds.chosen?.isPinned === true,
      'beacon.activity.counted': feeds.chosen?.feed?.state.reading.counts !== false,
    };
  }

  get #description(): string {
    const { feeds, readState, accounts, accountInUse } = this.#deps;
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
      only?.isPinned === true ? vscode.l10n.t('pinned') : undefined,
      feed && filterLabel(feed.filter),
      readState.onlyNew ? vscode.l10n.t('only new') : undefined,
      feed?.state.reading.counts === false ? vscode.l10n.t('not in badge') : undefined,
      age === undefined ? undefined : vscode.l10n.t('as of {0}', age),
      feed &&
        feedNote(
          feed.ref,
          accounts.all.find(({ id }) => id === feed.ref.accountId),
        ),
    ];
    return parts.filter(Boolean).join(' · ');
  }

  /** How old remembered events are that the instance has not confirmed. */
  #ageOf({ state: { checkedAt, items, loaded, error } }: Feed): string | undefined {
    return checkedAt && items.length > 0 && (!loaded || error !== undefined)
      ? timeAgo(checkedAt, this.#deps.clock.date(), vscode.env.language)
      : undefined;
  }
}

/** The sentence that says what failed wraps here, where a row would be cut. */
function messageOf({ state: { error }, ref }: Feed, age: string | undefined): string {
  if (error === undefined) {
    return '';
  }
  const { sentence } = problemOf(error, ref.accountId);
  return age === undefined ? sentence : vscode.l10n.t('{0} The state of {1} is shown.', sentence, age);
}

/** Counts an event once that is in several feeds, and says how many each feed has. */
function badgeOf(feeds: readonly Feed[], accounts: Pick<AccountStore, 'all'>): vscode.ViewBadge | undefined {
  const { t } = vscode.l10n;
  const counted = feeds.filter(({ state }) => state.reading.counts && state.newItems.length > 0);
  const [first, second] = counted;
  if (!first) {
    return undefined;
  }
  const all = counted.flatMap(({ ref, state }) =>
    state.newItems.map((item) => `${ref.accountId}/${'id' in item ? item.id : ''}`),
  );
  const value = new Set(all).size;
  const total = value === 1 ? t('1 new event') : t('{0} new events', value);
  const shares = counted.map(({ ref, state }) => t('{0} in {1}', state.newItems.length, feedLabelAmong(ref, accounts)));
  const sum = second ? `${total}: ${shares.join(', ')}` : countLabel(feedLabelAmong(first.ref, accounts), value);
  return { value, tooltip: all.length > value ? t('{0}. What is in several feeds counts once.', sum) : sum };
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

/** Notifies of new events, if the user has enabled that: at most one notification per feed at a time. */
export class NewsNotifier {
  readonly #view: Pick<vscode.TreeView<unknown>, 'visible'>;
  readonly #accounts: Pick<AccountStore, 'all'>;
  readonly #log: Pick<vscode.LogOutputChannel, 'error'>;
  /** The feeds about which a message is waiting to be read. */
  readonly #notifying = new Set<string>();
  /** How many events of a feed were new at its last notification. */
  readonly #notified = new Map<string, number>();

  constructor(
    view: Pick<vscode.TreeView<unknown>, 'visible'>,
    accounts: Pick<AccountStore, 'all'>,
    log: Pick<vscode.LogOutputChannel, 'error'>,
  ) {
    this.#view = view;
    this.#accounts = accounts;
    this.#log = log;
  }

  get isOn(): boolean {
    return vscode.workspace.getConfiguration('beacon.activity').get('notifications', false);
  }

  /** Notifies of new events in a feed, unless the view is visible; waits until the user has answered. Never rejects. */
  async notify({ id, ref, filter, state: { newItems, reading } }: Feed): Promise<void> {
    if (!isEmptyFilter(filter)) {
      // The same feed without its filter says all.
      return;
    }
    const before = this.#notified.get(id) ?? 0;
    this.#notified.set(id, newItems.length);
    const isNews = this.isOn && !this.#view.visible && newItems.length > before && reading.counts;
    if (!isNews || this.#notifying.has(id)) {
      return;
    }
    this.#notifying.add(id);
    try {
      const show = vscode.l10n.t('Show');
      if (
        (await showInformationMessage(await newsLabel(feedLabelAmong(ref, this.#accounts), newItems), show)) === show
      ) {
        await vscode.commands.executeCommand('beacon.activity.focus');
      }
    } catch (error) {
      this.#log.error(inspect(error));
    } finally {
      this.#notifying.delete(id);
    }
  }
}

async function newsLabel(name: string, news: readonly FeedItem[]): Promise<string> {
  const [newest] = news;
  if (news.length !== 1 || !newest || isUnrecognized(newest)) {
    return countLabel(name, news.length);
  }
  const { authorName, eventLabel } = await import('./events/eventLabel.ts');
  return eventLabel(newest, authorName(newest));
}

function countLabel(name: string, count: number): string {
  return count === 1 ? vscode.l10n.t('1 new event in {0}', name) : vscode.l10n.t('{0} new events in {1}', count, name);
}
