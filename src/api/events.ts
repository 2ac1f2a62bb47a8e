import { authorFields } from './directory.ts';
import { field, type RecordOf, RecordReader } from './fields.ts';
import { isObject, readTimestamp } from './grammar.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { Requester } from './request.ts';
import { apiPath, type ApiPath, type IdOrPath } from './url.ts';

/** The platform's bound for a comment, which is the longest text of an event. */
const longestComment = 1_000_000;
const longestTitle = 1000;
const longestWord = 255;

// What an event is about stays known, whatever is wrong with the rest.
const noteFields = {
  id: field.number(),
  type: field.text(longestWord),
  body: field.text(longestComment),
  author: field.record(authorFields),
  created_at: field.timestamp(),
  system: field.flag(),
  noteable_id: field.number(),
  noteable_type: field.text(longestWord),
  noteable_iid: field.number(),
  commit_id: field.sha(),
  confidential: field.flag(),
  internal: field.flag(),
  position: field.record({ head_sha: field.sha() }),
};

const pushDataFields = {
  commit_count: field.number(),
  action: field.text(longestWord),
  ref_type: field.text(longestWord),
  commit_from: field.sha(),
  commit_to: field.sha(),
  ref: field.ref(),
  commit_title: field.text(longestTitle),
  ref_count: field.number(),
};

const wikiPageFields = {
  format: field.text(longestWord),
  slug: field.text(longestTitle),
  title: field.text(longestTitle),
};

const eventFields = {
  id: field.requiredId(isEventId),
  project_id: field.number(),
  action_name: field.textOrEmpty(longestWord),
  target_id: field.number(),
  target_iid: field.number(),
  target_type: field.text(longestWord),
  target_title: field.text(longestTitle),
  author_id: field.number(),
  author: field.record(authorFields),
  author_username: field.username(),
  created_at: field.timestamp(),
  group_id: field.number(),
  imported: field.flag(),
  imported_from: field.text(longestWord),
  note: field.record(noteFields),
  push_data: field.record(pushDataFields),
  wiki_page: field.record(wikiPageFields),
};

/** Reads events, of an instance or of what was kept of one. */
export const eventReader = new RecordReader(eventFields, withId);

/** More than any instance counts up to. Events are read up to an id: one beyond would hide all that come after it. */
const mostIds = 2 ** 48;

export function isEventId(id: unknown): boolean {
  return Number.isSafeInteger(id) && (id as number) < mostIds;
}

/**
 * Gives a record without an id, as instances of 2018 send them, one that is the same whenever the record comes again. It grows
 * with the time of the event, as ids do, and is below those that are counted. What has neither is no event.
 */
function withId(element: unknown): unknown {
  const { id, created_at: createdAt } = isObject(element) ? element : { id: 0 };
  const isMissing = id === undefined || id === null || (typeof id === 'number' && id >= mostIds);
  const time = isMissing ? readTimestamp(createdAt) : undefined;
  if (!isObject(element) || time === undefined) {
    return element;
  }
  let hash = 0;
  for (const character of JSON.stringify(element)) {
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  }
  // Events of one millisecond differ by some bits of the hash, as many as a number has room for.
  const byTime = time * 4096 + (hash % 4096);
  return { ...element, id: (Number.isSafeInteger(byTime) ? byTime : hash) - Number.MAX_SAFE_INTEGER };
}

/**
 * An activity event. `created_at` is null if it is no time. `author` is absent when the account is deleted, `project_id` null when the
 * event belongs to none; a push has no target, a note's target is found by `note.noteable_iid`.
 */
export type EventRecord = RecordOf<typeof eventFields>;
export type EventNote = RecordOf<typeof noteFields>;
/** The push that an event is about. In a bulk push `commit_count` is 0, `ref_count` set and the commits and `ref` null. */
export type EventPush = RecordOf<typeof pushDataFields>;

export interface EventFilter {
  /** What kind of action an event is, such as `pushed` or `commented`; a record's `action_name` has other words. */
  readonly action?: string | undefined;
  /** What an event is about, such as `merge_request`; a record's `target_type` is a class name, such as `MergeRequest`. */
  readonly target_type?: string | undefined;
  /** Events before this ISO 8601 date, the day itself excluded. */
  readonly before?: string | undefined;
  /** Events after this ISO 8601 date, the day itself excluded. */
  readonly after?: string | undefined;
  /** By time of creation; `desc` if not given. */
  readonly sort?: 'asc' | 'desc' | undefined;
}

export interface OwnEventFilter extends EventFilter {
  /** `all`: the events of everyone in all of the user's projects. */
  readonly scope?: string | undefined;
}

/**
 * Activity feeds. They need a token with the scope `read_user` or `api`.
 *
 * @see https://docs.gitlab.com/api/events/
 */
export function eventsOf(requester: Requester) {
  function list(path: ApiPath, filter: OwnEventFilter = {}, options: ListOptions = {}): Pages<EventRecord> {
    const query = { ...filter, per_page: options.perPage };
    return listPages(requester, { path, query }, eventReader, options);
  }
  return {
    /** The events of the user that the token belongs to, without those of epics and merge requests. */
    mine: (filter?: OwnEventFilter, options?: ListOptions) => list(apiPath('/events', {}), filter, options),
    /** The contributions of a user, without those to epics and merge requests; none if the user's profile is private. */
    ofUser: (idOrUsername: IdOrPath, filter?: EventFilter, options?: ListOptions) =>
      list(apiPath('/users/:id/events', { id: idOrUsername }), filter, options),
    ofProject: (idOrPath: IdOrPath, filter?: EventFilter, options?: ListOptions) =>
      list(apiPath('/projects/:project_id/events', { project_id: idOrPath }), filter, options),
  };
}
