import { readCliConfiguration } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { normalizeInstanceUrl } from '../common/instanceUrl.ts';
import type { ExternalTokenSource, GivenToken, InstanceAccount } from './account.ts';
import { ProblemError, replaceToken } from './problem.ts';

/**
 * The authentication provider that GitLab's own extension registers, and the scopes of its sessions.
 * @see https://gitlab.com/gitlab-org/gitlab-vscode-extension
 */
const sessionProvider = 'gitlab';
const sessionScopes = ['api', 'read_user'];

export function lenderName(): string | undefined {
  for (const { id, packageJSON } of vscode.extensions.all) {
    const { displayName, contributes } = packageJSON as {
      readonly displayName?: unknown;
      readonly contributes?: { readonly authentication?: unknown };
    };
    const providers: readonly unknown[] = Array.isArray(contributes?.authentication) ? contributes.authentication : [];
    if (providers.some((one) => (one as { readonly id?: unknown } | null)?.id === sessionProvider)) {
      return plainText(typeof displayName === 'string' && !displayName.startsWith('%') ? displayName : id, 80);
    }
  }
  return undefined;
}

/** The accounts that GitLab's own extension has. Nothing of them but their names is asked for. */
export async function lentAccounts(): Promise<readonly vscode.AuthenticationSessionAccountInformation[]> {
  try {
    return lenderName() === undefined ? [] : await vscode.authentication.getAccounts(sessionProvider);
  } catch {
    return [];
  }
}

/** Where an account of GitLab's own extension is signed in, as far as its name shows. */
export function instanceOfLent({ label, id }: vscode.AuthenticationSessionAccountInformation): string | undefined {
  const [url] = [label, id].flatMap((text) => {
    const address = /https?:\/\/[^\s|()<>"']+/.exec(text.slice(0, 2048))?.[0];
    return (address === undefined ? undefined : normalizeInstanceUrl(address)) ?? [];
  });
  return url;
}

/**
 * A session of GitLab's own extension, after the editor has asked the user whether Beacon may use it.
 *
 * @param account one of `lentAccounts`; without, the user signs in there.
 * @returns undefined if the user refused.
 */
export async function borrowSession(
  account: vscode.AuthenticationSessionAccountInformation | undefined,
): Promise<vscode.AuthenticationSession | undefined> {
  try {
    return await vscode.authentication.getSession(sessionProvider, sessionScopes, {
      createIfNone: true,
      ...(account ? { account: { id: account.id, label: account.label } } : {}),
    });
  } catch (error) {
    // The editor throws this when the user did not agree.
    if (error instanceof Error && /did not consent|cancel/i.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The token of an account that has it from elsewhere. It is asked for at each use and kept nowhere.
 *
 * @param name what the account is called.
 * @throws ProblemError if it is no longer to be had.
 */
export async function borrowedToken(
  { id, instanceUrl }: InstanceAccount,
  source: ExternalTokenSource,
  name: string,
): Promise<string> {
  if (source.kind === 'cli') {
    const entry = await cliToken(instanceUrl);
    if (entry) {
      return entry.token;
    }
    throw tokenGone(id, vscode.l10n.t('{0}: the GitLab CLI no longer has a token for this instance.', name));
  }
  const account = { id: source.accountId, label: source.label };
  const session = await vscode.authentication.getSession(sessionProvider, sessionScopes, { silent: true, account });
  // Another account than the one that was chosen is none.
  if (session?.account.id === source.accountId && session.accessToken !== '') {
    return session.accessToken;
  }
  throw tokenGone(id, vscode.l10n.t('{0}: the extension that is signed in there no longer lends its account.', name));
}

export function tokenGone(accountId: string, sentence: string): ProblemError {
  const remedy = { ...replaceToken(accountId), title: vscode.l10n.t('Sign In Again…') };
  return new ProblemError({ sentence, remedy });
}

/**
 * The token that the GitLab CLI keeps in its configuration file for an instance.
 *
 * @returns undefined if there is none; the CLI may keep it in the keyring of the system, too.
 * @see https://docs.gitlab.com/cli/#configuration
 */
export async function cliToken(instanceUrl: string): Promise<GivenToken | undefined> {
  const configuration = await readCliConfiguration();
  return configuration === undefined ? undefined : cliTokenIn(configuration, instanceUrl);
}

/**
 * Reads the token of an instance out of the configuration of the GitLab CLI: the mappings below `hosts`, as the CLI itself writes
 * them. Other forms that YAML has are not read: then there is no token.
 */
export function cliTokenIn(configuration: string, instanceUrl: string): GivenToken | undefined {
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
      return /^[\x21-\x7E]+$/.test(token) ? usable : undefined;
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
