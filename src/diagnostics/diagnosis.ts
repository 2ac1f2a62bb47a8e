import { checkRoute, routeSteps } from '#platform/diagnostics.ts';
import type { Network } from '#platform/network.ts';
import * as vscode from 'vscode';
import { problemOf, ProblemError } from '../accounts/problem.ts';
import type { Client } from '../api/client.ts';
import type { Clock } from '../common/clock.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { checkInstance, checkRoles, checkScopes, checkToken } from './accountChecks.ts';
import { failed, type CheckResult, ok, type CheckOutcome, skipped, type StepName } from './finding.ts';

/** The steps of a connection, in the order in which they are checked. */
export const stepNames = ['url', ...routeSteps, 'instance', 'token', 'scopes', 'role'] as const;

/** Whose connection is looked at. */
export interface DiagnosticTarget {
  /** An instance's URL, or what a user typed for it. */
  readonly url: string;
  /** Reads the token of the account; undefined, or resolving to that, if nobody is signed in there. */
  readonly token?: (() => Promise<string | undefined>) | undefined;
  /** The full paths of the projects there whose role is checked. */
  readonly projects?: readonly string[];
}

/** What a diagnosis is made with. */
export interface DiagnosticTools {
  readonly network: Network;
  /** Makes a client, which the caller closes; anonymous without a token. */
  readonly client: (instanceUrl: string, token?: string) => Promise<Client>;
  readonly clock: Pick<Clock, 'date'>;
}

/**
 * Checks a connection step by step, up to the first failure. Sends the token only after the route to the instance has been
 * verified.
 *
 * @returns the finding of each step as soon as it is known. After a failure the remaining steps are skipped.
 */
export async function* diagnose(
  subject: DiagnosticTarget,
  { network, client: connect, clock }: DiagnosticTools,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const instanceUrl = normalizeInstanceUrl(subject.url);
  if (instanceUrl === undefined) {
    // Without what was typed: it may hold a password.
    yield* skippingRest({
      step: 'url',
      ...failed(vscode.l10n.t('This is not the URL of an instance. Enter one such as https://gitlab.com.'), [
        { kind: 'otherUrl' },
      ]),
    });
    return;
  }
  const name = instanceName(instanceUrl);
  yield { step: 'url', ...ok(vscode.l10n.t('The instance is {0}.', instanceUrl)) };

  const clients: Client[] = [];
  const clientWith = async (token?: string): Promise<Client> => {
    const client = await connect(instanceUrl, token);
    clients.push(client);
    return client;
  };
  let answered: Promise<unknown> | undefined;
  const firstRequest = (): Promise<unknown> => (answered ??= errorOfFirstRequest(clientWith, signal));
  let token: string | undefined;
  let scopes: readonly string[] | undefined;
  const checks = {
    instance: async () => checkInstance(name, await firstRequest()),
    token: async () => {
      try {
        token = await subject.token?.();
      } catch (error) {
        const kind = error instanceof ProblemError ? 'renewToken' : 'showLog';
        return failed(problemOf(error).sentence, [{ kind }]);
      }
      if (token === undefined) {
        return skipped(vscode.l10n.t('You are not signed in to {0}.', name), [{ kind: 'signIn' }]);
      }
      const facts = await checkToken(await clientWith(token), clock.date(), signal);
      scopes = facts.scopes;
      return facts.outcome;
    },
    scopes: async () => (token === undefined ? skipped(vscode.l10n.t('There is no token.')) : checkScopes(scopes)),
    role: async () =>
      token === undefined
        ? skipped(vscode.l10n.t('There is no token.'))
        : checkRoles(await clientWith(token), subject.projects ?? [], signal),
  } satisfies Partial<Record<StepName, () => Promise<CheckOutcome>>>;
  try {
    for (const step of stepNames) {
      if (step === 'url') {
        continue;
      }
      const outcome = await (isOfRoute(step)
        ? checkRoute(step, instanceUrl, network, firstRequest, signal)
        : checks[step]());
      if (signal.aborted) {
        return;
      }
      if (outcome.state === 'failed') {
        yield* skippingRest({ step, ...outcome });
        return;
      }
      yield { step, ...outcome };
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function isOfRoute(step: StepName): step is (typeof routeSteps)[number] {
  return routeSteps.some((one) => one === step);
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

/** A failure and the steps after it, none of which can be checked. */
function* skippingRest(failure: CheckResult): Generator<CheckResult> {
  yield failure;
  for (const step of stepNames.slice(stepNames.findIndex((one) => one === failure.step) + 1)) {
    yield { step, ...skipped(vscode.l10n.t('Skipped because an earlier step failed.')) };
  }
}

/** The label of a step. */
export function stepTitle(step: StepName): string {
  switch (step) {
    case 'url':
      return vscode.l10n.t('URL');
    case 'request':
      return vscode.l10n.t('Request');
    case 'tls':
      return vscode.l10n.t('Certificate (TLS)');
    case 'instance':
      return vscode.l10n.t('Instance');
    case 'token':
      return vscode.l10n.t('Token');
    case 'scopes':
      return vscode.l10n.t('Scopes of the Token');
    case 'role':
      return vscode.l10n.t('Role in the Project');
  }
}

/** The label of a step's state. */
export function stateTitle(state: CheckResult['state']): string {
  switch (state) {
    case 'ok':
      return vscode.l10n.t('OK');
    case 'warning':
      return vscode.l10n.t('Warning');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'skipped':
      return vscode.l10n.t('Skipped');
  }
}

const marks = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const;

/**
 * A report for support. Findings hold no secrets, so neither does it.
 *
 * @param environment what it was made with, such as the versions.
 */
export function diagnosisReport(findings: readonly CheckResult[], environment: readonly string[]): string {
  const steps = findings.flatMap(({ step, state, sentence, details }) => [
    `${marks[state]} ${stepTitle(step)}: ${sentence}`,
    ...details.map((line) => `    ${line}`),
  ]);
  return [...environment, '', ...steps, ''].join('\n');
}
