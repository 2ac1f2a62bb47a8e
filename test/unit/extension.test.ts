import assert from 'node:assert/strict';
import { TestWindow } from '../support/testWindow.ts';

describe('a window in which nobody is signed in', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  it('shows the welcome of its views, and its rows once another window has signed in', async () => {
    window = await TestWindow.open();
    const second = await window.second();
    assert.match(await second.welcome('beacon.activity'), /Sign In/);
    assert.deepEqual(await second.rows('beacon.activity'), []);
    await window.signIn('owner');
    await second.until(async () => (await second.rows('beacon.activity')).length > 0, 'rows');
    assert.equal(await second.welcome('beacon.activity'), '');
  });

  it('gives hints once something about the platform is typed', async () => {
    window = await TestWindow.open({
      sandbox: false,
      time: '2026-11-27T10:00:00Z',
      files: { 'main.py': 'import requests\n' },
    });
    await window.show('main.py');
    const url = 'https://gitlab.com/api/v4/projects/1/merge_requests/2';
    window.type('main.py', `import requests\nprint(requests.get("${url}").json()["merged_by"])\n`);
    await window.until(async () => {
      await window.advance(500);
      return window.problems('main.py').length > 0;
    }, 'a hint');
  });
});
