import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Account, type InstanceAccount, SignedOutError } from '../../../src/accounts/account.ts';
import type { Connection } from '../../../src/accounts/connections.ts';
import { Sessions } from '../../../src/notifications/form/settingsPanel.ts';
import type { Notice } from '../../../src/notifications/form/messages.ts';
import { SettingsPanels } from '../../../src/notifications/form/settingsPanels.ts';
import { scopeKey } from '../../../src/notifications/settings/settings.ts';
import { fillWebview } from '../../../src/webviews/webview.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';
import { RecordedPanel, untilTabs } from '../../support/recordedPanel.ts';

const titles = (): string[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

/** Keeps the messages that are shown, and answers each with a button. */
function recordMessages(button: string): { readonly shown: string[]; readonly restore: () => void } {
  const shown: string[] = [];
  const original = vscode.window.showInformationMessage;
  const record = async (sentence: string): Promise<string> => {
    shown.push(sentence);
    return button;
  };
  vscode.window.showInformationMessage = record;
  return { shown, restore: () => (vscode.window.showInformationMessage = original) };
}

describe('the webview of notification settings', () => {
  let window: NotificationWindow;
  let panels: SettingsPanels;
  let panel: RecordedPanel;
  let errors: string[];
  let accountChanged: vscode.EventEmitter<void>;
  let accountsChanged: vscode.EventEmitter<readonly string[]>;
  let inUse: { account: Account };
  let accounts: InstanceAccount[];

  beforeEach(async () => {
    window = await NotificationWindow.open();
    errors = [];
    accountChanged = new vscode.EventEmitter();
    accountsChanged = new vscode.EventEmitter();
    inUse = { account: window.account };
    accounts = [];
    await loadPanels();
    panel = new RecordedPanel();
    await panels.revive(panel.asPanel, { scope: window.global });
    panel.send({ type: 'ready' });
    await panel.until(({ phase, settings }) => phase === 'ready' && settings !== undefined);
  });
  afterEach(async () => {
    panels.dispose();
    await window.close();
  });

  /** The forms of a new window. */
  async function loadPanels(): Promise<void> {
    const current = async () => ({ ...(await window.connection()), account: inUse.account });
    const connections = { of: () => window.connection(), current };
    panels = await SettingsPanels.load({
      accounts: { all: accounts, onDidChange: accountsChanged.event },
      accountInUse: Object.assign(inUse, { onDidChange: accountChanged.event }),
      connections,
      workspaceProjects: { all: [], current: undefined },
      pins: window.pins,
      engine: window.engine,
      estimates: window.estimates,
      globalStorageUri: vscode.Uri.file(window.folder),
      extensionUri: vscode.Uri.file(vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab')?.extensionPath ?? ''),
      log: { error: (text: string) => errors.push(text) } as unknown as vscode.LogOutputChannel,
    });
  }

  const edit = (change: object) => ({ type: 'edit', scope: panel.state?.['scopeKey'], edit: change });

  it('lets nothing run but its own script and style, and loads nothing', () => {
    const { html, options } = panel.webview;
    const policy = /content="(default-src[^"]*)"/.exec(html)?.[1] ?? '';
    const nonce = /script-src 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
    assert.equal(
      policy,
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
    );
    const head = html.slice(0, html.indexOf('<style'));
    assert.ok(head.includes(policy), 'the policy comes before anything that it is about');
    const tags = [...html.matchAll(/<(script|style|link|img|iframe|object|base)\b([^>]*)>/g)];
    const running = tags.filter(([, , attributes = '']) => !attributes.includes('type="application/json"'));
    assert.deepEqual(
      running
        .slice(0, 1)
        .concat(running.slice(-1))
        .map(([tag]) => tag),
      [`<style nonce="${nonce}">`, `<script nonce="${nonce}">`],
    );
    assert.doesNotMatch(html, /<script[^>]* src=|<link\b|@import|url\(/);
    assert.deepEqual(options, { enableScripts: true, enableForms: false, localResourceRoots: [] });
  });

  it('has another nonce each time', async () => {
    const other = new RecordedPanel();
    await panels.revive(other.asPanel, { scope: window.global });
    const nonceOf = ({ webview }: RecordedPanel) => /nonce-([\w-]+)/.exec(webview.html)?.[1];
    assert.notEqual(nonceOf(other), nonceOf(panel));
  });

  it('never holds the token: not in the page, in no message, in nothing that is kept', async () => {
    window.sandbox.control.transform({ answer: 401 });
    panel.send({ type: 'act', action: 'reload', scope: panel.state?.['scopeKey'] });
    await panel.until(({ notice }) => notice !== undefined);
    window.sandbox.control.transform();
    panel.send(edit({ level: 'watch' }));
    panel.send({ type: 'act', action: 'save', scope: panel.state?.['scopeKey'] });
    await panel.until(({ notice }) => (notice as { sentence?: string } | undefined)?.sentence === 'Saved.');
    const { owner } = window.sandbox.tokens;
    assert.ok(!panel.webview.html.includes(owner));
    assert.ok(!JSON.stringify(panel.posted).includes(owner));
    assert.ok(!JSON.stringify([...window.memento.values]).includes(owner));
  });

  it('drops what is no message, and says so in the log', async () => {
    const before = JSON.stringify(panel.state);
    const scope = panel.state?.['scopeKey'];
    const invalidMessages: readonly unknown[] = [
      undefined,
      'save',
      { type: 'act', action: 'delete everything', scope },
      { type: 'act', action: 'save' },
      { type: 'edit', scope, edit: { level: true } },
      { type: 'edit', scope, edit: { email: 'x'.repeat(1001) } },
      { type: 'resolve', scope, discardedFields: 'level' },
      { type: 'execute', command: 'workbench.action.quit' },
    ];
    invalidMessages.forEach((message) => panel.send(message));
    assert.equal(errors.length, invalidMessages.length);
    assert.equal(JSON.stringify(panel.state), before);
    assert.equal(await window.level(window.global), 'participating');
  });

  it('is about the account of the window when it is opened, whichever form is there', async () => {
    inUse.account = sampleAccount('bob', 'https://other.example');
    accountChanged.fire();
    await panel.until(({ otherAccount }) => otherAccount === 'bob@other.example');
    assert.equal(
      panel.state?.['account'],
      'marta@sandbox',
      'a form keeps its account, and says that the window has another',
    );
    try {
      panel.send({ type: 'openOther' });
      assert.equal(panel.title, 'Notifications: Global settings (marta@sandbox)');
      await untilTabs((tabs) =>
        tabs.some(({ label }) => label === 'Notifications: Global settings (bob@other.example)'),
      );
      assert.equal(panel.isDisposed, false);
      await panels.open(window.global);
      assert.ok(
        !titles().includes('Notifications: Global settings (marta@sandbox)'),
        'the form that is there is shown',
      );
      assert.equal(panel.reveals, 1);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
    inUse.account = window.account;
    accountChanged.fire();
    await panel.until(({ otherAccount }) => otherAccount === undefined);
  });

  it('leads to an account whose token may read settings where that of the window may not', async () => {
    accounts.push(sampleAccount('bob', 'https://other.example'));
    accountChanged.fire();
    await panel.until(({ ableAccount }) => ableAccount === undefined);
    Object.assign(window.account, { scopes: ['read_user'] });
    accountChanged.fire();
    await panel.until(({ ableAccount }) => ableAccount === 'bob@other.example');
    try {
      panel.send({ type: 'openOther' });
      await untilTabs((tabs) =>
        tabs.some(({ label }) => label === 'Notifications: Global settings (bob@other.example)'),
      );
      assert.equal(panel.state?.['account'], 'marta@sandbox');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('loads again with another token of its account, whichever the window has, and keeps what was chosen', async () => {
    inUse.account = sampleAccount('bob', 'https://other.example');
    accountChanged.fire();
    panel.send(edit({ level: 'watch' }));
    window.signedIn = false;
    panel.send({ type: 'act', action: 'reload', scope: panel.state?.['scopeKey'] });
    await panel.until(({ notice, phase }) => phase === 'ready' && notice !== undefined);
    const { sentence, details } = (panel.state?.['notice'] ?? {}) as Partial<Notice>;
    assert.deepEqual(
      [sentence, details, panel.state?.['isSignedOut']],
      [
        'The settings could not be read again: these are the last that were read.',
        ['You are signed out of marta@sandbox.'],
        true,
      ],
    );
    window.signedIn = true;
    accountsChanged.fire(['carol@sandbox']);
    assert.equal(panel.state?.['phase'], 'ready');
    accountsChanged.fire([window.account.id]);
    await panel.until(({ notice, phase }) => phase === 'ready' && notice === undefined);
    assert.deepEqual([panel.state['draft'], panel.state['isSignedOut']], [{ level: 'watch' }, false]);
  });

  it('loads again after a load that was under way with the token before, whose failure it does not show', async () => {
    panel.send(edit({ level: 'watch' }));
    const [asked, before] = [Promise.withResolvers<void>(), Promise.withResolvers<Connection>()];
    const connection = window.connection.bind(window);
    window.connection = () => {
      asked.resolve();
      return before.promise;
    };
    panel.send({ type: 'act', action: 'reload', scope: panel.state?.['scopeKey'] });
    await asked.promise;
    const { length } = panel.posted;
    window.connection = connection;
    accountChanged.fire();
    before.reject(new SignedOutError());
    await panel.until(({ settings, phase }) => {
      const isRead = panel.posted.slice(length).some((state) => state['phase'] === 'loading');
      return isRead && phase === 'ready' && settings !== undefined;
    });
    assert.ok(panel.posted.slice(length).every(({ notice }) => notice === undefined));
    assert.deepEqual(panel.state?.['draft'], { level: 'watch' });
  });

  it('follows the window to another account where it could not be read, and nothing is chosen', async () => {
    window.signedIn = false;
    accountChanged.fire();
    await panel.until(({ notice, phase }) => phase === 'ready' && notice !== undefined);
    inUse.account = sampleAccount('bob', 'https://other.example');
    window.signedIn = true;
    accountChanged.fire();
    await panel.until(
      ({ account, phase, settings }) => account === 'bob@other.example' && phase === 'ready' && settings !== undefined,
    );
    assert.deepEqual([panel.state?.['notice'], panel.state?.['otherAccount']], [undefined, undefined]);
  });

  it('keeps its account where its token may not read the settings', async () => {
    window.sandbox.control.transform({ answer: 403 });
    panel.send({ type: 'act', action: 'reload', scope: panel.state?.['scopeKey'] });
    await panel.until(({ notice, phase }) => phase === 'ready' && notice !== undefined);
    inUse.account = sampleAccount('bob', 'https://other.example');
    accountChanged.fire();
    await panel.until(({ otherAccount }) => otherAccount === 'bob@other.example');
    assert.equal(panel.state?.['account'], 'marta@sandbox');
    window.sandbox.control.transform();
  });

  it('opens with the global settings, also where the form of a project is open', async () => {
    panels.dispose();
    await loadPanels();
    const other = new RecordedPanel();
    await panels.revive(other.asPanel, { scope: window.tideTable });
    try {
      await panels.open(undefined);
      await untilTabs((tabs) => tabs.some(({ label }) => label === 'Notifications: Global settings (marta@sandbox)'));
      assert.equal(other.reveals, 0);
      await panels.open(window.tideTable);
      assert.equal(other.reveals, 1, 'there is one form of a scope');
      // A menu of the title of a view hands over the row that has the focus.
      const row = { project: { accountId: window.tideTable.accountId, idOrPath: 501 } };
      await panels.open(row);
      assert.equal(other.reveals, 1);
      await panels.openOf(row);
      assert.equal(other.reveals, 2);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('marks its tab while something is not saved, and says when it is closed that this is kept', async () => {
    const { shown, restore } = recordMessages('Open');
    try {
      panel.send(edit({ level: 'watch' }));
      await panel.until(({ draft }) => (draft as { level?: string }).level === 'watch');
      assert.equal(panel.title, '● Notifications: Global settings (marta@sandbox)');
      panel.dispose();
      assert.deepEqual(shown, ['Your unsaved changes are kept: Global settings.']);
      await untilTabs((tabs) => tabs.some(({ label }) => label === '● Notifications: Global settings (marta@sandbox)'));
      const again = new RecordedPanel();
      // It takes the place of the one that the message has opened: nothing is closed for the user.
      await panels.revive(again.asPanel, { scope: window.global });
      again.send({ type: 'ready' });
      await again.until(({ phase }) => phase === 'ready');
      again.send({ type: 'act', action: 'save', scope: again.state?.['scopeKey'] });
      await again.until(({ notice }) => (notice as { sentence?: string } | undefined)?.sentence === 'Saved.');
      assert.equal(again.title, 'Notifications: Global settings (marta@sandbox)');
      again.dispose();
      assert.equal(shown.length, 1);
    } finally {
      restore();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('says what was saved until the next edit, and can undo it until the next save', async () => {
    const act = (action: string) => panel.send({ type: 'act', action, scope: panel.state?.['scopeKey'] });
    const isReady = ({ phase }: Readonly<Record<string, unknown>>) => phase === 'ready';
    panel.send(edit({ level: 'watch' }));
    act('save');
    const isSaved = (state: Readonly<Record<string, unknown>>) =>
      isReady(state) && (state['notice'] as { severity?: string } | undefined)?.severity === 'success';
    await panel.until(isSaved);
    const undo = { sentence: 'Undo sets the level back to Participate.', isPossible: true };
    assert.deepEqual(panel.state?.['undo'], undo);
    panel.send(edit({ level: 'mention' }));
    await panel.until(({ notice }) => notice === undefined);
    assert.deepEqual(panel.state['undo'], undo);
    act('undo');
    await panel.until((state) => isReady(state) && state['undo'] === undefined);
    assert.equal(await window.level(window.global), 'participating');
    assert.deepEqual(panel.state['draft'], { level: 'mention' }, 'what was chosen since stays');
  });

  it('says why e-mails cannot be estimated, and offers what helps', async () => {
    window.signedIn = false;
    const act = (action: string) => panel.send({ type: 'act', action, scope: panel.state?.['scopeKey'] });
    const noiseOf = ({ noise }: Readonly<Record<string, unknown>>) =>
      noise as { readonly problem?: string; readonly remedy?: string };
    act('readNoise');
    await panel.until((state) => noiseOf(state).problem !== undefined);
    const { problem, remedy } = noiseOf(panel.state ?? {});
    assert.deepEqual(
      [problem, remedy],
      ['You are signed out of marta@sandbox: nothing can be changed here.', 'Sign In…'],
    );
    const { executeCommand } = vscode.commands;
    const commands: unknown[] = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string) => {
        commands.push(command);
        window.signedIn = true;
      },
    });
    try {
      act('fixNoise');
      await panel.until(({ mails }) => mails !== undefined);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(commands, ['beacon.signIn']);
  });

  it('says before and after an undo which events stay as they were saved', async () => {
    const project = new RecordedPanel();
    await panels.revive(project.asPanel, { scope: window.tideTable });
    const noticeOf = (state: Readonly<Record<string, unknown>>) =>
      state['phase'] === 'ready'
        ? (state['notice'] as { sentence?: string; details?: unknown } | undefined)
        : undefined;
    const act = (action: string) => project.send({ type: 'act', action, scope: scopeKey(window.tideTable) });
    project.send({ type: 'ready' });
    await project.until(({ phase, settings }) => phase === 'ready' && settings !== undefined);
    project.send({ type: 'edit', scope: scopeKey(window.tideTable), edit: { level: 'custom', close_issue: true } });
    act('save');
    await project.until((state) => noticeOf(state)?.sentence === 'Saved.');
    assert.deepEqual(project.state?.['undo'], {
      ...{ sentence: 'Undo sets the level back to Global, not Closed issue.', isPossible: true },
    });
    act('undo');
    await project.until((state) => noticeOf(state)?.sentence === 'The last save was undone.');
    assert.deepEqual(noticeOf(project.state ?? {})?.details, ['Kept for the level Custom: Closed issue']);
    assert.equal(await window.level(window.tideTable), 'global');
  });

  it('follows what the window changes elsewhere, also where it inherits from that', async () => {
    const change = async (level: string): Promise<void> => {
      const expected = await window.engine.read(window.global);
      await window.engine.applyAll([{ scope: window.global, expected, change: { level }, notes: [] }]);
    };
    const levelOf = ({ settings }: Readonly<Record<string, unknown>>) => (settings as { level?: string }).level;
    await change('watch');
    await panel.until((state) => levelOf(state) === 'watch');
    const project = new RecordedPanel();
    await panels.revive(project.asPanel, { scope: window.tideTable });
    project.send({ type: 'ready' });
    await project.until(({ inherited }) => inherited === 'Watch, from the global settings');
    panel.send(edit({ level: 'disabled' }));
    await panel.until(({ phase, draft }) => phase === 'ready' && (draft as { level?: string }).level === 'disabled');
    await change('mention');
    await project.until(({ inherited }) => inherited === 'On mention, from the global settings');
    await panel.until(({ conflict }) => (conflict as { level?: string } | undefined)?.level === 'mention');
    assert.deepEqual(panel.state?.['draft'], { level: 'disabled' }, 'what was chosen stays');
  });

  it('is read again once it is seen, however often that was due while it was hidden', async () => {
    panel.look(false);
    await window.change(window.global, { level: 'watch' });
    let reads = 0;
    const { engine } = window;
    const read = engine.read.bind(engine);
    engine.read = async (...call) => {
      reads += 1;
      return await read(...call);
    };
    for (let change = 0; change < 3; change += 1) {
      accountChanged.fire();
      await read(window.global);
    }
    panel.look(true);
    panel.send({ type: 'ready' });
    await panel.until(({ phase, settings }) => phase === 'ready' && (settings as { level?: string }).level === 'watch');
    assert.equal(reads, 1);
  });

  it('says what the level “Global” of a project stands for', async () => {
    await window.change({ kind: 'group', accountId: '', id: 11, path: 'harbor' }, { level: 'watch' });
    const project = new RecordedPanel();
    await panels.revive(project.asPanel, { scope: window.tideTable });
    project.send({ type: 'ready' });
    await project.until(({ inherited }) => inherited === 'Watch, from group harbor');
    await window.change({ kind: 'group', accountId: '', id: 11, path: 'harbor' }, { level: 'global' });
    project.send({ type: 'act', action: 'reload', scope: project.state?.['scopeKey'] });
    await project.until(({ inherited }) => inherited === 'Participate, from the global settings');
    assert.equal(panel.state?.['inherited'], undefined);
  });

  it('has an icon for light and one for dark themes', () => {
    const { light, dark } = panel.iconPath as { light: vscode.Uri; dark: vscode.Uri };
    const colorOf = ({ fsPath }: vscode.Uri) => /stroke="([^"]*)"/.exec(readFileSync(fsPath, 'utf8'))?.[1];
    assert.deepEqual([colorOf(light), colorOf(dark)], ['#000', '#fff']);
  });

  it('shows what another window has chosen since, and goes on with what the user chooses', async () => {
    const other = new Sessions({
      engine: window.engine,
      folder: window.folder,
      log: { warn: (sentence) => assert.fail(sentence) },
    });
    await other.of(window.global).load();
    await other.of(window.global).edit({ level: 'mention' });
    panel.send(edit({ level: 'watch' }));
    await panel.until(({ otherDraft }) => (otherDraft as { level?: string } | undefined)?.level === 'mention');
    assert.deepEqual(panel.state?.['draft'], { level: 'watch' });
    panel.send({ type: 'act', action: 'useOtherDraft', scope: panel.state?.['scopeKey'] });
    await panel.until(
      ({ draft, otherDraft }) => otherDraft === undefined && (draft as { level?: string }).level === 'mention',
    );
    other.dispose();
  });

  it('counts the edits that it has taken since the page was ready, so that the page shows none twice', async () => {
    panel.send(edit({ level: 'watch' }));
    panel.send(edit({ level: 'mention' }));
    await panel.until(({ taken }) => taken === 2);
    assert.deepEqual(panel.state?.['draft'], { level: 'mention' });
    panel.send({ type: 'ready' });
    await panel.until(({ taken }) => taken === 0);
    assert.deepEqual(panel.state?.['draft'], { level: 'mention' });
  });

  it('does nothing for a scope that is not shown', async () => {
    panel.send(edit({ level: 'watch' }));
    await panel.until(({ draft }) => (draft as { level?: string }).level === 'watch');
    panel.send({ type: 'act', action: 'save', scope: 'another scope' });
    panel.send({ type: 'act', action: 'discard', scope: panel.state?.['scopeKey'] });
    await panel.until(({ draft }) => (draft as { level?: string }).level === undefined);
    assert.equal(await window.level(window.global), 'participating');
  });

  it('keeps text of the instance from ending the element that it stands in', () => {
    const { webview } = new RecordedPanel();
    const hostile = '</script><script>alert(1)</script><!--<script>';
    fillWebview(webview as unknown as vscode.Webview, {
      title: hostile,
      script: `const text = '</ScRiPt><!--<script>';`,
      style: `p::after { content: '</style><b>'; }`,
      state: { hostile },
    });
    const { html } = webview;
    assert.equal(html.match(/<script/g)?.length, 3);
    assert.equal(html.match(/<\/script/gi)?.length, 3);
    assert.equal(html.match(/<\/style/gi)?.length, 1);
    assert.ok(!html.includes('<!--'));
    const state = /id="state"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    assert.deepEqual(JSON.parse(state), { hostile });
    const script = /<script nonce="[^"]*">([^<]*)</.exec(html)?.[1] ?? '';
    assert.match(script, /^const text = '\\x3C\/ScRiPt>\\x3C!--\\x3Cscript>';$/);
  });
});
