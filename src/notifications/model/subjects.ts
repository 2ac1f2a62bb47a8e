import type { NotificationEvent } from '../../api/notificationVocabulary.ts';

/** What events are about, in the order in which they are shown. */
export const subjects = ['issues', 'mergeRequests', 'pipelines', 'others'] as const;
export type Subject = (typeof subjects)[number];

const eventsBySubject: Readonly<Record<Subject, readonly NotificationEvent[]>> = {
  issues: ['new_issue', 'close_issue', 'reopen_issue', 'reassign_issue', 'issue_due'],
  mergeRequests: [
    'new_merge_request',
    'push_to_merge_request',
    'merge_merge_request',
    'close_merge_request',
    'reopen_merge_request',
    'reassign_merge_request',
    'change_reviewer_merge_request',
    'merge_when_pipeline_succeeds',
    'approver',
  ],
  pipelines: ['failed_pipeline', 'fixed_pipeline', 'success_pipeline'],
  others: ['new_note', 'new_epic', 'new_release', 'moved_project'],
};

/**
 * Groups events by what they are about, each group in its order; events that are not known here, such as those that came
 * with a newer instance, go to the pipelines or the others by their names. Empty groups are left out.
 */
export function groupBySubject(
  events: readonly string[],
): { readonly subject: Subject; readonly events: readonly string[] }[] {
  return subjects
    .map((subject) => {
      const known: readonly string[] = eventsBySubject[subject];
      const strangers = events.filter((event) => !isKnown(event) && subjectOfStranger(event) === subject);
      return { subject, events: [...known.filter((event) => events.includes(event)), ...strangers] };
    })
    .filter((group) => group.events.length > 0);
}

function isKnown(event: string): boolean {
  return Object.values(eventsBySubject).some((events: readonly string[]) => events.includes(event));
}

function subjectOfStranger(event: string): Subject {
  return event.endsWith('_pipeline') ? 'pipelines' : 'others';
}
