import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AccountCommands } from '../../src/accounts/accountCommands.ts';
import type { AccountInUse } from '../../src/accounts/accountInUse.ts';
import type { AccountStore } from '../../src/accounts/accountStore.ts';
import type { SignIn } from '../../src/accounts/signIn.ts';
import { parseRemoteUrl } from '../../src/workspace/remoteUrl.ts';
import type { WorkspaceRemotes } from '../../src/workspace/remotes.ts';
import { sampleAccount } from '../support/accountSamples.ts';

describe('the command that switches the account', () => {
  it('asks for nothing but a sign-in where there is no account to switch to', async () => {
    let signIns = 0;
    const commands = new AccountCommands(
      { all: [] } as unknown as AccountStore,
      { candidates: [], account: { kind: 'sandbox', id: 'sandbox' } } as unknown as AccountInUse,
      { repositories: [] } as unknown as WorkspaceRemotes,
      { run: async () => void (signIns += 1) } as unknown as SignIn,
      async () => undefined,
    );
    await commands.switchAccount();
    assert.equal(signIns, 1);
  });
});

describe('the command that renews a token', () => {
  it('means the account on the instance that refused one, whichever is in use', async () => {
    const [one, other] = [sampleAccount('ada', 'https://one.example'), sampleAccount('ada', 'https://other.example')];
    const renewed: string[] = [];
    const commands = new AccountCommands(
      { all: [one, other] } as unknown as AccountStore,
      { account: one } as unknown as AccountInUse,
      {} as WorkspaceRemotes,
      {
        renew: async ({ instanceUrl }: { instanceUrl: string }) => void renewed.push(instanceUrl),
      } as unknown as SignIn,
      async () => undefined,
    );
    await commands.renewToken({ instance: 'other.example' });
    await commands.renewToken({ instance: 'gone.example' });
    await commands.renewToken(other.id);
    await commands.renewToken();
    assert.deepEqual(
      renewed,
      [other, one, other, one].map(({ instanceUrl }) => instanceUrl),
    );
  });
});

describe('the host that a sign-in mentions', () => {
  let root: string;
  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'beacon-remotes-')))));
  afterEach(() => rmSync(root, { recursive: true }));

  /** What is mentioned for repositories with remotes and files, and accounts at hosts. */
  async function mentioned(
    repositories: Readonly<Record<string, { remotes: readonly string[]; files?: readonly string[] }>>,
    ...hosts: readonly string[]
  ): Promise<string | undefined> {
    const remotes = {
      hostNameOf: (alias: string) => (alias === 'work' ? 'code.example.com' : alias),
      repositories: Object.entries(repositories).map(([name, { remotes: urls, files = [] }]) => {
        const folder = join(root, name);
        mkdirSync(folder);
        files.forEach((file) => writeFileSync(join(folder, file), ''));
        return { folder: vscode.Uri.file(folder), remotes: urls.flatMap((url) => parseRemoteUrl(url) ?? []) };
      }),
    };
    const all = hosts.map((host) => sampleAccount('ada', `https://${host}`));
    let remoteHost: string | undefined;
    const signIn = {
      run: async (host: string | undefined) => {
        remoteHost = host;
        return undefined;
      },
    };
    const commands = new AccountCommands(
      { all } as unknown as AccountStore,
      {} as AccountInUse,
      remotes as unknown as WorkspaceRemotes,
      signIn as unknown as SignIn,
      async () => undefined,
    );
    await commands.signIn();
    return remoteHost;
  }

  it('is that of a remote, whatever it is called, by its name behind an alias and with its port', async () => {
    assert.equal(await mentioned({ a: { remotes: ['git@work:group/project.git'] } }), 'code.example.com');
    assert.equal(await mentioned({ b: { remotes: ['https://git.example.com:8443/a/b'] } }), 'git.example.com:8443');
  });

  it('is none of another service, and none with an account', async () => {
    const others = ['git@github.com:a/b.git', 'https://ada@bitbucket.org/a/b', 'git@ssh.dev.azure.com:v3/a/b/c'];
    assert.equal(await mentioned({ a: { remotes: others } }), undefined);
    const codeCommit = 'https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/b';
    assert.equal(await mentioned({ b: { remotes: [codeCommit] } }), undefined);
    assert.equal(await mentioned({ c: { remotes: ['https://code.example.com/a/b'] } }, 'code.example.com'), undefined);
    assert.equal(await mentioned({ d: { remotes: ['https://github.com.example/a/b'] } }), 'github.com.example');
  });

  it('is rather one that is called GitLab, or whose repository has files for it', async () => {
    const plain = { remotes: ['https://one.example/a/b'] };
    const pipeline = { remotes: ['https://two.example/a/b'], files: ['.gitlab-ci.yml'] };
    const named = { remotes: ['https://gitlab.three.example/a/b'] };
    assert.equal(await mentioned({ a: plain, b: pipeline }), 'two.example');
    assert.equal(await mentioned({ c: plain, d: pipeline, e: named }), 'gitlab.three.example');
  });
});
