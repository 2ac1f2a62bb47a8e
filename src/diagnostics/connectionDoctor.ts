import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import { accountChoices, type Choice } from '../accounts/dialogs.ts';
import type { Pins } from '../accounts/pins.ts';
import { reportFailure } from '../accounts/problem.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { systemClock } from '../common/clock.ts';
import type { Commands } from '../common/commands.ts';
import { showInputBox, showQuickPick } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';
import type { Network } from '#platform/network.ts';
import type { DiagnosticTools, DiagnosticTarget } from './diagnosis.ts';
import type { CheckResult } from './finding.ts';

/** What the doctor knows of this window and its accounts. */
export interface DiagnosticsDeps {
  readonly store: AccountStore;
  readonly inUse: AccountInUse;
  readonly projects: WorkspaceProjects;
  readonly pins: Pick<Pins, 'of'>;
  readonly connections: Connections;
  readonly network: Network;
  readonly log: vscode.LogOutputChannel;
  /** The version of this extension. */
  readonly version: string;
}

/** Which connection to diagnose; without them the account in use, or one that the user picks. */
export interface DiagnosisOptions {
  /** What a user typed for an instance. */
  readonly url?: string;
  /** Host and port of an instance: only accounts there are meant, if there are any. */
  readonly host?: string;
  /** Whether a URL is asked for in any case. */
  readonly askUrl?: boolean;
}

/** Finds out what is wrong between the editor and an instance, and offers what fixes it. */
export class ConnectionDoctor {
  readonly #deps: DiagnosticsDeps;
  readonly commands = {
    'beacon.diagnoseConnection': (options?: DiagnosisOptions) => this.run(options),
  } satisfies Commands;

  constructor(files: DiagnosticsDeps) {
    this.#deps = files;
  }

  /** Asks which connection is meant if that is not clear, and diagnoses it. */
  async run({ askUrl = false, url: givenUrl, host }: DiagnosisOptions = {}): Promise<void> {
    const account = askUrl || givenUrl !== undefined ? undefined : await this.#chooseAccount(host);
    if (account === null) {
      return;
    }
    const url = givenUrl ?? account?.instanceUrl ?? (await askForUrl(askUrl ? '' : this.#sandboxNote));
    if (url === undefined) {
      return;
    }
    const { log } = this.#deps;
    const subject = account ? this.#targetOf(account) : { url };
    const instanceUrl = normalizeInstanceUrl(url);
    const name = account?.id ?? (instanceUrl === undefined ? '' : instanceName(instanceUrl));
    const tools = this.#toolsFor(account);
    const [{ diagnose, diagnosisReport: reportOf }, { DiagnosisPick }, { platformLabel }] = await Promise.all([
      import('./diagnosis.ts'),
      import('./diagnosisPick.ts'),
      import('#platform/diagnostics.ts'),
    ]);
    new DiagnosisPick({
      title: name === '' ? vscode.l10n.t('Connection') : vscode.l10n.t('Connection to {0}', name),
      target: { instanceUrl, accountId: account?.id },
      findings: (signal) => diagnose(subject, tools, signal),
      onFailure: (error) => reportFailure(error, log),
      report: (findings) => reportOf(findings, this.#environment(platformLabel())),
    }).show();
  }

  /**
   * Diagnoses the connection of the account in use without showing anything.
   *
   * @returns the report, which holds no secrets; of the versions alone where no instance is in use.
   */
  async report(signal: AbortSignal): Promise<string> {
    const [{ diagnose, diagnosisReport: reportOf }, { platformLabel }] = await Promise.all([
      import('./diagnosis.ts'),
      import('#platform/diagnostics.ts'),
    ]);
    const { account } = this.#deps.inUse;
    const findings: CheckResult[] = [];
    if (account?.kind === 'instance') {
      for await (const finding of diagnose(this.#targetOf(account), this.#toolsFor(account), signal)) {
        findings.push(finding);
      }
    }
    const note = this.#sandboxNote;
    return reportOf(findings, [...this.#environment(platformLabel()), ...(note === '' ? [] : [note])]);
  }

  /** Says why a window that works with the sandbox is asked for an account or an instance; else empty. */
  get #sandboxNote(): string {
    return this.#deps.inUse.account?.kind === 'sandbox'
      ? vscode.l10n.t('The sandbox runs in the editor itself and has no connection to diagnose.')
      : '';
  }

  #targetOf({ id, instanceUrl }: InstanceAccount): DiagnosticTarget {
    const { store, projects, pins } = this.#deps;
    const ofWorkspace = projects.all.find(({ accountId }) => accountId === id);
    return {
      url: instanceUrl,
      token: async () => {
        const kept = await store.credentials(id);
        return kept?.instanceUrl === instanceUrl ? kept.token : undefined;
      },
      projects: (ofWorkspace ? [ofWorkspace] : pins.of(id, 'project')).map(({ path }) => path),
    };
  }

  #toolsFor(account: InstanceAccount | undefined): DiagnosticTools {
    const { network, connections } = this.#deps;
    return {
      network,
      client: (toUrl, token) => connections.client(toUrl, token, account?.bearer),
      clock: systemClock,
    };
  }

  /** Null if the user gave up; undefined for an instance without an account. */
  async #chooseAccount(host: string | undefined): Promise<InstanceAccount | undefined | null> {
    const everywhere = this.#deps.store.all;
    const there = everywhere.filter(({ instanceUrl }) => new URL(instanceUrl).host === host);
    const all = there.length > 0 ? there : everywhere;
    const note = there.length > 0 ? '' : this.#sandboxNote;
    if (all.length < (note === '' ? 2 : 1)) {
      return all[0];
    }
    const choices: readonly Choice<InstanceAccount>[] = [
      ...accountChoices(all, this.#deps.inUse.account),
      { label: vscode.l10n.t('Another Instance…'), iconPath: new vscode.ThemeIcon('globe') },
    ];
    const chosen = await showQuickPick(choices, {
      title: vscode.l10n.t('Diagnose Connection'),
      placeHolder: `${note} ${vscode.l10n.t('Choose the account whose connection to diagnose')}`.trim(),
      matchOnDescription: true,
    });
    return chosen ? chosen.value : null;
  }

  #environment(platformLabel: string): string[] {
    const remote = vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`;
    return [
      `Beacon for GitLab ${this.#deps.version}`,
      `${vscode.env.appName} ${vscode.version}${remote}, ${platformLabel}`,
    ];
  }
}

/** @param note what is said before. */
async function askForUrl(note: string): Promise<string | undefined> {
  return showInputBox({
    title: vscode.l10n.t('Diagnose Connection'),
    prompt: `${note} ${vscode.l10n.t('Enter the URL of a GitLab instance')}`.trim(),
    // Selected, so that typing replaces it, and Enter has an answer.
    value: 'https://gitlab.com',
    ignoreFocusOut: true,
  });
}
