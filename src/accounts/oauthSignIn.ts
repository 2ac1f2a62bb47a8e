import * as vscode from 'vscode';
import { GrantRefusedError } from '../api/errors.ts';
import {
  authorizationPage,
  authorizationSecrets,
  type OAuthProvider,
  type TokenInfo,
  type TokenPair,
} from '../api/oauth.ts';
import type { Clock } from '../common/clock.ts';
import { withCancellableProgress } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { personal } from '../network/networkSettings.ts';
import { accessSecrets } from './accountStore.ts';
import { openSettings, ProblemError, showLog, signIn } from './problem.ts';
import type { OpenProvider } from './refreshedTokens.ts';

const setting = 'signIn.applicationIds';
const secretPrefix = 'signIn:';
/** Milliseconds after which what a sign-in left behind, whose window has ended, is of no use to anybody. */
const longestSignIn = 60 * 60_000;

/** The code of an answer that is not of the instance which was asked. */
const wrongInstance = 'wrong_instance';

/** What came of an authorization, before it is known whose it is. */
export interface Authorized {
  readonly instanceUrl: string;
  readonly applicationId: string;
  readonly pair: TokenPair;
  /** The account that is signed in to again, if it is one that was there. */
  readonly accountId: string | undefined;
}

/** What a sign-in by the browser is about; kept in the secret store, so that whichever window gets the answer can go on. */
interface Attempt {
  readonly instanceUrl: string;
  readonly applicationId: string;
  readonly accountId?: string | undefined;
  readonly verifier: string;
  readonly redirectUri: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The address of the editor by which the browser brings an answer. */
export type AnswerAddress = Pick<vscode.Uri, 'path' | 'query'>;

/** What the browser brings. */
interface BrowserAnswer {
  readonly code: string | undefined;
  readonly error: string | undefined;
}

/** The editor's functions that a sign-in with the browser needs; tests replace them. */
export interface SignInEnvironment {
  /** Shows a page in the browser. */
  open(address: string): Thenable<unknown>;
  /** The address by which the browser reaches this extension, with a path of it. */
  redirectUri(path: string): Promise<string>;
  /** Shows that something is waited for until it is over; the signal ends when the user cancels. */
  waiting<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** What signing in by OAuth depends on. */
export interface OAuthSignInDeps {
  readonly secrets: vscode.SecretStorage;
  readonly openProvider: OpenProvider;
  readonly environment: SignInEnvironment;
  readonly log: vscode.LogOutputChannel;
  /** Milliseconds since 1970. */
  readonly clock: Pick<Clock, 'date'>;
}

/** Gets tokens of instances whose application is known with the browser (PKCE). */
export class OAuthSignIn {
  readonly #deps: OAuthSignInDeps;
  /** Those that were begun in this window and whose answer is awaited, by their state. */
  readonly #awaited = new Map<string, (answer: BrowserAnswer) => void>();
  /** The states of those whose answer has come to this window. */
  readonly #answered = new Set<string>();

  constructor(deps: OAuthSignInDeps) {
    this.#deps = deps;
  }

  /** The id of the application that is registered for Beacon on an instance, from the settings; undefined if there is none. */
  applicationOf(instanceUrl: string): string | undefined {
    return readApplicationIds(personal<unknown>('beacon', setting), (place) =>
      // Without what was typed: it may hold a password.
      this.#deps.log.warn(
        `beacon.${setting}: entry ${place} is ignored, it is not the id of an application by the URL of an instance`,
      ),
    ).get(instanceUrl);
  }

