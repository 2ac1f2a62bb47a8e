import type { EventRecord } from '../../api/events.ts';

/** The codicon that stands for the kind of an event; `pulse` for a kind that is not known. */
export function eventIcon({
  push_data: push,
  action_name: action,
  target_type: type,
  project_id: projectId,
}: EventRecord): string {
  if (push) {
    return push.action === 'removed'
      ? 'trash'
      : push.ref_type === 'tag'
        ? 'tag'
        : (pushIcons.get(push.action ?? '') ?? 'repo-push');
  }
  const ofTarget = (type === 'MergeRequest' ? mergeRequestIcons.get(action) : undefined) ?? actionIcons.get(action);
  if (ofTarget !== undefined) {
    return ofTarget;
  }
  if (type === 'WorkItem' && typeof projectId !== 'number') {
    return 'layers';
  }
  const isCreatedProject = !type && action === 'created' && typeof projectId === 'number';
  return targetIcons.get(isCreatedProject ? 'Project' : (type ?? '')) ?? 'pulse';
}

const pushIcons = new Map(Object.entries<string>({ created: 'git-branch' }));

const mergeRequestIcons = new Map(Object.entries<string>({ closed: 'git-pull-request-closed' }));

const actionIcons = new Map(
  Object.entries<string>({
    'commented on': 'comment',
    closed: 'issue-closed',
    reopened: 'issue-reopened',
    accepted: 'git-merge',
    merged: 'git-merge',
    approved: 'check',
    joined: 'person-add',
    left: 'sign-out',
    'removed due to membership expiration from': 'sign-out',
    imported: 'cloud-download',
    destroyed: 'trash',
    deleted: 'trash',
    removed: 'trash',
    pushed: 'repo-push',
    'pushed to': 'repo-push',
    'pushed new': 'repo-push',
  }),
);

const targetIcons = new Map(
  Object.entries<string>({
    Issue: 'issues',
    WorkItem: 'issues',
    MergeRequest: 'git-pull-request',
    Epic: 'layers',
    Milestone: 'milestone',
    Project: 'repo',
    Snippet: 'symbol-snippet',
    User: 'person',
    'WikiPage::Meta': 'book',
    'DesignManagement::Design': 'file-media',
    'AlertManagement::Alert': 'bell',
  }),
);
