import * as vscode from 'vscode';
import { openSettings, runRemedy, showLog } from '../accounts/problem.ts';
import { confirm, createQuickPick, setStatusBarMessage, showModal } from '../common/inertWindow.ts';
import { tokenListUrl } from '../common/instanceUrl.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import { stepNames, stepTitle } from './diagnosis.ts';
import type { CheckResult, Remedy, ShownCertificate } from './finding.ts';

interface StepItem extends vscode.QuickPickItem {
  readonly finding?: CheckResult;
}

/** What a list of steps shows. */
export interface Diagnosis {
  readonly title: string;
  /** Undefined if what was typed is none. */
  readonly instanceUrl: string | undefined;
  readonly accountId: string | undefined;
  /** Diagnoses the connection; called again when the user asks for it. */
  findings(signal: AbortSignal): AsyncIterable<CheckResult>;
  report(findings: readonly CheckResult[]): string;
  /** Called with what cannot be looked at for a reason that is no finding. */
  onFailure(error: unknown): void;
}

/** A remedy as a button shows it. */
interface Action extends vscode.QuickInputButton {
  readonly tooltip: string;
  /** Carries it out. @returns whether to diagnose the connection again at once. */
  run(): Promise<boolean>;
}

/** At most this many characters fit into a row. */
const mostOfRow = 80;

const icons = { ok: 'pass', warning: 'warning', failed: 'error', skipped: 'circle-slash' } as const;

/** Shows the steps of a connection while they are checked. Picking one shows its details, with what fixes it. */
export class DiagnosisPick {
  readonly #diagnosis: Diagnosis;
  readonly #pick = createQuickPick<StepItem>();
  readonly #again = { iconPath: new vscode.ThemeIcon('refresh'), tooltip: vscode.l10n.t('Check Again') };
  readonly #copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: vscode.l10n.t('Copy Report Without Secrets') };
  #findings: CheckResult[] = [];
  #run = new AbortController();
  /** A step is shown in its own dialog, for which the list is hidden. */
  #isAside = false;

