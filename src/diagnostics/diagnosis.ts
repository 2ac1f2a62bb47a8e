import { checkRoute, withoutHome } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/keptAccount.ts';
import { problemOf, readOnlySentence, replaceToken, signIn } from '../accounts/problem.ts';
import { probe, tokenFacts } from '../accounts/tokenCheck.ts';
import { type Client, neededPermissions } from '../api/client.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { plainText } from '../common/inertText.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { failure, type Finding, finding, ok, type StepFinding, tryAnotherUrl } from './finding.ts';

const { t } = vscode.l10n;

const soon = 7;
const mostProjects = 5;

/**
 * Checks a connection step by step. Sends the token only after the route to the instance has been verified.
 *
 * @param url an instance's, or what a user typed for it.
 * @param account whose token is checked, too.
 * @returns the findings of the steps; none of those that cannot be checked after one that failed, or without a token.
 */
export async function diagnose(
  app: App,
  url: string,
  account: InstanceAccount | undefined,
  signal: AbortSignal,
): Promise<readonly StepFinding[]> {
  const findings: StepFinding[] = [];
  for await (const found of steps(app, url, account, signal)) {
    findings.push(found);
    if (signal.aborted || found.state === 'failed') {
      break;
    }
  }
  return findings;
}

async function* steps(
  app: App,
  url: string,
  account: InstanceAccount | undefined,
  signal: AbortSignal,
): AsyncGenerator<StepFinding, void, undefined> {
  const instanceUrl = normalizeInstanceUrl(url);
  if (instanceUrl === undefined) {
    // Without what was typed: it may hold a password.
    const sentence = t('This is not the URL of an instance. Enter one such as https://gitlab.com.');
    yield { step: 'url', ...finding('failed', sentence, tryAnotherUrl()) };
    return;
  }
  yield { step: 'url', ...ok(t('The instance is {0}.', instanceUrl)) };
  const asked = probe(app, instanceUrl, signal).catch((error: unknown) => error);
  yield* checkRoute(instanceUrl, app.network, asked, signal);
  const name = instanceName(instanceUrl);
  yield { step: 'instance', ...checkInstance(name, await asked) };
  let token: string | undefined;
  try {
    const kept = account && (await app.accounts.credentials(account.id));
    token = kept?.account.instanceUrl === instanceUrl ? kept.token : undefined;
  } catch (error) {
    yield { step: 'token', ...failure(error, account?.id) };
    return;
  }
  if (!account || token === undefined) {
    const sentence = t('You are not signed in to {0}.', name);
    yield { step: 'token', ...finding('skipped', sentence, signIn(instanceUrl)) };
    return;
  }
  const client = await app.connections.client(instanceUrl, token, account.bearer);
  const subscription = app.accounts.onDidChange(({ id, now }) =>
    id === account.id && !now ? client.close() : undefined,
  );
  try {
    const { scopes, ...found } = await checkToken(client, name, account.id, app.clock.date(), signal);
    yield { step: 'token', ...found };
    yield { step: 'scopes', ...checkScopes(scopes, account.id) };
    yield { step: 'role', ...(await checkRoles(client, projectsOf(app, account.id), signal)) };
  } finally {
    subscription.dispose();
    await client.close();
  }
}

/** @param error what the first request, sent without a token, failed with; undefined if an instance has answered. */
function checkInstance(name: string, error: unknown): Finding {
  if (error === undefined) {
    return ok(t('{0} answers like a GitLab instance.', name));
  }
  if (isApiError(error, 'unavailable', 'inFront')) {
    return failure(error);
  }
  const sentence = isApiError(error, 'notFound')
    ? t('{0} does not answer like a GitLab instance; check the URL.', name)
    : problemOf(error).sentence;
  return finding('failed', sentence, tryAnotherUrl());
}

