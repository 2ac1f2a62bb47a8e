import { readCliConfiguration } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { normalizeInstanceUrl } from '../common/instanceUrl.ts';
import type { GivenToken } from './account.ts';
import type { InstanceAccount } from './keptAccount.ts';
import { ProblemError, tokenGone } from './problem.ts';

/**
 * GitLab's own extension, the authentication provider that it registers, and the scopes of its sessions.
 * @see https://gitlab.com/gitlab-org/gitlab-vscode-extension
 */
const lender = 'gitlab.gitlab-workflow';
const sessionProvider = 'gitlab';
const sessionScopes = ['api', 'read_user'];

type LentAccount = vscode.AuthenticationSessionAccountInformation;

/** The accounts that GitLab's own extension has, if it is there. Nothing of them but their names is asked for. */
export async function lentAccounts(): Promise<readonly LentAccount[]> {
  const accounts = vscode.extensions.getExtension(lender) && vscode.authentication.getAccounts(sessionProvider);
  return (await accounts?.then(undefined, () => [])) ?? [];
}

/** Where an account of GitLab's own extension is signed in, as far as its name shows. */
export function instanceOfLent({ label, id }: LentAccount): string | undefined {
  const [url] = [label, id].flatMap((text) => {
    const address = /https?:\/\/[^\s|()<>"']+/.exec(text.slice(0, 2048))?.[0];
    return (address === undefined ? undefined : normalizeInstanceUrl(address)) ?? [];
  });
  return url;
}

/** Whether an account of GitLab's own extension may be one of an instance: not if its name is that of another one. */
export function mayBeLentFor(instanceUrl: string, account: LentAccount): boolean {
  return [undefined, instanceUrl].includes(instanceOfLent(account));
}

/**
 * The token of an account of GitLab's own extension, after the editor has asked the user whether Beacon may use it.
 *
 * @returns undefined if the user refused.
 */
export async function borrow({ id, label }: LentAccount): Promise<GivenToken | undefined> {
  // The editor throws this when the user did not agree.
  const token = await lentToken({ id, label }, { createIfNone: true }).catch((error: unknown) =>
    error instanceof Error && /did not consent|cancel/i.test(error.message) ? undefined : Promise.reject(error),
  );
  return token === undefined
    ? undefined
    : { token, bearer: true, tokenSource: { kind: 'session', accountId: id, label } };
}

/**
 * The token of an account that has it from elsewhere. It is asked for at each use and kept nowhere.
 *
 * @param name what the account is called.
 * @throws ProblemError if it is no longer to be had.
 */
export async function borrowedToken(account: InstanceAccount, name: string): Promise<string> {
  const { id, instanceUrl, username, tokenSource: source } = account;
  const token =
    source?.kind === 'session'
      ? await lentToken({ id: source.accountId, label: source.label }, { silent: true })
      : (await cliToken(instanceUrl, username))?.token;
  if (token) {
    return token;
  }
  const gone =
    source?.kind === 'session'
      ? vscode.l10n.t('{0}: the extension that is signed in there no longer lends its account.', name)
      : vscode.l10n.t('{0}: the GitLab CLI no longer has a token of this account.', name);
  throw new ProblemError(tokenGone(id, gone));
}

async function lentToken(
  account: LentAccount,
  how: { readonly createIfNone: true } | { readonly silent: true },
): Promise<string | undefined> {
  const session = await vscode.authentication.getSession(sessionProvider, sessionScopes, { ...how, account });
  // Another account than the one that was chosen is none.
  return session?.account.id === account.id ? session.accessToken : undefined;
}

/**
 * The token that the GitLab CLI keeps in its configuration file for an instance.
 *
 * @param username whose it must be, as far as the file says whose it is: the CLI may have been signed in as another user since.
 * @returns undefined if there is none; the CLI may keep it in the keyring of the system, too.
 * @see https://docs.gitlab.com/cli/#configuration
 */
export async function cliToken(instanceUrl: string, username?: string): Promise<GivenToken | undefined> {
  const configuration = await readCliConfiguration();
  return configuration === undefined ? undefined : cliTokenIn(configuration, instanceUrl, username);
}

/**
 * Reads the token of an instance out of the configuration of the GitLab CLI: the mappings below `hosts`, as the CLI itself writes
 * them. Other forms that YAML has are not read: then there is no token.
 */
export function cliTokenIn(configuration: string, instanceUrl: string, username = ''): GivenToken | undefined {
  const { host } = new URL(instanceUrl);
  const [, hosts = ''] = /^hosts: *\r?\n((?: .*(?:\r?\n|$)|\r?\n)*)/m.exec(configuration) ?? [];
  const [, indent = ' '] = /^( +)\S/m.exec(hosts) ?? [];
  for (const block of hosts.split(new RegExp(`^${indent}(?=[^ #\r\n])`, 'm'))) {
    const valueOf = (key: string): string => scalarOf(new RegExp(`^ +${key}: +(.*)$`, 'm').exec(block)?.[1] ?? '');
    // A colon ends the name where nothing follows: hosts may have ports.
    const [, name = ''] = /^(\S+):\s*$/m.exec(block) ?? [];
    const token = valueOf('token');
    if ([scalarOf(name), valueOf('api_host')].some((one) => one.toLowerCase() === host)) {
      const given: GivenToken = { token, tokenSource: { kind: 'cli' } };
      const usable = valueOf('is_oauth2') === 'true' ? ({ ...given, bearer: true } as const) : given;
      const isOfUser = username === '' || ['', username].includes(valueOf('user'));
      return isOfUser && /^[\x21-\x7E]+$/.test(token) ? usable : undefined;
    }
  }
  return undefined;
}

/** A scalar of YAML on one line, without its tag, quotes and comment. */
function scalarOf(text: string): string {
  const [, quoted, single, plain = ''] =
    /^(?:!!?\w* +)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|(.*))/.exec(text.trim()) ?? [];
  return quoted ?? single?.replaceAll("''", "'") ?? plain.replace(/(?:^|(?<!\s)\s+)#.*$/, '').trim();
}
