import type * as vscode from 'vscode';
import type { Credentials } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { SignIn } from './signIn.ts';

/** Remembers the instance of the last such sign-in, so that a sign-out lasts. */
const mementoKey = 'developmentInstance';

/**
 * Signs in with the credentials that a development run of the editor finds in its environment, so that `npm start` shows
 * a signed-in workbench. Only a development build may call this.
 *
 * @param variable the value of BEACON_DEVELOPMENT_ACCOUNT: credentials as JSON.
 * @returns whether it signed in, which it does once for an instance.
 * @throws ApiError if the instance does not accept them.
 */
export async function signInForDevelopment(
  signIn: SignIn,
  inUse: AccountInUse,
  memento: vscode.Memento,
  variable: string | undefined,
): Promise<boolean> {
  const credentials = variable === undefined ? undefined : (JSON.parse(variable) as Credentials);
  if (credentials === undefined || memento.get(mementoKey) === credentials.instanceUrl) {
    return false;
  }
  await inUse.use(await signIn.with(credentials));
  await memento.update(mementoKey, credentials.instanceUrl);
  return true;
}
