import * as vscode from 'vscode';
import type { EventNote, EventPush, EventRecord } from '../../api/events.ts';
import { plainText } from '../../common/inertText.ts';
import { hasDotSegment, webAddress } from '../../common/instanceUrl.ts';

const { t } = vscode.l10n;

export interface TargetType {
  readonly name: string;
  /** Such as `issue`, `issues` and `an issue`. */
  readonly one: string;
  readonly many: string;
  readonly some: string;
  readonly icon: string;
  /** Before the number by which people refer to it; empty for what has none. */
  readonly sign: string;
  /** The page below the project, by the number within it or by the id; empty where there is none. */
  readonly page: string;
}

/** One, several and some of a type, by its name. */
const nouns = {
  issue: [t('issue'), t('issues'), t('an issue')],
  merge_request: [t('merge request'), t('merge requests'), t('a merge request')],
  epic: [t('epic'), t('epics'), t('an epic')],
  milestone: [t('milestone'), t('milestones'), t('a milestone')],
  snippet: [t('snippet'), t('snippets'), t('a snippet')],
  project: [t('project'), t('projects'), t('the project')],
  user: [t('user'), t('users'), t('a user')],
  commit: [t('commit'), t('commits'), t('a commit')],
  wiki: [t('wiki page'), t('wiki pages'), t('a wiki page')],
  design: [t('design'), t('designs'), t('a design')],
  alert: [t('alert'), t('alerts'), t('an alert')],
  vulnerability: [t('vulnerability'), t('vulnerabilities'), t('a vulnerability')],
  note: [t('comment'), t('comments'), t('something')],
} as const;

type Line = readonly [className: string, name: keyof typeof nouns, icon: string, sign?: string, page?: string];
const lines: readonly Line[] = [
  ['Issue', 'issue', 'issues', '#', 'issues/{iid}'],
  ['WorkItem', 'issue', 'issues', '#', 'work_items/{iid}'],
  ['MergeRequest', 'merge_request', 'git-pull-request', '!', 'merge_requests/{iid}'],
  ['Epic', 'epic', 'layers', '&'],
  ['Milestone', 'milestone', 'milestone', '', 'milestones/{iid}'],
  ['Snippet', 'snippet', 'symbol-snippet', '', 'snippets/{id}'],
  ['ProjectSnippet', 'snippet', 'symbol-snippet', '', 'snippets/{id}'],
  ['PersonalSnippet', 'snippet', 'symbol-snippet', '', 'snippets/{id}'],
  ['Project', 'project', 'repo'],
  ['User', 'user', 'person'],
  ['Commit', 'commit', 'git-commit'],
  // The API does not give the address of a page: this one lists all of them.
  ['WikiPage::Meta', 'wiki', 'book', '', 'wikis/pages'],
  ['WikiPage', 'wiki', 'book', '', 'wikis/pages'],
  ['DesignManagement::Design', 'design', 'file-media'],
  ['AlertManagement::Alert', 'alert', 'bell', '^alert#', 'alert_management/{iid}/details'],
  ['Vulnerability', 'vulnerability', 'shield', '', 'security/vulnerabilities/{id}'],
  ['Note', 'note', 'comment'],
  ['DiffNote', 'note', 'comment'],
  ['DiscussionNote', 'note', 'comment'],
];
/** By the names of classes, as records have them. */
const types: ReadonlyMap<string, TargetType> = new Map(
  lines.map(([className, name, icon, sign = '', page = '']) => {
    const [one, many, some] = nouns[name];
    return [className, { name, one, many, some, icon, sign, page }];
  }),
);

export function targetType(className: string): TargetType | undefined {
  return types.get(className);
}

export function targetTypeLabel(name: string): string {
  return (types.get(name) ?? [...types.values()].find((type) => type.name === name))?.one ?? plainText(name);
}

/** What an event is about; for a comment, what was commented on. */
export interface Target {
  /** The name of the class; empty if the instance does not say. */
  readonly className: string;
  readonly type: TargetType | undefined;
  readonly id: number | undefined;
  readonly iid: number | undefined;
  readonly title: string;
}

/** Titles are never cut: the editor cuts what does not fit, and finds the rest. */
const longestTitle = 2000;

export function targetOf({ note: on, target_type, target_id, target_iid, project_id, ...event }: EventRecord): Target {
  // Kinds to come are named as the instance names them; one of characters that are not seen is none.
  const named = plainText((on ? on.noteable_type : target_type) ?? '').trim();
  // Pushes, and what happens to a project, may name no target. A work item of a group is an epic.
  const isOfProject = typeof project_id === 'number';
  const className = named === 'WorkItem' && !isOfProject ? 'Epic' : named;
  return {
    className,
    type: className === '' && isOfProject ? types.get('Project') : types.get(className),
    // Those of a comment are the comment's own.
    id: (on ? on.noteable_id : target_id) ?? undefined,
    iid: (on ? on.noteable_iid : target_iid) ?? undefined,
    title: plainText(event.target_title || event.wiki_page?.title || '', longestTitle).trim(),
  };
}

