import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { sampleEvent, sampleToken, sampleUser } from '../support/clientSamples.ts';
import { type HostileServer, sendJson, startHostileServer } from '../support/hostileServer.ts';
import { answerSignIn } from '../support/signIn.ts';
import { keepPictureOfFailure, runCommand, Workbench } from '../support/workbench.ts';

describe('the border to a hostile instance', () => {
  let workbench: Workbench;
  let server: HostileServer;
  let page: Page;
  /** What `/events` answers with: records, or a packed body as it is. */
  let feed: readonly object[] | Uint8Array = [];

  const git = async (...args: readonly string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Rosa', '-c', 'user.email=rosa@example.com'];
    const { stdout } = await promisify(execFile)('git', [...identity, ...args], {
      cwd: workbench.folder,
    });
    return stdout.trim();
  };
  const push = (id: number, commits: object) => ({
    ...{ id, action_name: 'pushed to', target_type: null, author: sampleUser, created_at: new Date().toISOString() },
    push_data: {
      commit_count: 2,
      action: 'pushed',
      ref_type: 'branch',
      ref: 'main',
      commit_title: 'Fix it',
      ...commits,
    },
  });
  const row = (name: string): Locator => page.getByRole('treeitem', { name }).first();

  before(async () => {
    server = await startHostileServer(({ url, headers }, response) => {
      const path = url.pathname.replace('/api/v4', '');
      if (headers['private-token'] === undefined) {
        sendJson(response, { message: '401 Unauthorized' }, { status: 401 });
      } else if (path === '/user') {
        sendJson(response, sampleUser);
      } else if (path === '/personal_access_tokens/self') {
        sendJson(response, { id: 1, name: 'x', scopes: ['api'], user_id: 25, active: true });
      } else if (path === '/events' && feed instanceof Uint8Array) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(feed);
      } else if (path === '/events') {
        sendJson(response, feed);
      } else {
        sendJson(response, { message: '404 Not Found' }, { status: 404 });
      }
    });
    workbench = await Workbench.start({
      settings: { 'beacon.activity.pollingInterval': 0 },
      files: { 'one.txt': 'one' },
    });
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-q', '-m', 'Add one');
    page = await workbench.open();
    feed = [sampleEvent(1)];
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, server.origin, sampleToken);
    await countShownEvents(page, 1);
  });
  after(async () => {
    await workbench.stop();
    await server[Symbol.asyncDispose]();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  async function show(events: readonly object[]): Promise<void> {
    feed = events;
    await runCommand(page, 'Beacon: Refresh Activity');
  }

  /** Points at a row until its tooltip is there: one that was drawn again meanwhile waits for the pointer to come back. */
  async function pointAt(target: Locator, tooltip: RegExp): Promise<void> {
    const text = page.locator('.monaco-hover').getByText(tooltip);
    for (let tries = 1; ; tries += 1) {
      await page.getByRole('tab', { name: 'Explorer' }).hover();
      await target.hover();
      try {
        return await text.waitFor({ timeout: 5000 });
      } catch (error) {
        if (tries === 6) {
          throw error;
        }
      }
    }
  }

  it('writes no file when hovering over its pushes, and shows the commits of a real one', async () => {
    const victim = join(workbench.folder, 'victim');
    const head = await git('rev-parse', 'HEAD');
    await show([
      push(12, { commit_to: head, commit_from: null, commit_title: 'Of the instance', commit_count: 5 }),
      push(11, { commit_to: `--output=${victim}`, commit_from: `--output=${victim}` }),
    ]);
    // What stands there is known from the repository alone: the Git extension is at work.
    await pointAt(row('Pushed 5 commits'), /Add\sone/);
    await pointAt(row('Pushed 2 commits'), /Fix\sit/);
    assert.equal(existsSync(victim), false);
    await row('Pushed 2 commits').click({ button: 'right' });
    assert.equal(await page.getByRole('menuitem', { name: 'Show Changes' }).count(), 0, 'there is nothing to show');
    await page.keyboard.press('Escape');
  });

  it('shows all of its events, whatever their dates are', async () => {
    const dates = ['0001-01-01T00:00:00Z', '0999-12-31T00:00:00Z', '12026-01-01T00:00:00Z', 'never', null, 7];
    await show([
      ...dates.map((created_at, index) => ({ ...sampleEvent(30 + index), created_at })),
      sampleEvent(21),
      { ...sampleEvent(20), created_at: '9999-12-31T23:59:59Z' },
    ]);
    await countShownEvents(page, dates.length + 2);
    assert.equal(await page.getByText('Event in an unknown format').count(), 0);
  });

  const bombs = {
    'of 21 million records': () => Buffer.concat([Buffer.from('[{}'), Buffer.alloc(63e6, ',{}'), Buffer.from(']')]),
    'of 60 million levels': () => Buffer.alloc(60e6, '['),
  };
  const bomb = (text: () => Buffer): Buffer => {
    const packed = gzipSync(text());
    assert.ok(packed.length < 100_000);
    return packed;
  };
  for (const [name, text] of Object.entries(bombs)) {
    it(`shows what is wrong when a small answer of it unpacks to one ${name}, and continues`, async () => {
      // Nothing is under way from before: a refresh that is shares its answer.
      feed = bomb(text);
      await runCommand(page, 'Beacon: Refresh Activity');
      await row('Try Again').waitFor();
      feed = [sampleEvent(1), sampleEvent(2)];
      await row('Try Again').click();
      await row('Try Again').waitFor({ state: 'hidden' });
      await countShownEvents(page, 2);
    });
  }
});
