import type { EventPush, EventRecord } from '../../api/events.ts';
import { webAddress } from '../../common/instanceUrl.ts';

/** Where an event happened, as far as it is known. */
export interface Places {
  /** Without a slash at its end. */
  readonly instanceUrl: string;
  /** The web address of the event's project, from the instance. */
  readonly projectUrl: string | undefined;
}

/**
 * The web address of what an event is about: the issue, the comment, the commits of a push. Where there is none, such as
 * for a deleted branch or a kind that is not known, it is the project's; outside of projects it is the page of the snippet or of
 * the group, else the author's.
 */
export function eventLink(event: EventRecord, { instanceUrl, projectUrl }: Places): string {
  const { project_id: projectId } = event;
  if (typeof projectId !== 'number') {
    return outsideLink(event, instanceUrl) ?? authorLink(event, instanceUrl) ?? instanceUrl;
  }
  const project = webAddress(projectUrl);
  if (project === undefined) {
    // Leads to the project whatever its path is.
    return `${instanceUrl}/projects/${projectId}`;
  }
  const path = event.push_data ? pushPath(event.push_data) : targetPath(event);
  return path === undefined ? project : `${project.replace(/(?<!\/)\/+$/, '')}/-/${path}`;
}

/** The web address of the author; undefined if the account is not known. */
export function authorLink({ author, author_username }: EventRecord, instanceUrl: string): string | undefined {
  const { web_url: url, username = author_username } = author ?? {};
  return webAddress(url) ?? (username ? `${instanceUrl}/${encodeURIComponent(username.toWellFormed())}` : undefined);
}

/** Where something happened that belongs to no project; undefined if there is no page of it. */
function outsideLink(event: EventRecord, instanceUrl: string): string | undefined {
  const { note, target_type, target_id, group_id: groupId } = event;
  const [type, id] = note ? [note.noteable_type, note.noteable_id] : [target_type, target_id];
  if (isSnippet(type) && typeof id === 'number' && !isGone(event)) {
    return `${instanceUrl}/-/snippets/${id}${note ? `#note_${note.id}` : ''}`;
  }
  // Leads to the group whatever its path is.
  return Number.isSafeInteger(groupId) ? `${instanceUrl}/-/g/${Number(groupId)}` : undefined;
}

function pushPath({ action, ref, ref_type, commit_count, commit_from, commit_to }: EventPush): string | undefined {
  if (action === 'removed' || !ref) {
    return undefined;
  }
  if (ref_type === 'tag') {
    return `tags/${encodePath(ref)}`;
  }
  if (action === 'created' || !commit_to) {
    return `commits/${encodePath(ref)}`;
  }
  return commit_count === 1 || !commit_from
    ? `commit/${encodePath(commit_to)}`
    : `compare/${encodePath(commit_from)}...${encodePath(commit_to)}`;
}

function targetPath(event: EventRecord): string | undefined {
  const { note, target_type, target_id, target_iid, wiki_page } = event;
  if (note) {
    // The target of a comment event is the comment; what it is on stands in the note.
    // A comment on a line of a commit names the commit by its position alone.
    const commit = note.commit_id ?? note.position?.head_sha;
    const path =
      note.noteable_type === 'Commit' && typeof commit === 'string'
        ? `commit/${encodePath(commit)}`
        : recordPath(note.noteable_type, note.noteable_id, note.noteable_iid);
    return path && `${path}#note_${note.id}`;
  }
  if (isGone(event)) {
    return undefined;
  }
  if (wiki_page) {
    return `wikis/${encodePath(wiki_page.slug)}`;
  }
  return recordPath(target_type, target_id, target_iid);
}

type Id = number | null | undefined;

function recordPath(type: string | null | undefined, id: Id, iid: Id): string | undefined {
  switch (type) {
    case 'Issue':
      return numbered('issues', iid);
    case 'WorkItem':
      return numbered('work_items', iid);
    case 'MergeRequest':
      return numbered('merge_requests', iid);
    case 'Milestone':
      return numbered('milestones', iid);
    case 'AlertManagement::Alert':
      return typeof iid === 'number' ? `alert_management/${iid}/details` : undefined;
    case 'WikiPage::Meta':
    case 'WikiPage':
      // The API does not give the address of the page: this one lists all pages.
      return 'wikis/pages';
    default:
      return isSnippet(type) ? numbered('snippets', id) : undefined;
  }
}

function isSnippet(type: string | null | undefined): boolean {
  return type === 'Snippet' || type === 'ProjectSnippet' || type === 'PersonalSnippet';
}

/** Whether what an event is about has no page any more. */
function isGone({ action_name: action }: EventRecord): boolean {
  return action === 'destroyed' || action === 'removed' || action === 'deleted';
}

function numbered(folder: string, number: Id): string | undefined {
  return typeof number === 'number' ? `${folder}/${number}` : undefined;
}

/** Encodes the segments of a path; the slashes of a branch's name stay. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/**
 * The text by which people refer to what an event is about, as the platform understands it in comments: `group/project#12`,
 * `group/project!34`, `group/project@1a2b3c4d`, a branch, `@user`.
 *
 * @param projectPath the full path of the event's project; references are then valid everywhere on the instance.
 * @returns undefined if there is no such text.
 */
export function eventReference(event: EventRecord, projectPath: string | undefined): string | undefined {
  const project = projectPath ?? '';
  const { note, push_data: push } = event;
  if (push) {
    if (push.ref_type === 'tag' || push.action === 'removed' || !push.commit_to) {
      return push.ref ?? projectPath;
    }
    return (push.commit_count ?? 1) > 1 && push.commit_from
      ? `${project}@${short(push.commit_from)}...${short(push.commit_to)}`
      : `${project}@${short(push.commit_to)}`;
  }
  const type = note ? note.noteable_type : event.target_type;
  const iid = note ? note.noteable_iid : event.target_iid;
  const id = note ? note.noteable_id : event.target_id;
  const title = event.target_title ?? '';
  const withIid = (sign: string): string | undefined => (typeof iid === 'number' ? `${sign}${iid}` : undefined);
  switch (type) {
    case 'WorkItem':
      return withIid(typeof event.project_id === 'number' ? `${project}#` : '&');
    case 'Issue':
      return withIid(`${project}#`);
    case 'MergeRequest':
      return withIid(`${project}!`);
    case 'Epic':
      return withIid('&');
    case 'Milestone':
      return title === '' ? undefined : `${project}%"${title}"`;
    case 'AlertManagement::Alert':
      return withIid(`${project}^alert#`);
    case 'Snippet':
    case 'ProjectSnippet':
    case 'PersonalSnippet':
      return typeof id === 'number' ? `${project}$${id}` : undefined;
    case 'WikiPage::Meta':
      return event.wiki_page ? `[[${event.wiki_page.slug}]]` : undefined;
    case 'Project':
    case null:
    case undefined:
      return projectPath;
    default:
      return undefined;
  }
}

/** As many digits of a commit's id as people write. */
function short(commit: string): string {
  return commit.slice(0, 8);
}
