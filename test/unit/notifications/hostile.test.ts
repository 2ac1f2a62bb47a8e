import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertInert, rendered } from '../../support/harmless.ts';
import { NotificationPage, type ToPage } from '../../support/notificationPage.ts';
import { hostileText, runs } from '../../support/properties.ts';
import type { Answer } from '../../support/sandbox/transforms.ts';
import { TestWindow } from '../../support/testWindow.ts';
import { reviewOf } from './notificationSettings.ts';

const project = { kind: 'project', path: 'harbor/tide-table' } as const;
const settingsOf = '/projects/harbor%2Ftide-table/notification_settings';

/** Answers with what is made of the sandbox's own answer. */
function changed(change: (body: never) => unknown): Answer {
  return async (own) => {
    const response = await own();
    return Response.json(change((await response.json()) as never), { status: response.status, headers: { link: '' } });
  };
}

describe('notification settings of an instance, a disk or a network that means harm', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
  });
  afterEach(() => window.dispose());

  const accountId = (): string => `marta@${new URL(window.sandbox.url).host}`;

  it('list no project whose path is none, and other text of paths in one line', async () => {
    const paths = ['<b>$(x)</b>/\u202Eevil', 'a/x\ny', 'a/'.repeat(5000), 'x'.repeat(10_000), '../../x'];
    const answer = changed((all: object[]) => all.map((one, index) => ({ ...one, path_with_namespace: paths[index] })));
    window.sandbox.control.transform({ path: '/projects', answer });
    const page = await NotificationPage.open(window);
    assert.deepEqual(
      page.state.rows.map(({ name }) => name),
      ['Global settings', '<b>$(x)</b>/evil'],
    );
  });

  it('show levels and events that nobody knows, and null as unknown, and send nothing of them', async () => {
    const record = {
      level: 'custom',
      events: { new_thing_done: true, new_note: null, constructor: true, '<b>x': true },
    };
    const path = '*/notification_settings';
    window.sandbox.control.transform({ path, method: 'GET', answer: changed(() => record) });
    const page = await NotificationPage.open(window, project);
    assert.equal(page.event('new_thing_done')?.isOn, true);
    assert.equal(page.event('new_note')?.note, 'default: GitLab decides');
    assert.equal(page.event('new_issue')?.note, 'unknown: GitLab does not show it');
    assert.equal(page.event('constructor') ?? page.event('<b>x'), undefined);
    window.sandbox.control.transform({ path, method: 'GET', answer: changed(() => ({ level: 'later_level' })) });
    page.send({ type: 'act', action: 'reload' });
    await page.until(({ rows }) => rows[0]?.level === 'later_level');
    assert.deepEqual(page.state.changes, []);
    for (const email of [undefined, null]) {
      const answer = changed(() => ({ level: 'watch', notification_email: email }));
      window.sandbox.control.transform({ path: '/notification_settings', answer });
      const all = await NotificationPage.open(window, { kind: 'global', accountId: accountId() });
      await all.until(({ form }) => form?.fields?.email?.value === '');
    }
    for (const level of ['<b>x</b>', 'x'.repeat(10_000), '\u202Ex', 5, null]) {
      window.sandbox.control.transform({ path: '/notification_settings', answer: changed(() => ({ level })) });
      page.send({ type: 'act', action: 'reload' });
      await page.until(({ phase }) => phase === 'loading');
      await page.until(({ phase, form }) => phase === 'ready' && form?.problem);
    }
  });

  it('list a group with 5,000 projects as far as the user asks, and read no more', async () => {
    let id = 9000;
    const answer: Answer = (_own, context) => {
      const projects = Array.from({ length: 100 }, () => ({
        id: (id += 1),
        name: 'p',
        path_with_namespace: `big/p${id}`,
      }));
      const next = new URL(context.req.url);
      next.searchParams.set('page', String(id));
      return Response.json(projects, { headers: { link: `<${next.href}>; rel="next"` } });
    };
    window.sandbox.control.transform({ path: '/projects', answer });
    const start = window.requests.length;
    const page = await NotificationPage.open(window);
    assert.equal(page.state.hasMore, true);
    const asked = window.requests.slice(start).length;
    // What the sandbox does not know is asked for once more, as it may have moved.
    assert.ok(asked < 250, String(asked));
    const states = page.panel.posted as readonly ToPage[];
    const partial = states.map(({ rows }) => rows.filter(({ problem }) => problem).length);
    assert.ok(new Set(partial).size > 5, 'rows are shown as they are read');
    assert.ok(states.length < 40, 'not each by itself');
    page.send({ type: 'act', action: 'more' });
    await page.until(({ rows, phase }) => rows.length > 200 && phase === 'ready');
  });

  it('say which scope is refused, and leave the others as they can be read', async () => {
    window.sandbox.control.transform({ path: '/projects/*/notification_settings', answer: 403, times: 1 });
    const page = await NotificationPage.open(window);
    const refused = page.state.rows.filter(({ problem }) => problem);
    assert.equal(refused.length, 1);
    assert.equal(page.state.form?.title, 'Global settings');
    page.send({ type: 'select', keys: refused.map(({ key }) => key) });
    await page.until(({ form }) => form?.problem);
    page.send({ type: 'fix', key: refused[0]?.key });
    await page.until(({ rows, phase }) => phase === 'ready' && rows.every(({ problem }) => !problem));
  });

  it('say in each step that the network is lost, and go on once it is back', async () => {
    const lost = { path: '*', answer: 503 };
    window.sandbox.control.transform(lost);
    await window.run('beacon.notifications.open', {
      kind: 'project',
      accountId: accountId(),
      id: 501,
      path: 'harbor/tide-table',
    });
    const page = new NotificationPage(window);
    await page.until(({ form, phase }) => phase === 'ready' && form?.problem);
    window.sandbox.control.transform();
    page.send({ type: 'fix', key: page.keys[0] });
    await page.until(({ form, phase }) => phase === 'ready' && form?.fields);
    await page.edit({ level: 'mention' });
    window.sandbox.control.transform(lost);
    assert.match(await page.save(), /Project harbor\/tide-table: /);
    page.send({ type: 'act', action: 'reload' });
    await page.until(({ phase }) => phase === 'ready');
    assert.match(page.panel.title, /^● /, 'what was chosen is still there');
    page.send({ type: 'act', action: 'mails' });
    await page.until(({ mails }) => !mails.isReading && mails.note !== '');
    window.sandbox.control.transform();
    page.send({ type: 'act', action: 'reload' });
    await page.until(({ phase, changes }) => phase === 'ready' && changes.length === 1);
    assert.match(await page.save(), /^Saved/);
    window.sandbox.control.transform(lost);
    page.send({ type: 'answer', title: 'Undo' });
    await page.until(({ message }) => message?.actions.includes('Try Again'));
    window.sandbox.control.transform();
    page.send({ type: 'answer', title: 'Try Again' });
    await page.until(({ message }) => message?.sentence.startsWith('Undone'));
  });

  it('keep what is chosen where the user signs out while it is saved', async () => {
    const page = await NotificationPage.open(window, project);
    await page.edit({ level: 'mention' });
    const answer: Answer = async (own) => {
      window.answer('Sign out of', 'Sign Out');
      await window.run('beacon.signOut');
      return await own();
    };
    window.sandbox.control.transform({ path: '*/notification_settings', method: 'GET', answer, times: 1 });
    const { scope } = page.state.kept as { readonly scope: object };
    page.send({ type: 'save', seen: page.state.seen });
    const { text } = await window.message('You are signed out of');
    assert.match(text, /Project harbor\/tide-table: /);
    assert.equal((await window.elsewhere(settingsOf))['level'], 'global');
    assert.deepEqual(window.panels, [], 'the page goes with its account');
    // A message that is still shown may lead to a scope of it.
    await window.run('beacon.notifications.open', scope);
    await window.message('You are signed out of');
    assert.deepEqual(window.panels, []);
  });

  it('are text in the document with what plans would change', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 3 }), hostileText, (paths, text) => {
        const html = rendered(window.within(() => reviewOf(text, paths)));
        assertInert(html);
        assert.equal(html.match(/<h[12]/g)?.length, paths.length + 1);
      }),
      runs(60),
    );
  });
});
