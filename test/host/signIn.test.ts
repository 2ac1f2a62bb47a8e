import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account } from '../../src/accounts/account.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import type { CredentialCheck } from '../../src/accounts/credentialCheck.ts';
import * as borrowedTokens from '../../src/accounts/externalTokens.ts';
import type { OAuthSignIn } from '../../src/accounts/oauthSignIn.ts';
import { type GivenPlace, SignIn } from '../../src/accounts/signIn.ts';
import { MissingPermissionError } from '../../src/api/errors.ts';
import {
  createInputBox,
  createQuickPick,
  setStatusBarMessage,
  showModal,
  showQuickPick,
  showWarningMessage,
  withProgress,
} from '../../src/common/inertWindow.ts';
import { sampleAccount, withoutApplications, withoutChangingTokens } from '../support/accountSamples.ts';
import { AnsweredInput, AnsweredPick, replaced } from '../support/answeredInputs.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';

const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;

describe('a sign-in', () => {
  let asked: string[];
  let agrees: boolean;
  let identified: string[];
  let shown: { readonly value: string; readonly prompt: string }[];
  let version: string | undefined;
  let opened: string[];
  let messages: string[];
  let failure: Error | undefined;

  async function signIn(
    answers: (string | null)[],
    remoteHost?: string,
    oauth = withoutApplications,
    inUse?: Account,
    findInstance = async (url: string) => url,
    given?: GivenPlace,
  ): Promise<string | undefined> {
    asked = [];
    identified = [];
    shown = [];
    opened = [];
    messages = [];
    const check = {
      findInstance,
      versionOf: async () => version,
      identify: async (url: string) => {
        identified.push(url);
        if (failure) {
          throw failure;
        }
        return sampleAccount('ada', url);
      },
    } as unknown as CredentialCheck;
    const store = new AccountStore(new MemoryMemento(), new MemorySecrets(), withoutChangingTokens);
    const inputs = replaced({ createInputBox: () => new AnsweredInput(answers, shown) });
    try {
      const flow = new SignIn({
        ...{ store, check, oauth, log },
        agrees: async (question) => {
          asked.push(question);
          return agrees;
        },
        open: async (address) => void opened.push(address),
        inform: async (message) => {
          messages.push(message);
          return undefined;
        },
        externalTokens: { ...borrowedTokens, sessionProviderName: () => undefined },
      });
      const signedIn = (await flow.run(remoteHost, given, inUse))?.id;
      // What a button opens comes after the version is known.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return signedIn;
    } finally {
      inputs.dispose();
      store.dispose();
    }
  }

  it('warns before a token goes to another computer by http, and sends none unless the user agrees', async () => {
    agrees = false;
    assert.equal(await signIn(['http://gitlab.example', 'token']), undefined);
    assert.deepEqual(asked, ['Sign in to http://gitlab.example without encryption?']);
    assert.deepEqual(identified, []);
    assert.match(shown.at(-1)?.prompt ?? '', /No token was sent/);
    agrees = true;
    assert.equal(await signIn(['http://gitlab.example', 'token']), 'ada@http://gitlab.example');
    assert.ok(shown.at(-1)?.prompt.includes('http://gitlab.example'));
  });

  it('warns before the browser is used by http, too, and uses it in no case unless the user agrees', async () => {
    const used: string[] = [];
    const oauth = {
      applicationOf: () => 'an-application',
      inBrowser: async (url: string) => {
        used.push(url);
        return 'elsewhere' as const;
      },
    } as unknown as OAuthSignIn;
    const picks = replaced({ createQuickPick: () => new AnsweredPick(['Authorize in the Browser'], []) });
    try {
      agrees = false;
      assert.equal(await signIn(['http://gitlab.example'], undefined, oauth), undefined);
      assert.deepEqual([asked, used], [['Sign in to http://gitlab.example without encryption?'], []]);
      agrees = true;
      assert.equal(await signIn(['http://gitlab.example'], undefined, oauth), undefined);
      assert.deepEqual(used, ['http://gitlab.example']);
    } finally {
      picks.dispose();
    }
  });

  it('asks nothing more by https, and on this computer', async () => {
    agrees = false;
    assert.equal(await signIn(['https://gitlab.example', 'token']), 'ada@gitlab.example');
    for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'gdk.localhost']) {
      assert.equal(await signIn([`http://${host}`, 'token']), `ada@${host}`);
    }
    assert.deepEqual(asked, []);
  });

  it('asks for the token alone where the URL is known, and for the URL only if it cannot be taken', async () => {
    const given = 'http://gitlab.example';
    const run = (answers: (string | null)[]) =>
      signIn(answers, undefined, withoutApplications, undefined, undefined, { url: given });
    agrees = true;
    assert.equal(await run([null, 'token']), 'ada@http://gitlab.example');
    assert.deepEqual(asked, ['Sign in to http://gitlab.example without encryption?']);
    // Back leads to the URL, which is not taken by itself again.
    assert.equal(await run([null, 'Back', 'https://gitlab.example', 'token']), 'ada@gitlab.example');
    agrees = false;
    assert.equal(await run([null]), undefined);
    assert.deepEqual(
      shown.map(({ value, prompt }) => [value, /No token was sent/.test(prompt)]),
      [
        [given, false],
        [given, true],
      ],
    );
  });

  it('takes the token of the account that is meant alone, until another URL is entered', async () => {
    const given = { url: 'https://gitlab.example', account: { id: 'bo@gitlab.example', username: 'bo' } };
    const run = (answers: (string | null)[]) =>
      signIn(answers, undefined, withoutApplications, undefined, undefined, given);
    assert.equal(await run([null, 'token']), undefined);
    assert.match(shown.at(-1)?.prompt ?? '', /^This is a token of ada\. Enter one of bo/);
    // As where the one that is known cannot be reached.
    assert.equal(await run(['https://other.example', 'token']), 'ada@other.example');
    assert.equal(await run([null, 'Back', 'https://gitlab.example', 'token']), 'ada@gitlab.example');
  });

  for (const [host, of, classic, fineGrained] of [
    ['gitlab.example', '18.8.2', '?name=Beacon+for+GitLab&scopes=api', undefined],
    ['gitlab.example', '18.9.0-ee', '/legacy/new?name=Beacon+for+GitLab&scopes=api', undefined],
    ['gitlab.example', '19.2.1-ee', '/legacy/new?name=Beacon+for+GitLab&scopes=api', '/granular/new'],
    ['gitlab.example', undefined, '?name=Beacon+for+GitLab&scopes=api', '/granular/new'],
    ['gitlab.com', undefined, '/legacy/new?name=Beacon+for+GitLab&scopes=api', '/granular/new'],
  ] as const) {
    it(`opens the page that makes a token at ${host}, version ${of ?? 'unknown'}`, async () => {
      version = of;
      const pages = `https://${host}/-/user_settings/personal_access_tokens`;
      await signIn([`https://${host}`, `Create Token on ${host}`]);
      assert.deepEqual(opened, [pages + classic]);
      const isFilledIn = of !== undefined || host === 'gitlab.com';
      assert.equal(messages.length, isFilledIn ? 0 : 1);
      await signIn([`https://${host}`, `Create Fine-Grained Token on ${host}`]);
      assert.deepEqual(opened, fineGrained === undefined ? [] : [pages + fineGrained]);
      assert.match(
        messages[0] ?? '',
        fineGrained === undefined
          ? /fine-grained tokens come with 18\.10/
          : /Sign-in: User: Read.*Activity: Event: Read.*Error Tracking Client Key: Read, Create, Delete/,
      );
    });
  }

  it('reports that a token without User: Read does not reveal its user', async () => {
    const facts = { method: 'GET', pathTemplate: '/user', instance: 'gitlab.example' };
    failure = new MissingPermissionError(facts, ['User: Read'], 'Access denied: … [User: Read].');
    try {
      assert.equal(await signIn(['https://gitlab.example', 'token']), undefined);
    } finally {
      failure = undefined;
    }
    assert.match(shown.at(-1)?.prompt ?? '', /does not tell whose it is: it needs the permission User: Read/);
  });

  it('looks up no host of the name of a token that is pasted for the URL, and does not keep it', async () => {
    const tried: string[] = [];
    const findInstance = async (url: string): Promise<string> => {
      tried.push(url);
      return url;
    };
    for (const token of ['glpat-x6dRvT9qyzMNwS2KfLh4', ' gloas-x6dRvT9qyzMNwS2KfLh4.01.0w1abc ']) {
      assert.equal(await signIn([token], undefined, withoutApplications, undefined, findInstance), undefined);
      assert.equal(
        shown.at(-1)?.prompt,
        'This is a token; it was not sent. Enter the URL here, the token in the next step.',
      );
    }
    await signIn(
      ['glass-house-of-the-harbor.example', 'token'],
      undefined,
      withoutApplications,
      undefined,
      findInstance,
    );
    assert.deepEqual(tried, ['https://glass-house-of-the-harbor.example']);
  });

  it('mentions where a remote of the workspace leads, and does not fill it in', async () => {
    agrees = false;
    await signIn(['https://gitlab.com', 'token'], 'gitlab.hostile.example');
    assert.equal(shown[0]?.value, '');
    assert.match(shown[0]?.prompt ?? '', /A remote of this workspace leads to gitlab\.hostile\.example\./);
    for (const host of [undefined, 'gitlab.com']) {
      await signIn(['https://gitlab.com', 'token'], host);
      assert.equal(shown[0]?.value, 'https://gitlab.com');
    }
  });

  it('begins with the instance of the account in use, also where a remote leads elsewhere', async () => {
    const inUse = sampleAccount('ada', 'https://gitlab.example');
    for (const host of [undefined, 'gitlab.com', 'gitlab.other.example']) {
      await signIn([], host, withoutApplications, inUse);
      assert.equal(shown[0]?.value, 'https://gitlab.example');
    }
  });
});

