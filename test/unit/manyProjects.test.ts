import assert from 'node:assert/strict';
import { NotificationPage } from '../support/notificationPage.ts';
import { type Answer, endless } from '../support/sandbox/transforms.ts';
import { TestWindow } from '../support/testWindow.ts';
import type { InsightsState } from './activity/activityWindow.ts';

const perPage = 100;
const most = 10_000;

/** A list of projects in pages, each project in a group of its own. */
const projects: Answer = (_own, { req }) => {
  const url = new URL(req.url);
  const page = Number(url.searchParams.get('page') ?? 1);
  const records = Array.from({ length: perPage }, (_, index) => {
    const id = 1_000_000 + (page - 1) * perPage + index;
    return { id, name: 'p', path_with_namespace: `g${id}/p${id}` };
  });
  url.searchParams.set('page', String(page + 1));
  const link = page * perPage < most ? `<${url.href}>; rel="next"` : '';
  return Response.json(records, { headers: { link } });
};

describe('a member of 10,000 projects', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    window.sandbox.control.transform(
      { path: '/projects', answer: projects },
      { path: '/projects/*/notification_settings', answer: () => Response.json({ level: 'global' }) },
      { path: '/groups/*/notification_settings', answer: () => Response.json({ level: 'watch' }) },
      {
        path: '/groups/g*',
        answer: (_own, { req }) => {
          const name = new URL(req.url).pathname.split('/').at(-1) ?? '';
          return Response.json({ id: Number(name.slice(1)), name, full_path: name });
        },
      },
    );
  });
  afterEach(() => window.dispose());

  it('is asked for by the page of notification settings a hundred at a time, and nothing that was read is read again for more', async () => {
    const page = await NotificationPage.open(window);
    const start = window.requests.length;
    page.send({ type: 'act', action: 'more' });
    await page.until(({ rows, phase }) => phase === 'ready' && rows.length > 4 * perPage);
    const asked = window.requests.slice(start).map(({ path }) => path);
    const ofProjects = asked.filter((path) => /^\/projects\/\d+\/notification_settings$/.test(path));
    assert.equal(ofProjects.length, perPage);
    const lists = asked.filter((path) => path.startsWith('/projects?'));
    assert.ok(lists.every((path) => path.includes('membership=true') && path.includes('archived=false')));
    // Of each project its own settings, its group and the settings of that; the list from its start, and the scope that is open.
    assert.ok(asked.length <= 3 * perPage + 4, `${asked.length} requests`);
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(page.state.rows.find(({ name }) => name === 'g1000000/p1000000')?.level, 'Global');
  });

  it('is told that an estimate of e-mails has an end, where feeds have none', async () => {
    const page = await NotificationPage.open(window, { kind: 'project', path: 'harbor/tide-table' });
    window.sandbox.control.transform({ path: '/projects/*/events', answer: endless() });
    const start = window.requests.length;
    page.send({ type: 'act', action: 'mails' });
    const { mails } = await page.until((state) => state.mails.isShown && !state.mails.isReading);
    assert.match(mails.note, /There are more events: only the first [\d,]+ were read\.$/);
    assert.ok(window.requests.length - start < 510);
  });

  it('is told that insights have an end, where the feed has none', async () => {
    window.sandbox.control.transform({ path: '/events', answer: endless() });
    await window.run('beacon.activity.showInsights');
    const panel = await window.panel('beacon.activityInsights');
    const notes = (): readonly string[] => (panel.posted.at(-1) as InsightsState | undefined)?.notes ?? [];
    await window.until(() =>
      notes().some((note) => note === 'There are more events: only the first 50,000 were read.'),
    );
  });
});
