import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { AbortedError, NotSignedInError } from '../api/errors.ts';
import type { Credentials, InstanceAccount } from './account.ts';
import type { AccountStore } from './accountStore.ts';
import type { Connections } from './connections.ts';
import { instanceName, normalizeInstanceUrl } from './instanceUrl.ts';
import { describeProblem } from './problem.ts';
import { ask } from './question.ts';

/** Signs in to an instance with a personal access token that the person types, checking both before anything is kept. */
export class SignIn {
  readonly #accounts: AccountStore;
  readonly #connections: Connections;
  readonly #log: vscode.LogOutputChannel;

  constructor(accounts: AccountStore, connections: Connections, log: vscode.LogOutputChannel) {
    this.#accounts = accounts;
    this.#connections = connections;
    this.#log = log;
  }

  /**
   * Asks for the URL and the token.
   *
   * @returns whether the person is signed in now, rather than having given up.
   */
  async run(): Promise<boolean> {
    const { account } = this.#accounts;
    let typedUrl = account?.kind === 'instance' ? account.instanceUrl : 'https://gitlab.com';
    for (;;) {
      const url = await this.#askInstanceUrl(typedUrl);
      if (typeof url !== 'object') {
        return false;
      }
      typedUrl = url.value;
      const signedIn = await this.#askToken(url.answer);
      if (signedIn !== 'back') {
        if (signedIn) {
          await this.#accounts.signIn(signedIn.answer.account, signedIn.answer.token);
        }
        return signedIn !== undefined;
      }
    }
  }

  /**
   * Signs in without asking.
   *
   * @throws ApiError if the instance does not accept the token.
   */
  async with({ instanceUrl, token }: Credentials): Promise<void> {
    await this.#accounts.signIn(await this.#verify(instanceUrl, token), token);
  }

  #askInstanceUrl(value: string) {
    return ask<string>({
      title: vscode.l10n.t('Sign In to GitLab'),
      step: 1,
      totalSteps: 2,
      prompt: vscode.l10n.t('The URL of your GitLab instance'),
      placeholder: 'https://gitlab.com',
      value,
      check: async (typed, signal) => {
        const instanceUrl = normalizeInstanceUrl(typed);
        if (instanceUrl === undefined) {
          return {
            rejected: vscode.l10n.t('This is not the URL of an instance. Enter one such as https://gitlab.com.'),
          };
        }
        return this.#checked(async () => {
          await this.#probe(instanceUrl, signal);
          return instanceUrl;
        });
      },
    });
  }

  #askToken(instanceUrl: string) {
    const name = instanceName(instanceUrl);
    return ask<{ account: InstanceAccount; token: string }>({
      title: vscode.l10n.t('Sign In to {0}', name),
      step: 2,
      totalSteps: 2,
      prompt: vscode.l10n.t(
        'A personal access token with the scope api, or read_user for the feed without names of projects and links',
      ),
      placeholder: vscode.l10n.t('Personal access token'),
      value: '',
      password: true,
      button: {
        iconPath: new vscode.ThemeIcon('link-external'),
        tooltip: vscode.l10n.t('Create a Token on {0}', name),
        run: () => void vscode.env.openExternal(vscode.Uri.parse(tokenPage(instanceUrl))),
      },
      check: async (typed, signal) => {
        const token = typed.trim();
        if (token === '') {
          return { rejected: vscode.l10n.t('Enter a token, or create one with the button above.') };
        }
        return this.#checked(async () => ({ account: await this.#verify(instanceUrl, token, signal), token }));
      },
    });
  }

  /**
   * Finds out whose token it is.
   *
   * @throws ApiError if the instance does not accept it.
   */
  async #verify(instanceUrl: string, token: string, signal?: AbortSignal): Promise<InstanceAccount> {
    const client = await this.#connections.client(instanceUrl, token);
    try {
      const { username } = await client.directory.currentUser({ signal });
      return { kind: 'instance', id: `${username}@${instanceName(instanceUrl)}`, instanceUrl, username };
    } finally {
      await client.close();
    }
  }

  /** Makes sure that an instance answers at the URL: without a token it says that one is missing. */
  async #probe(instanceUrl: string, signal: AbortSignal): Promise<void> {
    const client = await this.#connections.client(instanceUrl);
    try {
      await client.directory.currentUser({ signal });
    } catch (error) {
      if (!(error instanceof NotSignedInError)) {
        throw error;
      }
    } finally {
      await client.close();
    }
  }

  async #checked<T>(check: () => Promise<T>): Promise<{ accepted: T } | { rejected: string }> {
    try {
      return { accepted: await check() };
    } catch (error) {
      if (!(error instanceof AbortedError)) {
        this.#log.error(inspect(error));
      }
      return { rejected: describeProblem(error).sentence };
    }
  }
}

function tokenPage(instanceUrl: string): string {
  const query = new URLSearchParams({ name: 'Beacon for GitLab', scopes: 'api' });
  return `${instanceUrl}/-/user_settings/personal_access_tokens?${query.toString()}`;
}
