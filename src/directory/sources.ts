import type { Connection } from '../accounts/connections.ts';
import type { GroupRecord, ProjectRecord } from '../api/directory.ts';
import type { UserRecord } from '../api/users.ts';
import { NotFoundError } from '../api/errors.ts';
import type { Pages } from '../api/pagination.ts';
import type { Source } from './search.ts';

/** Records of a page that the picker asks for at once. */
const perPage = 50;

/** The projects of an instance: first those that the user is a member of, then all others that the user may see. */
export function projectSource({ client, instanceUrl }: Connection): Source<ProjectRecord> {
  const list = (text: string, membership: boolean, signal: AbortSignal): Pages<ProjectRecord> => {
    const search = pathOf(text, instanceUrl);
    // Without this the platform compares a search with the last part of the path alone.
    const namespaces = search.includes('/') ? { search_namespaces: true } : {};
    const parameters = { simple: true, ...namespaces, ...(membership ? { membership } : {}) };
    return client.directory.projects({ search: search || undefined, parameters }, { perPage, signal });
  };
  return {
    list: async function* listProjects(text, signal) {
      yield* list(text, true, signal);
      if (text !== '') {
        yield* list(text, false, signal);
      }
      return undefined;
    },
    find: async (text, signal) => {
      const path = pathOf(text, instanceUrl);
      return isId(text) || path.includes('/')
        ? await unlessMissing(client.directory.project(isId(text) ? Number(text) : path, { signal }))
        : undefined;
    },
  };
}

/** The groups of an instance that the user may see. */
export function groupSource({ client, instanceUrl }: Connection): Source<GroupRecord> {
  return {
    list: (text, signal) =>
      client.directory.groups({ search: pathOf(text, instanceUrl) || undefined }, { perPage, signal }),
    find: async (text, signal) =>
      await unlessMissing(client.directory.group(isId(text) ? Number(text) : pathOf(text, instanceUrl), { signal })),
  };
}

/** The users of an instance that the user may see. */
export function userSource({ client, instanceUrl }: Connection): Source<UserRecord> {
  const nameOf = (text: string): string => pathOf(text, instanceUrl).replace(/^@/, '');
  return {
    list: (text, signal) => client.directory.users({ search: nameOf(text) || undefined }, { perPage, signal }),
    find: async (text, signal) => {
      const idOrUsername = isId(text) ? Number(text) : nameOf(text);
      return await unlessMissing(client.directory.user(idOrUsername, { signal }));
    },
  };
}

/** Digits alone are an id, as long as they are a number that can be one. */
function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** The full path that a text names: the text itself, or what a web address of the instance is about. */
function pathOf(text: string, instanceUrl: string): string {
  const base = `${instanceUrl.replace(/(?<!\/)\/+$/, '')}/`;
  const path = text.startsWith(base) ? (text.slice(base.length).split(/\/-\/|[?#]/)[0] ?? '') : text;
  return path.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
}

/** Undefined for a record that is not there, or that no address can be made for. */
async function unlessMissing<T>(record: Promise<T>): Promise<T | undefined> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}
