import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type AccountRefusal, type ApiError, isApiError, type Obstacle, UnusablePathError } from '../api/errors.ts';
import type { CommandId } from '../common/commands.ts';
import { inSequence, plainText } from '../common/inertText.ts';
import { showMessage } from '../common/inertWindow.ts';
import { tokenListUrl } from '../common/instanceUrl.ts';
import { commandRow, type MessageRow } from '../common/messageRow.ts';
import { SecretStoreError } from '../common/stored.ts';
import { tlsSettingErrorLabel, unavailableLabel } from '../network/labels.ts';
import { TlsSettingError } from '../network/networkErrors.ts';
import { type Account, isReadOnly, lacksReadScope, sandboxAccount, SignedOutError } from './account.ts';
import { accountLabel } from './accountInUse.ts';

const { t } = vscode.l10n;

const keyringHelp = 'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

export interface Remedy extends vscode.Command {
  readonly command: CommandId | 'vscode.open' | 'workbench.action.openSettings';
}

/** How a failure is shown to the user: one sentence and one command that fixes it. */
export interface Problem {
  readonly sentence: string;
  /** Undefined if only trying again helps. */
  readonly remedy?: Remedy;
}

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

/**
 * The sentence and the command for a failure. Details go to the log.
 *
 * @param accountId of the account whose request has failed, if it is known: there may be several on an instance.
 */
export function problemOf(error: unknown, accountId?: string): Problem {
  if (isApiError(error)) {
    return apiProblem(error, accountId);
  }
  if (error instanceof ProblemError) {
    return error.problem;
  }
  if (error instanceof UnusablePathError) {
    return { sentence: t('This is no project, group or user: enter a path such as group/project, or a username.') };
  }
  if (error instanceof SignedOutError) {
    return signedOutProblem(error);
  }
  if (error instanceof SecretStoreError) {
    const sentence =
      error.operation === 'read'
        ? t('The secret store of the editor cannot be read: unlock or repair the keyring of your system.')
        : t(
            'The secret store of the editor cannot be written, so nothing was changed: unlock or repair the keyring of your system.',
          );
    return { sentence, remedy: openPage(t('Open Keyring Help'), keyringHelp) };
  }
  if (error instanceof TlsSettingError) {
    const isPassphrase = error.problem === 'passphraseMissing' || error.problem === 'passphraseWrong';
    const enter = { command: 'beacon.enterPassphrase', title: t('Enter Passphrase…') } as const;
    return { sentence: tlsSettingErrorLabel(error), remedy: isPassphrase ? enter : openSettings('beacon.tls') };
  }
  return { sentence: t('An unexpected error occurred.'), remedy: showLog() };
}

function signedOutProblem({ accountId, isTokenGone }: SignedOutError): Problem {
  if (accountId === sandboxAccount.id) {
    const remedy = { command: 'beacon.trySandbox', title: t('Try Sandbox') } as const;
    return { sentence: t('This window has left the sandbox.'), remedy };
  }
  if (accountId !== undefined && isTokenGone) {
    return tokenGone(
      accountId,
      t(
        'The token of this account is missing in the secret store of the editor, or cannot be read there: sign in again.',
      ),
    );
  }
  const sentence =
    accountId === undefined ? t('You are signed out.') : t('You are signed out of {0}.', accountLabel(accountId));
  return { sentence, remedy: signIn() };
}

