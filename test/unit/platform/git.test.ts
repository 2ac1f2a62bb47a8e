import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { TestWindow } from '../../support/testWindow.ts';

describe('git as it is run here', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  it('runs no program that a repository names as its monitor', async () => {
    const files = {
      'app.py': 'DSN = "glet_1"\n',
      '.gitignore': 'a.log\n',
      'a.log': '',
      monitor: '#!/bin/sh\ntouch ran\n',
    };
    window = await TestWindow.open({ sandbox: false, files, remotes: {} });
    const folder = window.path('.');
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder.fsPath });
    git('init', '-q');
    git('add', 'app.py');
    chmodSync(window.path('monitor').fsPath, 0o755);
    git('config', 'core.fsmonitor', './monitor');
    const run = await window.within(() => import('../../../src/platform/node/git.ts'));
    const found = await window.within(() => run.searchByGit(folder, 'glet_'));
    assert.deepEqual(
      found?.map(({ path }) => path.split('/').at(-1)),
      ['app.py'],
    );
    const many = Array.from({ length: 60 }, (_, index) => window.path(`${index}.log`));
    for (const uris of [[window.path('a.log')], [window.path('a.log'), ...many]]) {
      assert.equal((await window.within(() => run.ignoredAmong(uris))).size, 1);
    }
    assert.ok(!existsSync(window.path('ran').fsPath));
  });
});
