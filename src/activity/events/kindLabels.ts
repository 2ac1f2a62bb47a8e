import * as vscode from 'vscode';
import { plainText } from '../../common/inertText.ts';
import { canonicalKind } from './eventKind.ts';

/** The name of a kind for people, such as `pushes` or `opened issue`. What is not known in it stays as the instance names it. */
export function kindLabel(kind: string): string {
  switch (kind) {
    case 'push':
      return vscode.l10n.t('pushes');
    case 'comment':
      return vscode.l10n.t('comments');
  }
  // The target's type is the name of a class; an action may be of several words.
  const [, action, type] = /^(.+) ([A-Z]\S*)$/s.exec(canonicalKind(kind)) ?? [];
  return action === undefined || type === undefined
    ? actionLabel(canonicalKind(kind))
    : vscode.l10n.t('{0} {1}', actionLabel(action), targetTypeLabel(type));
}

/** The name of an action for people: of the filter or of an event. One that is not known stays as it is. */
export function actionLabel(action: string): string {
  const { t } = vscode.l10n;
  const merged = t('merged');
  return nameIn(
    {
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
    },
    action,
    action,
  );
}

/**
 * The name of a target type for people: of the filter, such as `merge_request`, or of an event, which has the name
 * of a class instead, such as `MergeRequest` or `WikiPage::Meta`. One that is not known stays as it is.
 */
export function targetTypeLabel(type: string): string {
  const { t } = vscode.l10n;
  const issue = t('issue');
  return nameIn(
    {
      alert: t('alert'),
      design: t('design'),
      epic: t('epic'),
      issue,
      mergerequest: t('merge request'),
      milestone: t('milestone'),
      note: t('note'),
      project: t('project'),
      snippet: t('snippet'),
      user: t('user'),
      wiki: t('wiki page'),
      workitem: issue,
    },
    type.replace(/_|Page.*|Management.*/g, '').toLowerCase(),
    type,
  );
}

function nameIn(names: Readonly<Record<string, string>>, key: string, other: string): string {
  return (Object.hasOwn(names, key) ? names[key] : undefined) ?? plainText(other);
}
