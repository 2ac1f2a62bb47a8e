import { isApiError } from '../api/errors.ts';
import type { EventRecord } from '../api/events.ts';
import type { Pages } from '../api/pagination.ts';
import { isRecognized } from '../api/unrecognized.ts';
import type { App } from '../app.ts';
import { countMails, estimatedDays, type MailCounts, sumOfMails } from './mails.ts';
import type { NotificationScope } from './scope.ts';
import { mapBounded } from './settingsService.ts';

const day = 86_400_000;
/** Pages of all feeds of a reading together. */
const mostPages = 500;

const none: MailCounts = { levels: { watch: 0, participating: 0, mention: 0 }, events: new Map() };

/** What was counted for an account. */
interface Counted {
  /** By the feed of all projects, which leaves out merge requests; undefined if it was not read. */
  readonly all: ReadonlyMap<number, MailCounts> | undefined;
  /** By the own feeds of projects. */
  readonly own: ReadonlyMap<number, MailCounts>;
  /** The paths of these projects. */
  readonly paths: ReadonlyMap<number, string>;
}

/** Reads activity feeds when a user asks for it, and counts the e-mails. What was counted is kept as long as the window is open. */
export class MailFeeds {
  readonly #app: App;
  readonly #counted = new Map<string, Counted>();

  constructor(app: App) {
    this.#app = app;
  }

  /** The e-mails of a project, of a group as the sum of its projects, of global settings as the sum of all; undefined if not read. */
  countsOf(scope: NotificationScope): MailCounts | undefined {
    const counted = this.#counted.get(scope.accountId);
    if (!counted) {
      return undefined;
    }
    const { all, own, paths } = counted;
    const countsOfProject = (id: number): MailCounts | undefined => own.get(id) ?? (all && (all.get(id) ?? none));
    if (scope.kind === 'project') {
      return countsOfProject(scope.id);
    }
    const ids = [...new Set([...own.keys(), ...(all?.keys() ?? [])])].filter(
      (id) => scope.kind === 'global' || paths.get(id)?.startsWith(`${scope.path}/`) === true,
    );
    return all && sumOfMails(ids.flatMap((id) => countsOfProject(id) ?? []));
  }

  /**
   * Reads the feeds that scopes of one account need. What was counted before stays until all is read.
   *
   * @param onEvents is called with the number of events that were read by now.
   * @throws ApiError of the feed of all projects. A project's own feed may be refused: then that of all counts.
   */
  async read(
    accountId: string,
    scopes: readonly NotificationScope[],
    signal: AbortSignal,
    onEvents: (count: number) => void,
  ): Promise<void> {
    const connection = await this.#app.connections.of(accountId);
    const recipient = await connection.client.directory.currentUser({ signal });
    const start = this.#app.clock.date().getTime() - estimatedDays * day;
    let [pagesLeft, read] = [mostPages, 0];
    const count = async (
      pagesAfter: (day: string, maxPages: number) => Pages<EventRecord>,
    ): Promise<ReadonlyMap<number, MailCounts>> => {
      const records: EventRecord[] = [];
      // The day named is left out by the platform, in a time zone that may be another.
      for await (const { items } of pagesAfter(
        new Date(start - 2 * day).toISOString().slice(0, 10),
        Math.max(1, pagesLeft),
      )) {
        signal.throwIfAborted();
        pagesLeft -= 1;
        records.push(...items.filter(isRecognized).filter(({ created_at: at }) => Date.parse(at ?? '') >= start));
        onEvents((read += items.length));
        if (pagesLeft <= 0) {
          break;
        }
      }
      return countMails(records, recipient);
    };
    const projects = scopes.flatMap((scope) => (scope.kind === 'project' ? scope : []));
    const own = new Map<number, MailCounts>();
    const { events } = connection.client;
    const isWide = scopes.some(({ kind }) => kind !== 'project');
    const all = isWide
      ? await count((after, maxPages) =>
          events.mine({ scope: 'all', after }, { perPage: 100, prefetch: 4, maxPages, signal }),
        )
      : undefined;
    await mapBounded(projects, async ({ id }) => {
      try {
        const counted = await count((after, maxPages) =>
          events.ofProject(id, { after }, { perPage: 100, maxPages, signal }),
        );
        own.set(id, counted.get(id) ?? none);
      } catch (error) {
        signal.throwIfAborted();
        if (!isApiError(error) || error.reason === 'notSignedIn' || error.reason === 'inFront') {
          throw error;
        }
      }
    });
    const before = this.#counted.get(accountId);
    this.#counted.set(accountId, {
      all: all ?? before?.all,
      own: new Map([...(before?.own ?? []), ...own]),
      paths: new Map([...(before?.paths ?? []), ...projects.map(({ id, path }) => [id, path] as const)]),
    });
  }
}
