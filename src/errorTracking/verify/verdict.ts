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
      ? failed(vscode.l10n.t('{0} answers with a web page: a proxy or a sign-in page may be in between.', host))
      : {
          works: true,
          sentence: vscode.l10n.t(
            '{0} accepted the test error (status {1}). It appears among the errors in a moment.',
            host,
            status,
          ),
        };
  }
  if (status >= 300 && status < 400) {
    return failed(
      location !== undefined && URL.canParse(location)
        ? vscode.l10n.t(
            '{0} redirects errors to {1} (status {2}), which SDKs do not follow.',
            host,
            new URL(location).origin,
            status,
          )
        : vscode.l10n.t(
            '{0} redirects errors to another address (status {1}), which SDKs do not follow.',
            host,
            status,
          ),
    );
  }
  switch (status) {
    case 401:
    case 403:
    case 404:
      return failed(
        vscode.l10n.t(
          '{0} refuses errors with this client key (status {1}): it is deleted or inactive, or error tracking is disabled.',
          host,
          status,
        ),
      );
    case 429:
      return failed(vscode.l10n.t('{0} accepts no more errors for now (status 429): try again later.', host));
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