/** One sentence and one next step for each reason. */
function apiProblem(error: ApiError, accountId: string | undefined): Problem {
  const { instance, instanceUrl: url = `https://${instance}` } = error;
  const replace = replaceToken(accountId ?? { instance });
  const open = openPage(t('Open {0}', instance), url);
  switch (error.reason) {
    case 'notSignedIn':
      return error.isReplaced
        ? { sentence: t('The token for {0} had to be refreshed, and nothing was changed: try again.', instance) }
        : { sentence: t('{0} does not accept the token: it is wrong, expired or revoked.', instance), remedy: replace };
    case 'missingScope':
      return { sentence: missingScopeSentence(error), remedy: replace };
    case 'missingPermission': {
      const sentence = withQuote(missingPermissionSentence(error), error.sentence);
      return error.permissions.length === 0
        ? { sentence }
        : { sentence, remedy: openPage(t('Open Token Page'), tokenListUrl(url)) };
    }
    case 'accountRefused': {
      const sentence = withQuote(refusalSentence(error.refusal, instance), error.sentence);
      return { sentence, remedy: error.refusal === 'impersonation' ? replace : open };
    }
    case 'missingRole': {
      const { statedReason } = error;
      const role = t('Your role on {0} does not allow this.', instance);
      return { sentence: statedReason ? withQuote(t('{0} does not allow this.', instance), statedReason) : role };
    }
    case 'notFound':
      return { sentence: t('Not found on {0}, or not visible to you.', instance) };
    case 'movedElsewhere': {
      const { isPage, foreignOrigin } = error;
      const elsewhere = t(
        '{0} redirects to {1}, which does not get your token: sign in there if it is your instance.',
        instance,
        foreignOrigin,
      );
      return isPage
        ? { sentence: obstacleSentence('page', instance, foreignOrigin), remedy: open }
        : { sentence: elsewhere, remedy: signIn() };
    }
    case 'inFront':
      return { sentence: obstacleSentence(error.obstacle, instance), remedy: open };
    case 'rateLimited':
      return { sentence: t('{0} limits requests: try again later.', instance) };
    case 'unavailable': {
      const title = t('Diagnose Connection…');
      const remedy: Remedy = { command: 'beacon.diagnoseConnection', title, arguments: [{ url }] };
      // The diagnosis checks the route to the instance; it cannot explain an error inside the instance.
      return { sentence: unavailableLabel(error), ...(error.kind === 'status' ? {} : { remedy }) };
    }
    case 'notAnInstance':
      return { sentence: t('{0} does not answer like a GitLab instance; check the URL.', instance), remedy: signIn() };
    case 'aborted':
      return { sentence: t('The request to {0} was canceled.', instance) };
    case 'validation':
    case 'tooLong':
    case 'refused':
    case 'grantRefused':
      return { sentence: t('{0} does not accept the request.', instance), remedy: showLog() };
  }
}

/** Says who has answered in the place of an instance, which has refused nothing, and what helps. */
function obstacleSentence(obstacle: Obstacle, instance: string, origin = instance): string {
  if (obstacle === 'protection') {
    return t(
      'A protection such as Cloudflare in front of {0} asks for a browser or refuses your network: wait a while, or use another network.',
      instance,
    );
  }
  const what =
    obstacle === 'password'
      ? t('A web server or proxy in front of {0} asks for a password of its own.', instance)
      : t('A page for signing in at {0} stands in front of {1}.', origin, instance);
  return inSequence(what, t('The token is not refused: ask an administrator to let requests to the API pass.'));
}

/** Says that the scope of a token is too narrow, which nothing else does. */
function missingScopeSentence({ instance, requiredScopes, method }: ApiError<'missingScope'>): string {
  const [first = 'api', ...others] = requiredScopes.filter((scope) => scope !== 'read_api').slice(0, 10);
  // The instance does not say that this is enough to read.
  const scopes = method === 'GET' && first === 'api' && others.length === 0 ? ['read_api', 'api'] : [first, ...others];
  const names = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' }).format(
    scopes.map((scope) => plainText(scope, 50) || 'api'),
  );
  return method === 'GET'
    ? t('The token for {0} may not read this: that needs the token scope {1}.', instance, names)
    : t('The token for {0} may not change this: that needs the token scope {1}.', instance, names);
}

export function readOnlySentence(): string {
  return t('A token with the token scope read_api may read but change nothing; changes need api.');
}

/**
 * Checks, before anything is asked for, that the token of an account may be enough.
 *
 * @param method what is to be done: `GET` to read, `PUT` to change.
 * @throws ProblemError if its scopes are known not to be.
 */
export function requireScope(account: Account, method: 'GET' | 'PUT'): void {
  if (lacksReadScope(account) || (method === 'PUT' && isReadOnly(account))) {
    throw new ProblemError(missingScopeProblem(account));
  }
}

/** What a token cannot do that reads no project, or changes nothing. */
export function missingScopeProblem(account: Account): Problem {
  const sentence = lacksReadScope(account)
    ? t(
        'The token of this account is enough for feeds only: reading more needs the token scope read_api, changing anything needs api.',
      )
    : readOnlySentence();
  return { sentence, remedy: replaceToken(account.id) };
}

function missingPermissionSentence({ instance, permissions }: ApiError<'missingPermission'>): string {
  const names = permissions.slice(0, 10).map((permission) => plainText(permission, 80));
  return names.length === 0
    ? t('{0} does not accept this token for this request.', instance)
    : t(
        '{0} requires a fine-grained token with the permission {1}; where a group requires such tokens, no classic token helps.',
        instance,
        names.join(', '),
      );
}

