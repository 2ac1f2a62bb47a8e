import * as vscode from 'vscode';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { readTimestamp } from '../../api/grammar.ts';
import { plainText } from '../../common/inertText.ts';
import { capitalized } from '../../common/timeText.ts';
import { hasActionIcon } from './eventIcon.ts';

/**
 * The label of what an event is about, such as `issue #12 “Title”`, or brief: `#12 Title`. For a comment that is what was
 * commented on. Never empty.
 */
function targetLabel(event: EventRecord, brief: boolean): string {
  const { note, target_type, target_iid, wiki_page } = event;
  const type = note ? note.noteable_type : target_type;
  // The target's own iid of a comment is the number of the comment.
  const iid = (note ? note.noteable_iid : target_iid) ?? undefined;
  const title = event.target_title || wiki_page?.title || '';
  const { t } = vscode.l10n;
  const named = (what: string): string => (brief ? `${what} ${title}` : t('{0} “{1}”', what, title));
  /** By number, by title, or both; `some` if the instance gives neither. */
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

/** The labels of an event. */
export interface Wording {
  /** Who did it, to begin the sentence with; without, it begins with what was done. */
  readonly by?: string | undefined;
  /** Whether things are named by their reference alone (`#12`) rather than by their kind too (`issue #12`). */
  readonly brief?: boolean;
}

/**
 * Says what happened: `Opened issue #12 “Title”`, or with an author and brief: `Ada opened #12 Title`. An action or target
 * that is not known is named as the instance names it. Fit for one line, but neither for Markdown nor for a message.
 */
export function eventLabel(event: EventRecord, { by, brief = false }: Wording = {}): string {
  const phrase = event.push_data
    ? pushPhrase(event.push_data)
    : actionPhrase(event.action_name, targetLabel(event, brief));
  return plainText(by === undefined ? phrase.alone() : phrase.by(by));
}

/**
 * What a row says of an event whose verb the icon shows: first what it is about, such as `#12 Title` or `main: Fix it`, then
 * who did it. An action without an icon of its own is named, as is what has no name of its own.
 *
 * @param by the author, if that does not go without saying.
 * @returns the label of the row, and the end of what it is about if the label is cut; that goes last, where the editor shows as much
 *   as fits.
 */
export function rowTexts(event: EventRecord, by?: string): { readonly label: string; readonly rest: string } {
  const { push_data: push } = event;
  const subject = push ? pushSubject(push) : hasActionIcon(event) ? namedTarget(event) : undefined;
  const end = by === undefined ? '' : ` · ${by}`;
  const room = Math.max(leastOfSubject, mostOfRow - end.length);
  // A number of commits, which comes last, is not cut off.
  const isCounted = (push?.commit_count ?? 0) > 1;
  const [what, rest] =
    subject === undefined
      ? [eventLabel(event, { brief: true }), '']
      : isCounted
        ? [subject, '']
        : fitted(subject, room);
  return { label: plainText(`${what}${end}`), rest };
}

/** Characters for which a side bar of the usual width, 300 pixels, has room beside the time. */
const mostOfRow = 24;
const leastOfSubject = 14;

/** Cuts a long text after a word, so that a row has room for what follows; gives the rest of it, too. */
function fitted(text: string, most: number): [beginning: string, rest: string] {
  const plain = plainText(text);
  if (plain.length <= most) {
    return [plain, ''];
  }
  const end = plain.lastIndexOf(' ', most);
  if (end < leastOfSubject / 2) {
    const cut = plainText(plain, most);
    return [cut, `…${plain.slice(cut.length - 1)}`];
  }
  return [`${plain.slice(0, end).replace(/ ?[,:;(–-]$/, '')}…`, `…${plain.slice(end + 1)}`];
}

/** What a push changed; undefined if the instance names no ref. */
function pushSubject({ action, ref, ref_type: type, commit_count: count, commit_title: title }: EventPush) {
  if (!ref || type === 'tag' || action === 'created' || action === 'removed') {
    return ref || undefined;
  }
  return count === 1 && title
    ? `${ref}: ${title}`
    : (count ?? 0) > 1
      ? vscode.l10n.t('{0}: {1} commits', ref, count ?? 0)
      : ref;
}

/** What an event is about, if it has a number or a title. */
function namedTarget(event: EventRecord): string | undefined {
  const { note, target_iid, target_title, wiki_page } = event;
  const isNamed = (note ? note.noteable_iid : target_iid) || target_title || wiki_page?.title;
  return isNamed ? targetLabel(event, true) : undefined;
}

/** When it happened; undefined if the instance does not say. */
export function momentOf({ created_at: createdAt }: EventRecord): Date | undefined {
  const time = readTimestamp(createdAt);
  return time === undefined ? undefined : new Date(time);
}

/** The author as sentences, rows and documents name them: by the username, which is short and unique, else by the full name. */
export function authorName(event: EventRecord): string {
  const { author, author_username: username } = event;
  return nameAmong(author?.username, username, author?.name);
}

/** The author's full name; the username where there is none that can be read. */
export function authorFullName({ author, author_username: username }: EventRecord): string {
  return nameAmong(author?.name, author?.username, username);
}

/** The author where there is room for both names: `Ada Byron (@ada)`. */
export function authorDetails(event: EventRecord): string {
  const [name, fullName] = [authorName(event), authorFullName(event)];
  return name === fullName ? name : `${fullName} (@${name})`;
}

/** The first name that is not empty as it is shown: one of characters that are not seen is none. */
function nameAmong(...names: readonly (string | null | undefined)[]): string {
  return names.map((name) => plainText(name ?? '').trim()).find(Boolean) ?? vscode.l10n.t('Someone');
}

/** The same in two forms, as languages do not make one out of the other. */
interface Phrase {
  alone(): string;
  by(who: string): string;
}

const { t } = vscode.l10n;

function pushPhrase(push: EventPush): Phrase {
  const ref = push.ref ?? '';
  const isTag = push.ref_type === 'tag';
  if (push.ref_count) {
    return refsPhrase(push.action, push.ref_count, isTag);
  }
  switch (push.action) {
    case 'created':
      return isTag
        ? { alone: () => t('Created tag {0}', ref), by: (who) => t('{0} created tag {1}', who, ref) }
        : { alone: () => t('Created branch {0}', ref), by: (who) => t('{0} created branch {1}', who, ref) };
    case 'removed':
      return isTag
        ? { alone: () => t('Deleted tag {0}', ref), by: (who) => t('{0} deleted tag {1}', who, ref) }
        : { alone: () => t('Deleted branch {0}', ref), by: (who) => t('{0} deleted branch {1}', who, ref) };
    default:
      // A tag that is pushed again leads to another commit than before.
      return isTag
        ? { alone: () => t('Moved tag {0}', ref), by: (who) => t('{0} moved tag {1}', who, ref) }
        : commitsPhrase(push.commit_count ?? 0, push.commit_title, ref);
  }
}

/** What a push did to several refs, of which the instance makes one event. */
function refsPhrase(action: string | null | undefined, count: number, areTags: boolean): Phrase {
  switch (action) {
    case 'created':
      return createdRefsPhrase(count, areTags);
    case 'removed':
      return deletedRefsPhrase(count, areTags);
    default:
      return pushedRefsPhrase(count, areTags);
  }
}

function createdRefsPhrase(count: number, areTags: boolean): Phrase {
  if (count === 1) {
    return areTags
      ? { alone: () => t('Created 1 tag'), by: (who) => t('{0} created 1 tag', who) }
      : { alone: () => t('Created 1 branch'), by: (who) => t('{0} created 1 branch', who) };
  }
  return areTags
    ? { alone: () => t('Created {0} tags', count), by: (who) => t('{0} created {1} tags', who, count) }
    : { alone: () => t('Created {0} branches', count), by: (who) => t('{0} created {1} branches', who, count) };
}

function deletedRefsPhrase(count: number, areTags: boolean): Phrase {
  if (count === 1) {
    return areTags
      ? { alone: () => t('Deleted 1 tag'), by: (who) => t('{0} deleted 1 tag', who) }
      : { alone: () => t('Deleted 1 branch'), by: (who) => t('{0} deleted 1 branch', who) };
  }
  return areTags
    ? { alone: () => t('Deleted {0} tags', count), by: (who) => t('{0} deleted {1} tags', who, count) }
    : { alone: () => t('Deleted {0} branches', count), by: (who) => t('{0} deleted {1} branches', who, count) };
}

function pushedRefsPhrase(count: number, areTags: boolean): Phrase {
  if (count === 1) {
    return areTags
      ? { alone: () => t('Pushed 1 tag'), by: (who) => t('{0} pushed 1 tag', who) }
      : { alone: () => t('Pushed 1 branch'), by: (who) => t('{0} pushed 1 branch', who) };
  }
  return areTags
    ? { alone: () => t('Pushed {0} tags', count), by: (who) => t('{0} pushed {1} tags', who, count) }
    : { alone: () => t('Pushed {0} branches', count), by: (who) => t('{0} pushed {1} branches', who, count) };
}

function commitsPhrase(count: number, title: string | null | undefined, ref: string): Phrase {
  if (count === 1 && title) {
    return {
      alone: () => t('Pushed to {0}: {1}', ref, title),
      by: (who) => t('{0} pushed to {1}: {2}', who, ref, title),
    };
  }
  return count > 1
    ? {
        alone: () => t('Pushed {0} commits to {1}', count, ref),
        by: (who) => t('{0} pushed {1} commits to {2}', who, count, ref),
      }
    : { alone: () => t('Pushed to {0}', ref), by: (who) => t('{0} pushed to {1}', who, ref) };
}

function actionPhrase(action: string, what: string): Phrase {
  switch (action) {
    case 'opened':
      return { alone: () => t('Opened {0}', what), by: (who) => t('{0} opened {1}', who, what) };
    case 'created':
      return { alone: () => t('Created {0}', what), by: (who) => t('{0} created {1}', who, what) };
    case 'added':
      return { alone: () => t('Added {0}', what), by: (who) => t('{0} added {1}', who, what) };
    case 'updated':
      return { alone: () => t('Updated {0}', what), by: (who) => t('{0} updated {1}', who, what) };
    case 'closed':
      return { alone: () => t('Closed {0}', what), by: (who) => t('{0} closed {1}', who, what) };
    case 'reopened':
      return { alone: () => t('Reopened {0}', what), by: (who) => t('{0} reopened {1}', who, what) };
    case 'accepted':
    case 'merged':
      return { alone: () => t('Merged {0}', what), by: (who) => t('{0} merged {1}', who, what) };
    case 'approved':
      return { alone: () => t('Approved {0}', what), by: (who) => t('{0} approved {1}', who, what) };
    case 'commented on':
      return { alone: () => t('Commented on {0}', what), by: (who) => t('{0} commented on {1}', who, what) };
    case 'joined':
      return { alone: () => t('Joined {0}', what), by: (who) => t('{0} joined {1}', who, what) };
    case 'left':
      return { alone: () => t('Left {0}', what), by: (who) => t('{0} left {1}', who, what) };
    case 'imported':
      return { alone: () => t('Imported {0}', what), by: (who) => t('{0} imported {1}', who, what) };
    case 'pushed':
    case 'pushed to':
    case 'pushed new':
      return { alone: () => t('Pushed to {0}', what), by: (who) => t('{0} pushed to {1}', who, what) };
    case 'destroyed':
    case 'deleted':
      return { alone: () => t('Deleted {0}', what), by: (who) => t('{0} deleted {1}', who, what) };
    case 'removed':
      return { alone: () => t('Removed {0}', what), by: (who) => t('{0} removed {1}', who, what) };
    case 'removed due to membership expiration from':
      return {
        alone: () => t('Membership of {0} expired', what),
        by: (who) => t('The membership of {0} in {1} expired', who, what),
      };
    default:
      // Kinds to come are named as the instance names them, which is in English.
      return {
        alone: () => capitalized(`${action} ${what}`.trim(), vscode.env.language),
        by: (who) => [who, action, what].filter(Boolean).join(' '),
      };
  }
}
