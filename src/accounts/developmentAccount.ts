import type { Credentials } from './account.ts';

/**
 * The credentials that a development run of the editor gets from its environment, so that `npm start` shows a signed-in
 * workbench. Only an extension host in development mode asks for them.
 *
 * @param value of BEACON_DEVELOPMENT_ACCOUNT, the credentials as JSON.
 */
export function developmentCredentials(value: string | undefined): Credentials | undefined {
  return value === undefined ? undefined : (JSON.parse(value) as Credentials);
}
