import type { Place } from '../accounts/directorySearch.ts';
import { isApiError } from '../api/errors.ts';
import type { EventRecord } from '../api/events.ts';
import type { NotificationEvent } from '../api/notificationVocabulary.ts';
import type { App } from '../app.ts';
import { isWithin, type NotificationScope } from './scope.ts';
import type { Settings } from './settings.ts';
import { mapBounded } from './settingsService.ts';

const estimatedDays = 14;
const day = 86_400_000;
/** Pages of all feeds of a reading together, beside the first of each. */
const mostPages = 500;

export interface Mail {
  /** Of an approval no event tells, only a level. */
  readonly event: NotificationEvent | 'approved';
  readonly takesPart: boolean;
  readonly isMention: boolean;
}

/** What activity events are sent as, by what they are about and the action. */
const causes: Readonly<Record<string, Mail['event']>> = {
  'Issue opened': 'new_issue',
  'Issue closed': 'close_issue',
  'Issue reopened': 'reopen_issue',
  'MergeRequest opened': 'new_merge_request',
  'MergeRequest closed': 'close_merge_request',
  'MergeRequest reopened': 'reopen_merge_request',
  'MergeRequest accepted': 'merge_merge_request',
  'MergeRequest merged': 'merge_merge_request',
  'MergeRequest approved': 'approved',
};
/** The events that feeds tell of for certain. */
const estimatedEvents = new Set<string>(['new_note', ...Object.values(causes)]);

/**
 * The e-mails of one project by its activity events.
 *
 * Users get no e-mail for their own actions. The participants of a thread are known only from these events: who opened it,
 * wrote in it or was mentioned in it before the event. Repeats count once.
 */
export function mailsOf(
  events: readonly EventRecord[],
  user: { readonly id: number; readonly username: string },
): readonly Mail[] {
  // Usernames hold letters, digits, `_`, `-` and `.`; the platform escapes nothing else in them.
  const name = user.username.replaceAll(/[^\w-]/g, '\\$&');
  const mention = new RegExp(`(?<![\\w@.-])@(?:${name}|all)(?![\\w-])`, 'i');
  const [threads, closed] = [new Set<string>(), new Set<string>()];
  const inOrder = [...new Map(events.map((event) => [event.id, event])).values()].toSorted(
    (one, other) => Date.parse(one.created_at ?? '') - Date.parse(other.created_at ?? '') || one.id - other.id,
  );
  return inOrder.flatMap((record): readonly Mail[] => {
    const thread = threadOf(record);
    const event = causeOf(record, closed.has(thread));
    if (record.action_name === 'closed') {
      closed.add(thread);
    } else if (record.action_name.endsWith('opened')) {
      closed.delete(thread);
    }
    const isOwn = (record.author_id ?? record.author?.id) === user.id;
    const isMention = !isOwn && mention.test(record.note?.body ?? '');
    const takesPart = isMention || threads.has(thread);
    if (thread !== '' && (isOwn || isMention)) {
      threads.add(thread);
    }
    return isOwn || !event ? [] : [{ event, takesPart, isMention }];
  });
}

function aWeek(mails: readonly Mail[], isCounted: (mail: Mail) => boolean): number {
  return (mails.filter(isCounted).length * 7) / estimatedDays;
}

/**
 * The e-mails a week that settings send. With the level `custom` those of the level `participating`, and of each event that is switched
 * on those that are not among them. A default sends none: those that do by default are in no feed.
 *
 * @returns undefined where it is not known: for the level `global`, which sends what another scope does, for levels that came later, and
 *   where GitLab does not show whether an event that there were is on.
 * @see https://docs.gitlab.com/user/profile/notifications/#notification-levels
 */
export function mailsOfLevel(settings: Settings, mails: readonly Mail[]): number | undefined {
  switch (settings.level) {
    case 'watch':
      return aWeek(mails, () => true);
    case 'participating':
      return aWeek(mails, ({ takesPart }) => takesPart);
    case 'mention':
      return aWeek(mails, ({ isMention }) => isMention);
    case 'disabled':
      return 0;
    case 'custom': {
      const isUnknown = ({ event, takesPart }: Mail): boolean =>
        event !== 'approved' && !takesPart && settings[event] === undefined;
      return mails.some(isUnknown)
        ? undefined
        : aWeek(mails, (mail) => mail.takesPart || settings[mail.event] === true);
    }
    default:
      return undefined;
  }
}

