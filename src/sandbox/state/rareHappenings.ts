import type { Event, EventTarget } from './model.ts';

/** What happens in an event, apart from who did it, where and when. */
export type Happening = Pick<Event, 'action' | 'target' | 'note' | 'push' | 'wikiPage' | 'importedFrom'> & {
  /** True for what happens outside of projects. */
  readonly withoutProject?: boolean;
};

/** Gives a new thing its id. */
type NewId = () => number;

/** One of each kind of event that is seldom seen, so that the sample data holds every kind (section 2.5). */
export const rareHappenings: readonly ((id: NewId) => Happening)[] = [
  (id) => ({ action: 'created', target: target('Project', id(), null, 'Tide Table') }),
  (id) => ({ action: 'created', target: target('Project', id(), null, 'Winch'), importedFrom: 'github' }),
  () => ({ action: 'joined', target: undefined }),
  () => ({ action: 'left', target: undefined }),
  () => ({ action: 'expired', target: undefined }),
  (id) => ({ action: 'updated', target: target('Issue', id(), 3, 'Search does not find names with accents') }),
  (id) => ({ action: 'reopened', target: target('Issue', id(), 2, 'Export to calendar loses the quay number') }),
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
  (id) => ({
    action: 'commented',
    ...comment(id, 'Note', 'Compute the tides in one pass', 'This fixes the leap second, too.'),
  }),
  (id) => commentOnMergeRequest(id, 'DiffNote', { path: 'src/tides.ts', line: 17 }),
  (id) => commentOnMergeRequest(id, 'DiscussionNote'),
  // An action and a target type that no client knows.
  (id) => ({ action: 'anchored', target: target('Issue', id(), 5, 'Log lines of two requests are mixed') }),
  (id) => ({ action: 'created', target: target('Lighthouse', id(), 1, 'North pier') }),
];

function target(type: string, id: number, iid: number | null, title: string): EventTarget {
  return { id, iid, type, title };
}

/** A comment on a commit, which has neither an id nor an iid. */
function comment(
  id: NewId,
  type: string,
  title: string,
  body: string,
): Required<Pick<Happening, 'note'>> & {
  readonly target: EventTarget;
} {
  const noteId = id();
  return {
    target: target(type, noteId, noteId, title),
    note: { id: noteId, body, noteableId: null, noteableType: 'Commit', noteableIid: null, system: false },
  };
}

function commentOnMergeRequest(
  id: NewId,
  type: string,
  position?: { readonly path: string; readonly line: number },
): Happening {
  const { target: on, note } = comment(id, type, 'Add arrival confirmation', 'Could this be a constant?');
  return {
    action: 'commented',
    target: on,
    note: { ...note, noteableId: id(), noteableType: 'MergeRequest', noteableIid: 1, ...(position && { position }) },
  };
}
