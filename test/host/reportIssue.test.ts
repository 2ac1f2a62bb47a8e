import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore, SecretStoreError } from '../../src/accounts/accountStore.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { Pins } from '../../src/accounts/pins.ts';
import { WorkspaceProjects } from '../../src/accounts/workspaceProjects.ts';
import { ConnectionDoctor } from '../../src/diagnostics/connectionDoctor.ts';
import { HelpCommands, type HelpDeps } from '../../src/help/helpCommands.ts';
import { Network } from '../../src/platform/node/network.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { sampleAccount, withoutChangingTokens } from '../support/accountSamples.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { closeTabs } from '../support/recordedPanel.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

const silent = (): void => undefined;
const log = {
  error: silent,
  warn: silent,
  info: silent,
  debug: silent,
  trace: silent,
} as unknown as vscode.LogOutputChannel;

/** What the editor's issue reporter is opened with. */
interface Opened {
  readonly extensionId: string;
  readonly data: string;
  readonly issueBody: string;
}

describe('an issue report', () => {
  let sandbox: Sandbox;
  let folder: string;
  let help: HelpCommands;
  let deps: HelpDeps;
  let pins: Pins;
  const opened: Opened[] = [];
  let subscriptions: vscode.Disposable[];

  beforeEach(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    folder = mkdtempSync(join(tmpdir(), 'beacon-report-'));
    const [secrets, globalState, workspaceState] = [new MemorySecrets(), new MemoryMemento(), new MemoryMemento()];
    const accounts = new AccountStore(globalState, secrets, withoutChangingTokens);
    const remotes = new WindowRemotes();
    const accountInUse = new AccountInUse(accounts, remotes, { global: globalState, workspace: workspaceState });
    const network = new Network(secrets, log);
    const never = (): Promise<never> => Promise.reject(new Error('not the sandbox of the editor'));
    const connections = new Connections(accounts, accountInUse, never, async () => network, log);
    pins = new Pins(globalState);
    const projects = new WorkspaceProjects(remotes, accounts, accountInUse);
    const account = sampleAccount('marta', sandbox.url);
    await accounts.save(account, sandbox.tokens.owner);
    await accountInUse.use(account);
    const lines = [`[info] began in ${basename(folder)}`, `[info] sent ${sandbox.tokens.owner}`, '[error] it failed'];
    writeFileSync(join(folder, 'Beacon for GitLab.log'), `${lines.join('\n')}\n`);
    const extension = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
    assert.ok(extension);
    const uri = vscode.Uri.file(folder);
    const doctor = new ConnectionDoctor({
      ...{
        store: accounts,
        inUse: accountInUse,
        projects,
        pins,
        connections,
        network,
        log,
        version: '1.2.3',
      },
    });
    deps = {
      ...{ accounts, accountInUse, connections, globalState, workspaceState },
      context: { extension: extension as vscode.Extension<never>, secrets, globalStorageUri: uri, logUri: uri },
      doctor: async () => doctor,
    };
    help = new HelpCommands(deps);
    opened.length = 0;
    subscriptions = [accounts, accountInUse, network, connections, projects, pins];
  });
  afterEach(async () => {
    vscode.Disposable.from(...subscriptions).dispose();
    await vscode.commands.executeCommand('notifications.clearAll');
    await closeTabs();
    await sandbox.close();
  });

  /** Resolves with the report of this test once it is shown. */
  function shownReport(): Promise<vscode.TextDocument> {
    return new Promise((resolve) => {
      const subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
        // While editors of earlier tests close, their reports may still come to the front.
        if (editor?.document.getText().includes(basename(folder))) {
          subscription.dispose();
          resolve(editor.document);
        }
      });
    });
  }

  /** Answers the message by a command of the editor, as often as it takes: it comes a while after the document. */
  async function answer(command: string, done: Promise<void>): Promise<void> {
    const state = { isDone: false };
    void done.finally(() => (state.isDone = true));
    while (!state.isDone) {
      await vscode.commands.executeCommand(command);
    }
    await done;
  }

  it('shows versions, the diagnosis and the log without secrets, and hands over what the user has left of it', async () => {
    subscriptions.push(
      vscode.commands.registerCommand('workbench.action.openIssueReporter', (data: Opened) => void opened.push(data)),
    );
    await pins.add({
      kind: 'project',
      accountId: sampleAccount('marta', sandbox.url).id,
      id: 501,
      path: 'harbor/tide-table',
    });
    const shown = shownReport();
    const done = help.reportIssue();
    const document = await shown;
    const text = document.getText();
    assert.match(text, /Beacon for GitLab 1\.2\.3/);
    assert.match(text, /✓ Token: Signed in as marta/);
    assert.match(text, /✓ Scopes of the Token: The token scope is enough for everything here: api\.\n/);
    assert.match(text, /✓ Role in the Project: Your role in harbor\/tide-table allows everything here\./);
    assert.match(text, /\[error\] it failed/);
    assert.ok(!text.includes(sandbox.tokens.owner));
    assert.equal(opened.length, 0, 'nothing leaves before the user has read it');

    const line = document.lineAt(text.split('\n').findIndex((one) => one.includes('it failed')));
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, line.rangeIncludingLineBreak);
    await vscode.workspace.applyEdit(edit);
    await answer('notification.acceptPrimaryAction', done);
    assert.equal(opened.length, 1);
    const [{ extensionId, data } = { extensionId: '', data: '' }] = opened;
    assert.equal(extensionId, 'beacon-gitlab.beacon-gitlab');
    assert.equal(data, document.getText());
    assert.doesNotMatch(data, /it failed/);
  });

  it('can be handed over once by what stands above it, long after the message has gone', async () => {
    subscriptions.push(
      vscode.commands.registerCommand('workbench.action.openIssueReporter', (data: Opened) => void opened.push(data)),
    );
    const shown = shownReport();
    const done = help.reportIssue();
    const { uri } = await shown;
    await answer('notifications.clearAll', done);
    assert.equal(opened.length, 0);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
    const [command] = lenses.flatMap((lens) => lens.command ?? []);
    assert.equal(command?.command, 'beacon.reportIssue');
    const [address] = command.arguments as [vscode.Uri];
    await help.commands['beacon.reportIssue'](address);
    await help.commands['beacon.reportIssue'](address);
    assert.equal(opened.length, 1);
  });

  it('is copied, and the page of issues opened, where the editor’s reporter fails', async () => {
    const failing = (): never => {
      throw new Error('There is no reporter here.');
    };
    subscriptions.push(vscode.commands.registerCommand('workbench.action.openIssueReporter', failing));
    const pages: string[] = [];
    help = new HelpCommands({ ...deps, open: async (address) => void pages.push(address) });
    const shown = shownReport();
    const done = help.reportIssue();
    const document = await shown;
    await answer('notification.acceptPrimaryAction', done);
    const { bugs } = deps.context.extension.packageJSON as { readonly bugs: { readonly url: string } };
    assert.deepEqual(pages, [bugs.url]);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^### What happened\n/);
    assert.ok(copied.endsWith(document.getText()));
  });

  it('says why the connection could not be diagnosed, and has the rest', async () => {
    const locked = { report: () => Promise.reject(new SecretStoreError('read', new Error('locked'))) };
    const shown = shownReport();
    const done = new HelpCommands({ ...deps, doctor: async () => locked }).reportIssue();
    const text = (await shown).getText();
    assert.match(text, /The secret store of the editor cannot be read/);
    assert.match(text, /\[error\] it failed/);
    await answer('notifications.clearAll', done);
  });

  it('goes nowhere where the message is closed', async () => {
    subscriptions.push(
      vscode.commands.registerCommand('workbench.action.openIssueReporter', (data: Opened) => void opened.push(data)),
    );
    const shown = shownReport();
    const done = help.reportIssue();
    await shown;
    await answer('notifications.clearAll', done);
    assert.equal(opened.length, 0);
  });
});