export function mailsOfEvent(event: string, mails: readonly Mail[]): number | undefined {
  return estimatedEvents.has(event) ? aWeek(mails, (mail) => mail.event === event) : undefined;
}

/** The issue, merge request or the like that an event is about; empty where it has no thread of comments. */
function threadOf({ note, target_type: target, target_id: targetId }: EventRecord): string {
  const [type, id] = note ? [note.noteable_type, note.noteable_id] : [target, targetId];
  return type && id ? `${threadType(type)} ${String(id)}` : '';
}

/** The platform has begun to call issues work items. */
function threadType(type: string): string {
  return type === 'WorkItem' ? 'Issue' : type;
}

/**
 * What an event record would have been sent as; undefined for what is sent to nobody, and for pushes, of which the feed does not tell
 * whether they belong to a merge request. Live, reopening says `opened`, too.
 *
 * @see https://docs.gitlab.com/api/notification_settings/#valid-notification-levels
 */
function causeOf({ action_name: action, target_type: type, note }: EventRecord, wasClosed: boolean) {
  if (note) {
    return note.system === true ? undefined : 'new_note';
  }
  const name = `${threadType(type ?? '')} ${wasClosed && action === 'opened' ? 'reopened' : action}`;
  return Object.hasOwn(causes, name) ? causes[name] : undefined;
}

/** Reads activity feeds when a user asks for it, and counts the e-mails. What was counted is kept as long as the window is open. */
export class MailFeeds {
  readonly #app: App;
  /** By account and the id of the project. */
  readonly #counted = new Map<string, { readonly project: Place; readonly mails: readonly Mail[] }>();

  constructor(app: App) {
    this.#app = app;
  }

  /** The e-mails of a project, of a group or globally those of all projects that were read in it; undefined if none was. */
  of(scope: NotificationScope): readonly Mail[] | undefined {
    const { accountId } = scope;
    if (scope.kind === 'project') {
      return this.#counted.get(`${accountId} ${String(scope.id)}`)?.mails;
    }
    const counted = [...this.#counted.values()].filter(({ project }) => isWithin(project, scope));
    return counted.length > 0 ? counted.flatMap(({ mails }) => mails) : undefined;
  }

  /**
   * Reads the feeds of the projects among scopes of one account. One may be refused: then it has no number.
   *
   * @returns how many events were read, if there are more.
   */
  async read(
    accountId: string,
    scopes: readonly NotificationScope[],
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { client } = await this.#app.connections.of(accountId);
    const user = await client.directory.currentUser({ signal });
    const start = this.#app.clock.date().getTime() - estimatedDays * day;
    // The day named is left out by the platform, in a time zone that may be another.
    const after = new Date(start - 2 * day).toISOString().slice(0, 10);
    let pagesLeft = mostPages;
    let read = 0;
    let isCut = false;
    await mapBounded(
      scopes.flatMap((scope) => (scope.kind === 'project' ? scope : [])),
      async (project) => {
        const records: EventRecord[] = [];
        let hasMore = false;
        try {
          const maxPages = Math.max(1, pagesLeft);
          for await (const { items, next } of client.events.ofProject(
            project.id,
            { after },
            { perPage: 100, maxPages, signal },
          )) {
            pagesLeft -= 1;
            read += items.length;
            hasMore = next !== undefined;
            records.push(...items.filter(({ created_at: at }) => Date.parse(at ?? '') >= start));
            if (pagesLeft <= 0) {
              break;
            }
          }
          isCut ||= hasMore;
          this.#counted.set(`${accountId} ${String(project.id)}`, { project, mails: mailsOf(records, user) });
        } catch (error) {
          signal.throwIfAborted();
          if (!isApiError(error) || error.reason === 'notSignedIn' || error.reason === 'inFront') {
            throw error;
          }
        }
      },
    );
    return isCut ? read : undefined;
  }
}
