import assert from 'node:assert/strict';
import { withRecords } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';

const view = 'beacon.errorTracking';

describe('the project of a repository', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  /** A window whose instance is called `localhost` and answers that projects are cloned from a host. */
  async function open(remote: string, cloneHost: string): Promise<void> {
    window = await TestWindow.open({ remotes: { origin: remote } });
    const { sandbox } = window;
    sandbox.control.transform({
      path: '/projects/*',
      answer: withRecords((record) => ({
        ...record,
        ssh_url_to_repo: `ssh://git@${cloneHost}:2222/harbor/tide-table.git`,
      })),
    });
    await window.signIn('owner', { tokens: sandbox.tokens, url: sandbox.url.replace('127.0.0.1', 'localhost') });
  }

  it('is found by the address that the instance has for it, where SSH has a host of its own', async () => {
    await open('git@ssh.localhost:harbor/tide-table.git', 'ssh.localhost');
    await window.until(async () => (await window.rows(view)).length > 1);
    assert.match((await window.rows(view))[0] ?? '', /^harbor\/tide-table this workspace/);
  });

  it('is none where the instance has another address for the project with that path', async () => {
    await open('git@ssh.localhost:harbor/tide-table.git', 'other.localhost');
    await window.until(() => window.requests.some(({ path }) => path.startsWith('/projects/harbor%2Ftide-table')));
    assert.deepEqual(await window.rows(view), []);
  });

  it('is asked about at no instance of another domain', async () => {
    await open('git@ssh.company.example:harbor/tide-table.git', 'ssh.company.example');
    assert.deepEqual(await window.rows(view), []);
    assert.ok(!window.requests.some(({ path }) => path.includes('tide-table')));
  });
});
