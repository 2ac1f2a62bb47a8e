import type * as vscode from 'vscode';

/** The steps of a connection. A browser does not show a program the certificate (`tls`). */
export type StepName = 'url' | 'request' | 'tls' | 'instance' | 'token' | 'scopes' | 'role';

/** What a user can do about a step. */
export type Remedy =
  | { readonly kind: 'openSetting'; readonly setting: 'http.proxy' | 'beacon.tls' }
  | { readonly kind: 'command'; readonly command: vscode.Command }
  | { readonly kind: 'enterPassphrase' }
  | { readonly kind: 'trustFingerprint'; readonly certificate: ShownCertificate }
  | { readonly kind: 'otherUrl' }
  | { readonly kind: 'signIn' }
  | { readonly kind: 'replaceToken' }
  | { readonly kind: 'openInstance' }
  | { readonly kind: 'openTokenPage' }
  | { readonly kind: 'showLog' };

/** The label of a certificate. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** SHA-256. */
  readonly fingerprint: string;
}

/** The result of a step. Texts hold no secrets. */
export interface CheckResult {
  readonly step: StepName;
  /** `warning`: it works, but has a risk. `skipped` needs no fixing: there is nothing to check. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What is so, in one sentence. */
  readonly sentence: string;
  /** More of it, line by line, such as the chain of certificates. */
  readonly details: readonly string[];
  readonly remedies: readonly Remedy[];
}

/** A finding without its step. */
export type CheckOutcome = Omit<CheckResult, 'step'>;

export function ok(sentence: string, details: readonly string[] = []): CheckOutcome {
  return { state: 'ok', sentence, details, remedies: [] };
}

export function warning(sentence: string, remedies: readonly Remedy[]): CheckOutcome {
  return { state: 'warning', sentence, details: [], remedies };
}

export function failed(sentence: string, remedies: readonly Remedy[], details: readonly string[] = []): CheckOutcome {
  return { state: 'failed', sentence, details, remedies };
}

export function skipped(sentence: string, remedies: readonly Remedy[] = []): CheckOutcome {
  return { state: 'skipped', sentence, details: [], remedies };
}
