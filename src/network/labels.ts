import * as vscode from 'vscode';
import type { ApiError } from '../api/errors.ts';
import type { TlsSettingError, TlsSettingProblem } from './networkErrors.ts';

const { t } = vscode.l10n;

export function unavailableLabel(error: ApiError<'unavailable'>): string {
  const { instance, kind, status, detail = '' } = error;
  switch (kind) {
    case 'status':
      return t('{0} has an internal error (status {1}).', instance, status ?? '');
    case 'dns':
      return t('There is no host {0}, or the network is down.', instance);
    case 'tls':
      return certificateProblemLabel(instance, detail, error.fingerprint);
    case 'proxy':
      return proxyProblemLabel(instance, detail, error.proxy);
    case 'timeout':
      return t('{0} does not answer in time.', instance);
    case 'network':
      return networkProblemLabel(instance, detail);
  }
}

function networkProblemLabel(instance: string, detail: string): string {
  switch (detail) {
    case 'BODY_TOO_LONG':
      return t('{0} sends an answer that is too long to be read.', instance);
    case 'MALFORMED_BODY':
      return t('{0} sends an answer that is cut short or cannot be read.', instance);
    case 'CORS':
      return t(
        '{0} answers, but not to web pages (CORS), unlike GitLab: it is no GitLab instance, or a proxy in front of it keeps browsers out.',
        instance,
      );
    case 'HIDDEN_REDIRECT':
      return t(
        '{0} redirects the request; a browser does not show where to: a moved project, a page for signing in, or elsewhere because the URL is not that of the instance.',
        instance,
      );
    case 'UNKNOWN':
      return t(
        '{0} cannot be reached for an unknown reason: the name, the network, a proxy, the certificate, or in a browser CORS.',
        instance,
      );
    default:
      return t('{0} cannot be reached ({1}).', instance, detail);
  }
}

/**
 * @param code such as `CERT_HAS_EXPIRED` or `ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED`.
 * @param fingerprint of the certificate that came instead of the trusted one.
 */
export function certificateProblemLabel(host: string, code: string, fingerprint?: string): string {
  if (fingerprint !== undefined) {
    return t('The certificate of {0} is not the one that you trust; its fingerprint is {1}.', host, fingerprint);
  }
  const labels: readonly (readonly [RegExp, string])[] = [
    [/DEPTH_ZERO_SELF_SIGNED/, t('The certificate of {0} is self-signed and not trusted ({1}).', host, code)],
    [
      /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|AUTHORITY_INVALID|CERT_UNTRUSTED|INVALID_CA/,
      t('The certificate of {0} comes from an authority that is not trusted here ({1}).', host, code),
    ],
    [/NOT_YET_VALID/, t('The certificate of {0} is not valid yet; check the clock ({1}).', host, code)],
    [/CERT_HAS_EXPIRED|CERT_DATE_INVALID/, t('The certificate of {0} has expired ({1}).', host, code)],
    [
      /ALTNAME|HOSTNAME_MISMATCH|COMMON_NAME_INVALID/,
      t('The certificate of {0} is for another host name ({1}).', host, code),
    ],
    [
      /CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE|CLIENT_AUTH_CERT_NEEDED/,
      t('{0} requires a client certificate ({1}).', host, code),
    ],
    [
      /CLIENT_CERT_REFUSED|ALERT_(?:UNKNOWN_CA|BAD_CERT|CERTIFICATE|UNSUPPORTED_CERT|NO_CERT|ACCESS_DENIED|DECRYPT_ERROR)/,
      t('{0} does not accept your client certificate ({1}).', host, code),
    ],
    [/^PLAIN_HTTP_TO_HTTPS_PORT$/, t('{0} speaks only https at this port: begin the URL with https.', host)],
    [
      /WRONG_VERSION|PACKET_LENGTH|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_OVERFLOW/,
      t('{0} does not speak https at this port ({1}).', host, code),
    ],
    [/^/, t('No secure connection to {0} is possible ({1}).', host, code)],
  ];
  return labels.find(([codes]) => codes.test(code))?.[1] ?? '';
}

/** @param detail the status with which it refuses, or why it cannot be reached. */
function proxyProblemLabel(instance: string, detail: string, proxy: string | undefined): string {
  if (proxy === undefined) {
    return detail === '407'
      ? t('The proxy for {0} requires valid credentials ({1}).', instance, detail)
      : t('The proxy for {0} does not work ({1}).', instance, detail);
  }
  return /^(?:ENOTFOUND|EAI_)/.test(detail)
    ? t('The proxy {0} was not found ({1}).', proxy, detail)
    : t('The proxy {0} cannot be reached ({1}).', proxy, detail);
}

export function tlsSettingErrorLabel({ problem, instance, file }: TlsSettingError): string {
  const labels: Readonly<Record<TlsSettingProblem, string>> = {
    missing: t('The file {0}, set in beacon.tls for {1}, does not exist.', file, instance),
    unreadable: t('The file {0}, set in beacon.tls for {1}, cannot be read.', file, instance),
    notCertificates: t('The file {0}, set in beacon.tls for {1}, contains no PEM certificate.', file, instance),
    notKey: t('The file {0}, set in beacon.tls for {1}, contains no PEM private key.', file, instance),
    notPfx: t(
      'The file {0}, set in beacon.tls for {1}, is not in PKCS #12 format, or in an outdated variant of it.',
      file,
      instance,
    ),
    keyDoesNotMatch: t('The key {0}, set in beacon.tls for {1}, does not match the certificate.', file, instance),
    keyAlone: t('The setting beacon.tls for {1} has only {0}: set the certificate and its key.', file, instance),
    passphraseMissing: t('The file {0}, set in beacon.tls for {1}, needs a passphrase.', file, instance),
    passphraseWrong: t('The passphrase for the file {0}, set in beacon.tls for {1}, is wrong.', file, instance),
    notFingerprint: t('The fingerprint {0}, set in beacon.tls for {1}, is not a SHA-256 one.', file, instance),
  };
  return labels[problem];
}
