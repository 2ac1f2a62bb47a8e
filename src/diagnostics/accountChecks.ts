import * as vscode from 'vscode';
import { tokenFacts, knownScopes, neededPermissionLines } from '../accounts/tokenCheck.ts';
import { problemOf, readOnlySentence, replaceToken } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import type { TokenRecord } from '../api/directory.ts';
import { type ApiError, isApiError } from '../api/errors.ts';
import { type CheckOutcome, failure, finding, ok, tryAnotherUrl } from './finding.ts';

/** The scopes for everything, for all that changes nothing, and for the feed. */
const fullScope = 'api';
const readScope = 'read_api';

/** Days before its expiry from which a token gets a warning. */
const soon = 7;

/**
 * What the first request, sent without a token, reveals.
 *
 * @param error what it rejected with; undefined if it was answered.
 */
export function checkInstance(name: string, error: unknown): CheckOutcome {
  if (error === undefined || isApiError(error, 'notSignedIn')) {
    return ok(vscode.l10n.t('{0} answers like a GitLab instance.', name));
  }
  if (isApiError(error) && (error.reason === 'unavailable' || error.reason === 'inFront')) {
    return failure(error);
  }
  const { sentence } = problemOf(error);
  const isNone = isApiError(error, 'notFound');
  return finding(
    'failed',
    isNone ? vscode.l10n.t('{0} does not answer like a GitLab instance; check the URL.', name) : sentence,
    tryAnotherUrl(),
  );
}

/** What is known of an account after its token was looked at. */
export interface TokenFacts {
  readonly outcome: CheckOutcome;
  /** Undefined if the scopes are not known. */
  readonly scopes?: readonly string[] | undefined;
}

/** Whether the instance accepts a token, and how long. */
export async function checkToken(
  client: Client,
  accountId: string | undefined,
  now: Date,
  signal: AbortSignal,
): Promise<TokenFacts> {
  try {
    const { username } = await client.directory.currentUser({ signal });
    const token = await tokenFacts(client, signal);
    return { outcome: ok(expiryLabel(username, token, now)), scopes: token?.scopes };
  } catch (error) {
    if (isApiError(error, 'missingScope')) {
      const token = await tokenFacts(client, signal);
      return { outcome: ok(vscode.l10n.t('The instance knows the token.')), scopes: token?.scopes ?? [] };
    }
    const outcome = failure(error, accountId);
    if (isApiError(error, 'missingPermission')) {
      // Without the permission to read its user, the token may still do everything else.
      const sentence = vscode.l10n.t(
        'The instance knows the token. It does not tell whose it is: it lacks the permission User: Read, which sign-in needs.',
      );
      return { outcome: { ...outcome, state: 'ok', sentence, details: [outcome.sentence] }, scopes: ['granular'] };
    }
    return { outcome: isApiError(error, 'notSignedIn') ? { ...outcome, sentence: rejectionLabel(error) } : outcome };
  }
}

/** Whether a token may do what Beacon offers. */
export function checkScopes(scopes: readonly string[] | undefined, accountId: string): CheckOutcome {
  if (scopes === undefined) {
    return finding('skipped', vscode.l10n.t('The scopes of the token are not known.'));
  }
  const names = scopes.length > 0 ? scopes.join(', ') : vscode.l10n.t('none');
  if (knownScopes(scopes) === undefined) {
    return ok(
      vscode.l10n.t(
        'The token is fine-grained: it works where its permissions reach, and does not tell which. What each feature needs:',
      ),
      neededPermissionLines(),
    );
  }
  if (scopes.includes(fullScope)) {
    return ok(vscode.l10n.t('The token scope is enough for everything here: {0}.', names));
  }
  if (scopes.includes(readScope)) {
    return ok(readOnlySentence());
  }
  return finding(
    'failed',
    vscode.l10n.t(
      'The token lacks the token scope api, or read_api to read only; read_user is enough for the feed alone. It has: {0}.',
      names,
    ),
    replaceToken(accountId),
  );
}

/** At most this many projects are checked. */
const mostProjects = 5;

/** Whether the user's role in projects allows error tracking, which asks for the most. Stops at the first failure. */
export async function checkRoles(
  client: Client,
  projects: readonly string[],
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const checked = projects.slice(0, mostProjects);
  for (const project of checked) {
    const outcome = await checkRole(client, project, signal);
    if (outcome) {
      return outcome;
    }
  }
  const names = new Intl.ListFormat(vscode.env.language).format(checked);
  return checked.length === 0
    ? finding(
        'skipped',
        vscode.l10n.t('No repository of this workspace belongs to the account, and it has no pinned project.'),
      )
    : ok(vscode.l10n.t('Your role in {0} allows everything here.', names));
}

/** What is wrong with the user's role in a project; undefined if nothing is. */
async function checkRole(client: Client, project: string, signal: AbortSignal): Promise<CheckOutcome | undefined> {
  try {
    await client.directory.project(project, { signal });
  } catch (error) {
    return isApiError(error, 'notFound')
      ? finding('failed', vscode.l10n.t('There is no project {0}, or you are not a member of it.', project))
      : failure(error);
  }
  try {
    await client.errorTracking.settings(project, { signal });
  } catch (error) {
    if (isApiError(error, 'missingRole') && error.statedReason === undefined) {
      return finding(
        'failed',
        vscode.l10n.t('Your role in {0} allows the feed; error tracking needs Maintainer or Owner.', project),
      );
    }
    // Only users who may see the settings learn that a project has none.
    if (!isApiError(error, 'notFound')) {
      return failure(error);
    }
  }
  return undefined;
}

function expiryLabel(username: string, token: TokenRecord | undefined, now: Date): string {
  const expiry = token?.expires_at;
  if (!expiry) {
    return vscode.l10n.t('Signed in as {0}.', username);
  }
  const day = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const until = new Date(`${expiry}T00:00:00Z`);
  const text = Number.isNaN(until.getTime()) ? expiry : day.format(until);
  return until.getTime() - now.getTime() < soon * 86_400_000
    ? vscode.l10n.t('Signed in as {0}, but the token expires soon: on {1}.', username, text)
    : vscode.l10n.t('Signed in as {0}; the token expires on {1}.', username, text);
}

/** The platform distinguishes expired, revoked and unknown tokens only by the text of the answer. */
function rejectionLabel({ instance, sentence = '' }: ApiError<'notSignedIn'>): string {
  if (/expired/i.test(sentence)) {
    return vscode.l10n.t('The token has expired; {0} no longer accepts it.', instance);
  }
  if (/revoked/i.test(sentence)) {
    return vscode.l10n.t('The token was revoked; {0} no longer accepts it.', instance);
  }
  return vscode.l10n.t('{0} does not know the token.', instance);
}
