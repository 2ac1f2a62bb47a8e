import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type AccountInUse, accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Connections } from '../../accounts/connections.ts';
import { problemOf } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { addDays, calendarDate } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { conditionsOfKind } from '../commands/filterCommands.ts';
import { kindLabel } from '../events/kindLabels.ts';
import { pagesOf } from '../feed/feed.ts';
import { feedId, type FeedRef, lacksMergeRequests } from '../feed/feedRef.ts';
import type { FeedStore } from '../feed/feedStore.ts';
import { daysOf, type FeedFilter, filterId, requestFilter } from '../feed/filter.ts';
import { type FilterMemory, filterLabel } from '../feed/filterMemory.ts';
import { feedLabel, type OpenFeeds } from '../feed/openFeeds.ts';
import type { Projects } from '../feed/projects.ts';
import type { Mute, Mutes } from '../feed/readState.ts';
import { dayNumber } from './aggregate.ts';
import { EventRows, kindPasses } from './eventRows.ts';
import type { FilterChange } from './fromInsights.ts';
import type { FilterState, InsightsState, PeriodChoice, ToInsights } from './messages.ts';

/** The largest page that the platform allows; several are requested at once, of the requests that all features share. */
const paging = { perPage: 100, prefetch: 4, maxPages: 500 } as const;
const mostEvents = paging.perPage * paging.maxPages;

/** What insights depend on. */
export interface InsightsDeps {
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly connections: Pick<Connections, 'of'>;
  readonly feeds: Pick<OpenFeeds, 'all' | 'setFilter' | 'onDidChange'>;
  readonly filters: FilterMemory;
  readonly mutes: Pick<Mutes, 'of' | 'onDidChange'>;
  readonly projects: Projects;
  readonly store: Pick<FeedStore, 'read'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly log: { error(message: string): void };
}

/**
 * The events of one feed in a period, whatever the feed's filter is, and that filter. They come from what the view has loaded and
 * what is kept on disk at once, and page by page from the instance.
 */
export class InsightsSession implements vscode.Disposable {
  readonly ref: FeedRef;
  readonly #id: string;
  readonly #deps: InsightsDeps;
  readonly #post: (message: ToInsights) => void;
  readonly #rows = new EventRows();
  readonly #subscriptions: vscode.Disposable;
  #abort = new AbortController();
  #period: PeriodChoice = '365';
  #phase: InsightsState['phase'] = 'ready';
  #pages = 0;
  /** Where events are read up to, newest first, without a gap: a date. */
  #readFrom: string | undefined;
  #outcome: 'complete' | 'cut' | 'cancelled' = 'complete';
  #error: unknown;
  #sent = 0;
  #answered = 0;

