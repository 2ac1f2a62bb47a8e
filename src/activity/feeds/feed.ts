import type { Client } from '../../api/client.ts';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import type { ListOptions, Pages } from '../../api/pagination.ts';

/** A list of events of an account, such as those of a project. Holds what is needed to ask for it and to name it. */
export type Feed = OwnFeed | ProjectFeed | UserFeed;

/** The events of the user of an account, or of everyone in all projects of that user. */
export interface OwnFeed {
  readonly kind: 'mine' | 'allProjects';
  readonly accountId: string;
}

export interface ProjectFeed {
  readonly kind: 'project';
  readonly accountId: string;
  /** The numeric id, which survives a move; undefined where the path alone is known, as of a repository's remote. */
  readonly id?: number;
  /** The full path, as it was when the feed was chosen. */
  readonly path: string;
}

export interface UserFeed {
  readonly kind: 'user';
  readonly accountId: string;
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/** Names a feed among all feeds of all accounts. */
export function feedId(feed: Feed): string {
  switch (feed.kind) {
    case 'mine':
    case 'allProjects':
      return `${feed.accountId}/${feed.kind}`;
    case 'project':
      return `${feed.accountId}/project/${feed.id ?? feed.path}`;
    case 'user':
      return `${feed.accountId}/user/${feed.id}`;
  }
}

/** Whether merge requests and epics are left out of a feed: they are in those of projects alone (section 4.4). */
export function lacksMergeRequests({ kind }: Feed): boolean {
  return kind !== 'project';
}

/** The pages of a feed (section 4.4). */
export function pagesOf(client: Client, feed: Feed, filter: EventFilter, options: ListOptions): Pages<EventRecord> {
  switch (feed.kind) {
    case 'mine':
      return client.events.mine(filter, options);
    case 'allProjects':
      return client.events.mine({ ...filter, scope: 'all' }, options);
    case 'project':
      return client.events.ofProject(feed.id ?? feed.path, filter, options);
    case 'user':
      return client.events.ofUser(feed.id, filter, options);
  }
}
