import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import { EditorDialogs } from '../../../src/accounts/dialogs.ts';
import { Pins } from '../../../src/accounts/pins.ts';
import { showProblem } from '../../../src/accounts/problem.ts';
import { summaryAsCsv, summaryAsMarkdown } from '../../../src/activity/commands/summary.ts';
import { inertMarkdown } from '../../../src/activity/document/markdown.ts';
import { NewsNotifier } from '../../../src/activity/header.ts';
import type { EventNode } from '../../../src/activity/tree/eventNode.ts';
import type { ActivityNode } from '../../../src/activity/tree/nodes.ts';
import type { App } from '../../../src/app.ts';
import type { DsnFiles } from '../../../src/errorTracking/dsnFiles.ts';
import { KeyNotes } from '../../../src/errorTracking/keyNotes.ts';
import { Projects } from '../../../src/errorTracking/projects.ts';
import { TrackingRows } from '../../../src/errorTracking/tree.ts';
import { planDocument } from '../../../src/notifications/changes.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { anyEvent, sampleEvent } from '../../support/anyEvent.ts';
import { MemoryMemento } from '../../support/editorState.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

/** What no line of the editor may hold. */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\uFEFF\u{E0000}-\u{E0FFF}]/u;
const longestLine = 1000;
/** An event that does not happen. */
const unchanging: vscode.Event<never> = () => new vscode.Disposable(() => undefined);

/** A window that is signed in to an instance, as far as projects need it. */
function appOf({ connection }: ScriptedInstance, pins: Pins): App {
  return {
    pins,
    workspaceState: new MemoryMemento(),
    accounts: { all: [], onDidChange: unchanging },
    accountInUse: { account: connection.account, onDidChange: unchanging },
    workspaceProjects: { all: [], current: undefined, whenKnown: Promise.resolve(), onDidChange: unchanging },
    connections: { of: async () => connection },
  } as unknown as App;
}

function assertLine(line: unknown, what: string): void {
  assert.ok(line === undefined || typeof line === 'string', what);
  assert.doesNotMatch(line ?? '', harmful, what);
  assert.ok((line ?? '').length <= longestLine, `${what}: ${(line ?? '').length}`);
}

/** What the editor's own Markdown makes of a text. */
async function rendered(markdown: string): Promise<string> {
  return await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
}

/** Nothing of what others wrote is an element, and no link is of anything but the web or, in a report, a file of the workspace. */
function assertInert(html: string, schemes = /^(?:https?|mailto):/i): void {
  for (const [tag, name] of html.matchAll(/<([a-z][a-z0-9-]*)\b[^>]*>/gi)) {
    assert.match(
      name ?? '',
      /^(?:h[1-6]|p|ul|ol|li|a|em|strong|code|table|thead|tbody|tr|th|td|hr|br|pre|span)$/i,
      tag,
    );
  }
  for (const [, address = ''] of html.matchAll(/\b(?:href|src|data-href)="([^"]*)"/gi)) {
    assert.match(address, schemes);
  }
}

