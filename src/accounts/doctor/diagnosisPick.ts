import * as vscode from 'vscode';
import { createQuickPick, setStatusBarMessage, showModal } from '../../common/inertWindow.ts';
import { type Finding, type Remedy, type StepName, stepNames } from './finding.ts';
import { carryOut, type Patient, remedyIcon, remedyTitle } from './remedies.ts';
import { stateTitle, stepTitle } from './report.ts';

interface StepItem extends vscode.QuickPickItem {
  readonly finding: Finding | undefined;
  readonly buttons: readonly RemedyButton[];
}

interface RemedyButton extends vscode.QuickInputButton {
  readonly remedy: Remedy;
}

export interface DiagnosisPickOptions {
  readonly title: string;
  readonly patient: Patient;
  /** Looks at the connection; called again when the person wants to. */
  readonly findings: (signal: AbortSignal) => AsyncIterable<Finding>;
  readonly report: (findings: readonly Finding[]) => string;
  /** Called with what cannot be looked at for a reason that is no finding. */
  readonly onFailure: (error: unknown) => void;
}

const icons = { ok: 'pass', failed: 'error', skipped: 'circle-slash' } as const;

/** Shows the steps of a connection while they are looked at. Choosing one shows all of it, with what mends it. */
export class DiagnosisPick {
  readonly #options: DiagnosisPickOptions;
  readonly #pick = createQuickPick<StepItem>();
  readonly #again: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('refresh'),
    tooltip: vscode.l10n.t('Check Again'),
  };
  readonly #copy: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('copy'),
    tooltip: vscode.l10n.t('Copy Report Without Secrets'),
  };
  #findings: Finding[] = [];
  #run = new AbortController();
  /** A step is shown in a dialog of its own, for which the list steps aside. */
  #isAside = false;

  constructor(options: DiagnosisPickOptions) {
    this.#options = options;
    const pick = this.#pick;
    pick.title = options.title;
    pick.matchOnDetail = true;
    pick.ignoreFocusOut = true;
    pick.keepScrollPosition = true;
    pick.buttons = [this.#again, this.#copy];
    pick.onDidTriggerButton((button) => (button === this.#copy ? this.#copyReport() : this.#startLooking()));
    pick.onDidTriggerItemButton(({ button }) => this.#mend((button as RemedyButton).remedy));
    pick.onDidAccept(() => this.#showStep(pick.selectedItems[0]?.finding));
    pick.onDidHide(() => {
      if (!this.#isAside) {
        this.#run.abort();
        pick.dispose();
      }
    });
  }

  /** Shows the list and looks at the connection until the list is closed. */
  show(): void {
    this.#pick.show();
    this.#startLooking();
  }

  #startLooking(): void {
    this.#look().catch(this.#options.onFailure);
  }

  async #look(): Promise<void> {
    this.#run.abort();
    const run = (this.#run = new AbortController());
    this.#findings = [];
    this.#pick.busy = true;
    this.#pick.placeholder = vscode.l10n.t('Checking the connection…');
    this.#render();
    for await (const finding of this.#options.findings(run.signal)) {
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
    this.#pick.busy = false;
    this.#pick.placeholder = failed
      ? vscode.l10n.t('Failed: {0}. Select it to see what to do.', stepTitle(failed.step))
      : vscode.l10n.t('The connection works.');
    this.#pick.activeItems = this.#pick.items.filter(({ finding }) => finding === failed && failed !== undefined);
  }

  #render(): void {
    const known = new Map(this.#findings.map((finding) => [finding.step, finding]));
    this.#pick.items = stepNames.map((step, index) => {
      const finding = known.get(step);
      return finding ? itemOf(finding) : pendingItem(step, index === this.#findings.length);
    });
  }

  async #showStep(finding: Finding | undefined): Promise<void> {
    if (!finding) {
      return;
    }
    const { step, sentence, details, remedies } = finding;
    const titles = remedies.map(remedyTitle);
    this.#isAside = true;
    const chosen = await showModal('info', `${stepTitle(step)}: ${sentence}`, details.join('\n'), ...titles);
    this.#isAside = false;
    const remedy = remedies[titles.indexOf(chosen ?? '')];
    if (remedy) {
      await this.#mend(remedy);
    } else {
      this.#pick.show();
    }
  }

  async #mend(remedy: Remedy): Promise<void> {
    this.#isAside = true;
    this.#pick.hide();
    const lookAgain = await carryOut(remedy, this.#options.patient);
    this.#isAside = false;
    if (lookAgain) {
      this.show();
    } else {
      this.#run.abort();
      this.#pick.dispose();
    }
  }

  async #copyReport(): Promise<void> {
    await vscode.env.clipboard.writeText(this.#options.report(this.#findings));
    setStatusBarMessage(vscode.l10n.t('The report was copied; it contains no secrets.'), 5000);
  }
}

function itemOf(finding: Finding): StepItem {
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