/** The number by which people refer to a target, with its sign; undefined of what has none. */
export function numberOf({ type, iid }: Target): string | undefined {
  return !type?.sign || iid === undefined ? undefined : `${type.sign}${iid}`;
}

/** Where something happened, as far as it is known. Addresses are of the web and have no slash at their end. */
export interface Places {
  readonly instanceUrl: string;
  readonly projectUrl?: string | undefined;
}

/**
 * The web address of what an event is about: the issue, the comment, the commits of a push. Where there is none, such as
 * for a deleted branch or a kind that is not known, it is the project's; outside of projects it is the page of the snippet or of
 * the group, else the author's.
 */
export function eventLink(event: EventRecord, { instanceUrl, projectUrl }: Places): string {
  const { project_id: projectId } = event;
  if (typeof projectId !== 'number') {
    return outsideLink(event, instanceUrl) ?? authorLink(event, instanceUrl) ?? instanceUrl;
  }
  const project = webAddress(projectUrl);
  if (project === undefined) {
    // Leads to the project whatever its path is.
    return `${instanceUrl}/projects/${projectId}`;
  }
  const path = event.push_data ? pushPath(event.push_data) : targetPath(event);
  // What others wrote leads to no page above the project's.
  return path === undefined || hasDotSegment(path) ? project : `${project}/-/${path}`;
}

export function usernameOf({ author, author_username: username }: EventRecord): string | undefined {
  return (author?.username ?? username) || undefined;
}

export function authorLink(event: EventRecord, instanceUrl: string): string | undefined {
  const username = usernameOf(event);
  return (
    webAddress(event.author?.web_url) ??
    (username === undefined ? undefined : `${instanceUrl}/${encodeURIComponent(username.toWellFormed())}`)
  );
}

/** Where something happened that belongs to no project; undefined if there is no page of it. */
function outsideLink(event: EventRecord, instanceUrl: string): string | undefined {
  const { note, group_id: groupId } = event;
  const { type, id } = targetOf(event);
  if (type?.name === 'snippet' && id !== undefined && !isGone(event)) {
    return `${instanceUrl}/-/snippets/${id}${anchorOf(note)}`;
  }
  // Leads to the group whatever its path is.
  return typeof groupId === 'number' ? `${instanceUrl}/-/g/${groupId}` : undefined;
}

/** By the commits where they are known, whatever the ref is. */
function pushPath({ action, ref, ref_type, commit_count, commit_from, commit_to }: EventPush): string | undefined {
  if (action === 'removed') {
    return undefined;
  }
  if (ref && ref_type === 'tag') {
    return `tags/${encodePath(ref)}`;
  }
  if (ref && (action === 'created' || !commit_to)) {
    return `commits/${encodePath(ref)}`;
  }
  if (!commit_to) {
    return undefined;
  }
  return commit_count === 1 || !commit_from || action === 'created'
    ? `commit/${encodePath(commit_to)}`
    : `compare/${encodePath(commit_from)}...${encodePath(commit_to)}`;
}

function targetPath(event: EventRecord): string | undefined {
  const { note, wiki_page } = event;
  if (!note) {
    return isGone(event) ? undefined : wiki_page?.slug ? `wikis/${encodePath(wiki_page.slug)}` : pageOf(event);
  }
  // A comment on a line of a commit names the commit by its position alone.
  const commit = note.commit_id ?? note.position?.head_sha;
  const path =
    note.noteable_type === 'Commit' && typeof commit === 'string' ? `commit/${encodePath(commit)}` : pageOf(event);
  return path && path + anchorOf(note);
}

function anchorOf(note: EventNote | null | undefined): string {
  return note?.id ? `#note_${note.id}` : '';
}

function pageOf(event: EventRecord): string | undefined {
  const { type, id, iid } = targetOf(event);
  const { page = '' } = type ?? {};
  const number = page.includes('{id}') ? id : iid;
  return page === '' || (page.includes('{') && number === undefined)
    ? undefined
    : page.replace(/\{i?id\}/, String(number));
}

/** Whether what an event is about has no page any more. */
export function isGone({ action_name: action }: EventRecord): boolean {
  return action === 'destroyed' || action === 'removed' || action === 'deleted';
}

/** Encodes the segments of a path; the slashes of a branch's name stay. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/**
 * The address of the author's picture, which the editor itself loads and shows: only over TLS, at the instance's own origin, below its
 * path, and where GitLab has the pictures of users, which are public.
 *
 * @returns undefined for every other address.
 * @see https://docs.gitlab.com/administration/image_scaling/
 */
export function authorPicture({ author }: EventRecord, instanceUrl: string): string | undefined {
  const [instance, url] = [URL.parse(instanceUrl), URL.parse(author?.avatar_url ?? '')];
  if (!instance || url?.protocol !== 'https:' || url.origin !== instance.origin || url.username + url.password !== '') {
    return undefined;
  }
  const base = instance.pathname.replace(/(?<!\/)\/+$/, '');
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : '';
  return /^\/uploads\/-\/system\/user\/avatar\/\d{1,20}\/(?:[\w.+-]|%[89A-F][\dA-F]){1,255}$/i.test(path)
    ? `${url.origin}${url.pathname}?width=64`
    : undefined;
}
