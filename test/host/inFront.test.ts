import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account } from '../../src/accounts/account.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { diagnose } from '../../src/diagnostics/diagnosis.ts';
import type { CheckResult } from '../../src/diagnostics/finding.ts';
import { AnsweredInput, replaced } from '../support/answeredInputs.ts';
import { SleeplessClock } from '../support/fakeClock.ts';
import { type HostileServer, sendJson, startHostileServer } from '../support/hostileServer.ts';
import { AccountsApp } from '../support/accountsApp.ts';

const token = 'glpat-Sample.Token_0123456789';
const html = { 'content-type': 'text/html' };

/** An answer of what stands in front, and what is said of it. */
const fronts: readonly (readonly [
  name: string,
  status: number,
  headers: Record<string, string>,
  sentence: RegExp,
  isOwn: boolean,
])[] = [
  [
    'a password',
    401,
    { ...html, 'www-authenticate': 'Negotiate, Basic realm="Restricted"' },
    /^A web server or proxy in front of 127\.0\.0\.1:\d+ asks for a password of its own\. The token is not refused: ask /,
    true,
  ],
  ['a page without a challenge', 401, html, /asks for a password of its own/, true],
  [
    'a protection',
    403,
    { ...html, 'cf-mitigated': 'challenge' },
    /^A protection such as Cloudflare in front of 127\.0\.0\.1:\d+ asks for a browser .*: wait a while, or use another network\.$/,
    true,
  ],
  [
    'a page for signing in',
    302,
    { location: '/users/sign_in' },
    /^A page for signing in at 127\.0\.0\.1:\d+ stands in front of 127\.0\.0\.1:\d+\. The token is not refused: ask /,
    true,
  ],
  [
    'a page for signing in elsewhere',
    302,
    { location: 'https://acme.cloudflareaccess.com/cdn-cgi/access/login/gitlab.example.com' },
    /^A page for signing in at https:\/\/acme\.cloudflareaccess\.com stands in front of 127\.0\.0\.1:\d+\. The token is not /,
    false,
  ],
];

describe('what stands in front of an instance', () => {
  let window: AccountsApp;
  let answers: string[];
  let shown: { readonly value: string; readonly prompt: string }[];
  let inputs: vscode.Disposable;
  /** What answers in the place of the instance; undefined for the instance itself. */
  let front: (() => [number, Record<string, string>] | undefined) | undefined;
  let server: HostileServer;

  beforeEach(async () => {
    const clock = new SleeplessClock(Date.now());
    window = new AccountsApp(clock);
    [answers, shown] = [[], []];
    inputs = replaced({ createInputBox: () => new AnsweredInput(answers, shown) });
    front = undefined;
    server = await startHostileServer(({ headers }, response) => {
      const withToken = headers['private-token'] !== undefined || headers.authorization !== undefined;
      const instead = front?.();
      if (instead) {
        response.writeHead(...instead).end('<html></html>');
      } else if (withToken) {
        sendJson(response, { id: 1, username: 'ada', name: 'Ada', scopes: ['api'] });
      } else {
        sendJson(response, { message: '401 Unauthorized' }, { status: 401 });
      }
    });
  });
  afterEach(async () => {
    vscode.Disposable.from(inputs, window).dispose();
    await server[Symbol.asyncDispose]();
  });

  const tokensSeen = (): number =>
    server.requests.filter(({ headers }) => /glpat|Bearer/.test(JSON.stringify(headers))).length;

  for (const [name, status, headers, sentence, isOwn] of fronts) {
    it(`gets no token at a sign-in, and is named: ${name}`, async () => {
      front = () => [status, headers];
      answers.push(`${server.origin}/group/project`, token);
      assert.equal(await window.signIn.run(undefined), undefined);
      assert.match(shown.at(-1)?.prompt ?? '', sentence);
      assert.ok(server.requests.length > 1, 'looked for above the page, too');
      await assert.rejects(window.signIn.with({ instanceUrl: server.origin, token }), (error) =>
        sentence.test(problemOf(error).sentence),
      );
      assert.deepEqual([tokensSeen(), window.store.all], [0, []]);
    });

    it(`gets no token that is entered after it has come: ${name}`, async () => {
      answers.push(server.origin, token);
      let probes = 0;
      // The URL was found to be an instance's; then something was put in front of it.
      front = () => ((probes += 1) > 1 ? [status, headers] : undefined);
      assert.equal(await window.signIn.run(undefined), undefined);
      assert.match(shown.at(-1)?.prompt ?? '', sentence);
      assert.equal(tokensSeen(), 0);
    });

    it(`does not make the token of an account in use count as rejected: ${name}`, async () => {
      const { id } = await window.signIn.with({ instanceUrl: server.origin, token });
      const rejected: Account[] = [];
      window.connections.onDidRejectToken((account) => rejected.push(account));
      const { client } = await window.connections.of(id);
      front = () => [status, headers];
      const error: unknown = await client.directory.currentUser().catch((thrown: unknown) => thrown);
      const problem = problemOf(error, id);
      assert.match(problem.sentence, sentence);
      assert.equal(problem.remedy?.command, 'vscode.open');
      front = undefined;
      assert.equal((await client.directory.currentUser()).username, 'ada');
      assert.deepEqual(rejected, []);
    });

    it(`is what a diagnosis finds, before it sends a token: ${name}`, async () => {
      front = () => [status, headers];
      const findings: CheckResult[] = [];
      const { signal } = new AbortController();
      for await (const finding of diagnose(window.app, { url: server.origin, token: async () => token }, signal)) {
        findings.push(finding);
      }
      const failed = findings.find(({ state }) => state === 'failed');
      assert.equal(failed?.step, 'instance');
      assert.match(failed.sentence, sentence);
      assert.deepEqual(failed.remedies, [{ kind: isOwn ? 'openInstance' : 'otherUrl' }]);
      assert.equal(tokensSeen(), 0);
    });
  }

  it('is passed over on the way from the address of a page to its instance', async () => {
    await server[Symbol.asyncDispose]();
    server = await startHostileServer(({ target }, response) => {
      if (target === '/api/v4/user') {
        sendJson(response, { message: '401 Unauthorized' }, { status: 401 });
      } else {
        response.writeHead(302, { location: 'https://login.example/' }).end();
      }
    });
    answers.push(`${server.origin}/group/project`);
    await window.signIn.run(undefined);
    assert.ok(shown.some(({ prompt }) => prompt.startsWith(`Token for ${server.origin}, with the scope api`)));
  });
});
