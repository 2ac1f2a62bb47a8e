import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { ViewContext } from '../../../src/activity/viewContext.ts';
import { EventCommands } from '../../../src/activity/commands/eventCommands.ts';
import { LocalCommits } from '../../../src/activity/commands/localCommits.ts';
import type { ActivityNode, EventNode } from '../../../src/activity/tree/nodes.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { replaced } from '../../support/answeredInputs.ts';
import { sampleEvent as event } from '../../support/anyEvent.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

const git = async (folder: string, ...args: string[]): Promise<string> => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  return (await promisify(execFile)('git', [...identity, ...args], { cwd: folder })).stdout.trim();
};

describe('the actions on an event', () => {
  let events: unknown[];
  let window: ActivityWindow;
  let commands: EventCommands;
  let shown: EventNode[];
  let opened: string[];
  let isReadable: boolean;
  let read: string[];
  let asked: string[][];
  let answer: string;
  let selection: ActivityNode[];
  const selected = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<ActivityNode>>();
  let localCommits: LocalCommits;

  beforeEach(async () => {
    shown = [];
    opened = [];
    isReadable = true;
    read = [];
    asked = [];
    answer = '';
    selection = [];
    const instance = new ScriptedInstance((url) =>
      url.pathname.endsWith('/events')
        ? { json: events }
        : !isReadable
          ? { status: 403, json: { error: 'insufficient_scope', scope: 'api' } }
          : {
              json: { id: 7, name: 'p', path_with_namespace: 'group/p', web_url: 'https://gitlab.example.com/group/p' },
            },
    );
    window = await ActivityWindow.open(async () => instance.connection);
    localCommits = new LocalCommits(window.activity.projects, { all: [] });
    const context = new ViewContext(window.activity.feeds, {
      get selection() {
        return selection;
      },
      onDidChangeSelection: selected.event,
    });
    commands = new EventCommands({
      context,
      projects: window.activity.projects,
      localCommits,
      showPage: async (node) => void shown.push(node),
      markOpened: async ({ key }) => void read.push(key),
      clock: { now: () => window.now.getTime() },
      openExternal: async (address) => void opened.push(address),
      ask: async (message, ...buttons) => {
        asked.push([message, ...buttons]);
        return buttons.find((button) => button === answer);
      },
    });
  });
  afterEach(async () => {
    window.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function nodeOf(fields: Partial<EventRecord>): Promise<EventNode> {
    events = [event(fields)];
    await window.feed.refresh();
    const [node] = await window.events();
    assert.ok(node);
    return node;
  }

  const none = { target_id: null, target_iid: null, target_type: null, target_title: null };
  const note = {
    id: 9,
    body: 'See **this**\n\n<b>and</b> [that](command:x)',
    created_at: '',
    noteable_id: 70,
    noteable_type: 'Issue',
    noteable_iid: 3,
  };

  it('open the page of what it is about, of its project, and of who did it', async () => {
    const node = await nodeOf({ action_name: 'commented on', target_type: 'Note', note });
    await commands.openInBrowser(node);
    await commands.openProject(node);
    await commands.openAuthor(node);
    assert.deepEqual(opened, [
      'https://gitlab.example.com/group/p/-/issues/3#note_9',
      'https://gitlab.example.com/group/p',
      'https://gitlab.example.com/ada',
    ]);
    // Of the three it is the one that shows the event.
    assert.deepEqual(read, [node.key]);
  });

  it('wait for the name of its project, which may be under way', async () => {
    events = [event()];
    const loading = window.feed.refresh();
    while (window.feed.state.items.length === 0) {
      await new Promise(setImmediate);
    }
    const [node] = await window.events();
    await commands.openInBrowser(node);
    await loading;
    assert.deepEqual(opened, ['https://gitlab.example.com/group/p/-/issues/3']);
  });

  it('say that the project alone was opened, or its link copied, where the token cannot read its path', async () => {
    isReadable = false;
    const node = await nodeOf({});
    const messages: string[] = [];
    const standIn = replaced({ setStatusBarMessage: (message: string) => void messages.push(message) });
    try {
      await commands.openInBrowser(node);
      await commands.copyLink(node);
    } finally {
      standIn.dispose();
    }
    assert.deepEqual(opened, ['https://gitlab.example.com/projects/7']);
    assert.deepEqual(messages, [
      'Only the project was opened: the token of marta@sandbox may not read its path.',
      'Copied https://gitlab.example.com/projects/7, the project alone: the token of marta@sandbox may not read its path',
    ]);
  });

  it('copy its link and its reference', async () => {
    const node = await nodeOf({});
    await commands.copyLink(node);
    assert.equal(await vscode.env.clipboard.readText(), 'https://gitlab.example.com/group/p/-/issues/3');
    await commands.copyReference(node);
    assert.equal(await vscode.env.clipboard.readText(), 'group/p#3');
    const milestone = await nodeOf({ target_type: 'Milestone', target_title: 'one\nrm -rf /\r\u2028two\u202e' });
    await commands.copyReference(milestone);
    assert.equal(await vscode.env.clipboard.readText(), 'group/p%"one rm -rf / two"');
  });

  it('work on the selected row when they come from the keyboard', async () => {
    const select = (...rows: ActivityNode[]): void => {
      selection = rows;
      selected.fire({ selection });
    };
    select(await nodeOf({}));
    await commands.openInBrowser();
    assert.deepEqual(opened, ['https://gitlab.example.com/group/p/-/issues/3']);
    // So it is while the editor asks for the rows again: nothing is selected for a moment, without an event.
    selection = [];
    await commands.openInBrowser();
    assert.equal(opened.length, 2);
    select();
    await commands.openInBrowser();
    assert.equal(opened.length, 2);
  });

  it('show it in the editor by one click, and in the browser by two', async () => {
    const node = await nodeOf({});
    await commands.show(node);
    assert.deepEqual(shown, [node]);
    assert.deepEqual(opened, []);
    await commands.show(node);
    assert.equal(opened.length, 1);
    await commands.show(node);
    window.now = new Date(window.now.getTime() + 2000);
    await commands.show(node);
    assert.equal(opened.length, 1, 'two slow clicks are none');
  });

  it('lead to the instance where an event cannot be read', async () => {
    events = [{ odd: true }];
    await window.feed.refresh();
    const [node] = await window.events();
    await commands.openInBrowser(node);
    assert.deepEqual(opened, ['https://gitlab.example.com']);
  });

  describe('of a push', () => {
    let folder: string;
    let commits: string[];

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'beacon-push-'));
      await git(folder, 'init', '-q');
      commits = [];
      for (const name of ['one', 'two', 'three']) {
        await writeFile(join(folder, `${name}.txt`), name);
        await git(folder, 'add', '.');
        await git(folder, 'commit', '-q', '-m', `Add ${name}`);
        commits.push(await git(folder, 'rev-parse', 'HEAD'));
      }
      const extension = vscode.extensions.getExtension<{
        getAPI(version: 1): { openRepository(uri: vscode.Uri): Promise<unknown> };
      }>('vscode.git');
      await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(folder));
    });

    const push = (from: string | null | undefined, to: string | undefined, commit_count: number) => ({
      action_name: 'pushed',
      ...none,
      push_data: {
        commit_count,
        action: from ? 'pushed' : 'created',
        ref_type: 'branch',
        commit_from: from ?? null,
        commit_to: to ?? null,
        ref: 'main',
        commit_title: 'Add three',
      },
    });

    it('show the difference that it made, from the repository that is open', async () => {
      const node = await nodeOf(push(commits[0], commits[2], 2));
      assert.equal(await localCommits.show(node), 'shown');
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.equal(activeTab?.label.startsWith(`${commits[0]?.slice(0, 8)}…${commits[2]?.slice(0, 8)}`), true);
    });

    it('show the difference of a new branch; in the browser, of one that begins the history', async () => {
      assert.equal(await localCommits.show(await nodeOf(push(null, commits[2], 1))), 'shown');
      await commands.showCommits(await nodeOf(push(null, commits[0], 1)));
      assert.deepEqual(opened, ['https://gitlab.example.com/group/p/-/commits/main']);
    });

    it('name its commits', async () => {
      const node = await nodeOf(push(commits[0], commits[2], 2));
      assert.deepEqual(await localCommits.titles(node), [
        `${commits[2]?.slice(0, 8)} Add three`,
        `${commits[1]?.slice(0, 8)} Add two`,
      ]);
    });

    it('are named to git by their ids alone, whatever the instance sends', async () => {
      const asked: unknown[] = [];
      const record =
        (result: unknown) =>
        async (...args: unknown[]) => {
          asked.push(...args);
          return result;
        };
      const sha = commits[2] ?? '';
      const repository = {
        getCommit: record({ hash: sha, message: 'x', parents: ['--output=y'] }),
        log: async ({ range }: { range: string }) => {
          asked.push(range);
          return [];
        },
        diffBetween: record([]),
      };
      const fake = new LocalCommits(
        window.activity.projects,
        { all: [] },
        async () => ({ repositories: [repository] }) as never,
      );
      const worst = ['--output=/tmp/x', '-x', 'HEAD', 'main', '@{-1}', ':/x', `${sha}^{/x}`, `${sha} -- x`, 'a..b', ''];
      for (const text of worst) {
        for (const node of [
          await nodeOf(push(text, text, 1)),
          await nodeOf(push(sha, text, 1)),
          // As if it had not come through the client.
          { ...(await nodeOf({})), item: event(push(text, text, 1)) },
        ]) {
          assert.deepEqual(await fake.titles(node), []);
          assert.equal(await fake.show(node), 'absent');
        }
      }
      assert.deepEqual(asked, []);
      for (const [from, count] of [
        [worst[0], 1],
        [null, 3],
        [null, -1],
        [null, 1e15],
        [sha, 1],
      ] as const) {
        const node = { ...(await nodeOf({})), item: event(push(from, sha, count)) };
        await fake.titles(node);
        await fake.show(node);
      }
      assert.ok(asked.length >= 10);
      for (const text of asked) {
        assert.match(String(text), /^[\da-f]{40}(?:~\d{1,6}|\.\.[\da-f]{40})?$/);
      }
    });

    it('know when no repository has its commits', async () => {
      const node = await nodeOf(push('a'.repeat(40), 'b'.repeat(40), 1));
      assert.equal(await localCommits.show(node), 'absent');
      assert.deepEqual(await localCommits.titles(node), []);
    });

    it('offer what can be done where no repository has its commits', async () => {
      answer = 'Open in Browser';
      await commands.showCommits(await nodeOf(push('a'.repeat(40), 'b'.repeat(40), 1)));
      // The sandbox is no instance that git could ask.
      assert.deepEqual(asked, [
        ['No repository of group/p with these commits is open.', 'Open Folder…', 'Open in Browser'],
      ]);
      assert.deepEqual(opened, [`https://gitlab.example.com/group/p/-/commit/${'b'.repeat(40)}`]);
    });

    it('find the repository into which its commits would be fetched', async () => {
      const node = await nodeOf(push('a'.repeat(40), 'b'.repeat(40), 1));
      const project = { accountId: 'sandbox', path: 'group/p', folder: vscode.Uri.file(folder) };
      const inWorkspace = new LocalCommits(window.activity.projects, { all: [project] });
      assert.deepEqual(
        (await inWorkspace.repositoriesOf(node)).map(({ rootUri }) => rootUri.fsPath),
        [folder],
      );
      assert.deepEqual(await localCommits.repositoriesOf(node), []);
    });
  });
});
