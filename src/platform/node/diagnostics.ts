import { isIP, type Socket } from 'node:net';
import * as vscode from 'vscode';
import { UnavailableError } from '../../api/errors.ts';
import { faultOf } from '../../api/faults.ts';
import { isUnencrypted } from '../../common/instanceUrl.ts';
import {
  certificateProblemLabel,
  proxyProblemLabel,
  tlsSettingErrorLabel,
  unavailableLabel,
} from '../../network/labels.ts';
import { TlsSettingError } from '../../network/networkErrors.ts';
import { proxyName, type Route } from '../../network/route.ts';
import type { InstanceTls } from '../../network/tls.ts';
import {
  failed,
  ok,
  type CheckOutcome,
  type Remedy,
  type ShownCertificate,
  warning,
} from '../../diagnostics/finding.ts';
import { type Handshake, inspectTls, open, resolve, type Target, targetOf } from '../../diagnostics/probes.ts';
import type { Network, ResolvedRoute } from './network.ts';

/** The steps of the route to an instance, in the order in which they are checked. */
export const routeSteps = ['dns', 'proxy', 'tcp', 'tls'] as const;

/** What Beacon runs in, for a report. */
export function platformLabel(): string {
  return `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** The route to one instance, checked step by step. */
export class RouteChecks {
  readonly #url: URL;
  readonly #instanceUrl: string;
  readonly #target: Target;
  readonly #network: Network;
  readonly #route: ResolvedRoute;
  readonly #request: () => Promise<unknown>;
  readonly #signal: AbortSignal;
  #socket: Socket | undefined;

  /** @param request sends a first request without a token, once, and returns its error, or undefined. */
  constructor(instanceUrl: string, network: Network, request: () => Promise<unknown>, signal: AbortSignal) {
    this.#instanceUrl = instanceUrl;
    this.#url = new URL(instanceUrl);
    this.#target = targetOf(this.#url);
    this.#network = network;
    this.#route = network.resolveRoute(instanceUrl);
    this.#request = request;
    this.#signal = signal;
  }

  /** Checks one step. */
  async check(step: (typeof routeSteps)[number]): Promise<CheckOutcome> {
    switch (step) {
      case 'dns':
        return await this.#dns();
      case 'proxy':
        return await this.#proxy();
      case 'tcp':
        return await this.#tcp();
      case 'tls':
        return await this.#tls();
    }
  }

  /** Through a proxy the name is the proxy's to resolve. */
  async #dns(): Promise<CheckOutcome> {
    const { host } = this.#target;
    if (isIP(host) !== 0) {
      return ok(vscode.l10n.t('The URL contains the IP address {0}, which needs no name resolution.', host));
    }
    if (this.#route.route.kind === 'proxy') {
      return ok(vscode.l10n.t('The proxy resolves {0}; this computer need not know it.', host));
    }
    try {
      const addresses = await resolve(host);
      return ok(vscode.l10n.t('{0} resolves to {1}.', host, listed(addresses)));
    } catch (error) {
      if (await this.#editorGetsThere('dns')) {
        return ok(vscode.l10n.t('The proxy that the editor finds resolves {0}; this computer does not know it.', host));
      }
      return failed(vscode.l10n.t('There is no host {0}, or the network is down ({1}).', host, faultOf(error).detail), [
        { kind: 'otherUrl' },
        { kind: 'openSetting', setting: 'http.proxy' },
      ]);
    }
  }

  async #proxy(): Promise<CheckOutcome> {
    const { route, roots, proxyStrictSSL } = this.#route;
    const remedies: readonly Remedy[] = [{ kind: 'openSetting', setting: 'http.proxy' }];
    if (route.kind === 'unusable') {
      return failed(vscode.l10n.t('The proxy in {0} cannot be used as written.', route.source), remedies);
    }
    if (route.kind === 'direct') {
      return ok(directLabel(route.reason));
    }
    if (route.kind === 'editor') {
      const error = await this.#request();
      return isUnavailable(error, 'proxy')
        ? failed(unavailableLabel(error), remedies)
        : ok(
            vscode.l10n.t(
              'No setting names a proxy: the editor uses that of the operating system or of automatic configuration, if any.',
            ),
          );
    }
    const name = proxyName(route.proxy);
    const { host, port } = this.#target;
    try {
      if (this.#url.protocol === 'https:') {
        const { openTunnel } = await import('../../network/tunnels.ts');
        this.#socket = await openTunnel(route.proxy, { roots, proxyStrictSSL }, this.#target);
        this.#socket.on('error', () => undefined);
        return ok(vscode.l10n.t('The proxy {0} ({1}) connects to {2}.', name, route.proxy.source, `${host}:${port}`));
      }
      const error = await this.#request();
      if (isUnavailable(error, 'proxy')) {
        return failed(unavailableLabel(error), remedies);
      }
      return ok(
        vscode.l10n.t('The proxy {0} ({1}) accepts requests to {2}.', name, route.proxy.source, `${host}:${port}`),
      );
    } catch (error) {
      const { detail } = faultOf(error);
      return failed(proxyProblemLabel(this.#url.host, detail, name), remedies);
    }
  }

  async #tcp(): Promise<CheckOutcome> {
    const { host, port } = this.#target;
    const name = `${host}:${port}`;
    if (this.#route.route.kind === 'proxy') {
      return ok(vscode.l10n.t('The proxy makes the connection to {0}.', name));
    }
    try {
      this.#socket = await open(this.#target, this.#signal);
      this.#socket.on('error', () => undefined);
      return ok(vscode.l10n.t('{0} accepts connections.', name));
    } catch (error) {
      if (await this.#editorGetsThere('network', 'timeout')) {
        return ok(vscode.l10n.t('{0} is reached only through the proxy that the editor finds.', name));
      }
      const { kind, detail } = faultOf(error);
      const sentence =
        kind === 'timeout'
          ? vscode.l10n.t('{0} does not answer: a firewall may block it, or a proxy may be needed.', name)
          : detail === 'ECONNREFUSED'
            ? vscode.l10n.t('{0} refuses connections ({1}): the port is wrong, or the instance is down.', name, detail)
            : vscode.l10n.t('{0} cannot be reached ({1}).', name, detail);
      return failed(sentence, [{ kind: 'otherUrl' }, { kind: 'openSetting', setting: 'http.proxy' }]);
    }
  }

  async #tls(): Promise<CheckOutcome> {
    if (isUnencrypted(this.#instanceUrl)) {
      const sentence = vscode.l10n.t(
        'The URL begins with http: nothing is encrypted, and anyone between you and the instance can read the token.',
      );
      return warning(sentence, [{ kind: 'otherUrl' }]);
    }
    if (this.#url.protocol === 'http:') {
      return ok(vscode.l10n.t('The URL begins with http, and the instance is on this computer: nothing leaves it.'));
    }
    let tls: InstanceTls;
    try {
      tls = await this.#network.tlsOf(this.#instanceUrl);
    } catch (error) {
      if (error instanceof TlsSettingError) {
        return failed(tlsSettingErrorLabel(error), [remedyOf(error)]);
      }
      throw error;
    }
    const handshake = await this.#shakeHands(tls);
    const chain = handshake?.chain ?? [];
    const details = chain.flatMap(certificateLabel);
    const error = await this.#request();
    if (isUnavailable(error, 'tls')) {
      const sentence = certificateProblemLabel(this.#url.host, error.detail ?? '', error.fingerprint);
      return failed(sentence, remediesOf(error.detail ?? '', chain[0]), details);
    }
    if (!handshake || !chain[0]) {
      return ok(vscode.l10n.t('The certificate is trusted.'));
    }
    const { issuer, validTo } = chain[0];
    const sentence = tls.fingerprint
      ? vscode.l10n.t(
          '{0}; the certificate is the one that you trust, valid until {1}.',
          handshake.protocol,
          day(validTo),
        )
      : vscode.l10n.t('{0}; the certificate is from {1}, valid until {2}.', handshake.protocol, issuer, day(validTo));
    return ok(sentence, details);
  }

  close(): void {
    this.#socket?.destroy();
  }

  /** The certificates; undefined if there is no handshake, whose failure the first request explains. */
  async #shakeHands(tls: InstanceTls): Promise<Handshake | undefined> {
    const socket = this.#socket;
    return socket && inspectTls(socket, this.#target.host, tls, this.#signal).catch(() => undefined);
  }

  /** Whether the editor, if it resolves the route, has found one around a failure. */
  async #editorGetsThere(...hindrances: readonly UnavailableError['kind'][]): Promise<boolean> {
    if (this.#route.route.kind !== 'editor') {
      return false;
    }
    const error = await this.#request();
    return !hindrances.some((kind) => isUnavailable(error, kind));
  }
}

function isUnavailable(error: unknown, kind: UnavailableError['kind']): error is UnavailableError {
  return error instanceof UnavailableError && error.kind === kind;
}

function directLabel(reason: Extract<Route, { kind: 'direct' }>['reason']): string {
  switch (reason) {
    case 'loopback':
      return vscode.l10n.t('The instance is on this computer: it is reached without a proxy.');
    case 'proxySupport':
      return vscode.l10n.t('No proxy is used because the setting http.proxySupport is off.');
    case 'noProxy':
      return vscode.l10n.t('The host is an exception in http.noProxy or NO_PROXY: it is reached without a proxy.');
  }
}

function remedyOf({ problem }: TlsSettingError): Remedy {
  return problem === 'passphraseMissing' || problem === 'passphraseWrong'
    ? { kind: 'enterPassphrase' }
    : { kind: 'openSetting', setting: 'beacon.tls' };
}

/** A fingerprint helps where the certificate is what is wrong; where one of the user's own is, it does not. */
function remediesOf(code: string, certificate: ShownCertificate | undefined): Remedy[] {
  const isAboutClient = /CERTIFICATE_REQUIRED|ALERT_|CLIENT_/.test(code);
  const trust: Remedy[] = certificate && !isAboutClient ? [{ kind: 'trustFingerprint', certificate }] : [];
  return [{ kind: 'openSetting', setting: 'beacon.tls' }, ...trust];
}

function certificateLabel({ subject, issuer, validFrom, validTo, fingerprint }: ShownCertificate): string[] {
  return [
    vscode.l10n.t('{0}, issued by {1}, valid from {2} to {3}', subject, issuer, day(validFrom), day(validTo)),
    vscode.l10n.t('SHA-256 {0}', fingerprint),
  ];
}

function day(date: Date): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(date);
}

function listed(texts: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language).format([...new Set(texts)]);
}
