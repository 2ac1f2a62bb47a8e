import { platformLabel } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/keptAccount.ts';
import { chooseAccount } from '../accounts/dialogs.ts';
import { type Remedy, reportFailure, runRemedy } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { inSequence } from '../common/inertText.ts';
import {
  confirm,
  setStatusBarMessage,
  showInputBox,
  showModal,
  withCancellableProgress,
} from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { choose } from '../common/question.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import { diagnose, diagnosisReport, stepTitle } from './diagnosis.ts';
import type { ShownCertificate, StepFinding } from './finding.ts';

/** Which connection to diagnose; without a URL that of the account in use, or one that the user picks. */
interface DiagnosisOptions {
  /** Of an instance, or what was typed for it: with an account there, its token is checked, too. */
  readonly url?: string;
  readonly askUrl?: boolean;
}

/** After these the connection is looked at again; all others lead away. */
const mending: readonly string[] = ['beacon.replaceToken', 'beacon.enterPassphrase', 'beacon.trustCertificate'];

export function diagnosisCommands(app: App) {
  return {
    'beacon.diagnoseConnection': (options?: DiagnosisOptions) => diagnoseConnection(app, options),
    // Without what to trust, it is to be found out.
    'beacon.trustCertificate': (instanceUrl?: string, certificate?: ShownCertificate) =>
      instanceUrl !== undefined && certificate ? trust(instanceUrl, certificate) : diagnoseConnection(app),
  } satisfies Commands;
}

async function diagnoseConnection(app: App, { askUrl = false, url: given }: DiagnosisOptions = {}): Promise<void> {
  const note = askUrl || given !== undefined ? '' : sandboxNote(app);
  const account = askUrl ? undefined : await chooseAccountAt(app, given, note);
  const url = account === 'canceled' ? undefined : (account?.instanceUrl ?? given ?? (await askForUrl(note)));
  if (account === 'canceled' || url === undefined) {
    return;
  }
  const typedUrl = normalizeInstanceUrl(url);
  const name = account ? app.accountInUse.nameOf(account) : typedUrl && instanceName(typedUrl);
  const title = name === undefined ? vscode.l10n.t('Connection') : vscode.l10n.t('Connection to {0}', name);
  showDiagnosis(app, title, url, account).catch((error: unknown) => reportFailure(error, app.log));
}

/**
 * Diagnoses the connection of the account in use without showing anything.
 *
 * @returns the report, which holds no secrets; of the versions alone where no instance is in use.
 */
export async function connectionReport(app: App, signal: AbortSignal): Promise<string> {
  const { account } = app.accountInUse;
  const findings = account?.kind === 'instance' ? await diagnose(app, account.instanceUrl, account, signal) : [];
  return diagnosisReport(findings, [...environment(app), sandboxNote(app)].filter(Boolean));
}

/** Says why a window that works with the sandbox is asked for an account or an instance; else empty. */
function sandboxNote({ accountInUse }: App): string {
  return accountInUse.account?.kind === 'sandbox'
    ? vscode.l10n.t('The sandbox runs in the editor itself and has no connection to diagnose.')
    : '';
}

/** @returns undefined for an instance without an account. */
async function chooseAccountAt(
  app: App,
  url: string | undefined,
  note: string,
): Promise<InstanceAccount | undefined | 'canceled'> {
  const instance = url === undefined ? undefined : normalizeInstanceUrl(url);
  const all = app.accounts.all.filter(({ instanceUrl }) => url === undefined || instanceUrl === instance);
  if (all.length < (note === '' ? 2 : 1)) {
    return all[0];
  }
  const title = vscode.l10n.t('Diagnose Connection');
  const placeholder = inSequence(note, vscode.l10n.t('Choose the account whose connection to diagnose'));
  const iconPath = new vscode.ThemeIcon('globe');
  const another = { label: vscode.l10n.t('Another Instance…'), iconPath, value: 'another' } as const;
  const chosen = (await chooseAccount(app, all, { title, placeholder }, [another])) ?? 'canceled';
  return chosen === 'another' ? undefined : chosen;
}

