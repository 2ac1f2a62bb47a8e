import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ActivityTree, type ActivityNode } from '../../src/activity/activityTree.ts';
import { Feed, type FeedItem, type FeedPage } from '../../src/activity/feed.ts';
import { Projects } from '../../src/activity/projects.ts';
import { UnavailableError } from '../../src/api/errors.ts';
import type { EventRecord } from '../../src/api/events.ts';
import type { PageLink } from '../../src/api/pagination.ts';
import { unrecognizedRecord } from '../../src/api/unrecognized.ts';

const now = new Date(2026, 10, 21, 15, 0);

/** An event record with what a test says of it; the rest as a comment on an issue has it. */
function event(fields: Partial<EventRecord> = {}): EventRecord {
  return {
    id: 1,
    project_id: 7,
    action_name: 'opened',
    target_id: 70,
    target_iid: 3,
    target_type: 'Issue',
    target_title: 'Crash at start',
    author_id: 1,
    author_username: 'ada',
    created_at: new Date(2026, 10, 21, 14, 0).toISOString(),
    ...fields,
  };
}

async function treeOf(...pages: readonly (FeedPage | Error)[]): Promise<{ tree: ActivityTree; feed: Feed }> {
  let asked = 0;
  const feed = new Feed(async () => {
    const page = pages[asked++];
    if (page instanceof Error || !page) {
      throw page ?? new Error('asked too often');
    }
    return page;
  });
  const projects = new Projects(async (id) => ({
    path: `group/project-${id}`,
    webUrl: `https://host/group/project-${id}`,
  }));
  await projects.learn([7]);
  await feed.refresh();
  return { tree: new ActivityTree(feed, projects, () => now), feed };
}

const page = (items: readonly FeedItem[], next?: string): FeedPage => ({ items, next: next as PageLink | undefined });
const labels = (tree: ActivityTree, nodes: readonly ActivityNode[]) =>
  nodes.map((node) => tree.getTreeItem(node).label);

/** The item of the only event of a feed. */
async function itemOf(item: FeedItem): Promise<{ item: vscode.TreeItem; tooltip: vscode.MarkdownString }> {
  const { tree } = await treeOf(page([item]));
  const [day] = tree.getChildren();
  const [node] = tree.getChildren(day);
  assert.ok(node);
  const treeItem = tree.getTreeItem(node);
  assert.equal(treeItem.tooltip, undefined, 'the tooltip waits until it is asked for');
  return { item: treeItem, tooltip: tree.resolveTreeItem(treeItem, node).tooltip as vscode.MarkdownString };
}

