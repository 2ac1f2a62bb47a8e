import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { TestWindow } from '../../support/testWindow.ts';

describe('git as it is run here', () => {
  let window: TestWindow;
  afterEach(() => window.dispose());

  /** Opens a window on a new repository. @returns its folder, git in it, and what the extension does with git. */
  async function repository(files: Readonly<Record<string, string>>) {
    window = await TestWindow.open({ sandbox: false, files, remotes: {} });
    const folder = window.path('.');
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder.fsPath, encoding: 'utf8' });
    git('init', '-q');
    return { folder, git, run: await window.within(() => import('../../../src/platform/node/git.ts')) };
  }

  it('runs no program that a repository names as its monitor', async () => {
    const { folder, git, run } = await repository({
      'app.py': 'DSN = "glet_1"\n',
      '.gitignore': 'a.log\n',
      'a.log': '',
      monitor: '#!/bin/sh\ntouch ran\n',
    });
    git('add', 'app.py');
    chmodSync(window.path('monitor').fsPath, 0o755);
    git('config', 'core.fsmonitor', './monitor');
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

  it('fetches nothing that a repository lacks, and finds files wherever its configuration has their paths begin', async () => {
    const app = 'DSN = "glet_1"\n';
    const { folder, git, run } = await repository({ 'app.py': app, 'inner/app.py': app });
    git('add', '.');
    // What counts as unchanged is looked for among the objects of git.
    git('update-index', '--assume-unchanged', 'app.py');
    const object = git('rev-parse', ':app.py');
    rmSync(window.path(`.git/objects/${object.slice(0, 2)}/${object.slice(2).trim()}`).fsPath);
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'other'],
      ['remote.other.promisor', 'true'],
      ['remote.other.url', `ext::sh -c touch% ${window.path('ran').fsPath}`],
      ['protocol.ext.allow', 'always'],
      ['grep.fullName', 'true'],
      // With it, git refuses to look through files that are not tracked.
      ['submodule.recurse', 'true'],
    ] as const) {
      git('config', name, value);
    }
    for (const [place, found] of [
      ['.', ['/app.py', '/inner/app.py']],
      ['inner', ['/inner/app.py']],
    ] as const) {
      const uris = await window.within(() => run.searchByGit(window.path(place), 'glet_'));
      assert.deepEqual(uris?.map(({ path }) => path.slice(folder.path.replace(/\/$/, '').length)).sort(), found);
    }
    assert.ok(!existsSync(window.path('ran').fsPath));
  });
});
