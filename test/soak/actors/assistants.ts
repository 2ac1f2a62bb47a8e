import * as vscode from 'vscode';
import { noteUnexpected } from '../host/editor.ts';
import { projects } from '../host/instance.ts';
import { outputs, trace } from '../host/surroundings.ts';
import { usernames } from './accounts.ts';
import type { Action } from './action.ts';
import { permitLevel } from './permissions.ts';
import type { UserAction } from './userAction.ts';

const levels = ['disabled', 'participating', 'watch', 'mention'] as const;

/** Lets a language model use a tool. It gets an answer or the sentence of a failure. */
async function invoke(name: string, input: object): Promise<void> {
  const answer = await vscode.lm
    .invokeTool(name, { input, toolInvocationToken: undefined })
    .then(({ content }) => content, String);
  outputs.see(`the tool ${name}`, answer);
  if (typeof answer === 'string') {
    await noteUnexpected(answer);
  }
  trace(`tool: ${name} ${JSON.stringify(input)} → ${JSON.stringify(answer).slice(0, 200)}`);
}

async function readActivity({ random }: Action): Promise<void> {
  await invoke(
    'beacon_read_activity',
    random.next() < 0.5 ? {} : { feed: 'project', project: random.pick(projects).path, since: 'yesterday' },
  );
}

async function readNotificationSettings({ random }: Action): Promise<void> {
  await invoke(
    'beacon_read_notification_settings',
    random.next() < 0.5 ? { scope: 'global' } : { scope: 'project', path: random.pick(projects).path },
  );
}

/** The account in use may be either one. */
async function changeLevel(action: Action): Promise<void> {
  const [project, level] = [action.random.pick(projects), action.random.pick(levels)];
  usernames.forEach((username) => permitLevel(action, username, project.id, level));
  await invoke('beacon_change_notification_level', { scope: 'project', path: project.path, level });
}

async function listKeys({ random }: Action): Promise<void> {
  await invoke('beacon_list_client_keys', {
    project: random.pick(projects).path,
    ...(random.next() < 0.5 ? { includeDsns: true } : {}),
  });
}

export const assistantActions: readonly UserAction[] = [
  { name: 'let a model read the activity', weight: 1.5, run: readActivity },
  { name: 'let a model read notification settings', weight: 1.5, run: readNotificationSettings },
  { name: 'let a model change a notification level', weight: 2, run: changeLevel },
  { name: 'let a model list the client keys', weight: 1.5, run: listKeys },
];