describe('the tree of the Activity view', () => {
  it('groups events by day, the days first and "Load More" last', async () => {
    const yesterday = new Date(2026, 10, 20, 10, 0).toISOString();
    const { tree } = await treeOf(page([event(), event({ id: 2 }), event({ id: 3, created_at: yesterday })], 'more'));
    const roots = tree.getChildren();
    assert.deepEqual(labels(tree, roots), ['Today', 'Yesterday', 'Load More']);
    assert.equal(roots[0] && tree.getTreeItem(roots[0]).description, '2');
    assert.equal(roots[0] && tree.getChildren(roots[0]).length, 2);
  });

  it('opens days from the top until a screenful shows and leaves the others closed', async () => {
    const days = Array.from({ length: 4 }, (_, daysAgo) =>
      Array.from({ length: 20 }, (__, index) =>
        event({ id: daysAgo * 100 + index, created_at: new Date(2026, 10, 21 - daysAgo, 12, 0).toISOString() }),
      ),
    );
    const { tree } = await treeOf(page(days.flat()));
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    assert.deepEqual(
      tree.getChildren().map((node) => tree.getTreeItem(node).collapsibleState),
      [Expanded, Expanded, Collapsed, Collapsed],
    );
  });

  it('gives every event a stable id, an icon, a time and a sentence for screen readers', async () => {
    const { item } = await itemOf(event());
    assert.equal(item.id, 'event/1');
    assert.equal(item.label, 'Opened issue #3 "Crash at start"');
    assert.equal(item.description, 'group/project-7 · 1h ago');
    assert.equal((item.iconPath as vscode.ThemeIcon).id, 'issues');
    assert.equal(item.accessibilityInformation?.label, 'Opened issue #3 "Crash at start", in group/project-7, 1h ago');
  });

  it('offers a link where the project is known, and none elsewhere', async () => {
    assert.equal((await itemOf(event())).item.contextValue, 'event+link');
    assert.equal((await itemOf(event({ project_id: 8 }))).item.contextValue, 'event');
    assert.equal((await itemOf(event({ project_id: null }))).item.contextValue, 'event');
  });

  const push = {
    commit_count: 1,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: 'a',
    commit_to: 'b',
    ref: 'main',
    commit_title: 'Fix it',
  };
  const none = { target_id: null, target_iid: null, target_type: null, target_title: null };
  const note = {
    id: 9,
    body: 'Me too',
    author: null,
    created_at: '',
    system: false,
    noteable_id: 70,
    noteable_type: 'Issue',
    noteable_iid: 3,
  };
  const sentences: readonly [Partial<EventRecord> | object, string][] = [
    [{ action_name: 'closed' }, 'Closed issue #3 "Crash at start"'],
    [
      { action_name: 'commented on', target_type: 'Note', target_iid: 9, note },
      'Commented on issue #3 "Crash at start"',
    ],
    [
      { action_name: 'commented on', target_type: 'DiffNote', note: { ...note, noteable_type: 'MergeRequest' } },
      'Commented on merge request !3 "Crash at start"',
    ],
    [
      {
        action_name: 'commented on',
        target_type: 'Note',
        target_title: null,
        note: { ...note, noteable_type: 'Commit', noteable_iid: null },
      },
      'Commented on a commit',
    ],
    [{ action_name: 'accepted', target_type: 'MergeRequest' }, 'Merged merge request !3 "Crash at start"'],
    [{ action_name: 'joined', ...none }, 'Joined the project'],
    [{ action_name: 'pushed', ...none, push_data: push }, 'Pushed to main: Fix it'],
    [{ action_name: 'pushed to', ...none, push_data: { ...push, commit_count: 3 } }, 'Pushed 3 commits to main'],
    [
      { action_name: 'pushed new', ...none, push_data: { ...push, action: 'created', ref_type: 'tag', ref: 'v1' } },
      'Created tag v1',
    ],
    [
      { action_name: 'deleted', ...none, push_data: { ...push, action: 'removed', commit_to: null } },
      'Deleted branch main',
    ],
    [
      {
        action_name: 'pushed',
        ...none,
        push_data: { ...push, commit_count: 0, ref_count: 12, ref: null, commit_title: null },
      },
      'Pushed 12 branches',
    ],
    [{ action_name: 'teleported', target_type: 'Wormhole' }, 'teleported Wormhole "Crash at start"'],
    [{ action_name: 'teleported', ...none }, 'teleported the project'],
  ];
  for (const [fields, sentence] of sentences) {
    it(`says "${sentence}"`, async () => {
      const { item } = await itemOf(event(fields));
      assert.equal(item.label, sentence);
      assert.ok(item.iconPath);
    });
  }

  it('shows a record that it cannot read, with what came', async () => {
    const { item, tooltip } = await itemOf(unrecognizedRecord({ id: 'x' }, ['id: expected a number']));
    assert.equal(item.label, 'An event of unknown form');
    assert.match(tooltip.value, /"id": "x"/);
  });

  it('shows text of the instance as text, neither as Markdown nor as a command', async () => {
    const body = '[run](command:workbench.action.quit) <img src="https://evil.example"> **bold**';
    const { tooltip } = await itemOf(event({ action_name: 'commented on', note: { ...note, body } }));
    assert.ok(!tooltip.isTrusted);
    assert.ok(!tooltip.supportHtml);
    assert.match(tooltip.value, /\\\[run\\\]/);
    assert.match(tooltip.value, /\\\*\\\*bold/);
  });

  it('offers another try above the events when a page fails', async () => {
    const away = new UnavailableError(
      { method: 'GET', pathTemplate: '/events', instance: 'host' },
      'network',
      'ECONNRESET',
    );
    const { tree, feed } = await treeOf(page([event()], 'more'), away, page([event({ id: 2 })]));
    await feed.loadMore();
    assert.deepEqual(labels(tree, tree.getChildren()), ['Diagnose Connection…', 'Try Again', 'Today', 'Load More']);
    assert.equal(
      tree.getTreeItem(tree.getChildren()[1] as ActivityNode).tooltip,
      'host cannot be reached (ECONNRESET).',
    );
    await feed.loadMore();
    assert.deepEqual(labels(tree, tree.getChildren()), ['Today']);
  });
});
