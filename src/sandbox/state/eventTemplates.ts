import type { Event, EventTarget, Note, Push } from './model.ts';

/** The values of the filter `action`. */
export const eventActions: readonly string[] =
  'created updated closed reopened pushed commented merged joined left destroyed expired approved'.split(' ');

/**
 * The values of the filter `target_type`, and the one class that each of them lets pass: neither work items are found as issues, nor
 * comments on a diff or in a discussion as notes.
 *
 * @see https://docs.gitlab.com/api/events/
 */
export const eventTargetTypes: ReadonlyMap<string, string> = new Map([
  ['epic', 'Epic'],
  ['issue', 'Issue'],
  ['merge_request', 'MergeRequest'],
  ['milestone', 'Milestone'],
  ['note', 'Note'],
  ['project', 'Project'],
  ['snippet', 'Snippet'],
  ['user', 'User'],
  ['wiki', 'WikiPage::Meta'],
  ['design', 'DesignManagement::Design'],
]);

/** What an event is about on the live platform: the project of a push, too. Pushes of older versions keep none. */
export function liveTarget({ id, target, push, project }: Event): EventTarget | undefined {
  return push && project && id % 3 !== 0 ? { id: project.id, iid: project.id, type: 'Project', title: '' } : target;
}

/** The live platform's `action_name` of an event. */
export function liveActionName({ action, target, push, importedFrom }: Event): string {
  const type = target?.type ?? '';
  switch (action) {
    case 'pushed':
      return pushNames[push?.action ?? 'pushed'];
    case 'created':
      return type === 'Project' && importedFrom ? 'imported' : (creationNames[type] ?? 'opened');
    case 'updated':
      return type === 'WikiPage::Meta' || type === 'DesignManagement::Design' ? 'updated' : 'opened';
    case 'reopened':
      return 'opened';
    case 'destroyed':
      return type === 'DesignManagement::Design' ? 'removed' : 'destroyed';
    default:
      return otherNames[action] ?? action;
  }
}

/** The `action_name` of an event in the words of the API documentation. */
export function specActionName(event: Event): string {
  return event.action === 'pushed' || event.action === 'reopened' ? event.action : liveActionName(event);
}

const otherNames: Readonly<Record<string, string>> = {
  commented: 'commented on',
  merged: 'accepted',
  expired: 'removed due to membership expiration from',
};

const pushNames = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const;

const creationNames: Readonly<Record<string, string>> = {
  Project: 'created',
  'WikiPage::Meta': 'created',
  'DesignManagement::Design': 'added',
};

/** What happens in an event, apart from who did it, where and when. */
export type EventTemplate = Pick<Event, 'action' | 'target' | 'note' | 'push' | 'wikiPage' | 'importedFrom'> & {
  /** True for what happens outside of projects. */
  readonly withoutProject?: boolean;
};

/** Gives a new thing its id. */
type NewId = () => number;

/**
 * One of each kind of event that is seldom seen, so that the sample data holds every kind. Issues and merge requests have numbers that
 * no other event has, whose title would be another.
 */
