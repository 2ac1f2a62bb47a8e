import * as vscode from 'vscode';
import { openSettings } from '../accounts/problem.ts';
import { confirm, createQuickPick, setStatusBarMessage, showModal } from '../common/inertWindow.ts';
import { tokenListUrl } from '../common/instanceUrl.ts';
import { trustFingerprint } from '../network/networkSettings.ts';
import { stateTitle, stepNames, stepTitle } from './diagnosis.ts';
import type { CheckResult, Remedy, ShownCertificate, StepName } from './finding.ts';

interface StepItem extends vscode.QuickPickItem {
  readonly finding: CheckResult | undefined;
  readonly buttons: readonly RemedyButton[];
}

interface RemedyButton extends vscode.QuickInputButton {
  readonly remedy: Remedy;
}

export interface DiagnosisPickDeps {
  readonly title: string;
  readonly target: RemedyTarget;
  /** Diagnoses the connection; called again when the user asks for it. */
  readonly findings: (signal: AbortSignal) => AsyncIterable<CheckResult>;
  readonly report: (findings: readonly CheckResult[]) => string;
  /** Called with what cannot be looked at for a reason that is no finding. */
  readonly onFailure: (error: unknown) => void;
}

/** So many characters fit into a row. */
const mostOfRow = 80;

const icons = { ok: 'pass', warning: 'warning', failed: 'error', skipped: 'circle-slash' } as const;

