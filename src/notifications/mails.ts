import type { EventRecord } from '../api/events.ts';
import type { NotificationEvent } from '../api/notificationVocabulary.ts';
import type { Settings } from './settings.ts';

/** By the activity of so many days e-mails are estimated. */
export const estimatedDays = 14;

/** How many e-mails there would have been in these days, by level and by event. */
export interface MailCounts {
  readonly levels: Readonly<Record<'watch' | 'participating' | 'mention', number>>;
  /** Of the events that feeds tell of: all, and those that the level `participating` sends as well. */
  readonly events: ReadonlyMap<string, { readonly all: number; readonly participating: number }>;
}

/** Who would have got the e-mails. */
export interface Recipient {
  readonly id: number;
  readonly username: string;
}

/** The events that feeds tell of for certain. */
const estimatedEvents: readonly NotificationEvent[] = [
  'close_issue',
  'close_merge_request',
  'merge_merge_request',
  'new_issue',
  'new_merge_request',
  'new_note',
  'reopen_issue',
  'reopen_merge_request',
];

/**
 * Counts the e-mails of each project by its activity events.
 *
 * Users get no e-mail for their own actions. The participants of a thread are known only from these events: who opened it,
 * wrote in it or was mentioned in it before the event.
 *
 * @param events in any order; repeats count once.
 */
export function countMails(events: readonly EventRecord[], recipient: Recipient): ReadonlyMap<number, MailCounts> {
  const tallies = new Map<number, Tally>();
  const byId = new Map(events.map((event) => [event.id, event]));
  const inOrder = [...byId.values()].toSorted(
    (one, other) => Date.parse(one.created_at ?? '') - Date.parse(other.created_at ?? '') || one.id - other.id,
  );
  for (const event of inOrder) {
    const { project_id: projectId } = event;
    if (projectId !== null && projectId !== undefined) {
      const tally = tallies.get(projectId) ?? new Tally(recipient);
      tallies.set(projectId, tally);
      tally.add(event);
    }
  }
  return tallies;
}

/** The sum of several projects, such as those of a group. */
export function sumOfMails(all: readonly MailCounts[]): MailCounts {
  const total = (level: keyof MailCounts['levels']): number => all.reduce((sum, { levels }) => sum + levels[level], 0);
  const events = new Map<string, { all: number; participating: number }>();
  for (const [event, { all: mails, participating }] of all.flatMap((one) => [...one.events])) {
    const sum = events.get(event) ?? { all: 0, participating: 0 };
    events.set(event, { all: sum.all + mails, participating: sum.participating + participating });
  }
  return {
    levels: { watch: total('watch'), participating: total('participating'), mention: total('mention') },
    events,
  };
}

function aWeek(count: number): number {
  return (count * 7) / estimatedDays;
}

/**
 * The e-mails a week that settings send. With the level `custom` those of the level `participating`, and of each event that is switched
 * on those that are not among them. A default sends none: those that do by default are in no feed.
 *
 * @returns undefined where it is not known: for the level `global`, which sends what another scope does, for levels that came later, and
 *   where GitLab does not show whether an event that there were is on.
 * @see https://docs.gitlab.com/user/profile/notifications/#notification-levels
 */
export function mailsOfLevel({ level, flags }: Settings, { levels, events }: MailCounts): number | undefined {
  switch (level) {
    case 'watch':
    case 'participating':
    case 'mention':
      return aWeek(levels[level]);
    case 'disabled':
      return 0;
    case 'custom': {
      const added = [...events].map(([event, { all, participating }]) => ({
        count: all - participating,
        flag: Object.hasOwn(flags, event) ? flags[event] : 'unknown',
      }));
      const isKnown = added.every(({ count, flag }) => count === 0 || flag !== 'unknown');
      const on = added.reduce((sum, { count, flag }) => sum + (flag === 'on' ? count : 0), 0);
      return isKnown ? aWeek(levels.participating + on) : undefined;
    }
    default:
      return undefined;
  }
}

/** The e-mails a week of an event; undefined for those that no feed tells of. */
export function mailsOfEvent(event: string, { events }: MailCounts): number | undefined {
  return estimatedEvents.some((one) => one === event) ? aWeek(events.get(event)?.all ?? 0) : undefined;
}

/** What one project would have sent, event by event in the order in which they happened. */
class Tally implements MailCounts {
  readonly #recipient: Recipient;
  readonly #mention: RegExp;
  /** The threads that the user takes part in. */
  readonly #threads = new Set<string>();
  /** What was closed and not opened again yet. */
  readonly #closed = new Set<string>();
  readonly levels = { watch: 0, participating: 0, mention: 0 };
  readonly events = new Map<string, { all: number; participating: number }>();

  constructor(recipient: Recipient) {
    this.#recipient = recipient;
    // Usernames hold letters, digits, `_`, `-` and `.`; the platform escapes nothing else in them.
    const name = recipient.username.replaceAll(/[^\w-]/g, '\\$&');
    this.#mention = new RegExp(`(?<![\\w@.-])@(?:${name}|all)(?![\\w-])`, 'i');
  }

  add(event: EventRecord): void {
    const thread = threadOf(event);
    const cause = causeOf(event, thread !== undefined && this.#closed.has(thread));
    if (thread !== undefined && event.action_name === 'closed') {
      this.#closed.add(thread);
    } else if (thread !== undefined && event.action_name.endsWith('opened')) {
      this.#closed.delete(thread);
    }
    const isOwn = (event.author_id ?? event.author?.id) === this.#recipient.id;
    const isMentioned = !isOwn && this.#mention.test(event.note?.body ?? '');
    if (!isOwn && cause !== undefined) {
      this.#count(cause, isMentioned || (thread !== undefined && this.#threads.has(thread)), isMentioned);
    }
    if (thread !== undefined && (isOwn || isMentioned)) {
      this.#threads.add(thread);
    }
  }

  #count(cause: NotificationEvent | 'approved', takesPart: boolean, isMentioned: boolean): void {
    const participating = takesPart ? 1 : 0;
    if (cause !== 'approved') {
      const known = this.events.get(cause) ?? { all: 0, participating: 0 };
      this.events.set(cause, { all: known.all + 1, participating: known.participating + participating });
    }
    this.levels.watch += 1;
    this.levels.participating += participating;
    this.levels.mention += isMentioned ? 1 : 0;
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
 * What an event record would have been sent as, approvals by a level alone; undefined for what is sent to nobody, and for pushes, of which
 * the feed does not tell whether they belong to a merge request.
 *
 * @param wasClosed whether the target was closed just before: live, reopening says `opened`, too.
 * @see https://docs.gitlab.com/api/notification_settings/#valid-notification-levels
 */
function causeOf(event: EventRecord, wasClosed: boolean): NotificationEvent | 'approved' | undefined {
  const { action_name: action, target_type: type } = event;
  if (event.note) {
    return event.note.system === true ? undefined : 'new_note';
  }
  const opened = wasClosed && action === 'opened' ? 'reopened' : action;
  switch (`${threadType(type ?? '')} ${opened}`) {
    case 'Issue opened':
      return 'new_issue';
    case 'Issue closed':
      return 'close_issue';
    case 'Issue reopened':
      return 'reopen_issue';
    case 'MergeRequest opened':
      return 'new_merge_request';
    case 'MergeRequest closed':
      return 'close_merge_request';
    case 'MergeRequest reopened':
      return 'reopen_merge_request';
    case 'MergeRequest accepted':
    case 'MergeRequest merged':
      return 'merge_merge_request';
    case 'MergeRequest approved':
      return 'approved';
    default:
      return undefined;
  }
}
