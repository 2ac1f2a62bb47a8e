import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account, InstanceAccount } from '../../src/accounts/account.ts';
import { type Client, createClient } from '../../src/api/client.ts';
import { type LinkedPlace, LinkHandler } from '../../src/links/linkHandler.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { sampleAccount } from '../support/accountSamples.ts';

describe('links to the editor', () => {
  let sandbox: Sandbox;
  let client: Client;
  let log: vscode.LogOutputChannel;
  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    client = createClient({ instanceUrl: sandbox.url, token: sandbox.tokens.owner });
    log = vscode.window.createOutputChannel('Beacon test', { log: true });
  });
  after(async () => {
    log.dispose();
    await client.close();
    await sandbox.close();
  });

  /** A window with accounts, and what a link makes of it. */
  function window({ accounts = [] as InstanceAccount[], agrees = true, tracked = false } = {}) {
    const seen = {
      asked: [] as string[],
      messages: [] as string[],
      shown: [] as unknown[],
      signedInTo: [] as string[],
      answers: [] as string[],
    };
    let account: Account | undefined = accounts.at(-1);
    const show =
      (what: string) =>
      async (place: LinkedPlace): Promise<void> =>
        void seen.shown.push([what, place.path]);
    const handler = new LinkHandler({
      accounts: { all: accounts },
      accountInUse: {
        get account() {
          return account;
        },
        use: async (used) => {
          account = used;
        },
      },
      connections: { of: async (id) => ({ account: accounts[0] ?? sample(id), instanceUrl: sandbox.url, client }) },
      signIn: async (url) => {
        seen.signedInTo.push(url);
        return sampleAccount('marta', sandbox.url);
      },
      answerSignIn: async ({ path, query }) => void seen.answers.push(`${path} ${query}`),
      dialogs: {
        confirm: async ({ question, detail, verb }) => {
          seen.asked.push(`${question} ${[detail].flat(2).join(' ')} [${verb}]`);
          return agrees;
        },
        choose: async (_, __, all) => all[0]?.value,
        notify: (_, sentence) => void seen.messages.push(sentence),
      },
      destinations: {
        showActivity: show('activity'),
        tracksErrors: async () => tracked,
        showErrorTracking: show('errorTracking'),
        showNotificationSettings: async (_, place) => void seen.shown.push(['notificationSettings', place?.path]),
      },
      log,
    });
    return { ...seen, handler, inUse: () => account?.id };
  }

  const sample = (id: string): InstanceAccount => sampleAccount(id, sandbox.url);
  const link = (path: string, instanceUrl = sandbox.url, rest = '&project=harbor/tide-table'): vscode.Uri =>
    vscode.Uri.from({
      scheme: 'vscode',
      authority: 'beacon-gitlab.beacon-gitlab',
      path,
      query: `instance=${encodeURIComponent(instanceUrl)}${rest}`,
    });

  it('open a feed, error tracking and notification settings of the account in use', async () => {
    const { handler, shown, asked, messages } = window({ accounts: [sample('marta')], tracked: true });
    await handler.handleUri(link('/activity'));
    await handler.handleUri(link('/error-tracking'));
    await handler.handleUri(link('/notification-settings'));
    await handler.handleUri(link('/notification-settings', sandbox.url, '&group=harbor'));
    await handler.handleUri(link('/notification-settings', sandbox.url, ''));
    assert.deepEqual(shown, [
      ['activity', 'harbor/tide-table'],
      ['errorTracking', 'harbor/tide-table'],
      ['notificationSettings', 'harbor/tide-table'],
      ['notificationSettings', 'harbor'],
      ['notificationSettings', undefined],
    ]);
    assert.deepEqual([asked, messages], [[], []]);
  });

  it('ask before they pin a project', async () => {
    const refusing = window({ accounts: [sample('marta')], agrees: false });
    await refusing.handler.handleUri(link('/error-tracking'));
    assert.match(refusing.asked[0] ?? '', /harbor\/tide-table.*will be pinned.*\[Pin\]/);
    assert.deepEqual(refusing.shown, []);
    const agreeing = window({ accounts: [sample('marta')] });
    await agreeing.handler.handleUri(link('/error-tracking'));
    assert.deepEqual(agreeing.shown, [['errorTracking', 'harbor/tide-table']]);
  });

  it('ask before they sign in, and then sign in to the instance that they name', async () => {
    const refusing = window({ agrees: false });
    await refusing.handler.handleUri(link('/activity', 'https://gitlab.example.org'));
    assert.match(refusing.asked[0] ?? '', /gitlab\.example\.org, where you are not signed in.*only if you know/);
    assert.deepEqual([refusing.signedInTo, refusing.shown], [[], []]);
    const agreeing = window();
    await agreeing.handler.handleUri(link('/activity'));
    assert.deepEqual(agreeing.signedInTo, [sandbox.url]);
    assert.deepEqual(agreeing.shown, [['activity', 'harbor/tide-table']]);
  });

  it('show nothing of another instance than they name', async () => {
    const { handler, shown, messages } = window();
    await handler.handleUri(link('/activity', 'https://gitlab.example.org'));
    assert.match(messages[0] ?? '', /another instance than gitlab\.example\.org/);
    assert.deepEqual(shown, []);
  });

  it('ask before they switch the account of the window', async () => {
    const accounts = [sample('marta'), sampleAccount('ada', 'https://gitlab.example.org')];
    const refusing = window({ accounts, agrees: false });
    await refusing.handler.handleUri(link('/activity'));
    assert.match(refusing.asked[0] ?? '', /\[Switch Account\]/);
    assert.equal(refusing.inUse(), accounts[1]?.id);
    const agreeing = window({ accounts });
    await agreeing.handler.handleUri(link('/activity'));
    assert.equal(agreeing.inUse(), accounts[0]?.id);
    assert.deepEqual(agreeing.shown, [['activity', 'harbor/tide-table']]);
  });

  it('bring the answer of the browser to the sign-in that waits for it', async () => {
    const { handler, answers, messages, asked } = window();
    const answer = 'code=a%2Bb&state=c';
    const paths = ['/signed-in', '/signed-in/gitlab.example.com~3a8443'];
    for (const path of paths) {
      await handler.handleUri(vscode.Uri.parse(`vscode://beacon-gitlab.beacon-gitlab${path}?${answer}`));
    }
    assert.deepEqual(
      answers,
      paths.map((path) => `${path} ${decodeURIComponent(answer)}`),
    );
    assert.deepEqual([messages, asked], [[], []]);
    await handler.handleUri(vscode.Uri.parse(`vscode://beacon-gitlab.beacon-gitlab/signed-inn?${answer}`));
    assert.match(messages[0] ?? '', /cannot be opened/);
  });

  it('say so when they lead nowhere, or to what is not there', async () => {
    const { handler, messages, shown } = window({ accounts: [sample('marta')] });
    await handler.handleUri(link('/activity', sandbox.url, '&project=harbor/tide-table&token=x'));
    assert.match(messages[0] ?? '', /cannot be opened/);
    await handler.handleUri(link('/activity', sandbox.url, '&project=harbor/nowhere'));
    assert.match(messages[1] ?? '', /^Not found on /);
    assert.deepEqual(shown, []);
  });
});
