import * as vscode from 'vscode';
import type { Finding, StepName } from './finding.ts';

/** The name of a step for people. */
export function stepTitle(step: StepName): string {
  switch (step) {
    case 'url':
      return vscode.l10n.t('URL');
    case 'dns':
      return vscode.l10n.t('Name (DNS)');
    case 'proxy':
      return vscode.l10n.t('Proxy');
    case 'tcp':
      return vscode.l10n.t('Connection (TCP)');
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

/** The state of a step for people. */
export function stateTitle(state: Finding['state']): string {
  switch (state) {
    case 'ok':
      return vscode.l10n.t('OK');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'skipped':
      return vscode.l10n.t('Skipped');
  }
}

const marks = { ok: '✓', failed: '✗', skipped: '–' } as const;

/**
 * A report to send to whoever can help. Findings hold no secrets, so neither does it.
 *
 * @param environment what it was made with, such as the versions.
 */
export function reportOf(findings: readonly Finding[], environment: readonly string[]): string {
  const steps = findings.flatMap(({ step, state, sentence, details }) => [
    `${marks[state]} ${stepTitle(step)}: ${sentence}`,
    ...details.map((line) => `    ${line}`),
  ]);
  return [...environment, '', ...steps, ''].join('\n');
}
