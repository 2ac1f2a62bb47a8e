import * as vscode from 'vscode';
import { oneKind } from './eventKind.ts';
import { actionName, targetTypeName } from './eventNames.ts';

/** The name of a kind for people, such as `pushes` or `opened issue`. What is not known in it stays as the instance names it. */
export function kindName(kind: string): string {
  switch (kind) {
    case 'push':
      return vscode.l10n.t('pushes');
    case 'comment':
      return vscode.l10n.t('comments');
  }
  // The target's type is the name of a class; an action may be of several words.
  const [, action, type] = /^(.+) ([A-Z]\S*)$/s.exec(oneKind(kind)) ?? [];
  return action === undefined || type === undefined
    ? actionName(oneKind(kind))
    : vscode.l10n.t('{0} {1}', actionName(action), targetTypeName(type));
}
