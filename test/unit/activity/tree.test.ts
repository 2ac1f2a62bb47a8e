import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxAccount, SignedOutError } from '../../../src/accounts/account.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { type ActivityNode, ActivityWindow, allProjects, mine } from './activityWindow.ts';
import { sampleEvent as event } from './anyEvent.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const inside = insideWindow(import.meta.filename);

interface Manifest {
  readonly contributes: {
    readonly menus: Record<string, readonly { readonly command?: string; readonly when?: string }[]>;
  };
}

describe('the tree of the Activity view', () => {
  let pages: Record<string, unknown[] | number>;
  let instance: ScriptedInstance;
  let window: ActivityWindow;

  beforeEach(async () => {
    pages = { 1: [event()] };
    instance = new ScriptedInstance((url) => {
      const path = url.pathname.replace('/api/v4', '');
      const project = /^\/projects\/(\d+)$/.exec(path)?.[1];
      if (project === '404') {
        return { status: 404, json: { message: '404 Project Not Found' } };
      }
      if (project !== undefined) {
        const path_with_namespace = `group/project-${project}`;
        const web_url = `https://gitlab.example.com/${path_with_namespace}`;
        return { json: { id: Number(project), name: 'p', path_with_namespace, web_url, default_branch: 'trunk' } };
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
    window = await ActivityWindow.open(async () => instance.connection);
  });
  afterEach(async () => {
    window.dispose();
    await inside.window.setting('beacon.activity.authorPictures', undefined);
  });

  const on = (day: number, hour = 10) => new Date(2026, 10, day, hour, 0).toISOString();
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  /** Which days are open. */
  const states = async (feed?: ActivityNode) =>
    (await window.children(feed))
      .filter(({ kind }) => kind === 'day')
      .map((node) => window.item(node).collapsibleState);

  it('hands the project of an event, and of a feed that is one’s, to menus', async () => {
    pages = { 1: [event({ project_id: 7 }), event({ id: 2, project_id: null })], 2: [] };
    await window.activity.feeds.pin({ kind: 'project', accountId: 'sandbox', id: 9, path: 'group/nine' });
    await window.rows();
    const feeds = await window.children();
    const days = await window.children(feeds[1]);
    const events = (await Promise.all(days.map(async (day) => await window.children(day)))).flat();
    const projectsOf = (nodes: readonly ActivityNode[], kind: string): unknown[] =>
      nodes.filter((node) => node.kind === kind).map((node) => ('project' in node ? node.project : 'none'));
    assert.deepEqual(projectsOf(feeds, 'feed'), [{ accountId: 'sandbox', idOrPath: 9 }, undefined]);
    assert.deepEqual(projectsOf(events, 'event'), [{ accountId: 'sandbox', idOrPath: 7 }, undefined]);
  });

  it('opens days from the top until a screenful shows, and those that "Load More" brings', async () => {
    const days = (from: number, to: number) =>
      Array.from({ length: from - to }, (_, index) => from - index).flatMap((day) =>
        Array.from({ length: 20 }, (__, index) => event({ id: day * 100 - index, created_at: on(day, 9) })),
      );
    pages = { 1: days(21, 17), 2: days(17, 15) };
    assert.deepEqual(await states(), [Expanded, Expanded, Collapsed, Collapsed]);
    await window.feed.loadMore();
    assert.deepEqual((await states()).slice(4), [Expanded, Expanded]);
  });

  it('shows the picture of an author at the instance in place of the icon if beacon.activity.authorPictures is on', async () => {
    const at = (origin: string) => `${origin}/uploads/-/system/user/avatar/7/a.png`;
    const author = { id: 7, username: 'ada', name: 'Ada' };
    pages = {
      1: [
        event({ author: { ...author, avatar_url: at('https://gitlab.example.com') } }),
        event({ id: 2, author: { ...author, avatar_url: at('https://gravatar.example') } }),
        event({ id: 3 }),
      ],
    };
    await window.feed.refresh();
    assert.ok((await window.eventItems()).every(({ iconPath }) => iconPath instanceof vscode.ThemeIcon));
    const redrawn = new Promise((resolve) => window.tree.onDidChangeTreeData(resolve));
    await inside.window.setting('beacon.activity.authorPictures', true);
    await redrawn;
    const [first, ...others] = await window.eventItems();
    assert.ok(first?.iconPath instanceof vscode.Uri);
    assert.equal(first.iconPath.toString(true), `${at('https://gitlab.example.com')}?width=64`);
    assert.equal(first.label, 'Opened issue #3 “Crash at start”');
    assert.ok(others.every(({ iconPath }) => iconPath instanceof vscode.ThemeIcon));
    assert.ok(!instance.asked.some((path) => path.startsWith('/uploads/')), 'Beacon asks for none');
  });

  it('gives every event a stable id, an icon, a time and a sentence for screen readers', async () => {
    await window.feed.refresh();
    const [item] = await window.eventItems();
    assert.ok(item);
    const { id, label, description, iconPath, accessibilityInformation } = item;
    assert.deepEqual(
      [id, label, description, (iconPath as vscode.ThemeIcon).id, accessibilityInformation?.label],
      [
        ...['sandbox/mine/event/1', '#3 Crash at start', 'project-7 · 1h', 'issues'],
        'ada opened issue #3 “Crash at start”, group/project-7, 1 hour ago',
      ],
    );
    assert.equal(item.tooltip, undefined, 'the tooltip waits until it is asked for');
  });

  it('names who did it where there are several people, and no project where there is one alone', async () => {
    await window.activity.feeds.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'group/project-7' });
    await window.feed.refresh();
    const [item] = await window.eventItems();
    // First, because a narrow view cuts the end.
    assert.deepEqual([item?.label, item?.description], ['ada: #3 Crash at start', '1h']);
  });

  it('names the branch of a push unless it is the default one', async () => {
    const push = (id: number, ref: string) =>
      event({
        ...{ id, action_name: 'pushed to', target_type: null, target_iid: null, target_title: null },
        push_data: { action: 'pushed', ref_type: 'branch', ref, commit_count: 1, commit_title: 'Fix it' },
      });
    pages = { 1: [push(2, 'trunk'), push(1, 'main')] };
    await window.feed.refresh();
    const descriptions = (await window.eventItems()).map(({ description }) => description);
    assert.deepEqual(descriptions, ['project-7 · 1h', 'project-7 · 1h · main']);
  });

  it('draws nothing again when nothing has changed', async () => {
    await window.events();
    await window.feed.refresh();
    const changes = window.changes();
    await window.feed.refresh();
    assert.deepEqual(changes, []);
  });

  it('replaces no row while the editor goes to one, and shows afterwards what has come meanwhile', async () => {
    pages = { 1: [event({ id: 2 })], 2: [event({ id: 1, created_at: on(20) })] };
    await window.view.look();
    const going = Promise.withResolvers<void>();
    const reveal = window.view.reveal.bind(window.view);
    const changes: unknown[] = [];
    window.view.reveal = async (node) => {
      window.tree.onDidChangeTreeData((change) => changes.push(change));
      await going.promise;
      await reveal(node);
    };
    const loading = window.run('loadMore');
    await inside.window.until(() => window.feed.state.items.length === 2 && window.feed.state.loading === 0);
    pages = { 1: [event({ id: 3 }), event({ id: 2 })], 2: [event({ id: 1, created_at: on(20) })] };
    await window.run('refresh');
    assert.equal(window.feed.state.items.length, 3);
    assert.deepEqual(changes, []);
    going.resolve();
    await loading;
    await window.view.settled();
    assert.equal(window.view.revealed.length, 1);
    assert.deepEqual(
      window.view.nodes.flatMap((row) => (row.kind === 'event' ? [String(row.item.id)] : [])),
      ['3', '2', '1'],
    );
  });

  it('keeps what is selected and which days are open through a refresh, a page and a filter', async () => {
    pages = { 1: [event({ id: 3 }), event({ id: 2, created_at: on(20) })], 2: [event({ id: 1, created_at: on(19) })] };
    await window.view.look();
    const idOf = (row: ActivityNode | undefined) => row && window.view.itemOf(row)?.id;
    const kept = window.view.nodes.flatMap((row) => (row.kind === 'day' || row.kind === 'event' ? [idOf(row)] : []));
    pages = { ...pages, 1: [event({ id: 4 }), event({ id: 3 }), event({ id: 2, created_at: on(20) })] };
    // What was read first is kept by then, which the rows hear of.
    await new Promise(setImmediate);
    const changes = window.changes();
    await window.run('refresh');
    assert.ok(changes.length <= 2, 'one event for what came, one for the names of projects');
    await window.run('loadMore');
    await window.activity.feeds.setFilter(window.feed.id, { actions: ['opened'] });
    await window.view.settled();
    await window.activity.feeds.setFilter(window.feed.id, {});
    await window.view.settled();
    const ids = window.view.nodes.map(idOf);
    // By these the editor knows rows again.
    assert.ok(kept.every((id) => ids.includes(id)));
    assert.equal(new Set(ids).size, ids.length);
  });

  it('says how long ago it is as time goes by, in the rows that read otherwise', async () => {
    pages = { 1: [event({ id: 2, created_at: on(21, 14) }), event({ id: 1, created_at: on(20) })] };
    await window.feed.refresh();
    await window.eventItems();
    window.tree.updateTimes();
    const changes = window.changes();
    window.tree.updateTimes();
    assert.deepEqual(changes, []);
    window.now = new Date(2026, 10, 21, 16, 0);
    window.tree.updateTimes();
    assert.equal(changes.length, 1);
    assert.equal((await window.eventItems())[0]?.description, 'project-7 · 2h');
  });

  it('calls yesterday what was today when midnight has passed', async () => {
    assert.equal((await window.rows())[0], 'Today');
    window.now = new Date(2026, 10, 22, 0, 1);
    window.tree.updateTimes();
    assert.equal((await window.rows())[0], 'Yesterday');
  });

  it('shows a day of very many events step by step', async () => {
    pages = { 1: Array.from({ length: 250 }, (_, index) => event({ id: 1000 - index })) };
    const [day] = await window.children();
    assert.ok(day?.kind === 'day');
    const children = await window.children(day);
    assert.equal(children.length, 101);
    assert.equal(window.labelOf(children[100] as never), 'Show 150 More Events');
    window.tree.showMoreOf(day);
    assert.equal((await window.children(day)).length, 250);
  });

  it('shows as many events of a day as it takes to reveal the first that "Load More" has brought', async () => {
    pages = {
      1: Array.from({ length: 100 }, (_, index) => event({ id: 1000 - index })),
      2: Array.from({ length: 100 }, (_, index) => event({ id: 900 - index })),
      3: [],
    };
    await window.view.look();
    const [day] = window.view.nodes;
    const { length } = window.view.asked;
    await window.run('loadMore');
    await window.view.settled();
    const [first] = window.view.revealed;
    assert.equal(first?.kind === 'event' && first.item.id, 900);
    assert.deepEqual(window.view.selection, [first]);
    assert.ok(first && (await window.children(day)).includes(first));
    assert.ok(window.view.asked.slice(length).every((node) => node === undefined || node === day));
    await window.run('loadMore');
    assert.equal(window.view.revealed.length, 1, 'nothing more has come');
  });

  it('goes to the row of the feed that was chosen, where there are several', async () => {
    const asked: string[] = [];
    window.view.reveal = async (node) => void asked.push(window.labelOf(node as ActivityNode));
    await window.view.look();
    await window.tree.revealChosen();
    assert.deepEqual(asked, [], 'the only feed has no row');
    await window.activity.feeds.pin(allProjects);
    await window.view.settled();
    await window.tree.revealChosen();
    window.view.visible = false;
    await window.tree.revealChosen();
    assert.deepEqual(asked, ['My Activity'], 'a hidden view is left alone');
    window.view.visible = true;
    // As the editor does while it asks for the rows again.
    window.view.reveal = () => Promise.reject(new Error('Cannot resolve tree item'));
    await window.tree.revealChosen();
  });

  it('shows several feeds as roots, with the events of each below it', async () => {
    await window.activity.feeds.pin(allProjects);
    const roots = await window.children();
    assert.deepEqual(
      roots.map((node) => window.labelOf(node)),
      ['All My Projects', 'My Activity'],
    );
    assert.deepEqual((await window.rows(roots[0])).slice(0, 2), ['Today', '  ada: #3 Crash at start']);
    assert.equal(instance.asked.filter((path) => /^\/events.*scope=all/.test(path)).length, 1);
    const [day] = await window.children(roots[0]);
    assert.equal(day && window.tree.getParent(day), roots[0]);
  });

  it('says above several feeds what has failed of all of them, where it wraps', async () => {
    await window.activity.feeds.pin(allProjects);
    const [first, second] = await window.children();
    pages = { 1: 500 };
    await window.rows(first);
    assert.equal(window.view.message, '');
    await window.rows(second);
    assert.equal(window.view.message, 'gitlab.example.com has an internal error (status 500).');
  });

  it('opens one day of each of several feeds, so that the next feed is in sight, and more of one alone', async () => {
    pages = { 1: [21, 20, 19].map((day) => event({ id: day, created_at: on(day) })) };
    assert.deepEqual(await states(), [Expanded, Expanded, Expanded]);
    await window.activity.feeds.pin(allProjects);
    for (const feed of await window.children()) {
      assert.deepEqual(await states(feed), [Expanded, Collapsed, Collapsed]);
    }
    await window.run('unpinFeed', (await window.children())[0]);
    assert.deepEqual(await states(), [Expanded, Expanded, Expanded]);
  });

  it('has but three days of each of several feeds as rows, and reaches the others', async () => {
    pages = { 1: [21, 20, 19, 18, 17].map((day) => event({ id: day, created_at: on(day) })), 2: [] };
    assert.equal((await states()).length, 5);
    await window.activity.feeds.pin({ kind: 'allProjects', accountId: 'sandbox' });
    const [feed] = await window.children();
    const rows = await window.children(feed);
    const more = rows.at(-1);
    assert.equal(more?.kind, 'moreDays');
    assert.equal(rows.length, 4);
    assert.equal(window.tree.getTreeItem(more).description, '2');
    const [day, , last] = await window.children(more);
    assert.deepEqual(
      [day, last].map((node) => node && window.labelOf(node)),
      ['Wed, Nov 18', 'Load More'],
    );
    assert.ok(day);
    assert.deepEqual(
      [day, more].map((node) => window.tree.getParent(node)),
      [more, feed],
    );
  });

  it('shows the pin of a feed that is pinned, alone and among others', async () => {
    await window.activity.feeds.pin(allProjects);
    const icons = (await window.items()).map(({ iconPath }) => (iconPath as vscode.ThemeIcon).id);
    assert.deepEqual(icons, ['pinned', 'account']);
    await window.activity.feeds.choose(allProjects);
    assert.match(window.view.description ?? '', /^All My Projects · pinned · marta@sandbox/);
  });

  it('loads feeds whose rows are closed, too: they count', async () => {
    await window.activity.feeds.pin(allProjects);
    await window.items();
    await inside.window.until(() => window.activity.feeds.all.every(({ state }) => state.loaded), 'both feeds');
  });

  it('keeps a pinned feed as that of the account with which it was pinned, as long as that is signed in', async () => {
    const marta = window.keepAccount(sampleAccount('marta', 'https://gitlab.example'));
    const bo = window.keepAccount(sampleAccount('bo', 'https://other.example'));
    window.use(marta);
    await window.activity.feeds.choose({ kind: 'allProjects', accountId: marta.id });
    await window.run('pinFeed');
    const shown = (): string[] => window.activity.feeds.shown.map(({ isPinned, feed }) => `${isPinned} ${feed?.id}`);
    assert.deepEqual(shown(), [`true ${marta.id}/allProjects`], 'it is the chosen one');
    window.use(bo);
    assert.deepEqual(shown(), [`true ${marta.id}/allProjects`, `false ${bo.id}/allProjects`]);
    // Each row says whose it is: the title would say it of both.
    assert.doesNotMatch(window.view.description ?? '', /@/);
    const texts = (await window.items()).map(({ description, tooltip }) => [description, tooltip]);
    assert.deepEqual(
      texts,
      [marta, bo].map(({ id }) => [
        `${id.split('@')[1]} · GitLab leaves out MRs and epics`,
        `All My Projects\n${id}\nGitLab leaves out MRs and epics`,
      ]),
    );
    window.signOutOf(marta.id);
    assert.deepEqual(shown(), [`false ${bo.id}/allProjects`]);
    window.keepAccount(marta);
    assert.deepEqual(shown(), [`true ${marta.id}/allProjects`, `false ${bo.id}/allProjects`]);
    await window.run('unpinFeed', (await window.children())[0]);
    assert.deepEqual(shown(), [`false ${bo.id}/allProjects`]);
  });

  it('shows and counts nothing any more of a pinned feed whose account is signed out of', async () => {
    const own = await ActivityWindow.open(async (id) => {
      if (!own.accounts.some((account) => account.id === id)) {
        throw new SignedOutError(id);
      }
      return instance.connection;
    });
    try {
      const marta = own.keepAccount(sampleAccount('marta', 'https://gitlab.example'));
      own.use(own.keepAccount(sampleAccount('bo', 'https://other.example')));
      await own.activity.feeds.pin({ kind: 'project', accountId: marta.id, path: 'group/project' });
      const [row] = await own.children();
      await own.rows(row);
      await own.run('markUnread', (await own.events(row))[0]);
      const description = async (): Promise<unknown> => own.item((await own.children())[0]).description;
      assert.equal(await description(), 'gitlab.example · 1 new');
      assert.equal(own.view.badge?.value, 1);
      own.signOutOf(marta.id);
      assert.equal(own.view.badge, undefined);
      assert.equal(await description(), 'marta@gitlab.example');
      assert.match((await own.rows((await own.children())[0])).join(), /^Sign In/);
    } finally {
      own.dispose();
    }
  });

  it('says of a feed that the token may name no project, unless all are known from a token before', async () => {
    pages = { 1: [event({ project_id: 404 })] };
    const account = window.keepAccount(sampleAccount('ada', 'https://gitlab.example', { scopes: ['read_user'] }));
    window.use(account);
    await window.feed.refresh();
    await window.view.look();
    assert.match(window.view.description ?? '', /· no project names \(token without read_api\) ·/);
    window.keepAccount({ ...account, scopes: ['read_api'] });
    assert.doesNotMatch(window.view.description ?? '', /no project names/);
    pages = { 1: [event()] };
    await window.feed.refresh();
    window.keepAccount(account);
    await window.feed.refresh();
    assert.doesNotMatch(window.view.description ?? '', /no project names/);
  });

  it('offers nothing about a project whose name the token cannot read', async () => {
    pages = { 1: [event(), event({ id: 2, project_id: 404 })] };
    await window.feed.refresh();
    const [known, unknown] = (await window.eventItems()).map(({ contextValue }) => contextValue ?? '');
    assert.match(known ?? '', /\bproject\b/);
    assert.doesNotMatch(unknown ?? '', /\bproject\b/);
  });

  it('offers what the token may do with notifications, and where it reads feeds alone what says that it may not', async () => {
    const extension = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
    assert.ok(extension);
    const entries = Object.values((extension.packageJSON as Manifest).contributes.menus).flat();
    const offered = async (...scopes: string[]) => {
      window.keepAccount(sampleAccount('ada', 'https://gitlab.example', { scopes }));
      const words = (await window.eventItems())[0]?.contextValue ?? '';
      return entries.flatMap(({ command = '', when = '' }) => {
        const [, pattern] = /^view == beacon\.activity && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
        const isOffered = pattern !== undefined && new RegExp(pattern).test(words);
        return isOffered && command.startsWith('beacon.notifications.') ? command : [];
      });
    };
    window.use(window.keepAccount(sampleAccount('ada', 'https://gitlab.example')));
    await window.feed.refresh();
    const [change, open] = ['beacon.notifications.change', 'beacon.notifications.openOfProject'];
    assert.deepEqual(await offered('api'), [change]);
    assert.deepEqual(await offered('read_api'), [open]);
    assert.deepEqual(await offered('read_user'), [change]);
  });

  it('says when nothing has happened, when nothing passes the filter, and that some of it is muted', async () => {
    pages = { 1: [] };
    assert.ok((await window.rows()).includes('Nothing has happened here'));
    await window.activity.feeds.setFilter(window.feed.id, { actions: ['pushed'] });
    assert.deepEqual(await window.rows(), ['Clear Filter', 'No event matches the filter']);
    pages = { 1: [event()] };
    await window.activity.feeds.setFilter(window.feed.id, { author: 'ada' });
    await window.mute('project', '7', 'project-7');
    const rows = await window.items();
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Clear Filter', 'by @ada'],
        ['Muted events: 1', 'project-7'],
        ['Nothing matches that is not muted', 'Select Another Feed…'],
      ],
    );
  });

  it('says first what narrows the feed down, with a click that clears it', async () => {
    pages = { 1: [event({ author: { id: 1, username: 'ada', name: 'Ada' } })] };
    assert.doesNotMatch((await window.rows()).join('\n'), /Clear Filter/);
    await window.activity.feeds.setFilter(window.feed.id, { author: 'ada', order: 'asc' });
    await window.activity.feeds.setFilter('another', { author: 'bo' });
    assert.equal((await window.rows())[0], 'Clear Filter');
    const [row] = await window.items();
    assert.deepEqual(
      [row?.command?.command, row?.description, row?.command?.arguments],
      ['beacon.activity.clearFilter', 'by @ada · oldest first', [{ feed: window.feed }]],
    );
  });

  it('shows all projects while this workspace, whose project was chosen, has none, and says so beside a pinned one', async () => {
    await window.activity.feeds.choose({ kind: 'workspaceProject' });
    assert.equal(window.feed.id, 'sandbox/allProjects');
    window.openProject({ accountId: 'sandbox', path: 'group/project' });
    assert.equal(window.feed.id, 'sandbox/project/group/project');
    window.openProject(undefined);
    await window.activity.feeds.pin({ kind: 'workspaceProject' });
    const [pinned] = await window.items();
    assert.equal(pinned?.description, 'No project here');
    assert.equal(
      pinned?.tooltip,
      'Workspace Project\nNo repository of a project on your instances is open in this window',
    );
  });

  it('begins with all projects, goes on to that of the repository that opens, and stays where something is chosen', async () => {
    await window.workspaceState.update('activity.feed', undefined);
    window.use(sandboxAccount);
    assert.equal(window.feed.id, 'sandbox/allProjects');
    window.openProject({ accountId: 'sandbox', path: 'group/project' });
    assert.equal(window.feed.id, 'sandbox/project/group/project');
    await window.activity.feeds.choose(mine);
    window.openProject(undefined);
    assert.equal(window.feed.id, 'sandbox/mine');
  });

  it('offers another try above the events when a page fails', async () => {
    pages = { 1: [event()], 2: 500 };
    await window.rows();
    await window.feed.loadMore();
    assert.deepEqual(await window.rows(), ['Try Again', 'Today', '  #3 Crash at start', 'Load More']);
    const [step] = await window.items();
    assert.match(
      step?.accessibilityInformation?.label ?? '',
      /^Try Again\. gitlab\.example\.com has an internal error \(status 500\)\.$/,
    );
    pages = { 1: [event()], 2: [event({ id: 2 }), event({ id: 3, created_at: on(20) })], 3: [] };
    await window.feed.loadMore();
    const row = '  #3 Crash at start';
    assert.deepEqual(await window.rows(), ['Today', row, row, 'Yesterday', row, 'Load More']);
  });

  describe('has tooltips that', () => {
    async function tooltip(): Promise<string> {
      const [node] = await window.events();
      assert.ok(node);
      const item = await window.tree.resolveTreeItem(window.item(node), node);
      return (item.tooltip as vscode.MarkdownString).value;
    }

    it('say who, where and when, and hold the text of a comment', async () => {
      const note = { id: 9, body: 'Me too', created_at: '', noteable_id: 70, noteable_type: 'Issue', noteable_iid: 3 };
      const imported = { imported: true, imported_from: 'gitea' };
      pages = { 1: [event({ action_name: 'commented on', target_type: 'Note', note, ...imported })] };
      await window.feed.refresh();
      const text = (await tooltip()).replaceAll('\\', '').replaceAll('&nbsp;', ' ');
      const moment = ['1 hour ago', 'Saturday, November 21, 2026'];
      for (const part of ['ada commented on', 'Ada Byron (@ada)', 'group/project', ...moment, 'from gitea', 'Me too']) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
    });

    it('name the account where there are several', async () => {
      assert.doesNotMatch(await tooltip(), /Account/);
      window.accounts.push(sampleAccount('marta', 'https://one.example'), sampleAccount('bob', 'https://two.example'));
      assert.match(await tooltip(), /Account: marta/);
    });

    it('say how many commits a push has beside the one that the instance names', async () => {
      const commits = { commit_count: 4, commit_from: 'a'.repeat(40), commit_to: 'b'.repeat(40) };
      const push_data = { ...commits, commit_title: 'Fix it', action: 'pushed', ref_type: 'branch', ref: 'main' };
      pages = { 1: [event({ action_name: 'pushed', target_iid: null, target_type: null, push_data })] };
      assert.match(await tooltip(), /main aaaaaaaa…bbbbbbbb/);
      assert.match(await tooltip(), /- Fix it\n- and 3 more commits/);
    });
  });
});
