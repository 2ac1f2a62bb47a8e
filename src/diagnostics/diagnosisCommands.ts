import { platformLabel } from '#platform/diagnostics.ts';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import { accountChoices, type Choice } from '../accounts/dialogs.ts';
import { type Remedy, reportFailure, runRemedy } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import {
  confirm,
  createQuickPick,
  setStatusBarMessage,
  showInputBox,
  showModal,
  showQuickPick,
} from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import { diagnose, diagnosisReport, type StepFinding, stepNames, stepTitle } from './diagnosis.ts';
import type { ShownCertificate } from './finding.ts';

/** Which connection to diagnose; without them the account in use, or one that the user picks. */
interface DiagnosisOptions {
  /** What a user typed for an instance. */
  readonly url?: string;
  /** Host and port of an instance: only accounts there are meant, if there are any. */
  readonly host?: string;
  /** Whether a URL is asked for in any case. */
  readonly askUrl?: boolean;
}

/** What a list of steps shows. */
interface Diagnosis {
  readonly title: string;
  /** Diagnoses the connection; called again when the user asks for it. */
  findings(signal: AbortSignal): AsyncIterable<StepFinding>;
  report(findings: readonly StepFinding[]): string;
}

interface StepItem extends vscode.QuickPickItem {
  readonly finding?: StepFinding;
}

/** At most this many characters fit into a row. */
const mostOfRow = 80;

const remedyIcons: Readonly<Record<string, string>> = {
  'beacon.diagnoseConnection': 'edit',
  'beacon.enterPassphrase': 'key',
  'beacon.replaceToken': 'refresh',
  'beacon.showLog': 'output',
  'beacon.signIn': 'sign-in',
  'beacon.trustCertificate': 'shield',
  'vscode.open': 'link-external',
  'workbench.action.openSettings': 'settings-gear',
};
/** After these the connection is looked at again; all others lead away. */
const mending: readonly string[] = ['beacon.replaceToken', 'beacon.enterPassphrase', 'beacon.trustCertificate'];

