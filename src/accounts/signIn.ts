import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { neededPermissions } from '../api/client.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { inSequence } from '../common/inertText.ts';
import { confirm, copyText } from '../common/inertWindow.ts';
import {
  instanceName,
  isUnencrypted,
  looksLikeToken,
  normalizeInstanceUrl,
  tokenListUrl,
} from '../common/instanceUrl.ts';
import { type Answer, ask, choose } from '../common/question.ts';
import { accessSecrets, itemsIn } from '../common/stored.ts';
import type { GivenToken } from './account.ts';
import type { InstanceAccount } from './keptAccount.ts';
import { borrow, cliToken, instanceOfLent, lentAccounts, mayBeLentFor } from './borrowedTokens.ts';
import type { OAuthSignIn } from './oauthSignIn.ts';
import { pick } from './pickers.ts';
import { notify, openSettings, ProblemError, problemOf, reportFailure, runRemedy } from './problem.ts';
import { findInstance, identify, tokenPageOf } from './tokenCheck.ts';

/** The instances that were signed in to, the last one first; shared by all windows. */
const instancesKey = 'instances';
const mostInstances = 10;

/** Where a token is for, and whose it must be. */
interface Goal {
  readonly instanceUrl: string;
  readonly expected?: InstanceAccount;
}

/** A way to a token. */
interface Method extends vscode.QuickPickItem {
  /** @returns `back` if the user wants the previous step, undefined if they gave up or the failure was shown. */
  readonly run: () => Promise<InstanceAccount | 'back' | undefined>;
}

/**
 * Signs in to instances with personal access tokens that the user types, by an authorization in the browser, or with tokens that
 * others lend; checks everything before it is kept.
 */
export class SignIn {
  readonly #app: App;
  readonly #oauth: OAuthSignIn;
  /** The last input that led to no sign-in: offered again after the user has fixed the connection. */
  #typedUrl: string | undefined;

  constructor(app: App, oauth: OAuthSignIn) {
    this.#app = app;
    this.#oauth = oauth;
  }

  /**
   * Asks for the instance and for a token, and adds the account or replaces the token of one that is there.
   *
   * @param remoteHost the host of a remote of the workspace. It is mentioned and not filled in: the author of a repository
   *   must not choose where a token goes.
   * @param url of the instance, or below it: it is asked for only if it cannot be taken.
   * @returns undefined if the user gave up or the failure was shown.
   */
  async run(remoteHost: string | undefined, url?: string): Promise<InstanceAccount | undefined> {
    const note = remoteHost === undefined ? '' : vscode.l10n.t('A remote of this workspace leads to {0}.', remoteHost);
    let known = url ?? (await this.#chooseInstance(remoteHost, note));
    while (known !== undefined) {
      // Without any account nothing is likely where a remote speaks against the hosted instance.
      const isHosted = remoteHost === undefined || remoteHost === 'gitlab.com';
      const asked = await this.#askInstanceUrl(known, isHosted ? 'https://gitlab.com' : '', note);
      if (typeof asked !== 'object') {
        return undefined;
      }
      const { answer: instanceUrl } = asked;
      const title = vscode.l10n.t('Sign In to {0}', instanceName(instanceUrl));
      const account = await this.#authenticate({ instanceUrl }, title, true);
      if (account !== 'back') {
        return account;
      }
      // The input begins with what was typed.
      known = '';
    }
    return undefined;
  }

  /**
   * Asks for another token of an account that is there.
   *
   * @returns undefined if the user gave up.
   * @throws SecretStoreError if the secret store cannot be read.
   */
  async replaceToken(account: InstanceAccount): Promise<InstanceAccount | undefined> {
    const { accounts, accountInUse, context } = this.#app;
    // An entry that alone cannot be read is mended by another token.
    const entry = await accounts.entry(account.id).catch(async () => {
      await accessSecrets('read', () => context.secrets.keys());
    });
    // The instance is the one that is kept with the token.
    const { instanceUrl } = entry?.account ?? account;
    const title = accountInUse.named(vscode.l10n.t('Replace Token'), account.id);
    const goal = { instanceUrl, expected: account };
    const replaced = await this.#authenticate(goal, title, false);
    return replaced === 'back' ? undefined : replaced;
  }

  /** The instances that were signed in to, the last one first, and those where GitLab's own extension is signed in. */
  async #instances(): Promise<readonly string[]> {
    const { accounts, globalState } = this.#app;
    const kept = itemsIn(globalState, instancesKey, (one) =>
      typeof one === 'string' ? normalizeInstanceUrl(one) : undefined,
    );
    const own = accounts.all.map(({ instanceUrl }) => instanceUrl).toReversed();
    const lent = (await lentAccounts()).flatMap((account) => instanceOfLent(account) ?? []);
    return [...new Set([...kept, ...own, ...lent])].slice(0, mostInstances);
  }

