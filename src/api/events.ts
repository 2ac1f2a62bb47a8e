import * as z from 'zod/mini';
import { authorSchema } from './directory.ts';
import { field, RecordReader } from './fields.ts';
import { readTimestamp } from './grammar.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import type { Requester } from './request.ts';
import { apiPath, type ApiPath, type IdOrPath } from './url.ts';

/** The platform's bound for a comment, which is the longest text of an event. */
const longestComment = 1_000_000;
const longestTitle = 1000;
const longestWord = 255;

const positionSchema = z.looseObject({ head_sha: field.sha() });

const noteSchema = z.looseObject({
  id: field.requiredId(),
  type: field.text(longestWord),
  body: field.requiredText(longestComment),
  author: field.record(authorSchema),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
  system: field.flag(),
  noteable_id: field.number(),
  noteable_type: field.text(longestWord),
  noteable_iid: field.number(),
  commit_id: field.sha(),
  resolvable: field.flag(),
  confidential: field.flag(),
  internal: field.flag(),
  position: field.record(positionSchema),
});

const pushDataSchema = z.looseObject({
  commit_count: field.number(),
  action: field.text(longestWord),
  ref_type: field.text(longestWord),
  commit_from: field.sha(),
  commit_to: field.sha(),
  ref: field.ref(),
  commit_title: field.text(longestTitle),
  ref_count: field.number(),
});

const wikiPageSchema = z.looseObject({
  format: field.text(longestWord),
  slug: field.requiredText(longestTitle),
  title: field.text(longestTitle),
});

/** An activity event. */
const eventSchema = z.looseObject({
  id: field.requiredId(),
  project_id: field.number(),
  action_name: field.requiredText(longestWord),
  target_id: field.number(),
  target_iid: field.number(),
  target_type: field.text(longestWord),
  target_title: field.text(longestTitle),
  author_id: field.number(),
  author: field.record(authorSchema),
  author_username: field.username(),
  created_at: field.timestamp(),
  group_id: field.number(),
  imported: field.flag(),
  imported_from: field.text(longestWord),
  note: field.record(noteSchema),
  push_data: field.record(pushDataSchema),
  wiki_page: field.record(wikiPageSchema),
});

/** Reads events, of an instance or of what was kept of one. */
export const eventReader = new RecordReader(eventSchema, withId);

/**
 * Gives a record without an id, as instances of 2018 send them, one that is the same whenever the record comes again. It grows
 * with the time of the event, as ids do. What has neither is no event.
 */
function withId(element: unknown): unknown {
  if (typeof element !== 'object' || element === null || !('action_name' in element)) {
    return element;
  }
  const { id, created_at: createdAt } = element as { readonly id?: unknown; readonly created_at?: unknown };
  if (id !== undefined && id !== null) {
    return element;
  }
  const time = readTimestamp(createdAt);
  if (time === undefined) {
    return element;
  }
  let hash = 0;
  for (const character of JSON.stringify(element)) {
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  }
  // Events of one millisecond differ by some bits of the hash, as many as a number has room for.
  const byTime = time * 4096 + (hash % 4096);
  return { ...element, id: Number.isSafeInteger(byTime) ? byTime : hash };
}

/**
 * An activity event. `created_at` is ISO 8601 with milliseconds, in UTC or with an offset; null if it is no such
 * time. `author` is absent when the account is deleted, `project_id` null when the event belongs to none; a push has no target, a note's target is
 * found by `note.noteable_iid`. Other fields that the instance sends are kept, untyped.
 */
export type EventRecord = z.infer<typeof eventSchema>;
/** The comment that an event is about. */
export type EventNote = z.infer<typeof noteSchema>;
/** The push that an event is about. In a bulk push `commit_count` is 0, `ref_count` set and the commits and `ref` null. */
export type EventPush = z.infer<typeof pushDataSchema>;

/** A string of which some values are known; the platform may add others. */
type Known<Values extends string> = Values | (string & Record<never, never>);

/** What kind of action an event is, as a filter; a record's `action_name` has other words. */
export type EventAction = Known<
  | 'approved'
  | 'closed'
  | 'commented'
  | 'created'
  | 'destroyed'
  | 'expired'
  | 'joined'
  | 'left'
  | 'merged'
  | 'pushed'
  | 'reopened'
  | 'updated'
>;

/** What an event is about, as a filter; a record's `target_type` is a class name, such as `MergeRequest`. */
export type EventTargetType = Known<
  'design' | 'epic' | 'issue' | 'merge_request' | 'milestone' | 'note' | 'project' | 'snippet' | 'user' | 'wiki'
>;

/** Which events to list, and in what order. */
export interface EventFilter {
  readonly action?: EventAction | undefined;
  readonly target_type?: EventTargetType | undefined;
  /** Events before this day, the day itself excluded: an ISO 8601 date, or a Date, of which the day in UTC counts. */
  readonly before?: Date | string | undefined;
  /** Events after this day, the day itself excluded: an ISO 8601 date, or a Date, of which the day in UTC counts. */
  readonly after?: Date | string | undefined;
  /** By time of creation; `desc` if not given. */
  readonly sort?: 'asc' | 'desc' | undefined;
}

/** As EventFilter, for the user's own feed. */
export interface OwnEventFilter extends EventFilter {
  /** `all`: the events of everyone in all of the user's projects. */
  readonly scope?: Known<'all'> | undefined;
}

/**
 * Activity feeds. They need a token with the scope `read_user` or `api`. Records that are not events come as
 * unrecognized records.
 *
 * @see https://docs.gitlab.com/api/events/
 */
export class Events {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The events of the user that the token belongs to, without those of epics and merge requests. */
  mine(filter: OwnEventFilter = {}, options: ListOptions = {}): Pages<EventRecord> {
    return this.#list(apiPath('/events', {}), filter, options);
  }

  /** The contributions of a user, without those to epics and merge requests; none if the user's profile is private. */
  ofUser(idOrUsername: IdOrPath, filter: EventFilter = {}, options: ListOptions = {}): Pages<EventRecord> {
    return this.#list(apiPath('/users/:id/events', { id: idOrUsername }), filter, options);
  }

  /** All events of a project that the user may see. */
  ofProject(idOrPath: IdOrPath, filter: EventFilter = {}, options: ListOptions = {}): Pages<EventRecord> {
    return this.#list(apiPath('/projects/:project_id/events', { project_id: idOrPath }), filter, options);
  }

  #list(path: ApiPath, filter: OwnEventFilter, options: ListOptions): Pages<EventRecord> {
    const query = {
      ...filter,
      before: dayOf(filter.before),
      after: dayOf(filter.after),
      page: options.page,
      per_page: options.perPage,
    };
    return listPages(this.#requester, { method: 'GET', path, query }, eventReader, options);
  }
}

function dayOf(date: Date | string | undefined): Date | string | undefined {
  // An invalid date is refused with all that cannot be sent.
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date.toISOString().replace(/T.*/, '') : date;
}
