import type { Credentials } from './account.ts';
import type { SignIn } from './signIn.ts';

/**
 * Signs in with the credentials that a development run of the editor finds in its environment, so that `npm start` shows
 * a signed-in workbench. Only an extension host in development mode may call this.
 *
 * @param variable the value of BEACON_DEVELOPMENT_ACCOUNT: credentials as JSON.
 * @returns whether there were any.
 * @throws ApiError if the instance does not accept them.
 */
export async function signInForDevelopment(signIn: SignIn, variable: string | undefined): Promise<boolean> {
  if (variable === undefined) {
    return false;
  }
  await signIn.with(JSON.parse(variable) as Credentials);
  return true;
}
