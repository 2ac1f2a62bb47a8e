import * as vscode from 'vscode';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { readTimestamp } from '../../api/grammar.ts';
import { plainText } from '../../common/inertText.ts';
import { capitalized } from '../../common/timeText.ts';
import { hasActionIcon, hasTargetIcon } from './eventIcon.ts';

const { t } = vscode.l10n;

/** What an event is about; for a comment that is what was commented on. */
interface Target {
  /** In a sentence, such as `issue #12 “Title”` or `an issue`. Never empty. */
  readonly phrase: string;
  /** Such as `#12`, for what has a number. */
  readonly reference?: string;
  /** May be empty. */
  readonly title: string;
  /** Such as `issue`; undefined if the instance does not say. */
  readonly kind?: string;
}

function targetOf(event: EventRecord): Target {
  const { note, target_type, target_iid, project_id, wiki_page } = event;
  // Kinds to come are named as the instance names them; one of characters that are not seen is none.
  const type = plainText((note ? note.noteable_type : target_type) ?? '').trim();
  // The target's own iid of a comment is the number of the comment.
  const iid = (note ? note.noteable_iid : target_iid) ?? undefined;
  const title = plainText(event.target_title || wiki_page?.title || '').trim();
  const named = (what: string): string => (title === '' ? what : t('{0} “{1}”', what, title));
  const titled = (some: string, kind: string): Target => ({ phrase: title === '' ? some : named(kind), title, kind });
  const numbered = (some: string, kind: string, sign: string, withNumber: (number: number) => string): Target =>
    iid === undefined
      ? titled(some, kind)
      : { phrase: named(withNumber(iid)), reference: `${sign}${iid}`, title, kind };
  const issue = () => numbered(t('an issue'), t('issue'), '#', (number) => t('issue #{0}', number));
  // A work item of a group is an epic.
  const epic = () => numbered(t('an epic'), t('epic'), '&', (number) => t('epic &{0}', number));
  switch (type) {
    case 'Issue':
      return issue();
    case 'WorkItem':
      return typeof project_id === 'number' ? issue() : epic();
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
    case '':
    case 'Note':
    case 'DiffNote':
    case 'DiscussionNote':
      return {
        phrase: named(type === '' && typeof project_id === 'number' ? t('the project') : t('something')),
        title,
      };
    default:
      return titled(type, type);
  }
}

/**
 * Says what happened: `Opened issue #12 “Title”`, or with an author: `Ada opened issue #12 “Title”`. An action or target that is not
 * known is named as the instance names it. Fit for one line, but neither for Markdown nor for a message.
 */
export function eventLabel(event: EventRecord, by?: string): string {
  return plainText(
    event.push_data ? pushPhrase(event.push_data, by) : actionPhrase(event.action_name, targetOf(event).phrase, by),
  );
}

/**
 * What the row of an event says beside who did it and when. The icon says what was done, so that the label is what it was done to, such as
 * `#12 Title`, whole: the editor cuts what does not fit, and finds the rest. What no icon stands for, or has no name, is a sentence.
 *
 * @param defaultBranch of the project, if it is known: that a push went there need not be said.
 * @returns the label, and the branch of a push, or what kind of thing it is where neither label nor icon say so.
 */
export function rowTexts(
  event: EventRecord,
  defaultBranch?: string,
): { readonly label: string; readonly detail?: string | undefined } {
  if (event.push_data) {
    return pushTexts(event, event.push_data, defaultBranch);
  }
  const { reference = '', title, kind } = targetOf(event);
  const label = `${reference} ${title}`.trim();
  if (label === '' || !hasActionIcon(event)) {
    return { label: eventLabel(event) };
  }
  return { label, detail: reference === '' && !hasTargetIcon(event) ? kind : undefined };
}

