import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';
import { plainText } from '../../common/inertText.ts';

const { t } = vscode.l10n;

export interface TargetType {
  readonly name: string;
  /** Such as `issue`, `issues` and `an issue`. */
  readonly one: string;
  readonly many: string;
  readonly some: string;
  /** Such as `issue #{0}`, of what has a number, and the sign before it. */
  readonly numbered?: string;
  readonly sign?: string;
  /** The page below the project: by the number within it, or else by the id. */
  readonly page?: string;
  readonly isById?: boolean;
  readonly icon: string;
}

type Nouns = readonly [one: string, many: string, some: string];
type More = Partial<Pick<TargetType, 'numbered' | 'sign' | 'page' | 'isById'>>;

function typeOf(name: string, [one, many, some]: Nouns, icon: string, more: More = {}): TargetType {
  return { name, one, many, some, icon, ...more };
}

const issue: Nouns = [t('issue'), t('issues'), t('an issue')];
const [numberedIssue, numberedRequest] = [t('issue #{0}'), t('merge request !{0}')];
const snippet = typeOf('snippet', [t('snippet'), t('snippets'), t('a snippet')], 'symbol-snippet', {
  sign: '$',
  page: 'snippets/{0}',
  isById: true,
});
// The API does not give the address of a page: this one lists all of them.
const wiki = typeOf('wiki', [t('wiki page'), t('wiki pages'), t('a wiki page')], 'book', { page: 'wikis/pages' });
const note = typeOf('note', [t('note'), t('notes'), t('something')], 'comment');

/** By the names of classes, as records have them. */
const types: ReadonlyMap<string, TargetType> = new Map([
  ['Issue', typeOf('issue', issue, 'issues', { numbered: numberedIssue, sign: '#', page: 'issues/{0}' })],
  ['WorkItem', typeOf('issue', issue, 'issues', { numbered: numberedIssue, sign: '#', page: 'work_items/{0}' })],
  [
    'MergeRequest',
    typeOf('merge_request', [t('merge request'), t('merge requests'), t('a merge request')], 'git-pull-request', {
      numbered: numberedRequest,
      sign: '!',
      page: 'merge_requests/{0}',
    }),
  ],
  ['Epic', typeOf('epic', [t('epic'), t('epics'), t('an epic')], 'layers', { numbered: t('epic &{0}'), sign: '&' })],
  [
    'Milestone',
    typeOf('milestone', [t('milestone'), t('milestones'), t('a milestone')], 'milestone', { page: 'milestones/{0}' }),
  ],
  ['Snippet', snippet],
  ['ProjectSnippet', snippet],
  ['PersonalSnippet', snippet],
  ['Project', typeOf('project', [t('project'), t('projects'), t('the project')], 'repo')],
  ['User', typeOf('user', [t('user'), t('users'), t('a user')], 'person')],
  ['Commit', typeOf('commit', [t('commit'), t('commits'), t('a commit')], 'git-commit')],
  ['WikiPage::Meta', wiki],
  ['WikiPage', wiki],
  ['DesignManagement::Design', typeOf('design', [t('design'), t('designs'), t('a design')], 'file-media')],
  [
    'AlertManagement::Alert',
    typeOf('alert', [t('alert'), t('alerts'), t('an alert')], 'bell', {
      numbered: t('alert {0}'),
      sign: '^alert#',
      page: 'alert_management/{0}/details',
    }),
  ],
  [
    'Vulnerability',
    typeOf('vulnerability', [t('vulnerability'), t('vulnerabilities'), t('a vulnerability')], 'shield', {
      page: 'security/vulnerabilities/{0}',
      isById: true,
    }),
  ],
  ['Note', note],
  ['DiffNote', note],
  ['DiscussionNote', note],
]);

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
  return type?.numbered === undefined || iid === undefined ? undefined : `${type.sign ?? ''}${iid}`;
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
