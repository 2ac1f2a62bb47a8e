import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type AccountRefusal, type ApiError, isApiError, type Obstacle, UnusablePathError } from '../api/errors.ts';
import { plainText } from '../common/inertText.ts';
import { showInformationMessage, showWarningMessage } from '../common/inertWindow.ts';
import { tokenListUrl } from '../common/instanceUrl.ts';
import { tlsSettingErrorLabel, unavailableLabel } from '../network/labels.ts';
import { TlsSettingError } from '../network/networkErrors.ts';
import { type Account, isReadOnly, lacksReadScope, SignedOutError } from './account.ts';
import { accountLabel } from './accountInUse.ts';
import { SecretStoreError } from './accountStore.ts';

const { t } = vscode.l10n;

const keyringHelp = 'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

/** How a failure is shown to the user: one sentence and one command that fixes it. */
export interface Problem {
  readonly sentence: string;
  /** Undefined if only trying again helps. */
  readonly remedy?: vscode.Command;
}

/** A failure that brings its own sentence. */
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
    return { sentence: t('You are signed out.'), remedy: signIn(error.accountId) };
  }
  if (error instanceof SecretStoreError) {
    return {
      sentence:
        error.operation === 'read'
          ? t('The secret store of the editor cannot be read: unlock or repair the keyring of your system.')
          : t(
              'The secret store of the editor cannot be written, so nothing was kept: unlock or repair the keyring of your system.',
            ),
      remedy: openPage(t('Open Keyring Help'), keyringHelp),
    };
  }
  if (error instanceof TlsSettingError) {
    return { sentence: tlsSettingErrorLabel(error), remedy: fixTlsSetting(error) };
  }
  return { sentence: t('An unexpected error occurred.'), remedy: showLog() };
}

/** Shows a failure that no view shows, with the command that fixes it as a button. */
export function showProblem({ sentence, remedy }: Problem): void {
  void showWarningMessage(sentence, ...(remedy ? [remedy.title] : [])).then((chosen) =>
    runRemedy(chosen ? remedy : undefined),
  );
}

/** Runs the command that fixes a failure. */
export async function runRemedy(remedy: vscode.Command | undefined): Promise<void> {
  if (remedy) {
    await vscode.commands.executeCommand(remedy.command, ...((remedy.arguments ?? []) as unknown[]));
  }
}