/** Whether the instance accepts a token, how long, and with which scopes, as far as they are known. */
async function checkToken(
  client: Client,
  name: string,
  accountId: string,
  now: Date,
  signal: AbortSignal,
): Promise<Finding & { readonly scopes?: readonly string[] | undefined }> {
  try {
    await client.directory.currentUser({ signal });
  } catch (error) {
    if (isApiError(error, 'missingScope')) {
      const facts = await tokenFacts(client, signal);
      return { ...ok(t('The instance knows the token.')), scopes: facts?.scopes ?? [] };
    }
    const found = failure(error, accountId);
    if (isApiError(error, 'missingPermission')) {
      // Without the permission to read its user, the token may still do everything else.
      const sentence = t(
        'The instance knows the token. It does not tell whose it is: it lacks the permission User: Read, which sign-in needs.',
      );
      return { ...found, state: 'ok', sentence, details: [found.sentence], scopes: ['granular'] };
    }
    // The platform distinguishes expired, revoked and unknown tokens only by the text of the answer.
    const said = isApiError(error, 'notSignedIn') ? plainText(error.sentence ?? '') : '';
    return said === '' ? found : { ...found, details: [said] };
  }
  const { scopes, expires_at: expiry } = (await tokenFacts(client, signal)) ?? {};
  if (!expiry) {
    return { ...ok(t('{0} accepts the token.', name)), scopes };
  }
  const until = new Date(`${expiry}T00:00:00Z`);
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const day = Number.isNaN(until.getTime()) ? expiry : format.format(until);
  const isSoon = until.getTime() - now.getTime() < soon * 86_400_000;
  return isSoon
    ? { ...finding('warning', t('The token expires soon: on {0}.', day), replaceToken(accountId)), scopes }
    : { ...ok(t('{0} accepts the token, which expires on {1}.', name, day)), scopes };
}

function checkScopes(scopes: readonly string[] | undefined, accountId: string): Finding {
  if (scopes === undefined) {
    return finding('skipped', t('The scopes of the token are not known.'));
  }
  const names = scopes.length > 0 ? scopes.join(', ') : t('none');
  if (scopes.includes('granular')) {
    const sentence = t(
      'The token is fine-grained: it works where its permissions reach, and does not tell which. What each feature needs:',
    );
    return ok(sentence, neededPermissions);
  }
  if (scopes.includes('api')) {
    return ok(t('The token scope is enough for everything here: {0}.', names));
  }
  if (scopes.includes('read_api')) {
    return ok(readOnlySentence());
  }
  const sentence = t(
    'The token lacks the token scope api, or read_api to read only; read_user is enough for the feed alone. It has: {0}.',
    names,
  );
  return finding('failed', sentence, replaceToken(accountId));
}

/** The paths of the projects whose role is checked: that of the workspace, or those that are pinned. */
function projectsOf({ workspaceProjects, pins }: App, accountId: string): readonly string[] {
  const ofWorkspace = workspaceProjects.all.find((project) => project.accountId === accountId);
  return (ofWorkspace ? [ofWorkspace] : pins.of(accountId)).slice(0, mostProjects).map(({ path }) => path);
}

/** Whether the user's role in projects allows error tracking, which asks for the most. Stops at the first failure. */
async function checkRoles(client: Client, projects: readonly string[], signal: AbortSignal): Promise<Finding> {
  for (const project of projects) {
    try {
      await client.directory.project(project, { signal });
      // Only users who may see the settings learn that a project has none.
      await client.errorTracking.settings(project, { signal }).catch((error: unknown) => {
        return isApiError(error, 'notFound') ? undefined : Promise.reject(error);
      });
    } catch (error) {
      if (isApiError(error, 'notFound')) {
        return finding('failed', t('There is no project {0}, or you are not a member of it.', project));
      }
      return isApiError(error, 'missingRole') && error.statedReason === undefined
        ? finding('failed', t('Your role in {0} allows the feed; error tracking needs Maintainer or Owner.', project))
        : failure(error);
    }
  }
  const names = new Intl.ListFormat(vscode.env.language).format(projects);
  return projects.length === 0
    ? finding('skipped', t('No repository of this workspace belongs to the account, and it has no pinned project.'))
    : ok(t('Your role in {0} allows everything here.', names));
}

export function stepTitle(step: StepFinding['step']): string {
  const titles: Readonly<Record<StepFinding['step'], string>> = {
    url: t('URL'),
    request: t('Request'),
    tls: t('Certificate (TLS)'),
    instance: t('Instance'),
    token: t('Token'),
    scopes: t('Scopes of the Token'),
    role: t('Role in the Project'),
  };
  return titles[step];
}

const marks = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const;

/**
 * A report for support. Findings hold no secrets, so neither does it; their sentences may name files.
 *
 * @param environment what it was made with, such as the versions.
 */
export function diagnosisReport(findings: readonly StepFinding[], environment: readonly string[]): string {
  const lines = findings.flatMap(({ step, state, sentence, details }) => [
    `${marks[state]} ${stepTitle(step)}: ${sentence}`,
    ...details.map((line) => `    ${line}`),
  ]);
  return withoutHome([...environment, '', ...lines, ''].join('\n'));
}
