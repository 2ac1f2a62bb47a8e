import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { firstChoice } from '../../../src/activity/feed/feed.ts';
import type { ActivityNode } from '../../../src/activity/tree/nodes.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { isUnrecognized } from '../../../src/api/unrecognized.ts';
import { ActivityParts, sampleEvent as event } from '../../support/activityParts.ts';
import { PersonalSettings } from '../../support/reader.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

describe('the tree of the Activity view', () => {
  let pages: Record<string, unknown[] | number>;
  let instance: ScriptedInstance;
  let parts: ActivityParts;

  beforeEach(() => {
    pages = {};
    instance = new ScriptedInstance((url) => {
      const path = url.pathname.replace('/api/v4', '');
      const project = /^\/projects\/(\d+)$/.exec(path)?.[1];
      if (project !== undefined) {
        return {
          json: {
            id: Number(project),
            name: 'p',
            path_with_namespace: `group/project-${project}`,
            web_url: `https://gitlab.example.com/group/project-${project}`,
          },
        };
      }
      const number = url.searchParams.get('page') ?? '1';
      const page = pages[number] ?? [];
      if (typeof page === 'number') {
        return { status: page, json: { message: 'no' } };
      }
      const next = String(Number(number) + 1);
      url.searchParams.set('page', next);
      return { json: page, headers: next in pages ? { link: `<${url.href}>; rel="next"` } : {} };
    });
    parts = new ActivityParts(async () => instance.connection);
  });
  afterEach(() => parts.dispose());

  const on = (day: number, hour = 10) => new Date(2026, 10, day, hour, 0).toISOString();

  it('groups events by day, the days first and "Load More" last', async () => {
    pages = { 1: [event(), event({ id: 2 }), event({ id: 3, created_at: on(20) })], 2: [] };
    assert.deepEqual(await parts.rows(), [
      'Today',
      '  Opened #3 Crash at start',
      '  Opened #3 Crash at start',
      'Yesterday',
      '  Opened #3 Crash at start',
      'Load More',
      'Without Merge Requests and Epics',
    ]);
  });

  it('hands the project of an event, and of a feed that is one’s, to menus', async () => {
    pages = { 1: [event({ project_id: 7 }), event({ id: 2, project_id: null }), 'no event'], 2: [] };
    await parts.choices.pin({ kind: 'project', accountId: 'sandbox', id: 9, path: 'group/nine' });
    await parts.rows();
    const feeds = await parts.tree.getChildren();
    const days = await parts.tree.getChildren(feeds[1]);
    const events = (await Promise.all(days.map(async (day) => await parts.tree.getChildren(day)))).flat();
    const projectsOf = (nodes: readonly ActivityNode[], kind: string): unknown[] =>
      nodes.filter((node) => node.kind === kind).map((node) => ('project' in node ? node.project : 'none'));
    assert.deepEqual(projectsOf(feeds, 'feed'), [{ accountId: 'sandbox', idOrPath: 9 }, undefined]);
    assert.deepEqual(projectsOf(events, 'event'), [{ accountId: 'sandbox', idOrPath: 7 }, undefined, undefined]);
  });

  it('opens days from the top until a screenful shows, and those that "Load More" brings', async () => {
    const days = (from: number, to: number) =>
      Array.from({ length: from - to }, (_, index) => from - index).flatMap((day) =>
        Array.from({ length: 20 }, (__, index) => event({ id: day * 100 - index, created_at: on(day, 9) })),
      );
    pages = { 1: days(21, 17), 2: days(17, 15) };
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const states = async () =>
      (await parts.tree.getChildren())
        .filter(({ kind }) => kind === 'day')
        .map((node) => parts.tree.getTreeItem(node).collapsibleState);
    assert.deepEqual(await states(), [Expanded, Expanded, Collapsed, Collapsed]);
    await parts.loader.loadMore(parts.open);
    assert.deepEqual((await states()).slice(4), [Expanded, Expanded]);
  });

  describe('with settings', () => {
    const settings = new PersonalSettings();
    afterEach(() => settings.takeBack());
    const descriptions = async () =>
      (await parts.events()).map((node) => String(parts.tree.getTreeItem(node).description).split(' · ')[0]);

    it('opens as many days at first as beacon.activity.openDays says, and those that "Load More" brings', async () => {
      const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
      const states = async () =>
        (await parts.tree.getChildren())
          .filter(({ kind }) => kind === 'day')
          .map((node) => parts.tree.getTreeItem(node).collapsibleState);
      const days = [21, 20, 19].map((day) => event({ id: day, created_at: on(day) }));
      for (const [openDays, expected] of [
        [1, [Expanded, Collapsed, Collapsed]],
        [0, [Collapsed, Collapsed, Collapsed]],
        [2, [Expanded, Expanded, Collapsed]],
        ['many', [Expanded, Expanded, Expanded]],
      ] as const) {
        await settings.set({ 'beacon.activity.openDays': openDays });
        pages = { 1: days, 2: [event({ id: 1, created_at: on(18) })] };
        parts.dispose();
        parts = new ActivityParts(async () => instance.connection);
        assert.deepEqual(await states(), expected, String(openDays));
        await parts.loader.loadMore(parts.open);
        assert.equal((await states()).at(3), Expanded);
      }
    });

    it('shows times as beacon.activity.timeFormat says, as soon as it is changed', async () => {
      pages = { 1: [event({ created_at: on(21, 14) }), event({ id: 2, created_at: on(20, 9) })] };
      await parts.loader.refresh(parts.open);
      const clock = (hour: number) =>
        new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(new Date(2026, 10, 20, hour, 0));
      assert.deepEqual(await descriptions(), ['1h ago', clock(9)]);
      for (const [format, expected] of [
        ['absolute', [clock(14), clock(9)]],
        ['relative', ['1h ago', 'yesterday']],
        ['of a later version', ['1h ago', clock(9)]],
      ] as const) {
        const redrawn = new Promise((resolve) => parts.tree.onDidChangeTreeData(resolve));
        await settings.set({ 'beacon.activity.timeFormat': format });
        await redrawn;
        assert.deepEqual(await descriptions(), expected, format);
      }
    });
  });

  it('gives every event a stable id, an icon, a time and a sentence for screen readers', async () => {
    pages = { 1: [event()] };
    await parts.loader.refresh(parts.open);
    const [node] = await parts.events();
    assert.ok(node);
    const item = parts.tree.getTreeItem(node);
    assert.equal(item.id, 'sandbox/mine/event/1');
    assert.equal(parts.labelOf(node), 'Opened #3 Crash at start');
    assert.equal(item.description, '1h ago · project-7');
    assert.equal((item.iconPath as vscode.ThemeIcon).id, 'issues');
    assert.equal(
      item.accessibilityInformation?.label,
      'Ada Byron opened issue #3 “Crash at start”, in group/project-7, 1 hour ago.',
    );
    assert.equal(item.tooltip, undefined, 'the tooltip waits until it is asked for');
  });

  it('names who did it where there are several people, and no project where there is one alone', async () => {
    pages = { 1: [event()] };
    await parts.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'group/project-7' });
    await parts.loader.refresh(parts.open);
    const [node] = await parts.events();
    assert.ok(node);
    assert.equal(parts.labelOf(node), 'ada opened #3 Crash at start');
    assert.equal(parts.tree.getTreeItem(node).description, '1h ago');
  });

  it('keeps nodes, and so what is open and selected, when it is refreshed', async () => {
    pages = { 1: [event({ id: 2 }), event({ id: 1, created_at: on(20) })] };
    const before = await parts.events();
    pages = { 1: [event({ id: 3 }), event({ id: 2 }), event({ id: 1, created_at: on(20) })] };
    const changes: unknown[] = [];
    parts.tree.onDidChangeTreeData((change) => changes.push(change));
    await parts.loader.refresh(parts.open);
    const after = await parts.events();
    assert.deepEqual(
      after.map(({ key }) => key),
      ['3', '2', '1'],
    );
    assert.equal(changes.length, 1);
    assert.deepEqual(
      (changes[0] as { date: string }[]).map(({ date }) => date),
      ['2026-11-21'],
      'the day with a new event alone is drawn again',
    );
    assert.equal(parts.tree.getTreeItem(after[1] as never).id, parts.tree.getTreeItem(before[0] as never).id);
  });

  it('draws nothing again when nothing has changed', async () => {
    pages = { 1: [event()] };
    await parts.events();
    const changes: unknown[] = [];
    parts.tree.onDidChangeTreeData((change) => changes.push(change));
    await parts.loader.refresh(parts.open);
    assert.deepEqual(changes, []);
  });

  it('says how long ago it is as time goes by, in the rows that read otherwise', async () => {
    pages = { 1: [event({ id: 2, created_at: on(21, 14) }), event({ id: 1, created_at: on(20) })] };
    await parts.loader.refresh(parts.open);
    const [recent, old] = await parts.events();
    [recent, old].forEach((node) => node && parts.tree.getTreeItem(node));
    const changes: unknown[] = [];
    parts.tree.onDidChangeTreeData((change) => changes.push(change));
    parts.tree.updateTimes();
    assert.deepEqual(changes, []);
    parts.now = new Date(2026, 10, 21, 16, 0);
    parts.tree.updateTimes();
    assert.deepEqual(changes, [[recent]]);
    assert.equal(recent && parts.tree.getTreeItem(recent).description, '2h ago · project-7');
  });

  it('calls yesterday what was today when midnight has passed', async () => {
    pages = { 1: [event()] };
    assert.equal((await parts.rows())[0], 'Today');
    parts.now = new Date(2026, 10, 22, 0, 1);
    parts.tree.redraw();
    assert.equal((await parts.rows())[0], 'Yesterday');
  });

  it('shows a day of very many events step by step', async () => {
    pages = { 1: Array.from({ length: 250 }, (_, index) => event({ id: 1000 - index })) };
    const [day] = await parts.tree.getChildren();
    assert.ok(day?.kind === 'day');
    const children = await parts.tree.getChildren(day);
    assert.equal(children.length, 101);
    assert.equal(parts.labelOf(children[100] as never), 'Show 150 More Events');
    parts.tree.showMoreOf(day);
    assert.equal((await parts.tree.getChildren(day)).length, 250);
  });

  it('shows as many events of a day as it takes to reveal the first that "Load More" has brought', async () => {
    pages = {
      1: Array.from({ length: 100 }, (_, index) => event({ id: 1000 - index })),
      2: Array.from({ length: 100 }, (_, index) => event({ id: 900 - index })),
      3: [],
    };
    const [day] = await parts.tree.getChildren();
    await parts.loader.loadMore(parts.open);
    let told = 0;
    parts.tree.onDidChangeTreeData((changed) => (told += changed === day ? 1 : 0));
    const first = parts.tree.reach(parts.open, 100);
    assert.equal(first && 'id' in first.item && first.item.id, 900);
    assert.ok(first && (await parts.tree.getChildren(day)).includes(first));
    assert.equal(told, 1);
    assert.equal(parts.tree.reach(parts.open, 200), undefined);
  });

  it('finds the parent of every row, so that it can be revealed', async () => {
    pages = { 1: [event()], 2: [] };
    const [day, more] = await parts.tree.getChildren();
    const [node] = await parts.events();
    assert.equal(node && parts.tree.getParent(node), day);
    assert.equal(day && parts.tree.getParent(day), undefined);
    assert.equal(more && parts.tree.getParent(more), undefined);
  });

  it('shows several feeds as roots, and loads each when it is opened', async () => {
    pages = { 1: [event()] };
    await parts.choices.pin({ kind: 'allProjects' });
    const roots = await parts.tree.getChildren();
    assert.deepEqual(
      roots.map((node) => parts.labelOf(node)),
      ['All My Projects', 'My Activity'],
    );
    assert.equal(instance.asked.length, 0);
    const [first] = roots;
    assert.deepEqual((await parts.rows(first)).slice(0, 2), ['Today', '  ada opened #3 Crash at start']);
    assert.match(instance.asked[0] ?? '', /scope=all/);
    assert.equal(instance.asked.filter((path) => path.startsWith('/events')).length, 1);
    const [day] = await parts.tree.getChildren(first);
    assert.equal(day && parts.tree.getParent(day), first);
  });

  it('shows that feeds of users lack merge requests, until that is dismissed', async () => {
    pages = { 1: [event()] };
    parts.isNoteRead = false;
    assert.equal((await parts.rows())[0], 'Without Merge Requests and Epics');
    parts.isNoteRead = true;
    assert.deepEqual(await parts.rows(), ['Today', '  Opened #3 Crash at start', 'Without Merge Requests and Epics']);
    await parts.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'a/b' });
    assert.ok(!(await parts.rows()).some((row) => row.includes('Without')));
  });

  it('says when nothing passes the filter, and when nothing has happened', async () => {
    pages = { 1: [] };
    assert.ok((await parts.rows()).includes('Select Another Feed…'));
    await parts.filters.set(parts.open.id, { action: 'pushed' });
    assert.ok((await parts.rows()).includes('Show All Events'));
  });

  it('says first what narrows the feed down, with a click that clears it', async () => {
    pages = { 1: [event({ author: { id: 1, username: 'ada', name: 'Ada' } })] };
    assert.doesNotMatch((await parts.rows()).join('\n'), /Filtered/);
    await parts.filters.set(parts.open.id, { author: 'ada', order: 'asc' });
    const rows = await parts.rows();
    assert.equal(rows[0], 'Filtered: by @ada · oldest first');
    const [row] = await parts.tree.getChildren();
    assert.ok(row?.kind === 'message');
    assert.deepEqual(
      [row.command.command, row.command.arguments],
      ['beacon.activity.clearFilter', [{ open: parts.open }]],
    );
    await parts.filters.set(parts.open.id, {});
    parts.onlyNew = true;
    parts.open.invalidate();
    parts.tree.update(parts.open);
    assert.equal((await parts.rows())[0], 'Filtered: only new');
  });

  it('says what to do when this workspace has no project', async () => {
    await parts.choose({ kind: 'workspaceProject' });
    assert.deepEqual(await parts.rows(), ['Select Another Feed…']);
    parts.workspaceProject = { accountId: 'sandbox', path: 'group/project' };
    pages = { 1: [event()] };
    parts.feeds.update();
    assert.deepEqual(await parts.rows(), ['Today', '  ada opened #3 Crash at start']);
  });

  it('begins with all projects, goes on to that of the repository that opens, and stays where something is chosen', async () => {
    parts.first = () => firstChoice({ accountId: 'sandbox', workspaceProject: parts.workspaceProject });
    parts.feeds.update();
    assert.equal(parts.open.id, 'sandbox/allProjects');
    parts.workspaceProject = { accountId: 'sandbox', path: 'group/project' };
    parts.feeds.update();
    assert.equal(parts.open.id, 'sandbox/project/group/project');
    await parts.choose({ kind: 'mine' });
    parts.feeds.update();
    assert.equal(parts.open.id, 'sandbox/mine');
  });

  it('offers another try above the events when a page fails', async () => {
    pages = { 1: [event()], 2: 500 };
    await parts.rows();
    await parts.loader.loadMore(parts.open);
    assert.deepEqual((await parts.rows()).slice(0, 4), [
      'Try Again',
      'Today',
      '  Opened #3 Crash at start',
      'Load More',
    ]);
    const [step] = await parts.tree.getChildren();
    assert.match(
      String(step && parts.tree.getTreeItem(step).accessibilityInformation?.label),
      /^Try Again\. gitlab\.example\.com has an internal error \(status 500\)\.$/,
    );
    pages = { 1: [event()], 2: [event({ id: 2, created_at: on(20) })] };
    await parts.loader.loadMore(parts.open);
    assert.deepEqual((await parts.rows()).slice(0, 4), [
      'Today',
      '  Opened #3 Crash at start',
      'Yesterday',
      '  Opened #3 Crash at start',
    ]);
  });

  it('shows records that it cannot read, with what came', async () => {
    pages = { 1: [{ id: 'x' }, { id: 'x' }, 'odd', event()] };
    await parts.loader.refresh(parts.open);
    const nodes = await parts.events();
    const items = nodes.map((node) => parts.tree.getTreeItem(node));
    assert.equal(nodes.filter(({ item }) => isUnrecognized(item)).length, 3);
    assert.equal(new Set(items.map(({ id }) => id)).size, 4, 'each has an id of its own');
    assert.ok(items.every(({ iconPath, accessibilityInformation }) => iconPath && accessibilityInformation?.label));
    const tooltip = (await parts.tree.resolveTreeItem(items[0] as never, nodes[0] as never)).tooltip;
    assert.match((tooltip as vscode.MarkdownString).value, /"id": "x"/);
  });

  describe('has tooltips that', () => {
    async function tooltipOf(fields: Partial<EventRecord>): Promise<vscode.MarkdownString> {
      pages = { 1: [event(fields)] };
      await parts.loader.refresh(parts.open);
      const [node] = await parts.events();
      assert.ok(node);
      const item = await parts.tree.resolveTreeItem(parts.tree.getTreeItem(node), node);
      return item.tooltip as vscode.MarkdownString;
    }
    const note = { id: 9, body: 'Me too', created_at: '', noteable_id: 70, noteable_type: 'Issue', noteable_iid: 3 };

    it('say who, where and when, and hold the text of a comment', async () => {
      const { value } = await tooltipOf({ action_name: 'commented on', target_type: 'Note', note });
      for (const part of ['Ada Byron', 'ada', 'group/project', '1 hour ago', 'Saturday, November 21, 2026', 'Me too']) {
        assert.ok(value.replaceAll('\\', '').replaceAll('&nbsp;', ' ').includes(part), `${part} in ${value}`);
      }
    });

    it('show text of the instance as text, neither as Markdown nor as a command', async () => {
      const body = '[run](command:workbench.action.quit) <img src="https://evil.example"> **bold** $(flame)';
      const tooltip = await tooltipOf({ action_name: 'commented on', note: { ...note, body } });
      assert.ok(!tooltip.isTrusted);
      assert.ok(!tooltip.supportHtml);
      assert.ok(!tooltip.supportThemeIcons);
      assert.match(tooltip.value, /\\\[run\\\]/);
      assert.match(tooltip.value, /\\\*\\\*bold/);
    });

    const push = {
      commit_count: 4,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: 'a'.repeat(40),
      commit_to: 'b'.repeat(40),
      ref: 'main',
      commit_title: 'Fix it',
    };
    const none = { target_id: null, target_iid: null, target_type: null, target_title: null };

    it('say how many commits a push has beside the one that the instance names', async () => {
      const { value } = await tooltipOf({ action_name: 'pushed', ...none, push_data: push });
      assert.match(value, /- Fix&nbsp;it\n- and&nbsp;3&nbsp;more&nbsp;commits/);
      assert.match(value, /main&nbsp;aaaaaaaa…bbbbbbbb/);
    });

    it('list the commits of a push that a repository has', async () => {
      parts.commits = ['bbbbbbbb Fix it', 'cccccccc Test it', 'dddddddd Draft it', 'eeeeeeee Plan it'];
      const { value } = await tooltipOf({ action_name: 'pushed', ...none, push_data: push });
      assert.equal(value.match(/^- /gm)?.length, 4);
      assert.match(value, /Plan&nbsp;it/);
    });
  });
});