function pushTexts(event: EventRecord, push: EventPush, defaultBranch?: string): ReturnType<typeof rowTexts> {
  const { action, commit_count: count, ref_type } = push;
  const [ref = '', title] = [push.ref, push.commit_title].map((text) => plainText(text ?? '').trim());
  const isTag = ref_type === 'tag';
  if (ref === '' || action === 'created') {
    return { label: ref || eventLabel(event) };
  }
  if (isTag || action === 'removed') {
    return { label: ref, detail: isTag ? t('tag') : t('branch') };
  }
  const what = (count ?? 0) > 1 ? t('{0} commits', count ?? 0) : title;
  return what ? { label: what, detail: push.ref === defaultBranch ? undefined : ref } : { label: ref };
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

/** What was pushed, by whom if that is to be said: languages do not make one sentence out of the other. */
function pushPhrase(push: EventPush, by: string | undefined): string {
  const ref = push.ref ?? '';
  const isTag = push.ref_type === 'tag';
  if (push.ref_count) {
    return refsPhrase(push.action, push.ref_count, isTag, by);
  }
  switch (push.action) {
    case 'created':
      if (isTag) {
        return by ? t('{0} created tag {1}', by, ref) : t('Created tag {0}', ref);
      }
      return by ? t('{0} created branch {1}', by, ref) : t('Created branch {0}', ref);
    case 'removed':
      if (isTag) {
        return by ? t('{0} deleted tag {1}', by, ref) : t('Deleted tag {0}', ref);
      }
      return by ? t('{0} deleted branch {1}', by, ref) : t('Deleted branch {0}', ref);
    default:
      if (isTag) {
        // A tag that is pushed again leads to another commit than before.
        return by ? t('{0} moved tag {1}', by, ref) : t('Moved tag {0}', ref);
      }
      return commitsPhrase(push.commit_count ?? 0, push.commit_title, ref, by);
  }
}

/** What a push did to several refs, of which the instance makes one event. */
function refsPhrase(
  action: string | null | undefined,
  count: number,
  areTags: boolean,
  by: string | undefined,
): string {
  switch (action) {
    case 'created':
      return createdRefsPhrase(count, areTags, by);
    case 'removed':
      return deletedRefsPhrase(count, areTags, by);
    default:
      return pushedRefsPhrase(count, areTags, by);
  }
}

function createdRefsPhrase(count: number, areTags: boolean, by: string | undefined): string {
  if (areTags) {
    if (count === 1) {
      return by ? t('{0} created 1 tag', by) : t('Created 1 tag');
    }
    return by ? t('{0} created {1} tags', by, count) : t('Created {0} tags', count);
  }
  if (count === 1) {
    return by ? t('{0} created 1 branch', by) : t('Created 1 branch');
  }
  return by ? t('{0} created {1} branches', by, count) : t('Created {0} branches', count);
}

function deletedRefsPhrase(count: number, areTags: boolean, by: string | undefined): string {
  if (areTags) {
    if (count === 1) {
      return by ? t('{0} deleted 1 tag', by) : t('Deleted 1 tag');
    }
    return by ? t('{0} deleted {1} tags', by, count) : t('Deleted {0} tags', count);
  }
  if (count === 1) {
    return by ? t('{0} deleted 1 branch', by) : t('Deleted 1 branch');
  }
  return by ? t('{0} deleted {1} branches', by, count) : t('Deleted {0} branches', count);
}

function pushedRefsPhrase(count: number, areTags: boolean, by: string | undefined): string {
  if (areTags) {
    if (count === 1) {
      return by ? t('{0} pushed 1 tag', by) : t('Pushed 1 tag');
    }
    return by ? t('{0} pushed {1} tags', by, count) : t('Pushed {0} tags', count);
  }
  if (count === 1) {
    return by ? t('{0} pushed 1 branch', by) : t('Pushed 1 branch');
  }
  return by ? t('{0} pushed {1} branches', by, count) : t('Pushed {0} branches', count);
}

function commitsPhrase(count: number, title: string | null | undefined, ref: string, by: string | undefined): string {
  if (count === 1 && title) {
    return by ? t('{0} pushed to {1}: {2}', by, ref, title) : t('Pushed to {0}: {1}', ref, title);
  }
  if (count > 1) {
    return by ? t('{0} pushed {1} commits to {2}', by, count, ref) : t('Pushed {0} commits to {1}', count, ref);
  }
  return by ? t('{0} pushed to {1}', by, ref) : t('Pushed to {0}', ref);
}

function actionPhrase(action: string, what: string, by: string | undefined): string {
  switch (action) {
    case 'opened':
      return by ? t('{0} opened {1}', by, what) : t('Opened {0}', what);
    case 'created':
      return by ? t('{0} created {1}', by, what) : t('Created {0}', what);
    case 'added':
      return by ? t('{0} added {1}', by, what) : t('Added {0}', what);
    case 'updated':
      return by ? t('{0} updated {1}', by, what) : t('Updated {0}', what);
    case 'closed':
      return by ? t('{0} closed {1}', by, what) : t('Closed {0}', what);
    case 'reopened':
      return by ? t('{0} reopened {1}', by, what) : t('Reopened {0}', what);
    case 'accepted':
    case 'merged':
      return by ? t('{0} merged {1}', by, what) : t('Merged {0}', what);
    case 'approved':
      return by ? t('{0} approved {1}', by, what) : t('Approved {0}', what);
    case 'commented on':
      return by ? t('{0} commented on {1}', by, what) : t('Commented on {0}', what);
    case 'joined':
      return by ? t('{0} joined {1}', by, what) : t('Joined {0}', what);
    case 'left':
      return by ? t('{0} left {1}', by, what) : t('Left {0}', what);
    case 'imported':
      return by ? t('{0} imported {1}', by, what) : t('Imported {0}', what);
    case 'pushed':
    case 'pushed to':
    case 'pushed new':
      return by ? t('{0} pushed to {1}', by, what) : t('Pushed to {0}', what);
    case 'destroyed':
    case 'deleted':
      return by ? t('{0} deleted {1}', by, what) : t('Deleted {0}', what);
    case 'removed':
      return by ? t('{0} removed {1}', by, what) : t('Removed {0}', what);
    case 'removed due to membership expiration from':
      return by ? t('The membership of {0} in {1} expired', by, what) : t('Membership of {0} expired', what);
    default:
      // Kinds to come are named as the instance names them, which is in English.
      return by
        ? [by, action, what].filter(Boolean).join(' ')
        : capitalized(`${action} ${what}`.trim(), vscode.env.language);
  }
}