function refusalSentence(refusal: AccountRefusal, instance: string): string {
  const sentences: Readonly<Record<AccountRefusal, string>> = {
    blocked: t('Your account on {0} is blocked: ask an administrator.', instance),
    pendingApproval: t('Your account on {0} is pending approval by an administrator.', instance),
    deactivated: t('Your account on {0} is deactivated: sign in there with a browser.', instance),
    terms: t('You have not accepted the terms of {0} yet: do it there with a browser.', instance),
    passwordExpired: t('Your password on {0} has expired: change it there with a browser.', instance),
    unconfirmed: t('Your e-mail address is not confirmed on {0}: do it there with a browser.', instance),
    twoFactor: t('{0} requires two-factor authentication: set it up there with a browser.', instance),
    ipAddress: t('{0} does not accept requests from your network: ask an administrator.', instance),
    dpop: t(
      'Your account on {0} requires proof of possession (DPoP) with each request: switch it off there; no other token helps.',
      instance,
    ),
    impersonation: t('{0} does not accept impersonation tokens: use a personal access token of your own.', instance),
    client: t('{0} does not allow this application: ask an administrator.', instance),
  };
  return sentences[refusal];
}

function withQuote(sentence: string, statement: string | undefined): string {
  const quote = plainText((statement ?? '').replace(/^40\d \w+ - /, ''));
  return quote === '' ? sentence : t('{0} The instance says: “{1}”', sentence, quote);
}

export function openPage(title: string, address: string): Remedy {
  return { command: 'vscode.open', title, arguments: [vscode.Uri.parse(address)] };
}

export function openSettings(setting: string): Remedy {
  return {
    command: 'workbench.action.openSettings',
    title: t('Open Setting {0}', setting),
    arguments: [`@id:${setting}`],
  };
}

/** @param url of the instance, if it is known. */
export function signIn(url?: string): Remedy {
  return { command: 'beacon.signIn', title: t('Sign In…'), ...(url === undefined ? {} : { arguments: [{ url }] }) };
}

/** @param whose the id of an account, or an instance: the account in use may be another one. */
export function replaceToken(whose: string | { readonly instance: string }): Remedy {
  return { command: 'beacon.replaceToken', title: t('Replace Token…'), arguments: [whose] };
}

/** Of an account whose token is no longer to be had. */
export function tokenGone(accountId: string, sentence: string): Problem {
  return { sentence, remedy: { ...replaceToken(accountId), title: t('Sign In Again…') } };
}

export function showLog(): Remedy {
  return { command: 'beacon.showLog', title: t('Show Log') };
}

/** The rows of a view whose request has failed: the sentence, the command that fixes it, and "Try Again". */
export function problemRows({ sentence, remedy }: Problem, tryAgain: vscode.Command): MessageRow[] {
  return [
    { label: sentence, sentence, icon: 'warning' },
    ...(remedy ? [commandRow(remedy, 'arrow-right', sentence)] : []),
    commandRow(tryAgain, 'refresh', sentence),
  ];
}

/** What has failed of all alike: the message of a view wraps it, where a row is cut. */
export function commonSentence(problems: readonly (Problem | undefined)[]): string {
  const [first, ...others] = new Set(problems.map((problem) => problem?.sentence));
  return others.length === 0 && first !== undefined ? first : '';
}

export function showProblem({ sentence, remedy }: Problem): void {
  void showMessage('warning', sentence, ...(remedy ? [remedy.title] : [])).then((chosen) =>
    runRemedy(chosen ? remedy : undefined),
  );
}

export async function runRemedy(remedy: Remedy | undefined): Promise<void> {
  if (remedy) {
    await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
  }
}

/** Shows a failure that nothing else shows, and puts its details into the log. */
export function reportFailure(error: unknown, log: Pick<vscode.LogOutputChannel, 'error'>): void {
  log.error(inspect(error));
  showProblem(problemOf(error));
}

export interface Action {
  readonly title: string;
  run(): unknown;
}

/**
 * Shows a notification with buttons; returns at once. Failures of the buttons' actions are shown, too.
 *
 * @param sentence may hold text of an instance: it makes neither links nor icons.
 */
export function notify(
  severity: 'info' | 'warning',
  sentence: string,
  actions: readonly Action[],
  log: Pick<vscode.LogOutputChannel, 'error'>,
): void {
  const shown = showMessage(severity, sentence, ...actions.map(({ title }) => title));
  const act = async (): Promise<void> => {
    const chosen = await shown;
    await actions.find(({ title }) => title === chosen)?.run();
  };
  act().catch((error: unknown) => reportFailure(error, log));
}