/** Shows the steps of a connection while they are checked. Picking one shows its details, with what fixes it. */
export class DiagnosisPick {
  readonly #deps: DiagnosisPickDeps;
  readonly #pick = createQuickPick<StepItem>();
  readonly #again: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('refresh'),
    tooltip: vscode.l10n.t('Check Again'),
  };
  readonly #copy: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('copy'),
    tooltip: vscode.l10n.t('Copy Report Without Secrets'),
  };
  #findings: CheckResult[] = [];
  #run = new AbortController();
  /** A step is shown in its own dialog, for which the list is hidden. */
  #isAside = false;

  constructor(deps: DiagnosisPickDeps) {
    this.#deps = deps;
    const pick = this.#pick;
    pick.title = deps.title;
    pick.matchOnDetail = true;
    pick.ignoreFocusOut = true;
    pick.keepScrollPosition = true;
    pick.buttons = [this.#again, this.#copy];
    pick.onDidTriggerButton((button) => (button === this.#copy ? this.#copyReport() : this.#start()));
    pick.onDidTriggerItemButton(({ button }) => this.#applyRemedy((button as RemedyButton).remedy));
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
    this.#diagnose().catch(this.#deps.onFailure);
  }

  async #diagnose(): Promise<void> {
    this.#run.abort();
    const run = (this.#run = new AbortController());
    this.#findings = [];
    this.#pick.busy = true;
    this.#pick.placeholder = vscode.l10n.t('Checking the connection…');
    this.#render();
    for await (const finding of this.#deps.findings(run.signal)) {
      if (run.signal.aborted) {
        return;
      }
      this.#findings.push(finding);
      this.#render();
    }
    if (run.signal.aborted) {
      return;
    }
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

  #render(): void {
    const known = new Map(this.#findings.map((finding) => [finding.step, finding]));
    this.#pick.items = stepNames.map((step, index) => {
      const finding = known.get(step);
      return finding ? itemOf(finding) : pendingItem(step, index === this.#findings.length);
    });
  }

  async #showStep(finding: CheckResult | undefined): Promise<void> {
    if (!finding) {
      return;
    }
    const { step, state, sentence, details, remedies } = finding;
    const titles = remedies.map(remedyTitle);
    this.#isAside = true;
    const severity = state === 'failed' || state === 'warning' ? 'warning' : 'info';
    const chosen = await showModal(severity, `${stepTitle(step)}: ${sentence}`, [details], ...titles);
    this.#isAside = false;
    const remedy = remedies[titles.indexOf(chosen ?? '')];
    if (remedy) {
      await this.#applyRemedy(remedy);
    } else {
      this.#pick.show();
    }
  }

  async #applyRemedy(remedy: Remedy): Promise<void> {
    this.#isAside = true;
    this.#pick.hide();
    const lookAgain = await applyRemedy(remedy, this.#deps.target);
    this.#isAside = false;
    if (lookAgain) {
      this.show();
    } else {
      this.#run.abort();
      this.#pick.dispose();
    }
  }

  async #copyReport(): Promise<void> {
    await vscode.env.clipboard.writeText(this.#deps.report(this.#findings));
    setStatusBarMessage(vscode.l10n.t('The report was copied; it contains no secrets.'), 5000);
  }
}

function itemOf(finding: CheckResult): StepItem {
  const { step, state, sentence, remedies } = finding;
  return {
    label: stepTitle(step),
    iconPath: new vscode.ThemeIcon(icons[state]),
    description: stateTitle(state),
    detail: sentence,
    alwaysShow: true,
    buttons: remedies.map((remedy) => ({ iconPath: remedyIcon(remedy), tooltip: remedyTitle(remedy), remedy })),
    finding,
  };
}

function pendingItem(step: StepName, isNext: boolean): StepItem {
  return {
    label: stepTitle(step),
    iconPath: new vscode.ThemeIcon(isNext ? 'loading~spin' : 'circle-large-outline'),
    description: isNext ? vscode.l10n.t('Checking…') : '',
    alwaysShow: true,
    buttons: [],
    finding: undefined,
  };
}

/** What a remedy is for. */
export interface RemedyTarget {
  /** Undefined if what was typed is none. */
  readonly instanceUrl: string | undefined;
  readonly accountId: string | undefined;
}

/** The label on the button of a remedy. */
function remedyTitle(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'openSetting':
      return vscode.l10n.t('Open Setting {0}', remedy.setting);
    case 'enterPassphrase':
      return vscode.l10n.t('Enter Passphrase…');
    case 'trustFingerprint':
      return vscode.l10n.t('Trust Certificate…');
    case 'otherUrl':
      return vscode.l10n.t('Try Another URL…');
    case 'signIn':
      return vscode.l10n.t('Sign In…');
    case 'renewToken':
      return vscode.l10n.t('Renew Token…');
    case 'openInstance':
      return vscode.l10n.t('Open Instance in Browser');
    case 'openTokenPage':
      return vscode.l10n.t('Open Token Page');
    case 'showLog':
      return vscode.l10n.t('Show Log');
  }
}

/** The icon of a remedy where there is no room for its label. */
function remedyIcon({ kind }: Remedy): vscode.ThemeIcon {
  const names: Record<Remedy['kind'], string> = {
    openSetting: 'settings-gear',
    enterPassphrase: 'key',
    trustFingerprint: 'shield',
    otherUrl: 'edit',
    signIn: 'sign-in',
    renewToken: 'refresh',
    openInstance: 'link-external',
    openTokenPage: 'link-external',
    showLog: 'output',
  };
  return new vscode.ThemeIcon(names[kind]);
}

/**
 * Carries out a remedy.
 *
 * @returns whether to diagnose the connection again at once.
 */
async function applyRemedy(remedy: Remedy, { instanceUrl, accountId }: RemedyTarget): Promise<boolean> {
  const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
    vscode.commands.executeCommand(command, ...args);
  switch (remedy.kind) {
    case 'openSetting': {
      const { command, arguments: args = [] } = openSettings(remedy.setting);
      await run(command, ...(args as unknown[]));
      return false;
    }
    case 'enterPassphrase':
      await run('beacon.enterPassphrase');
      return true;
    case 'trustFingerprint':
      return instanceUrl !== undefined && trust(instanceUrl, remedy.certificate);
    case 'otherUrl':
      await run('beacon.diagnoseConnection', { askUrl: true });
      return false;
    case 'signIn':
      await run('beacon.signIn');
      return false;
    case 'renewToken':
      await run('beacon.renewToken', accountId);
      return true;
    case 'openInstance':
    case 'openTokenPage':
      if (instanceUrl !== undefined) {
        const page = remedy.kind === 'openInstance' ? instanceUrl : tokenListUrl(instanceUrl);
        await run('vscode.open', vscode.Uri.parse(page));
      }
      return false;
    case 'showLog':
      await run('beacon.showLog');
      return false;
  }
}

/** Trusts a certificate after the user has compared it. */
async function trust(instanceUrl: string, { subject, issuer, fingerprint }: ShownCertificate): Promise<boolean> {
  const { host } = new URL(instanceUrl);
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
  if (isMeant) {
    await trustFingerprint(instanceUrl, fingerprint);
  }
  return isMeant;
}
