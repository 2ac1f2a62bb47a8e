import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';

/**
 * What an event is about in words, such as `issue #12 “Title”`, or brief: `#12 Title`. For a comment that is what was
 * commented on. Never empty.
 */
export function targetText(event: EventRecord, brief: boolean): string {
  const { note, target_type, target_iid, wiki_page } = event;
  const type = note ? note.noteable_type : target_type;
  // The target's own iid of a comment is the number of the comment.
  const iid = (note ? note.noteable_iid : target_iid) ?? undefined;
  const title = event.target_title || wiki_page?.title || '';
  const { t } = vscode.l10n;
  const named = (what: string): string => (brief ? `${what} ${title}` : t('{0} “{1}”', what, title));
  /** By number, by title, or both; `some` where the instance tells neither. */
  const numbered = (some: string, kind: string, sign: string, withNumber: (number: number) => string): string => {
    const what = iid === undefined ? kind : brief ? `${sign}${iid}` : withNumber(iid);
    return title !== '' ? named(what) : iid === undefined ? some : what;
  };
  const titled = (some: string, kind: string): string => (title === '' ? some : named(kind));
  const issue = () => numbered(t('an issue'), t('issue'), '#', (number) => t('issue #{0}', number));
  // A work item of a group is an epic.
  const epic = () => numbered(t('an epic'), t('epic'), '&', (number) => t('epic &{0}', number));
  switch (type ?? null) {
    case 'Issue':
      return issue();
    case 'WorkItem':
      return typeof event.project_id === 'number' ? issue() : epic();
    case 'MergeRequest':
      return numbered(t('a merge request'), t('merge request'), '!', (number) => t('merge request !{0}', number));
    case 'Epic':
      return epic();
    case 'Milestone':
      return titled(t('a milestone'), t('milestone'));
    case 'Snippet':
    case 'ProjectSnippet':
    case 'PersonalSnippet':
      return titled(t('a snippet'), t('snippet'));
    case 'Commit':
      return titled(t('a commit'), t('commit'));
    case 'WikiPage::Meta':
    case 'WikiPage':
      return titled(t('a wiki page'), t('wiki page'));
    case 'DesignManagement::Design':
      return titled(t('a design'), t('design'));
    case 'AlertManagement::Alert':
      return numbered(t('an alert'), t('alert'), '^alert#', (number) => t('alert {0}', number));
    case 'User':
      return titled(t('a user'), t('user'));
    case 'Project':
      return titled(t('the project'), t('project'));
    case 'Note':
    case 'DiffNote':
    case 'DiscussionNote':
      return titled(t('something'), t('something'));
    case null: {
      const some = event.project_id === null || event.project_id === undefined ? t('something') : t('the project');
      return titled(some, some);
    }
    default:
      return titled(type || t('something'), type || t('something'));
  }
}
