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
      return ok(vscode.l10n.t('{0} can be reached and lets web pages read its answers, by CORS.', host));
    }
    return error.detail === 'UNKNOWN'
      ? failed(
          vscode.l10n.t(
            '{0} cannot be reached. The browser does not say why: the name, the network, a proxy or the certificate; open the instance in another tab to see it.',
            host,
          ),
          [{ kind: 'openInstance' }, { kind: 'otherUrl' }],
        )
      : failed(unavailableLabel(error), [{ kind: 'otherUrl' }]);
  }

  close(): void {}
}
