import type { EventNote, EventPush, EventRecord } from '../../api/events.ts';
import { hasDotSegment, webAddress } from '../../common/instanceUrl.ts';
import { usernameOf } from './eventLabel.ts';
import { targetOf } from './targets.ts';

/** Where something happened, as far as it is known. Addresses are of the web and have no slash at their end. */
export interface Places {
  readonly instanceUrl: string;
  readonly projectUrl?: string | undefined;
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
  // What others wrote leads to no page above the project's.
  return path === undefined || hasDotSegment(path) ? project : `${project}/-/${path}`;
}

export function authorLink(event: EventRecord, instanceUrl: string): string | undefined {
  const username = usernameOf(event);
  return (
    webAddress(event.author?.web_url) ??
    (username === undefined ? undefined : `${instanceUrl}/${encodeURIComponent(username.toWellFormed())}`)
  );
}

/** Where something happened that belongs to no project; undefined if there is no page of it. */
function outsideLink(event: EventRecord, instanceUrl: string): string | undefined {
  const { note, group_id: groupId } = event;
  const { type, id } = targetOf(event);
  if (type?.name === 'snippet' && id !== undefined && !isGone(event)) {
    return `${instanceUrl}/-/snippets/${id}${anchorOf(note)}`;
  }
  // Leads to the group whatever its path is.
  return typeof groupId === 'number' ? `${instanceUrl}/-/g/${groupId}` : undefined;
}

/** By the commits where they are known, whatever the ref is. */
function pushPath({ action, ref, ref_type, commit_count, commit_from, commit_to }: EventPush): string | undefined {
  if (action === 'removed') {
    return undefined;
  }
  if (ref && ref_type === 'tag') {
    return `tags/${encodePath(ref)}`;
  }
  if (ref && (action === 'created' || !commit_to)) {
    return `commits/${encodePath(ref)}`;
  }
  if (!commit_to) {
    return undefined;
  }
  return commit_count === 1 || !commit_from || action === 'created'
    ? `commit/${encodePath(commit_to)}`
    : `compare/${encodePath(commit_from)}...${encodePath(commit_to)}`;
}

function targetPath(event: EventRecord): string | undefined {
  const { note, wiki_page } = event;
  if (!note) {
    return isGone(event) ? undefined : wiki_page?.slug ? `wikis/${encodePath(wiki_page.slug)}` : pageOf(event);
  }
  // A comment on a line of a commit names the commit by its position alone.
  const commit = note.commit_id ?? note.position?.head_sha;
  const path =
    note.noteable_type === 'Commit' && typeof commit === 'string' ? `commit/${encodePath(commit)}` : pageOf(event);
  return path && path + anchorOf(note);
}

function anchorOf(note: EventNote | null | undefined): string {
  return note?.id ? `#note_${note.id}` : '';
}

function pageOf(event: EventRecord): string | undefined {
  const { type, id, iid } = targetOf(event);
  const { page = '' } = type ?? {};
  const number = page.includes('{id}') ? id : iid;
  return page === '' || (page.includes('{') && number === undefined)
    ? undefined
    : page.replace(/\{i?id\}/, String(number));
}

/** Whether what an event is about has no page any more. */
export function isGone({ action_name: action }: EventRecord): boolean {
  return action === 'destroyed' || action === 'removed' || action === 'deleted';
}

/** Encodes the segments of a path; the slashes of a branch's name stay. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
