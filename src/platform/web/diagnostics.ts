import * as vscode from 'vscode';
import { UnavailableError } from '../../api/errors.ts';
import { failed, ok, type CheckOutcome } from '../../diagnostics/finding.ts';
import { unavailableLabel } from '../../network/labels.ts';
import type { Network } from './network.ts';

/** The steps of the route to an instance: names, proxies and certificates are the browser's, which tells nothing about them. */
export const routeSteps = ['cors'] as const;

/** What Beacon runs in, for a report. */
export function platformLabel(): string {
  return `browser (${navigator.userAgent})`;
}

/** The route to one instance, as far as a browser lets it be seen. */
export class RouteChecks {
  readonly #instanceUrl: string;
  readonly #request: () => Promise<unknown>;

  /** @param request sends a first request without a token, once, and returns its error, or undefined. */
  constructor(instanceUrl: string, _network: Network, request: () => Promise<unknown>, _signal: AbortSignal) {
    this.#instanceUrl = instanceUrl;
    this.#request = request;
  }

  /** Checks one step: whether the instance can be reached, and lets web pages read its answers. */
  async check(_step: (typeof routeSteps)[number]): Promise<CheckOutcome> {
    const { host } = new URL(this.#instanceUrl);
    const error = await this.#request();
    if (!(error instanceof UnavailableError) || error.kind === 'status') {
      return ok(vscode.l10n.t('{0} can be reached by web pages (CORS).', host));
    }
    // Another tab shows what the browser does not tell a program.
    return failed(unavailableLabel(error), [{ kind: 'openInstance' }, { kind: 'otherUrl' }]);
  }

  close(): void {}
}
