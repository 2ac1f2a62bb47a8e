import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LocalCommits } from '../../../src/activity/commands/localCommits.ts';
import { sampleEvent } from './anyEvent.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import type { EventNode } from './activityWindow.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];

describe('the commits of a push', () => {
  insideWindow(import.meta.filename);
  /** What reached git. */
  let asked: string[];
  let known: boolean;
  let localCommits: LocalCommits;

  const record =
    (result: unknown) =>
    async (...args: readonly string[]) => {
      asked.push(...args);
      return known ? result : await Promise.reject(new Error('unknown revision'));
    };

  beforeEach(() => {
    [asked, known] = [[], true];
    const folder = vscode.Uri.file('/w');
    const repository = {
      rootUri: folder,
      getCommit: record({ hash: second, message: 'x', parents: ['--output=y'] }),
      log: async ({ range }: { range: string }) => {
        asked.push(range);
        return [{ hash: second, message: 'Add two\n\nmore' }];
      },
      diffBetween: record([{ uri: vscode.Uri.file('/w/src/two.ts'), originalUri: folder, status: 1 }]),
    };
    const api = { repositories: [repository], getRepository: () => repository, toGitUri: (uri: unknown) => uri };
    const exports = { enabled: true, getAPI: () => api };
    Object.assign(vscode.extensions, { getExtension: () => ({ activate: async () => exports }) });
    localCommits = new LocalCommits({
      projects: { get: () => ({ path: 'group/p' }) },
      app: { workspaceProjects: { all: [{ accountId: 'sandbox', path: 'group/p', folder }] } },
    } as never);
  });

  function nodeOf(from: string | null, to: string | null, commit_count = 1): EventNode {
    const push_data = {
      commit_count,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: from,
      commit_to: to,
      ref: 'main',
    };
    const item = sampleEvent({ action_name: 'pushed to', push_data });
    return { kind: 'event', item, feed: { ref: { kind: 'mine', accountId: 'sandbox' } } } as unknown as EventNode;
  }

  it('are named with what they changed, from a repository that is open', async () => {
    const node = nodeOf(first, second);
    assert.deepEqual(await localCommits.read(node), { commits: ['bbbbbbbb Add two'], files: ['src/two.ts'] });
    assert.equal(await localCommits.show(node), true);
    assert.equal((await localCommits.repositoriesOf(node)).length, 1);
    known = false;
    assert.deepEqual([(await localCommits.read(node)).commits, await localCommits.show(node)], [[], false]);
  });

  it('are named to git by their ids alone, whatever the instance sends', async () => {
    const worst = [
      '--output=/tmp/x',
      '-x',
      'HEAD',
      'main',
      '@{-1}',
      ':/x',
      `${second}^{/x}`,
      `${second} -- x`,
      'a..b',
      '',
    ];
    for (const text of worst) {
      for (const node of [nodeOf(text, text), nodeOf(second, text), nodeOf(null, text)]) {
        assert.deepEqual((await localCommits.read(node)).commits, []);
        assert.equal(await localCommits.show(node), false);
      }
    }
    assert.deepEqual(asked, []);
    for (const [from, count] of [
      [worst[0] ?? null, 1],
      [null, 3],
      [null, -1],
      [null, 1e15],
      [second, 1],
    ] as const) {
      const node = nodeOf(from, second, count);
      await localCommits.read(node);
      await localCommits.show(node);
    }
    assert.ok(asked.length >= 10);
    for (const text of asked) {
      assert.match(text, /^[\da-f]{40}(?:~\d{1,6}|\.\.[\da-f]{40})?$/);
    }
  });
});