export const rareEvents: readonly ((id: NewId) => EventTemplate)[] = [
  (id) => ({ action: 'created', target: target('Project', id(), null, 'Tide Table') }),
  (id) => ({ action: 'created', target: target('Project', id(), null, 'Winch'), importedFrom: 'github' }),
  () => ({ action: 'joined', target: undefined }),
  () => ({ action: 'left', target: undefined }),
  () => ({ action: 'expired', target: undefined }),
  (id) => ({ action: 'updated', target: target('Issue', id(), 1003, 'Search does not find names with accents') }),
  (id) => ({ action: 'reopened', target: target('Issue', id(), 1002, 'Export to calendar loses the quay number') }),
  (id) => ({ action: 'created', target: target('WorkItem', id(), 41, 'Paint the buoys') }),
  (id) => ({ action: 'closed', target: target('Milestone', id(), 1, 'Spring season') }),
  (id) => ({ action: 'destroyed', target: target('Milestone', id(), 2, 'Winter refit') }),
  (id) => ({ action: 'created', target: target('Epic', id(), 1, 'One harbor, one timetable') }),
  (id) => ({ action: 'created', target: target('Snippet', id(), null, 'Tides of a year in ten lines') }),
  (id) => ({
    action: 'created',
    target: target('Snippet', id(), null, 'My shell settings'),
    withoutProject: true,
  }),
  (id) => ({ action: 'created', target: target('User', id(), null, 'Jonas Brandt'), withoutProject: true }),
  (id) => ({ action: 'created', target: target('DesignManagement::Design', id(), 1, 'chart-small-screens.png') }),
  (id) => ({ action: 'destroyed', target: target('DesignManagement::Design', id(), 2, 'chart-draft.png') }),
  (id) => ({
    action: 'destroyed',
    target: target('WikiPage::Meta', id(), null, 'Old berths'),
    wikiPage: { slug: 'Old-berths', title: 'Old berths' },
  }),
  (id) => commented(id, 'Note', 'Compute the tides in one pass', 'This fixes the leap second, too.', {}),
  ...[{ type: 'DiffNote', position: { path: 'src/tides.ts', line: 17 } }, { type: 'DiscussionNote' }].map(
    ({ type, ...position }) =>
      (id: NewId) => {
        const on = { noteableId: id(), noteableType: 'MergeRequest', noteableIid: 1001, ...position };
        return commented(id, type, 'Add arrival confirmation', 'Could this be a constant?', on);
      },
  ),
  // A comment on a line of a commit, whose id is only in the comment's position.
  (id) => {
    const position = { path: 'src/tides.ts', line: 3, headSha: 'c0ffee'.padEnd(40, '0') };
    return commented(id, 'DiffNote', 'Compute the tides in one pass', 'Is this line needed?', { position });
  },
  (id) => ({
    ...commentOn(id, 'PersonalSnippet', 'My shell settings', 'What does the third alias do?'),
    withoutProject: true,
  }),
  (id) => commentOn(id, 'ProjectSnippet', 'Tides of a year in ten lines', 'Nine would do.'),
  (id) => commentOn(id, 'WikiPage::Meta', 'On call', 'Who is on call in August?'),
  (id) => commentOn(id, 'AlertManagement::Alert', 'The gauge at the pier is silent', 'Its battery is empty.', 4),
  (id) => ({ action: 'created', target: target('AlertManagement::Alert', id(), 4, 'The gauge at the pier is silent') }),
  // An epic is a work item of a group.
  (id) => ({ action: 'created', target: target('WorkItem', id(), 7, 'One timetable'), withoutProject: true }),
  (id) => ({ action: 'joined', target: target('Project', id(), null, 'Tide Table') }),
  // A tag that was moved.
  () =>
    pushed({
      action: 'pushed',
      refType: 'tag',
      ref: 'latest',
      refCount: null,
      commitCount: 1,
      commitFrom: '1'.repeat(40),
      commitTo: '2'.repeat(40),
      commitTitle: 'Cache the harmonic constants',
    }),
  () => bulkPush('created', 'tag', 3),
  () => bulkPush('removed', 'branch', 12),
  () => bulkPush('pushed', 'branch', 4),
  // An action and a target type that no client knows.
  (id) => ({ action: 'anchored', target: target('Issue', id(), 1005, 'Log lines of two requests are mixed') }),
  (id) => ({ action: 'created', target: target('Lighthouse', id(), 1, 'North pier') }),
];

function target(type: string, id: number, iid: number | null, title: string): EventTarget {
  return { id, iid, type, title };
}

/** A comment: on a commit, which has neither an id nor an iid, if nothing else is said. */
function commented(id: NewId, type: string, title: string, body: string, on: Partial<Note>): EventTemplate {
  const noteId = id();
  const commit = { noteableId: null, noteableType: 'Commit', noteableIid: null };
  return {
    action: 'commented',
    target: target(type, noteId, noteId, title),
    note: { id: noteId, body, system: false, ...commit, ...on },
  };
}

/** A comment on something with an id, and perhaps an iid. */
function commentOn(id: NewId, noteableType: string, title: string, body: string, noteableIid: number | null = null) {
  return commented(id, 'Note', title, body, { noteableId: id(), noteableType, noteableIid });
}

export function pushed(push: Push): EventTemplate {
  return { action: 'pushed', target: undefined, push };
}

/** More refs in one push than the platform makes events of: one event for each kind of change. */
export function bulkPush(action: Push['action'], refType: Push['refType'], refCount: number): EventTemplate {
  const none = { ref: null, commitFrom: null, commitTo: null, commitTitle: null };
  return pushed({ ...none, action, refType, commitCount: 0, refCount });
}