describe('the project whose page was entered at a sign-in', () => {
  const isShown = new Set<string>();

  /** What is asked of the instance, offered and shown after a sign-in with an address, whose offer the user takes. */
  async function offered(address: string): Promise<string[]> {
    const steps: string[] = [];
    const done = Promise.withResolvers<void>();
    const check = {
      findInstance: async () => 'https://gitlab.example',
      identify: async (url: string) => sampleAccount('ada', url),
      projectAt: async (page: string, accountId: string) => {
        steps.push(page);
        setImmediate(done.resolve);
        return page.includes('/app') ? { accountId, id: 7, path: 'group/app' } : undefined;
      },
    } as unknown as CredentialCheck;
    const store = new AccountStore(new MemoryMemento(), new MemorySecrets(), withoutChangingTokens);
    const inputs = replaced({ createInputBox: () => new AnsweredInput([address, 'token'], []) });
    const flow = new SignIn({
      ...{ store, check, oauth: withoutApplications, log },
      inform: async (_, ...buttons) => {
        steps.push(...buttons);
        return buttons[0];
      },
      externalTokens: { ...borrowedTokens, sessionProviderName: () => undefined },
      errorTracking: {
        shows: async ({ path }) => isShown.has(path),
        show: async ({ accountId, id, path }) => void steps.push(`${accountId} ${id} ${path}`),
      },
    });
    try {
      const account = await flow.run(undefined);
      assert.ok(account);
      flow.offerProject(account);
      await done.promise;
      return steps;
    } finally {
      inputs.dispose();
      store.dispose();
    }
  }

  it('is offered for the Error Tracking view by one click, unless it is there', async () => {
    const page = 'https://gitlab.example/group/app/-/issues';
    assert.deepEqual(await offered(`${page}?state=opened`), [page, 'Pin group/app', 'ada@gitlab.example 7 group/app']);
    isShown.add('group/app');
    assert.deepEqual(await offered(page), [page]);
    assert.deepEqual(await offered('gitlab.example/explore'), ['https://gitlab.example/explore']);
  });
});

