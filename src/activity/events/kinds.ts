import * as vscode from 'vscode';
import type { EventRecord } from '../../api/events.ts';
import { plainText } from '../../common/inertText.ts';
import { numberLabel } from './eventLabel.ts';
import { targetType } from './targets.ts';

const { t } = vscode.l10n;

/** Names a kind of event: all pushes are one kind, all comments are; else the action and the class of the target make one. */
export function eventKind({ push_data, note, action_name, target_type, project_id }: EventRecord): string {
  if (push_data || note) {
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

const membership: ReadonlyMap<string, string> = new Map([
  ['joined', t('new members')],
  ['left', t('members who left')],
  ['removed due to membership expiration from', t('expired memberships')],
]);

/** The name of a kind for people, such as `pushes` or `opened issues`. What is not known in it stays as the instance names it. */
export function kindLabel(kind: string): string {
  if (kind === 'push' || kind === 'comment') {
    return kind === 'push' ? t('pushes') : t('comments');
  }
  const [action, type] = partsOf(kind);
  return type === undefined
    ? (membership.get(action) ?? actionLabel(action))
    : t('{0} {1}', actionLabel(action), targetType(type)?.many ?? plainText(type));
}

/** How often a kind of event happened, such as `17 pushes` or `1 opened issue`. */
export function kindCountLabel(kind: string, count: number): string {
  switch (kind) {
    case 'push':
      return count === 1 ? t('1 push') : t('{0} pushes', numberLabel(count));
    case 'comment':
      return count === 1 ? t('1 comment') : t('{0} comments', numberLabel(count));
  }
  const [action, name = ''] = partsOf(kind);
  const type = targetType(name);
  return type
    ? t('{0} {1} {2}', numberLabel(count), actionLabel(action), count === 1 ? type.one : type.many)
    : `${numberLabel(count)} × ${kindLabel(kind)}`;
}

/** The target's type is the name of a class; an action may be of several words. */
function partsOf(kind: string): readonly [action: string, type?: string | undefined] {
  const [, action, type] = /^(.+) ([A-Z]\S*)$/s.exec(kind) ?? [];
  return action === undefined ? [kind] : [action, type];
}

const actionNames: ReadonlyMap<string, string> = new Map([
  ['accepted', t('merged')],
  ['approved', t('approved')],
  ['closed', t('closed')],
  ['commented', t('commented')],
  ['created', t('created')],
  ['destroyed', t('deleted')],
  ['expired', t('expired')],
  ['joined', t('joined')],
  ['left', t('left')],
  ['merged', t('merged')],
  ['opened', t('opened')],
  ['pushed', t('pushed')],
  ['reopened', t('reopened')],
  ['updated', t('updated')],
]);

/** The name of an action for people: of the filter or of an event. One that is not known stays as it is. */
export function actionLabel(action: string): string {
  return actionNames.get(action) ?? plainText(action);
}
