import type { L10n } from '../../common/l10n.ts';
import type { laterNotificationEvents, NotificationEvent } from '../../api/notificationVocabulary.ts';
import type { Change, Flag, NotificationScope, Settings } from './settings.ts';

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
      const unknownEvents = events.filter((event) => !isKnown(event) && subjectOfUnknown(event) === subject);
      return { subject, events: [...known.filter((event) => events.includes(event)), ...unknownEvents] };
    })
    .filter((group) => group.events.length > 0);
}

function isKnown(event: string): boolean {
  return Object.values(eventsBySubject).some((events: readonly string[]) => events.includes(event));
}

function subjectOfUnknown(event: string): Subject {
  return event.endsWith('_pipeline') ? 'pipelines' : 'others';
}

/** A name and what it means. */
export interface Meaning {
  readonly name: string;
  readonly meaning: string;
}

/** A notification level; one that is not known here goes by its own name. */
export function levelLabel(level: string, l10n: L10n): Meaning {
  switch (level) {
    case 'global':
      return { name: l10n.t('Global'), meaning: l10n.t('The level of its group, or else of your global settings') };
    case 'watch':
      return { name: l10n.t('Watch'), meaning: l10n.t('Most activity') };
    case 'participating':
      return { name: l10n.t('Participate'), meaning: l10n.t('Threads you took part in') };
    case 'mention':
      return { name: l10n.t('On mention'), meaning: l10n.t('Comments that mention you') };
    case 'disabled':
      return { name: l10n.t('Disabled'), meaning: l10n.t('No notifications at all') };
    case 'custom':
      return { name: l10n.t('Custom'), meaning: l10n.t('Threads you took part in, and the events you select') };
    default:
      return { name: level, meaning: l10n.t('A level this version of Beacon does not know') };
  }
}

/** An event; one that is not known here goes by the words of its own name. */
export function notificationEventLabel(event: string, l10n: L10n): Meaning {
  const known = knownEvents(l10n);
  const labels = Object.hasOwn(known, event) ? known[event as KnownEvent] : undefined;
  const [name, meaning] = labels ?? [
    capitalized(event.replaceAll('_', ' ')),
    l10n.t('An event this version of Beacon does not know'),
  ];
  return { name, meaning };
}

type KnownEvent = NotificationEvent | (typeof laterNotificationEvents)[number];

function knownEvents(l10n: L10n): Readonly<Record<KnownEvent, readonly [string, string]>> {
  return {
    approver: [l10n.t('Approver'), l10n.t('A merge request you may approve is created')],
    change_reviewer_merge_request: [l10n.t('Change of reviewer'), l10n.t('The reviewer of a merge request changes')],
    close_issue: [l10n.t('Closed issue'), l10n.t('An issue is closed')],
    close_merge_request: [l10n.t('Closed merge request'), l10n.t('A merge request is closed')],
    failed_pipeline: [l10n.t('Failed pipeline'), l10n.t('A pipeline fails')],
    fixed_pipeline: [l10n.t('Fixed pipeline'), l10n.t('A previously failed pipeline is fixed')],
    issue_due: [l10n.t('Due issue'), l10n.t('An issue is due tomorrow')],
    merge_merge_request: [l10n.t('Merged merge request'), l10n.t('A merge request is merged')],
    merge_when_pipeline_succeeds: [l10n.t('Auto-merge'), l10n.t('A merge request is set to auto-merge')],
    moved_project: [l10n.t('Moved project'), l10n.t('A project is moved')],
    new_epic: [l10n.t('New epic'), l10n.t('An epic is created; Premium and Ultimate only')],
    new_issue: [l10n.t('New issue'), l10n.t('An issue is created')],
    new_merge_request: [l10n.t('New merge request'), l10n.t('A merge request is created')],
    new_note: [l10n.t('New comment'), l10n.t('A comment is added')],
    new_release: [l10n.t('New release'), l10n.t('A release is published')],
    push_to_merge_request: [l10n.t('Push to merge request'), l10n.t('Someone pushes to a merge request')],
    reassign_issue: [l10n.t('Reassigned issue'), l10n.t('An issue is reassigned')],
    reassign_merge_request: [l10n.t('Reassigned merge request'), l10n.t('A merge request is reassigned')],
    reopen_issue: [l10n.t('Reopened issue'), l10n.t('An issue is reopened')],
    reopen_merge_request: [l10n.t('Reopened merge request'), l10n.t('A merge request is reopened')],
    service_account_failed_pipeline: [
      l10n.t('Failed pipeline of a service account'),
      l10n.t('A pipeline of a service account fails; Premium and Ultimate only'),
    ],
    service_account_fixed_pipeline: [
      l10n.t('Fixed pipeline of a service account'),
      l10n.t('A previously failed pipeline of a service account is fixed; Premium and Ultimate only'),
    ],
    service_account_success_pipeline: [
      l10n.t('Successful pipeline of a service account'),
      l10n.t('A pipeline of a service account completes successfully; Premium and Ultimate only'),
    ],
    success_pipeline: [l10n.t('Successful pipeline'), l10n.t('A pipeline completes successfully')],
  };
}

