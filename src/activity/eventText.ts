import * as vscode from 'vscode';
import type { EventRecord } from '../api/events.ts';

/**
 * Says in one line what happened: `Opened issue #12 "Title"`, `Pushed 3 commits to main`. An action or target that is not
 * known is named as the instance names it.
 */
export function eventLabel(event: EventRecord): string {
  return event.push_data ? pushLabel(event.push_data) : actionLabel(event.action_name, target(event));
}

/** The codicon that stands for the kind of an event. */
export function eventIcon(event: EventRecord): string {
  if (event.push_data) {
    return event.push_data.ref_type === 'tag' ? 'tag' : 'repo-push';
  }
  return actionIcons[event.action_name] ?? targetIcons[event.target_type ?? ''] ?? 'pulse';
}

const actionIcons: Readonly<Record<string, string>> = {
  'commented on': 'comment',
  closed: 'issue-closed',
  accepted: 'git-merge',
  merged: 'git-merge',
  approved: 'check',
  joined: 'person-add',
  left: 'sign-out',
  destroyed: 'trash',
};

const targetIcons: Readonly<Record<string, string>> = {
  Issue: 'issues',
  WorkItem: 'issues',
  MergeRequest: 'git-pull-request',
  Milestone: 'milestone',
  Project: 'repo',
  Snippet: 'symbol-snippet',
  User: 'person',
  'WikiPage::Meta': 'book',
  'DesignManagement::Design': 'file-media',
};

function pushLabel(push: NonNullable<EventRecord['push_data']>): string {
  const ref = push.ref ?? '';
  if (push.ref_count) {
    return push.ref_type === 'tag'
      ? vscode.l10n.t('Pushed {0} tags', push.ref_count)
      : vscode.l10n.t('Pushed {0} branches', push.ref_count);
  }
  switch (push.action) {
    case 'created':
      return push.ref_type === 'tag' ? vscode.l10n.t('Created tag {0}', ref) : vscode.l10n.t('Created branch {0}', ref);
    case 'removed':
      return push.ref_type === 'tag' ? vscode.l10n.t('Deleted tag {0}', ref) : vscode.l10n.t('Deleted branch {0}', ref);
    default:
      return push.commit_count === 1
        ? vscode.l10n.t('Pushed to {0}: {1}', ref, push.commit_title ?? vscode.l10n.t('1 commit'))
        : vscode.l10n.t('Pushed {0} commits to {1}', push.commit_count ?? 0, ref);
  }
}

function actionLabel(action: string, what: string): string {
  switch (action) {
    case 'opened':
      return vscode.l10n.t('Opened {0}', what);
    case 'created':
      return vscode.l10n.t('Created {0}', what);
    case 'updated':
      return vscode.l10n.t('Updated {0}', what);
    case 'closed':
      return vscode.l10n.t('Closed {0}', what);
    case 'reopened':
      return vscode.l10n.t('Reopened {0}', what);
    case 'accepted':
    case 'merged':
      return vscode.l10n.t('Merged {0}', what);
    case 'approved':
      return vscode.l10n.t('Approved {0}', what);
    case 'commented on':
      return vscode.l10n.t('Commented on {0}', what);
    case 'joined':
      return vscode.l10n.t('Joined {0}', what);
    case 'left':
      return vscode.l10n.t('Left {0}', what);
    case 'imported':
      return vscode.l10n.t('Imported {0}', what);
    case 'destroyed':
      return vscode.l10n.t('Deleted {0}', what);
    default:
      return `${action} ${what}`.trim();
  }
}

/** The target in words, such as `issue #12 "Title"`; for a comment that is what was commented on. */
function target({ note, target_type, target_iid, target_title }: EventRecord): string {
  const type = note ? note.noteable_type : target_type;
  // The target's own iid of a comment is the number of the comment.
  const iid = (note ? note.noteable_iid : target_iid)?.toString();
  const title = target_title ? ` "${target_title}"` : '';
  switch (type ?? null) {
    case 'Issue':
    case 'WorkItem':
      return (iid ? vscode.l10n.t('issue #{0}', iid) : vscode.l10n.t('an issue')) + title;
    case 'MergeRequest':
      return (iid ? vscode.l10n.t('merge request !{0}', iid) : vscode.l10n.t('a merge request')) + title;
    case 'Milestone':
      return vscode.l10n.t('milestone') + title;
    case 'Snippet':
      return vscode.l10n.t('snippet') + title;
    case 'Commit':
      return vscode.l10n.t('a commit') + title;
    case 'WikiPage::Meta':
      return vscode.l10n.t('wiki page') + title;
    case 'DesignManagement::Design':
      return vscode.l10n.t('design') + title;
    case 'Project':
    case null:
      return vscode.l10n.t('the project') + title;
    default:
      return (type ?? '') + title;
  }
}
