import * as vscode from 'vscode';
import type { GroupRecord, ProjectRecord, UserRecord } from '../api/directory.ts';
import { isApiError } from '../api/errors.ts';
import type { Pages } from '../api/pagination.ts';
import { isRecognized } from '../api/unrecognized.ts';
import { instanceName, webAddress } from '../common/instanceUrl.ts';
import type { Connection } from './connections.ts';
import { ProblemError } from './problem.ts';

/** Where records of one kind are looked for. */
export interface RecordSource<T> {
  /** Those whose name contains a text, page by page; for an empty text, the most relevant ones. */
  list(text: string, signal: AbortSignal): AsyncGenerator<readonly T[], void, undefined>;
  /** Those that a text names exactly, such as by an id, which records of several kinds may have. */
  find(text: string, signal: AbortSignal): Promise<readonly T[]>;
}

/** Records of a page that the picker asks for at once. */
const perPage = 50;

/** The projects of an instance: first those that the user is a member of, then all others that the user may see. */
export function projectSource({ client, instanceUrl }: Connection): RecordSource<ProjectRecord> {
  return {
    list: async function* listProjects(text, signal) {
      const search = pathOf(text, instanceUrl) || undefined;
      for (const membership of text === '' ? [{ membership: true }] : [{ membership: true }, {}]) {
        // Without this the platform searches only the last segment of the path.
        const namespaces = search?.includes('/') === true ? { search_namespaces: true } : {};
        const parameters = { simple: true, ...namespaces, ...membership };
        yield* recordsOf(client.directory.projects({ search, parameters }, { perPage, signal }));
      }
    },
    find: async (text, signal) => {
      const path = pathOf(text, instanceUrl);
      return isId(text) || path.includes('/')
        ? await unlessMissing(client.directory.project(isId(text) ? Number(text) : path, { signal }))
        : [];
    },
  };
}

/** The groups of an instance that the user may see. */
export function groupSource({ client, instanceUrl }: Connection): RecordSource<GroupRecord> {
  return {
    list: async function* listGroups(text, signal) {
      yield* recordsOf(
        client.directory.groups({ search: pathOf(text, instanceUrl) || undefined }, { perPage, signal }),
      );
    },
    find: async (text, signal) =>
      await unlessMissing(client.directory.group(isId(text) ? Number(text) : pathOf(text, instanceUrl), { signal })),
  };
}

/** The users of an instance that the user may see. */
export function userSource({ client, instanceUrl }: Connection): RecordSource<UserRecord> {
  const nameOf = (text: string): string => pathOf(text, instanceUrl).replace(/^@/, '');
  return {
    list: async function* listUsers(text, signal) {
      yield* recordsOf(client.directory.users({ search: nameOf(text) || undefined }, { perPage, signal }));
    },
    find: async (text, signal) => {
      const idOrUsername = isId(text) ? Number(text) : nameOf(text);
      return await unlessMissing(client.directory.user(idOrUsername, { signal }));
    },
  };
}

async function* recordsOf<T>(pages: Pages<T>): AsyncGenerator<readonly T[], void, undefined> {
  for await (const { items } of pages) {
    yield items.filter(isRecognized);
  }
}

/** Records of one kind among others, as what they stand for in a list of all. */
export function mapSource<T, Mapped>(source: RecordSource<T>, map: (record: T) => Mapped): RecordSource<Mapped> {
  return {
    list: async function* listMapped(text, signal) {
      for await (const records of source.list(text, signal)) {
        yield records.map(map);
      }
    },
    find: async (text, signal) => (await source.find(text, signal)).map(map),
  };
}

/**
 * Several sources as one: a page of each at a time, side by side. One that fails is left out as long as another finds something,
 * such as with a token that may read users alone.
 *
 * @param open gives the sources when the first search begins.
 */
export function joinSources<T>(open: () => Promise<readonly RecordSource<T>[]>): RecordSource<T> {
  return {
    list: async function* listAll(text, signal) {
      let lists = (await open()).map((source) => source.list(text, signal));
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
        if (failed && isEmpty) {
          throw failed.reason;
        }
        yield records;
        lists = lists.filter((_, index) => pages[index] !== undefined);
      }
    },
    find: async (text, signal) => {
      const results = await Promise.allSettled((await open()).map(async (source) => source.find(text, signal)));
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    },
  };
}

/** Digits alone are an id, as long as they are a number that can be one. */
function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
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

/** None for a record that is not there, or that no address can be made for. */
async function unlessMissing<T>(record: Promise<T>): Promise<T[]> {
  try {
    return [await record];
  } catch (error) {
    if (isApiError(error, 'notFound') || error instanceof TypeError) {
      return [];
    }
    throw error;
  }
}