  /** The redirect URI that an administrator of an instance registers for this editor. */
  async registeredUri(instanceUrl: string): Promise<string> {
    const [registered = ''] = (await this.#deps.environment.redirectUri(answerPathOf(instanceUrl))).split('?');
    return registered;
  }

  /**
   * Lets the user authorize Beacon in the browser.
   *
   * @param accountId of the account that is signed in to again, if it is one that is there.
   * @returns `canceled` if the user gave up, `elsewhere` if another window got the answer, and goes on with it.
   * @throws ProblemError if the instance or the user refuses, ApiError if the instance cannot be reached.
   */
  async inBrowser(
    instanceUrl: string,
    applicationId: string,
    accountId?: string,
  ): Promise<Authorized | 'canceled' | 'elsewhere'> {
    const { secrets, environment: surroundings, clock } = this.#deps;
    await this.#tidy();
    const { state, verifier } = authorizationSecrets();
    const redirectUri = await surroundings.redirectUri(answerPathOf(instanceUrl));
    const attempt: Attempt = {
      instanceUrl,
      applicationId,
      accountId,
      verifier,
      redirectUri,
      startedAt: clock.date().getTime(),
    };
    const key = secretPrefix + state;
    await accessSecrets('write', () => secrets.store(key, JSON.stringify(attempt)));
    const { promise, resolve } = Promise.withResolvers<BrowserAnswer | 'canceled' | 'elsewhere'>();
    this.#awaited.set(state, resolve);
    const subscription = secrets.onDidChange((event) => {
      if (event.key === key && this.#awaited.has(state)) {
        Promise.resolve(secrets.get(key)).then(
          (kept) => kept ?? resolve('elsewhere'),
          () => undefined,
        );
      }
    });
    try {
      return await surroundings.waiting(
        vscode.l10n.t('Authorize Beacon on {0} in your browser…', instanceName(instanceUrl)),
        async (signal) => {
          signal.addEventListener('abort', () => resolve('canceled'));
          await surroundings.open(authorizationPage(attempt, { state, verifier }, redirectUri));
          const answer = await promise;
          return typeof answer === 'string' ? answer : await this.#redeem(attempt, answer, signal);
        },
      );
    } finally {
      subscription.dispose();
      this.#awaited.delete(state);
      // One that is left is forgotten at the next sign-in.
      await Promise.resolve(secrets.delete(key)).catch(() => undefined);
    }
  }

  /**
   * Takes what the browser brings, in whichever window it arrives.
   *
   * @param address of the editor, its parts decoded once.
   * @returns what came of a sign-in that another window began; undefined if this one began it and goes on with it, the user gave up,
   *   or the answer was here before.
   * @throws ProblemError if no sign-in waits for it, or the instance or the user refuses; ApiError if the instance cannot be reached.
   */
  async answer({ path, query }: AnswerAddress): Promise<Authorized | undefined> {
    const { clock, environment: surroundings } = this.#deps;
    const given = new URLSearchParams(query.slice(0, 8192));
    const state = given.get('state') ?? '';
    if (this.#answered.has(state)) {
      return undefined;
    }
    const inThisWindow = this.#awaited.get(state);
    const attempt = /^[\w-]{43}$/.test(state) ? await this.#take(state) : undefined;
    if (!attempt || (!inThisWindow && clock.date().getTime() - attempt.startedAt > longestSignIn)) {
      throw new ProblemError({
        sentence: vscode.l10n.t(
          'No sign-in is waiting for this answer of the browser: it was used, canceled or has expired. Sign in again.',
        ),
        remedy: signIn(),
      });
    }
    const { instanceUrl } = attempt;
    // Else the code could be of an instance that another one sent the browser to, and would be given to that one.
    const isOfInstance =
      path === answerPathOf(instanceUrl) && given.getAll('iss').every((iss) => iss.replace(/\/$/, '') === instanceUrl);
    const error = isOfInstance ? (given.get('error') ?? undefined) : wrongInstance;
    const answer = { code: given.get('code') ?? undefined, error };
    if (inThisWindow) {
      inThisWindow(answer);
      return undefined;
    }
    const title = vscode.l10n.t('Signing in to {0}…', instanceName(instanceUrl));
    const authorized = await surroundings.waiting(title, (signal) => this.#redeem(attempt, answer, signal));
    return authorized === 'canceled' ? undefined : authorized;
  }

  /** What the instance says about a token; undefined if it does not. */
  async describe({ instanceUrl, applicationId, pair }: Authorized): Promise<TokenInfo | undefined> {
    try {
      return await this.#withProvider(instanceUrl, applicationId, (provider) => provider.describe(pair.accessToken));
    } catch (error) {
      this.#deps.log.warn(String(error));
      return undefined;
    }
  }

  /** Takes a sign-in out before anything is sent for it: it counts once. */
  async #take(state: string): Promise<Attempt | undefined> {
    const { secrets } = this.#deps;
    let attempt: Attempt | undefined;
    this.#answered.add(state);
    try {
      attempt = readAttempt(await accessSecrets('read', () => secrets.get(secretPrefix + state)));
      if (attempt) {
        this.#awaited.delete(state);
      }
      await accessSecrets('write', () => secrets.delete(secretPrefix + state));
      return attempt;
    } finally {
      if (!attempt) {
        this.#answered.delete(state);
      }
    }
  }

  async #redeem(
    attempt: Attempt,
    { code, error }: BrowserAnswer,
    signal: AbortSignal,
  ): Promise<Authorized | 'canceled'> {
    const { instanceUrl, applicationId, accountId, verifier, redirectUri } = attempt;
    if (code === undefined || error !== undefined) {
      throw refusalLabel(error ?? 'invalid_request', instanceUrl);
    }
    try {
      const pair = await this.#withProvider(instanceUrl, applicationId, (provider) =>
        provider.redeem(code, verifier, redirectUri, signal),
      );
      return { instanceUrl, applicationId, pair, accountId };
    } catch (thrown) {
      if (signal.aborted) {
        return 'canceled';
      }
      throw thrown;
    }
  }

