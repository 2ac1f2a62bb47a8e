import * as vscode from 'vscode';
import type { GroupRecord, ProjectRecord, UserRecord } from '../api/directory.ts';
import type { Pages } from '../api/pagination.ts';
import { instanceName, webAddress } from '../common/instanceUrl.ts';
import type { Connection } from './connections.ts';
import type { ProjectPlace } from './account.ts';
import { ProblemError } from './problem.ts';

/** A project or group on the instance of an account. */
export interface Place extends ProjectPlace {
  readonly kind: 'project' | 'group';
}

/** Asks the instance for a project or group. @param idOrPath its id or full path; it may have moved since. */
export async function lookUp(
  kind: Place['kind'],
  idOrPath: number | string,
  { account, client: { directory } }: Connection,
  signal?: AbortSignal,
): Promise<Place> {
  const { id: accountId } = account;
  if (kind === 'group') {
    const { id, full_path: path } = await directory.group(idOrPath, { signal });
    return { kind, accountId, id, path };
  }
  const { id, path_with_namespace: path } = await directory.project(idOrPath, { signal });
  return { kind, accountId, id, path };
}

/**
 * Looks for records of one kind, page by page: first what a text names exactly, such as by an id, then those whose name contains it; for
 * an empty text the most relevant ones.
 */
export type RecordSource<T> = (text: string, signal: AbortSignal) => AsyncGenerator<readonly T[], void, undefined>;

const perPage = 50;

/** The projects of an instance: first those that the user is a member of, then all others that the user may see. */
export function projectSource<T>(
  { client: { directory }, instanceUrl }: Connection,
  map: (record: ProjectRecord) => T,
): RecordSource<T> {
  return sourceOf(
    instanceUrl,
    map,
    async function* listProjects(search, signal) {
      // Without this the platform searches only the last segment of the path.
      const namespaces = search?.includes('/') === true ? { search_namespaces: true } : {};
      for (const membership of search === undefined ? [{ membership: true }] : [{ membership: true }, {}]) {
        const parameters = { simple: true, ...namespaces, ...membership };
        yield* directory.projects({ search, parameters }, { perPage, signal });
      }
      return undefined;
    },
    async (idOrPath, signal) =>
      typeof idOrPath === 'number' || idOrPath.includes('/') ? directory.project(idOrPath, { signal }) : undefined,
  );
}

export function groupSource<T>(
  { client: { directory }, instanceUrl }: Connection,
  map: (record: GroupRecord) => T,
): RecordSource<T> {
  return sourceOf(
    instanceUrl,
    map,
    (search, signal) => directory.groups({ search }, { perPage, signal }),
    (idOrPath, signal) => directory.group(idOrPath, { signal }),
  );
}

export function userSource<T>(
  { client: { directory }, instanceUrl }: Connection,
  map: (record: UserRecord) => T,
): RecordSource<T> {
  return sourceOf(
    instanceUrl,
    map,
    (search, signal) => directory.users({ search: search?.replace(/^@/, '') }, { perPage, signal }),
    (idOrName, signal) =>
      directory.user(typeof idOrName === 'number' ? idOrName : idOrName.replace(/^@/, ''), { signal }),
  );
}

/**
 * @param map makes of a record what stands for it in the list.
 * @param list asks for those whose name contains a text.
 * @param find asks for the one that an id or path names.
 */
function sourceOf<Record, T>(
  instanceUrl: string,
  map: (record: Record) => T,
  list: (search: string | undefined, signal: AbortSignal) => Pages<Record>,
  find: (idOrPath: number | string, signal: AbortSignal) => Promise<Record | undefined>,
): RecordSource<T> {
  return async function* look(text, signal) {
    const path = pathOf(text, instanceUrl);
    const pages = list(path || undefined, signal);
    const first = pages.next();
    // Should it fail, then taking it fails.
    first.catch(() => undefined);
    const isId = /^\d+$/.test(path) && Number.isSafeInteger(Number(path));
    // It is not there, or no address can be made for it; what else fails lets the list fail, too.
    const exact = path === '' ? undefined : await find(isId ? Number(path) : path, signal).catch(() => undefined);
    yield exact === undefined ? [] : [map(exact)];
    for (let page = await first; page.done !== true; page = await pages.next()) {
      yield page.value.items.map(map);
    }
  };
}

/**
 * Several sources as one: a page of each at a time, side by side. One that fails is left out as long as another one goes on and
 * something is found, such as with a token that may read users alone.
 *
 * @param open gives the sources when the first search begins.
 */
export function joinSources<T>(open: () => Promise<readonly RecordSource<T>[]>): RecordSource<T> {
  return async function* lookInAll(text, signal) {
    let lists = (await open()).map((source) => source(text, signal));
    let isEmpty = true;
    while (lists.length > 0) {
      const results = await Promise.allSettled(lists.map(async (list) => list.next()));
      signal.throwIfAborted();
      const pages = results.map((result) =>
        result.status === 'fulfilled' && result.value.done !== true ? result.value.value : undefined,
      );
      const records = pages.flatMap((page) => page ?? []);
      isEmpty &&= records.length === 0;
      const failed = results.find((result) => result.status === 'rejected');
      if (failed && (isEmpty || lists.length === 1)) {
        throw failed.reason;
      }
      yield records;
      lists = lists.filter((_, index) => pages[index] !== undefined);
    }
  };
}

/**
 * The full path that a text names: the text itself, or what a web address of the instance is about.
 *
 * @throws ProblemError for an address of another instance, which this one is not asked for.
 */
function pathOf(text: string, instanceUrl: string): string {
  const base = `${instanceUrl}/`;
  const url = webAddress(text) === undefined ? null : URL.parse(text);
  // What is still being typed may become an address of this instance.
  if (url && url.pathname !== '/' && !text.startsWith(base)) {
    throw new ProblemError({
      sentence: vscode.l10n.t('This address is on {0}, but this window uses {1}.', url.host, instanceName(instanceUrl)),
      remedy: { command: 'beacon.accounts', title: vscode.l10n.t('Accounts…') },
    });
  }
  const path = text.startsWith(base) ? (text.slice(base.length).split(/\/-\/|[?#]/)[0] ?? '') : text;
  return path.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
}
