import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { launchWithProfile } from '../../scripts/workbench/chromium.ts';
import { activityRows } from '../support/activityView.ts';
import { sampleEvent, sampleUser } from '../support/clientSamples.ts';
import { type Handler, type HostileServer, permit, sendJson } from '../support/hostileServer.ts';
import { startHostileServer } from '../support/hostileServer.ts';
import { typeToken, typeUrl } from '../support/signIn.ts';
import { startWebHost, type WebHost } from './webHost.ts';
import { closeQuickInput, keepPictureOfFailure, questionMessage, runCommand } from '../support/workbench.ts';

const token = 'glpat-Hostile.Token_0123456789';

describe('a hostile instance in VS Code for the Web', () => {
  let profile: string;
  let browser: BrowserContext;
  let host: WebHost;
  let page: Page;
  let instance: HostileServer;
  let foreign: HostileServer;
  /** What the instance answers to requests with the token, and to those that ask whether there may be one. */
  let answer: Handler;
  /** Whether web pages may read that a token is missing. */
  let isOpen = true;

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'beacon-browser-'));
    browser = await launchWithProfile(profile);
    host = await startWebHost({ 'main.js': '' }, { 'workbench.quickOpen.closeOnFocusLost': false });
    page = await browser.newPage();
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto(host.url);
    await page.getByRole('tab', { name: 'Beacon' }).click();
    await page.mouse.move(1150, 400);
    // Would let web pages do anything.
    foreign = await startHostileServer((request, response) => {
      if (!permit(request, response)) {
        sendJson(response, sampleUser);
      }
    });
    instance = await startHostileServer((request, response) => {
      if (request.headers['private-token'] === token || request.headers['access-control-request-method']) {
        answer(request, response);
      } else if (!isOpen || !permit(request, response)) {
        sendJson(response, { message: '401 Unauthorized' }, { status: 401 });
      }
    });
  });
  after(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
    await instance[Symbol.asyncDispose]();
    await foreign[Symbol.asyncDispose]();
    await rm(profile, { recursive: true, force: true });
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  /** Lets web pages read what a handler answers, as the platform does. */
  const readable =
    (handler: Handler): Handler =>
    (request, response) => {
      if (!permit(request, response)) {
        handler(request, response);
      }
    };

  /** What others write: elements, links and pictures of another origin, commands of the editor. */
  const hostileText = (): string =>
    `<img src="${foreign.origin}/image"> ![x](${foreign.origin}/picture) [Open](command:workbench.action.showCommands)`;

  async function beginSignIn(): Promise<void> {
    await runCommand(page, 'Beacon: Sign In');
    await typeUrl(page, instance.origin);
  }

  /** Redirects each request to the same address of the other origin. */
  const redirecting =
    (status: number): Handler =>
    ({ target }, response) =>
      void response.writeHead(status, { location: foreign.origin + target }).end();

  it('is named in a sentence for each thing that it does instead of an answer, and no other origin hears of it', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '));
    const attacks: readonly (readonly [sentence: RegExp, answer: Handler, isOpen?: boolean])[] = [
      [/redirects the request; a browser does not show where to/, readable(redirecting(302))],
      [
        /does not answer like a GitLab instance/,
        readable((_, response) => {
          const html = `<script src="${foreign.origin}/script"></script>${hostileText()}`;
          response.writeHead(200, { 'content-type': 'text/html' }).end(html);
        }),
      ],
      [
        /sends an answer that is too long to be read/,
        readable((_, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
        }),
      ],
      [/answers, but not to web pages \(CORS\)/, (_, response) => sendJson(response, sampleUser), false],
      [/redirects the request/, readable(redirecting(308))],
      [
        /does not answer like a GitLab instance/,
        readable((_, response) => sendJson(response, { ...sampleUser, username: hostileText() })),
      ],
    ];
    await beginSignIn();
    const message = questionMessage(page);
    for (const [sentence, attack, readableWithoutToken = true] of attacks) {
      [answer, isOpen] = [attack, readableWithoutToken];
      await typeToken(page, token);
      await message.getByText(sentence).waitFor();
      assert.equal(await message.locator('a').count(), 0);
    }
    await closeQuickInput(page);
    const [first, ...others] = instance.requests.filter(({ headers }) => headers['private-token'] === token);
    assert.deepEqual([first?.headers['cookie'], first?.headers['referer']], [undefined, undefined]);
    assert.equal(
      others.length + 1,
      attacks.length - 1,
      'each is asked once, and who answers no web page gets no token',
    );
    assert.deepEqual(foreign.requests, []);
  });

  it('shows what others wrote as text, follows its links at its own origin, and takes the token nowhere', async () => {
    const event = { ...sampleEvent(7), target_title: hostileText(), author: { ...sampleUser, name: hostileText() } };
    const note = { ...(sampleEvent(7)['note'] as object), body: hostileText() };
    const records: Readonly<Record<string, unknown>> = {
      '/api/v4/user': { ...sampleUser, avatar_url: `${foreign.origin}/avatar` },
      '/api/v4/personal_access_tokens/self': { id: 1, scopes: ['api'], active: true },
    };
    const serving = readable(({ url }, response) => {
      const isList = url.pathname.endsWith('/events');
      const record = isList ? [{ ...event, note }] : records[url.pathname];
      const isLast = url.searchParams.get('page') === '2';
      const next = `<${foreign.origin}${url.pathname}?page=2>; rel="next"`;
      sendJson(response, record ?? { message: '404 Not found' }, {
        status: record === undefined ? 404 : 200,
        headers: isList && !isLast ? { link: next } : {},
      });
    });
    answer = serving;
    await beginSignIn();
    await typeToken(page, token);
    const row = activityRows(page).and(page.locator('[aria-level="2"]')).first();
    await row.waitFor();
    assert.ok((await row.innerText()).includes('<img'));
    assert.equal(await row.locator('img, a[href]').count(), 0);
    await row.click();
    await page
      .getByRole('tab', { name: /squeaks|img|comment/i })
      .first()
      .waitFor();
    await runCommand(page, 'View: Close Editor');
    await activityRows(page).filter({ hasText: 'Load More' }).click();
    await activityRows(page).filter({ hasText: 'Load More' }).waitFor({ state: 'hidden' });
    assert.ok(instance.requests.some(({ url }) => url.searchParams.get('page') === '2'));

    answer = readable(redirecting(307));
    await runCommand(page, 'Beacon: Refresh Activity');
    await page
      .getByText(/redirects the request; a browser does not show where to/)
      .first()
      .waitFor();
    answer = serving;
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign Out…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await page
      .locator('a')
      .filter({ hasText: /^Try the sandbox$/ })
      .first()
      .waitFor();
    assert.deepEqual(foreign.requests, []);
  });
});