  /** @returns the URL of an instance that is known or was typed, empty if an input is to ask for it, undefined if the user gave up. */
  async #chooseInstance(remoteHost: string | undefined, note: string): Promise<string | undefined> {
    const instances = this.#typedUrl === undefined ? await this.#instances() : [];
    const isKnown = instances.some((url) => new URL(url).host === remoteHost);
    if (instances.length === 0) {
      return '';
    }
    const lineOf = (id: string, label: string, icon: string, description = '') => ({ id, label, description, icon });
    const lines = [
      ...instances.map((url) => lineOf(url, instanceName(url), 'server')),
      // The field would cut it.
      lineOf('', vscode.l10n.t('Enter a URL…'), 'edit', isKnown ? '' : note),
    ];
    const chosen = await pick<(typeof lines)[number]>(
      // What is typed is a line of its own.
      async function* lineOfTyped(text) {
        yield text === '' || lines.some(({ label }) => label === text) ? [] : [lineOf(text, text, 'link')];
      },
      {
        title: vscode.l10n.t('Sign In to GitLab'),
        placeholder: vscode.l10n.t('Choose an instance, or type the URL of another one'),
        describe: (line) => line,
        offered: lines,
      },
    );
    return chosen?.id;
  }

  /**
   * Gets a token by the method that the user chooses, where there is a choice.
   *
   * @returns `back` if the user wants the previous step, undefined if they cancelled or the failure was shown.
   */
  async #authenticate(goal: Goal, title: string, hasBack: boolean): Promise<InstanceAccount | 'back' | undefined> {
    const methods = await this.#methodsOf(goal, title, hasBack);
    const [first, other] = methods;
    for (;;) {
      const placeholder = vscode.l10n.t('Choose how to sign in');
      const method = other ? await choose(methods, { title, hasBack, placeholder }) : first;
      if (typeof method !== 'object') {
        return method;
      }
      const account = await method.run();
      // "Back" leads from the token to the choice.
      if (account !== 'back' || !other) {
        return account;
      }
    }
  }

  /** The ways to a token of an instance: those that need no typing, then an input. */
  async #methodsOf(goal: Goal, title: string, hasBack: boolean): Promise<readonly Method[]> {
    const { t } = vscode.l10n;
    const { instanceUrl } = goal;
    const name = instanceName(instanceUrl);
    const methods: Method[] = [];
    const offer = (
      label: string,
      icon: string,
      detail: string,
      get: () => Promise<GivenToken | undefined>,
      description = '',
    ): void => {
      const run = async (): Promise<InstanceAccount | undefined> => {
        try {
          const given = await get();
          return given && (await this.take(goal, given));
        } catch (error) {
          reportFailure(error, this.#app.log);
          return undefined;
        }
      };
      methods.push({ label, iconPath: new vscode.ThemeIcon(icon), detail, description, run });
    };
    const applicationId = this.#oauth.applicationOf(instanceUrl);
    if (applicationId !== undefined) {
      const detail = t('Opens {0}, which asks you and brings you back.', name);
      offer(t('Authorize in the Browser'), 'globe', detail, () => this.#authorize(instanceUrl, applicationId));
    }
    const askedFor = t('Beacon asks for the token at each use, and keeps none.');
    const fromExtension = t('from the GitLab extension');
    const lent = (await lentAccounts()).filter((account) => mayBeLentFor(instanceUrl, account));
    for (const account of lent) {
      offer(account.label, 'account', askedFor, () => borrow(account), fromExtension);
    }
    const cli = await cliToken(instanceUrl).catch(() => undefined);
    if (cli) {
      offer(t('Use Token of the GitLab CLI'), 'terminal', askedFor, async () => cli);
    }
    const hasChoice = methods.length > 0;
    methods.push({
      label: t('Enter a Personal Access Token…'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: t('You create it on {0} and choose what it may do.', name),
      run: () => this.#askToken(goal, title, hasBack || hasChoice),
    });
    return methods;
  }

  /**
   * Keeps a token once it is known whose it is.
   *
   * @throws ApiError if the instance does not accept it, SecretStoreError if it cannot be kept.
   */
  async take(
    { instanceUrl, expected }: Goal,
    { token, grant, ...known }: GivenToken,
    signal?: AbortSignal,
  ): Promise<InstanceAccount> {
    const { accounts, globalState } = this.#app;
    const identified = await identify(this.#app, instanceUrl, token, signal, known.bearer);
    signal?.throwIfAborted();
    if (expected && identified.userId !== expected.userId) {
      const sentence = vscode.l10n.t(
        'This is a token of {0}. Enter one of {1}; “Sign In…” adds {0} as another account.',
        identified.username,
        expected.username,
      );
      throw new ProblemError({ sentence });
    }
    // The next token of a source may do something else and end on another day: nobody would say so.
    const ofToken = known.tokenSource ? { scopes: undefined, expiresAt: undefined } : {};
    const account = { ...identified, ...ofToken, ...known, id: accounts.idFor(identified) };
    const kept = await accounts.replace(account, token, grant);
    this.#typedUrl = undefined;
    await globalState.update(instancesKey, [...new Set([instanceUrl, ...(await this.#instances())])]);
    return kept;
  }

  async #authorize(instanceUrl: string, applicationId: string): Promise<GivenToken | undefined> {
    const given = await this.#oauth.inBrowser(instanceUrl, applicationId);
    if (!given) {
      // If nothing comes back from the browser, its page may have said why: the instance reports it nowhere else.
      await this.#explainBrowser(instanceUrl);
    }
    return given;
  }

  async #explainBrowser(instanceUrl: string): Promise<void> {
    const redirectUri = await this.#oauth.redirectUri(instanceUrl);
    const open = openSettings('beacon.signIn.applicationIds');
    const sentence = vscode.l10n.t(
      'To sign in to {0} with the browser, an administrator registers an application there: not confidential, with the token scope api and the redirect URI {1}. Its id goes into the settings.',
      instanceName(instanceUrl),
      redirectUri,
    );
    const copy = { title: vscode.l10n.t('Copy Redirect URI'), run: () => copyText(redirectUri) };
    notify('info', sentence, [copy, { title: open.title, run: () => runRemedy(open) }], this.#app.log);
  }

  /** @param known the URL that the user gave before, or none: then the input begins with what is likely. */
  #askInstanceUrl(known: string, likely: string, note: string) {
    return ask<string>({
      isAnswered: known !== '',
      title: vscode.l10n.t('Sign In to GitLab'),
      prompt: inSequence(vscode.l10n.t('The URL of your GitLab instance.'), note),
      placeholder: 'https://gitlab.com',
      value: known || (this.#typedUrl ?? likely),
      buttons: [
        this.#button('pulse', vscode.l10n.t('Diagnose Connection…'), (url) =>
          vscode.commands.executeCommand('beacon.diagnoseConnection', { url }),
        ),
      ],
      check: async (typed, signal) => {
        if (looksLikeToken(typed)) {
          return {
            rejected: vscode.l10n.t(
              'This is a token; it was not sent. Enter the URL here, the token in the next step.',
            ),
          };
        }
        this.#typedUrl = typed;
        const url = normalizeInstanceUrl(typed);
        if (url === undefined) {
          return {
            rejected: vscode.l10n.t('This is not the URL of an instance. Enter one such as https://gitlab.com.'),
          };
        }
        const found = await this.#checked(() => findInstance(this.#app, url, signal));
        return 'accepted' in found && isUnencrypted(found.accepted) && !(await mayBeRead(found.accepted))
          ? { rejected: vscode.l10n.t('No token was sent. Enter a URL that begins with https.') }
          : found;
      },
    });
  }

  async #askToken(goal: Goal, title: string, hasBack: boolean): Promise<InstanceAccount | 'back' | undefined> {
    const { instanceUrl } = goal;
    const name = instanceName(instanceUrl);
    const explainBrowser = this.#button('globe', vscode.l10n.t('Sign In with the Browser Instead…'), () =>
      this.#explainBrowser(instanceUrl),
    );
    const answered = await ask<InstanceAccount>({
      title,
      hasBack,
      prompt: vscode.l10n.t(
        'Token for {0}, with the scope api, read_api to change nothing, or read_user for feeds alone. The first two icons above create one.',
        instanceUrl,
      ),
      placeholder: vscode.l10n.t('Personal access token'),
      value: '',
      password: true,
      buttons: [
        this.#button('link-external', vscode.l10n.t('Create Token on {0}', name), () =>
          vscode.env.openExternal(vscode.Uri.parse(tokenPageOf(instanceUrl))),
        ),
        this.#button('checklist', vscode.l10n.t('Create Fine-Grained Token on {0}', name), () =>
          this.#openFineGrainedPage(instanceUrl),
        ),
        ...(this.#oauth.applicationOf(instanceUrl) === undefined ? [explainBrowser] : []),
      ],
      check: async (typed, signal) =>
        typed.trim() === ''
          ? { rejected: vscode.l10n.t('Enter a token, or create one with the first button at the top right.') }
          : // A secret store that cannot be written leaves the input open, with what was typed.
            await this.#checked(() => this.take(goal, { token: typed.trim() }, signal)),
    });
    return typeof answered === 'object' ? answered.answer : answered;
  }

  /** The form of fine-grained tokens fills nothing in: what to select stays to be read beside it. */
  async #openFineGrainedPage(instanceUrl: string): Promise<void> {
    await vscode.env.openExternal(vscode.Uri.parse(tokenListUrl(instanceUrl)));
    const sentence = vscode.l10n.t(
      'Fine-grained tokens come with GitLab 18.10. Select these permissions, or those of the features that you want. {0}',
      neededPermissions.join('; '),
    );
    const copy = { title: vscode.l10n.t('Copy List'), run: () => copyText(neededPermissions.join('\n')) };
    notify('info', sentence, [copy], this.#app.log);
  }

  #button(icon: string, tooltip: string, open: (typed: string) => Thenable<unknown>) {
    const run = (typed: string): void =>
      void open(typed).then(undefined, (error: unknown) => this.#app.log.error(inspect(error)));
    return { iconPath: new vscode.ThemeIcon(icon), tooltip, run };
  }

  async #checked<T>(check: () => Promise<T>): Promise<Answer<T>> {
    try {
      return { accepted: await check() };
    } catch (error) {
      if (!isApiError(error, 'aborted')) {
        this.#app.log.error(inspect(error));
      }
      if (isApiError(error, 'missingPermission') && error.permissions.includes('User: Read')) {
        return {
          rejected: vscode.l10n.t(
            'The token does not tell whose it is: it needs the permission User: Read. Create one with a button above.',
          ),
        };
      }
      return { rejected: problemOf(error).sentence };
    }
  }
}

/** Asks before a token goes to another computer without encryption. */
async function mayBeRead(instanceUrl: string): Promise<boolean> {
  return await confirm(
    vscode.l10n.t('Sign in to {0} without encryption?', instanceUrl),
    vscode.l10n.t(
      'Anyone between you and the instance can read your token and act as you. Use a URL that begins with https if the instance has one.',
    ),
    vscode.l10n.t('Sign In without Encryption'),
  );
}
