import type { EventRecord } from '../../api/events.ts';
import { type NotificationEvent, notificationEvents } from '../../api/notificationVocabulary.ts';
import type { EventMails, Mails, ScopeMails } from './mails.ts';

export const estimatedDays = 14;

/** What an event record would have been mailed as. */
export interface MailCause {
  /** The notification event that a `custom` level would need; undefined where none stands for it, as for approvals. */
  readonly event: NotificationEvent | undefined;
  /** Whether the event only indicates that there may have been a mail. */
  readonly isGuess: boolean;
}

/** How many mails; with `isAtMost`, an upper bound. */
export interface MailCount {
  readonly mails: number;
  readonly isAtMost: boolean;
  /** How many of them are sent with the level `participating`, too. */
  readonly participating: number;
}

/** Levels whose mails can be estimated from a feed. `disabled` sends none, `global` what it inherits, `custom` by event. */
export type EstimatedLevel = 'watch' | 'participating' | 'mention';

/** How many mails would have been sent. */
export interface Counts {
  readonly levels: Readonly<Record<EstimatedLevel, number>>;
  /** By event; events that no feed contains are missing. */
  readonly events: ReadonlyMap<NotificationEvent, MailCount>;
}

/** What one project would have mailed. */
export interface ProjectNoise extends Counts {
  readonly projectId: number;
}

/** Who would have got the mails. */
export interface Recipient {
  readonly id: number;
  readonly username: string;
}

/** The notification events that no activity feed tells of. */
export const unestimatedEvents: readonly NotificationEvent[] = [
  'change_reviewer_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'issue_due',
  'merge_when_pipeline_succeeds',
  'moved_project',
  'new_epic',
  'new_release',
  'reassign_issue',
  'reassign_merge_request',
  'success_pipeline',
];

/**
 * Estimates the mails of each project from its activity events.
 *
 * Users get no mail for their own actions. The participants of a thread are known only from these events: who opened it,
 * wrote in it or was mentioned in it before the event.
 *
 * @param events in any order; repeats count once.
 */
export function estimateNoise(events: readonly EventRecord[], recipient: Recipient): readonly ProjectNoise[] {
  const tallies = new Map<number, Tally>();
  for (const event of inOrder(events)) {
    const { project_id: projectId } = event;
    if (projectId !== null && projectId !== undefined) {
      const tally = tallies.get(projectId) ?? new Tally(recipient);
      tallies.set(projectId, tally);
      tally.add(event);
    }
  }
  return [...tallies].map(([projectId, tally]) => ({ projectId, levels: tally.levels, events: tally.events }));
}

const noMails: MailCount = { mails: 0, isAtMost: false, participating: 0 };

/** The sum of several projects, such as those of a group. */
export function sumOfNoise(projects: readonly Counts[]): Counts {
  const events = new Map<NotificationEvent, MailCount>();
  for (const [event, { mails, isAtMost, participating }] of projects.flatMap((project) => [...project.events])) {
    const sum = events.get(event) ?? noMails;
    events.set(event, {
      mails: sum.mails + mails,
      isAtMost: sum.isAtMost || isAtMost,
      participating: sum.participating + participating,
    });
  }
  const total = (level: EstimatedLevel): number => projects.reduce((sum, { levels }) => sum + levels[level], 0);
  return {
    levels: { watch: total('watch'), participating: total('participating'), mention: total('mention') },
    events,
  };
}

/**
 * The e-mails a week of what was counted.
 *
 * @param isWhole whether the feeds that it was counted in tell of merge requests, too.
 * @param isCut whether there are more events than were read, so that nothing is an upper bound.
 */
export function mailsOfNoise(
  { levels, events }: Counts,
  { isWhole, isCut }: { readonly isWhole: boolean; readonly isCut: boolean },
): ScopeMails {
  const aWeek = (count: number): number => (count * 7) / estimatedDays;
  const counted = (count: number, isComplete: boolean): Mails => ({
    least: aWeek(count),
    ...(isComplete && !isCut ? { most: aWeek(count) } : {}),
  });
  const ofEvent = (event: NotificationEvent): EventMails => {
    const { mails, isAtMost, participating } = events.get(event) ?? noMails;
    if (unestimatedEvents.includes(event)) {
      return { least: 0, participating: 0 };
    }
    const known = counted(mails, isWhole || !isPartial(event));
    return { ...known, ...(isAtMost ? { least: 0 } : {}), participating: aWeek(participating) };
  };
  return {
    levels: {
      watch: counted(levels.watch, isWhole),
      participating: counted(levels.participating, isWhole),
      mention: counted(levels.mention, isWhole),
    },
    events: Object.fromEntries(notificationEvents.map((event) => [event, ofEvent(event)])),
  };
}

/** Whether the feed of all projects, which leaves out merge requests and the comments on them, tells of an event in part at most. */
function isPartial(event: NotificationEvent): boolean {
  return event === 'approver' || event === 'new_note' || /^(?!push_).*merge_request$/.test(event);
}

/** The oldest first, each once. */
function inOrder(events: readonly EventRecord[]): readonly EventRecord[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].toSorted(
    (one, other) => Date.parse(one.created_at ?? '') - Date.parse(other.created_at ?? '') || one.id - other.id,
  );
}

