import { field, type RecordOf, RecordReader } from './fields.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { CallOptions, Requester } from './request.ts';
import { apiPath, type IdOrPath, type Parameters } from './url.ts';

/** Gives the field that the live platform calls by another name the one of the API documentation. */
const withName = (live: string, canonical: string) => (raw: unknown) => {
  if (typeof raw !== 'object' || raw === null || !(live in raw)) {
    return raw;
  }
  const { [live]: value, ...others } = raw as Record<string, unknown>;
  return { [canonical]: value, ...others };
};

const longestName = 255;

/** A view reads the keys of several projects whole, again and again: a list that has no end is to cost few requests. */
const mostPagesOfKeys = 20;

/** The error tracking settings of a project. */
export const settingsFields = {
  active: field.requiredFlag(),
  project_name: field.text(longestName),
  tracker_external_url: field.address(),
  api_url: field.address(),
  integrated: field.flag(),
};

/** A client key of the integrated error tracking. */
const clientKeyFields = {
  id: field.requiredId(),
  active: field.requiredFlag(),
  public_key: field.required((text) => /^[\w-]{1,200}$/.test(text)),
  // It goes into shell commands and env files as it is.
  tracker_dsn: field.required((text) => /^https?:\/\/[\w.~:@%/[\]-]{1,1000}$/i.test(text)),
};

/** Reads client keys. */
export const clientKeyReader = new RecordReader(clientKeyFields, withName('sentry_dsn', 'tracker_dsn'));

/**
 * The error tracking settings of a project. `project_name`, `tracker_external_url` and `api_url` are null
 * where integrated error tracking is used.
 */
export type ErrorTrackingSettingsRecord = RecordOf<typeof settingsFields>;

/** A client key. `tracker_dsn` is the DSN, a URL that a program sends its errors to. */
export type ClientKeyRecord = RecordOf<typeof clientKeyFields>;

/** What error tracking is to be. */
export interface ErrorTrackingSwitches {
  readonly active: boolean;
  /** Whether the instance itself tracks the errors. */
  readonly integrated: boolean;
}

/**
 * Error tracking of a project, by id or full path. All methods fail for `missingRole` below the role
 * Maintainer, and as `unavailable` if the service behind it fails.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export class ErrorTracking {
  readonly #requester: Requester;
  readonly #settings = new RecordReader(settingsFields, withName('sentry_external_url', 'tracker_external_url'));

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Reads the settings. @throws ApiError `notFound` also if the project has none yet. */
  async settings(project: IdOrPath, options: CallOptions = {}): Promise<ErrorTrackingSettingsRecord> {
    return await this.#withSettings('GET', project, undefined, options);
  }

  /** Sets error tracking up, for a project that has no settings yet as for one that has (PUT). */
  async create(
    project: IdOrPath,
    { active, integrated }: ErrorTrackingSwitches,
    options: CallOptions = {},
  ): Promise<ErrorTrackingSettingsRecord> {
    return await this.#withSettings('PUT', project, { active, integrated }, options);
  }

  /**
   * Switches on or off what has been set up (PATCH). Never repeated on its own.
   *
   * @throws ApiError `notFound` also if the project has no settings yet.
   */
  async change(
    project: IdOrPath,
    { active, integrated }: Pick<ErrorTrackingSwitches, 'active'> & Partial<ErrorTrackingSwitches>,
    options: CallOptions = {},
  ): Promise<ErrorTrackingSettingsRecord> {
    return await this.#withSettings('PATCH', project, { active, integrated }, options);
  }

  /** The client keys. @throws ApiError `notAnInstance` after 20 pages, where no `maxPages` is given. */
  clientKeys(project: IdOrPath, options: ListOptions = {}): Pages<ClientKeyRecord> {
    const path = apiPath('/projects/:id/error_tracking/client_keys', { id: project });
    const query = { page: options.page, per_page: options.perPage };
    return listPages(this.#requester, { method: 'GET', path, query }, clientKeyReader, options, mostPagesOfKeys);
  }

  /** Makes a client key (POST). Never repeated on its own: after an `unavailable` the key may exist. */
  async createClientKey(project: IdOrPath, { signal }: CallOptions = {}): Promise<ClientKeyRecord> {
    const path = apiPath('/projects/:id/error_tracking/client_keys', { id: project });
    return clientKeyReader.one(await this.#requester.send({ method: 'POST', path, signal }));
  }

  /** Deletes a client key, by its id. */
  async deleteClientKey(project: IdOrPath, keyId: number, { signal }: CallOptions = {}): Promise<void> {
    const path = apiPath('/projects/:id/error_tracking/client_keys/:key_id', { id: project, key_id: keyId });
    await this.#requester.send({ method: 'DELETE', path, signal });
  }

  async #withSettings(
    method: 'GET' | 'PUT' | 'PATCH',
    project: IdOrPath,
    body: Parameters | undefined,
    { signal }: CallOptions,
  ): Promise<ErrorTrackingSettingsRecord> {
    const path = apiPath('/projects/:id/error_tracking/settings', { id: project });
    return this.#settings.one(await this.#requester.send({ method, path, body, signal }));
  }
}
