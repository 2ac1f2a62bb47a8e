import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxAccount } from '../../src/accounts/account.ts';
import type { Connection } from '../../src/accounts/connections.ts';
import { createClient } from '../../src/api/client.ts';
import { pick } from '../../src/directory/recordPicker.ts';
import type { Source } from '../../src/directory/search.ts';
import { groupSource, projectSource, userSource } from '../../src/directory/sources.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';

interface Thing {
  readonly id: number;
  readonly name: string;
}

/** A picker that is open, as a person sees it. */
class OpenPicker<T> {
  readonly chosen: Promise<T | undefined>;
  readonly picker: vscode.QuickPick<vscode.QuickPickItem>;

  constructor(chosen: Promise<T | undefined>, picker: vscode.QuickPick<vscode.QuickPickItem>) {
    this.chosen = chosen;
    this.picker = picker;
  }

  get lines(): string[] {
    return this.picker.items.map(({ label, description = '', detail = '' }) =>
      [label, description, detail].filter(Boolean).join(' | '),
    );
  }

  /** Waits until the lines are as a test wants them, and the first of them is the one that Enter would take. */
  async until(test: (lines: string[]) => boolean): Promise<void> {
    const isShown = (): boolean =>
      this.picker.items[0] !== undefined && this.picker.activeItems[0] === this.picker.items[0];
    while (this.picker.busy || !test(this.lines) || !isShown()) {
      await new Promise(setImmediate);
    }
  }

  async untilBusy(): Promise<void> {
    while (!this.picker.busy) {
      await new Promise(setImmediate);
    }
  }

  async press(command: 'workbench.action.acceptSelectedQuickOpenItem' | 'workbench.action.closeQuickOpen') {
    await vscode.commands.executeCommand(command);
  }

  async accept(): Promise<void> {
    await this.press('workbench.action.acceptSelectedQuickOpenItem');
  }
}

describe('the pickers of projects, groups and users', () => {
  let sandbox: Sandbox;
  let connection: Connection;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    const client = createClient({ instanceUrl: sandbox.url, token: sandbox.tokens.owner, retries: 0 });
    connection = { account: sandboxAccount, instanceUrl: sandbox.url, client };
  });
  after(async () => {
    await connection.client.close();
    await sandbox.close();
  });
  afterEach(() => setFaults([]));

  async function setFaults(faults: readonly object[]): Promise<void> {
    await fetch(`${sandbox.url}/-/sandbox/faults`, { method: 'PUT', body: JSON.stringify(faults) });
  }

  function open<T extends Thing>(source: Source<T>): OpenPicker<T> {
    const picker = vscode.window.createQuickPick();
    const chosen = pick(
      source,
      {
        title: 'Choose',
        placeholder: 'Search',
        describe: ({ name, id }) => ({ label: name, description: String(id) }),
        icon: 'repo',
      },
      picker,
    );
    return new OpenPicker(chosen, picker);
  }

  it('lists projects of the user before anything is typed, and narrows them down', async () => {
    const opened = open(projectSource(connection));
    await opened.until((lines) => lines.length > 3);
    opened.picker.value = 'winch';
    await opened.until((lines) => lines.length === 1);
    await opened.accept();
    assert.equal((await opened.chosen)?.path_with_namespace, 'harbor/tools/winch');
  });

  const exact: readonly [string, (instance: string) => string, string][] = [
    ['a full path', () => 'harbor/tools/winch', 'harbor/tools/winch'],
    ['a web address', (instance) => `${instance}/harbor/tools/winch/-/issues/3?x=1`, 'harbor/tools/winch'],
  ];
  for (const [name, text, path] of exact) {
    it(`takes ${name} of a project, even before there is an answer`, async () => {
      const opened = open(projectSource(connection));
      await opened.until((lines) => lines.length > 0);
      await setFaults([{ kind: 'latency', milliseconds: 50, path: '/projects' }]);
      opened.picker.value = text(sandbox.url);
      await opened.untilBusy();
      await opened.accept();
      assert.equal((await opened.chosen)?.path_with_namespace, path);
    });
  }

  it('takes the numeric id of a project', async () => {
    const { id } = await connection.client.directory.project('website/landing-page');
    const opened = open(projectSource(connection));
    opened.picker.value = String(id);
    await opened.until(([first = '']) => first.endsWith(`| ${id}`));
    await opened.accept();
    assert.equal((await opened.chosen)?.id, id);
  });

  it('takes a full path of a group and a username of a user', async () => {
    const groups = open(groupSource(connection));
    groups.picker.value = 'harbor/tools';
    await groups.until((lines) => lines.length === 1);
    await groups.accept();
    assert.equal((await groups.chosen)?.full_path, 'harbor/tools');

    const users = open(userSource(connection));
    users.picker.value = '@ines';
    await users.until((lines) => lines.length === 1);
    await users.accept();
    assert.equal((await users.chosen)?.username, 'ines');
  });

  it('says when there is nothing', async () => {
    const opened = open(projectSource(connection));
    opened.picker.value = 'no such thing/at all';
    await opened.until(([line = '']) => line === 'Nothing found for "no such thing/at all"');
    await opened.accept();
    await opened.press('workbench.action.closeQuickOpen');
    assert.equal(await opened.chosen, undefined);
  });

  it('says in the picker why a search failed, and tries again', async () => {
    await setFaults([{ kind: 'status', status: 500, path: '/users*' }]);
    const opened = open(userSource(connection));
    await opened.until(([line = '']) => /^Try Again \| .*internal error \(status 500\)/.test(line));
    await setFaults([]);
    await opened.accept();
    await opened.until((lines) => lines.length > 3);
    await opened.press('workbench.action.closeQuickOpen');
    assert.equal(await opened.chosen, undefined);
  });

  it('shows names as text, without icons', async () => {
    const opened = open({
      list: async function* list() {
        const none = undefined;
        const counts = { page: none, perPage: none, total: none, totalPages: none, next: none, etag: none };
        yield { items: [{ id: 1, name: '$(flame) hot' }], notModified: false, ...counts };
        return undefined;
      },
      find: async () => undefined,
    });
    await opened.until((lines) => lines.length > 0);
    assert.doesNotMatch(opened.lines[0] ?? '', /\$\(/);
    await opened.press('workbench.action.closeQuickOpen');
    await opened.chosen;
  });
});
