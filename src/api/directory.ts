import { apiError } from './errors.ts';
import { type Fields, field, type RecordOf, RecordReader } from './fields.ts';
import { isFullPath, isUsername } from './grammar.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { CallOptions, Requester } from './request.ts';
import { isRecognized } from './unrecognized.ts';
import { apiPath, type ApiPath, type IdOrPath, type Parameters } from './url.ts';

const longestName = 255;
/** Several times as many as there are. */
const mostScopes = 100;
const longestPath = 1000;
const profile = {
  id: field.requiredId(),
  name: field.requiredText(longestName),
  state: field.text(100),
  locked: field.flag(),
  avatar_url: field.address(),
  web_url: field.address(),
};

/** An account of the instance. Without a username it is none: requests and links name it by that. */
const userFields = { ...profile, username: field.required(isUsername) };

/** An account as the author of what other records are about, which is there even if its username is none. */
export const authorFields = { ...profile, username: field.username() };

const projectFields = {
  id: field.requiredId(),
  name: field.requiredText(longestName),
  name_with_namespace: field.text(longestPath),
  path: field.text(longestName),
  path_with_namespace: field.required(isFullPath),
  web_url: field.address(),
  ssh_url_to_repo: field.text(longestPath),
  avatar_url: field.address(),
  default_branch: field.ref(),
  archived: field.flag(),
};

const groupFields = {
  id: field.requiredId(),
  name: field.requiredText(longestName),
  path: field.text(longestName),
  full_name: field.text(longestPath),
  full_path: field.required(isFullPath),
  web_url: field.address(),
  avatar_url: field.address(),
  parent_id: field.number(),
};

const tokenFields = {
  id: field.requiredId(),
  name: field.text(longestName),
  scopes: field.words(mostScopes),
  user_id: field.number(),
  active: field.flag(),
  revoked: field.flag(),
  created_at: field.timestamp(),
  last_used_at: field.timestamp(),
  expires_at: field.date(),
};

const versionFields = { version: field.requiredText(100), revision: field.text(100) };

/** An account of the instance. */
export type UserRecord = RecordOf<typeof userFields>;
/** A project; `path_with_namespace` is its full path. */
export type ProjectRecord = RecordOf<typeof projectFields>;
/** A group; `full_path` is its full path. */
export type GroupRecord = RecordOf<typeof groupFields>;
/** A personal access token without its value. `expires_at` is a date such as `2026-12-31`, or null if it does not expire. */
export type TokenRecord = RecordOf<typeof tokenFields>;
/** The version of the instance, such as `18.7.0-ee`. */
export type VersionRecord = RecordOf<typeof versionFields>;

/** Which projects, groups or users to list. */
export interface DirectoryFilter {
  /** Part of the name or path. */
  readonly search?: string | undefined;
  /** Any other parameter that the platform's list takes, such as `{ membership: true, simple: true }`. */
  readonly parameters?: Parameters | undefined;
}

/**
 * Users, projects, groups, and what the token and the instance say of themselves.
 *
 * @see https://docs.gitlab.com/api/users/
 * @see https://docs.gitlab.com/api/projects/
 * @see https://docs.gitlab.com/api/groups/
 */
export class Directory {
  readonly #requester: Requester;
  readonly #users = new RecordReader(userFields);
  readonly #projects = new RecordReader(projectFields);
  readonly #groups = new RecordReader(groupFields);
  readonly #tokens = new RecordReader(tokenFields);
  readonly #versions = new RecordReader(versionFields);

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The user that the token belongs to. */
  async currentUser(options?: CallOptions): Promise<UserRecord> {
    return await this.#get(apiPath('/user', {}), this.#users, options);
  }

  /** One user, by numeric id or username. */
  async user(idOrUsername: IdOrPath, options?: CallOptions): Promise<UserRecord> {
    // Refuses also what only the query would hold.
    const byId = apiPath('/users/:id', { id: idOrUsername });
    if (typeof idOrUsername !== 'string' || /^\d+$/.test(idOrUsername)) {
      return await this.#get(byId, this.#users, options);
    }
    // The platform takes nothing but ids there. By username there is a list of one or none.
    const query = { username: idOrUsername };
    const reply = await this.#requester.send({ method: 'GET', path: apiPath('/users', {}), query, ...options });
    const user = this.#users.list(reply).find(isRecognized);
    if (user === undefined) {
      throw apiError(reply.facts, { reason: 'notFound' });
    }
    return user;
  }

  /** One project, by numeric id or full path. */
  async project(idOrPath: IdOrPath, options?: CallOptions): Promise<ProjectRecord> {
    const path = apiPath('/projects/:id', { id: idOrPath });
    const project = await this.#get(path, this.#projects, options);
    this.#requester.rememberProject(path, project.id);
    return project;
  }

  /** One group, by numeric id or full path. */
  async group(idOrPath: IdOrPath, options?: CallOptions): Promise<GroupRecord> {
    return await this.#get(apiPath('/groups/:id', { id: idOrPath }), this.#groups, options);
  }

  /** The projects that the user may see, newest first. */
  projects(filter?: DirectoryFilter, options?: ListOptions): Pages<ProjectRecord> {
    return this.#list(apiPath('/projects', {}), { order_by: 'id', sort: 'desc' }, this.#projects, filter, options);
  }

  /** The groups that the user may see, by name. */
  groups(filter?: DirectoryFilter, options?: ListOptions): Pages<GroupRecord> {
    return this.#list(apiPath('/groups', {}), { order_by: 'name', sort: 'asc' }, this.#groups, filter, options);
  }

  /** The users that the user may see, by username. */
  users(filter?: DirectoryFilter, options?: ListOptions): Pages<UserRecord> {
    return this.#list(apiPath('/users', {}), { order_by: 'username', sort: 'asc' }, this.#users, filter, options);
  }

  /** The token itself: its scopes and its expiry. Only personal access tokens can be asked. */
  async token(options?: CallOptions): Promise<TokenRecord> {
    return await this.#get(apiPath('/personal_access_tokens/self', {}), this.#tokens, options);
  }

  /** The version of the instance. */
  async version(options?: CallOptions): Promise<VersionRecord> {
    return await this.#get(apiPath('/version', {}), this.#versions, options);
  }

  async #get<F extends Fields>(
    path: ApiPath,
    reader: RecordReader<F>,
    { signal }: CallOptions = {},
  ): Promise<RecordOf<F>> {
    return reader.one(await this.#requester.send({ method: 'GET', path, signal }));
  }

  #list<F extends Fields>(
    path: ApiPath,
    order: Parameters,
    reader: RecordReader<F>,
    { search, parameters }: DirectoryFilter = {},
    options: ListOptions = {},
  ): Pages<RecordOf<F>> {
    const query = { ...parameters, search, pagination: 'keyset', ...order, per_page: options.perPage };
    return listPages(this.#requester, { method: 'GET', path, query }, reader, options);
  }
}
