import * as vscode from 'vscode';
import type { Instance } from '../host/instance.ts';
import { time } from '../time/globals.ts';
import type { Action } from './action.ts';
import type { UserAction } from './userAction.ts';

/** Whom this window is signed in as in batches: the owner of all projects, and a maintainer. */
export const usernames = ['marta', 'femi'] as const;

/** The id of a user's account. */
export function accountIdOf(username: string, { url }: Instance): string {
  return `${username}@${new URL(url).host}`;
}

/** Sign in, also where somebody is signed in already; the token is typed by whom the action names. */
export async function signIn(): Promise<void> {
  await vscode.commands.executeCommand('beacon.signIn');
}

export async function renewToken(username: string, instance: Instance): Promise<void> {
  await vscode.commands.executeCommand('beacon.replaceToken', accountIdOf(username, instance));
}

/** Signs out, and in again after a while. */
async function signOut({ random }: Action): Promise<void> {
  await vscode.commands.executeCommand('beacon.signOut');
  await time.wait(random.integer(10, 300) * 1000);
  await signIn();
}

/** The last word of a name decides whose token is typed. */
export const accountActions: readonly UserAction[] = [
  ...usernames.map((username) => ({ name: `sign out and in as ${username}`, weight: 0.6, run: signOut })),
  ...usernames.map((username) => ({ name: `sign in as ${username}`, weight: 0.4, run: signIn })),
  ...usernames.map((username) => ({
    name: `renew the token of ${username}`,
    weight: 0.6,
    run: async (_: Action, instance: Instance) => await renewToken(username, instance),
  })),
  {
    name: 'diagnose the connection',
    weight: 1,
    run: async () => await vscode.commands.executeCommand('beacon.diagnoseConnection'),
  },
  {
    name: 'switch the account',
    weight: 2,
    run: async () => await vscode.commands.executeCommand('beacon.accounts'),
  },
];
