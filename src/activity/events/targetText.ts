import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';

/**
 * What an event is about in words, such as `issue #12 "Title"`, or brief: `#12 Title`. For a comment that is what was
 * commented on. Never empty.
 */
export function targetText(event: EventRecord, brief: boolean): string {
  const { note, target_type, target_iid, wiki_page } = event;
  const type = note ? note.noteable_type : target_type;
  // The target's own iid of a comment is the number of the comment.
  const iid = (note ? note.noteable_iid : target_iid) ?? undefined;
  const title = event.target_title || wiki_page?.title || '';
  const named = (what: string): string => (title === '' ? what : brief ? `${what} ${title}` : `${what} "${title}"`);
  const { t } = vscode.l10n;
  switch (type ?? null) {
    case 'Issue':
    case 'WorkItem':
      return named(iid === undefined ? t('an issue') : brief ? `#${iid}` : t('issue #{0}', iid));
    case 'MergeRequest':
      return named(iid === undefined ? t('a merge request') : brief ? `!${iid}` : t('merge request !{0}', iid));
    case 'Epic':
      return named(iid === undefined ? t('an epic') : brief ? `&${iid}` : t('epic &{0}', iid));
    case 'Milestone':
      return named(t('milestone'));
    case 'Snippet':
    case 'ProjectSnippet':
    case 'PersonalSnippet':
      return named(t('snippet'));
    case 'Commit':
      return named(t('a commit'));
    case 'WikiPage::Meta':
    case 'WikiPage':
      return named(t('wiki page'));
    case 'DesignManagement::Design':
      return named(t('design'));
    case 'User':
      return named(t('user'));
    case 'Note':
    case 'DiffNote':
    case 'DiscussionNote':
      return named(t('something'));
    case 'Project':
      return title === '' ? t('the project') : named(t('project'));
    case null:
      return named(event.project_id === null || event.project_id === undefined ? t('something') : t('the project'));
    default:
      return named(type || t('something'));
  }
}
