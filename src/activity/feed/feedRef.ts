import type { EventRecord } from '../../api/events.ts';
import type { UnrecognizedRecord } from '../../api/unrecognized.ts';

/** An entry of a feed; one that is no event record is kept, so that nothing is hidden. */
export type FeedItem = EventRecord | UnrecognizedRecord;

/** A list of events of an account, such as those of a project. Holds what is needed to ask for it and to name it. */
export type FeedRef = OwnFeed | ProjectFeed | UserFeed;

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
export function feedId(feed: FeedRef): string {
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

/** Whether an id is that of a feed of an account. An instance below a path of the same host makes ids that begin the same. */
export function isFeedOf(accountId: string, id: string): boolean {
  return (
    id.startsWith(`${accountId}/`) && /^(?:mine$|allProjects$|project\/|user\/)/.test(id.slice(accountId.length + 1))
  );
}

/**
 * Whether merge requests and epics are left out of a feed: they are in those of projects alone.
 *
 * @see https://docs.gitlab.com/api/events/#list-all-events
 */
export function lacksMergeRequests({ kind }: FeedRef | FeedChoice): boolean {
  return kind !== 'project' && kind !== 'workspaceProject';
}

/**
 * What a user chose to see. Some choices mean another feed in another window or with another account: the project whose repository
 * is open, and a user's own feed without an account, which is that of the account in use.
 */
export type FeedChoice =
  | { readonly kind: 'mine' | 'allProjects'; readonly accountId?: string }
  | { readonly kind: 'workspaceProject' }
  | ProjectFeed
  | UserFeed;

/** What such choices depend on. */
export interface FeedContext {
  /** The account in use in this window. */
  readonly accountId: string | undefined;
  /** The project of the repository that is open. */
  readonly workspaceProject: { readonly accountId: string; readonly path: string } | undefined;
}

/**
 * What is shown until something is chosen: what others did, in the project that is open or else in all projects. What the
 * user did is no news, and a project that only another account reaches is not what the account in use was chosen for.
 *
 * @param wanted the setting `beacon.activity.defaultFeed`, which may ask for another one of the user's feeds.
 */
export function firstChoice({ accountId, workspaceProject }: FeedContext, wanted?: unknown): FeedChoice {
  if (wanted === 'mine' || wanted === 'allProjects') {
    return { kind: wanted };
  }
  return { kind: workspaceProject && workspaceProject.accountId === accountId ? 'workspaceProject' : 'allProjects' };
}

/** Names a choice among all choices; the same choice may stand for different feeds over time. */
export function choiceId(choice: FeedChoice): string {
  switch (choice.kind) {
    case 'project':
      return `project/${choice.accountId}/${choice.id ?? choice.path}`;
    case 'user':
      return `user/${choice.accountId}/${choice.id}`;
    case 'mine':
    case 'allProjects':
      return choice.accountId === undefined ? choice.kind : `${choice.kind}/${choice.accountId}`;
    case 'workspaceProject':
      return choice.kind;
  }
}

/** The feed that a choice stands for; undefined if there is no account, or no project of this workspace. */
export function feedRefOf(choice: FeedChoice, { accountId, workspaceProject }: FeedContext): FeedRef | undefined {
  switch (choice.kind) {
    case 'mine':
    case 'allProjects': {
      const owner = choice.accountId ?? accountId;
      return owner === undefined ? undefined : { kind: choice.kind, accountId: owner };
    }
    case 'workspaceProject':
      return workspaceProject && { kind: 'project', ...workspaceProject };
    case 'project':
    case 'user':
      return choice;
  }
}

/** Reads a choice as it was remembered; undefined if it is none, such as of a later version. */
export function readChoice(remembered: unknown): FeedChoice | undefined {
  if (typeof remembered !== 'object' || remembered === null || !('kind' in remembered)) {
    return undefined;
  }
  const { kind, accountId, id, path, username, name } = remembered as Record<string, unknown>;
  switch (kind) {
    case 'mine':
    case 'allProjects':
      return { kind, ...(typeof accountId === 'string' ? { accountId } : {}) };
    case 'workspaceProject':
      return { kind };
    case 'project':
      return typeof accountId === 'string' && typeof path === 'string'
        ? { kind, accountId, path, ...(typeof id === 'number' ? { id } : {}) }
        : undefined;
    case 'user':
      return typeof accountId === 'string' &&
        typeof id === 'number' &&
        typeof username === 'string' &&
        typeof name === 'string'
        ? { kind, accountId, id, username, name }
        : undefined;
    default:
      return undefined;
  }
}
