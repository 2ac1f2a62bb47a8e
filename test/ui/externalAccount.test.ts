import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../scripts/project.ts';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/sandbox.ts';
import { reloadWindow, runCommand, Workbench } from '../support/workbench.ts';

/**
 * Packs a stand-in for GitLab's own extension: it registers the authentication provider `gitlab` with one session.
 *
 * @returns the path of the package.
 */
async function packLender(folder: string, { url }: Sandbox, token: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { engines } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { engines: object };
  const manifest = {
    ...{ name: 'lender', displayName: 'GitLab Stand-In', publisher: 'test', version: '1.0.0', license: 'MIT', engines },
    main: './extension.js',
    activationEvents: ['onAuthenticationRequest:gitlab'],
    contributes: { authentication: [{ id: 'gitlab', label: 'GitLab' }] },
  };
  const account = { id: `${url}|101`, label: `${url} (marta)` };
  const session = { id: account.id, accessToken: token, scopes: ['api', 'read_user'], account };
  const code = `const vscode = require('vscode');
const changed = new vscode.EventEmitter();
exports.activate = ({ subscriptions }) => subscriptions.push(
  vscode.authentication.registerAuthenticationProvider('gitlab', 'GitLab', {
    onDidChangeSessions: changed.event,
    getSessions: async (scopes) =>
      !scopes || scopes.slice().sort().join() === 'api,read_user' ? [${JSON.stringify(session)}] : [],
    createSession: async () => { throw new Error('not here'); },
    removeSession: async () => {},
  }, { supportsMultipleAccounts: true }),
);
`;
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.js'), code);
  await writeFile(join(folder, 'README.md'), '# Stand-in\n');
  await writeFile(join(folder, 'LICENSE'), 'MIT\n');
  const packagePath = join(folder, 'lender.vsix');
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}

describe('an account of the extension of GitLab', () => {
  let sandbox: Sandbox;
  let workbench: Workbench;
  let folder: string;
  let token: string;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    token = sandbox.control.makeToken('marta', { oauth: true });
    folder = await mkdtemp(join(tmpdir(), 'beacon-lender-'));
    workbench = await Workbench.start({ extensions: [await packLender(join(folder, 'lender'), sandbox, token)] });
  });
  after(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true });
    await sandbox.close();
  });

  beforeEach(async () => {
    page = await workbench.open();
  });
  afterEach(async function closeWindow() {
    await workbench.close(page, this.currentTest);
  });

  it('is offered first, used with the consent of the user, and shows the feed; its token is in no file', async () => {
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    const first = page.getByRole('option').first();
    await first
      .filter({ hasText: `${sandbox.url} (marta)` })
      .filter({ hasText: 'from GitLab Stand-In' })
      .click();
    // The editor asks whether Beacon may use the account.
    await page.getByRole('button', { name: 'Allow' }).click();
    await page
      .getByText('Signed in as')
      .filter({ hasText: new URL(sandbox.url).host })
      .waitFor();
    await countShownEvents(page, 1);

    await reloadWindow(page);
    await countShownEvents(page, 1);
    await runCommand(page, 'Beacon: Switch Account');
    await page
      .getByRole('option')
      .filter({ hasText: new URL(sandbox.url).host })
      .first()
      .waitFor();

    // The stand-in itself has the token, and nothing else.
    const files = globSync('data/**/*', { cwd: workbench.profile })
      .map((name) => join(workbench.profile, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
    assert.ok(files.length > 5);
    assert.deepEqual(
      files.filter((path) => contentOf(path).includes(token)),
      [],
    );
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    assert.ok(!kept.includes(token));
  });
});

/** What a file holds; nothing if it has gone since it was found, as files do that are written and then renamed. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  }
}
