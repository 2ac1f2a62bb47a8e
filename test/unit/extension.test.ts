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
    window = await TestWindow.open({ sandbox: false, files: { 'main.ts': 'main();\n' } });
    await window.show('main.ts');
    // The task after activation looks at what is open by then.
    await new Promise((resolve) => void setTimeout(resolve));
    window.type('main.ts', "await fetch('https://gitlab.example.com/api/v4/geo_nodes');\n");
    await window.until(() => window.problems('main.ts').length > 0, 'a hint');
  });
});
