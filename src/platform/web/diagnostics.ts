import * as vscode from 'vscode';
import { openPage } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import { type Finding, finding, ok, type StepFinding, tryAnotherUrl } from '../../diagnostics/finding.ts';
import { unavailableLabel } from '../../network/labels.ts';
import type { Network } from './routes.ts';

export function platformLabel(): string {
  return `browser (${navigator.userAgent})`;
}

/** A browser tells no path of its user's. */
export function withoutHome(text: string): string {
  return text;
}

/** Names, proxies and certificates are the browser's, which tells nothing about them. */
export async function* checkRoute(
  instanceUrl: string,
  _network: Network,
  asked: Promise<unknown>,
  _signal: AbortSignal,
): AsyncGenerator<StepFinding, void, undefined> {
  yield { step: 'request', ...checkRequest(instanceUrl, await asked) };
}

function checkRequest(instanceUrl: string, error: unknown): Finding {
  if (!isApiError(error, 'unavailable') || error.kind === 'status') {
    return ok(vscode.l10n.t('{0} can be reached by web pages (CORS).', new URL(instanceUrl).host));
  }
  // Another tab shows what the browser does not tell a program.
  const open = openPage(vscode.l10n.t('Open {0}', new URL(instanceUrl).host), instanceUrl);
  return finding('failed', unavailableLabel(error), open, tryAnotherUrl());
}
