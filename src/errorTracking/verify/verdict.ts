import * as vscode from 'vscode';
import type { IngestAnswer } from '../../api/ingest.ts';

/** What an answer to a test error means. */
export interface Verdict {
  readonly works: boolean;
  readonly sentence: string;
}

/** Puts what came back for a test error into words. */
export function verdictOf({ status, contentType, location }: IngestAnswer, host: string): Verdict {
  if (status >= 200 && status < 300) {
    return contentType === 'text/html'
      ? failed(vscode.l10n.t('{0} answers with a web page: is there a proxy or a login before it?', host))
      : {
          works: true,
          sentence: vscode.l10n.t(
            '{0} took the test error (status {1}). It shows among the errors in a moment.',
            host,
            status,
          ),
        };
  }
  if (status >= 300 && status < 400) {
    const target =
      location !== undefined && URL.canParse(location) ? new URL(location).origin : vscode.l10n.t('another address');
    return failed(vscode.l10n.t('{0} sends errors on to {1} (status {2}); SDKs do not follow.', host, target, status));
  }
  switch (status) {
    case 401:
    case 403:
    case 404:
      return failed(
        vscode.l10n.t(
          '{0} takes no errors with this key (status {1}): the key is deleted or inactive, or error tracking is off.',
          host,
          status,
        ),
      );
    case 429:
      return failed(vscode.l10n.t('{0} takes no more errors for now (status 429).', host));
    default:
      return failed(
        status >= 500
          ? vscode.l10n.t('{0} has an internal error (status {1}).', host, status)
          : vscode.l10n.t('{0} does not accept the test error (status {1}).', host, status),
      );
  }
}

function failed(sentence: string): Verdict {
  return { works: false, sentence };
}
