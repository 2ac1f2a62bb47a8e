import * as z from 'zod/mini';
import { apiPath, type ApiPath, type IdOrPath } from './encoding.ts';
import { type ListOptions, listPages, type Pages } from './pagination.ts';
import { inner, RecordReader } from './records.ts';
import type { Requester } from './requester.ts';
import { userSchema } from './users.ts';

const noteSchema = z.looseObject({
  id: z.int(),
  type: z.nullish(z.string()),
  body: z.string(),
  author: z.nullish(inner(userSchema)),
  created_at: z.string(),
  updated_at: z.nullish(z.string()),
  system: z.optional(z.boolean()),
  noteable_id: z.nullish(z.int()),
  noteable_type: z.nullish(z.string()),
  noteable_iid: z.nullish(z.int()),
  resolvable: z.optional(z.boolean()),
  confidential: z.optional(z.boolean()),
  internal: z.optional(z.boolean()),
});

const pushDataSchema = z.looseObject({
  commit_count: z.nullish(z.int()),
  action: z.nullish(z.string()),
  ref_type: z.nullish(z.string()),
  commit_from: z.nullish(z.string()),
  commit_to: z.nullish(z.string()),
  ref: z.nullish(z.string()),
  commit_title: z.nullish(z.string()),
  ref_count: z.nullish(z.int()),
});

const wikiPageSchema = z.looseObject({
  format: z.nullish(z.string()),
  slug: z.string(),
  title: z.nullish(z.string()),
});

/** An activity event (section 2.5). */
export const eventSchema = z.looseObject({
  id: z.int(),
  project_id: z.nullish(z.int()),
  action_name: z.string(),
  target_id: z.nullish(z.int()),
  target_iid: z.nullish(z.int()),
  target_type: z.nullish(z.string()),
  target_title: z.nullish(z.string()),
  author_id: z.nullish(z.int()),
  author: z.nullish(inner(userSchema)),
  author_username: z.nullish(z.string()),
  created_at: z.string(),
  imported: z.optional(z.boolean()),
  imported_from: z.nullish(z.string()),
  note: z.nullish(inner(noteSchema)),
  push_data: z.nullish(inner(pushDataSchema)),
  wiki_page: z.nullish(inner(wikiPageSchema)),
});

/**
 * An activity event (section 2.5). `created_at` is ISO 8601 with milliseconds, in UTC or with an offset. `author` is absent
 * when the account is deleted, `project_id` null when the event belongs to none; a push has no target, a note's target is
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

/** What an event is about, as a filter (section 4.4); a record's `target_type` is a class name, such as `MergeRequest`. */
export type EventTargetType = Known<
  'design' | 'epic' | 'issue' | 'merge_request' | 'milestone' | 'note' | 'project' | 'snippet' | 'user' | 'wiki'
>;

/** Which events to list, and in what order (section 4.4). */
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
 * Activity feeds (section 4.4). They need a token with the scope `read_user` or `api`. Records that are not events come as
 * unrecognized records.
 */
export class Events {
  readonly #requester: Requester;
  readonly #reader = new RecordReader(eventSchema);

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
    return listPages(this.#requester, { method: 'GET', path, query }, this.#reader, options);
  }
}

function dayOf(date: Date | string | undefined): Date | string | undefined {
  // An invalid date is refused with all that cannot be sent.
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date.toISOString().replace(/T.*/, '') : date;
}
