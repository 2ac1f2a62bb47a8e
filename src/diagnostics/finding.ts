import * as vscode from 'vscode';
import { problemOf, type Remedy, showLog } from '../accounts/problem.ts';

export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** SHA-256. */
  readonly fingerprint: string;
}

/** What was found out in a step. Texts hold no secrets. */
export interface Finding {
  /** `warning`: it works, but has a risk. `skipped` needs no fixing: there is nothing to check. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly sentence: string;
  /** More of it, line by line, such as what a certificate says. */
  readonly details: readonly string[];
  readonly remedies: readonly Remedy[];
}

export interface StepFinding extends Finding {
  /** A browser does not show a program the certificate (`tls`). */
  readonly step: 'url' | 'request' | 'tls' | 'instance' | 'token' | 'scopes' | 'role';
}

export function ok(sentence: string, details: readonly string[] = []): Finding {
  return { state: 'ok', sentence, details, remedies: [] };
}

export function finding(state: Finding['state'], sentence: string, ...remedies: readonly Remedy[]): Finding {
  return { state, sentence, details: [], remedies };
}

/** What a failure says, with what fixes it. @param accountId of the account whose request has failed. */
export function failure(error: unknown, accountId?: string): Finding {
  const { sentence, remedy = showLog() } = problemOf(error, accountId);
  return finding('failed', sentence, remedy);
}

export function tryAnotherUrl(): Remedy {
  const title = vscode.l10n.t('Try Another URL…');
  return { command: 'beacon.diagnoseConnection', title, arguments: [{ askUrl: true }] };
}
