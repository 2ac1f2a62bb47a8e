import { inspect } from '#platform/runtime.ts';
import { offersCli } from '#platform/disk.ts';
import * as vscode from 'vscode';
import { AbortedError, MissingPermissionError } from '../api/errors.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { confirm, setStatusBarMessage, showInformationMessage, showQuickPick } from '../common/inertWindow.ts';
import { instanceName, isUnencrypted, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { type Answer, ask, choose } from '../common/question.ts';
import type { Account, Credentials, Grant, InstanceAccount, ProjectPlace, TokenSource } from './account.ts';
import { accountLabel } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import {
  classicTokenPage,
  type CredentialCheck,
  fineGrainedTokenPage,
  neededPermissionLines,
} from './credentialCheck.ts';
import * as borrowedTokens from './externalTokens.ts';
import { instanceUrlIn, type SessionAccount } from './externalTokens.ts';
import type { AnswerAddress, Authorized, OAuthSignIn } from './oauthSignIn.ts';
import { problemOf, openSettings, ProblemError, readOnlySentence, reportFailure } from './problem.ts';
import { grantOf } from './refreshedTokens.ts';

/** Where tokens are to be had besides. */
export type ExternalTokens = Pick<
  typeof borrowedTokens,
  'sessionProviderName' | 'sessionAccounts' | 'useSession' | 'cliToken'
>;

/** How a user signs in to an instance that knows Beacon as an application. */
type SignInMethod = 'browser' | 'token';

/** What signing in depends on; what is optional is the editor's by default. */
export interface SignInDeps {
  readonly store: AccountStore;
  readonly check: CredentialCheck;
  /** Signs in to instances that know Beacon as an application. */
  readonly oauth: OAuthSignIn;
  readonly log: vscode.LogOutputChannel;
  /** Asks the user. */
  readonly agrees?: typeof confirm | undefined;
  /** Shows a page in the browser. */
  readonly open?: ((address: string) => Thenable<unknown>) | undefined;
  /** Shows the user a message with buttons. */
  readonly inform?: typeof showInformationMessage | undefined;
  /** Who else has tokens. */
  readonly externalTokens?: ExternalTokens | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'date'> | undefined;
  /** The view that a project is offered for. */
  readonly errorTracking?: ProjectView | undefined;
}

/** A view that projects can be pinned to. */
export interface ProjectView {
  /** Whether it shows a project already. */
  shows(project: ProjectPlace): Promise<boolean>;
  /** Shows a project, which is pinned if it is not there yet. */
  show(project: ProjectPlace): Promise<void>;
}

/** What is known of a sign-in before it begins. */
export interface GivenPlace {
  /** Of the instance, or below it. */
  readonly url: string;
  /** Who has to sign in: a token of somebody else is not taken. */
  readonly account?: Expected;
}

/** Whose token it must be. */
type Expected = Pick<InstanceAccount, 'id' | 'username'>;

/** Where an input stands in a sequence of them. */
interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

/**
 * Signs in to instances with personal access tokens that the user types, by an authorization in the browser, or with tokens that
 * others lend; checks everything before it is kept.
 */
export class SignIn {
  readonly #store: AccountStore;
  readonly #check: CredentialCheck;
  readonly #oauth: OAuthSignIn;
  readonly #log: vscode.LogOutputChannel;
  readonly #agrees: typeof confirm;
  readonly #open: (address: string) => Thenable<unknown>;
  readonly #inform: typeof showInformationMessage;
  readonly #externalTokens: ExternalTokens;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #errorTracking: ProjectView | undefined;
  /** The last input that led to no sign-in: offered again after the user has fixed the connection. */
  #typedUrl: string | undefined;
  /** The input of the last sign-in: people enter the address of a page. */
  #enteredUrl: string | undefined;

  constructor(deps: SignInDeps) {
    this.#store = deps.store;
    this.#check = deps.check;
    this.#oauth = deps.oauth;
    this.#log = deps.log;
    this.#agrees = deps.agrees ?? confirm;
    this.#open = deps.open ?? ((address) => vscode.env.openExternal(vscode.Uri.parse(address)));
    this.#inform = deps.inform ?? showInformationMessage;
    this.#externalTokens = deps.externalTokens ?? borrowedTokens;
    this.#clock = deps.clock ?? systemClock;
    this.#errorTracking = deps.errorTracking;
  }

  /**
   * Asks for the URL and the token, and adds the account or renews the token of one that is there.
   *
   * @param remoteHost the host of a remote of the workspace. It is mentioned and not filled in: the author of a repository
   *   must not choose where a token goes.
   * @param given what is known already: the URL is asked for only if it cannot be taken. Without, the input holds what was
   *   typed before and led to no sign-in, or else the instance of the account in use, or else the hosted one, unless a remote
   *   leads to another one.
   * @param inUse the account that the window works with.
   * @returns undefined if the user gave up.
   */
  async run(remoteHost: string | undefined, given?: GivenPlace, inUse?: Account): Promise<InstanceAccount | undefined> {
    this.#enteredUrl = undefined;
    const firstUrl = this.#firstUrl(remoteHost, inUse);
    const lent = given === undefined ? await this.#runWithSession(remoteHost, firstUrl) : 'token';
    if (lent !== 'token') {
      return lent;
    }
    let typedUrl = given?.url ?? this.#typedUrl ?? firstUrl;
    for (let isAnswered = given !== undefined; ; isAnswered = false) {
      const url = await this.#askInstanceUrl(typedUrl, remoteHost, isAnswered);
      if (typeof url !== 'object') {
        return undefined;
      }
      typedUrl = url.value;
      // Another URL than the one that was given is that of another account.
      const expected = isAnswered && typedUrl === given?.url ? given.account : undefined;
      const title = expected
        ? vscode.l10n.t('Sign In as {0}', expected.id)
        : vscode.l10n.t('Sign In to {0}', instanceName(url.answer));
      const account = await this.#authenticate(url.answer, { title, step: 2, totalSteps: 2 }, expected);
      if (account !== 'back') {
        this.#enteredUrl = normalizeInstanceUrl(typedUrl);
        return account;
      }
    }
  }

  /** Offers the project whose page was entered as the URL of the last sign-in, if it was one, for the Error Tracking view. */
  offerProject(account: InstanceAccount): void {
    this.#reported(this.#offerProject(account));
  }

  async #offerProject({ id }: InstanceAccount): Promise<void> {
    const project = this.#enteredUrl === undefined ? undefined : await this.#check.projectAt(this.#enteredUrl, id);
    if (!project || !this.#errorTracking || (await this.#errorTracking.shows(project))) {
      return;
    }
    const pin = vscode.l10n.t('Pin {0}', project.path);
    const sentence = vscode.l10n.t(
      'You entered the address of a project. Pin it to see its client keys in the Error Tracking view.',
    );
    if ((await this.#inform(sentence, pin)) === pin) {
      await this.#errorTracking.show(project);
    }
  }

  /**
   * Goes on with a sign-in whose answer the browser has brought to this window.
   *
   * @param address of the editor, its parts decoded once.
   * @returns the account that was added; undefined if there is nothing more to do here. A failure is shown.
   */
  async answer(address: AnswerAddress): Promise<InstanceAccount | undefined> {
    return await this.#shown(async () => {
      const authorized = await this.#oauth.answer(address);
      const account = authorized && (await this.#keepAuthorized(authorized));
      return authorized?.accountId === undefined ? account : undefined;
    });
  }

  /**
   * Asks for a new token of an account that is there.
   *
   * @returns undefined if the user gave up.
   */
  async renew(account: InstanceAccount): Promise<InstanceAccount | undefined> {
    const source = account.tokenSource;
    if (source?.kind === 'session') {
      const lender = { id: source.accountId, label: source.label, instanceUrl: account.instanceUrl };
      return await this.#shown(() => this.#withSession(lender, { firstUrl: account.instanceUrl }, account));
    }
    const title = vscode.l10n.t('Renew Token of {0}', account.id);
    // The instance is the one that is kept with the token.
    const { instanceUrl } = (await this.#store.entry(account.id))?.account ?? account;
    const place = { title, step: 1, totalSteps: 1 };
    const renewed = { ...account, instanceUrl };
    if (source?.kind === 'oauth') {
      const result = await this.#authenticate(instanceUrl, place, renewed);
      return result === 'back' ? undefined : result;
    }
    const checked = await this.#askToken(instanceUrl, place, renewed);
    return typeof checked === 'object' ? checked.answer : undefined;
  }

  /** Shows the page that creates a token with all that is needed, in the browser. */
  openTokenPage({ instanceUrl }: Pick<InstanceAccount, 'instanceUrl'>): void {
    this.#reported(this.#openClassicPage(instanceUrl));
  }

  /**
   * Gets a token by the method that the user chooses, where there is a choice.
   *
   * @param renewed whose token it must be.
   * @returns `back` if the user wants the previous step, undefined if they cancelled or the failure was shown.
   */
  async #authenticate(
    instanceUrl: string,
    place: Place,
    renewed?: Expected,
  ): Promise<InstanceAccount | 'back' | undefined> {
    const applicationId = this.#oauth.applicationOf(instanceUrl);
    for (;;) {
      const method = applicationId === undefined ? 'token' : await this.#chooseMethod(instanceUrl, place);
      if (method === 'back' || method === undefined) {
        return method;
      }
      if (method !== 'token' && applicationId !== undefined) {
        return await this.#shown(() =>
          this.#authorize(instanceUrl, applicationId, renewed && this.#store.find(renewed.id)),
        );
      }
      // "Back" leads from the token to the choice, if there was one.
      const step = applicationId === undefined ? place.step : place.step + 1;
      const totalSteps = Math.max(step, place.totalSteps);
      const checked = await this.#askToken(instanceUrl, { ...place, step, totalSteps }, renewed);
      if (checked !== 'back') {
        return checked?.answer;
      }
      if (applicationId === undefined) {
        return 'back';
      }
    }
  }

  async #chooseMethod(instanceUrl: string, place: Place): Promise<SignInMethod | 'back' | undefined> {
    const name = instanceName(instanceUrl);
    const methods: readonly (vscode.QuickPickItem & { readonly method: SignInMethod })[] = [
      {
        label: vscode.l10n.t('Authorize in the Browser'),
        detail: vscode.l10n.t('Opens {0}, which asks you and brings you back.', name),
        iconPath: new vscode.ThemeIcon('globe'),
        method: 'browser',
      },
      {
        label: vscode.l10n.t('Enter a Personal Access Token…'),
        detail: vscode.l10n.t('You create it on {0} and choose what it may do.', name),
        iconPath: new vscode.ThemeIcon('key'),
        method: 'token',
      },
    ];
    const chosen = await choose(methods, { ...place, placeholder: vscode.l10n.t('Choose how to sign in') });
    return typeof chosen === 'object' ? chosen.method : chosen;
  }

  async #authorize(
    instanceUrl: string,
    applicationId: string,
    renewed: InstanceAccount | undefined,
  ): Promise<InstanceAccount | undefined> {
    const given = await this.#oauth.inBrowser(instanceUrl, applicationId, renewed?.id);
    if (given === 'elsewhere') {
      setStatusBarMessage(vscode.l10n.t('Another window continues the sign-in.'), 10_000);
      return undefined;
    }
    if (given === 'canceled') {
      await this.#explainRedirectUri(instanceUrl);
      return undefined;
    }
    return await this.#keepAuthorized(given);
  }

  /** Keeps an account whose authorization is complete, once it is clear whose it is. */
  async #keepAuthorized(given: Authorized): Promise<InstanceAccount> {
    const { instanceUrl, applicationId, pair } = given;
    const identified = await this.#check.identify(instanceUrl, pair.accessToken, undefined, true);
    const renewed = given.accountId === undefined ? undefined : this.#store.find(given.accountId);
    if (renewed && identified.username !== renewed.username) {
      throw new ProblemError({ sentence: wrongUser(identified, renewed) });
    }
    const info = await this.#oauth.describe(given);
    const account = {
      ...identified,
      scopes: info?.scopes,
      expiresAt: undefined,
      tokenSource: { kind: 'oauth' } as const,
    };
    return await this.#keep(
      account,
      pair.accessToken,
      grantOf(applicationId, { ...pair, expiresIn: pair.expiresIn ?? info?.expiresIn }, this.#clock.date().getTime()),
    );
  }

  /** If nothing comes back from the browser, its page may have said why: the instance reports it nowhere else. */
  async #explainRedirectUri(instanceUrl: string): Promise<void> {
    const redirectUri = await this.#oauth.registeredUri(instanceUrl);
    await this.#offer(
      vscode.l10n.t(
        'You are not signed in. If {0} said that the client or redirect URI is invalid: an administrator has to register {1} for the application.',
        instanceName(instanceUrl),
        redirectUri,
      ),
      redirectUri,
    );
  }

  /** Says what makes a sign-in with the browser possible. */
  async #explainApplications(instanceUrl: string): Promise<void> {
    const redirectUri = await this.#oauth.registeredUri(instanceUrl);
    await this.#offer(
      vscode.l10n.t(
        'To sign in to {0} with the browser, an administrator registers an application there: not confidential, with the token scope api and the redirect URI {1}. Its id goes into the settings.',
        instanceName(instanceUrl),
        redirectUri,
      ),
      redirectUri,
    );
  }

  async #offer(sentence: string, redirectUri: string): Promise<void> {
    const copy = vscode.l10n.t('Copy Redirect URI');
    const { command, title, arguments: args = [] } = openSettings('beacon.signIn.applicationIds');
    const chosen = await this.#inform(sentence, copy, title);
    if (chosen === copy) {
      await vscode.env.clipboard.writeText(redirectUri);
    } else if (chosen === title) {
      await vscode.commands.executeCommand(command, ...(args as unknown[]));
    }
  }

  /**
   * Signs in without asking.
   *
   * @throws ApiError if the instance does not accept the token.
   * @throws SecretStoreError if the token cannot be kept.
   */
  async with({ instanceUrl, token }: Credentials): Promise<InstanceAccount> {
    return this.#keep(await this.#check.identify(instanceUrl, token), token);
  }

  /**
   * Offers the accounts of GitLab's own extension, where it is installed.
   *
   * @returns `token` if the user rather enters one, or there is no such extension; undefined if they gave up.
   */
  async #runWithSession(
    remoteHost: string | undefined,
    firstUrl: string,
  ): Promise<InstanceAccount | undefined | 'token'> {
    const lender = this.#externalTokens.sessionProviderName();
    if (lender === undefined) {
      return 'token';
    }
    const accounts = await this.#externalTokens.sessionAccounts().catch((error: unknown) => {
      this.#log.error(inspect(error));
      return [];
    });
    const items: (vscode.QuickPickItem & { readonly run: () => Promise<InstanceAccount | undefined | 'token'> })[] = [
      ...accounts.map((account) => ({
        label: account.label,
        description: vscode.l10n.t('from {0}', lender),
        detail: vscode.l10n.t('Beacon asks for the token at each use, and keeps none.'),
        iconPath: new vscode.ThemeIcon('account'),
        run: () => this.#withSession(account, { remoteHost, firstUrl }),
      })),
      ...(accounts.length > 0
        ? []
        : [
            {
              label: vscode.l10n.t('Sign In with {0}…', lender),
              iconPath: new vscode.ThemeIcon('sign-in'),
              run: () => this.#withSession(undefined, { remoteHost, firstUrl }),
            },
          ]),
      {
        label: vscode.l10n.t('Enter a Personal Access Token…'),
        iconPath: new vscode.ThemeIcon('key'),
        run: async () => 'token',
      },
    ];
    const chosen = await showQuickPick(items, {
      title: vscode.l10n.t('Sign In to GitLab'),
      placeHolder: vscode.l10n.t('Choose an account, or enter a token'),
      matchOnDescription: true,
    });
    return chosen && (await this.#shown(chosen.run));
  }

  /** Signs in with an account of GitLab's own extension, after the editor has asked whether Beacon may use it. */
  async #withSession(
    account: SessionAccount | undefined,
    { remoteHost, firstUrl }: { readonly remoteHost?: string | undefined; readonly firstUrl: string },
    renewed?: InstanceAccount,
  ): Promise<InstanceAccount | undefined> {
    const session = await this.#externalTokens.useSession(account);
    if (!session) {
      return undefined;
    }
    const { id: accountId, label } = session.account;
    const named = account?.instanceUrl ?? instanceUrlIn(label) ?? instanceUrlIn(accountId);
    if (named !== undefined && isUnencrypted(named) && !(await this.#mayBeRead(named))) {
      return undefined;
    }
    // If the extension does not reveal its instance, the user enters it.
    const asked = named === undefined ? await this.#askInstanceUrl(firstUrl, remoteHost) : undefined;
    const instanceUrl = named ?? (typeof asked === 'object' ? asked.answer : undefined);
    if (instanceUrl === undefined) {
      return undefined;
    }
    const identified = await this.#check.identify(instanceUrl, session.accessToken, undefined, true);
    if (renewed && identified.username !== renewed.username) {
      throw new ProblemError({ sentence: wrongUser(identified, renewed) });
    }
    return await this.#keep({ ...identified, tokenSource: { kind: 'session', accountId, label } }, '');
  }

  /** Shows a failure of what has no input of its own. */
  async #shown<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      reportFailure(error, this.#log);
      return undefined;
    }
  }

  async #keep(identified: InstanceAccount, token: string, grant?: Grant): Promise<InstanceAccount> {
    const account = { ...identified, id: this.#store.idFor(identified) };
    await this.#store.save(account, token, grant);
    this.#typedUrl = undefined;
    return account;
  }

  /**
   * What an input for the URL holds before anything was typed: the instance in use, which further accounts are often on; without
   * any account nothing where a remote speaks against the hosted instance.
   */
  #firstUrl(remoteHost: string | undefined, inUse: Account | undefined): string {
    const account = inUse?.kind === 'instance' ? inUse : this.#store.all.at(-1);
    const isHosted = remoteHost === undefined || remoteHost === 'gitlab.com';
    return account?.instanceUrl ?? (isHosted ? 'https://gitlab.com' : '');
  }

  #askInstanceUrl(value: string, remoteHost: string | undefined, isAnswered = false) {
    return ask<string>({
      isAnswered,
      title: vscode.l10n.t('Sign In to GitLab'),
      step: 1,
      totalSteps: 2,
      prompt:
        remoteHost === undefined
          ? vscode.l10n.t('The URL of your GitLab instance')
          : vscode.l10n.t('The URL of your GitLab instance. A remote of this workspace leads to {0}.', remoteHost),
      placeholder: 'https://gitlab.com',
      value,
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('pulse'),
          tooltip: vscode.l10n.t('Diagnose Connection…'),
          run: (url) => void vscode.commands.executeCommand('beacon.diagnoseConnection', { url }),
        },
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
        const found = await this.#checked(() => this.#check.findInstance(url, signal));
        if ('accepted' in found && isUnencrypted(found.accepted) && !(await this.#mayBeRead(found.accepted))) {
          return { rejected: vscode.l10n.t('No token was sent. Enter a URL that begins with https.') };
        }
        return found;
      },
    });
  }

  /** Asks before a token goes to another computer without encryption. */
  async #mayBeRead(instanceUrl: string): Promise<boolean> {
    return await this.#agrees(
      vscode.l10n.t('Sign in to {0} without encryption?', instanceUrl),
      vscode.l10n.t(
        'Anyone between you and the instance can read your token and act as you. Use a URL that begins with https if the instance has one.',
      ),
      vscode.l10n.t('Sign In without Encryption'),
    );
  }

  /** @param renewed whose token it must be. */
  #askToken(instanceUrl: string, { title, step, totalSteps }: Place, renewed?: Expected) {
    const identify = async (
      token: string,
      signal: AbortSignal,
      { source, bearer }: { readonly source?: TokenSource; readonly bearer?: boolean } = {},
    ): Promise<Answer<InstanceAccount>> => {
      const identified = await this.#checked(() => this.#check.identify(instanceUrl, token, signal, bearer));
      if ('rejected' in identified || signal.aborted) {
        return identified;
      }
      const account = { ...identified.accepted, ...(source ? { tokenSource: source } : {}) };
      if (renewed && account.username !== renewed.username) {
        return { rejected: wrongUser(account, renewed) };
      }
      // A secret store that cannot be written leaves the input open, with what was typed.
      return this.#checked(() => this.#keep(account, token));
    };
    const useCliToken = {
      iconPath: new vscode.ThemeIcon('terminal'),
      tooltip: vscode.l10n.t('Use Token of the GitLab CLI'),
      answer: async (signal: AbortSignal): Promise<Answer<InstanceAccount>> => {
        const found = await this.#externalTokens.cliToken(instanceUrl);
        return found
          ? await identify(found.token, signal, { source: { kind: 'cli' }, bearer: found.isOAuth })
          : {
              rejected: vscode.l10n.t(
                'The configuration file of the GitLab CLI has no token for {0}. It may be in the keyring of your system: enter one here.',
                instanceName(instanceUrl),
              ),
            };
      },
    };
    return ask<InstanceAccount>({
      title,
      step,
      totalSteps,
      prompt: vscode.l10n.t(
        'Token for {0}, with the scope api, read_api to change nothing, or read_user for feeds alone. The icons above create one.',
        instanceUrl,
      ),
      placeholder: vscode.l10n.t('Personal access token'),
      value: '',
      password: true,
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('link-external'),
          tooltip: vscode.l10n.t('Create Token on {0}', instanceName(instanceUrl)),
          run: () => this.openTokenPage({ instanceUrl }),
        },
        {
          iconPath: new vscode.ThemeIcon('checklist'),
          tooltip: vscode.l10n.t('Create Fine-Grained Token on {0}', instanceName(instanceUrl)),
          run: () => this.#reported(this.#openFineGrainedPage(instanceUrl)),
        },
        ...(this.#oauth.applicationOf(instanceUrl) === undefined
          ? [
              {
                iconPath: new vscode.ThemeIcon('globe'),
                tooltip: vscode.l10n.t('Sign In with the Browser Instead…'),
                run: () => this.#reported(this.#explainApplications(instanceUrl)),
              },
            ]
          : []),
        ...(offersCli ? [useCliToken] : []),
      ],
      check: async (typed, signal) => {
        const token = typed.trim();
        return token === ''
          ? { rejected: vscode.l10n.t('Enter a token, or create one with the first button at the top right.') }
          : await identify(token, signal);
      },
    });
  }

  async #openClassicPage(instanceUrl: string): Promise<void> {
    const version = await this.#versionOf(instanceUrl);
    await this.#open(classicTokenPage(instanceUrl, version));
    if (version === undefined) {
      // Not every version fills the form in.
      void this.#inform(`${vscode.l10n.t('Select the token scope api.')} ${readOnlySentence()}`);
    }
  }

  /** The form of fine-grained tokens fills nothing in: what to select stays to be read beside it. */
  async #openFineGrainedPage(instanceUrl: string): Promise<void> {
    const version = await this.#versionOf(instanceUrl);
    const page = fineGrainedTokenPage(instanceUrl, version);
    if (page === undefined) {
      void this.#inform(
        vscode.l10n.t(
          '{0} is of version {1}: fine-grained tokens come with 18.10.',
          instanceName(instanceUrl),
          version ?? '',
        ),
      );
      return;
    }
    await this.#open(page);
    const copy = vscode.l10n.t('Copy List');
    const lines = neededPermissionLines();
    const chosen = await this.#inform(
      vscode.l10n.t(
        'Select these permissions for the token, or those of the features that you want. {0}',
        lines.join('. '),
      ),
      copy,
    );
    if (chosen === copy) {
      await vscode.env.clipboard.writeText(lines.join('\n'));
    }
  }

  /** gitlab.com has the newest version; other instances reveal theirs only to signed-in users. */
  async #versionOf(instanceUrl: string): Promise<string | undefined> {
    return instanceUrl === 'https://gitlab.com' ? '99.0' : this.#check.versionOf(instanceUrl, this.#store.all);
  }

  #reported(opened: Promise<void>): void {
    opened.catch((error: unknown) => this.#log.error(inspect(error)));
  }

  async #checked<T>(check: () => Promise<T>): Promise<{ accepted: T } | { rejected: string }> {
    try {
      return { accepted: await check() };
    } catch (error) {
      if (!(error instanceof AbortedError)) {
        this.#log.error(inspect(error));
      }
      if (error instanceof MissingPermissionError && error.permissions.includes('User: Read')) {
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

function wrongUser({ username }: InstanceAccount, renewed: Expected): string {
  return vscode.l10n.t(
    'This is a token of {0}. Enter one of {1}; “Sign In…” adds {0} as another account.',
    username,
    accountLabel(renewed.id),
  );
}

/**
 * Whether a text is a token by the prefix that the platform gives to most kinds, unless an administrator chose another one.
 *
 * @see https://docs.gitlab.com/security/tokens/#token-prefixes
 */
function looksLikeToken(text: string): boolean {
  return /^gl(?:pat|oas|dt|ptt|cbt)-[\w.-]{15,}$/.test(text.trim());
}
