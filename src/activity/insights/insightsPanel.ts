import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { EventRecord } from '../../api/events.ts';
import { addDays, calendarDate, daysBetween } from '../../common/dates.ts';
import { type Shown, SinglePage } from '../../webviews/webview.ts';
import type { ActivityContext } from '../context.ts';
import { eventCount, numberLabel } from '../events/eventLabel.ts';
import { feedId, feedLabel, type FeedRef, lacksMergeRequests, pagesOf, readChoice } from '../feed/feedRef.ts';
import { filterLabel, requestFilter } from '../feed/filter.ts';
import { chartNames, choose, count, type Counted, countedOf } from './charts.ts';

const { t } = vscode.l10n;

/** The period that is shown: this many days up to today. */
const periods = ['7', '30', '90', '365'] as const;
export type PeriodChoice = (typeof periods)[number];

/** A message from the page to the host; `choose` filters charts and feed by a mark, or not any more. */
const fromInsightsSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['ready', 'cancel', 'reload', 'clear', 'switchAccount']) }),
    z.object({ type: z.literal('period'), period: z.enum(periods) }),
    z.object({ type: z.literal('choose'), chart: z.enum(chartNames), id: z.string() }),
  ]);
export type FromInsights = z.infer<ReturnType<typeof fromInsightsSchema>>;

/** What the page keeps for when the editor builds it again: which feed it is about. */
const keptSchema = () => z.object({ feed: z.looseObject({ accountId: z.string() }), period: z.enum(periods) });

/** A message from the host to the page: all that it shows. Texts are in the user's language. */
export type InsightsState = ReturnType<InsightsPanel['state']>;

/** The largest page that the platform allows; several are requested at once, of the requests that all features share. */
const paging = { perPage: 100, prefetch: 4, maxPages: 500 } as const;

export function insightsPages(view: ActivityContext) {
  const pages = new SinglePage<InsightsPanel, FromInsights, InsightsState>({
    extensionUri: view.app.context.extensionUri,
    name: 'activityInsights',
    title: t('Activity Insights'),
    schema: fromInsightsSchema,
    create: (shown) => new InsightsPanel(shown, view),
    onError: (error) => reportFailure(error, view.app.log),
  });
  return {
    /** Shows the insights of a feed. Resolves when they are read; a failure to do so shows in the page. */
    show: async (feed: FeedRef) => (await pages.open()).show(feed),
    /** Goes on with a page that the editor restores. @param kept what the page has kept, see `keptSchema`. */
    revive: async (panel: vscode.WebviewPanel, kept: unknown) => {
      const { data } = keptSchema().safeParse(kept);
      const feed = readChoice(data?.feed);
      if (data && feed && feed.kind !== 'workspaceProject') {
        await (await pages.revive(panel)).show({ ...feed, accountId: data.feed.accountId }, data.period);
      } else {
        panel.dispose();
      }
    },
  };
}

