import * as vscode from 'vscode';
import { plainText } from '../../common/inertText.ts';
import { canonicalKind } from './eventKind.ts';

/** The name of a kind for people, such as `pushes` or `opened issues`. What is not known in it stays as the instance names it. */
export function kindLabel(kind: string): string {
  switch (kind) {
    case 'push':
      return vscode.l10n.t('pushes');
    case 'comment':
      return vscode.l10n.t('comments');
  }
  const [action, type] = partsOf(kind);
  return type === undefined
    ? actionLabel(action)
    : vscode.l10n.t('{0} {1}', actionLabel(action), nounsOf(type)?.many ?? plainText(type));
}

/** How often a kind of event happened, such as `17 pushes` or `1 opened issue`. */
export function kindCountLabel(kind: string, count: number): string {
  const { t } = vscode.l10n;
  switch (kind) {
    case 'push':
      return count === 1 ? t('1 push') : t('{0} pushes', count);
    case 'comment':
      return count === 1 ? t('1 comment') : t('{0} comments', count);
  }
  const [action, type] = partsOf(kind);
  const nouns = type === undefined ? undefined : nounsOf(type);
  return nouns
    ? t('{0} {1} {2}', count, actionLabel(action), count === 1 ? nouns.one : nouns.many)
    : `${count} × ${kindLabel(kind)}`;
}

/** The target's type is the name of a class; an action may be of several words. */
function partsOf(kind: string): readonly [action: string, type?: string | undefined] {
  const [, action, type] = /^(.+) ([A-Z]\S*)$/s.exec(canonicalKind(kind)) ?? [];
  return action === undefined ? [canonicalKind(kind)] : [action, type];
}

/** The name of an action for people: of the filter or of an event. One that is not known stays as it is. */
export function actionLabel(action: string): string {
  const { t } = vscode.l10n;
  const merged = t('merged');
  const names: Readonly<Record<string, string>> = {
    accepted: merged,
    approved: t('approved'),
    closed: t('closed'),
    commented: t('commented'),
    created: t('created'),
    destroyed: t('deleted'),
    expired: t('expired'),
    joined: t('joined'),
    left: t('left'),
    merged,
    opened: t('opened'),
    pushed: t('pushed'),
    'removed due to membership expiration from': t('membership expired'),
    reopened: t('reopened'),
    updated: t('updated'),
  };
  return own(names, action) ?? plainText(action);
}

/**
 * The name of a target type for people: of the filter, such as `merge_request`, or of an event, which has the name
 * of a class instead, such as `MergeRequest` or `WikiPage::Meta`. One that is not known stays as it is.
 */
export function targetTypeLabel(type: string): string {
  return nounsOf(type)?.one ?? plainText(type);
}

interface Nouns {
  readonly one: string;
  readonly many: string;
}

/** The name of a target type for people, of one and of several; undefined if it is not known. */
function nounsOf(type: string): Nouns | undefined {
  const { t } = vscode.l10n;
  const issue = { one: t('issue'), many: t('issues') };
  const nouns: Readonly<Record<string, Nouns>> = {
    alert: { one: t('alert'), many: t('alerts') },
    design: { one: t('design'), many: t('designs') },
    epic: { one: t('epic'), many: t('epics') },
    issue,
    mergerequest: { one: t('merge request'), many: t('merge requests') },
    milestone: { one: t('milestone'), many: t('milestones') },
    note: { one: t('note'), many: t('notes') },
    project: { one: t('project'), many: t('projects') },
    snippet: { one: t('snippet'), many: t('snippets') },
    user: { one: t('user'), many: t('users') },
    wiki: { one: t('wiki page'), many: t('wiki pages') },
    workitem: issue,
  };
  return own(nouns, type.replace(/_|Page.*|Management.*/g, '').toLowerCase());
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
