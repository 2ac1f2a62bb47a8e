import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { EventRecord } from '../../api/events.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import { addDays, calendarDate } from '../../common/dates.ts';
import { plainText } from '../../common/inertText.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { ActivityContext } from '../context.ts';
import { kindLabel } from '../events/kinds.ts';
import { feedId, feedLabel, type FeedRef, lacksMergeRequests, pagesOf, readChoice } from '../feed/feedRef.ts';
import {
  conditionsOfKind,
  type FeedFilter,
  filterId,
  filterLabel,
  passes,
  requestFilter,
  type Today,
  withoutEmpty,
} from '../feed/filter.ts';
import { bars, calendar, eventCount, hoursOfWeek, type Name, numberLabel } from './charts.ts';
import { count, type Counted, countedOf, type Counts, dayNumber, type DayRange } from './count.ts';
import {
  type Chart,
  type FromInsights,
  fromInsightsSchema,
  type InsightsState,
  keptSchema,
  type PeriodChoice,
  periods,
} from './messages.ts';

const { t } = vscode.l10n;

/** The largest page that the platform allows; several are requested at once, of the requests that all features share. */
const paging = { perPage: 100, prefetch: 4, maxPages: 500 } as const;
const mostEvents = paging.perPage * paging.maxPages;
/** No events are older, whatever they say. */
const longestPeriod = 40_000;

/** The one page of insights of a window: opens it, restores it. */
export class InsightsPanels {
  readonly #pages: SinglePage<InsightsPanel>;

  constructor(view: ActivityContext) {
    this.#pages = new SinglePage({
      extensionUri: view.app.context.extensionUri,
      name: 'activityInsights',
      title: t('Activity Insights'),
      create: (panel, fill) => new InsightsPanel(panel, fill, view),
    });
  }

  /** Shows the insights of a feed. Resolves when they are read; a failure to do so shows in the page. */
  async show(feed: FeedRef): Promise<void> {
    await (await this.#pages.open()).show(feed);
  }

  /**
   * Goes on with a page that the editor restores.
   *
   * @param kept what the page has kept, which names the feed and the period.
   */
  async revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { data } = keptSchema.safeParse(kept);
    const feed = readChoice(data?.feed);
    if (data && feed && feed.kind !== 'workspaceProject') {
      const { accountId } = data.feed;
      await (await this.#pages.revive(panel)).show({ ...feed, accountId }, data.period);
    } else {
      panel.dispose();
    }
  }
}