export function subjectLabel(subject: Subject, l10n: L10n): string {
  switch (subject) {
    case 'issues':
      return l10n.t('Issues');
    case 'mergeRequests':
      return l10n.t('Merge requests');
    case 'pipelines':
      return l10n.t('Pipelines');
    case 'others':
      return l10n.t('Others');
  }
}

export function flagLabel(flag: Flag, l10n: L10n): string {
  switch (flag) {
    case 'on':
      return l10n.t('on');
    case 'off':
      return l10n.t('off');
    case 'default':
      return l10n.t('default');
    case 'unknown':
      return l10n.t('unknown');
  }
}

/** Names a scope: by its full path, where it has one. */
export function scopeLabel(scope: NotificationScope, l10n: L10n): string {
  switch (scope.kind) {
    case 'global':
      return l10n.t('Global settings');
    case 'group':
      return l10n.t('Group {0}', scope.path);
    case 'project':
      return l10n.t('Project {0}', scope.path);
  }
}

/** Names a field of the settings by its name in the API. */
export function fieldLabel(field: string, l10n: L10n): string {
  if (field === 'level') {
    return l10n.t('Level');
  }
  return field === 'notification_email' ? l10n.t('E-mail address') : notificationEventLabel(field, l10n).name;
}

/** The label of a field's value: a level, an address, a flag. */
export function valueLabel(field: string, value: string | boolean, l10n: L10n): string {
  if (field === 'level') {
    return levelLabel(String(value), l10n).name;
  }
  if (field === 'notification_email') {
    return value === '' ? l10n.t('the address of the account') : String(value);
  }
  return flagLabel(typeof value === 'string' ? (value as Flag) : value ? 'on' : 'off', l10n);
}

/** What a change does, one sentence for each field, such as `New issue: from off to on`. */
export function changeLabels(settings: Settings, change: Change, l10n: L10n): readonly string[] {
  return Object.entries(change).map(([field, value]) =>
    l10n.t(
      '{0}: from {1} to {2}',
      fieldLabel(field, l10n),
      valueLabel(field, presentValue(settings, field), l10n),
      valueLabel(field, value, l10n),
    ),
  );
}

/** Names of fields as a list in a sentence. */
export function fieldsLabel(fields: readonly string[], l10n: L10n, language: string): string {
  return new Intl.ListFormat(language).format(fields.map((field) => fieldLabel(field, l10n)));
}

/** As `valueOf` gives it, without its module: the page of the overview needs these labels alone. */
function presentValue({ level, email, flags }: Settings, field: string): string {
  if (field === 'level') {
    return level;
  }
  return field === 'notification_email' ? (email ?? '') : (flags[field] ?? 'unknown');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
