import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { CredentialCheck } from '../../src/accounts/credentialCheck.ts';
import { OAuthSignIn, type SignInEnvironment } from '../../src/accounts/oauthSignIn.ts';
import { type OpenProvider, RefreshedTokens } from '../../src/accounts/refreshedTokens.ts';
import { SignIn } from '../../src/accounts/signIn.ts';
import { logLine } from '../../src/api/client.ts';
import { OAuthProvider } from '../../src/api/oauth.ts';
import { loadOnce } from '../../src/common/commands.ts';
import { Network } from '../../src/platform/node/network.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { SleeplessClock } from './fakeClock.ts';
import { MemoryMemento, type MemorySecrets } from './editorState.ts';
import { listeningLog, type PersonalSettings } from './reader.ts';
import { WindowRemotes } from './windowRemotes.ts';

const editorUri = 'vscode://beacon-gitlab.beacon-gitlab';

/** What is registered for a sandbox. */
export function redirectUriFor({ url }: Sandbox): string {
  return `${editorUri}/signed-in/http~3a~2f~2f127.0.0.1~3a${new URL(url).port}`;
}

/** Registers an application on a sandbox, and in the settings. */
export async function registerApplication(sandbox: Sandbox, settings: PersonalSettings): Promise<void> {
  const id = sandbox.control.registerApplication([redirectUriFor(sandbox)]);
  await settings.set({ 'beacon.signIn.applicationIds': { [sandbox.url]: id } });
}

/** Decides on a page of a sandbox as the user does in the browser; answers with the address that comes back. */
export async function decide(page: string, decision: 'authorize' | 'deny' = 'authorize'): Promise<vscode.Uri> {
  const url = new URL(page);
  const fields = {
    ...Object.fromEntries(url.searchParams),
    decision,
  };
  const init = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' } as const;
  const response = await fetch(url.origin + url.pathname, init);
  return vscode.Uri.parse(response.headers.get('location') ?? 'about:blank');
}

/** What windows of one editor share. */
export interface SharedState {
  readonly secrets: MemorySecrets;
  readonly memento: MemoryMemento;
  readonly folder: string;
  readonly clock: SleeplessClock;
}

/** A window that signs in to instances with the browser: what the browser does is up to the test. */
export class OAuthWindow implements vscode.Disposable {
  readonly store: AccountStore;
  readonly connections: Connections;
  readonly oauth: OAuthSignIn;
  readonly signIn: SignIn;
  readonly logged: string[] = [];
  /** Sentences that were shown, with their buttons. */
  readonly messages: string[] = [];
  readonly waitedFor: string[] = [];
  /** What the browser does with a page. */
  browse: (address: string) => Promise<void> = async () => undefined;
  /** What the user does while the browser is waited for. */
  wait: (cancel: () => void) => void = () => undefined;
  openProvider: OpenProvider;
  readonly #parts: readonly vscode.Disposable[];

  constructor({ secrets, memento, folder, clock }: SharedState) {
    const log = listeningLog(this.logged);
    const network = new Network(secrets, log);
    this.openProvider = async (instanceUrl, applicationId) =>
      new OAuthProvider({ instanceUrl, applicationId, clock, log: (entry) => log.debug(logLine(entry)) });
    const openProvider: OpenProvider = (...args) => this.openProvider(...args);
    const tokens = loadOnce(async () => new RefreshedTokens({ store: this.store, openProvider, folder, clock, log }));
    this.store = new AccountStore(memento, secrets, tokens);
    const mementos = { global: memento, workspace: new MemoryMemento() };
    const inUse = new AccountInUse(this.store, new WindowRemotes(), mementos);
    const noSandbox = () => Promise.reject(new Error('not here'));
    this.connections = new Connections(this.store, inUse, noSandbox, async () => network, log);
    const surroundings: SignInEnvironment = {
      open: (address) => this.browse(address),
      redirectUri: async (path) => editorUri + path,
      waiting: async (title, run) => {
        this.waitedFor.push(title);
        const controller = new AbortController();
        this.wait(() => controller.abort());
        return await run(controller.signal);
      },
    };
    this.oauth = new OAuthSignIn({ secrets, openProvider, environment: surroundings, log, clock });
    this.signIn = new SignIn({
      ...{ store: this.store, check: new CredentialCheck(this.connections), oauth: this.oauth, log, clock },
      inform: async (sentence, ...buttons) => {
        this.messages.push([sentence, ...buttons].join(' | '));
        return undefined;
      },
      externalTokens: {
        sessionProviderName: () => undefined,
        sessionAccounts: async () => [],
        useSession: async () => undefined,
        cliToken: async () => undefined,
      },
    });
    this.#parts = [this.connections, inUse, this.store, network];
  }

  /** Lets the browser authorize, and bring its answer to a window: this one if no other is named. */
  authorizing(decision: 'authorize' | 'deny' = 'authorize', to: OAuthWindow = this): this {
    this.browse = async (address) => {
      await to.signIn.answer(await decide(address, decision));
    };
    return this;
  }

  /** How many requests for tokens were sent from here. */
  get tokenRequests(): number {
    return this.logged.filter((line) => /POST \/oauth\/token \d/.test(line)).length;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#parts).dispose();
  }
}