/** The command that finds out what is wrong between the editor and an instance, and offers what fixes it. */
export function diagnosisCommands(app: App) {
  return {
    'beacon.diagnoseConnection': (options?: DiagnosisOptions) => diagnoseConnection(app, options),
    // Without what to trust, it is to be found out.
    'beacon.trustCertificate': (instanceUrl?: string, certificate?: ShownCertificate) =>
      instanceUrl !== undefined && certificate ? trust(instanceUrl, certificate) : diagnoseConnection(app),
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
  const note = askUrl ? '' : sandboxNote(app);
  const url = givenUrl ?? account?.instanceUrl ?? (await askForUrl(note));
  if (url === undefined) {
    return;
  }
  const typedUrl = normalizeInstanceUrl(url);
  const name = account ? app.accountInUse.nameOf(account) : typedUrl && instanceName(typedUrl);
  showDiagnosis({
    title: name === undefined ? vscode.l10n.t('Connection') : vscode.l10n.t('Connection to {0}', name),
    findings: (signal) => diagnose(app, url, account, signal),
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
  const findings: StepFinding[] = [];
  if (account?.kind === 'instance') {
    for await (const finding of diagnose(app, account.instanceUrl, account, signal)) {
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

/** Shows the steps of a connection while they are checked. Picking one shows its details, with what fixes it. */
async function showDiagnosis(diagnosis: Diagnosis): Promise<void> {
  for (let known: readonly StepFinding[] = []; ;) {
    const { chosen, findings } = await showSteps(diagnosis, known);
    const remedy = typeof chosen === 'object' && 'step' in chosen ? await showStep(chosen) : chosen;
    if (typeof remedy === 'object') {
      await runRemedy(remedy);
    }
    if (chosen === undefined || (typeof remedy === 'object' && !mending.includes(remedy.command))) {
      return;
    }
    // A step that was only read leads back to the list as it was.
    known = remedy === undefined ? findings : [];
  }
}

/**
 * Shows the list, and fills it in.
 *
 * @param known what was found already; without, the connection is diagnosed.
 * @returns what the user chose; undefined if they closed the list.
 */
async function showSteps(diagnosis: Diagnosis, known: readonly StepFinding[]) {
  const { t } = vscode.l10n;
  const pick = createQuickPick<StepItem>();
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: t('Check Again') };
  const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy Report Without Secrets') };
  const { promise, resolve, reject } = Promise.withResolvers<Remedy | StepFinding | 'again' | undefined>();
  const ended = new AbortController();
  const findings = [...known];
  const show = (isChecking: boolean): void => {
    const next = isChecking ? stepNames[findings.length] : undefined;
    const iconPath = new vscode.ThemeIcon('loading~spin');
    const pending = next ? [{ label: stepTitle(next), iconPath, alwaysShow: true }] : [];
    pick.items = [...findings.map(itemOf), ...pending];
    pick.busy = isChecking;
    const failed = findings.find(({ state }) => state === 'failed');
    const doubtful = failed ?? findings.find(({ state }) => state === 'warning');
    pick.placeholder = isChecking
      ? t('Checking the connection…')
      : failed
        ? t('Failed: {0}. Select it to see what to do.', stepTitle(failed.step))
        : doubtful
          ? t('The connection works, with a warning: {0}.', stepTitle(doubtful.step))
          : t('The connection works.');
    pick.activeItems = isChecking ? [] : pick.items.filter(({ finding }) => finding && finding === doubtful);
  };
  const check = async (): Promise<void> => {
    show(known.length === 0);
    for await (const finding of known.length > 0 ? [] : diagnosis.findings(ended.signal)) {
      if (ended.signal.aborted) {
        return;
      }
      findings.push(finding);
      show(true);
    }
    if (!ended.signal.aborted) {
      show(false);
    }
  };
  const copyReport = async (): Promise<void> => {
    await vscode.env.clipboard.writeText(diagnosis.report(findings));
    setStatusBarMessage(t('The report was copied; it contains no secrets.'), 5000);
  };
  Object.assign(pick, {
    title: diagnosis.title,
    matchOnDetail: true,
    ignoreFocusOut: true,
    keepScrollPosition: true,
    buttons: [again, copy],
  });
  pick.onDidTriggerButton((button) => (button === copy ? copyReport().catch(reject) : resolve('again')));
  pick.onDidTriggerItemButton(({ item: { finding }, button }) =>
    resolve(finding?.remedies.find(({ title }) => title === button.tooltip)),
  );
  pick.onDidChangeActive(([active]) => {
    const { sentence = '' } = active?.finding ?? {};
    // A row has one line: what does not fit there wraps above the rows, where the editor is new enough to show a prompt.
    Object.assign(pick, { prompt: sentence.length > mostOfRow ? sentence : undefined });
  });
  pick.onDidAccept(() => pick.selectedItems[0]?.finding && resolve(pick.selectedItems[0].finding));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  check().catch(reject);
  try {
    const chosen = await promise;
    // A diagnosis that was not complete is made again.
    return { chosen, findings: pick.busy ? [] : findings };
  } finally {
    ended.abort();
    pick.dispose();
  }
}

function itemOf(finding: StepFinding): StepItem {
  const { t } = vscode.l10n;
  const icons = { ok: 'pass', warning: 'warning', failed: 'error', skipped: 'circle-slash' } as const;
  const states = { ok: t('OK'), warning: t('Warning'), failed: t('Failed'), skipped: t('Skipped') };
  return {
    label: stepTitle(finding.step),
    iconPath: new vscode.ThemeIcon(icons[finding.state]),
    description: states[finding.state],
    detail: finding.sentence,
    alwaysShow: true,
    buttons: finding.remedies.map(({ command, title: tooltip }) => {
      return { iconPath: new vscode.ThemeIcon(remedyIcons[command] ?? 'arrow-right'), tooltip };
    }),
    finding,
  };
}

/** Shows all of a step. @returns what the user chose to do about it. */
async function showStep({ step, state, sentence, details, remedies }: StepFinding): Promise<Remedy | undefined> {
  const severity = state === 'failed' || state === 'warning' ? 'warning' : 'info';
  const titles = remedies.map(({ title }) => title);
  const chosen = await showModal(severity, `${stepTitle(step)}: ${sentence}`, [details], ...titles);
  return remedies.find(({ title }) => title === chosen);
}

/** Trusts a certificate after the user has compared it. */
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
