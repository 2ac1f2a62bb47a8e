import { field, type RecordOf, RecordReader } from './fields.ts';
import { isObject } from './grammar.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { Call, CallOptions, Requester } from './request.ts';
import { apiPath, type IdOrPath } from './url.ts';

/** Gives the field that the live platform calls by another name the one of the API documentation. */
const withName = (live: string, canonical: string) => (raw: unknown) => {
  if (!isObject(raw) || !(live in raw)) {
    return raw;
  }
  const { [live]: value, ...others } = raw;
  return { [canonical]: value, ...others };
};

/** A view reads the keys of several projects whole, again and again: a list that has no end is to cost few requests. */
const mostPagesOfKeys = 20;

const settingsFields = {
  active: field.requiredFlag(),
  project_name: field.text(255),
  tracker_external_url: field.address(),
  api_url: field.address(),
  integrated: field.flag(),
};

const clientKeyFields = {
  id: field.requiredId(),
  active: field.requiredFlag(),
  public_key: field.required((text) => /^[\w-]{1,200}$/.test(text)),
  // It goes into shell commands and env files as it is.
  tracker_dsn: field.required((text) => /^https?:\/\/[\w.~:@%/[\]-]{1,1000}$/i.test(text)),
};

const settingsReader = new RecordReader(settingsFields, withName('sentry_external_url', 'tracker_external_url'));
export const clientKeyReader = new RecordReader(clientKeyFields, withName('sentry_dsn', 'tracker_dsn'));

/** `project_name`, `tracker_external_url` and `api_url` are null where integrated error tracking is used. */
export type ErrorTrackingSettingsRecord = RecordOf<typeof settingsFields>;

/** A client key. `tracker_dsn` is the DSN, a URL that a program sends its errors to. */
export type ClientKeyRecord = RecordOf<typeof clientKeyFields>;

interface Switches {
  readonly active: boolean;
  /** Whether the instance itself tracks the errors. */
  readonly integrated?: boolean | undefined;
}

/**
 * Error tracking of a project, by id or full path. All fail for `missingRole` below the role Maintainer, and as `unavailable` if the
 * service behind it fails; `notFound` also means that the project has no settings yet.
 *
 * @see https://docs.gitlab.com/api/error_tracking/
 */
export function errorTrackingOf(requester: Requester) {
  async function withSettings(
    method: 'GET' | 'PUT' | 'PATCH',
    project: IdOrPath,
    body: Call['body'],
    { signal }: CallOptions = {},
  ): Promise<ErrorTrackingSettingsRecord> {
    const path = apiPath('/projects/:id/error_tracking/settings', { id: project });
    return await settingsReader.fetch(requester, { method, path, body, signal });
  }
  const keysOf = (project: IdOrPath) => apiPath('/projects/:id/error_tracking/client_keys', { id: project });
  return {
    settings: async (project: IdOrPath, options?: CallOptions) =>
      await withSettings('GET', project, undefined, options),
    /** For a project that has no settings yet as for one that has. */
    create: async (project: IdOrPath, { active, integrated }: Required<Switches>, options?: CallOptions) =>
      await withSettings('PUT', project, { active, integrated }, options),
    change: async (project: IdOrPath, { active, integrated }: Switches, options?: CallOptions) =>
      await withSettings('PATCH', project, { active, integrated }, options),
    /** @throws ApiError `notAnInstance` after 20 pages, where no `maxPages` is given. */
    clientKeys: (project: IdOrPath, options: ListOptions = {}): Pages<ClientKeyRecord> => {
      const query = { per_page: options.perPage };
      return listPages(requester, { path: keysOf(project), query }, clientKeyReader, options, mostPagesOfKeys);
    },
    /** Never repeated on its own: after an `unavailable` the key may exist. */
    createClientKey: async (project: IdOrPath, { signal }: CallOptions = {}) =>
      await clientKeyReader.fetch(requester, { method: 'POST', path: keysOf(project), signal }),
    deleteClientKey: async (project: IdOrPath, keyId: number, { signal }: CallOptions = {}): Promise<void> => {
      const template = '/projects/:id/error_tracking/client_keys/:key_id';
      await requester.send({ method: 'DELETE', path: apiPath(template, { id: project, key_id: keyId }), signal });
    },
  };
}
