import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Account, type InstanceAccount, sandboxAccount } from '../../src/accounts/account.ts';
import { interruptedBySignOut } from '../../src/accountServices.ts';
import { AccountCommands } from '../../src/accounts/accountCommands.ts';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { accountChoices } from '../../src/accounts/dialogs.ts';
import type { SignIn } from '../../src/accounts/signIn.ts';
import { parseRemoteUrl } from '../../src/workspace/remoteUrl.ts';
import type { WorkspaceRemotes } from '../../src/workspace/remotes.ts';
import { sampleAccount, withoutChangingTokens } from '../support/accountSamples.ts';
import { AnsweredPick, replaced } from '../support/answeredInputs.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

const [ada, bob] = [sampleAccount('ada', 'https://one.example'), sampleAccount('bob', 'https://two.example')];

/** The commands of a window with accounts, where the user chooses a line of the list that opens, and agrees to the question. */
async function accountWindow(
  accounts: readonly InstanceAccount[],
  inUse: Account,
  answer?: string,
  signsIn?: InstanceAccount,
  interrupted: readonly string[] = [],
) {
  const store = new AccountStore(new MemoryMemento(), new MemorySecrets(), withoutChangingTokens);
  for (const account of accounts) {
    await store.save(account, 'token');
  }
  const mementos = { global: new MemoryMemento(), workspace: new MemoryMemento() };
  const used = new AccountInUse(store, new WindowRemotes(), mementos);
  await used.use(inUse);
  const lists: string[] = [];
  const pick = new AnsweredPick(answer === undefined ? [] : [answer], lists);
  const messages: string[] = [];
  const questions: string[] = [];
  const signIns: unknown[] = [];
  const createdOn: string[] = [];
  const accountCommands = new AccountCommands(
    store,
    used,
    { repositories: [] } as unknown as WorkspaceRemotes,
    {
      run: async (_host: unknown, url: unknown) => {
        signIns.push(url);
        return signsIn;
      },
      offerProject: () => undefined,
      renew: async (account: InstanceAccount) => account,
      openTokenPage: ({ instanceUrl }: InstanceAccount) => void createdOn.push(instanceUrl),
    } as unknown as SignIn,
    async () => undefined,
    async () => interrupted,
  );
  return {
    ...{ store, used, pick, lists, messages, questions, signIns, createdOn },
    remove: (id: string) => accountCommands.remove(id),
    run: async (command: () => Promise<unknown>) => {
      const ui = replaced({
        createQuickPick: () => pick,
        showInformationMessage: async (message: string, button?: string) => {
          messages.push(message);
          return button === answer ? answer : undefined;
        },
        setStatusBarMessage: (message: string) => void messages.push(message),
        showWarningMessage: async (question: string, { detail }: vscode.MessageOptions, verb: string) => {
          questions.push(`${question} ${detail}`);
          return answer === undefined ? undefined : verb;
        },
      });
      try {
        await command();
      } finally {
        ui.dispose();
      }
    },
    commands: accountCommands.commands,
  };
}

describe('the command that switches the account', () => {
  it('asks for nothing but a sign-in where there is no account to switch to', async () => {
    const { run, commands, signIns } = await accountWindow([], sandboxAccount);
    await run(commands['beacon.switchAccount']);
    assert.deepEqual(signIns, [undefined]);
  });

  it('takes the account that it is given, if there is such a one', async () => {
    const { run, commands, lists, used } = await accountWindow([ada, bob], bob);
    await run(() => commands['beacon.switchAccount'](ada.id));
    assert.deepEqual([used.account, lists], [ada, []]);
    await run(() => commands['beacon.switchAccount']('nobody@one.example'));
    assert.equal(lists.length, 1);
  });

  it('lists the account in use first, and begins with another one', async () => {
    const { run, commands, lists, pick } = await accountWindow([ada, bob], bob);
    await run(commands['beacon.switchAccount']);
    assert.deepEqual(lists, ['Switch Account | bob@two.example | ada@one.example | Sign In to Another Account…']);
    assert.deepEqual(
      pick.items.map(({ detail }) => detail),
      ['In use in this window', '', undefined],
    );
    assert.deepEqual(pick.activeItems, [pick.items[1]]);
  });
});

describe('the lines of accounts', () => {
  it('say whose token reads the feed alone or changes nothing, and whose has expired', () => {
    const accounts = [
      ada,
      { ...ada, scopes: ['read_user'] },
      { ...ada, expiresAt: '2001-01-01' },
      { ...ada, scopes: ['read_user'], expiresAt: '2001-01-01' },
      { ...ada, scopes: ['read_api'], expiresAt: '9999-01-01' },
    ];
    assert.deepEqual(
      accountChoices(accounts, undefined).map(({ description }) => description),
      ['', 'feeds only', 'token expired', 'feeds only · token expired', 'read only'],
    );
  });
});

