import type { Connection } from '../../accounts/connections.ts';
import { ApiError } from '../../api/errors.ts';
import type { EventRecord } from '../../api/events.ts';
import type { Pages } from '../../api/pagination.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import { mapBounded } from '../scopes/bounded.ts';
import { requestsAtOnce } from '../scopes/scopeFinder.ts';

export const estimatedDays = 14;
const day = 86_400_000;
/** A page that is as large as the platform allows; several are on their way at once. */
const paging = { perPage: 100, prefetch: 4 } as const;
/** Pages of all feeds together, and projects that are asked for their names. */
const [mostPages, mostNames] = [500, 200];

/** What the feeds told. */
export interface FeedReading {
  /** Without those that are older than the days that count. */
  readonly events: readonly EventRecord[];
  /** The full paths of projects by their ids; of some none may be known. */
  readonly paths: ReadonlyMap<number, string>;
  /** Projects whose own feed was read, which tells of merge requests as well (section 4.4). */
  readonly readAlone: ReadonlySet<number>;
  /** Whether there are more events than were read. */
  readonly isCut: boolean;
}

/** How far the reading is. */
export interface FeedProgress {
  readonly events: number;
}

/**
 * Reads the events of the last 14 days in all of the user's projects, and the own feeds of some projects besides, because
 * those tell of merge requests, too.
 *
 * @param projects whose own feeds to read, with their paths.
 * @throws ApiError of the feed of all projects; one project's own feed may fail.
 */
export async function readFeeds(
  { client }: Connection,
  projects: ReadonlyMap<number, string>,
  now: Date,
  signal: AbortSignal,
  onProgress: (progress: FeedProgress) => void,
): Promise<FeedReading> {
  const start = now.getTime() - estimatedDays * day;
  // The day named is left out by the platform, in a time zone that may be another.
  const after = new Date(start - 2 * day);
  const events: EventRecord[] = [];
  let [pagesLeft, isCut] = [mostPages, false];
  const read = async (pages: Pages<EventRecord>): Promise<void> => {
    let hasMore = false;
    for await (const { items, next } of pages) {
      pagesLeft -= 1;
      hasMore = next !== undefined;
      events.push(...items.filter(isRecognized).filter(({ created_at: at }) => Date.parse(at ?? '') >= start));
      onProgress({ events: events.length });
      if (pagesLeft <= 0) {
        break;
      }
    }
    isCut ||= hasMore;
  };
  await read(client.events.mine({ scope: 'all', after }, { ...paging, maxPages: mostPages, signal }));
  const readAlone = new Set<number>();
  await mapBounded([...projects.keys()], requestsAtOnce, async (id) => {
    await ignoringRefusal(signal, async () => {
      await read(
        client.events.ofProject(id, { after }, { perPage: paging.perPage, maxPages: Math.max(1, pagesLeft), signal }),
      );
      readAlone.add(id);
    });
  });
  const paths = new Map(projects);
  const unnamed = new Set(events.flatMap(({ project_id: id }) => (id && !paths.has(id) ? id : [])));
  await mapBounded([...unnamed].slice(0, mostNames), requestsAtOnce, async (id) => {
    await ignoringRefusal(signal, async () => {
      paths.set(id, (await client.directory.project(id, { signal })).path_with_namespace);
    });
  });
  return { events, paths, readAlone, isCut };
}

/** A project may be deleted or hidden meanwhile; the estimate does without it. */
async function ignoringRefusal(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError) || error.reason === 'notSignedIn') {
      throw error;
    }
  }
}
