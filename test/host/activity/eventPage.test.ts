import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EventState } from '../../../src/activity/document/messages.ts';
import type { EventNode } from '../../../src/activity/tree/nodes.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { sampleEvent as event } from '../../support/anyEvent.ts';
import { closeTabs, RecordedPanel } from '../../support/recordedPanel.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

describe('the page of an event', () => {
  let records: unknown[];
  let older: unknown[];
  let window: ActivityWindow;
  let panel: RecordedPanel;
  const at = (hour: number): string => new Date(2026, 10, 21, hour).toISOString();
  const note = {
    id: 9,
    body: 'See **this**\n\n<b>and</b> [that](command:x)\n\n\tcode \u202e',
    created_at: '',
    noteable_id: 70,
    noteable_type: 'Issue',
    noteable_iid: 3,
    internal: true,
  };

  beforeEach(async () => {
    records = [];
    older = [];
    const instance = new ScriptedInstance((url) => {
      if (!url.pathname.endsWith('/events')) {
        return {
          json: { id: 7, name: 'p', path_with_namespace: 'group/p', web_url: 'https://gitlab.example.com/group/p' },
        };
      }
      const isSecond = url.searchParams.get('page') === '2';
      const next = `<${url.origin}${url.pathname}?page=2>; rel="next"`;
      return { json: isSecond ? older : records, headers: older.length > 0 && !isSecond ? { link: next } : {} };
    });
    window = await ActivityWindow.open(async () => instance.connection);
    panel = new RecordedPanel();
  });
  afterEach(async () => {
    window.dispose();
    await closeTabs();
  });

  /** Loads events, and gives the rows of them. */
  async function load(...events: unknown[]): Promise<readonly EventNode[]> {
    records = events;
    await window.feed.refresh();
    return await window.events();
  }

  /** The page as it was first filled, or as it was last changed. */
  function state(): EventState {
    const first = /<script type="application\/json" id="state"[^>]*>(.*?)<\/script>/s.exec(panel.webview.html)?.[1];
    const last = panel.posted.findLast(({ type }) => type === 'state');
    return JSON.parse(last ? JSON.stringify(last) : (first ?? 'null')) as EventState;
  }

  /** Restores the page with what it has kept. */
  async function revive(kept?: unknown): Promise<void> {
    await (await window.activity.commands()).revive.activityEvent(panel.asPanel, kept);
  }

  /** Shows an event in the page. */
  async function stateOf(fields: Partial<EventRecord>): Promise<EventState> {
    const [node] = await load(event(fields));
    await revive();
    // Two clicks at one moment are a double click.
    window.clock.jump(1000);
    await window.run('showEvent', node);
    return state();
  }

  it('opens by a click, in one tab that is used again', async () => {
    const [one, two] = await load(
      event({ id: 2, created_at: at(14) }),
      event({ target_title: 'Other', created_at: at(13) }),
    );
    const tabs = (): string[] =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .flatMap(({ input, label }) => (input instanceof vscode.TabInputWebview ? label : []));
    await window.run('showEvent', one);
    while (tabs().length === 0) {
      await new Promise(setImmediate);
    }
    assert.deepEqual(tabs(), ['#3 Crash at start']);
    await window.run('showEvent', two);
    while (!tabs().includes('#3 Other')) {
      await new Promise(setImmediate);
    }
    assert.equal(tabs().length, 1);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.match(input instanceof vscode.TabInputWebview ? input.viewType : '', /beacon\.activityEvent$/);
  });

  it('says why it names no project', async () => {
    window.accounts.push(sampleAccount('ada', 'https://one.example', { scopes: ['read_user'] }));
    window.use(window.accounts[0]);
    const { project, elsewhere } = await stateOf({ project_id: 77 });
    assert.deepEqual(project, { text: 'Project 77, not named: the token has neither api nor read_api' });
    assert.equal(elsewhere?.button, 'Open Project in Browser');
  });

  it('keeps its account when the window uses another one, says so, and goes when it is signed out', async () => {
    const [ada, bob] = [sampleAccount('ada', 'https://one.example'), sampleAccount('bob', 'https://two.example')];
    window.accounts.push(ada, bob);
    window.use(ada);
    const shown = await stateOf({});
    const [node] = (await window.events()) as [EventNode];
    assert.deepEqual([shown.account, shown.banner], ['Account: ada@one.example', undefined]);
    window.use(bob);
    assert.equal(
      state().banner,
      'This event is from a feed of the account ada@one.example; the window works as bob@two.example.',
    );
    assert.equal(panel.title, '#3 Crash at start (ada@one.example)');
    const { documents } = await window.activity.commands();
    assert.match(documents.provideTextDocumentContent(documents.uriOf(node)), /Crash at start/);
    window.use(ada);
    assert.equal(state().banner, undefined);
    window.use(bob);
    window.signOutOf(ada.id);
    assert.ok(panel.isDisposed);
  });

  it('goes with the sandbox when the window has no account any more', async () => {
    await stateOf({});
    assert.equal(panel.isDisposed, false);
    window.use(undefined);
    assert.equal(panel.isDisposed, true);
  });

  it('says who did what, where and when, and has the comment as it was written', async () => {
    const { title, author, project, time, notes, comment } = await stateOf({
      action_name: 'commented on',
      target_type: 'Note',
      note,
      imported: true,
      imported_from: 'gitea',
    });
    assert.deepEqual(title, {
      text: 'Commented on issue #3 “Crash at start”',
      link: 'https://gitlab.example.com/group/p/-/issues/3#note_9',
    });
    assert.deepEqual(author, { text: 'Ada Byron (@ada)', initials: 'AB', link: 'https://gitlab.example.com/ada' });
    assert.deepEqual(project, { text: 'group/p', link: 'https://gitlab.example.com/group/p' });
    assert.equal(time?.iso, at(14));
    assert.deepEqual(notes, ['internal comment', 'imported from gitea']);
    assert.equal(comment?.text, 'See **this**\n\n<b>and</b> [that](command:x)\n\n    code ');
    assert.equal(comment.projectPath, 'group/p');
    assert.equal(panel.title, '#3 Crash at start');
  });

  it('shows events of deleted authors, of no project, and of unknown kinds', async () => {
    const deleted = await stateOf({ author: null, author_username: null, author_id: null });
    assert.deepEqual([deleted.author?.text, deleted.author?.link], ['Someone', undefined]);
    const elsewhere = await stateOf({
      project_id: null,
      action_name: 'teleported',
      target_type: 'Odd',
      created_at: null,
    });
    assert.equal(elsewhere.title.text, 'Teleported Odd “Crash at start”');
    assert.deepEqual([elsewhere.project, elsewhere.time], [undefined, undefined]);
    const short = await stateOf({ author: { id: 1, username: '…', name: ' - ' } });
    assert.equal(short.author?.initials, '');
    const [node] = await load({ odd: '<b>\u202e' });
    await window.run('showEvent', node);
    assert.equal(state().raw, '{\n  "odd": "<b>"\n}');
  });

  it('shows what a push changed, and bulk pushes', async () => {
    const none = { target_id: null, target_iid: null, target_type: null, target_title: null, action_name: 'pushed' };
    const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];
    const data = {
      commit_count: 3,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: from,
      commit_to: to,
      ref: 'feature/x#1',
      commit_title: 'Fix',
    };
    const { push } = await stateOf({ ...none, push_data: data });
    assert.deepEqual(push?.facts, [
      { name: 'Branch', text: 'feature/x#1', link: 'https://gitlab.example.com/group/p/-/tree/feature/x%231' },
      {
        name: 'Range',
        text: 'aaaaaaaa…bbbbbbbb',
        link: `https://gitlab.example.com/group/p/-/compare/${from}...${to}`,
      },
      { name: 'Commits', text: '3' },
    ]);
    assert.deepEqual([push.commits, push.more], [['Fix'], 'and 2 more commits']);
    const bulk = await stateOf({
      ...none,
      push_data: {
        commit_count: 0,
        action: 'created',
        ref_type: 'tag',
        commit_from: null,
        commit_to: null,
        ref: null,
        commit_title: null,
        ref_count: 4,
      },
    });
    assert.equal(bulk.title.text, 'Created 4 tags');
    assert.deepEqual(bulk.push, { facts: [], commits: [], canShowChanges: false });
  });

  it('says where to read what events do not bring, and names the account where there are several', async () => {
    const opened = await stateOf({});
    assert.equal(opened.elsewhere?.sentence, 'The description can be read in the browser.');
    assert.equal(opened.account, undefined);
    window.accounts.push(sampleAccount('ada', 'https://one.example'), sampleAccount('bob', 'https://two.example'));
    const commented = await stateOf({ id: 2, action_name: 'commented on', target_type: 'Note', note });
    assert.deepEqual([commented.elsewhere, commented.account], [undefined, 'Account: marta@sandbox']);
  });

  it('marks what it shows as read, and goes to its row', async () => {
    await load(event({ id: 1, created_at: at(10) }));
    const [newest, next] = await load(
      ...[3, 2, 1].map((id) => event({ id, created_at: at(10 + id), target_title: `No. ${id}` })),
    );
    await window.view.look();
    assert.equal(window.view.badge?.value, 2);
    await revive();
    await window.run('showEvent', newest);
    assert.equal(window.view.badge?.value, 1);
    await window.run('showNextEvent');
    assert.equal(window.view.badge, undefined);
    assert.deepEqual(window.view.revealed, [next]);
    assert.deepEqual(window.view.focused, []);
    await window.run('showNextEvent');
    assert.deepEqual([...window.activity.readState.openedOf('sandbox')], [3, 2]);
  });

  it('bounds what is long', async () => {
    const { comment } = await stateOf({ note: { ...note, body: 'word '.repeat(150_000) } });
    assert.equal(comment?.isCut, true);
    assert.ok(comment.text.length <= 100_000);
  });

  it('goes to the next and previous event in the order of the view, also where one was muted, and loads more at the end', async () => {
    older = [event({ id: 1, created_at: at(9), target_title: 'Oldest' })];
    const [first] = await load(
      ...[14, 13, 12, 11].map((hour) =>
        event({
          id: hour,
          created_at: at(hour),
          target_title: `At ${hour}`,
          action_name: hour === 12 ? 'closed' : 'opened',
        }),
      ),
    );
    await revive();
    await window.run('showEvent', first);
    const shown: string[] = [];
    const step = async (name: string): Promise<void> => {
      await window.run(name);
      shown.push(/“(.*)”/.exec(state().title.text)?.[1] ?? '');
    };
    await step('showPreviousEvent');
    assert.deepEqual(panel.posted.at(-1), { type: 'hint', sentence: 'This is the first event of the feed.' });
    await step('showNextEvent');
    await step('showNextEvent');
    await window.activity.mutes.add({ accountId: 'sandbox', what: 'kind', value: 'closed Issue', name: 'x' });
    await step('showNextEvent');
    await step('showNextEvent');
    await step('showNextEvent');
    assert.deepEqual(panel.posted.at(-1), { type: 'hint', sentence: 'This is the last event of the feed.' });
    await step('showPreviousEvent');
    assert.deepEqual(shown, ['At 14', 'At 13', 'At 12', 'At 11', 'Oldest', 'Oldest', 'At 11']);
    // The focus is not taken from where it is.
    assert.deepEqual([panel.reveals > 0, vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)], [true, []]);
  });

  it('is restored with its event once that is loaded, and says until then how to go on', async () => {
    await revive({ feed: 'sandbox/mine', key: '1' });
    assert.match(state().problem ?? '', /^This event is not loaded\. Choose it/);
    await load(event());
    assert.equal(state().title.text, 'Opened issue #3 “Crash at start”');
    for (const kept of [
      undefined,
      'x',
      { feed: 1 },
      { feed: 'sandbox/mine', key: '99' },
      { feed: '__proto__', key: '1' },
    ]) {
      panel = new RecordedPanel();
      await revive(kept);
      assert.match(state().problem ?? '', /^This event is not loaded/);
    }
  });

  it('shows the name of the project as soon as it is known, and the present state when it is built again', async () => {
    records = [event()];
    const loading = window.feed.refresh();
    while (window.feed.state.items.length === 0) {
      await new Promise(setImmediate);
    }
    const [node] = await window.events();
    await revive();
    await window.run('showEvent', node);
    await loading;
    assert.equal(state().project?.text, 'group/p');
    panel.posted.length = 0;
    panel.send({ type: 'ready' });
    assert.equal(state().project?.text, 'group/p');
    panel.send({ type: 'act', action: 'anything' });
    panel.send({ type: 'act', action: 'openInBrowser', address: 'command:x' });
  });

  it('has its comment as it was written one click away', async () => {
    await stateOf({ action_name: 'commented on', target_type: 'Note', note });
    const registration = vscode.workspace.registerTextDocumentContentProvider(
      'beacon-event',
      (await window.activity.commands()).documents,
    );
    await window.run('showEventSource');
    const document = vscode.window.activeTextEditor?.document;
    registration.dispose();
    assert.equal(document?.languageId, 'markdown');
    const text = document.getText();
    assert.match(text, /^# ada commented on issue #3 “Crash at start”\n\n- Ada Byron \(@ada\)\n/);
    assert.ok(text.endsWith(`${note.body}\n`));
    assert.match(text, /- https:\/\/gitlab\.example\.com\/group\/p\/-\/issues\/3#note_9/);
    assert.equal(document.isDirty, false);
  });

  it('lends its event to the commands in the title of its tab', async () => {
    await stateOf({});
    const title = vscode.Uri.parse('webview-panel:webview-panel/webview-1');
    await window.run('copyLink', title);
    assert.equal(await vscode.env.clipboard.readText(), 'https://gitlab.example.com/group/p/-/issues/3');
    await window.run('openProjectFeed', title);
    assert.deepEqual(window.activity.choices.chosen, { kind: 'project', accountId: 'sandbox', id: 7, path: 'group/p' });
    assert.equal(state().title.text, 'Opened issue #3 “Crash at start”', 'though its feed is not shown any more');
    panel.dispose();
    await window.run('copyLink', title);
    await window.run('showNextEvent');
    await window.run('showEventSource');
  });
});
