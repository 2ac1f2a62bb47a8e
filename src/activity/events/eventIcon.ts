import type { EventRecord } from '../../api/events.ts';

/** A codicon, and the colour of the theme for what it stands for, if there is one. */
export interface EventIcon {
  readonly id: string;
  /** The id of a colour that themes define for charts or for Git. */
  readonly color?: string;
}

/** The icon that stands for what was done; `pulse` for an action or target that is not known. */
export function eventIcon(event: EventRecord): EventIcon {
  const { push_data: push, action_name: action, target_type: type, project_id: projectId } = event;
  if (push) {
    switch (push.action) {
      case 'removed':
        return deleted;
      case 'created':
        return { id: push.ref_type === 'tag' ? 'tag' : 'git-branch', color: 'gitDecoration.addedResourceForeground' };
      default:
        return pushed;
    }
  }
  const known = (type === 'MergeRequest' ? mergeRequestIcons.get(action) : undefined) ?? actionIcons.get(action);
  if (known) {
    return known;
  }
  const isEpic = type === 'WorkItem' && typeof projectId !== 'number';
  const isCreatedProject = !type && action === 'created' && typeof projectId === 'number';
  const target = isEpic ? 'Epic' : isCreatedProject ? 'Project' : (type ?? '');
  const id = begins.has(action) ? targetIcons.get(target) : undefined;
  return id === undefined ? { id: 'pulse' } : { id, color: 'charts.green' };
}

/**
 * The address of the author's picture, which the editor itself loads and shows: only over TLS, at the instance's own origin, below its
 * path, and where GitLab has the pictures of users, which are public.
 *
 * @returns undefined for every other address.
 * @see https://docs.gitlab.com/administration/image_scaling/
 */
export function authorPicture({ author }: EventRecord, instanceUrl: string): string | undefined {
  const [instance, url] = [URL.parse(instanceUrl), URL.parse(author?.avatar_url ?? '')];
  if (!instance || url?.protocol !== 'https:' || url.origin !== instance.origin || url.username + url.password !== '') {
    return undefined;
  }
  const base = instance.pathname.replace(/(?<!\/)\/+$/, '');
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : '';
  return /^\/uploads\/-\/system\/user\/avatar\/\d{1,20}\/(?:[\w.+-]|%[89A-F][\dA-F]){1,255}$/i.test(path)
    ? `${url.origin}${url.pathname}?width=64`
    : undefined;
}

/** Whether the icon says what was done, so that a row need not. */
export function hasActionIcon(event: EventRecord): boolean {
  return eventIcon(event).id !== 'pulse';
}

/** Whether an icon that says what was done says to what, too. */
export function hasTargetIcon({ action_name: action }: EventRecord): boolean {
  return begins.has(action);
}

const deleted = { id: 'trash', color: 'gitDecoration.deletedResourceForeground' };
const merged = { id: 'git-merge', color: 'charts.purple' };
const left = { id: 'sign-out' };
const pushed = { id: 'repo-push', color: 'charts.blue' };

/** Actions that begin something: the icon is that of the target. */
const begins = new Set(['opened', 'created', 'added']);

const mergeRequestIcons = new Map<string, EventIcon>([
  ['closed', { id: 'git-pull-request-closed', color: 'charts.red' }],
]);

const actionIcons = new Map<string, EventIcon>([
  ['commented on', { id: 'comment' }],
  ['updated', { id: 'edit', color: 'gitDecoration.modifiedResourceForeground' }],
  ['closed', { id: 'issue-closed', color: 'charts.purple' }],
  ['reopened', { id: 'issue-reopened', color: 'charts.green' }],
  ['accepted', merged],
  ['merged', merged],
  ['approved', { id: 'check', color: 'charts.green' }],
  ['joined', { id: 'person-add' }],
  ['left', left],
  ['removed due to membership expiration from', left],
  ['imported', { id: 'cloud-download' }],
  ['destroyed', deleted],
  ['deleted', deleted],
  ['removed', deleted],
  ['pushed', pushed],
  ['pushed to', pushed],
  ['pushed new', pushed],
]);

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
