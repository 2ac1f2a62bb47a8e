import * as vscode from 'vscode';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { accountProblem } from '../../accounts/dialogs.ts';
import { type Problem, runRemedy } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import type { EventRecord } from '../../api/events.ts';
import { InFlight } from '../../api/inFlight.ts';
import type { Pages } from '../../api/pagination.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import { mapBounded, requestsAtOnce } from '../settings/engine.ts';
import { notificationEventLabel } from '../settings/labels.ts';
import type { NotificationScope } from '../settings/settings.ts';
import {
  type Counts,
  estimatedDays,
  estimateNoise,
  mailsOfNoise,
  type ProjectNoise,
  type Recipient,
  sumOfNoise,
  unestimatedEvents,
} from './estimator.ts';
import type { NoiseState, ScopeMails } from './mails.ts';

const { t } = vscode.l10n;

const day = 86_400_000;
/** The largest page that the platform allows; several are requested at once. */
const paging = { perPage: 100, prefetch: 4 } as const;
/** Pages of all feeds of an account together, and projects that are asked for their names. */
const [mostPages, mostNames] = [500, 200];

/** What was counted in a feed. The events themselves are not kept. */
interface FeedNoise {
  readonly projects: ReadonlyMap<number, ProjectNoise>;
  /** How many events of the days that count there are. */
  readonly events: number;
  /** Whether there are more than were read. */
  readonly isCut: boolean;
  /** When it was read, in milliseconds since 1970. */
  readonly at: number;
}

const nothingHappened: Counts = {
  levels: { watch: 0, participating: 0, mention: 0 },
  events: new Map(),
};

/** What is wanted of the feeds of an account. */
export interface NoiseWanted {
  /** Whether the feed of all projects is read. */
  readonly all: boolean;
  /** Projects whose own feeds are read, because only those contain merge requests. */
  readonly projects: readonly number[];
}

/** The feed of all projects of an account, and the own feeds of those among some scopes. */
export function noiseWantedOf(accountId: string, found: readonly { readonly scope: NotificationScope }[]): NoiseWanted {
  const projects = found.flatMap(({ scope }) =>
    scope.kind === 'project' && scope.accountId === accountId ? scope.id : [],
  );
  return { all: true, projects };
}

/** What was read of an account. */
class AccountFeeds {
  readonly inFlight = new InFlight<void>((nothing) => nothing);
  readonly paths = new Map<number, string>();
  readonly own = new Map<number, FeedNoise>();
  /** Projects whose own feed the instance does not show. */
  readonly refused = new Set<number>();
  all: FeedNoise | undefined;
  pagesLeft = mostPages;
  /** How many events were read by now, of each feed. */
  readonly progress = new Map<'all' | number, number>();

  /** The projects in which something happened. */
  get projects(): readonly number[] {
    return [...new Set([...(this.all?.projects.keys() ?? []), ...this.own.keys()])];
  }

  /** What one project would have mailed, by its own feed or else by the feed of all; undefined if neither was read. */
  noiseOf(id: number): { noise: Counts; isOwn: boolean; isCut: boolean } | undefined {
    const own = this.own.get(id);
    const feed = own ?? this.all;
    return feed && { noise: feed.projects.get(id) ?? nothingHappened, isOwn: own !== undefined, isCut: feed.isCut };
  }
}

/**
 * Estimates the e-mails of each notification level by the activity of the last 14 days. The feeds of an account are read when a user asks
 * for it, each once for all forms, the overview and the page of noise. What was counted is kept as long as the window is open.
 */
