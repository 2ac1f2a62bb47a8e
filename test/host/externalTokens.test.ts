import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../../src/accounts/account.ts';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { AccountsAuthenticationProvider } from '../../src/accounts/authenticationProvider.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { CredentialCheck } from '../../src/accounts/credentialCheck.ts';
import {
  externalToken,
  useSession,
  cliToken,
  cliTokenIn,
  type EditorSessions,
  sessionProviderName,
  sessionAccounts,
} from '../../src/accounts/externalTokens.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { SignIn } from '../../src/accounts/signIn.ts';
import { Network } from '../../src/platform/node/network.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/sandbox.ts';
import { withoutApplications } from '../support/accountSamples.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

/** Stands in for the editor's authentication with the provider of GitLab's own extension. */
class LentSessions {
  readonly asked: vscode.AuthenticationGetSessionOptions[] = [];
  session: vscode.AuthenticationSession | undefined;
  agrees = true;

  readonly editor = {
    getAccounts: async () => (this.session ? [this.session.account] : []),
    getSession: async (
      provider: string,
      scopes: readonly string[],
      options: vscode.AuthenticationGetSessionOptions,
    ) => {
      assert.deepEqual([provider, scopes], ['gitlab', ['api', 'read_user']]);
      this.asked.push(options);
      if (!this.agrees) {
        if (options.silent === true) {
          return undefined;
        }
        throw new Error('User did not consent to login.');
      }
      return this.session;
    },
  } as unknown as EditorSessions;
}

