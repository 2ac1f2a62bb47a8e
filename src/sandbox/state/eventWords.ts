import type { Event } from './model.ts';

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