  /** @param post gets what the page has to know, again after each change. */
  constructor(feed: FeedRef, deps: InsightsDeps, post: (message: ToInsights) => void) {
    this.ref = feed;
    this.#id = feedId(feed);
    this.#deps = deps;
    this.#post = post;
    this.#subscriptions = vscode.Disposable.from(
      deps.filters.onDidChange(() => this.#update()),
      deps.mutes.onDidChange(() => this.#update()),
      deps.feeds.onDidChange((changed) => {
        if (!changed) {
          this.#update();
        } else if (changed.id === this.#id) {
          const before = this.#rows.count;
          this.#takeLoaded();
          if (this.#rows.count > before) {
            this.#update();
          }
        }
      }),
    );
    this.#takeLoaded();
  }

  /** The period that is looked at. */
  get period(): PeriodChoice {
    return this.#period;
  }

  /** All that the page shows but the events. */
  get state(): InsightsState {
    const { kinds, projects, authors } = this.#rows;
    const { t } = vscode.l10n;
    const { accounts, accountInUse, filters } = this.#deps;
    const filter = filters.of(this.#id);
    return {
      type: 'state',
      ref: this.ref,
      feed: feedLabel(this.ref),
      account: accountLabel(this.ref.accountId),
      otherAccount: pageAccount(this.ref.accountId, accounts, accountInUse).otherAccount,
      phase: this.#phase,
      period: this.#period,
      today: this.#today,
      names: {
        kinds: kinds.map((kind) => ({
          label: kind === undefined ? t('entries of unknown form') : (membershipLabel(kind) ?? kindLabel(kind)),
          isKnown: kind !== undefined,
        })),
        projects: projects.map((id) => ({
          label:
            id === undefined
              ? t('Outside of projects')
              : (this.#deps.projects.get(this.ref.accountId, id)?.path ?? t('Project {0}', id)),
          isKnown: id !== undefined,
        })),
        authors: authors.map((username) => ({
          label: username === undefined ? t('Deleted or unknown users') : plainText(username, 100),
          isKnown: username !== undefined,
        })),
      },
      muted: this.#muted,
      filter: {
        label: filterLabel(filter),
        ...this.#placesOf(filter),
      },
      answered: this.#answered,
      notes: this.#notes,
      ...(this.#error === undefined ? {} : { problem: problemOf(this.#error, this.ref.accountId).sentence }),
    };
  }

  /** Sends everything to a page that is there for the first time or again. */
  show(): void {
    this.#sent = 0;
    this.#post(this.state);
    this.#post({ type: 'rows', from: 0, rows: this.#rows.from(0) });
    this.#sent = this.#rows.count;
  }

  /** Looks at another period, and reads what is missing of it. A failure is in the state. */
  async look(period: PeriodChoice): Promise<void> {
    this.#period = period;
    await this.read();
  }

  /**
   * Reads the events of the period: those that are kept, and from the instance those that were not read before. A failure is in
   * the state, and what was read before stays.
   *
   * @param again whether to ask the instance in any case.
   */
  async read(again = false): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#error = undefined;
    this.#outcome = 'complete';
    this.#pages = 0;
    const from = this.#from;
    const isKnown = from === undefined || (!again && this.#readFrom !== undefined && this.#readFrom <= from);
    this.#phase = isKnown ? 'ready' : 'reading';
    this.#update();
    try {
      await this.#takeKept();
      if (!isKnown && !signal.aborted) {
        this.#update();
        await this.#readPages(from, signal);
      }
      await this.#learn(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#error = error;
        this.#deps.log.error(inspect(error));
      }
    }
    if (this.#abort.signal === signal) {
      this.#phase = 'ready';
      this.#update();
    }
  }

  /** Ends reading; what was read stays. */
  cancel(): void {
    if (this.#phase === 'reading') {
      this.#outcome = 'cancelled';
      this.#abort.abort();
      this.#phase = 'ready';
      this.#update();
    }
  }

  /** Filters the feed by what was chosen in a chart, in the place of what it was filtered by of that sort. */
  async filter(change: FilterChange, number: number): Promise<void> {
    const { feeds, filters } = this.#deps;
    this.#answered = number;
    await feeds.setFilter(this.#id, this.#changed(filters.of(this.#id), change));
  }

  /** Shows all events of the feed again. */
  async clearFilter(): Promise<void> {
    const { order } = this.#deps.filters.of(this.#id);
    await this.#deps.feeds.setFilter(this.#id, order === undefined ? {} : { order });
  }

  dispose(): void {
    this.#abort.abort();
    this.#subscriptions.dispose();
  }

  get #today(): string {
    return calendarDate(this.#deps.clock.date());
  }

  /** The first day of the period; undefined for all that is kept. */
  get #from(): string | undefined {
    return this.#period === 'kept' ? undefined : addDays(this.#today, 1 - Number(this.#period));
  }

  get #notes(): string[] {
    const { t } = vscode.l10n;
    return [
      ...(lacksMergeRequests(this.ref) ? [t('Merge requests and epics are only in the feeds of projects.')] : []),
      ...(this.#period === 'kept' ? [t('Only what this computer has of the feed is shown.')] : []),
      ...(this.#outcome === 'cut'
        ? [t('There are more events: only the first {0} were read.', mostEvents.toLocaleString(vscode.env.language))]
        : []),
      ...(this.#outcome === 'cancelled' ? [t('Reading was canceled: older events are missing.')] : []),
    ];
  }

  /** Events that the view has loaded, if the instance has left out none of them. */
  #takeLoaded(): void {
    const feed = this.#deps.feeds.all.find(({ id }) => id === this.#id);
    if (feed && isUnfiltered(feed.filter, this.#deps.clock.date())) {
      this.#rows.add(feed.state.items);
    }
  }

  async #takeKept(): Promise<void> {
    const { accountId } = this.ref;
    const kept = await this.#deps.store.read({ accountId, name: `${this.#id} ${filterId({})}` });
    if (kept) {
      this.#deps.projects.restore(accountId, kept.projects);
      this.#rows.add(kept.items);
    }
  }

  async #readPages(from: string, signal: AbortSignal): Promise<void> {
    const { connections } = this.#deps;
    const { client } = await connections.of(this.ref.accountId);
    const asked = requestFilter({ since: from }, this.#now);
    let hasMore = false;
    for await (const { items, next } of pagesOf(client, this.ref, asked, { ...paging, signal })) {
      signal.throwIfAborted();
      this.#rows.add(items);
      this.#pages += 1;
      hasMore = next !== undefined;
      // Each message has all names.
      if (this.#pages <= 2 || this.#pages % 5 === 0) {
        this.#update();
      }
      if (this.#pages === 1) {
        void this.#learn(signal).then(() => this.#update());
      }
    }
    this.#outcome = hasMore ? 'cut' : 'complete';
    this.#readFrom = hasMore ? this.#readFrom : from;
  }

  /** Learns the names of projects. Those that cannot be known keep their numbers. */
  async #learn(signal: AbortSignal): Promise<void> {
    if (!signal.aborted && this.#period !== 'kept') {
      const ids = this.#rows.projects.filter((id) => id !== undefined);
      await this.#deps.projects.learn(this.ref.accountId, ids);
    }
  }

  /** What the user has muted, by places among the names. */
  get #muted(): InsightsState['muted'] {
    const { kinds, projects, authors } = this.#rows;
    const muted = this.#deps.mutes.of(this.ref.accountId);
    const placesIn = (names: readonly (string | number | undefined)[], what: Mute['what']): number[] =>
      placesOf(names, (name) => name !== undefined && muted.has(`${what}/${name}`));
    return {
      kinds: placesIn(kinds, 'kind'),
      projects: placesIn(projects, 'project'),
      authors: placesIn(authors, 'author'),
    };
  }

  get #now() {
    return { now: this.#deps.clock.date(), language: vscode.env.language };
  }

  #update(): void {
    const { count } = this.#rows;
    this.#post(this.state);
    if (count > this.#sent) {
      this.#post({ type: 'rows', from: this.#sent, rows: this.#rows.from(this.#sent) });
      this.#sent = count;
    }
  }