describe('tokens that others lend', () => {
  let sandbox: Sandbox;
  let lent: LentSessions;
  let token: string;
  let folder: string;
  let disposables: vscode.Disposable[] = [];
  const log = vscode.window.createOutputChannel('Beacon test of lent tokens', { log: true });
  before(async () => {
    sandbox = await startSandbox();
  });
  after(async () => {
    log.dispose();
    await sandbox.close();
  });
  beforeEach(async () => {
    token = sandbox.control.makeToken('marta', { oauth: true });
    lent = new LentSessions();
    const account = { id: `${sandbox.url}|101`, label: `${sandbox.url} (marta)` };
    lent.session = { id: 's', accessToken: token, scopes: ['api', 'read_user'], account };
    folder = mkdtempSync(join(tmpdir(), 'beacon-glab-'));
  });
  afterEach(() => {
    vscode.Disposable.from(...disposables.splice(0)).dispose();
  });

  /** A window whose quick pick is answered by the first choice, if any. */
  function window() {
    const [memento, secrets] = [new MemoryMemento(), new MemorySecrets()];
    const borrow = async (account: InstanceAccount, source: NonNullable<InstanceAccount['tokenSource']>) =>
      source.kind === 'session'
        ? externalToken(account, source, lent.editor)
        : ((await cliToken(account.instanceUrl, surroundings()))?.token ?? '');
    const store = new AccountStore(memento, secrets, async () => ({ token: borrow, discard: async () => undefined }));
    const mementos = { global: memento, workspace: new MemoryMemento() };
    const inUse = new AccountInUse(store, new WindowRemotes(), mementos);
    const network = new Network(secrets, log);
    const noSandbox = () => Promise.reject(new Error('not here'));
    const connections = new Connections(store, inUse, noSandbox, async () => network, log);
    const shown: string[] = [];
    const signIn = new SignIn({
      ...{ store, check: new CredentialCheck(connections), oauth: withoutApplications, log },
      externalTokens: {
        sessionProviderName: () => 'GitLab',
        sessionAccounts: () => sessionAccounts(lent.editor),
        useSession: (account) => useSession(account, lent.editor),
        cliToken: (instanceUrl) => cliToken(instanceUrl, surroundings()),
      },
    });
    disposables.push(store, inUse, network, connections);
    return { store, connections, signIn, shown, memento, secrets };
  }

  /** Chooses the first line of the editor's choices. */
  async function choosingFirst<T>(run: () => Promise<T>, shown: string[]): Promise<T> {
    const before = vscode.window.showQuickPick;
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        shown.push(...items.map(({ label, description = '' }) => `${label} ${description}`.trim()));
        return items[0];
      },
    });
    try {
      return await run();
    } finally {
      Object.assign(vscode.window, { showQuickPick: before });
    }
  }

  it('are offered first, asked for at each use, sent as a bearer and kept nowhere', async () => {
    const { store, connections, signIn, shown, memento, secrets } = window();
    const account = await choosingFirst(() => signIn.run(undefined), shown);
    assert.deepEqual(shown, [`${sandbox.url} (marta) from GitLab`, 'Enter a Personal Access Token…']);
    assert.equal(account?.username, 'marta');
    assert.deepEqual(account?.tokenSource, {
      kind: 'session',
      accountId: `${sandbox.url}|101`,
      label: `${sandbox.url} (marta)`,
    });
    const { client } = await connections.of(account.id);
    const asked = lent.asked.length;
    assert.equal((await client.directory.currentUser()).username, 'marta');
    await client.notificationSettings.get('global');
    assert.equal(lent.asked.length, asked + 2);
    assert.ok(lent.asked.slice(1).every(({ silent }) => silent === true));
    const kept = JSON.stringify([
      memento.keys().map((key) => memento.get(key)),
      await Promise.all((await secrets.keys()).map((key) => secrets.get(key))),
    ]);
    assert.ok(!kept.includes(token));
    assert.ok(kept.includes('marta'));
    // Another window, or this one after a restart, reads where the token is to be had.
    const again = new AccountStore(memento, secrets, async () => ({
      token: async () => 'lent again',
      discard: async () => undefined,
    }));
    disposables.push(again);
    assert.deepEqual(await again.credentials(account.id), {
      instanceUrl: sandbox.url,
      token: 'lent again',
      bearer: true,
      isChanging: true,
    });
    const provider = new AccountsAuthenticationProvider(
      store,
      async () => account,
      (id) => store.remove(id),
    );
    disposables.push(provider);
    assert.deepEqual(await provider.getSessions(undefined), [], 'Beacon does not lend what is lent');
    await assert.rejects(provider.createSession(), vscode.CancellationError);
  });

  it('follow the extension: another token is used at once, and none is an error with a command', async () => {
    const { connections, signIn, shown } = window();
    const account = await choosingFirst(() => signIn.run(undefined), shown);
    assert.ok(account && lent.session);
    const { client } = await connections.of(account.id);
    lent.session = { ...lent.session, accessToken: sandbox.control.makeToken('marta', { oauth: true }) };
    assert.equal((await client.directory.currentUser()).username, 'marta');
    for (const gone of [
      undefined,
      { ...lent.session, account: { id: 'another', label: 'another' } },
      { ...lent.session, accessToken: '' },
    ]) {
      lent.session = gone;
      const error: unknown = await client.directory.currentUser().catch((reason: unknown) => reason);
      const { sentence, remedy } = problemOf(error);
      assert.equal(sentence, `${account.id}: the extension that is signed in there no longer lends its account.`);
      assert.deepEqual([remedy?.command, remedy?.arguments], ['beacon.renewToken', [account.id]]);
    }
  });

  it('are not used without the consent of the user', async () => {
    const { store, signIn, shown } = window();
    lent.agrees = false;
    assert.equal(await choosingFirst(() => signIn.run(undefined), shown), undefined);
    assert.deepEqual(store.all, []);
    assert.deepEqual(
      lent.asked.map(({ createIfNone }) => createIfNone),
      [true],
    );
  });

  it('come from an extension that contributes the provider', () => {
    const extension = (id: string, packageJSON: unknown) => ({ id, packageJSON }) as vscode.Extension<unknown>;
    assert.equal(sessionProviderName([]), undefined);
    const odd = [null, {}, { contributes: null }, { contributes: { authentication: {} } }].slice(1);
    assert.equal(sessionProviderName(odd.map((one) => extension('a.b', one))), undefined);
    const contributes = { authentication: [null, { id: 'github' }, { id: 'gitlab' }] };
    assert.equal(sessionProviderName([extension('a.b', { displayName: 'GitLab', contributes })]), 'GitLab');
    assert.equal(sessionProviderName([extension('a.b', { displayName: '%name%', contributes })]), 'a.b');
  });

  const surroundings = (platform: NodeJS.Platform = 'linux', env: Record<string, string> = {}) => ({
    ...{ platform, env, home: folder },
  });
  const configuration = (host: string, lines: readonly string[]) =>
    ['git_protocol: ssh', 'hosts:', `    ${host}:`, ...lines.map((line) => `        ${line}`), 'editor: vi', ''].join(
      '\n',
    );

  for (const [name, path, platform, variable] of [
    ['Linux', '.config/glab-cli', 'linux', undefined],
    ['Linux, where the user says so', 'elsewhere/glab-cli', 'linux', ['XDG_CONFIG_HOME', 'elsewhere']],
    ['macOS', 'Library/Application Support/glab-cli', 'darwin', undefined],
    ['Windows', 'local/glab-cli', 'win32', ['LOCALAPPDATA', 'local']],
    ['any system, by a variable', 'own', 'win32', ['GLAB_CONFIG_DIR', 'own']],
  ] as const) {
    it(`of the GitLab CLI are where it keeps them on ${name}`, async () => {
      const env = variable ? { [variable[0]]: join(folder, variable[1]) } : {};
      assert.equal(await cliToken('https://gitlab.com', surroundings(platform, env)), undefined);
      const file = join(folder, path, 'config.yml');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, configuration('gitlab.com', ['token: glpat-Of.The_CLI']));
      const found = await cliToken('https://gitlab.com', surroundings(platform, env));
      assert.deepEqual(found, { token: 'glpat-Of.The_CLI', isOAuth: false });
    });
  }

  for (const [name, text, url, expected] of [
    [
      'a tag that the CLI writes',
      configuration('gitlab.com', ['token: !!null glpat-1']),
      'https://gitlab.com',
      'glpat-1',
    ],
    ['quotes', configuration('"gitlab.com"', ['token: "glpat-1"']), 'https://gitlab.com', 'glpat-1'],
    ['a port', configuration('gitlab.example:8443', ['token: glpat-1']), 'https://gitlab.example:8443', 'glpat-1'],
    ['a comment', configuration('gitlab.com', ["token: 'glpat-1' # mine"]), 'https://gitlab.com', 'glpat-1'],
    ['OAuth', configuration('gitlab.com', ['is_oauth2: "true"', 'token: abc']), 'https://gitlab.com', 'abc (OAuth)'],
    [
      'the host of its API',
      configuration('ssh.example', ['api_host: gitlab.example', 'token: glpat-1']),
      'https://gitlab.example/gitlab',
      'glpat-1',
    ],
    ['another host', configuration('gitlab.com', ['token: glpat-1']), 'https://gitlab.example', undefined],
    ['a host that ends alike', configuration('evilgitlab.com', ['token: glpat-1']), 'https://gitlab.com', undefined],
    ['no token', configuration('gitlab.com', ['token:', 'use_keyring: "true"']), 'https://gitlab.com', undefined],
    [
      "a token of no token's form",
      configuration('gitlab.com', ['token: "two words"']),
      'https://gitlab.com',
      undefined,
    ],
    ['hosts elsewhere', 'other:\n  gitlab.com:\n    token: glpat-1\n', 'https://gitlab.com', undefined],
    ['nothing', '', 'https://gitlab.com', undefined],
    ['no YAML', '\u0000: [}\n\t:::', 'https://gitlab.com', undefined],
  ] as const) {
    it(`of the GitLab CLI are read with ${name}`, () => {
      const found = cliTokenIn(text, url);
      assert.equal(found && `${found.token}${found.isOAuth ? ' (OAuth)' : ''}`, expected);
    });
  }

  it('of the GitLab CLI are read at each use and kept nowhere', async () => {
    const { store, connections, memento, secrets } = window();
    const file = join(folder, '.config/glab-cli/config.yml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, configuration(new URL(sandbox.url).host, [`token: ${token}`, 'is_oauth2: "true"']));
    const check = new CredentialCheck(connections);
    const identified = await check.identify(sandbox.url, token, undefined, true);
    await store.save({ ...identified, tokenSource: { kind: 'cli' } }, token);
    const { client } = await connections.of(identified.id);
    assert.equal((await client.directory.currentUser()).username, 'marta');
    const kept = JSON.stringify([
      memento.keys().map((key) => memento.get(key)),
      await Promise.all((await secrets.keys()).map((key) => secrets.get(key))),
    ]);
    assert.ok(!kept.includes(token));
  });
});