  async #withProvider<T>(
    instanceUrl: string,
    applicationId: string,
    run: (provider: OAuthProvider) => Promise<T>,
  ): Promise<T> {
    const provider = await this.#deps.openProvider(instanceUrl, applicationId);
    try {
      return await run(provider);
    } catch (error) {
      throw error instanceof GrantRefusedError ? refusalLabel(error.code, instanceUrl) : error;
    } finally {
      await provider.close();
    }
  }

  /** Forgets the sign-ins of windows that ended before their answer came. */
  async #tidy(): Promise<void> {
    const { secrets, clock } = this.#deps;
    const keys = await accessSecrets('read', () => secrets.keys());
    for (const key of keys.filter((one) => one.startsWith(secretPrefix))) {
      const age = clock.date().getTime() - (readAttempt(await secrets.get(key))?.startedAt ?? Number.NEGATIVE_INFINITY);
      if (Math.abs(age) > longestSignIn) {
        await secrets.delete(key);
      }
    }
  }
}

/**
 * Reads the setting that names the applications: ids by the URLs of their instances.
 *
 * @param onIgnored called with the position, from 1, of each invalid entry.
 */
export function readApplicationIds(value: unknown, onIgnored: (place: number) => void): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  for (const [index, [key, id]] of entries.entries()) {
    const instanceUrl = normalizeInstanceUrl(key);
    if (instanceUrl !== undefined && typeof id === 'string' && /^[\x21-\x7E]{1,255}$/.test(id)) {
      ids.set(instanceUrl, id);
    } else {
      onIgnored(index + 1);
    }
  }
  return ids;
}

function readAttempt(text: string | undefined): Attempt | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Record<keyof Attempt, unknown>> | null;
    const texts = [value?.instanceUrl, value?.applicationId, value?.verifier, value?.redirectUri];
    return texts.every((one) => typeof one === 'string') && typeof value?.startedAt === 'number'
      ? (value as unknown as Attempt)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The sentence for an OAuth error code: why there is no token, and what to do next. */
function refusalLabel(code: string, instanceUrl: string): ProblemError {
  const { t } = vscode.l10n;
  const name = instanceName(instanceUrl);
  switch (code) {
    case wrongInstance:
      return new ProblemError({
        sentence: t(
          'The answer of the browser is not from {0}, where you wanted to sign in, so it was not used. Sign in again.',
          name,
        ),
        remedy: signIn(),
      });
    case 'access_denied':
      return new ProblemError({
        sentence: t('Beacon was not authorized on {0}, so you are not signed in.', name),
        remedy: signIn(),
      });
    case 'invalid_grant':
      return new ProblemError({
        sentence: t(
          '{0} no longer accepts this authorization: it is valid once, and for a few minutes. Sign in again.',
          name,
        ),
        remedy: signIn(),
      });
    case 'invalid_client':
    case 'unauthorized_client':
      return new ProblemError({
        sentence: t(
          '{0} does not know the application in the settings, or it is a confidential one: ask an administrator for the id of one that is not.',
          name,
        ),
        remedy: openSettings(`beacon.${setting}`),
      });
    case 'invalid_scope':
      return new ProblemError({
        sentence: t('The application on {0} may not use the token scope api: ask an administrator to add it.', name),
        remedy: signIn(),
      });
    case 'invalid_redirect_uri':
      return new ProblemError({
        sentence: t('The redirect URI of this editor is not registered for the application on {0}.', name),
        remedy: openSettings(`beacon.${setting}`),
      });
    default:
      return new ProblemError({
        sentence: t('{0} did not complete the sign-in ({1}).', name, /^[a-z_]{1,50}$/.test(code) ? code : '?'),
        remedy: showLog(),
      });
  }
}

/**
 * The path of the editor's address by which the browser brings the answer of an instance, such as `/signed-in/gitlab.example.com`:
 * each instance has its own, so that none answers for another. What a host does not have stands as `~` and its code.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.4.2
 */
export function answerPathOf(instanceUrl: string): string {
  const name = instanceUrl.replace(/^https:\/\//, '');
  return `/signed-in/${name.replaceAll(/[^\w.-]/g, (character) => `~${character.charCodeAt(0).toString(16)}`)}`;
}

/**
 * The redirect URI for an address of the editor. In a browser it is an address of the server. On the desktop the editor adds the number
 * of the window, which goes again: newer versions of the library that instances use take the registered address alone, and each
 * window can go on with the answer.
 *
 * @param external what the editor makes of the address for a browser.
 * @see https://github.com/doorkeeper-gem/doorkeeper/blob/main/CHANGELOG.md (6.0.0, redirect_uri)
 */
export function redirectUriOf(own: vscode.Uri, external: vscode.Uri): string {
  return /^https?$/.test(external.scheme) ? external.toString(true) : own.toString(true);
}

/** Signs in with the editor's own means. */
export class EditorEnvironment implements SignInEnvironment {
  readonly #extensionId: string;

  /** @param extensionId such as `publisher.name`. */
  constructor(extensionId: string) {
    this.#extensionId = extensionId;
  }

  open(address: string): Thenable<unknown> {
    // As text: what is encoded in a `Uri` does not come out as it went in, and the redirect URI is an address in an address.
    return vscode.commands.executeCommand('vscode.open', address);
  }

  async redirectUri(path: string): Promise<string> {
    const own = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: this.#extensionId, path });
    return redirectUriOf(own, await vscode.env.asExternalUri(own));
  }

  waiting<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withCancellableProgress(title, run);
  }
}