describe('hostile text of an instance', () => {
  let events: unknown[] = [];
  let project: object = {};
  let window: ActivityWindow;

  before(async () => {
    const instance = new ScriptedInstance((url) =>
      url.pathname.endsWith('/events') ? { json: events } : { json: { id: 7, name: 'p', ...project } },
    );
    window = await ActivityWindow.open(async () => instance.connection);
    project = { path_with_namespace: `a/b\u202e$(zap)\n[x](command:y)`, web_url: 'command:workbench.action.quit' };
    events = [sampleEvent()];
    await window.feed.refresh();
  });
  after(() => {
    window.dispose();
  });

  function tooltipOf(node: EventNode, commits: readonly string[]): vscode.MarkdownString {
    const look = { now: window.now, accounts: { all: [] } } as never;
    return node.tooltip(look, { comment: inertMarkdown(node.item.note?.body ?? ''), commits });
  }

  async function nodesOf(records: readonly unknown[]): Promise<EventNode[]> {
    events = [...records];
    window.activity.projects.expire();
    await window.feed.refresh();
    return await window.events();
  }

  it('is one harmless line in rows and what is read out', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyEvent, { selector: ({ id }) => id, minLength: 1, maxLength: 8 }),
        async (records) => {
          for (const node of await nodesOf(records)) {
            const item = window.tree.getTreeItem(node);
            const label = typeof item.label === 'object' ? item.label.label : item.label;
            assertLine(label, 'label');
            assertLine(item.description, 'description');
            assertLine(item.accessibilityInformation?.label, 'accessibility');
          }
        },
      ),
      runs(40),
    );
  });

  it('of any form and date is text in rows of every kind, and no record empties the view', async () => {
    const dates = fc.oneof(
      fc.constantFrom(
        '0001-01-01T00:00:00Z',
        '0999-12-31T00:00:00Z',
        '9999-12-31T23:59:59Z',
        '12026-01-01T00:00:00Z',
        '',
      ),
      fc.constantFrom(
        '9999-12-30T23:00:00-11:00',
        '1970-01-01T00:00:00+14:00',
        '-000001-01-01T00:00:00Z',
        '2026-02-30T00:00Z',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const names = Object.keys(sampleEvent());
    const any = fc.oneof(
      fc.tuple(anyEvent, dates).map(([event, date]) => ({ ...event, created_at: date })),
      fc
        .tuple(fc.nat(), fc.constantFrom(...names, 'push_data', 'note', 'wiki_page'), fc.jsonValue({ maxDepth: 3 }))
        .map(([id, name, value]) => ({ ...sampleEvent({ id }), [name]: value })),
      fc.jsonValue({ maxDepth: 4 }),
    );
    const all: ActivityWindow[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 12 }), async (records) => {
        const instance = new ScriptedInstance((url) =>
          url.pathname.endsWith('/events')
            ? { json: records, headers: { link: `<${url.href}&x=${instance.asked.length}>; rel="next"` } }
            : { json: { id: 7, name: 'p', ...project } },
        );
        const own = await ActivityWindow.open(async () => instance.connection);
        all.push(own);
        own.use(sandboxAccount);
        await own.activity.choices.pin({ kind: 'mine' });
        await own.activity.choices.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'a/b' });
        const kinds = new Set<string>();
        const visit = async (node?: ActivityNode): Promise<void> => {
          for (const child of await own.children(node)) {
            const item = own.tree.getTreeItem(child);
            kinds.add(child.kind);
            assertLine(item.label, 'label');
            assertLine(item.description, 'description');
            assertLine(item.accessibilityInformation?.label ?? undefined, 'accessibility');
            assert.ok((item.id ?? '').length < 300, 'id');
            if (child.kind === 'event') {
              await own.tree.resolveTreeItem(item, child);
            }
            await visit(child);
          }
        };
        await visit();
        assert.ok(kinds.has('feed') && kinds.has('message'), [...kinds].join());
        own.tree.updateTimes();
      }),
      runs(60),
    );
    all.forEach((own) => own.dispose());
  });

  it('is text in tooltips, which run nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (record) => {
        const [node] = await nodesOf([record]);
        assert.ok(node);
        const tooltip = tooltipOf(node, [record.action_name, record.created_at ?? '']);
        assert.ok(tooltip.isTrusted !== true && tooltip.supportHtml !== true && tooltip.supportThemeIcons !== true);
        assert.ok(tooltip.value.length < 20_000);
        // Tooltips show HTML as text, and know no formulas.
        assertInert(await rendered(tooltip.value.replaceAll('<', '&lt;').replaceAll('$', '&#36;')));
      }),
      runs(60),
    );
  });

  it('is text in a summary, with links to the web alone', async () => {
    const entry = fc.record({
      ...{
        at: hostileText,
        date: fc.constant('2026-11-16'),
        time: fc.constant('9:30 AM'),
        project: hostileText,
        author: hostileText,
      },
      projectUrl: fc.constantFrom(undefined, 'https://host/a b', 'https://host/a)(b<c>'),
      username: fc.constant('ada'),
      ...{ kind: hostileText, action: hostileText, commits: fc.nat(3), text: hostileText },
      targetType: fc.constant(undefined),
      targetTitle: fc.option(hostileText, { nil: undefined }),
      link: fc.webUrl().map((url) => `${url})[x](command:y)`),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 4 }), hostileText, async (entries, title) => {
        const html = await rendered(
          summaryAsMarkdown({
            title,
            from: '2026-11-16',
            to: '2026-11-17',
            entries,
            muted: 0,
            notes: ['Something is left out.'],
          }),
        );
        assertInert(html);
        assert.equal(html.match(/<h1/g)?.length, 1);
        assert.equal(html.match(/<h2/g)?.length ?? 0, new Set(entries.map(({ project: name }) => name)).size);
        assert.equal(html.match(/<li/g)?.length ?? 0, entries.length);
      }),
      runs(100),
    );
  });

  it('is text in the documents on notification settings', async () => {
    const scopes = fc.array(hostileText, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(scopes, hostileText, async (paths, title) => {
        const plans = paths.map((path, id) => ({
          scope: { kind: 'project', accountId: title, id, path } as const,
          expected: { level: 'watch', flags: {} },
          change: { level: title },
          notes: [{ kind: 'leftOut', events: [title] } as const],
        }));
        const html = await rendered(planDocument(title, plans));
        assertInert(html);
        assert.equal(html.match(/<h[12]/g)?.length, paths.length + 1);
      }),
      runs(60),
    );
  });

  it('is cut where it is huge', async () => {
    const [node] = await nodesOf([
      {
        ...sampleEvent({ action_name: hugeText, target_title: hugeText, target_type: 'Note' }),
        author: { id: 1, name: hugeText, username: hugeText },
        note: { id: 1, body: hugeText, created_at: '', noteable_type: hugeText },
      },
    ]);
    assert.ok(node);
    const item = window.tree.getTreeItem(node);
    // The label has the whole title, which the platform lets have 1,000 characters at most, and what it is of.
    assert.ok(typeof item.label === 'string' && item.label.length <= 2000);
    assert.ok((item.accessibilityInformation?.label ?? '').length <= 4000);
    const tooltip = tooltipOf(node, [hugeText]);
    assert.ok(tooltip.value.length < 20_000, String(tooltip.value.length));
  });

  it('of any form is a row of every kind of node of error tracking, distinct from its siblings', async () => {
    const any = fc.oneof(fc.jsonValue({ maxDepth: 2 }), hostileText, fc.constantFrom(-1, 1e300, null));
    const changed = (record: object): fc.Arbitrary<object> =>
      fc.oneof(
        fc.constant(record),
        fc.tuple(fc.constantFrom(...Object.keys(record)), any).map(([name, value]) => ({ ...record, [name]: value })),
      );
    const settings = fc.oneof(
      changed({ active: true, integrated: true, project_name: null, tracker_external_url: null, api_url: null }),
      fc
        .tuple(hostileText, fc.oneof(hostileText, fc.webUrl()))
        .map(([name, url]) => ({ active: true, integrated: false, project_name: name, tracker_external_url: url })),
    );
    // The same id comes twice where a key was made or deleted while the pages were read.
    const key = fc
      .integer({ min: 1, max: 3 })
      .chain((id) => changed({ id, active: id < 3, public_key: `glet_${id}`, tracker_dsn: `https://glet_${id}@h/1` }));
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        changed({ id: 7, name: 'p', path_with_namespace: 'a/b', web_url: 'https://gitlab.example.com/a/b' }),
        settings,
        fc.array(fc.oneof(key, key, fc.jsonValue()), { maxLength: 6 }),
        fc.constantFrom(200, 200, 200, 401, 403, 404, 500),
        async (record, tracking, keys, status) => {
          const instance = new ScriptedInstance(({ pathname }) =>
            pathname.endsWith('/error_tracking/settings')
              ? { json: tracking, status }
              : { json: pathname.endsWith('/client_keys') ? keys : record },
          );
          const { account } = instance.connection;
          const pins = new Pins(new MemoryMemento());
          await pins.add({ kind: 'project', accountId: account.id, id: 7, path: `a/b\u202e$(zap)\n[x](command:y)` });
          const app = appOf(instance, pins);
          await app.workspaceState.update('errorTracking.replacedKeys', [
            { accountId: account.id, projectId: 7, oldKeyId: 1, newKeyId: 2 },
          ]);
          const projects = new Projects(app);
          const files = ['a\u202e\n$(zap).env', `${'long'.repeat(100)}.env`].map((name) => ({
            uri: vscode.Uri.file(`/x/${name}`),
            dsns: [
              {
                range: new vscode.Range(0, 0, 0, 1),
                dsn: { text: '', publicKey: 'glet_1', origin: 'https://x.test', projectId: 1, envelopeUrl: '' },
              },
            ],
          }));
          const dsnFiles = { all: files, isComplete: true, onDidChange: unchanging } as unknown as DsnFiles;
          const notes = new KeyNotes(app, projects, dsnFiles);
          const rows = new TrackingRows(app, projects, notes);
          for (const root of rows.roots) {
            const nodes = [...rows.roots, ...rows.childrenOf(root, await projects.load(root.project))];
            const items = nodes.map(({ item }) => item);
            const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
            assert.equal(new Set(ids).size, ids.length, 'the editor shows none of the rows if two have one id');
            for (const { label, description, tooltip, accessibilityInformation, command, contextValue } of items) {
              kinds.add(contextValue?.split('+')[0] ?? '');
              assertLine(label, 'label');
              assertLine(description, 'description');
              assertLine(accessibilityInformation?.label, 'accessibility');
              assertLine(typeof tooltip === 'string' ? tooltip : undefined, 'tooltip');
              assert.ok(typeof tooltip !== 'object' || (tooltip.isTrusted !== true && tooltip.value.length < 3000));
              assert.match(command?.command ?? 'beacon.', /^(?:beacon\.|vscode\.open$)/);
              const opened: unknown = command?.command === 'vscode.open' ? command.arguments?.[0] : undefined;
              assert.ok(opened === undefined || (opened instanceof vscode.Uri && /^https?$/.test(opened.scheme)));
            }
          }
          const readable = projects.get({ accountId: account.id, idOrPath: 7 })?.tracking;
          assert.ok(!readable || readable.keys.length + readable.unreadableKeys <= keys.length);
          [notes, projects, pins].forEach((one) => one.dispose());
        },
      ),
      runs(200),
    );
    assert.deepEqual([...kinds].sort(), ['key', 'message', 'project', 'settings']);
  });

  it('is no address that is opened', async () => {
    for (const web_url of [
      'command:workbench.action.quit',
      'file:///etc/passwd',
      'vscode://x/y',
      'javascript:alert(1)',
    ]) {
      const instance = new ScriptedInstance(() => ({
        json: { id: 7, name: 'p', path_with_namespace: 'a/b', web_url },
      }));
      const projects = new Projects(appOf(instance, new Pins(new MemoryMemento())));
      assert.equal((await projects.load({ accountId: 'a', idOrPath: 7 })).facts?.webUrl, undefined);
      projects.dispose();
    }
    await nodesOf([sampleEvent()]);
    assert.equal(window.activity.projects.get('sandbox', 7)?.webUrl, undefined);
  });

  describe('in messages of the editor, which makes links of commands out of text', () => {
    const said: string[] = [];
    const { showInformationMessage, showWarningMessage, showQuickPick } = vscode.window;
    const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;
    const evil = 'ok [x](command:workbench.action.quit) $(zap)\n\u202e';

    before(() => {
      const record = async (sentence: string): Promise<undefined> => void said.push(sentence);
      const choose = async (lines: readonly vscode.QuickPickItem[]): Promise<undefined> =>
        void said.push(...lines.flatMap(({ label, description, detail }) => [label, description ?? '', detail ?? '']));
      Object.assign(vscode.window, {
        showInformationMessage: record,
        showWarningMessage: record,
        showQuickPick: choose,
      });
    });
    beforeEach(() => (said.length = 0));
    after(() => {
      Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showQuickPick });
    });

    it('is text alone: in problems, dialogs and choices', async () => {
      showProblem({ sentence: evil });
      const dialogs = new EditorDialogs({ log } as App, 'beacon.activity');
      dialogs.notify('info', evil);
      dialogs.notify('warning', evil);
      await dialogs.choose('t', '', [{ label: evil, description: evil, detail: evil, value: 1 }]);
      await dialogs.chooseMany('t', '', [{ label: evil, value: 1 }]);
      await dialogs.confirm({ question: evil, detail: evil, verb: 'x' });
      for (const sentence of said) {
        assertLine(sentence, 'message');
      }
      // What is modal shows text as text.
      assert.equal(said.length, 10);
      for (const sentence of said.slice(0, -1)) {
        assert.doesNotMatch(sentence, /\]\(|\$\(/);
      }
    });

    it('is text alone: in news', async () => {
      const settings = vscode.workspace.getConfiguration('beacon.activity');
      await settings.update('notifications', true, vscode.ConfigurationTarget.Global);
      try {
        await nodesOf([sampleEvent({ id: 50 })]);
        await window.activity.readState.markReadUpTo(window.feed, 50);
        await nodesOf([sampleEvent({ id: 51, target_title: evil })]);
        window.view.visible = false;
        await new NewsNotifier(window.activity).notify(window.feed);
        window.view.visible = true;
        assert.equal(said.length, 1);
        assert.match(said[0] ?? '', /ok \[x\]/);
        assert.doesNotMatch(said[0] ?? '', /\]\(|\$\(|\n/);
      } finally {
        await settings.update('notifications', undefined, vscode.ConfigurationTarget.Global);
      }
    });
  });

  it('is a value in tables', () => {
    const csv = summaryAsCsv({
      ...{ title: '', from: '', to: '', muted: 0, notes: [] },
      entries: [
        {
          ...{ at: '', date: '', time: '', project: '', projectUrl: undefined, author: '＝cmd', username: '\n=1' },
          ...{ kind: '', action: '+1', targetType: '-1', targetTitle: '@SUM(A1)', commits: -1, text: '=1', link: '' },
        },
      ],
    });
    assert.equal(csv.split('\r\n')[1], `,,'＝cmd," '=1",'+1,'-1,'@SUM(A1),-1,'=1,`);
  });
});
