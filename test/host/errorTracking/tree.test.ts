import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseDsn } from '../../../src/errorTracking/dsn.ts';
import { ErrorTrackingView, type ErrorTrackingViewDeps } from '../../../src/errorTracking/errorTrackingView.ts';
import { DsnDrag } from '../../../src/errorTracking/insertion/dragAndDrop.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { ErrorTrackingWindow } from '../../support/errorTrackingWindow.ts';
import { failing } from '../../support/sandbox/transforms.ts';

const shortened = /^glet_[0-9a-f]{4}…[0-9a-f]{4} /;

interface Manifest {
  readonly contributes: {
    readonly menus: { readonly 'view/item/context': readonly { readonly command?: string; readonly when: string }[] };
  };
}

describe('the tree of the Error Tracking view', () => {
  let window: ErrorTrackingWindow;
  const open = async (...args: Parameters<typeof ErrorTrackingWindow.open>): Promise<ErrorTrackingWindow> => {
    window = await ErrorTrackingWindow.open(...args);
    return window;
  };
  afterEach(() => window.close());

  const states: readonly [path: string, lines: (string | RegExp)[]][] = [
    [
      'harbor/tide-table',
      ['Integrated error tracking [enabled]', /^glet_[0-9a-f]{4}…[0-9a-f]{4} \[active\]$/, /\[inactive\]$/],
    ],
    ['harbor/berth-planner', ['Error tracking is not set up', 'Set Up Error Tracking…']],
    ['harbor/tools/winch', ['External tracker: Harbor / Winch [enabled]']],
    ['harbor/tools/logbook', ['Integrated error tracking [disabled]']],
  ];
  for (const [path, expected] of states) {
    it(`describes the error tracking of ${path}`, async () => {
      await open();
      const lines = await window.lines(await window.pin(path));
      assert.equal(lines.length, expected.length);
      expected.forEach((line, index) =>
        typeof line === 'string' ? assert.equal(lines[index], line) : assert.match(lines[index] ?? '', line),
      );
    });
  }

  it('shows the project of the workspace first, then the pinned ones, and none twice', async () => {
    await open();
    await window.pin('harbor/tools/winch');
    await window.pin('harbor/tide-table');
    window.openRepository('harbor/tide-table', vscode.Uri.file('/repositories/0'));
    const roots = (await window.tree.getChildren()).map((node) => window.tree.getTreeItem(node));
    assert.deepEqual(
      roots.map(({ label, description }) => [label, description]),
      [
        ['harbor/tide-table', 'this workspace'],
        ['harbor/tools/winch', ''],
      ],
    );
    assert.equal(roots[0]?.accessibilityInformation?.label, 'Project harbor/tide-table, of this workspace');
    assert.equal(roots[1]?.accessibilityInformation?.label, 'Project harbor/tools/winch, pinned');
  });

  it('waits until there is a project, or it is known that the workspace has none', async () => {
    await open();
    const { promise: whenKnown, resolve } = Promise.withResolvers<void>();
    window.workspace.whenKnown = whenKnown;
    const paths = async (): Promise<string[]> => (await window.tree.getChildren()).map(({ project: { path } }) => path);
    const found = paths();
    window.openRepository('harbor/tide-table', vscode.Uri.file('/repositories/0'));
    assert.deepEqual(await found, ['harbor/tide-table']);
    window.workspace.all = [];
    window.workspace.current = undefined;
    const none = paths();
    resolve();
    assert.deepEqual(await none, []);
  });

  it('reads the project of another account again with its new token', async () => {
    await open();
    const [ada, eve] = [sampleAccount('ada', 'https://one.example'), sampleAccount('eve', 'https://one.example')];
    window.accounts.all.push(ada, eve);
    const renewed = new vscode.EventEmitter<readonly string[]>();
    const treeView = { description: '' };
    const view = new ErrorTrackingView({
      ...{ connections: window.connections, projects: window.projects, states: window.states, pins: window.pins },
      ...{ journal: window.journal, tree: { rows: window.tree }, view: treeView },
      accounts: { all: window.accounts.all, onDidChange: renewed.event },
      accountInUse: { account: ada, onDidChange: window.inUse.onDidChange },
    } as unknown as ErrorTrackingViewDeps);
    try {
      assert.equal(treeView.description, ada?.id);
      window.openRepository('harbor/tide-table', vscode.Uri.file('/0'), eve.id);
      const [project] = window.projects.all;
      assert.ok(project);
      // Of two accounts the rows name theirs; the menu of the title is about that of the window.
      assert.equal(treeView.description, '');
      const { accessibilityInformation } = window.tree.getTreeItem({ kind: 'project', project });
      assert.match(accessibilityInformation?.label ?? '', /, of this workspace, account: eve@one\.example$/);
      window.sandbox.control.transform({ answer: 403 });
      assert.ok((await window.lines(project)).every((line) => !line.startsWith('glet_')));
      window.sandbox.control.transform();
      let updates = 0;
      window.tree.onDidChangeTreeData(() => (updates += 1));
      renewed.fire([ada.id]);
      assert.equal(updates, 0);
      renewed.fire([eve.id]);
      assert.equal(updates, 1);
      assert.ok((await window.lines(project)).some((line) => line.startsWith('glet_')));
    } finally {
      view.dispose();
      renewed.dispose();
    }
  });

  it('offers in menus nothing that a token which only reads must fail at', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    const extension = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
    assert.ok(extension);
    const { menus } = (extension.packageJSON as Manifest).contributes;
    const offered = async () =>
      [{ kind: 'project', project } as const, ...(await window.nodes(project))].map((node) => {
        const value = window.tree.getTreeItem(node).contextValue ?? '';
        const matching = menus['view/item/context'].filter(({ when }) => {
          const [, pattern] = /^view == beacon\.errorTracking && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
          return pattern !== undefined && new RegExp(pattern).test(value);
        });
        return [...new Set(matching.map(({ command = '' }) => command.replace(/^beacon\./, '')))];
      });
    const changing = /createKey|deleteKey|rotateKey|disable|notifications\.change/;
    const before = await offered();
    assert.equal(before.flat().filter((command) => changing.test(command)).length, 7);
    const rest = { id: project.accountId, scopes: ['read_api'] };
    window.accounts.all.push(sampleAccount('ada', window.sandbox.url, rest));
    assert.deepEqual(
      await offered(),
      before.map((commands) => commands.filter((command) => !changing.test(command))),
    );
  });

  it('shortens public keys and has the full DSN in the tooltip', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    const nodes = await window.nodes(project);
    const key = nodes.find((node) => node.kind === 'key');
    assert.ok(key?.kind === 'key');
    const item = window.tree.getTreeItem(key);
    assert.match(`${item.label as string} `, shortened);
    const tooltip = item.tooltip as vscode.MarkdownString;
    assert.ok(tooltip.value.includes(key.key.tracker_dsn));
    assert.ok(!tooltip.isTrusted);
    assert.match(item.accessibilityInformation?.label ?? '', /^Client key glet_.*, active$/);
  });

  it('draws nothing again where the instance says the same: that would close the list of a command', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    await window.nodes(project);
    let changes = 0;
    window.tree.onDidChangeTreeData(() => (changes += 1));
    const before = window.states.get(project);
    assert.equal(await window.states.reload(project).then(() => window.states.get(project)), before);
    assert.equal(changes, 0);
    const active = before?.tracking?.keys.find((key) => key.active);
    window.sandbox.control.deactivateKey(active?.id ?? 0);
    await window.states.reload(project);
    assert.equal(changes, 1);
  });

  it('links to an external tracker', async () => {
    await open();
    const [settings] = await window.nodes(await window.pin('harbor/tools/winch'));
    assert.ok(settings);
    const { command } = window.tree.getTreeItem(settings);
    assert.equal(command?.command, 'vscode.open');
    assert.equal(String(command.arguments?.[0]), 'https://tracker.example/harbor/winch');
  });

  it('drags the DSN of an active key, and nothing of an inactive one', async () => {
    await open();
    const nodes = await window.nodes(await window.pin('harbor/tide-table'));
    const [active, inactive] = nodes.filter((node) => node.kind === 'key');
    assert.ok(active?.kind === 'key' && inactive?.kind === 'key');
    const transfer = new vscode.DataTransfer();
    new DsnDrag().handleDrag([active], transfer);
    assert.equal(await transfer.get('text/plain')?.asString(), active.key.tracker_dsn);
    const nothing = new vscode.DataTransfer();
    new DsnDrag().handleDrag([inactive], nothing);
    assert.equal(nothing.get('text/plain'), undefined);
  });

  const problems: readonly [name: string, username: string, scopes: string[], path: string, lines: RegExp[]][] = [
    [
      'a missing role',
      'tomasz',
      ['api'],
      'harbor/tide-table',
      [/^Maintainer or Owner needed$/, /^Open Project Members$/, /^Try Again$/],
    ],
    [
      'a project that is hidden',
      'ines',
      ['api'],
      'drydock/hull-survey',
      [/^The project drydock\/hull-survey was not found on .*, or is not visible to you\.$/, /^Unpin$/, /^Try Again$/],
    ],
    [
      'a missing scope',
      'marta',
      ['read_user'],
      'harbor/tide-table',
      [
        /^The token for marta@sandbox may not read this: that needs the token scope read_api/,
        /^Renew Token…$/,
        /^Try Again$/,
      ],
    ],
  ];
  for (const [name, username, scopes, path, expected] of problems) {
    it(`says what to do about ${name}`, async () => {
      await open(username, { scopes });
      const lines = await window.lines(await window.pin(path, path === 'harbor/tide-table' ? 501 : 506));
      assert.equal(lines.length, expected.length, lines.join(' | '));
      expected.forEach((line, index) => assert.match(lines[index] ?? '', line));
    });
  }

  it('renews the token of the account that a project is read with', async () => {
    await open('marta', { scopes: ['read_user'] });
    const project = await window.pin('harbor/tide-table', 501);
    const commands = (await window.nodes(project)).map((node) => window.tree.getTreeItem(node).command);
    const renewal = commands.find((command) => command?.command === 'beacon.renewToken');
    assert.deepEqual(renewal?.arguments, [project.accountId]);
  });

  it('begins the row of a missing role with the role, and offers another account where the instance has one', async () => {
    await open('tomasz');
    const project = await window.pin('harbor/tide-table', 501);
    const own = sampleAccount('tomasz', 'https://one.example', { id: project.accountId });
    window.accounts.all = [own, sampleAccount('marta', 'https://two.example')];
    assert.ok(!(await window.lines(project)).includes('Switch Account…'), 'one of another instance cannot help');
    window.accounts.all = [own, sampleAccount('marta', 'https://one.example')];
    const [first] = await window.nodes(project);
    assert.ok(first);
    assert.equal(
      window.tree.getTreeItem(first).tooltip,
      'Error tracking needs the role Maintainer or Owner in harbor/tide-table.',
    );
    assert.deepEqual(await window.lines(project), [
      'Maintainer or Owner needed',
      'Open Project Members',
      'Switch Account…',
      'Try Again',
    ]);
  });

  it('says when the user is signed out', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    await window.tree.getChildren();
    window.signedIn = false;
    const state = await window.states.reload(project);
    assert.equal((state.error as Error).name, 'SignedOutError');
    assert.deepEqual(await window.tree.getChildren(), []);
  });

  it('says that the instance does not offer error tracking', async () => {
    await open();
    window.sandbox.control.transform({
      answer: failing(404, '{"error":"404 Not Found"}'),
      path: '/projects/*/error_tracking/*',
    });
    assert.deepEqual(await window.lines(await window.pin('harbor/tide-table')), [
      'Integrated error tracking is not offered',
      'Open Instructions for Administrators',
      'Check Again',
    ]);
  });

  it('believes an instance again that has begun to offer error tracking', async () => {
    await open();
    const project = await window.pin('harbor/berth-planner');
    await window.states.load(project);
    await window.states.setNotOffered(project.accountId, 502);
    assert.equal((await window.lines(project))[0], 'Integrated error tracking is not offered');
    await window.states.reload(project);
    assert.equal((await window.lines(project))[0], 'Integrated error tracking is not offered');
    await window.states.refresh(project);
    assert.deepEqual(await window.lines(project), ['Error tracking is not set up', 'Set Up Error Tracking…']);
  });

  it('counts keys of a form that it cannot read below the others', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    const { tracking, ...state } = await window.states.load(project);
    assert.ok(tracking);
    window.states.load = async () => ({ ...state, tracking: { ...tracking, unreadableKeys: 2 } });
    const lines = await window.lines(project);
    assert.equal(lines[0], 'Integrated error tracking [enabled]');
    assert.equal(lines.at(-1), '2 client keys have an unknown format and cannot be shown.');
    window.states.load = async () => ({ ...state, tracking: { ...tracking, keys: [], unreadableKeys: 2 } });
    assert.deepEqual(await window.lines(project), [
      'Integrated error tracking [enabled]',
      '2 client keys have an unknown format and cannot be shown.',
    ]);
  });

  it('says where a project of the workspace has moved, and works on', async () => {
    await open();
    const project = window.openRepository('harbor/almanac', vscode.Uri.file('/repositories/0'));
    const lines = await window.lines(project);
    assert.deepEqual(lines.slice(0, 2), ['Moved to harbor/tide-table', 'Integrated error tracking [enabled]']);
    const [notice] = await window.nodes(project);
    assert.ok(notice);
    assert.match(
      window.tree.getTreeItem(notice).accessibilityInformation?.label ?? '',
      /the remote of the repository still has the old address/,
    );
  });

  it('lets the pin of a project that has moved follow it', async () => {
    await open();
    const project = await window.pin('harbor/almanac', 501);
    await window.nodes(project);
    assert.deepEqual(
      window.pins.of(window.account.id).map(({ path }) => path),
      ['harbor/tide-table'],
    );
    const [moved] = window.projects.all;
    assert.ok(moved);
    assert.equal((await window.lines(moved))[0], 'Moved from harbor/almanac');
  });

  it('keeps what it knows while the instance is away, and says so', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    await window.nodes(project);
    window.sandbox.control.transform({ answer: 503 });
    await window.states.reload(project);
    const lines = await window.lines(project);
    assert.match(lines[0] ?? '', /internal error \(status 503\)/);
    assert.deepEqual(lines.slice(1, 3), ['Try Again', 'Integrated error tracking [enabled]']);
    window.sandbox.control.transform();
    await window.states.reload(project);
    assert.equal((await window.lines(project))[0], 'Integrated error tracking [enabled]');
  });

  it('tells keys apart by whether they are active, the files that use them, and what is newest', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    const { client } = await window.connection();
    const made = await client.errorTracking.createClientKey(501);
    const [old] = (await window.states.reload(project)).tracking?.keys ?? [];
    assert.ok(old);
    const usage = (name: string, text: string) => {
      const dsn = parseDsn(text);
      assert.ok(dsn);
      return { uri: vscode.Uri.file(`/repositories/0/${name}`), dsns: [{ range: new vscode.Range(2, 0, 2, 9), dsn }] };
    };
    const dsnOfOther = [old.tracker_dsn.replace(/:\d+\//, ':1/'), old.tracker_dsn.replace(/\d+$/, '77')];
    window.dsns = [
      ...['.env', 'api/.env'].map((name) => usage(name, old.tracker_dsn)),
      usage('ci.env', made.tracker_dsn),
      // The same public key on another instance, and in another project.
      ...dsnOfOther.map((text) => usage('other.env', text)),
    ];
    await window.keyFacts.refresh();
    const lines = await window.lines(project);
    assert.match(lines[1] ?? '', /^glet_.* \[used in \.env and 1 more\]$/);
    assert.match(lines[2] ?? '', /^glet_.* \[inactive\]$/);
    assert.match(lines[3] ?? '', /^glet_.* \[used in ci\.env · newest\]$/);
    const node = (await window.nodes(project)).find((one) => one.kind === 'key' && one.key.id === made.id);
    assert.ok(node);
    const item = window.tree.getTreeItem(node);
    assert.match(item.accessibilityInformation?.label ?? '', /^Client key glet_.*, active, used in ci\.env, newest$/);
    const tooltip = (item.tooltip as vscode.MarkdownString).value.replaceAll(/\\|&nbsp;/g, ' ');
    assert.match(tooltip, /newest of the active client keys/);
    assert.match(tooltip, /ci ?\.env:3/);
  });

  it('takes nothing for the answer to a test error that is none', async () => {
    await open();
    const project = await window.pin('harbor/tide-table');
    const { key } = (await window.nodes(project)).find((node) => node.kind === 'key') ?? {};
    assert.ok(key);
    const place = { accountId: window.account.id, projectId: 501 };
    const sound = { ...place, keyId: key.id, at: 0, accepted: true };
    for (const kept of [7, 'x', [null, {}, { ...sound, at: 1e300 }, { ...sound, accepted: 1 }]]) {
      await window.memento.update('errorTracking.tests', kept);
      assert.deepEqual(window.keyFacts.labels(place, key, [key]), ['active']);
    }
    await window.memento.update('errorTracking.tests', [sound]);
    assert.match(window.keyFacts.labels(place, key, [key])[0] ?? '', /^tested /);
  });

  it('gives every line a sentence for screen readers', async () => {
    await open();
    for (const path of ['harbor/tide-table', 'harbor/berth-planner', 'harbor/tools/winch']) {
      for (const node of await window.nodes(await window.pin(path))) {
        assert.ok(window.tree.getTreeItem(node).accessibilityInformation?.label);
      }
    }
  });
});