export class NoiseEstimates implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #accounts = new Map<string, AccountFeeds>();
  /** Accounts that are read again, which replaces what was read of them once it is there. */
  readonly #renewed = new Map<string, AccountFeeds>();
  readonly #changed = new vscode.EventEmitter<string>();

  /** Fires with the id of an account when more was read of it. */
  readonly onDidChange = this.#changed.event;

  constructor({ connections, clock }: { connections: Pick<Connections, 'of'>; clock: Pick<Clock, 'date'> }) {
    this.#connections = connections;
    this.#clock = clock;
  }

  /**
   * The e-mails of a project, of a group as the sum of its projects, of global settings as the sum of all.
   *
   * @returns undefined if nothing of it was read.
   */
  mailsOf(scope: NotificationScope): ScopeMails | undefined {
    const feeds = this.#accounts.get(scope.accountId);
    if (scope.kind === 'project') {
      const found = feeds?.noiseOf(scope.id);
      return found && mailsOfNoise(found.noise, { isWhole: found.isOwn, isCut: found.isCut });
    }
    if (!feeds?.all) {
      return undefined;
    }
    const ids = feeds.projects.filter(
      (id) => scope.kind === 'global' || feeds.paths.get(id)?.startsWith(`${scope.path}/`) === true,
    );
    const found = ids.flatMap((id) => feeds.noiseOf(id) ?? []);
    // Projects in which nothing happened but merge requests are not in the feed of all.
    return mailsOfNoise(sumOfNoise(found.map(({ noise }) => noise)), {
      isWhole: false,
      isCut: feeds.all.isCut || found.some(({ isCut }) => isCut),
    });
  }

  /** The projects of an account in which something happened, with their paths, as far as the instance tells them. */
  projectsOf(accountId: string): ReadonlyMap<number, string | undefined> {
    const feeds = this.#accounts.get(accountId);
    return new Map(feeds?.projects.map((id) => [id, feeds.paths.get(id)]));
  }

  /** Whether all that is wanted was read, or cannot be. */
  has(accountId: string, { all, projects }: NoiseWanted): boolean {
    const feeds = this.#accounts.get(accountId);
    return (
      feeds !== undefined &&
      (feeds.all !== undefined || !all) &&
      projects.every((id) => feeds.own.has(id) || (feeds.refused.has(id) && feeds.all !== undefined))
    );
  }

  /** How many events were read by now. */
  eventsOf(accountId: string): number {
    const feeds = this.#renewed.get(accountId) ?? this.#accounts.get(accountId);
    return [...(feeds?.progress.values() ?? [])].reduce((sum, events) => sum + events, 0);
  }

  /** Sentences on what the estimate of an account was made of, and what it assumes; none if nothing was read. */
  notesOf(accountId: string): readonly string[] {
    const feeds = this.#accounts.get(accountId);
    const read = feeds ? [...(feeds.all ? [feeds.all] : []), ...feeds.own.values()] : [];
    if (read.length === 0) {
      return [];
    }
    const { language } = vscode.env;
    const end = Math.max(...read.map(({ at }) => at));
    const dayLabel = (time: number): string => new Date(time).toLocaleDateString(language, { dateStyle: 'medium' });
    return [
      t(
        'An estimate by the activity from {0} to {1}, made on this computer. Events read: {2}.',
        dayLabel(end - estimatedDays * day),
        dayLabel(end),
        this.eventsOf(accountId).toLocaleString(language),
      ),
      ...(read.some(({ isCut }) => isCut)
        ? [t('There are more events than were read, so that there may be more e-mails.')]
        : []),
      ...assumptions(),
    ];
  }

  /**
   * Reads what is wanted and was not read before. Who wants a feed that is being read waits for the same reading, which is aborted when all
   * of them have given up.
   *
   * @param isAgain whether all is read again, in place of what was read before.
   * @throws ApiError of the feed of all projects. A project's own feed may be refused: then the feed of all is read.
   */
  async read(accountId: string, wanted: NoiseWanted, signal: AbortSignal, isAgain = false): Promise<void> {
    const connection = await this.#connections.of(accountId);
    const before = this.#accounts.get(accountId);
    const feeds = isAgain ? (this.#renewed.get(accountId) ?? new AccountFeeds()) : (before ?? new AccountFeeds());
    (isAgain ? this.#renewed : this.#accounts).set(accountId, feeds);
    const all = wanted.all || (isAgain && before?.all !== undefined);
    const projects = new Set([...wanted.projects, ...(isAgain ? (before?.own.keys() ?? []) : [])]);
    try {
      const recipient = await connection.client.directory.currentUser({ signal });
      const source = { connection, feeds, recipient };
      if (all) {
        await this.#readAll(source, signal);
      }
      await mapBounded([...projects], requestsAtOnce, (id) => this.#readOwn(source, id, signal));
      if ([...projects].some((id) => feeds.refused.has(id))) {
        await this.#readAll(source, signal);
      }
      if (isAgain) {
        this.#accounts.set(accountId, feeds);
      }
    } finally {
      if (this.#renewed.get(accountId) === feeds) {
        this.#renewed.delete(accountId);
      }
      this.#changed.fire(accountId);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Reads the feed of all projects, and the paths of those in it. */
  async #readAll(source: FeedSource, signal: AbortSignal): Promise<void> {
    const { connection, feeds } = source;
    if (feeds.all) {
      return;
    }
    await feeds.inFlight.join('all', signal, async (shared) => {
      const { events, directory } = connection.client;
      const read = await this.#count(source, 'all', shared, (after) =>
        events.mine({ scope: 'all', after }, { ...paging, maxPages: mostPages, signal: shared }),
      );
      const unnamed = [...read.projects.keys()].filter((id) => !feeds.paths.has(id)).slice(0, mostNames);
      await mapBounded(unnamed, requestsAtOnce, async (id) => {
        await ignoringRefusal(shared, async () => {
          feeds.paths.set(id, (await directory.project(id, { signal: shared })).path_with_namespace);
        });
      });
      feeds.all = read;
    });
  }

  /** Reads a project's own feed, unless the instance does not show it. */
  async #readOwn(source: FeedSource, id: number, signal: AbortSignal): Promise<void> {
    const { connection, feeds } = source;
    if (feeds.own.has(id)) {
      return;
    }
    await feeds.inFlight.join(String(id), signal, async (shared) => {
      const isShown = await ignoringRefusal(shared, async () => {
        const maxPages = Math.max(1, feeds.pagesLeft);
        const read = await this.#count(source, id, shared, (after) =>
          connection.client.events.ofProject(id, { after }, { perPage: paging.perPage, maxPages, signal: shared }),
        );
        feeds.own.set(id, read);
      });
      if (!isShown) {
        feeds.refused.add(id);
      }
    });
  }

  /** Reads a feed and counts what it would have mailed. */
  async #count(
    { connection, feeds, recipient }: FeedSource,
    key: 'all' | number,
    signal: AbortSignal,
    pagesAfter: (day: Date) => Pages<EventRecord>,
  ): Promise<FeedNoise> {
    const at = this.#clock.date().getTime();
    const start = at - estimatedDays * day;
    const records: EventRecord[] = [];
    const known = new Set<number>();
    let [pages, isCut] = [0, false];
    // The day named is left out by the platform, in a time zone that may be another.
    for await (const { items, next } of pagesAfter(new Date(start - 2 * day))) {
      signal.throwIfAborted();
      pages += 1;
      isCut = next !== undefined;
      for (const event of items.filter(isRecognized)) {
        if (Date.parse(event.created_at ?? '') >= start && !known.has(event.id)) {
          known.add(event.id);
          records.push(event);
        }
      }
      feeds.progress.set(key, records.length);
      this.#changed.fire(connection.account.id);
      if (pages >= feeds.pagesLeft) {
        break;
      }
    }
    feeds.pagesLeft -= pages;
    const projects = new Map(estimateNoise(records, recipient).map((project) => [project.projectId, project]));
    return { projects, events: records.length, isCut, at };
  }
}

