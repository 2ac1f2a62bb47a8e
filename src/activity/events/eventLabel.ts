import * as vscode from 'vscode';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { readTimestamp } from '../../api/grammar.ts';
import { capitalized } from '../../common/dates.ts';
import { filled, plainText } from '../../common/inertText.ts';
import { numberOf, targetOf, targetType } from './targets.ts';

const { t } = vscode.l10n;

/** Words one after the other, as the language of the editor separates them. */
export function listLabel([first = '', ...others]: readonly string[]): string {
  return others.reduce((all, word) => t('{0}, {1}', all, word), first);
}

/** What was done, without and with who did it: languages do not make one sentence out of the other. */
type Phrase = readonly [alone: string, by: string];

const pushed: Phrase = [t('Pushed {0}'), t('{0} pushed {1}')];
const moved: Phrase = [t('Moved {0}'), t('{0} moved {1}')];
const pushedTo: Phrase = [t('Pushed to {0}'), t('{0} pushed to {1}')];
const pushedTitle: Phrase = [t('Pushed to {0}: {1}'), t('{0} pushed to {1}: {2}')];
const pushedCommits: Phrase = [t('Pushed {1} to {0}'), t('{0} pushed {2} to {1}')];

export interface EventIcon {
  readonly id: string;
  readonly color?: string | undefined;
}

interface Action {
  readonly phrase: Phrase;
  /** What it is called as a word before what it was done to; as the instance names it, if not given. */
  readonly name?: string | undefined;
  /** Undefined where something begins, so that the icon is that of the target. */
  readonly icon?: EventIcon | undefined;
}

function actionOf(alone: string, by: string, name?: string, icon?: string, color?: string): Action {
  return { phrase: [alone, by], name, icon: icon === undefined ? undefined : { id: icon, color } };
}

const [green, purple] = ['charts.green', 'charts.purple'];
const ofGit = (state: string): string => `gitDecoration.${state}ResourceForeground`;
const red = ofGit('deleted');
const created = actionOf(t('Created {0}'), t('{0} created {1}'), t('created'));
const merged = actionOf(t('Merged {0}'), t('{0} merged {1}'), t('merged'), 'git-merge', purple);
const commented = actionOf(t('Commented on {0}'), t('{0} commented on {1}'), t('commented'), 'comment');
const pushing = actionOf(...pushedTo, t('pushed'), 'repo-push', 'charts.blue');
const deleted = actionOf(t('Deleted {0}'), t('{0} deleted {1}'), t('deleted'), 'trash', red);
const [expiredAlone, expiredBy] = [t('Membership of {0} expired'), t('The membership of {0} in {1} expired')];
const expired = actionOf(expiredAlone, expiredBy, t('expired'), 'sign-out');

/** By the words of records, and by those of filters, which the platform calls otherwise. */
const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries<Action>({
    ...{ created, merged, accepted: merged, commented, 'commented on': commented, deleted, destroyed: deleted },
    ...{ pushed: pushing, 'pushed to': pushing, 'pushed new': pushing },
    ...{ expired, 'removed due to membership expiration from': expired },
    opened: actionOf(t('Opened {0}'), t('{0} opened {1}'), t('opened')),
    added: actionOf(t('Added {0}'), t('{0} added {1}'), t('added')),
    imported: actionOf(t('Imported {0}'), t('{0} imported {1}'), t('imported'), 'cloud-download'),
    removed: actionOf(t('Removed {0}'), t('{0} removed {1}'), t('removed'), 'trash', red),
    updated: actionOf(t('Updated {0}'), t('{0} updated {1}'), t('updated'), 'edit', ofGit('modified')),
    closed: actionOf(t('Closed {0}'), t('{0} closed {1}'), t('closed'), 'issue-closed', purple),
    reopened: actionOf(t('Reopened {0}'), t('{0} reopened {1}'), t('reopened'), 'issue-reopened', green),
    approved: actionOf(t('Approved {0}'), t('{0} approved {1}'), t('approved'), 'check', green),
    joined: actionOf(t('Joined {0}'), t('{0} joined {1}'), t('joined'), 'person-add'),
    left: actionOf(t('Left {0}'), t('{0} left {1}'), t('left'), 'sign-out'),
  }),
);

