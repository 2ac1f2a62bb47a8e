import * as vscode from 'vscode';
import { plainText } from '../../plainText.ts';
import { actionName, targetTypeName } from '../events/eventNames.ts';
import { kindName } from '../events/kindName.ts';
import type { FeedFilter } from './filter.ts';

/** A filter in a few words, for the view's description; empty for none. */
export function filterText({ action, targetType, since, until, order, author, project, kind }: FeedFilter): string {
  const { t } = vscode.l10n;
  return [
    action === undefined ? undefined : actionName(action),
    targetType === undefined ? undefined : targetTypeName(targetType),
    kind === undefined ? undefined : kindName(kind),
    author === undefined ? undefined : t('by @{0}', plainText(author)),
    project === undefined ? undefined : t('in {0}', project.path),
    spanText(since, until),
    order === 'asc' ? t('oldest first') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

function spanText(since: string | undefined, until: string | undefined): string | undefined {
  const { t } = vscode.l10n;
  if (since === undefined || since === until) {
    return since ?? (until === undefined ? undefined : t('until {0}', until));
  }
  return until === undefined ? t('since {0}', since) : t('{0} to {1}', since, until);
}
