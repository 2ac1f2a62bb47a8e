import * as vscode from 'vscode';
import { uriHandler } from '../host/editor.ts';
import { type Instance, projects } from '../host/instance.ts';
import type { Action } from './action.ts';
import type { UserAction } from './userAction.ts';

const targets = ['activity', 'error-tracking', 'notification-settings', 'elsewhere'] as const;

/** Opens an address of the editor that leads to something of the instance, to what is not there, or to another instance. */
async function openLink({ random }: Action, instance: Instance): Promise<void> {
  const query = new URLSearchParams({
    instance: random.next() < 0.9 ? instance.url : 'https://gitlab.example.com',
    project: random.pick([...projects.map(({ path }) => path), '501', 'no/such-project']),
  });
  const uri = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: 'beacon-gitlab.beacon-gitlab',
    path: `/${random.pick(targets)}`,
    query: query.toString(),
  });
  await uriHandler()?.handleUri(uri);
}

export const linkActions: readonly UserAction[] = [{ name: 'open a link', weight: 3, run: openLink }];
