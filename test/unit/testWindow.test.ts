import assert from 'node:assert/strict';
import { TestWindow } from '../support/testWindow.ts';

const view = 'beacon.activity';

describe('a test window', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  const showsEvents = (shown: TestWindow) => shown.until(async () => (await shown.rows(view)).length > 5);

  it('has the whole extension, which signs in by its own command and shows the feed', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await showsEvents(window);
    assert.match(window.requests.map(({ path }) => path).join('\n'), /^\/user\n.*\/events\?/s);
    const event = await window.row(view, /^#\d/);
    assert.match(event.tooltip, new RegExp(event.description.split(' ')[0] ?? '-'));
    assert.ok(event.menu.includes('Filter > Filter by This Author'), event.menu.join());
    assert.ok(window.menu(view).includes('Summarize Activity…'), window.menu(view).join());
    assert.ok(window.palette().includes('Accounts…'));
  });

  it('keeps what is stored when it opens again, and shares it with another window', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.restart();
    await showsEvents(window);
    const second = await window.second();
    await showsEvents(second);
    window.answer('Sign out', 'Sign Out');
    await window.run('beacon.signOut');
    for (const one of [window, second]) {
      await one.until(async () => (await one.rows(view)).length === 0);
      assert.match(await one.welcome(view), /Sign In/);
    }
  });

  it('fails where nobody answers a question', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await assert.rejects(window.run('beacon.signOut'), /Nobody answered "Sign out of /);
    await assert.rejects(window.run('beacon.activity.selectFeed'), /Nobody answered/);
  });

  it('lets time pass when a test says so', async () => {
    window = await TestWindow.open({ signedInAs: 'owner', time: '2026-05-04T09:00:00Z' });
    await showsEvents(window);
    const events = (): number => window.requests.filter(({ path }) => path.startsWith('/events')).length;
    const before = events();
    await window.advance(600_000);
    assert.ok(events() > before);
  });
});