/** The icon that stands for what was done; `pulse` for an action or target that is not known. */
export function eventIcon(event: EventRecord): EventIcon {
  const { push_data: push, action_name: action, target_type: type } = event;
  if (push?.action === 'created') {
    return { id: push.ref_type === 'tag' ? 'tag' : 'git-branch', color: ofGit('added') };
  }
  if (type === 'MergeRequest' && action === 'closed') {
    return { id: 'git-pull-request-closed', color: 'charts.red' };
  }
  const { icon } = (push ? (push.action === 'removed' ? deleted : pushing) : actions.get(action)) ?? {};
  // A project that was created may be no target.
  const begun = isBeginning(event) && (type || action === 'created') ? targetOf(event).type?.icon : undefined;
  return icon ?? (begun === undefined ? { id: 'pulse' } : { id: begun, color: green });
}

/** Whether an action begins something, so that the icon is that of the target. */
function isBeginning({ action_name: action }: EventRecord): boolean {
  return action === 'opened' || action === 'created' || action === 'added';
}

/**
 * Says what happened: `Opened issue #12 “Title”`, or with an author: `Ada opened issue #12 “Title”`. An action or target that is not
 * known is named as the instance names it. Fit for one line, but neither for Markdown nor for a message.
 */
export function eventLabel(event: EventRecord, by?: string): string {
  const { action_name: action, push_data: push } = event;
  const [phrase, ...what] = push ? pushPhrase(push) : [actions.get(action)?.phrase, targetPhrase(event)];
  if (!phrase) {
    // Kinds to come are named as the instance names them, which is in English.
    const words = [by, lineOf(action), ...what].filter(Boolean).join(' ');
    return plainText(by ? words : capitalized(words, vscode.env.language), longestLabel);
  }
  return plainText(by ? filled(phrase[1], [by, ...what]) : filled(phrase[0], what), longestLabel);
}

const longestLabel = 2500;

/** To make one takes as long as to use it a hundred times. */
const numberFormats = new Map<string, Intl.NumberFormat>();

export function numberLabel(value: number): string {
  const { language } = vscode.env;
  const format = numberFormats.get(language) ?? new Intl.NumberFormat(language);
  numberFormats.set(language, format);
  return format.format(value);
}

export function eventCount(count: number): string {
  return count === 1 ? t('1 event') : t('{0} events', numberLabel(count));
}

export function newEventsLabel(count: number, feeds: string): string {
  return count === 1 ? t('1 new event in {0}', feeds) : t('{0} new events in {1}', numberLabel(count), feeds);
}

function targetPhrase(event: EventRecord): string {
  const target = targetOf(event);
  const { type, iid, title, className } = target;
  const named = (what: string): string => (title === '' ? what : t('{0} “{1}”', what, title));
  if (!type) {
    return className === '' ? named(t('something')) : named(className);
  }
  const number = numberOf(target);
  if (number !== undefined) {
    // `^alert#3` is no word of a sentence.
    return named(`${type.one} ${type.sign.length === 1 ? number : iid}`);
  }
  const isSaid = className !== '' && type.name !== 'note';
  return title === '' || !isSaid ? named(type.some) : named(type.one);
}

function pushPhrase(push: EventPush): readonly [Phrase, ...string[]] {
  const isTag = push.ref_type === 'tag';
  const [ref, title] = [push.ref, push.commit_title].map(lineOf);
  const refs = push.ref_count ?? 0;
  // What a push did to several refs is one event.
  const oneRef = isTag ? t('1 tag') : t('1 branch');
  const severalRefs = isTag ? t('{0} tags', numberLabel(refs)) : t('{0} branches', numberLabel(refs));
  const someRef = isTag ? t('a tag') : t('a branch');
  const namedRef = isTag ? t('tag {0}', ref ?? '') : t('branch {0}', ref ?? '');
  const what = refs > 1 ? severalRefs : refs === 1 ? oneRef : ref ? namedRef : someRef;
  if (push.action === 'created' || push.action === 'removed') {
    return [push.action === 'created' ? created.phrase : deleted.phrase, what];
  }
  if (refs > 0) {
    return [pushed, what];
  }
  if (isTag) {
    // A tag that is pushed again leads to another commit than before.
    return [moved, what];
  }
  const count = push.commit_count ?? 0;
  const commits = count > 1 ? t('{0} commits', numberLabel(count)) : undefined;
  if (!ref) {
    return [pushed, commits ?? (title ? `“${title}”` : t('commits'))];
  }
  return commits ? [pushedCommits, ref, commits] : title && count === 1 ? [pushedTitle, ref, title] : [pushedTo, ref];
}