/** One sentence and one next step for each reason. */
function apiProblem(error: ApiError, accountId: string | undefined): Problem {
  const { instance } = error;
  const renew = replaceToken(accountId ?? { instance });
  switch (error.reason) {
    case 'notSignedIn':
      if (error.isReplaced) {
        return { sentence: t('The token for {0} had to be refreshed, and nothing was changed: try again.', instance) };
      }
      return {
        sentence:
          accountId === undefined
            ? t('{0} does not accept the token: it is wrong, expired or revoked.', instance)
            : t('The token for {0} is wrong, expired or revoked.', accountLabel(accountId)),
        remedy: renew,
      };
    case 'missingScope': {
      const name = accountId === undefined ? instance : accountLabel(accountId);
      return { sentence: missingScopeSentence(name, error.requiredScopes, error.method), remedy: renew };
    }
    case 'missingPermission':
      return missingPermissionProblem(error);
    case 'accountRefused':
      return {
        sentence: withQuote(refusalSentence(error.refusal, instance), error.sentence),
        remedy: error.refusal === 'impersonation' ? renew : openInstance(error),
      };
    case 'missingRole':
      return {
        sentence:
          error.statedReason === undefined
            ? t('Your role on {0} does not allow this.', instance)
            : withQuote(t('{0} does not allow this.', instance), error.statedReason),
      };
    case 'notFound':
      return { sentence: t('Not found on {0}, or not visible to you.', instance) };
    case 'movedElsewhere':
      return error.isPage
        ? inFrontProblem(error, 'page', error.foreignOrigin)
        : {
            sentence: t(
              '{0} redirects to {1}, which does not get your token: sign in there if it is your instance.',
              instance,
              error.foreignOrigin,
            ),
            remedy: signIn(),
          };
    case 'inFront':
      return inFrontProblem(error, error.obstacle);
    case 'rateLimited':
      return { sentence: t('{0} limits requests: try again later.', instance) };
    case 'unavailable':
      // The diagnosis checks the route to the instance; it cannot explain an error inside the instance.
      return { sentence: unavailableLabel(error), ...(error.kind === 'status' ? {} : { remedy: diagnose(instance) }) };
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
function inFrontProblem(error: ApiError, obstacle: Obstacle, origin = error.instance): Problem {
  const { instance } = error;
  const remedy = openInstance(error);
  if (obstacle === 'protection') {
    const sentence = t(
      'A protection such as Cloudflare in front of {0} asks for a browser or refuses your network: wait a while, or use another network.',
      instance,
    );
    return { sentence, remedy };
  }
  const what =
    obstacle === 'password'
      ? t('A web server or proxy in front of {0} asks for a password of its own.', instance)
      : t('A page for signing in at {0} stands in front of {1}.', origin, instance);
  const help = t('The token is not refused: ask an administrator to let requests to the API pass.');
  return { sentence: `${what} ${help}`, remedy };
}

/** Says that the scope of a token is too narrow, which nothing else does. */
function missingScopeSentence(instance: string, requiredScopes: readonly string[], method: string): string {
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

/** Says what a token is for that can change nothing. */
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
    throw new ProblemError(missingScopeProblem(account, method));
  }
}

/** What is said where the scopes of an account's token do not suffice for a method. */
export function missingScopeProblem(account: Account, method: 'GET' | 'PUT'): Problem {
  const name = accountLabel(account.id);
  return {
    sentence: !lacksReadScope(account)
      ? t('The token of {0} may read but change nothing: this needs the token scope api.', name)
      : method === 'GET'
        ? t('The token of {0} is enough for feeds only: this needs the token scope read_api or api.', name)
        : t('The token of {0} is enough for feeds only: this needs the token scope api.', name),
    remedy: replaceToken(account.id),
  };
}

function missingPermissionProblem(error: ApiError<'missingPermission'>): Problem {
  const { instance, instanceUrl, permissions, sentence } = error;
  const names = permissions.slice(0, 10).map((permission) => {
    const purpose = purposeOf(permission);
    return purpose === undefined ? plainText(permission, 80) : `${plainText(permission, 80)} (${purpose})`;
  });
  return names.length === 0
    ? { sentence: withQuote(t('{0} does not accept this token for this request.', instance), sentence) }
    : {
        sentence: withQuote(
          t(
            '{0} requires a fine-grained token with the permission {1}; where a group requires such tokens, no classic token helps.',
            instance,
            names.join(', '),
          ),
          sentence,
        ),
        remedy: openPage(t('Open Token Page'), tokenListUrl(instanceUrl ?? `https://${instance}`)),
      };
}

/** What a permission is needed for here, by its resource. */
function purposeOf(permission: string): string | undefined {
  switch (permission.split(':')[0]) {
    case 'User':
      return t('sign-in');
    case 'Event':
      return t('activity');
    case 'Project':
    case 'Group':
      return t('names and links');
    case 'Notification Setting':
      return t('notification settings');
    case 'Error Tracking Setting':
    case 'Error Tracking Client Key':
      return t('error tracking');
    case 'Personal Access Token':
      return t('expiry of the token');
    default:
      return undefined;
  }
}

function refusalSentence(refusal: AccountRefusal, instance: string): string {
  switch (refusal) {
    case 'blocked':
      return t('Your account on {0} is blocked: ask an administrator.', instance);
    case 'pendingApproval':
      return t('Your account on {0} is pending approval by an administrator.', instance);
    case 'deactivated':
      return t('Your account on {0} is deactivated: sign in there with a browser.', instance);
    case 'terms':
      return t('You have not accepted the terms of {0} yet: do it there with a browser.', instance);
    case 'passwordExpired':
      return t('Your password on {0} has expired: change it there with a browser.', instance);
    case 'unconfirmed':
      return t('Your e-mail address is not confirmed on {0}: do it there with a browser.', instance);
    case 'twoFactor':
      return t('{0} requires two-factor authentication: set it up there with a browser.', instance);
    case 'ipAddress':
      return t('{0} does not accept requests from your network: ask an administrator.', instance);
    case 'dpop':
      return t(
        'Your account on {0} requires proof of possession (DPoP) with each request: switch it off there; no other token helps.',
        instance,
      );
    case 'impersonation':
      return t('{0} does not accept impersonation tokens: use a personal access token of your own.', instance);
    case 'client':
      return t('{0} does not allow this application: ask an administrator.', instance);
  }
}

/** A sentence, and what the instance itself said. */
function withQuote(sentence: string, statement: string | undefined): string {
  const quote = plainText((statement ?? '').replace(/^40\d \w+ - /, ''));
  return quote === '' ? sentence : t('{0} The instance says: “{1}”', sentence, quote);
}

function openInstance({ instance, instanceUrl }: ApiError): vscode.Command {
  return openPage(t('Open {0}', instance), instanceUrl ?? `https://${instance}`);
}

function openPage(title: string, address: string): vscode.Command {
  return { command: 'vscode.open', title, arguments: [vscode.Uri.parse(address)] };
}

function diagnose(host: string): vscode.Command {
  return { command: 'beacon.diagnoseConnection', title: t('Diagnose Connection…'), arguments: [{ host }] };
}

/** The command that fixes `beacon.tls`: entering the passphrase if that is wrong, otherwise opening the setting. */
function fixTlsSetting({ problem }: TlsSettingError): vscode.Command {
  return problem === 'passphraseMissing' || problem === 'passphraseWrong'
    ? { command: 'beacon.enterPassphrase', title: t('Enter Passphrase…') }
    : openSettings('beacon.tls');
}

/** Opens the editor's settings at one of them. */
export function openSettings(setting: string): vscode.Command {
  return {
    command: 'workbench.action.openSettings',
    title: t('Open Setting {0}', setting),
    arguments: [`@id:${setting}`],
  };
}

/** @param accountId of the account that is meant, on whose instance the sign-in begins. */
export function signIn(accountId?: string): vscode.Command {
  return {
    command: 'beacon.signIn',
    title: t('Sign In…'),
    ...(accountId === undefined ? {} : { arguments: [accountId] }),
  };
}

/** @param whose the id of an account, or an instance: the account in use may be another one. */
export function replaceToken(whose: string | { readonly instance: string }): vscode.Command {
  return { command: 'beacon.replaceToken', title: t('Replace Token…'), arguments: [whose] };
}

export function showLog(): vscode.Command {
  return { command: 'beacon.showLog', title: t('Show Log') };
}

/** Shows a failure that nothing else shows, and puts its details into the log. */
export function reportFailure(error: unknown, log: Pick<vscode.LogOutputChannel, 'error'>): void {
  log.error(inspect(error));
  showProblem(problemOf(error));
}

/** A button and what it does. */
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
  const show = severity === 'info' ? showInformationMessage : showWarningMessage;
  const shown = show(sentence, ...actions.map(({ title }) => title));
  const act = async (): Promise<void> => {
    const chosen = await shown;
    await actions.find(({ title }) => title === chosen)?.run();
  };
  act().catch((error: unknown) => reportFailure(error, log));
}