  /** What a filter lets through, by places among the names. */
  #placesOf(filter: FeedFilter): Omit<FilterState, 'label'> {
    const { kinds, projects, authors } = this.#rows;
    const { action, targetType, kind, project, author } = filter;
    const { from, to } = daysOf(filter, this.#now);
    return {
      kinds:
        action === undefined && targetType === undefined && kind === undefined
          ? null
          : placesOf(kinds, (name) => kindPasses(filter, name)),
      projects: project === undefined ? null : placesOf(projects, (id) => id === project.id),
      authors: author === undefined ? null : placesOf(authors, (name) => name === author),
      days:
        from === undefined && to === undefined
          ? null
          : { from: dayNumber(from ?? '1000-01-01'), to: dayNumber(to ?? '9999-12-31') },
    };
  }

  #changed(filter: FeedFilter, change: FilterChange): FeedFilter {
    const { action, targetType, kind, project, author, since, until, ...others } = filter;
    const { kinds, projects, authors } = this.#rows;
    const [ofKind, ofProject, ofAuthor, ofDays] = [
      { action, targetType, kind },
      { project },
      { author },
      { since, until },
    ];
    const conditions = (): object => {
      switch (change.by) {
        case 'kind': {
          const chosen = change.place === null ? undefined : kinds[change.place];
          return { ...ofProject, ...ofAuthor, ...ofDays, ...(chosen === undefined ? {} : conditionsOfKind(chosen)) };
        }
        case 'project': {
          const id = change.place === null ? undefined : projects[change.place];
          const path = this.#deps.projects.get(this.ref.accountId, id)?.path ?? String(id);
          return { ...ofKind, ...ofAuthor, ...ofDays, ...(id === undefined ? {} : { project: { id, path } }) };
        }
        case 'author': {
          const username = change.place === null ? undefined : authors[change.place];
          return { ...ofKind, ...ofProject, ...ofDays, ...(username === undefined ? {} : { author: username }) };
        }
        case 'days': {
          const { from, to } = change;
          const isDay = (date: string | null): date is string => date !== null && /^\d{4}-\d\d-\d\d$/.test(date);
          return {
            ...ofKind,
            ...ofProject,
            ...ofAuthor,
            ...(isDay(from) && isDay(to) ? { since: from, until: to } : {}),
          };
        }
      }
    };
    const given = Object.entries({ ...others, ...conditions() }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given);
  }
}

function placesOf<T>(names: readonly T[], passes: (name: T) => boolean): number[] {
  return names.flatMap((name, place) => (passes(name) ? place : []));
}

/** Whether the instance gives all events under a filter, whatever is left out of them here. */
function isUnfiltered(filter: FeedFilter, now: Date): boolean {
  const { sort: _, ...conditions } = requestFilter(filter, { now, language: vscode.env.language });
  return Object.keys(conditions).length === 0;
}

/** Among the other kinds, which are nouns, what has no target but the members of a project. */
function membershipLabel(kind: string): string | undefined {
  switch (kind) {
    case 'joined':
      return vscode.l10n.t('new members');
    case 'left':
      return vscode.l10n.t('members who left');
    case 'removed due to membership expiration from':
      return vscode.l10n.t('expired memberships');
    default:
      return undefined;
  }
}
