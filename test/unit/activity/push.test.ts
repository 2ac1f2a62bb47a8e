import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { replaced } from '../../support/answeredInputs.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { ActivityWindow, type EventNode } from './activityWindow.ts';
import { sampleEvent } from './anyEvent.ts';

const inside = insideWindow(import.meta.filename);
const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];

describe('the commits of a push', () => {
  /** What reached git. */
  let asked: string[];
  let known: boolean;
  let window: ActivityWindow;
  let standIn: vscode.Disposable;
  afterEach(() => {
    standIn.dispose();
    window.dispose();
  });

  const record =
    (result: unknown) =>
    async (...args: readonly string[]) => {
      asked.push(...args);
      return known ? result : await Promise.reject(new Error('unknown revision'));
    };

  beforeEach(async () => {
    [asked, known] = [[], true];
    window = await ActivityWindow.open(async () => new ScriptedInstance(() => ({ json: [] })).connection);
    const folder = vscode.Uri.file('/w');
    const repository = {
      rootUri: folder,
      fetch: async () => (known = true),
      getCommit: record({ hash: second, parents: ['--output=y'] }),
      diffBetween: record([{ uri: vscode.Uri.file('/w/src/two.ts'), originalUri: folder, status: 1 }]),
    };
    const api = { repositories: [repository], getRepository: () => repository, toGitUri: (uri: unknown) => uri };
    const git = vscode.extensions.getExtension('vscode.git');
    Object.assign(git ?? {}, { activate: async () => ({ enabled: true, getAPI: () => api }) });
    const press = async (_: string, ...buttons: string[]) => buttons.find((button) => button === 'Fetch');
    standIn = replaced({ showInformationMessage: press });
  });

  /** Shows what a push changed. @returns whether a repository could: what a file is now, which was not there before. */
  async function show(node: EventNode): Promise<boolean> {
    const { length } = inside.window.calls;
    await window.run('showCommits', node);
    return /"vscode\.changes".*,null,/.test(JSON.stringify(inside.window.calls.slice(length)));
  }

  function nodeOf(from: string | null, to: string | null, commit_count = 1): EventNode {
    const commits = { commit_count, commit_from: from, commit_to: to };
    const push_data = { ...commits, action: 'pushed', ref_type: 'branch', ref: 'main' };
    const item = sampleEvent({ action_name: 'pushed to', push_data });
    return { kind: 'event', item, feed: { ref: { kind: 'mine', accountId: 'sandbox' } } } as unknown as EventNode;
  }

  it('are shown from a repository that is open, also once that has fetched them', async () => {
    assert.equal(await show(nodeOf(first, second)), true);
    known = false;
    window.activity.projects.restore('sandbox', { 7: { path: 'group/project' } });
    window.openProject({ accountId: 'sandbox', path: 'group/project' });
    assert.equal(await show(nodeOf(first, second)), true);
  });

  it('are named to git by their ids alone, whatever the instance sends', async () => {
    const worst = [
      ...['--output=/tmp/x', '-x', 'HEAD', 'main', '@{-1}', ':/x', 'a..b', ''],
      ...[`${second}^{/x}`, `${second} -- x`],
    ];
    for (const text of worst) {
      for (const node of [nodeOf(text, text), nodeOf(second, text), nodeOf(null, text)]) {
        assert.equal(await show(node), false);
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
      await show(nodeOf(from, second, count));
    }
    assert.ok(asked.length >= 10);
    for (const text of asked) {
      assert.match(text, /^[\da-f]{40}(?:~\d{1,6}|\.\.[\da-f]{40})?$/);
    }
  });
});