/** Text of the instance in one line; undefined where nothing of it can be seen. */
function lineOf(text: string | null | undefined): string | undefined {
  return plainText(text ?? '', 2000).trim() || undefined;
}

/**
 * The icon says what was done, so that the label is what it was done to, such as `#12 Title`, whole: the editor cuts what does not fit,
 * and finds the rest. What no icon stands for, or has no name, is a sentence. The detail is the branch of a push, or what kind of thing it
 * is where neither label nor icon say so.
 *
 * @param defaultBranch of the project, if it is known: that a push went there need not be said.
 */
export function rowTexts(
  event: EventRecord,
  defaultBranch?: string,
): { readonly label: string; readonly detail?: string | undefined } {
  if (event.push_data) {
    return pushTexts(event, event.push_data, defaultBranch);
  }
  const target = targetOf(event);
  const number = numberOf(target);
  const label = [number, target.title].filter(Boolean).join(' ');
  if (label === '' || eventIcon(event).id === 'pulse') {
    return { label: eventLabel(event) };
  }
  const kind = target.type ? (target.className === '' ? undefined : target.type.one) : target.className;
  return { label, detail: number === undefined && !isBeginning(event) ? kind : undefined };
}

function pushTexts(event: EventRecord, push: EventPush, defaultBranch?: string) {
  const [ref, title] = [push.ref, push.commit_title].map(lineOf);
  const isTag = push.ref_type === 'tag';
  const count = push.commit_count ?? 0;
  if (push.action === 'created' || push.action === 'removed' || isTag || push.ref_count) {
    const kind = isTag ? t('tag') : t('branch');
    return ref ? { label: ref, detail: push.action === 'created' ? undefined : kind } : { label: eventLabel(event) };
  }
  const what = count > 1 ? t('{0} commits', numberLabel(count)) : title;
  return what
    ? { label: what, detail: push.ref === defaultBranch ? undefined : ref }
    : { label: ref ?? eventLabel(event) };
}

export function momentOf({ created_at: createdAt }: EventRecord): Date | undefined {
  const time = readTimestamp(createdAt);
  return time === undefined ? undefined : new Date(time);
}

/** The author as sentences, rows and documents name them: by the username, which is short and unique, else by the full name. */
export function authorName(event: EventRecord): string {
  const { author, author_username: username } = event;
  return lineOf(author?.username) ?? lineOf(username) ?? lineOf(author?.name) ?? t('Someone');
}

/** The author's full name; the username where there is none that can be read. */
export function authorFullName(event: EventRecord): string {
  return lineOf(event.author?.name) ?? authorName(event);
}

/** The author where there is room for both names: `Ada Byron (@ada)`. */
export function authorDetails(event: EventRecord): string {
  const [name, fullName] = [authorName(event), authorFullName(event)];
  return name === fullName ? name : `${fullName} (@${name})`;
}

/** Names a kind of event: all pushes are one kind, all comments are; else the action and the class of the target make one. */
export function eventKind({ push_data, note, action_name, target_type, project_id }: EventRecord): string {
  if (push_data || note || action_name === 'commented on') {
    return push_data ? 'push' : 'comment';
  }
  // Who joins or leaves has a target or none, as the version of the instance is.
  if (membership.has(action_name)) {
    return action_name;
  }
  // Issues are work items to newer instances; a work item of a group is an epic.
  const isOfProject = typeof project_id === 'number';
  const type = target_type === 'WorkItem' ? (isOfProject ? 'Issue' : 'Epic') : target_type;
  return [action_name, type].filter(Boolean).join(' ');
}

const membership = new Set(['joined', 'left', 'removed due to membership expiration from']);

/** The name of a kind for people, such as `pushes` or `opened issues`. What is not known in it stays as the instance names it. */
export function kindLabel(kind: string): string {
  if (kind === 'push' || kind === 'comment') {
    return kind === 'push' ? t('pushes') : t('comments');
  }
  // The target's type is the name of a class; an action may be of several words.
  const [, action = kind, type] = /^(.+) ([A-Z]\S*)$/s.exec(kind) ?? [];
  return type === undefined
    ? actionLabel(action).trim() || t('something')
    : t('{0} {1}', actionLabel(action), targetType(type)?.many ?? plainText(type));
}

/** The name of an action for people: of the filter or of an event. One that is not known stays as it is. */
export function actionLabel(action: string): string {
  return actions.get(action)?.name ?? plainText(action);
}
