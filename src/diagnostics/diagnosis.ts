import { checkRoute, routeSteps } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import type { App } from '../app.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { checkInstance, checkRoles, checkScopes, checkToken } from './accountChecks.ts';
import { type CheckResult, failure, finding, ok, type StepName, tryAnotherUrl } from './finding.ts';

/** The steps of a connection, in the order in which they are checked. */
export const stepNames: readonly StepName[] = ['url', ...routeSteps, 'instance', 'token', 'scopes', 'role'];

/** Whose connection is looked at. */
export interface DiagnosticTarget {
  /** An instance's URL, or what a user typed for it. */
  readonly url: string;
  readonly accountId?: string | undefined;
  /** Reads the token of the account; undefined, or resolving to that, if nobody is signed in there. */
  readonly token?: (() => Promise<string | undefined>) | undefined;
  /** Whether the token travels as `Authorization: Bearer`. */
  readonly bearer?: boolean | undefined;
  /** The full paths of the projects there whose role is checked. */
  readonly projects?: readonly string[];
}

/**
 * Checks a connection step by step. Sends the token only after the route to the instance has been verified.
 *
 * @returns the finding of each step as soon as it is known; none of those that cannot be checked after one that failed, or without a
 *   token.
 */
export async function* diagnose(
  app: App,
  target: DiagnosticTarget,
  signal: AbortSignal,
): AsyncGenerator<CheckResult, void, undefined> {
  const clients: Client[] = [];
  try {
    for await (const result of steps(app, target, clients, signal)) {
      if (signal.aborted) {
        return;
      }
      yield result;
      if (result.state === 'failed') {
        return;
      }
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function* steps(
  { connections, network, clock }: App,
  target: DiagnosticTarget,
  clients: Client[],
  signal: AbortSignal,
): AsyncGenerator<CheckResult, void, undefined> {
  const instanceUrl = normalizeInstanceUrl(target.url);
  if (instanceUrl === undefined) {
    // Without what was typed: it may hold a password.
    const sentence = vscode.l10n.t('This is not the URL of an instance. Enter one such as https://gitlab.com.');
    yield { step: 'url', ...finding('failed', sentence, tryAnotherUrl()) };
    return;
  }
  const name = instanceName(instanceUrl);
  const { accountId = name } = target;
  yield { step: 'url', ...ok(vscode.l10n.t('The instance is {0}.', instanceUrl)) };
  const clientWith = async (token?: string): Promise<Client> => {
    const client = await connections.client(instanceUrl, token, target.bearer);
    clients.push(client);
    return client;
  };
  let answered: Promise<unknown> | undefined;
  const firstRequest = (): Promise<unknown> => (answered ??= errorOfFirstRequest(clientWith, signal));
  for (const step of routeSteps) {
    yield { step, ...(await checkRoute(step, instanceUrl, network, firstRequest, signal)) };
  }
  yield { step: 'instance', ...checkInstance(name, await firstRequest()) };
  let token: string | undefined;
  try {
    token = await target.token?.();
  } catch (error) {
    yield { step: 'token', ...failure(error, target.accountId) };
    return;
  }
  if (token === undefined) {
    const sentence = vscode.l10n.t('You are not signed in to {0}.', name);
    const signIn = { command: 'beacon.signIn', title: vscode.l10n.t('Sign In…'), arguments: [{ url: instanceUrl }] };
    yield { step: 'token', ...finding('skipped', sentence, signIn) };
    return;
  }
  const { outcome, scopes } = await checkToken(await clientWith(token), accountId, clock.date(), signal);
  yield { step: 'token', ...outcome };
  yield { step: 'scopes', ...checkScopes(scopes, accountId) };
  yield { step: 'role', ...(await checkRoles(await clientWith(token), target.projects ?? [], signal)) };
}

/** What an anonymous request to the instance fails with; it is meant to fail for want of a token. */
async function errorOfFirstRequest(client: () => Promise<Client>, signal: AbortSignal): Promise<unknown> {
  try {
    const { directory } = await client();
    await directory.currentUser({ signal });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The label of a step. */
export function stepTitle(step: StepName): string {
  const { t } = vscode.l10n;
  const titles: Readonly<Record<StepName, string>> = {
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
 * A report for support. Findings hold no secrets, so neither does it.
 *
 * @param environment what it was made with, such as the versions.
 */
export function diagnosisReport(findings: readonly CheckResult[], environment: readonly string[]): string {
  const lines = findings.flatMap(({ step, state, sentence, details }) => [
    `${marks[state]} ${stepTitle(step)}: ${sentence}`,
    ...details.map((line) => `    ${line}`),
  ]);
  return [...environment, '', ...lines, ''].join('\n');
}