/** The page of insights in an editor tab: the events of one feed at a time, counted whatever its filter is, and that filter. */
class InsightsPanel implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #panel: vscode.WebviewPanel;
  readonly #fill: (state: InsightsState) => void;
  readonly #channel: Channel<FromInsights, InsightsState>;
  readonly #subscription: vscode.Disposable;
  #ref: FeedRef | undefined;
  #events = new Map<number, Counted>();
  #abort = new AbortController();
  #period: PeriodChoice = '365';
  #isReading = false;
  /** Where events are read up to, newest first, without a gap: a date. */
  #readFrom: string | undefined;
  #outcome: 'complete' | 'cut' | 'cancelled' = 'complete';
  #error: unknown;

  constructor(panel: vscode.WebviewPanel, fill: (state: InsightsState) => void, view: ActivityContext) {
    this.#panel = panel;
    this.#fill = fill;
    this.#view = view;
    this.#channel = new Channel(
      panel.webview,
      fromInsightsSchema,
      (message) => this.#receive(message),
      (error) => reportFailure(error, view.app.log),
    );
    this.#subscription = vscode.Disposable.from(
      this.#channel,
      view.filters.onDidChange(() => this.#update()),
      view.mutes.onDidChange(() => this.#update()),
      view.app.accounts.onDidChange(() => this.#followAccount()),
      view.feeds.onDidChange((feed) => {
        if (!feed) {
          this.#followAccount();
          this.#update();
        } else if (this.#ref && feed.id === feedId(this.#ref) && this.#takeLoaded()) {
          this.#update();
        }
      }),
    );
  }

  /** Shows the insights of a feed in a period; without one, in that which has events. A failure shows in the page. */
  async show(feed: FeedRef, period?: PeriodChoice): Promise<void> {
    this.#abort.abort();
    this.#ref = feed;
    this.#events = new Map();
    this.#readFrom = undefined;
    await this.#takeKept(feed);
    this.#takeLoaded();
    this.#period = period ?? this.#fittingPeriod;
    this.#followAccount();
    const { state } = this;
    if (state) {
      this.#fill(state);
    }
    await this.#read();
  }

  dispose(): void {
    this.#abort.abort();
    this.#ref = undefined;
    this.#subscription.dispose();
  }

  /** All that the page shows. */
  get state(): InsightsState | undefined {
    const ref = this.#ref;
    if (!ref) {
      return undefined;
    }
    const { filters, mutes, app } = this.#view;
    const filter = filters.of(feedId(ref));
    const range = this.#range;
    const counts = count(this.#events.values(), range, filter, mutes.of(ref.accountId), this.#today);
    return {
      type: 'state',
      kept: { feed: ref, period: this.#period },
      feed: feedLabel(ref),
      account: accountLabel(ref.accountId),
      otherAccount: pageAccount(ref.accountId, app.accounts, app.accountInUse).otherAccount,
      isReading: this.#isReading,
      period: this.#period,
      total:
        counts.chosen === counts.all
          ? eventCount(counts.all)
          : t('{0} of {1} events', numberLabel(counts.chosen), numberLabel(counts.all)),
      notes: this.#notesOf(ref, counts),
      problem: this.#error === undefined ? undefined : problemOf(this.#error, ref.accountId).sentence,
      filter: filterLabel(filter),
      charts: this.#chartsOf(ref, counts, range, filter),
    };
  }

  get #today(): Today {
    return { now: this.#view.app.clock.date(), language: vscode.env.language };
  }

  /** The first day of the period; undefined for all that is kept. */
  get #from(): string | undefined {
    return this.#period === 'kept' ? undefined : addDays(calendarDate(this.#today.now), 1 - Number(this.#period));
  }

  get #range(): DayRange {
    const to = dayNumber(calendarDate(this.#today.now));
    const from = this.#from === undefined ? this.#firstDay : dayNumber(this.#from);
    return { from: Math.max(Math.min(from, to), to - longestPeriod), to };
  }

  get #firstDay(): number {
    return [...this.#events.values()].reduce((first, { day }) => Math.min(first, day ?? first), Infinity);
  }

  /** The shortest period, of a month at least, that has all events which are at hand: those before are few, or far. */
  get #fittingPeriod(): PeriodChoice {
    const age = dayNumber(calendarDate(this.#today.now)) - this.#firstDay + 1;
    const fitting = periods.find((period) => period !== '7' && Number(period) >= age);
    return fitting ?? (Number.isFinite(age) ? '365' : '30');
  }

  #notesOf(ref: FeedRef, { muted, undated }: Counts): string[] {
    return [
      lacksMergeRequests(ref) && t('Merge requests and epics are only in the feeds of projects.'),
      this.#period === 'kept' && t('Only what this computer has of the feed is shown.'),
      this.#outcome === 'cut' && t('There are more events: only the first {0} were read.', numberLabel(mostEvents)),
      this.#outcome === 'cancelled' && t('Reading was canceled: older events are missing.'),
      muted > 0 && t('Muted events that are left out: {0}', numberLabel(muted)),
      undated > 0 &&
        t('Events without a time, which are not in the charts of days and hours: {0}', numberLabel(undated)),
    ].filter((note) => note !== false);
  }

  #chartsOf({ accountId }: FeedRef, counts: Counts, range: DayRange, filter: FeedFilter): Chart[] {
    const { since, until, author, project, actions, types, kind } = filter;
    const ofKind = withoutEmpty({ actions, types, kind });
    const isKind = passes(ofKind, this.#today, true);
    const hasKind = Object.keys(ofKind).length > 0;
    const samples = new Map([...this.#events.values()].map((one) => [one.kind, one.event]));
    const isChosen = (name: string): boolean => {
      const sample = samples.get(name);
      return hasKind && sample !== undefined && isKind(sample);
    };
    const kinds = [...counts.kinds].map(([name, number]): Name => ({
      id: name,
      label: kindLabel(name),
      count: number,
      isChosen: isChosen(name),
    }));
    const projects = [...counts.projects].map(([id, number]): Name => {
      const known = this.#view.projects.get(accountId, id)?.path ?? t('Project {0}', id ?? '');
      const label = id === undefined ? t('Outside of projects') : known;
      return {
        id: id === undefined ? undefined : String(id),
        label,
        count: number,
        isChosen: project?.id === id && !!id,
      };
    });
    const people = [...counts.people].map(([name, number]): Name => {
      const label = name === undefined ? t('Deleted or unknown users') : plainText(name, 100);
      return { id: name, label, count: number, isChosen: name !== undefined && author === name };
    });
    return [
      calendar(counts, range, since === until ? since : undefined),
      hoursOfWeek(counts),
      bars('kinds', t('Kinds of events'), kinds),
      bars('projects', t('Projects'), projects),
      bars('people', t('People'), people),
    ];
  }

  /** Events that the view has loaded, if the instance has left out none of them. @returns whether there are others now. */
  #takeLoaded(): boolean {
    const feed = this.#view.feeds.all.find(({ id }) => this.#ref && id === feedId(this.#ref));
    const { sort: _, ...conditions } = requestFilter(feed?.filter ?? {}, this.#today);
    const isWhole = Object.keys(conditions).length === 0;
    return feed !== undefined && isWhole && this.#add(feed.state.items);
  }

  async #takeKept(feed: FeedRef): Promise<void> {
    const { accountId } = feed;
    const { store, projects } = this.#view;
    const kept = await store.read({ accountId, name: `${feedId(feed)} ${filterId({})}` });
    if (kept && this.#ref === feed) {
      projects.restore(accountId, kept.projects);
      this.#add(kept.items);
    }
  }

  #add(events: readonly EventRecord[]): boolean {
    const before = this.#events.size;
    events.filter(({ id }) => !this.#events.has(id)).forEach((event) => this.#events.set(event.id, countedOf(event)));
    return this.#events.size > before;
  }

  /** Reads from the instance what was not read before of the period, or all of it again. What was read before stays. */
  async #read(again = false): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#error = undefined;
    this.#outcome = 'complete';
    const from = this.#from;
    const isKnown = from === undefined || (!again && this.#readFrom !== undefined && this.#readFrom <= from);
    this.#isReading = !isKnown;
    this.#update();
    try {
      if (!isKnown) {
        await this.#readPages(from, signal);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#error = error;
        this.#view.app.log.error(inspect(error));
      }
    }
    if (this.#abort.signal === signal) {
      this.#isReading = false;
      this.#update();
    }
  }

  async #readPages(from: string, signal: AbortSignal): Promise<void> {
    const ref = this.#ref;
    if (!ref) {
      return;
    }
    const { client } = await this.#view.app.connections.of(ref.accountId);
    const asked = requestFilter({ since: from }, this.#today);
    let pages = 0;
    let hasMore = false;
    for await (const { items, next } of pagesOf(client, ref, asked, { ...paging, signal })) {
      signal.throwIfAborted();
      this.#add(items.filter(isRecognized));
      pages += 1;
      hasMore = next !== undefined;
      // Each message has all charts.
      if (pages <= 2 || pages % 5 === 0) {
        this.#update();
      }
    }
    this.#outcome = hasMore ? 'cut' : 'complete';
    this.#readFrom = hasMore ? this.#readFrom : from;
    const ids = [...this.#events.values()].flatMap(({ project }) => project ?? []);
    await this.#view.projects.learn(ref.accountId, ids);
  }

  #update(): void {
    const { state } = this;
    if (state) {
      this.#channel.post(state);
    }
  }

  /** The page keeps its account when the window uses another one, and goes when that is signed out. */
  #followAccount(): void {
    const { accounts, accountInUse } = this.#view.app;
    const { accountId } = this.#ref ?? {};
    if (accountId !== undefined) {
      const { isSignedIn, isNamed } = pageAccount(accountId, accounts, accountInUse);
      if (!isSignedIn) {
        this.#panel.dispose();
        return;
      }
      const title = t('Activity Insights');
      this.#panel.title = isNamed ? t('{0} ({1})', title, accountLabel(accountId)) : title;
    }
  }

  async #receive(message: FromInsights): Promise<void> {
    const ref = this.#ref;
    if (!ref) {
      return;
    }
    const { feeds, filters, app } = this.#view;
    const id = feedId(ref);
    switch (message.type) {
      case 'ready':
        this.#update();
        return;
      case 'period':
        this.#period = message.period;
        await this.#read();
        return;
      case 'choose':
        await feeds.setFilter(id, this.#chosen(filters.of(id), message));
        return;
      case 'act':
        break;
    }
    switch (message.action) {
      case 'cancel':
        this.#abort.abort();
        this.#abort = new AbortController();
        this.#isReading = false;
        this.#outcome = 'cancelled';
        this.#update();
        return;
      case 'reload':
        await this.#read(true);
        return;
      case 'clear':
        await feeds.setFilter(id, withoutEmpty({ order: filters.of(id).order }));
        return;
      case 'openInUse': {
        // What the window is about now: a feed of its account that is in the view, or all of its projects.
        const accountId = app.accountInUse.account?.id;
        const feed = feeds.all.find((one) => one.ref.accountId === accountId);
        await (accountId !== undefined && this.show(feed?.ref ?? { kind: 'allProjects', accountId }));
      }
    }
  }

  /** The filter with what was chosen in a chart in the place of what it had of that sort; without it if it was chosen before. */
  #chosen(filter: FeedFilter, { chart, id }: Extract<FromInsights, { type: 'choose' }>): FeedFilter {
    const none = { actions: undefined, types: undefined, kind: undefined };
    switch (chart) {
      case 'days': {
        const day = filter.since === id && filter.until === id ? undefined : id;
        return /^\d{4}-\d\d-\d\d$/.test(id) ? withoutEmpty({ ...filter, since: day, until: day }) : filter;
      }
      case 'kinds': {
        const conditions = conditionsOfKind(id);
        const isSame = filterId({ ...filter, ...conditions }) === filterId(filter);
        return withoutEmpty({ ...filter, ...none, ...(isSame ? {} : conditions) });
      }
      case 'projects': {
        const project = {
          id: Number(id),
          path: this.#view.projects.get(this.#ref?.accountId ?? '', Number(id))?.path ?? id,
        };
        return withoutEmpty({ ...filter, project: filter.project?.id === project.id ? undefined : project });
      }
      case 'people':
        return withoutEmpty({ ...filter, author: filter.author === id ? undefined : id });
      case 'hours':
        return filter;
    }
  }
}
