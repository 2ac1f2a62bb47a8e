import assert from 'node:assert/strict';
import { type Rule, withRecords } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';
import {
  keysPath,
  type KeyRecord,
  openProject,
  openTracking,
  pin,
  shortName,
  trackedProject,
  trackingView as view,
} from './trackingWindow.ts';

const settingsPath = `/projects/${trackedProject.id}/error_tracking/settings`;

describe('the view of error tracking', () => {
  let window: TestWindow;
  let key: KeyRecord;
  let inactive: KeyRecord;
  beforeEach(async () => ([window, key, inactive] = await openTracking()));
  afterEach(() => window.dispose());

  /** Reads the view again where the instance gives another answer. */
  async function refreshWhere(path: string, answer: Rule['answer']): Promise<void> {
    window.sandbox.control.transform({ path, method: 'GET', answer });
    await window.run('beacon.errorTracking.refresh');
  }

  async function rows(): Promise<readonly string[]> {
    return await window.rows(view);
  }

  /** The account that the row of the project names. */
  function accountOf(): string {
    return `marta@${window.sandbox.url.replace('http://', '')}`;
  }

  it('says what a project is, its level, its settings and keys, and where its errors are', async () => {
    await openProject(window, trackedProject.path);
    await window.until(async () => (await rows())[0] === 'harbor/tide-table this workspace · e-mails: Global');
    await window.until(async () => (await rows())[2]?.includes('DSN in no file'));
    assert.deepEqual((await rows()).slice(1), [
      '  Integrated error tracking enabled',
      `  ${shortName(key)} DSN in no file`,
      `  ${shortName(inactive)} inactive · DSN in no file`,
      '  Open Errors in Browser',
    ]);
    const project = await window.row(view, 'harbor/tide-table');
    assert.match(project.accessibleName ?? '', /^Project harbor\/tide-table, this workspace, e-mails: Global$/);
    assert.match((await window.row(view, 'Open Errors in Browser')).tooltip, /no errors: they are in the browser/);
    await window.click(view, 'Open Errors in Browser');
    assert.deepEqual(window.opened, [`${window.sandbox.url}/harbor/tide-table/-/error_tracking`]);
  });

  it('shows keys where what is left of state is odd, which keeps nobody from signing in', async () => {
    const odd = [{ toString: 1, valueOf: 1 }, null, 7, 'odd'];
    const left = { instances: [...odd, 'https://gitlab.example.com'], 'errorTracking.replacedKeys': odd };
    const [other] = await openTracking({ left });
    await other.dispose();
  });

  it('offers in the palette and in editors what applies', async () => {
    const inEditor = (): boolean => window.contextKeys.get('beacon.errorTracking.hasActiveKey') === true;
    const inPalette = (): boolean => window.palette().includes('Set Up Error Tracking…');
    assert.ok(inEditor() && !inPalette());
    window.answer('Disable error tracking', 'Disable');
    await window.choose(view, /^Integrated/, 'Disable Error Tracking…');
    assert.ok(inPalette());
    await window.choose(view, 'harbor/tide-table', 'Unpin Project');
    await window.until(() => !inEditor() && !inPalette());
  });

  it('shows no project for the wiki of a group, and that of the wiki of a project', async () => {
    const { url } = window.sandbox;
    for (const [path, expected] of [
      ['harbor/group', []],
      ['harbor/berth-planner', ['harbor/berth-planner this workspace · e-mails: Global']],
    ] as const) {
      window.repositories.open({ folder: window.path(path), remotes: { origin: `${url}/${path}.wiki.git` } });
      await window.until(() => window.requests.some((one) => one.path === `/projects/${encodeURIComponent(path)}`));
      const ofWorkspace = async () => (await rows()).filter((row) => /^\S+ this workspace/.test(row));
      await window.until(async () => (await ofWorkspace()).join() === expected.join());
    }
  });

  it('says another level as soon as it is changed here', async () => {
    window.answer('E-Mail Notifications', 'Watch');
    await window.run('beacon.notifications.change', { project: { accountId: accountOf(), idOrPath: 501 } });
    await window.until(async () => (await rows())[0] === 'harbor/tide-table e-mails: Watch');
  });

  it('says of a folder in which nothing can be searched that it cannot be, once there is a project', async () => {
    await window.dispose();
    window = await TestWindow.open({ signedInAs: 'owner', hasFolder: 'virtual' });
    const message = async () => (await window.view(view)).message ?? '';
    assert.deepEqual(await rows(), []);
    await window.run('beacon.errorTracking.refresh');
    assert.equal(await message(), '', 'with a message the editor shows no welcome');
    await pin(window, trackedProject.path);
    await window.until(async () => /Not all files of this workspace can be searched/.test(await message()));
  });

  it('pins and unpins projects', async () => {
    await pin(window, 'harbor/berth-planner');
    await window.until(async () => (await rows()).some((row) => row.startsWith('harbor/berth-planner')));
    await window.choose(view, 'harbor/tide-table', 'Unpin Project');
    await window.choose(view, 'harbor/berth-planner', 'Unpin Project');
    assert.match(await window.welcome(view), /Pin Project/);
  });

  it('says what a token cannot do, and a role', async () => {
    await window.dispose();
    window = await TestWindow.open({});
    const { control, url, tokens } = window.sandbox;
    for (const [token, label] of [
      [control.makeToken('marta', { scopes: ['read_api'] }), 'Read Only'],
      [control.makeToken('lucia'), 'Maintainer or Owner needed'],
    ] as const) {
      await window.signIn('owner', { url, tokens: { ...tokens, owner: token } });
      await pin(window, 'harbor/tide-table');
      await window.row(view, label);
    }
    await window.row(view, 'Accounts…');
    await window.click(view, 'Open Project Members');
    await window.until(() => window.opened[0]?.includes('/harbor/tide-table/-/project_members'));
  });

  it('says what failed and tries again, with what was known before', async () => {
    await refreshWhere('/projects/*', 503);
    await window.row(view, 'Try Again');
    assert.match((await window.view(view)).message ?? '', /^127\.0\.0\.1:\d+ has an internal error/);
    assert.ok((await rows()).some((row) => row.includes('glet_')));
    window.sandbox.control.transform();
    await window.click(view, 'Try Again');
    await window.until(async () => !(await rows()).some((row) => row.includes('Try Again')));
    await refreshWhere('/projects/501', 404);
    await window.row(view, 'Unpin');
  });

  it('follows a project that has moved, whatever address its remote has', async () => {
    await openProject(window, 'harbor/berth-planner');
    window.sandbox.control.moveProject('harbor/berth-planner', 'berths');
    window.sandbox.control.moveProject('harbor/tide-table', 'tides');
    await window.run('beacon.errorTracking.refresh');
    await window.row(view, 'harbor/tides');
    await window.row(view, 'harbor/berths');
  });

  it('shows keys that it can read once each, and counts the others', async () => {
    await refreshWhere(
      keysPath,
      withRecords((record) => ('active' in record && record.active === false ? { id: 'x' } : record)),
    );
    await window.row(view, 'Unreadable client keys: 1');
  });

  describe('with its settings', () => {
    it('disables and enables after a question, and changes nothing that has changed meanwhile', async () => {
      window.answer('Disable error tracking for harbor/tide-table?', ({ text }) => {
        assert.match(text, /Errors that programs send are refused and lost/);
        return 'Disable';
      });
      await window.choose(view, /^Integrated/, 'Disable Error Tracking…');
      await window.message('Integrated error tracking is disabled: errors that programs send are refused.');
      assert.ok((await rows()).includes('  Integrated error tracking disabled'));
      window.answer(/^Enable error tracking[^]*If no client key is active/, async () => {
        await window.elsewhere(settingsPath, { active: true }, 'PATCH');
        return 'Enable';
      });
      await window.choose(view, /^Integrated/, 'Set Up Error Tracking…');
      await window.message('The settings have changed meanwhile, so nothing was sent.');
      const before = window.writes.length;
      await window.run('beacon.errorTracking.setUp', { project: { accountId: accountOf(), idOrPath: 501 } });
      await window.message('Integrated error tracking is enabled: errors are being received.');
      assert.equal(window.writes.length, before);
    });

    it('sets up, and says what is lost where an external tracker is replaced', async () => {
      const external = {
        active: true,
        integrated: false,
        project_name: 'Old',
        tracker_external_url: 'https://t.example/1',
        api_url: 'https://t.example/api/1',
      };
      await refreshWhere(
        settingsPath,
        withRecords(() => external),
      );
      await window.click(view, 'External tracker: Old');
      assert.deepEqual(window.opened, ['https://t.example/1']);
      window.answer('Switch harbor/tide-table to integrated', ({ text }) => {
        assert.match(text, /Current values: Old, https:\/\/t\.example\/1, https:\/\/t\.example\/api\/1/);
        return undefined;
      });
      await window.choose(view, /^External/, 'Set Up Error Tracking…');
      const isSetUp = (): boolean => window.writes.some(({ method }) => method === 'PUT');
      await refreshWhere(settingsPath, async (own) =>
        isSetUp() ? await own() : Response.json({ message: '404 Not Found' }, { status: 404 }),
      );
      window.answer(/^Set up error tracking for harbor\/tide-table\?[^]*The API cannot remove/, 'Set Up');
      await window.click(view, 'Set Up Error Tracking…');
      await window.message('Integrated error tracking is enabled: errors are being received.');
      assert.equal(window.writes.at(-1)?.method, 'PUT');
    });

    it('says that an instance does not offer it, where that refuses', async () => {
      window.sandbox.control.transform({ path: settingsPath, answer: 404 });
      await window.run('beacon.errorTracking.refresh');
      window.answer('Set up error tracking', 'Set Up');
      await window.click(view, 'Set Up Error Tracking…');
      await window.message('This instance does not offer integrated error tracking; its administrators can enable it.');
    });

    it('says what holds where the answer is lost', async () => {
      window.sandbox.control.transform({ path: settingsPath, method: 'PATCH', answer: 503 });
      window.answer('Disable error tracking', 'Disable');
      await window.choose(view, /^Integrated/, 'Disable Error Tracking…');
      await window.message(/\. Integrated error tracking is enabled: errors are being received\.$/);
    });
  });

  describe('with a test error', () => {
    it('posts it to the DSN alone, and says that it was accepted', async () => {
      await window.choose(view, shortName(key), 'Send Test Error');
      await window.message(/accepted the test error \(status 200\)\. .* Client key: glet_.* of harbor\/tide-table\.$/);
      const [received] = window.sandbox.control.received();
      assert.match(JSON.stringify(received), /TestError/);
      assert.ok(!JSON.stringify(received).includes(window.sandbox.tokens.owner));
      assert.equal(window.contextKeys.get('beacon.errorTracking.connected'), true);
    });

    it('says that an inactive key is refused', async () => {
      await window.choose(view, shortName(inactive), 'Send Test Error');
      await window.message(/refuses errors with this client key \(status \d+\)/);
    });

    it('asks before it is sent to another host than that of the instance', async () => {
      const tracker_dsn = 'https://k@elsewhere.example/errortracking/api/v1/projects/1';
      await refreshWhere(
        keysPath,
        withRecords((record) => ({ ...record, tracker_dsn })),
      );
      window.answer('Send a test error to https://elsewhere.example?', undefined);
      await window.choose(view, /^glet_/, 'Send Test Error');
      assert.deepEqual(window.sandbox.control.received(), []);
    });
  });
});