/** What one project would have mailed, event by event in the order in which they happened. */
class Tally {
  readonly #recipient: Recipient;
  readonly #mention: RegExp;
  /** The threads that the user takes part in. */
  readonly #threads = new Set<string>();
  /** What was closed and not opened again yet. */
  readonly #closed = new Set<string>();
  readonly levels: Record<EstimatedLevel, number> = { watch: 0, participating: 0, mention: 0 };
  readonly events = new Map<NotificationEvent, MailCount>();

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
    // Usernames hold letters, digits, `_`, `-` and `.`; the platform escapes nothing else in them.
    const name = recipient.username.replaceAll(/[^\w-]/g, '\\$&');
    this.#mention = new RegExp(`(?<![\\w@.-])@(?:${name}|all)(?![\\w-])`, 'i');
  }

  add(event: EventRecord): void {
    const thread = threadOf(event);
    const causes = causesOf(event, thread !== undefined && this.#closed.has(thread));
    this.#follow(event, thread);
    const isOwn = (event.author_id ?? event.author?.id) === this.#recipient.id;
    const isMentioned = !isOwn && this.#mention.test(event.note?.body ?? '');
    if (!isOwn) {
      for (const { event: kind, isGuess } of causes) {
        this.#count(kind, isGuess, { isMentioned, takesPart: thread !== undefined && this.#threads.has(thread) });
      }
    }
    if (thread !== undefined && (isOwn || isMentioned)) {
      this.#threads.add(thread);
    }
  }

  #count(
    event: NotificationEvent | undefined,
    isGuess: boolean,
    { isMentioned, takesPart }: { isMentioned: boolean; takesPart: boolean },
  ): void {
    const isParticipating = !isGuess && (takesPart || isMentioned);
    if (event !== undefined) {
      const known = this.events.get(event) ?? noMails;
      this.events.set(event, {
        mails: known.mails + 1,
        isAtMost: known.isAtMost || isGuess,
        participating: known.participating + (isParticipating ? 1 : 0),
      });
    }
    if (!isGuess) {
      this.levels.watch += 1;
      this.levels.participating += isParticipating ? 1 : 0;
      this.levels.mention += isMentioned ? 1 : 0;
    }
  }

  #follow({ action_name: action }: EventRecord, thread: string | undefined): void {
    if (thread === undefined) {
      return;
    }
    if (action === 'closed') {
      this.#closed.add(thread);
    } else if (action === 'opened' || action === 'reopened') {
      this.#closed.delete(thread);
    }
  }
}

/** The issue, merge request or the like that an event is about, if it has a thread of comments. */
function threadOf({ note, target_type: type, target_id: id }: EventRecord): string | undefined {
  if (note) {
    const { noteable_type: noteable, noteable_id: noteableId } = note;
    return noteable && noteableId ? `${threadType(noteable)} ${String(noteableId)}` : undefined;
  }
  return type && id ? `${threadType(type)} ${String(id)}` : undefined;
}

/** The platform has begun to call issues work items. */
function threadType(type: string): string {
  return type === 'WorkItem' ? 'Issue' : type;
}

/**
 * What an event record would have been mailed as; nothing for what mails nobody.
 *
 * @param wasClosed whether the target was closed just before: live, reopening says `opened`, too.
 * @see https://docs.gitlab.com/api/notification_settings/#valid-notification-levels
 */
export function causesOf(event: EventRecord, wasClosed: boolean): readonly MailCause[] {
  const { action_name: action, target_type: type } = event;
  if (event.note) {
    return event.note.system === true ? [] : [certain('new_note')];
  }
  if (event.push_data) {
    const { action: pushAction, ref_type: refType, ref } = event.push_data;
    const mayBeOfMergeRequest = pushAction === 'pushed' && refType === 'branch' && !isMainBranch(ref);
    return mayBeOfMergeRequest ? [{ event: 'push_to_merge_request', isGuess: true }] : [];
  }
  const opened = wasClosed && action === 'opened' ? 'reopened' : action;
  switch (`${threadType(type ?? '')} ${opened}`) {
    case 'Issue opened':
      return [certain('new_issue')];
    case 'Issue closed':
      return [certain('close_issue')];
    case 'Issue reopened':
      return [certain('reopen_issue')];
    case 'MergeRequest opened':
      return [certain('new_merge_request'), { event: 'approver', isGuess: true }];
    case 'MergeRequest closed':
      return [certain('close_merge_request')];
    case 'MergeRequest reopened':
      return [certain('reopen_merge_request')];
    case 'MergeRequest accepted':
    case 'MergeRequest merged':
      return [certain('merge_merge_request')];
    case 'MergeRequest approved':
      return [{ event: undefined, isGuess: false }];
    default:
      return [];
  }
}

function certain(event: NotificationEvent): MailCause {
  return { event, isGuess: false };
}

/** No merge request comes from the branch that others are merged into. A bulk push does not list its branches. */
function isMainBranch(ref: string | null | undefined): boolean {
  return ref === 'main' || ref === 'master';
}
