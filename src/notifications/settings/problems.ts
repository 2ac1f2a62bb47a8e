import * as vscode from 'vscode';
import { sandboxAccount, SignedOutError } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { type Problem, problemOf } from '../../accounts/problem.ts';

const { t } = vscode.l10n;

/** As `problemOf`, but says of which account the user is signed out. @param accountId whose settings are meant, if it is known. */
export function accountProblem(accountId: string | undefined, error: unknown): Problem {
  const problem = problemOf(error, accountId);
  if (!(error instanceof SignedOutError) || accountId === undefined) {
    return problem;
  }
  return error.accountId === sandboxAccount.id
    ? {
        sentence: t('This window has left the sandbox: nothing can be changed here.'),
        remedy: { command: 'beacon.trySandbox', title: t('Try Sandbox') },
      }
    : {
        ...problem,
        sentence: t('You are signed out of {0}: nothing can be changed here.', accountLabel(accountId)),
      };
}

/** Runs the command that fixes a failure. */
export async function runRemedy(remedy: vscode.Command | undefined): Promise<void> {
  if (remedy) {
    await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
  }
}
