import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import { authorizationPage, authorizationSecrets } from '../api/oauth.ts';
import type { App } from '../app.ts';
import { withCancellableProgress } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { personal } from '../network/networkSettings.ts';
import type { GivenToken } from './account.ts';
import { openSettings, ProblemError, signIn } from './problem.ts';
import { askGrant } from './refreshedTokens.ts';

const setting = 'signIn.applicationIds';

/** The code of an answer that is not of the instance which was asked. */
const wrongInstance = 'wrong_instance';

/** Milliseconds for which an answer is waited for. */
const longestWait = 3_600_000;

/** A sign-in of this window that waits for a code, or for why there is none. */
interface Attempt {
  readonly instanceUrl: string;
  readonly take: (answer: string | ProblemError) => void;
}

export class OAuthSignIn {
  readonly #app: App;
  /** Those of this window, by their state. */
  readonly #attempts = new Map<string, Attempt>();
  readonly #answered = new Set<string>();

  constructor(app: App) {
    this.#app = app;
  }

  /** The id of the application that is registered for Beacon on an instance, from the settings; undefined if there is none. */
  applicationOf(instanceUrl: string): string | undefined {
    const value = personal<unknown>('beacon', setting);
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    for (const [index, [key, id]] of entries.entries()) {
      const url = normalizeInstanceUrl(key);
      if (url === undefined || typeof id !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(id)) {
        // Without what was typed: it may hold a password.
        this.#app.log.warn(
          `beacon.${setting}: entry ${index + 1} is ignored, it is not the id of an application by the URL of an instance`,
        );
      } else if (url === instanceUrl) {
        return id;
      }
    }
    return undefined;
  }

  /**
   * The address by which the browser brings the answer of an instance, which its administrator registers: the same for all windows, as
   * newer versions of the library that instances use take the registered address alone. The editor gives it to the window used last.
   *
   * @see https://github.com/doorkeeper-gem/doorkeeper/blob/main/CHANGELOG.md (6.0.0, redirect_uri)
   */
  async redirectUri(instanceUrl: string): Promise<string> {
    const authority = this.#app.context.extension.id;
    const own = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority, path: answerPathOf(instanceUrl) });
    const external = await vscode.env.asExternalUri(own);
    // In a browser it is an address of the server; on the desktop the editor adds the number of the window, which goes again.
    return /^https?$/.test(external.scheme) ? external.toString(true) : own.toString(true);
  }

  /**
   * Lets the user authorize Beacon in the browser.
   *
   * @returns undefined if the user gave up.
   * @throws ProblemError if the instance or the user refuses, ApiError if the instance cannot be reached.
   */
  async inBrowser(instanceUrl: string, applicationId: string): Promise<GivenToken | undefined> {
    const secrets = authorizationSecrets();
    const redirectUri = await this.redirectUri(instanceUrl);
    const page = authorizationPage({ instanceUrl, applicationId }, secrets, redirectUri);
    const { promise, resolve } = Promise.withResolvers<string | ProblemError | undefined>();
    this.#attempts.set(secrets.state, { instanceUrl, take: resolve });
    const stopWaiting = this.#app.clock.after(longestWait, () => resolve(undefined));
    const title = vscode.l10n.t('Authorize Beacon on {0} in your browser…', instanceName(instanceUrl));
    try {
      return await withCancellableProgress(title, async (signal) => {
        signal.addEventListener('abort', () => resolve(undefined));
        // As text: what is encoded in a `Uri` does not come out as it went in, and the redirect URI is an address in an address.
        await vscode.commands.executeCommand('vscode.open', page);
        const answer = await promise;
        if (answer === undefined || answer instanceof ProblemError) {
          return answer && Promise.reject(answer);
        }
        try {
          return await askGrant(this.#app, instanceUrl, applicationId, (oauth) =>
            oauth.redeem(answer, secrets.verifier, redirectUri, signal),
          );
        } catch (error) {
          if (signal.aborted) {
            return undefined;
          }
          throw isApiError(error, 'grantRefused') ? refusal(error.code, instanceUrl) : error;
        }
      });
    } finally {
      stopWaiting();
      this.#attempts.delete(secrets.state);
    }
  }

  /**
   * Takes what the browser brings to this window.
   *
   * @param address of the editor, its parts decoded once.
   * @throws ProblemError if no sign-in of this window waits for it.
   */
  answer({ path, query }: Pick<vscode.Uri, 'path' | 'query'>): void {
    const given = new URLSearchParams(query.slice(0, 8192));
    const state = given.get('state') ?? '';
    if (this.#answered.has(state)) {
      return; // The browser has brought it twice; a code counts once.
    }
    const attempt = this.#attempts.get(state);
    if (!attempt) {
      const sentence = vscode.l10n.t(
        'No sign-in of this window waits for this answer of the browser: it was canceled, or begun in another window. Sign in again in the window that you want to use, and keep it in front.',
      );
      throw new ProblemError({ sentence, remedy: signIn() });
    }
    this.#answered.add(state);
    const { instanceUrl, take } = attempt;
    // Else the code could be of an instance that another one sent the browser to, and would be given to that one.
    const isOfInstance =
      path === answerPathOf(instanceUrl) && given.getAll('iss').every((iss) => iss.replace(/\/$/, '') === instanceUrl);
    const error = isOfInstance ? given.get('error') : wrongInstance;
    const code = given.get('code');
    take(code === null || error !== null ? refusal(error ?? 'invalid_request', instanceUrl) : code);
  }
}

function refusal(code: string, instanceUrl: string): ProblemError {
  const { t } = vscode.l10n;
  const name = instanceName(instanceUrl);
  const sentences: Readonly<Record<string, string>> = {
    [wrongInstance]: t(
      'The answer of the browser is not from {0}, where you wanted to sign in, so it was not used. Sign in again.',
      name,
    ),
    access_denied: t('Beacon was not authorized on {0}, so you are not signed in.', name),
    invalid_grant: t(
      '{0} no longer accepts this authorization: it is valid once, and for a few minutes. Sign in again.',
      name,
    ),
  };
  if (Object.hasOwn(sentences, code)) {
    return new ProblemError({ sentence: sentences[code] ?? '', remedy: signIn() });
  }
  const sentence = t(
    '{0} did not complete the sign-in ({1}). Ask an administrator whether the application in the settings is registered there, not confidential, with the token scope api and the redirect URI of this editor.',
    name,
    /^[a-z_]{1,50}$/.test(code) ? code : '?',
  );
  return new ProblemError({ sentence, remedy: openSettings(`beacon.${setting}`) });
}

/**
 * The path of the editor's address by which the browser brings the answer of an instance, such as `/signed-in/gitlab.example.com`:
 * each instance has its own, so that none answers for another. What a host does not have stands as `~` and its code.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.4.2
 */
function answerPathOf(instanceUrl: string): string {
  const name = instanceUrl.replace(/^https:\/\//, '');
  return `/signed-in/${name.replaceAll(/[^\w.-]/g, (character) => `~${character.charCodeAt(0).toString(16)}`)}`;
}
