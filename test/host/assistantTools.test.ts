import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../src/app.ts';
import type { WorkspaceProjects } from '../../src/accounts/workspaceProjects.ts';
import { ReadActivityTool } from '../../src/activity/readActivityTool.ts';
import { assistantTools } from '../../src/main.ts';
import type { AssistantTool } from '../../src/assistants/toolRunner.ts';
import { systemClock } from '../../src/common/clock.ts';
import { ListClientKeysTool } from '../../src/errorTracking/tool.ts';
import type { NotificationScope } from '../../src/notifications/scope.ts';
import { SettingsService } from '../../src/notifications/settingsService.ts';
import { ChangeNotificationLevelTool, ReadNotificationSettingsTool } from '../../src/notifications/tool.ts';
import { signOut } from '../support/answeredInputs.ts';
import { sampleAccount } from '../support/accountSamples.ts';
import { SignedInWindow } from '../support/signedInWindow.ts';
import { endless } from '../support/sandbox/transforms.ts';

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

const { signal } = new AbortController();

describe('tools for language models', () => {
  let window: SignedInWindow;
  const connections = { current: async () => window.connection, of: async () => window.connection };
  const outsideOfProjects = { current: undefined };

  before(async () => {
    window = await SignedInWindow.open();
    window.use(sampleAccount('marta', window.sandbox.url));
  });
  after(() => window.close());

  /** The text of the question that the user is asked before a tool runs; undefined if there is none. */
  async function question(tool: AssistantTool, input: object): Promise<string | undefined> {
    const { confirmationMessages } = await tool.prepare(input, signal);
    const message = confirmationMessages?.message;
    return message instanceof vscode.MarkdownString ? message.value : message;
  }

  describe('that read the feed', () => {
    const tool = new ReadActivityTool({
      connections: connections as never,
      workspaceProjects: outsideOfProjects,
      clock: systemClock,
    });

    it('give the newest events with sentence, project and link, and say that there are more', async () => {
      const { feed, note, events, more } = await tool.run({ limit: 3 }, signal);
      assert.equal(feed, 'My Activity');
      assert.match(note ?? '', /merge requests/);
      assert.equal(events.length, 3);
      assert.equal(more, true);
      for (const event of events) {
        assert.match(event.text, /\w+ \w+/);
        assert.match(event.project ?? '', /^\w+\/.+/);
        assert.ok(event.link.startsWith(`${window.sandbox.url}/${event.project}/`), event.link);
      }
      assert.equal(await question(tool, {}), undefined);
    });

    it('narrow it down by project, action and days', async () => {
      const { feed, events, more } = await tool.run(
        { feed: 'project', project: 'harbor/tide-table', action: 'commented', since: '2020-01-01', limit: 100 },
        signal,
      );
      assert.equal(feed, 'harbor/tide-table');
      assert.equal(more, false);
      assert.ok(events.length > 1);
      assert.ok(events.every(({ action, comment }) => action === 'commented on' && comment));
      const before = await tool.run({ feed: 'project', project: 'harbor/tide-table', until: '2020-01-01' }, signal);
      assert.deepEqual(before.events, []);
    });

    it('look through some pages of a feed without an end, and say that there are more', async () => {
      window.sandbox.control.transform({ answer: endless(), path: '/events' });
      const { events, more } = await tool.run({ until: '2000-01-01', limit: 100 }, signal);
      window.sandbox.control.transform();
      assert.deepEqual([events, more], [[], true]);
    });

    it('explain invalid input to the model', async () => {
      for (const [input, says] of [
        [{ feed: 'everything' }, /feed/],
        [{ limit: 1000 }, /limit/],
        [{ since: 'soon' }, /"soon" is no day/],
        [{ feed: 'user' }, /"user", a username/],
        [{ feed: 'project' }, /needs "project"/],
      ] as const) {
        await assert.rejects(tool.run(input, signal), { name: 'ToolInputError', message: says });
      }
    });
  });

  describe('for notification settings', () => {
    const app = { connections } as unknown as App;
    const service = new SettingsService(connections);
    const read = new ReadNotificationSettingsTool(app, service);
    const change = new ChangeNotificationLevelTool(app, service);
    const project = { scope: 'project', path: 'harbor/tide-table' };

    it('read a level and what is known of each event, without the e-mail address', async () => {
      const answer = await read.run({}, signal);
      assert.equal(answer.of, 'Global settings');
      assert.equal(answer.events['new_note'], 'unknown');
      assert.doesNotMatch(JSON.stringify(answer), /@/);
      assert.equal((await read.run(project, signal)).level, 'global');
    });

    it('ask with a description of the change, and send only the level', async () => {
      assert.match((await question(change, { ...project, level: 'mention' })) ?? '', /Global.*On&nbsp;mention/s);
      assert.equal((await read.run(project, signal)).level, 'global', 'nothing was sent by asking');
      assert.deepEqual(await change.run({ ...project, level: 'mention' }, signal), {
        of: 'Project harbor/tide-table',
        before: 'global',
        level: 'mention',
        changed: true,
      });
      assert.equal((await read.run(project, signal)).level, 'mention');
      assert.equal((await change.run({ ...project, level: 'mention' }, signal)).changed, false);
    });

    it('change settings by the service of the page, which follow', async () => {
      const changed: NotificationScope[] = [];
      const subscription = service.onDidChange((scope) => changed.push(scope));
      const log = { error: assert.ifError } as unknown as vscode.LogOutputChannel;
      const runner = assistantTools(
        { ...app, log, workspaceProjects: outsideOfProjects as WorkspaceProjects },
        service,
      );
      const { token } = new vscode.CancellationTokenSource();
      const input = { ...project, level: 'participating' };
      await runner.prepare('beacon_change_notification_level', input, token);
      await runner.invoke('beacon_change_notification_level', input, token);
      subscription.dispose();
      assert.deepEqual(
        changed.map(({ kind }) => kind),
        ['project'],
      );
    });

    it('change nothing that was not shown before', async () => {
      await assert.rejects(change.run({ ...project, level: 'disabled' }, signal), /not confirmed/);
      const other = { scope: 'project', path: 'harbor/tools/logbook' };
      await question(change, { ...other, level: 'disabled' });
      await window.connection.client.notificationSettings.update({ project: 504 }, { level: 'watch' });
      await assert.rejects(
        change.run({ ...other, level: 'disabled' }, signal),
        /no longer those that the user was shown/,
      );
      assert.equal((await read.run(other, signal)).level, 'watch');
    });

    it('refuse levels and scopes that are none', async () => {
      for (const [input, says] of [
        [{ level: 'loud' }, /level/],
        [{ level: 'global' }, /for groups and projects/],
        [{ scope: 'project', level: 'watch' }, /need "path"/],
      ] as const) {
        await assert.rejects(change.prepare(input, signal), { name: 'ToolInputError', message: says });
        await assert.rejects(change.run(input, signal), { name: 'ToolInputError', message: says });
      }
    });
  });

  it('explain a path that would lead out of the instance, as the views do', async () => {
    const { token } = new vscode.CancellationTokenSource();
    const log = { error: (error: unknown) => logged.push(String(error)) };
    const logged: string[] = [];
    const accountInUse = { account: undefined, isOneOfSeveral: false };
    const accounts = { all: [] };
    const clock = systemClock;
    const app = {
      connections,
      log,
      workspaceProjects: outsideOfProjects,
      accountInUse,
      accounts,
      clock,
    } as unknown as App;
    const runner = assistantTools(app, new SettingsService(connections));
    const path = '../../../../other-app/x';
    for (const [name, input] of [
      ['beacon_read_activity', { feed: 'project', project: path }],
      ['beacon_read_activity', { feed: 'user', user: path }],
      ['beacon_read_notification_settings', { scope: 'group', path }],
      ['beacon_change_notification_level', { scope: 'project', path, level: 'watch' }],
      ['beacon_list_client_keys', { project: path }],
    ] as const) {
      const failure = await runner.invoke(name, input, token).then(String, ({ message }: Error) => message);
      assert.equal(
        failure,
        'This is no project, group or user: enter a path such as group/project, or a username.',
        `${name}: ${logged.join()}`,
      );
    }
  });

  describe('that list client keys', () => {
    const tool = new ListClientKeysTool({ connections, workspaceProjects: outsideOfProjects } as unknown as App);
    const input = { project: 'harbor/tide-table' };

    it('withhold DSNs unless they are asked for, which the user confirms', async () => {
      const answer = await tool.run(input, signal);
      assert.deepEqual(
        answer.keys.map(({ active }) => active),
        [true, false],
      );
      assert.doesNotMatch(JSON.stringify(answer), /glet_[0-9a-f]{32}|errortracking/);
      assert.equal(await question(tool, input), undefined);
      const asked = { ...input, includeDsns: true };
      assert.match((await question(tool, asked)) ?? '', /harbor\/tide-table/);
      assert.match(JSON.stringify(await tool.run(asked, signal)), /http:\/\/glet_[0-9a-f]{32}@.*\/projects\/501/);
    });

    it('report an error for an endless list, rather than a part of it', async () => {
      window.sandbox.control.transform({ answer: endless(), path: '*/client_keys' });
      await assert.rejects(tool.run(input, signal), { reason: 'notAnInstance', message: /more than 20 pages/ });
      window.sandbox.control.transform();
    });

    it('give the DSNs of the project and the keys that were shown, whatever is edited by then', async () => {
      const project = (path: string) => ({
        accountId: window.connection.account.id,
        path,
        folder: vscode.Uri.file('/'),
      });
      const workspaceProjects = { current: project('harbor/tide-table') };
      const following = new ListClientKeysTool({ connections, workspaceProjects } as unknown as App);
      const asked = { includeDsns: true };
      assert.match((await question(following, asked)) ?? '', /harbor\/tide-table.*glet/s);
      workspaceProjects.current = project('harbor/tools/logbook');
      const { client } = window.connection;
      const made = await client.errorTracking.createClientKey(501);
      try {
        const answer = await following.run(asked, signal);
        assert.equal(answer.project, 'harbor/tide-table');
        assert.deepEqual(
          answer.keys.filter((key) => 'dsn' in key).map(({ id }) => id === made.id),
          [false, false],
        );
        assert.equal(answer.keys.length, 3);
        assert.doesNotMatch(JSON.stringify(answer), new RegExp(made.public_key));
        await assert.rejects(following.run(asked, signal), { name: 'ToolInputError', message: /not confirmed/ });
      } finally {
        await client.errorTracking.deleteClientKey(501, made.id);
      }
    });

    it('give none when it is unclear to which project the user has agreed', async () => {
      const project = (path: string) => ({
        accountId: window.connection.account.id,
        path,
        folder: vscode.Uri.file('/'),
      });
      const workspaceProjects = { current: project('harbor/tide-table') };
      const following = new ListClientKeysTool({ connections, workspaceProjects } as unknown as App);
      const asked = { includeDsns: true };
      await question(following, asked);
      workspaceProjects.current = project('harbor/tools/logbook');
      await question(following, asked);
      await assert.rejects(following.run(asked, signal), { name: 'ToolInputError', message: /different things/ });
      assert.match((await question(following, asked)) ?? '', /logbook/);
      assert.equal((await following.run(asked, signal)).project, 'harbor/tools/logbook');
    });

    it('need a project', async () => {
      await assert.rejects(tool.run({}, signal), { name: 'ToolInputError', message: /"project" is needed/ });
    });
  });

  describe('of the extension', () => {
    const extension = vscode.extensions.getExtension<unknown>('beacon-gitlab.beacon-gitlab');
    const invoke = async (name: string, input: object): Promise<unknown> => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      const [part] = content;
      assert.ok(part instanceof vscode.LanguageModelTextPart);
      return JSON.parse(part.value);
    };
    before(async () => {
      await extension?.activate();
      await vscode.commands.executeCommand('beacon.trySandbox');
    });
    after(signOut);

    it('are those of the manifest', () => {
      assert.ok(extension);
      const { contributes } = extension.packageJSON as Manifest;
      const offered = vscode.lm.tools.filter(({ name }) => name.startsWith('beacon_'));
      assert.deepEqual(
        offered.map(({ name }) => name).sort(),
        contributes.languageModelTools.map(({ name }) => name).sort(),
      );
    });

    it('are there for who invokes them, with the account in use', async () => {
      const { events } = (await invoke('beacon_read_activity', { limit: 2 })) as { events: unknown[] };
      assert.equal(events.length, 2);
      const { level } = (await invoke('beacon_read_notification_settings', {})) as { level: string };
      assert.match(level, /^\w+$/);
      const { keys } = (await invoke('beacon_list_client_keys', { project: 'harbor/tide-table' })) as {
        keys: unknown[];
      };
      assert.equal(keys.length, 2);
    });

    it('change a level once that is confirmed, which this host does by itself', async () => {
      const input = { scope: 'project', path: 'harbor/tide-table', level: 'watch' };
      const { before, level } = (await invoke('beacon_change_notification_level', input)) as Record<string, string>;
      assert.notEqual(before, 'watch');
      assert.equal(level, 'watch');
    });

    it('say why they failed, and what fixes it', async () => {
      await assert.rejects(invoke('beacon_read_activity', { feed: 'project', project: 'harbor/nowhere' }), {
        message: /Not found on .*, or not visible to you/,
      });
      await signOut();
      await assert.rejects(invoke('beacon_read_activity', {}), { message: /signed out.*Sign In/ });
    });
  });
});
