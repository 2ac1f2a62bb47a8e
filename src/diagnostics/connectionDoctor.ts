import { platformLabel } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import { accountChoices, type Choice } from '../accounts/dialogs.ts';
import { reportFailure } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { showInputBox, showQuickPick } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { diagnose, diagnosisReport, type DiagnosticTarget } from './diagnosis.ts';
import { showDiagnosis } from './diagnosisPick.ts';
import type { CheckResult } from './finding.ts';

/** Which connection to diagnose; without them the account in use, or one that the user picks. */
export interface DiagnosisOptions {
  /** What a user typed for an instance. */
  readonly url?: string;
  /** Host and port of an instance: only accounts there are meant, if there are any. */
  readonly host?: string;
  /** Whether a URL is asked for in any case. */
  readonly askUrl?: boolean;
}

/** The command that finds out what is wrong between the editor and an instance, and offers what fixes it. */
export function diagnosisCommands(app: App) {
  return {
    'beacon.diagnoseConnection': (options?: DiagnosisOptions) => diagnoseConnection(app, options),
  } satisfies Commands;
}

/** Asks which connection is meant if that is not clear, and diagnoses it. */
async function diagnoseConnection(
  app: App,
  { askUrl = false, url: givenUrl, host }: DiagnosisOptions = {},
): Promise<void> {
  const account = askUrl || givenUrl !== undefined ? undefined : await chooseAccount(app, host);
  if (account === 'canceled') {
    return;
  }
  const url = givenUrl ?? account?.instanceUrl ?? (await askForUrl(askUrl ? '' : sandboxNote(app)));
  if (url === undefined) {
    return;
  }
  const instanceUrl = normalizeInstanceUrl(url);
  const name = account?.id ?? (instanceUrl === undefined ? '' : instanceName(instanceUrl));
  showDiagnosis({
    title: name === '' ? vscode.l10n.t('Connection') : vscode.l10n.t('Connection to {0}', name),
    instanceUrl,
    findings: (signal) => diagnose(app, account ? targetOf(app, account) : { url }, signal),
    report: (findings) => diagnosisReport(findings, environment(app)),
  }).catch((error: unknown) => reportFailure(error, app.log));
}

/**
 * Diagnoses the connection of the account in use without showing anything.
 *
 * @returns the report, which holds no secrets; of the versions alone where no instance is in use.
 */
export async function connectionReport(app: App, signal: AbortSignal): Promise<string> {
  const { account } = app.accountInUse;
  const findings: CheckResult[] = [];
  if (account?.kind === 'instance') {
    for await (const finding of diagnose(app, targetOf(app, account), signal)) {
      findings.push(finding);
    }
  }
  return diagnosisReport(findings, [...environment(app), sandboxNote(app)].filter(Boolean));
}

/** Says why a window that works with the sandbox is asked for an account or an instance; else empty. */
function sandboxNote({ accountInUse }: App): string {
  return accountInUse.account?.kind === 'sandbox'
    ? vscode.l10n.t('The sandbox runs in the editor itself and has no connection to diagnose.')
    : '';
}

function targetOf(
  { accounts, workspaceProjects, pins }: App,
  { id, instanceUrl, bearer }: InstanceAccount,
): DiagnosticTarget {
  const ofWorkspace = workspaceProjects.all.find(({ accountId }) => accountId === id);
  return {
    url: instanceUrl,
    accountId: id,
    bearer,
    token: async () => {
      const kept = await accounts.credentials(id);
      return kept?.instanceUrl === instanceUrl ? kept.token : undefined;
    },
    projects: (ofWorkspace ? [ofWorkspace] : pins.of(id, 'project')).map(({ path }) => path),
  };
}

/** @returns undefined for an instance without an account. */
async function chooseAccount(app: App, host: string | undefined): Promise<InstanceAccount | undefined | 'canceled'> {
  const everywhere = app.accounts.all;
  const there = everywhere.filter(({ instanceUrl }) => new URL(instanceUrl).host === host);
  const all = there.length > 0 ? there : everywhere;
  const note = there.length > 0 ? '' : sandboxNote(app);
  if (all.length < (note === '' ? 2 : 1)) {
    return all[0];
  }
  const choices: readonly Choice<InstanceAccount>[] = [
    ...accountChoices(all, app.accountInUse.account),
    { label: vscode.l10n.t('Another Instance…'), iconPath: new vscode.ThemeIcon('globe') },
  ];
  const chosen = await showQuickPick(choices, {
    title: vscode.l10n.t('Diagnose Connection'),
    placeHolder: `${note} ${vscode.l10n.t('Choose the account whose connection to diagnose')}`.trim(),
    matchOnDescription: true,
  });
  return chosen ? chosen.value : 'canceled';
}

function environment({ context }: App): string[] {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const remote = vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`;
  return [`Beacon for GitLab ${version}`, `${vscode.env.appName} ${vscode.version}${remote}, ${platformLabel()}`];
}

/** @param note what is said before. */
async function askForUrl(note: string): Promise<string | undefined> {
  return await showInputBox({
    title: vscode.l10n.t('Diagnose Connection'),
    prompt: `${note} ${vscode.l10n.t('Enter the URL of a GitLab instance')}`.trim(),
    // Selected, so that typing replaces it, and Enter has an answer.
    value: 'https://gitlab.com',
    ignoreFocusOut: true,
  });
}