/** What is read, and for whom. */
interface FeedSource {
  readonly connection: Connection;
  readonly feeds: AccountFeeds;
  readonly recipient: Recipient;
}

/**
 * A project may be deleted or hidden meanwhile; the estimate does without it.
 *
 * @returns whether it was not.
 */
async function ignoringRefusal(signal: AbortSignal, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!isApiError(error) || error.reason === 'notSignedIn' || error.reason === 'inFront') {
      throw error;
    }
    return false;
  }
}

function assumptions(): readonly string[] {
  const { language } = vscode.env;
  const names = unestimatedEvents.map((event) => notificationEventLabel(event, vscode.l10n).name);
  return [
    t(
      'The feed of all projects leaves out merge requests and comments on them: a project whose own feed was not read may send more e-mails. Pin it in the notification overview to read that.',
    ),
    t('A group and the global settings count all their projects, as if none had a level of its own.'),
    t('You get no e-mails about what you did yourself.'),
    t(
      'You take part in a thread once you opened it, wrote in it or were mentioned. That is not known before these {0} days, so that Participate may have sent more.',
      estimatedDays.toLocaleString(language),
    ),
    t('Mentions are found in comments; those in descriptions, and of groups that you belong to, are not in the feed.'),
    t(
      'The feed does not tell which pushes belong to a merge request, nor which merge requests you may approve: their counts are upper bounds, left out of the levels.',
    ),
    t('The level Custom also sends what Participate sends.'),
    t('Not in any feed, so unknown: {0}.', new Intl.ListFormat(language).format(names)),
  ];
}

