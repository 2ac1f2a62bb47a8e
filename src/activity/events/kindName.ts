import * as vscode from 'vscode';
import { plainText } from '../../plainText.ts';

/** The name of a kind for people. Kinds other than pushes and comments are named as the instance names them. */
export function kindName(kind: string): string {
  switch (kind) {
    case 'push':
      return vscode.l10n.t('pushes');
    case 'comment':
      return vscode.l10n.t('comments');
    default:
      return plainText(kind);
  }
}