describe('the command that signs out', () => {
  it('begins with the account in use, and says whose data the window shows afterwards', async () => {
    const { run, commands, lists, store, messages } = await accountWindow([ada, bob], bob, bob.id);
    await run(commands['beacon.signOut']);
    assert.deepEqual(lists, ['Sign Out | bob@two.example | ada@one.example']);
    assert.deepEqual(store.all, [ada]);
    assert.deepEqual(messages, ['Signed out of bob@two.example. This window works as ada@one.example.']);
  });

  it('says which account it was, and with which one the window goes on if there is one', async () => {
    const two = await accountWindow([ada, bob], bob, ada.id);
    await two.run(two.commands['beacon.signOut']);
    assert.deepEqual(two.messages, ['Signed out of ada@one.example. This window works as bob@two.example.']);
    const one = await accountWindow([ada], ada, 'Sign Out');
    await one.run(one.commands['beacon.signOut']);
    assert.deepEqual([one.lists, one.store.all, one.messages], [[], [], ['Signed out of ada@one.example']]);
  });

  it('asks before it signs out of an account, chosen or the only one, and says what becomes of the token', async () => {
    for (const [tokenSource, ofToken] of [
      [undefined, /^Sign out of ada@one\.example\? .* The token stays valid on one\.example: keep it for/],
      [
        { kind: 'oauth' },
        /\? Beacon removes its copies of the token and the events\. Pins, .* stay for the next sign-in\.$/,
      ],
    ] as const) {
      const { run, commands, questions, store, messages } = await accountWindow([{ ...ada, tokenSource }], ada);
      await run(commands['beacon.signOut']);
      assert.equal(questions.length, 1);
      assert.match(questions[0] ?? '', ofToken);
      assert.deepEqual([store.all.length, messages], [1, []]);
    }
    const { run, commands, questions } = await accountWindow([ada, bob], bob, ada.id);
    await run(commands['beacon.signOut']);
    assert.match(questions.join(), /^Sign out of ada@one\.example\? Beacon removes/);
  });

  it('says what a sign-out interrupts', async () => {
    const { run, commands, questions } = await accountWindow([ada], ada, undefined, undefined, ['One.', 'Two.']);
    await run(commands['beacon.signOut']);
    assert.match(questions.join(), /\n\nOne\.\n\nTwo\.$/);
  });

  it('interrupts drafts and timed profiles of the account alone', async () => {
    const deps = {
      hasDrafts: async (id: string) => id === ada.id,
      hasTimedProfiles: async (id: string) => id === ada.id,
    };
    assert.deepEqual(await interruptedBySignOut(ada.id, deps), [
      'Unsaved notification settings are kept for your next sign-in to this account.',
      'Notification profiles that hold for a while do not end before you sign in to this account again.',
    ]);
    assert.deepEqual(await interruptedBySignOut(bob.id, deps), []);
  });

  it('says the same after a sign-out by the Accounts menu of the editor, which has asked', async () => {
    const { run, remove, questions, store, messages } = await accountWindow([ada, bob], bob);
    await run(() => remove(bob.id));
    assert.deepEqual([store.all, questions], [[ada], []]);
    assert.deepEqual(messages, ['Signed out of bob@two.example. This window works as ada@one.example.']);
  });

  it('leaves the sandbox for the account that is there, after the same question', async () => {
    const { run, commands, messages, questions, used } = await accountWindow([ada], sandboxAccount, 'Sign Out');
    await run(commands['beacon.signOut']);
    assert.deepEqual(used.account, ada);
    assert.match(questions.join(), /^Sign out of marta@sandbox\? You can try the sandbox again/);
    assert.deepEqual(messages, ['Signed out of marta@sandbox. This window works as ada@one.example.']);
  });
});

describe('the command that signs in', () => {
  it('begins with the instance of the account that is meant, whichever is in use', async () => {
    const { run, commands, signIns } = await accountWindow([ada], ada);
    const ids = [
      'bo@two.example/path',
      'bo@http://two.example',
      'bo@127.0.0.1:3101',
      'sandbox',
      { id: 1 },
      { url: 'u' },
    ];
    for (const id of ids) {
      await run(() => commands['beacon.signIn'](id));
    }
    const instances = ['https://two.example/path', 'http://two.example', 'http://127.0.0.1:3101'];
    const given = instances.map((url, index) => ({ url, account: { id: ids[index], username: 'bo' } }));
    assert.deepEqual(signIns, [...given, undefined, undefined, { url: 'u' }]);
  });

  it('says what the scope of the token leaves out', async () => {
    const signedIn = 'Signed in as ada@one.example';
    for (const [scopes, ...sentences] of [
      [['api']],
      [
        ['read_api'],
        'ada@one.example: A token with the token scope read_api may read but change nothing; changes need api.',
      ],
      [
        ['read_user'],
        'ada@one.example: This token is enough for feeds only: all else needs the token scope read_api or api.',
      ],
    ] as const) {
      const account = { ...ada, scopes };
      const { run, commands, messages } = await accountWindow([account], account, undefined, account);
      await run(commands['beacon.signIn']);
      assert.deepEqual(messages, [signedIn, ...sentences]);
    }
  });
});

describe('the command that renews a token', () => {
  it('says whose token was renewed, and the scope that it has now', async () => {
    const { run, commands, messages } = await accountWindow([ada], ada);
    await run(commands['beacon.renewToken']);
    assert.deepEqual(messages, ['Token renewed: api · ada@one.example']);
  });

  it('says that the new token lacks the same, and opens the page that creates a better one', async () => {
    const account = { ...ada, scopes: ['read_api'] };
    const { run, commands, messages, createdOn } = await accountWindow(
      [account],
      account,
      'Create Token on one.example',
    );
    await run(commands['beacon.renewToken']);
    assert.deepEqual(messages, [
      'Token renewed: read_api · ada@one.example',
      'ada@one.example: A token with the token scope read_api may read but change nothing; changes need api.',
    ]);
    assert.deepEqual(createdOn, ['https://one.example']);
  });

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
      async () => [],
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
      async () => [],
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