/** The reading that one page has asked for: how far it is, and why it failed. */
export class NoiseReading implements vscode.Disposable {
  readonly #estimates: NoiseEstimates;
  readonly #onChange: () => void;
  readonly #subscription: vscode.Disposable;
  #accountId: string | undefined;
  #abort: AbortController | undefined;
  #running: Promise<void> | undefined;
  #problem: Problem | undefined;

  /** @param onChange is called when there is more to show. */
  constructor(estimates: NoiseEstimates, onChange: () => void) {
    this.#estimates = estimates;
    this.#onChange = onChange;
    this.#subscription = estimates.onDidChange((accountId) => (accountId === this.#accountId ? onChange() : undefined));
  }

  /** What the page shows of it, for the account and all that it wants of it. */
  state(accountId: string, wanted: NoiseWanted): NoiseState {
    if (accountId !== this.#accountId) {
      this.#accountId = accountId;
      this.#abort?.abort();
      [this.#abort, this.#problem] = [undefined, undefined];
    }
    return {
      isReading: this.#abort !== undefined,
      events: this.#estimates.eventsOf(accountId),
      canRead: !this.#estimates.has(accountId, wanted),
      problem: this.#problem?.sentence,
      remedy: this.#problem?.remedy?.title,
      notes: [...this.#estimates.notesOf(accountId)],
    };
  }

  /**
   * Reads what is wanted first, then, when asked again, the rest, then all of it again. Resolves when that has ended, in whichever way.
   *
   * @param rest what is wanted in all, if that costs many more requests.
   */
  async start(accountId: string, first: NoiseWanted, rest = first): Promise<void> {
    const wanted = this.#estimates.has(accountId, first) ? rest : first;
    this.#running = this.#abort ? this.#running : this.#read(accountId, wanted);
    await this.#running;
  }

  /** Runs the command that fixes why it failed. */
  async fix(): Promise<void> {
    await runRemedy(this.#problem?.remedy);
  }

  /** Gives up what is being read. */
  cancel(): void {
    const abort = this.#abort;
    [this.#abort, this.#problem] = [undefined, undefined];
    if (abort) {
      abort.abort();
      this.#onChange();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#abort?.abort();
  }

  async #read(accountId: string, wanted: NoiseWanted): Promise<void> {
    const abort = new AbortController();
    [this.#accountId, this.#abort, this.#problem] = [accountId, abort, undefined];
    this.#onChange();
    try {
      await this.#estimates.read(accountId, wanted, abort.signal, this.#estimates.has(accountId, wanted));
    } catch (error) {
      // What ended otherwise than by the user, such as with the client of the account, is said, too.
      if (this.#abort === abort && !abort.signal.aborted) {
        this.#problem = accountProblem(accountId, error);
      }
    }
    if (this.#abort === abort) {
      this.#abort = undefined;
    }
    if (!abort.signal.aborted) {
      this.#onChange();
    }
  }
}
