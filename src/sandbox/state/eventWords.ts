import type { Dialect } from '../dialect.ts';
import type { Event, EventTarget } from './model.ts';

/** The values of the filter `action`. */
export const eventActions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
  'approved',
] as const;

/** The values of the filter `target_type` (section 4.4), and the class names that each of them lets pass. */
export const eventTargetTypes: Readonly<Record<string, readonly string[]>> = {
  epic: ['Epic'],
  issue: ['Issue', 'WorkItem'],
  merge_request: ['MergeRequest'],
  milestone: ['Milestone'],
  // DiscussionNote is not among them: one of the documented limits of the feed.
  note: ['Note', 'DiffNote'],
  project: ['Project'],
  snippet: ['Snippet'],
  user: ['User'],
  wiki: ['WikiPage::Meta'],
  design: ['DesignManagement::Design'],
};

/** The class names that a value of the filter `target_type` lets pass: on the live platform the class of that name alone. */
export function classesOf(targetType: string, dialect: Dialect): readonly string[] | undefined {
  const classes = Object.hasOwn(eventTargetTypes, targetType) ? eventTargetTypes[targetType] : undefined;
  return dialect === 'live' ? classes?.slice(0, 1) : classes;
}

/** What an event is about on the live platform: the project of a push, too. Pushes of older versions keep none. */
export function liveTarget({ id, target, push, project }: Event): EventTarget | undefined {
  return push && project && id % 3 !== 0 ? { id: project.id, iid: project.id, type: 'Project', title: '' } : target;
}

/** The live platform's `action_name` of an event. */
export function liveActionName({ action, target, push, importedFrom }: Event): string {
  const type = target?.type ?? '';
  switch (action) {
    case 'pushed':
      return pushNames[push?.action ?? 'pushed'];
    case 'created':
      return type === 'Project' && importedFrom ? 'imported' : (creationNames[type] ?? 'opened');
    case 'updated':
      return type === 'WikiPage::Meta' || type === 'DesignManagement::Design' ? 'updated' : 'opened';
    case 'reopened':
      return 'opened';
    case 'destroyed':
      return type === 'DesignManagement::Design' ? 'removed' : 'destroyed';
    default:
      return otherNames[action] ?? action;
  }
}

/** The `action_name` of an event in the words of the API documentation (section 2.5). */
export function specActionName(event: Event): string {
  return event.action === 'pushed' || event.action === 'reopened' ? event.action : liveActionName(event);
}

const otherNames: Readonly<Record<string, string>> = {
  commented: 'commented on',
  merged: 'accepted',
  expired: 'removed due to membership expiration from',
};

const pushNames = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const;

const creationNames: Readonly<Record<string, string>> = {
  Project: 'created',
  'WikiPage::Meta': 'created',
  'DesignManagement::Design': 'added',
};
