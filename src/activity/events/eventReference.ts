import type { EventRecord } from '../../api/events.ts';

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
  switch (type) {
    case 'WorkItem':
      if (typeof event.project_id !== 'number') {
        return typeof iid === 'number' ? `&${iid}` : undefined;
      }
      return typeof iid === 'number' ? `${project}#${iid}` : undefined;
    case 'Issue':
      return typeof iid === 'number' ? `${project}#${iid}` : undefined;
    case 'MergeRequest':
      return typeof iid === 'number' ? `${project}!${iid}` : undefined;
    case 'Epic':
      return typeof iid === 'number' ? `&${iid}` : undefined;
    case 'Milestone':
      return title === '' ? undefined : `${project}%"${title}"`;
    case 'AlertManagement::Alert':
      return typeof iid === 'number' ? `${project}^alert#${iid}` : undefined;
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