/** The page of insights in an editor tab: the events of one feed at a time, counted whatever its filter is, and that filter. */
export class InsightsPanel implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #shown: Shown<InsightsState>;
  readonly #subscription: vscode.Disposable;
  #ref: FeedRef | undefined;
  #events = new Map<number, Counted>();
  #abort = new AbortController();
  #period: PeriodChoice = '30';
  #isReading = false;
  /** Where events are read up to, the newest first, without a gap: a date. */
  #readFrom: string | undefined;
  #outcome: 'complete' | 'cut' | 'cancelled' = 'complete';
  #error: unknown;

  constructor(shown: Shown<InsightsState>, view: ActivityContext) {
    this.#shown = shown;
    this.#view = view;
    const update = (): void => this.#update();
    this.#subscription = vscode.Disposable.from(
      view.feeds.onDidChange((feed) => (feed ? undefined : update())),
      view.readState.mutes.onDidChange(update),
      view.app.accounts.onDidChange(update),
      view.app.accountInUse.onDidChange(update),
    );
  }

  /** Shows the insights of a feed in a period; without one, in that which has events. A failure shows in the page. */
  async show(feed: FeedRef, period?: PeriodChoice): Promise<void> {
    this.#ref = feed;
    this.#events = new Map();
    this.#readFrom = undefined;
    this.#add(this.#view.feeds.all.find(({ id, isFiltered }) => id === feedId(feed) && !isFiltered)?.state.items ?? []);
    this.#period = period ?? this.#fittingPeriod;
    this.#update(this.#shown.fill);
    await this.#read();
  }

  dispose(): void {
    this.#abort.abort();
    this.#ref = undefined;
    this.#subscription.dispose();
  }

  get #today(): string {
    return calendarDate(this.#view.app.clock.date());
  }

  get #from(): string {
    return addDays(this.#today, 1 - Number(this.#period));
  }

  /** The shortest period, of a month at least, that has all events which the view has loaded. */
  get #fittingPeriod(): PeriodChoice {
    const today = this.#today;
    const [first = today] = [...this.#events.values()].flatMap(({ days }) => days ?? []).sort();
    return periods.find((period) => period !== '7' && daysBetween(today, first) < Number(period)) ?? '365';
  }

  readonly #pathOf = (id: number): string | undefined => this.#view.projects.get(this.#ref?.accountId ?? '', id)?.path;

  #add(events: readonly EventRecord[]): void {
    events.filter(({ id }) => !this.#events.has(id)).forEach((event) => this.#events.set(event.id, countedOf(event)));
  }

  /** Reads from the instance what was not read before of the period, or all of it again. What was read before stays. */
  async #read(again = false): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    const from = this.#from;
    this.#error = undefined;
    this.#outcome = 'complete';
    this.#isReading = again || this.#readFrom === undefined || this.#readFrom > from;
    this.#update();
    try {
      await (this.#isReading ? this.#readPages(from, signal) : undefined);
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
    const asked = requestFilter({ since: from }, this.#view.app.clock.date());
    let [pages, hasMore] = [0, false];
    for await (const { items, next } of pagesOf(client, ref, asked, { ...paging, signal })) {
      signal.throwIfAborted();
      this.#add(items);
      pages += 1;
      hasMore = next !== undefined;
      // Each message has all charts.
      if (pages <= 2 || pages % 5 === 0) {
        this.#update();
      }
    }
    this.#outcome = hasMore ? 'cut' : 'complete';
    this.#readFrom = hasMore ? this.#readFrom : from;
    const ids = [...this.#events.values()].flatMap(({ projects }) => projects ?? []);
    await this.#view.projects.learn(ref.accountId, ids);
  }

  /** Sends all that the page shows. It keeps its account when the window uses another one, and goes when that is signed out. */
  #update(send = this.#shown.post): void {
    const ref = this.#ref;
    if (!ref) {
      return;
    }
    if (!this.#view.app.accountInUse.ofPage(ref.accountId).isSignedIn) {
      this.#shown.panel.dispose();
      return;
    }
    const state = this.state(ref);
    const title = t('Activity Insights');
    this.#shown.panel.title = this.#view.app.accountInUse.named(title, ref.accountId);
    send(state);
  }

  state(ref: FeedRef) {
    const { readState, feeds, app } = this.#view;
    const { account, otherAccount } = app.accountInUse.ofPage(ref.accountId);
    const filter = feeds.filterOf(feedId(ref));
    const { charts, all, chosen, muted, undated } = count([...this.#events.values()], {
      from: this.#from,
      to: this.#today,
      filter,
      muted: readState.mutes.of(ref.accountId),
      now: app.clock.date(),
      pathOf: this.#pathOf,
    });
    const most = numberLabel(paging.perPage * paging.maxPages);
    const notes = [
      lacksMergeRequests(ref) && t('Merge requests and epics are only in the feeds of single projects.'),
      this.#outcome === 'cut' && t('There are more events: only the first {0} were read.', most),
      this.#outcome === 'cancelled' && t('Reading was canceled: older events are missing.'),
      muted > 0 && t('Muted events that are left out: {0}', numberLabel(muted)),
      undated > 0 &&
        t('Events without a time, which are not in the charts of days and hours: {0}', numberLabel(undated)),
    ];
    return {
      type: 'state' as const,
      kept: { feed: ref, period: this.#period },
      feed: feedLabel(ref),
      /** The account, where there are several; and that of the window, if it is another one. */
      account,
      otherAccount,
      isReading: this.#isReading,
      period: this.#period,
      periods: periods.map((one) => [one, one === '365' ? t('Last year') : t('Last {0} days', one)] as const),
      total: chosen === all ? eventCount(all) : t('{0} of {1} events', numberLabel(chosen), numberLabel(all)),
      notes: notes.filter((note) => note !== false),
      problem: this.#error === undefined ? undefined : problemOf(this.#error, ref.accountId).sentence,
      filter: filterLabel(filter, app.clock.date()),
      charts,
    };
  }

  async receive(message: FromInsights): Promise<void> {
    const ref = this.#ref;
    if (!ref) {
      return;
    }
    const { feeds } = this.#view;
    const id = feedId(ref);
    const filter = feeds.filterOf(id);
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'period':
        this.#period = message.period;
        return await this.#read();
      case 'choose':
        return await feeds.setFilter(id, choose(filter, message.chart, message.id, this.#pathOf));
      case 'cancel':
        this.#abort.abort();
        this.#abort = new AbortController();
        this.#isReading = false;
        this.#outcome = 'cancelled';
        return this.#update();
      case 'reload':
        return await this.#read(true);
      case 'switchAccount':
        return await vscode.commands.executeCommand('beacon.accounts', ref.accountId);
      case 'clear':
        return await feeds.setFilter(id, filter.order ? { order: filter.order } : {});
    }
  }
}
