import { apiError } from './errors.ts';
import { type Fields, field, type RecordOf, RecordReader } from './fields.ts';
import { isFullPath, isUsername } from './grammar.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { CallOptions, Requester } from './request.ts';
import { apiPath, type ApiPath, type IdOrPath, type Parameters } from './url.ts';

const longestName = 255;
const mostScopes = 100;
const longestPath = 1000;

/** An account as the author of what other records are about: what is known of it stays known, whatever else is wrong. */
export const authorFields = {
  id: field.number(),
  username: field.username(),
  name: field.text(longestName),
  state: field.text(100),
  locked: field.flag(),
  avatar_url: field.address(),
  web_url: field.address(),
};

/** An account of the instance. Without a username it is none: requests and links name it by that. */
const userFields = { ...authorFields, id: field.requiredId(), username: field.required(isUsername) };

const projectFields = {
  id: field.requiredId(),
  name: field.text(longestName),
  path_with_namespace: field.required(isFullPath),
  web_url: field.address(),
  ssh_url_to_repo: field.text(longestPath),
  default_branch: field.ref(),
  archived: field.flag(),
};

const groupFields = {
  id: field.requiredId(),
  name: field.text(longestName),
  full_path: field.required(isFullPath),
  web_url: field.address(),
};

const tokenFields = {
  id: field.requiredId(),
  name: field.text(longestName),
  scopes: field.words(mostScopes),
  active: field.flag(),
  expires_at: field.date(),
};

export type UserRecord = RecordOf<typeof userFields>;
export type ProjectRecord = RecordOf<typeof projectFields>;
export type GroupRecord = RecordOf<typeof groupFields>;
/** A personal access token without its value. `expires_at` is a date such as `2026-12-31`, or null if it does not expire. */
export type TokenRecord = RecordOf<typeof tokenFields>;

export interface DirectoryFilter {
  readonly search?: string | undefined;
  /** Any other parameter that the platform's list takes, such as `{ membership: true, simple: true }`. */
  readonly parameters?: Parameters | undefined;
}

const users = new RecordReader(userFields);
const projects = new RecordReader(projectFields);
const groups = new RecordReader(groupFields);
const tokens = new RecordReader(tokenFields);
const versions = new RecordReader({ version: field.required((text) => text.length <= 100) });

/** @see https://docs.gitlab.com/api/users/, likewise `projects` and `groups` */
export function directoryOf(requester: Requester) {
  function list<F extends Fields>(reader: RecordReader<F>, path: ApiPath, order: Parameters) {
    return ({ search, parameters }: DirectoryFilter = {}, options: ListOptions = {}): Pages<RecordOf<F>> => {
      const query = { ...parameters, search, ...order, per_page: options.perPage };
      return listPages(requester, { path, query }, reader, options);
    };
  }
  return {
    currentUser: (options?: CallOptions) => users.fetch(requester, { path: apiPath('/user', {}), ...options }),
    user: async (idOrUsername: IdOrPath, options?: CallOptions): Promise<UserRecord> => {
      // Refuses also what only the query would hold.
      const byId = apiPath('/users/:id', { id: idOrUsername });
      if (typeof idOrUsername !== 'string' || /^\d+$/.test(idOrUsername)) {
        return await users.fetch(requester, { path: byId, ...options });
      }
      // The platform takes nothing but ids there. By username there is a list of one or none.
      const query = { username: idOrUsername };
      const reply = await requester.send({ path: apiPath('/users', {}), query, ...options });
      const [user] = users.list(reply).items;
      if (user === undefined) {
        throw apiError(reply.facts, { reason: 'notFound' });
      }
      return user;
    },
    project: async (idOrPath: IdOrPath, options?: CallOptions) =>
      await projects.fetch(requester, { path: apiPath('/projects/:id', { id: idOrPath }), ...options }),
    group: async (idOrPath: IdOrPath, options?: CallOptions) =>
      await groups.fetch(requester, { path: apiPath('/groups/:id', { id: idOrPath }), ...options }),
    /** The projects that the user may see, newest first. */
    projects: list(projects, apiPath('/projects', {}), { pagination: 'keyset', order_by: 'id', sort: 'desc' }),
    /** The groups that the user may see, by name: with a token there is no keyset pagination of them. */
    groups: list(groups, apiPath('/groups', {}), { order_by: 'name', sort: 'asc' }),
    users: list(users, apiPath('/users', {}), { pagination: 'keyset', order_by: 'username', sort: 'asc' }),
    /** Only personal access tokens can be asked. */
    token: (options?: CallOptions) =>
      tokens.fetch(requester, { path: apiPath('/personal_access_tokens/self', {}), ...options }),
    /** Such as `18.7.0-ee`. */
    version: (options?: CallOptions) => versions.fetch(requester, { path: apiPath('/version', {}), ...options }),
  };
}
