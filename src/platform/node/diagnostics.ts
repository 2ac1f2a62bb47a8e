import { once } from 'node:events';
import { request } from 'node:https';
import { homedir } from 'node:os';
import { TLSSocket } from 'node:tls';
import * as vscode from 'vscode';
import { openSettings, type Remedy } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import { plainText } from '../../common/inertText.ts';
import { isUnencrypted } from '../../common/instanceUrl.ts';
import { certificateProblemLabel, unavailableLabel } from '../../network/labels.ts';
import { isDirect } from '../../network/networkSettings.ts';
import type { InstanceTls } from '../../network/tls.ts';
import {
  failure,
  type Finding,
  finding,
  ok,
  type ShownCertificate,
  type StepFinding,
  tryAnotherUrl,
} from '../../diagnostics/finding.ts';
import type { Network } from './routes.ts';

/** What Beacon runs in, for a report. */
export function platformLabel(): string {
  return `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** Puts `~` in the place of the home folder, which most often names its user. */
export function withoutHome(text: string): string {
  const parts = homedir().split(/[\\/]/);
  const folder = parts.map((part) => part.replaceAll(/\W/g, String.raw`\$&`)).join(String.raw`[\\/]`);
  return parts.at(-1) === '' ? text : text.replaceAll(new RegExp(String.raw`${folder}(?![\w-])`, 'gi'), '~');
}

/** @param asked the error of a first request without a token, or undefined. */
export async function* checkRoute(
  instanceUrl: string,
  network: Network,
  asked: Promise<unknown>,
  signal: AbortSignal,
): AsyncGenerator<StepFinding, void, undefined> {
  const error = await asked;
  yield { step: 'request', ...checkRequest(instanceUrl, error) };
  yield { step: 'tls', ...(await checkTls(instanceUrl, network, error, signal)) };
}

function checkRequest(instanceUrl: string, error: unknown): Finding {
  // What else can be wrong is of later steps.
  if (isApiError(error, 'unavailable') && error.kind !== 'tls' && error.kind !== 'status') {
    return finding(
      'failed',
      unavailableLabel(error),
      ...(error.kind === 'proxy' ? [] : [tryAnotherUrl()]),
      openSettings('http.proxy'),
    );
  }
  return ok(
    isDirect(new URL(instanceUrl))
      ? vscode.l10n.t('The instance is reached without a proxy.')
      : vscode.l10n.t(
          'The instance is reached. The editor finds the proxy, if any: by its settings, the environment, the operating system or automatic configuration.',
        ),
  );
}

async function checkTls(instanceUrl: string, network: Network, error: unknown, signal: AbortSignal): Promise<Finding> {
  const { host, protocol } = new URL(instanceUrl);
  if (isUnencrypted(instanceUrl)) {
    const sentence = vscode.l10n.t(
      'The URL begins with http: nothing is encrypted, and anyone between you and the instance can read the token.',
    );
    return finding('warning', sentence, tryAnotherUrl());
  }
  if (protocol === 'http:') {
    return ok(vscode.l10n.t('The URL begins with http, and the instance is on this computer: nothing leaves it.'));
  }
  let tls: InstanceTls;
  try {
    tls = await network.tlsOf(instanceUrl);
  } catch (error) {
    return failure(error);
  }
  if (!isApiError(error, 'unavailable') || error.kind !== 'tls') {
    return ok(vscode.l10n.t('The certificate is trusted.'));
  }
  const certificate = await shownCertificate(instanceUrl, tls, signal).catch(() => undefined);
  const sentence = certificateProblemLabel(host, error.detail ?? '', error.fingerprint);
  const outcome = finding('failed', sentence, openSettings('beacon.tls'));
  // A fingerprint helps where the certificate is what is wrong; where one of the user's own is, it does not.
  const isAboutClient = /CERTIFICATE_REQUIRED|ALERT_|CLIENT_/.test(error.detail ?? '');
  const title = vscode.l10n.t('Trust Certificate…');
  const trust: Remedy = { command: 'beacon.trustCertificate', title, arguments: [instanceUrl, certificate] };
  return {
    ...outcome,
    details: certificate ? certificateLabel(certificate) : [],
    remedies: [...outcome.remedies, ...(certificate && !isAboutClient ? [trust] : [])],
  };
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

const timeout = 10_000;

/** The certificate of an instance, by the way that the editor finds. Sends nothing, and trusts anybody: it only looks. */
export async function shownCertificate(
  instanceUrl: string,
  { ca: _ca, fingerprint: _fingerprint, ...shown }: InstanceTls,
  signal: AbortSignal,
): Promise<ShownCertificate> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const options = { ...shown, rejectUnauthorized: false, session: undefined, ALPNProtocols: ['http/1.1'] };
  const sent = request(instanceUrl, { ...options, signal: ended });
  try {
    const [socket] = (await once(sent, 'socket')) as unknown[];
    if (!(socket instanceof TLSSocket)) {
      throw new TypeError('The connection is not secure');
    }
    await once(socket, 'secureConnect', { signal: ended });
    return certificateOf(socket);
  } finally {
    sent.on('error', () => undefined).destroy();
  }
}

function certificateOf(socket: TLSSocket): ShownCertificate {
  const { subject, issuer, valid_from: from, valid_to: to, fingerprint256: fingerprint } = socket.getPeerCertificate();
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validFrom: new Date(from),
    validTo: new Date(to),
    fingerprint,
  };
}

/** The common name that a certificate states, or else the organization. Not trustworthy: anyone can write one. */
function nameOf({ CN, O }: { readonly CN?: string | string[]; readonly O?: string | string[] }): string {
  return plainText(String(CN ?? O ?? '?'), 200);
}
