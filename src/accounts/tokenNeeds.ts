import * as vscode from 'vscode';
import { tokenListUrl } from './instanceUrl.ts';

/**
 * What each feature needs of a fine-grained token, one line for each, in the names of the form that makes one.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens_rest/
 */
export function neededPermissionLines(): string[] {
  const { t } = vscode.l10n;
  return [
    `${t('Sign-in')}: User: Read`,
    `${t('Names and links')}: Project: Read; Group: Read`,
    `${t('Activity')}: Event: Read`,
    `${t('Notification settings')}: Notification Setting: Read, Update`,
    `${t('Error tracking')}: Error Tracking Setting: Read, Update; Error Tracking Client Key: Read, Create, Delete`,
    `${t('Expiry of the token')}: Personal Access Token: Read`,
  ];
}

/** Releases of an instance from which it has another page. */
const firstWithLegacyPage = [18, 9] as const;
const firstWithFineGrained = [18, 10] as const;

/**
 * The page of an instance that makes a classic token, with the name and the scope filled in as far as that version does.
 *
 * @param version such as `18.9.1-ee`; where it is not known, it is the page that every version has.
 */
export function classicTokenPage(instanceUrl: string, version: string | undefined): string {
  const query = new URLSearchParams({ name: 'Beacon for GitLab', scopes: 'api' });
  const page = isFrom(version, firstWithLegacyPage) === true ? '/legacy/new' : '';
  return `${tokenListUrl(instanceUrl)}${page}?${query.toString()}`;
}

/** The page of an instance that makes a fine-grained token; undefined if the version has none. */
export function fineGrainedTokenPage(instanceUrl: string, version: string | undefined): string | undefined {
  return isFrom(version, firstWithFineGrained) === false ? undefined : `${tokenListUrl(instanceUrl)}/granular/new`;
}

/** Undefined if the version is not known. */
function isFrom(version: string | undefined, [major, minor]: readonly [number, number]): boolean | undefined {
  const [, ofMajor, ofMinor] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  return ofMajor === undefined || ofMinor === undefined
    ? undefined
    : ofMajor > major || (ofMajor === major && ofMinor >= minor);
}
