import * as vscode from 'vscode';
import { type Account, isReadOnly } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountName.ts';
import { undoOf } from '../model/comparison.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { describeChange, fieldWord } from '../model/words.ts';
import type { ToForm } from '../protocol/messages.ts';
import type { SessionState } from '../session/settingsSession.ts';
import { fieldErrorsOf, noticeOf, readOnlyNotice } from './notices.ts';

/** All that the form shows of a scope. Holds no token. @param inUse the account that the window works with. */
export function formStateOf(scope: NotificationScope, inUse: Account | undefined, state: SessionState): ToForm {
  const { phase, settings, conflict, outcome, memory } = state;
  return {
    type: 'state',
    scope,
    scopeKey: scopeKey(scope),
    account: accountLabel(scope.accountId),
    ...(inUse && inUse.id !== scope.accountId ? { otherAccount: accountLabel(inUse.id) } : {}),
    phase,
    settings,
    draft: memory.draft,
    confirmed: memory.confirmed,
    notice: noticeOf(outcome) ?? (inUse?.id === scope.accountId && isReadOnly(inUse) ? readOnlyNotice() : undefined),
    fieldErrors: fieldErrorsOf(outcome),
    conflict,
    undo: undoWords(state),
    written: Object.fromEntries(
      Object.entries(memory.written).map(([event, { value, at }]) => [event, { value, day: dayOf(at) }]),
    ),
  };
}

function undoWords({ settings, memory: { lastSave } }: SessionState): ToForm['undo'] {
  if (!settings || !lastSave) {
    return undefined;
  }
  const { change, lost } = undoOf(lastSave.before, lastSave.change);
  return {
    sentences: [...describeChange(settings, change, vscode.l10n)],
    lost: lost.map((field) => fieldWord(field, vscode.l10n)),
  };
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}
