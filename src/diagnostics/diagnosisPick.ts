import * as vscode from 'vscode';
import { runRemedy } from '../accounts/problem.ts';
import { confirm, createQuickPick, setStatusBarMessage, showModal } from '../common/inertWindow.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import { stepNames, stepTitle } from './diagnosis.ts';
import type { CheckResult, Remedy, ShownCertificate } from './finding.ts';

/** What a list of steps shows. */
export interface Diagnosis {
  readonly title: string;
  /** Undefined if what was typed is none. */
  readonly instanceUrl: string | undefined;
  /** Diagnoses the connection; called again when the user asks for it. */
  findings(signal: AbortSignal): AsyncIterable<CheckResult>;
  report(findings: readonly CheckResult[]): string;
}

/** A remedy as a button shows it. */
interface Action extends vscode.QuickInputButton {
  readonly tooltip: string;
  /** Carries it out. @returns whether to diagnose the connection again at once. */
  run(): Promise<boolean>;
}

interface StepItem extends vscode.QuickPickItem {
  readonly finding?: CheckResult;
}

/** At most this many characters fit into a row. */
const mostOfRow = 80;

const commandIcons: Readonly<Record<string, string>> = {
  'beacon.diagnoseConnection': 'edit',
  'beacon.enterPassphrase': 'key',
  'beacon.replaceToken': 'refresh',
  'beacon.showLog': 'output',
  'beacon.signIn': 'sign-in',
  'vscode.open': 'link-external',
  'workbench.action.openSettings': 'settings-gear',
};
const icons = { ok: 'pass', warning: 'warning', failed: 'error', skipped: 'circle-slash' } as const;

/** Shows the steps of a connection while they are checked. Picking one shows its details, with what fixes it. */
export async function showDiagnosis(diagnosis: Diagnosis): Promise<void> {
  for (let known: readonly CheckResult[] = []; ;) {
    const { chosen, findings } = await showSteps(diagnosis, known);
    const action = chosen && 'step' in chosen ? await showStep(diagnosis, chosen) : chosen;
    if (!chosen || (action && !(await action.run()))) {
      return;
    }
    // A step that was only read leads back to the list as it was.
    known = action ? [] : findings;
  }
}

/**
 * Shows the list, and fills it in.
 *
 * @param known what was found already; without, the connection is diagnosed.
 * @returns what the user chose; undefined if they closed the list.
 */
async function showSteps(diagnosis: Diagnosis, known: readonly CheckResult[]) {
  const { t } = vscode.l10n;
  const pick = createQuickPick<StepItem>();
  const again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: t('Check Again'), run: async () => true };
  const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy Report Without Secrets') };
  const { promise, resolve, reject } = Promise.withResolvers<Action | CheckResult | undefined>();
  const ended = new AbortController();
  const findings = [...known];
  const show = (isChecking: boolean): void => {
    const next = isChecking ? stepNames[findings.length] : undefined;
    const pending = next && {
      label: stepTitle(next),
      iconPath: new vscode.ThemeIcon('loading~spin'),
      alwaysShow: true,
    };
    pick.items = [...findings.map((finding) => itemOf(diagnosis, finding)), ...(pending ? [pending] : [])];
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
  pick.onDidTriggerButton((button) => (button === copy ? copyReport().catch(reject) : resolve(again)));
  pick.onDidTriggerItemButton(({ button }) => resolve(button as Action));
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
    // What was not found out by then is looked for anew.
    return { chosen, findings: pick.busy ? [] : findings };
  } finally {
    ended.abort();
    pick.dispose();
  }
}

function itemOf(diagnosis: Diagnosis, finding: CheckResult): StepItem {
  return {
    label: stepTitle(finding.step),
    iconPath: new vscode.ThemeIcon(icons[finding.state]),
    description: stateTitle(finding.state),
    detail: finding.sentence,
    alwaysShow: true,
    buttons: finding.remedies.map((remedy) => actionOf(diagnosis, remedy)),
    finding,
  };
}

/** Shows all of a step. @returns what the user chose to do about it. */
async function showStep(diagnosis: Diagnosis, finding: CheckResult): Promise<Action | undefined> {
  const { step, state, sentence, details, remedies } = finding;
  const actions = remedies.map((remedy) => actionOf(diagnosis, remedy));
  const severity = state === 'failed' || state === 'warning' ? 'warning' : 'info';
  const titles = actions.map(({ tooltip }) => tooltip);
  const chosen = await showModal(severity, `${stepTitle(step)}: ${sentence}`, [details], ...titles);
  return actions.find(({ tooltip }) => tooltip === chosen);
}

function actionOf({ instanceUrl = '' }: Diagnosis, remedy: Remedy): Action {
  if (remedy.kind === 'trustFingerprint') {
    const tooltip = vscode.l10n.t('Trust Certificate…');
    const run = async (): Promise<boolean> => await trust(instanceUrl, remedy.certificate);
    return { iconPath: new vscode.ThemeIcon('shield'), tooltip, run };
  }
  const { command } = remedy;
  return {
    iconPath: new vscode.ThemeIcon(commandIcons[command.command] ?? 'arrow-right'),
    tooltip: command.title,
    run: async () => {
      await runRemedy(command);
      // All others lead away.
      return ['beacon.replaceToken', 'beacon.enterPassphrase'].includes(command.command);
    },
  };
}

/** The label of a step's state. */
function stateTitle(state: CheckResult['state']): string {
  const { t } = vscode.l10n;
  return { ok: t('OK'), warning: t('Warning'), failed: t('Failed'), skipped: t('Skipped') }[state];
}

/** Trusts a certificate after the user has compared it. @returns whether they did. */
async function trust(instanceUrl: string, { subject, issuer, fingerprint }: ShownCertificate): Promise<boolean> {
  const { t } = vscode.l10n;
  const { host } = new URL(instanceUrl);
  const isMeant = await confirm(
    t('Trust this certificate for {0}?', host),
    [
      t(
        'Compare the SHA-256 fingerprint with the one that the administrators of {0} give you. Any server with this certificate gets your token.',
        host,
      ),
      fingerprint,
      [t('Subject: {0}', subject), t('Issuer: {0}', issuer)],
    ],
    t('Trust Certificate'),
  );
  if (isMeant) {
    await trustFingerprint(instanceUrl, fingerprint);
  }
  return isMeant;
}
