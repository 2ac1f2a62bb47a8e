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