  constructor(diagnosis: Diagnosis) {
    this.#diagnosis = diagnosis;
    const pick = this.#pick;
    const { title } = diagnosis;
    Object.assign(pick, { title, matchOnDetail: true, ignoreFocusOut: true, keepScrollPosition: true });
    pick.buttons = [this.#again, this.#copy];
    pick.onDidTriggerButton((button) => (button === this.#copy ? this.#copyReport() : this.#start()));
    pick.onDidTriggerItemButton(({ button }) => this.#act(button as Action));
    pick.onDidChangeActive(([active]) => {
      const { sentence = '' } = active?.finding ?? {};
      // A row has one line: what does not fit there wraps above the rows, where the editor is new enough to show a prompt.
      Object.assign(pick, { prompt: sentence.length > mostOfRow ? sentence : undefined });
    });
    pick.onDidAccept(() => this.#showStep(pick.selectedItems[0]?.finding));
    pick.onDidHide(() => {
      if (!this.#isAside) {
        this.#run.abort();
        pick.dispose();
      }
    });
  }

  /** Shows the list and diagnoses the connection until the list is closed. */
  show(): void {
    this.#pick.show();
    this.#start();
  }

  #start(): void {
    this.#diagnose().catch((error: unknown) => this.#diagnosis.onFailure(error));
  }

  async #diagnose(): Promise<void> {
    this.#run.abort();
    const { signal } = (this.#run = new AbortController());
    this.#findings = [];
    this.#pick.busy = true;
    this.#pick.placeholder = vscode.l10n.t('Checking the connection…');
    this.#render(true);
    for await (const finding of this.#diagnosis.findings(signal)) {
      if (signal.aborted) {
        return;
      }
      this.#findings.push(finding);
      this.#render(true);
    }
    if (signal.aborted) {
      return;
    }
    this.#render(false);
    const failed = this.#findings.find(({ state }) => state === 'failed');
    const doubtful = failed ?? this.#findings.find(({ state }) => state === 'warning');
    this.#pick.busy = false;
    this.#pick.placeholder = failed
      ? vscode.l10n.t('Failed: {0}. Select it to see what to do.', stepTitle(failed.step))
      : doubtful
        ? vscode.l10n.t('The connection works, with a warning: {0}.', stepTitle(doubtful.step))
        : vscode.l10n.t('The connection works.');
    this.#pick.activeItems = this.#pick.items.filter(({ finding }) => finding && finding === doubtful);
  }

  /** What is known, and the step that is being checked. */
  #render(isChecking: boolean): void {
    const next = isChecking ? stepNames[this.#findings.length] : undefined;
    const items: readonly StepItem[] = this.#findings.map((finding) => ({
      label: stepTitle(finding.step),
      iconPath: new vscode.ThemeIcon(icons[finding.state]),
      description: stateTitle(finding.state),
      detail: finding.sentence,
      alwaysShow: true,
      buttons: finding.remedies.map((remedy) => this.#actionOf(remedy)),
      finding,
    }));
    const pending: StepItem[] = next
      ? [{ label: stepTitle(next), iconPath: new vscode.ThemeIcon('loading~spin'), alwaysShow: true }]
      : [];
    this.#pick.items = [...items, ...pending];
  }

  async #showStep(finding: CheckResult | undefined): Promise<void> {
    if (!finding) {
      return;
    }
    const { step, state, sentence, details, remedies } = finding;
    const actions = remedies.map((remedy) => this.#actionOf(remedy));
    const severity = state === 'failed' || state === 'warning' ? 'warning' : 'info';
    const titles = actions.map(({ tooltip }) => tooltip);
    this.#isAside = true;
    const chosen = await showModal(severity, `${stepTitle(step)}: ${sentence}`, [details], ...titles);
    this.#isAside = false;
    const action = actions.find(({ tooltip }) => tooltip === chosen);
    if (action) {
      await this.#act(action);
    } else {
      this.#pick.show();
    }
  }

  async #act(action: Action): Promise<void> {
    this.#isAside = true;
    this.#pick.hide();
    const looksAgain = await action.run();
    this.#isAside = false;
    if (looksAgain) {
      this.show();
    } else {
      this.#run.abort();
      this.#pick.dispose();
    }
  }

  async #copyReport(): Promise<void> {
    await vscode.env.clipboard.writeText(this.#diagnosis.report(this.#findings));
    setStatusBarMessage(vscode.l10n.t('The report was copied; it contains no secrets.'), 5000);
  }

  #actionOf(remedy: Remedy): Action {
    const { t } = vscode.l10n;
    const { instanceUrl, accountId } = this.#diagnosis;
    const action = (icon: string, tooltip: string, run: () => Promise<boolean>): Action => ({
      iconPath: new vscode.ThemeIcon(icon),
      tooltip,
      run,
    });
    const command = (icon: string, ran: vscode.Command, looksAgain = false): Action =>
      action(icon, ran.title, async () => {
        await runRemedy(ran);
        return looksAgain;
      });
    const page = (title: string, address = ''): Action =>
      command('link-external', { command: 'vscode.open', title, arguments: [vscode.Uri.parse(address)] });
    switch (remedy.kind) {
      case 'command':
        return command('arrow-right', remedy.command);
      case 'openSetting':
        return command('settings-gear', openSettings(remedy.setting));
      case 'enterPassphrase':
        return command('key', { command: 'beacon.enterPassphrase', title: t('Enter Passphrase…') }, true);
      case 'trustFingerprint':
        return action('shield', t('Trust Certificate…'), async () => await trust(instanceUrl, remedy.certificate));
      case 'otherUrl':
        return command('edit', {
          command: 'beacon.diagnoseConnection',
          title: t('Try Another URL…'),
          arguments: [{ askUrl: true }],
        });
      case 'signIn':
        return command('sign-in', {
          command: 'beacon.signIn',
          title: t('Sign In…'),
          arguments: [{ url: instanceUrl }],
        });
      case 'replaceToken':
        return command(
          'refresh',
          { command: 'beacon.replaceToken', title: t('Replace Token…'), arguments: [accountId] },
          true,
        );
      case 'openInstance':
        return page(t('Open Instance in Browser'), instanceUrl);
      case 'openTokenPage':
        return page(t('Open Token Page'), tokenListUrl(instanceUrl ?? ''));
      case 'showLog':
        return command('output', showLog());
    }
  }
}

/** The label of a step's state. */
function stateTitle(state: CheckResult['state']): string {
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

/** Trusts a certificate after the user has compared it. @returns whether they did. */
async function trust(
  instanceUrl: string | undefined,
  { subject, issuer, fingerprint }: ShownCertificate,
): Promise<boolean> {
  const host = instanceUrl === undefined ? '' : new URL(instanceUrl).host;
  const isMeant = await confirm(
    vscode.l10n.t('Trust this certificate for {0}?', host),
    [
      vscode.l10n.t(
        'Compare the SHA-256 fingerprint with the one that the administrators of {0} give you. Any server with this certificate gets your token.',
        host,
      ),
      fingerprint,
      [vscode.l10n.t('Subject: {0}', subject), vscode.l10n.t('Issuer: {0}', issuer)],
    ],
    vscode.l10n.t('Trust Certificate'),
  );
  if (isMeant && instanceUrl !== undefined) {
    await trustFingerprint(instanceUrl, fingerprint);
  }
  return isMeant;
}