function environment({ context }: App): string[] {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const remote = vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`;
  return [`Beacon for GitLab ${version}`, `${vscode.env.appName} ${vscode.version}${remote}, ${platformLabel()}`];
}

async function askForUrl(note: string): Promise<string | undefined> {
  return await showInputBox({
    title: vscode.l10n.t('Diagnose Connection'),
    prompt: inSequence(note, vscode.l10n.t('Enter the URL of a GitLab instance')),
    // Selected, so that typing replaces it, and Enter has an answer.
    value: 'https://gitlab.com',
    ignoreFocusOut: true,
  });
}

/** Checks a connection and lists the steps, again and again as long as the user does something about one of them. */
async function showDiagnosis(
  app: App,
  title: string,
  url: string,
  account: InstanceAccount | undefined,
): Promise<void> {
  for (let known: readonly StepFinding[] | undefined; ;) {
    const findings =
      known ??
      (await withCancellableProgress(vscode.l10n.t('Checking the connection…'), async (signal) => {
        const found = await diagnose(app, url, account, signal);
        return signal.aborted ? [] : found;
      }));
    const chosen = findings.length > 0 && (await chooseStep(app, title, findings));
    if (!chosen || chosen === 'back') {
      return;
    }
    const { finding, pressed } = chosen;
    const remedy = pressed
      ? finding.remedies.find(({ title: name }) => name === pressed.tooltip)
      : await showStep(finding);
    if (remedy) {
      await runRemedy(remedy);
      if (!mending.includes(remedy.command)) {
        return;
      }
    }
    // A step that was only read leads back to the list as it was.
    known = remedy ? undefined : findings;
  }
}

async function chooseStep(app: App, title: string, findings: readonly StepFinding[]) {
  const { t } = vscode.l10n;
  const icons = { ok: 'pass', warning: 'warning', failed: 'error', skipped: 'circle-slash' } as const;
  const states = { ok: t('OK'), warning: t('Warning'), failed: t('Failed'), skipped: t('Skipped') };
  const lines = findings.map((finding) => ({
    label: stepTitle(finding.step),
    iconPath: new vscode.ThemeIcon(icons[finding.state]),
    description: states[finding.state],
    detail: finding.sentence,
    buttons: finding.remedies.map(({ title: tooltip }) => ({ iconPath: new vscode.ThemeIcon('arrow-right'), tooltip })),
    finding,
  }));
  const failed = findings.find(({ state }) => state === 'failed');
  const doubtful = failed ?? findings.find(({ state }) => state === 'warning');
  const placeholder = failed
    ? t('Failed: {0}. Select it to see what to do.', stepTitle(failed.step))
    : doubtful
      ? t('The connection works, with a warning: {0}.', stepTitle(doubtful.step))
      : t('The connection works.');
  const active = lines.find(({ finding }) => finding === doubtful);
  const copy = {
    iconPath: new vscode.ThemeIcon('copy'),
    tooltip: t('Copy Report Without Secrets'),
    run: async () => {
      await vscode.env.clipboard.writeText(diagnosisReport(findings, environment(app)));
      setStatusBarMessage(t('The report was copied; it contains no secrets.'), 5000);
    },
  };
  return await choose(lines, { title, placeholder, active, buttons: [copy] });
}

/** Shows all of a step. @returns what the user chose to do about it. */
async function showStep({ step, state, sentence, details, remedies }: StepFinding): Promise<Remedy | undefined> {
  const severity = state === 'failed' || state === 'warning' ? 'warning' : 'info';
  const titles = remedies.map(({ title }) => title);
  const chosen = await showModal(severity, `${stepTitle(step)}: ${sentence}`, [details], titles);
  return remedies.find(({ title }) => title === chosen);
}

async function trust(instanceUrl: string, { subject, issuer, fingerprint }: ShownCertificate): Promise<void> {
  const { t } = vscode.l10n;
  const { host } = new URL(instanceUrl);
  const explanation = t(
    'Compare the SHA-256 fingerprint with the one that the administrators of {0} give you. Any server with this certificate gets your token.',
    host,
  );
  const names = [t('Subject: {0}', subject), t('Issuer: {0}', issuer)];
  const question = t('Trust this certificate for {0}?', host);
  if (await confirm(question, [explanation, fingerprint, names], t('Trust Certificate'))) {
    await trustFingerprint(instanceUrl, fingerprint);
  }
}
