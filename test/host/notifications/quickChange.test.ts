import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProblemError } from '../../../src/accounts/problem.ts';
import type { WorkspaceProject } from '../../../src/accounts/workspaceProjects.ts';
import { QuickChange } from '../../../src/notifications/settings/quickChange.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';
import { dropped } from '../../support/sandbox/transforms.ts';

describe('changing notifications from a list', () => {
  let window: NotificationWindow;
  let quickChange: QuickChange;
  let workspaceProjects: { current: WorkspaceProject | undefined };
  let accountInUse: { account: { id: string } | undefined };

  beforeEach(async () => {
    window = await NotificationWindow.open();
    const { account: inUse, engine, dialogs } = window;
    const connections = { of: () => window.connection(), current: () => window.connection() };
    workspaceProjects = { current: undefined };
    accountInUse = { account: inUse };
    quickChange = new QuickChange({ engine, dialogs, connections, workspaceProjects, accountInUse });
  });
  afterEach(() => window.close());

  /** What a row of a view hands to commands. */
  const row = (): unknown => ({ project: { accountId: window.account.id, idOrPath: 501 } });
  const last = () => window.dialogs.messages.at(-1);

  async function choose(line: RegExp): Promise<void> {
    window.dialogs.choices = [line];
    await quickChange.run(row());
  }

  it('applies a level with one choice, and takes it back', async () => {
    await choose(/^On mention$/);
    assert.equal(await window.level(window.tideTable), 'mention');
    assert.equal(
      last()?.sentence,
      'Saved: Project harbor/tide-table · Level: from Global to On mention · Account: marta@sandbox',
    );
    await last()?.press('Undo');
    assert.equal(await window.level(window.tideTable), 'global');
    assert.deepEqual(
      [last()?.sentence, last()?.buttons],
      [
        'Undone: Project harbor/tide-table · Level: from On mention to Global · Account: marta@sandbox',
        ['Open Notification Settings'],
      ],
    );
  });

  it('names scope, account and the present level before anything is changed, and what Global stands for', async () => {
    await choose(/no such line/);
    assert.deepEqual(window.dialogs.headings, [
      [
        'E-Mail Notifications: Project harbor/tide-table (marta@sandbox)',
        'An event sets Custom, which includes Participate; Undo restores only the level',
      ],
    ]);
    const [labels = []] = window.dialogs.offered;
    assert.deepEqual(labels.slice(0, 6), ['Global', 'Watch', 'Participate', 'On mention', 'Disabled', 'Custom…']);
    assert.match(window.dialogs.descriptions[0]?.[0] ?? '', /^current · \w+, from /);
    assert.deepEqual(window.dialogs.messages, []);
  });

  it('is about the project of the workspace from the palette, and about the global settings where these are meant', async () => {
    const folder = vscode.Uri.file('/repositories/tide-table');
    workspaceProjects.current = { accountId: window.account.id, path: 'harbor/tide-table', folder };
    window.dialogs.choices = [/^Watch$/];
    await quickChange.run();
    assert.equal(await window.level(window.tideTable), 'watch');
    window.dialogs.choices = [/^On mention$/];
    await quickChange.runGlobal();
    assert.equal(await window.level(window.global), 'mention');
    assert.ok(!window.dialogs.offered[1]?.includes('Global'));
    assert.deepEqual(
      window.dialogs.headings.map(([heading]) => heading),
      [
        'E-Mail Notifications: Project harbor/tide-table (marta@sandbox)',
        'E-Mail Notifications: Global settings (marta@sandbox)',
      ],
    );
  });

  it('asks from the palette where the project of the workspace is that of another account than the window’s', async () => {
    const folder = vscode.Uri.file('/repositories/tide-table');
    workspaceProjects.current = { accountId: window.account.id, path: 'harbor/tide-table', folder };
    accountInUse.account = sampleAccount('aiko', 'https://gitlab.example');
    window.dialogs.choices = [/^harbor\/tide-table$/, /^Watch$/];
    await quickChange.run();
    assert.equal(await window.level(window.tideTable), 'watch');
    assert.deepEqual(window.dialogs.offered[0], ['harbor/tide-table', 'Another Project…']);
    assert.deepEqual(window.dialogs.descriptions[0], [
      'marta@sandbox, not the account of this window',
      'aiko@gitlab.example',
    ]);
    Object.assign(window.account, { scopes: ['read_user'] });
    window.dialogs.choices = [/^Another Project…$/];
    await assert.rejects(quickChange.run(), /needs the token scope api/);
    window.dialogs.choices = [];
    await quickChange.run();
    assert.deepEqual(window.dialogs.messages.slice(1), []);
  });

  it('says at once where the token of the account may not change settings, with the button that renews it', async () => {
    for (const scopes of [['read_user'], ['read_api']]) {
      Object.assign(window.account, { scopes });
      for (const run of [
        () => quickChange.run(row()),
        () => quickChange.run(window.tideTable),
        () => quickChange.run(),
        () => quickChange.runGlobal(),
      ]) {
        await assert.rejects(run, ({ problem }: ProblemError) => {
          assert.match(problem.sentence, /^The token of marta@sandbox .*: this needs the token scope api\.$/);
          assert.deepEqual(problem.remedy?.arguments, ['marta@sandbox']);
          return true;
        });
      }
    }
    assert.deepEqual([window.requests, window.dialogs.offered], [[], []]);
  });

  it('changes nothing where the level that holds is chosen', async () => {
    await choose(/^Global$/);
    assert.equal(await window.level(window.tideTable), 'global');
    assert.deepEqual(window.dialogs.messages, []);
  });

  it('turns one event on and leaves the others as they are', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true, close_issue: false });
    await choose(/^Turn On: Closed issue$/);
    const events = await window.events(window.tideTable);
    assert.deepEqual([events['close_issue'], events['new_note']], [true, true]);
    await last()?.press('Undo');
    assert.equal((await window.events(window.tideTable))['close_issue'], false);
  });

  it('offers the form for the level Custom, also where that holds', async () => {
    const { executeCommand } = vscode.commands;
    const opened: unknown[] = [];
    Object.assign(vscode.commands, { executeCommand: async (...call: unknown[]) => void opened.push(call) });
    try {
      await choose(/^Custom…$/);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(opened, [['beacon.notifications.open', window.tideTable]]);
    await window.change(window.tideTable, { level: 'custom' });
    await choose(/no such line/);
    assert.ok(window.dialogs.offered[1]?.includes('Custom…'));
  });

  it('says before that an event sets the level to Custom and what Undo restores, and after what cannot be undone', async () => {
    await window.change(window.tideTable, { level: 'watch' });
    await choose(/^Turn On: Closed issue$/);
    assert.equal(
      window.dialogs.headings[0]?.[1],
      'An event sets Custom, which includes Participate; Undo restores only the level',
    );
    assert.equal(await window.level(window.tideTable), 'custom');
    assert.equal(
      last()?.sentence,
      [
        ...['Saved: Project harbor/tide-table', 'Level: from Watch to Custom'],
        ...['Closed issue: from unknown to on (after Undo, kept for the level Custom)', 'Account: marta@sandbox'],
      ].join(' · '),
    );
    await last()?.press('Undo');
    assert.equal(await window.level(window.tideTable), 'watch');
    assert.match(
      last()?.sentence ?? '',
      /^Undone: .* Level: from Custom to Watch · Kept for the level Custom: Closed issue · /,
    );
  });

  it('says before that a default cannot be restored', async () => {
    await window.change(window.tideTable, { level: 'custom', new_note: true });
    const events = await window.events(window.tideTable);
    assert.equal(events['close_issue'], null);
    await choose(/^Turn On: Closed issue$/);
    const line = window.dialogs.offered[0]?.indexOf('Turn On: Closed issue') ?? -1;
    assert.equal(
      window.dialogs.descriptions[0]?.[line],
      'default: GitLab decides · Undo cannot take it back · An issue is closed',
    );
    assert.match(window.dialogs.headings[0]?.[1] ?? '', /^At other levels, /);
    const held = window.dialogs.offered[0]?.indexOf('Custom…') ?? -1;
    assert.match(window.dialogs.descriptions[0]?.[held] ?? '', /^current · /);
    assert.match(last()?.sentence ?? '', / · Closed issue: from default to on \(cannot be undone\) · /);
  });

  it('sends nothing where the settings were changed elsewhere meanwhile', async () => {
    window.dialogs.onChoose = () => window.change(window.tideTable, { level: 'disabled' });
    await choose(/^On mention$/);
    assert.equal(await window.level(window.tideTable), 'disabled');
    assert.match(last()?.sentence ?? '', /changed in the meantime, here or elsewhere, so nothing was sent/);
    assert.deepEqual(last()?.buttons, ['Open Notification Settings']);
  });

  it('reads again before it tries again where the answer is missing', async () => {
    window.sandbox.control.transform({ answer: dropped, method: 'PUT', times: 1 });
    await choose(/^On mention$/);
    assert.match(last()?.sentence ?? '', /the answer is missing/);
    await last()?.press('Try Again');
    assert.equal(await window.level(window.tideTable), 'mention');
  });
});
