import type { EventRecord } from '../api/events.ts';

/**
 * The web address of what an event is about: the issue, the comment, the commits of a push. Where there is none, such as
 * for a deleted branch or a kind that is not known, it is the project's.
 *
 * @param projectUrl the web address of the event's project, as the instance tells it.
 * @returns undefined if the project's address is none that a browser should open.
 */
export function eventLink(event: EventRecord, projectUrl: string): string | undefined {
  if (!/^https?:$/.test(URL.parse(projectUrl)?.protocol ?? '')) {
    return undefined;
  }
  const path = event.push_data ? pushPath(event.push_data) : targetPath(event);
  return path === undefined ? projectUrl : `${projectUrl.replace(/\/+$/, '')}/-/${path}`;
}

function pushPath(push: NonNullable<EventRecord['push_data']>): string | undefined {
  const { action, ref, ref_type, commit_count, commit_from, commit_to } = push;
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

function targetPath({ note, target_type, target_id, target_iid, wiki_page }: EventRecord): string | undefined {
  if (note) {
    // The target of a comment event is the comment; what it is on stands in the note.
    const path = recordPath(note.noteable_type, note.noteable_id, note.noteable_iid);
    return path && `${path}#note_${note.id}`;
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
    case 'Snippet':
    case 'ProjectSnippet':
      return numbered('snippets', id);
    default:
      return undefined;
  }
}

function numbered(folder: string, number: Id): string | undefined {
  return typeof number === 'number' ? `${folder}/${number}` : undefined;
}

/** Encodes the segments of a path; the slashes of a branch's name stay. */
function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