describe('what the editor shows', () => {
  const hostile = '[Renew it now](command:workbench.action.quit) $(alert)\u202e';
  const inert = '[Renew it now]\u2060(command:workbench.action.quit) $\u2060(alert)';

  it('makes no links and icons of text in messages, choices, inputs, progress and the status bar', async () => {
    const texts: unknown[] = [];
    const note = (...args: readonly unknown[]): Promise<unknown> => {
      texts.push(...args);
      return Promise.resolve(args.at(-1));
    };
    const functions = replaced({
      showWarningMessage: note,
      showInformationMessage: note,
      setStatusBarMessage: note,
      showQuickPick: note,
      createQuickPick: () => ({}),
      createInputBox: () => ({}),
      withProgress: async (options: unknown, run: (progress: object, token: object) => Promise<unknown>) => {
        texts.push(options);
        return await run({ report: (step: unknown) => texts.push(step) }, {});
      },
    });
    try {
      assert.equal(await showWarningMessage(hostile, hostile), hostile, 'the button as it was given');
      assert.equal(await showModal('info', hostile, `${hostile}\n${hostile}`, 'OK'), 'OK');
      setStatusBarMessage(hostile, 1);
      const line = { label: hostile, description: hostile, detail: hostile };
      await showQuickPick([line], { title: hostile, placeHolder: hostile });
      await withProgress({ location: vscode.ProgressLocation.Notification, title: hostile }, async (progress) => {
        progress.report({ message: hostile });
      });
      const pick = createQuickPick();
      Object.assign(pick, { title: hostile, placeholder: hostile, items: [{ label: hostile }] });
      const input = createInputBox();
      Object.assign(input, { prompt: hostile, validationMessage: { message: hostile, severity: 3 } });
      texts.push(pick, input);
    } finally {
      functions.dispose();
    }
    const all = JSON.stringify(texts);
    assert.ok(all.includes(JSON.stringify(inert).slice(1, -1)));
    assert.equal(all.match(/Renew it now/g)?.length, 18);
    assert.doesNotMatch(all, /\]\(command:|\$\(alert|\u202e/);
  });
});
