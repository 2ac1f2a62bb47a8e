import * as vscode from 'vscode';
import type { UnavailableError } from '../../api/errors.ts';
import type { TlsSettingError } from './tlsSettingError.ts';

/** Says in one sentence why an instance cannot be reached or cannot answer. */
export function describeUnavailable(error: UnavailableError): string {
  const { instance, kind, status, detail = '' } = error;
  switch (kind) {
    case 'status':
      return vscode.l10n.t('{0} has an internal error (status {1}).', instance, status ?? '');
    case 'dns':
      return vscode.l10n.t('There is no host {0}, or the network is down.', instance);
    case 'tls':
      return describeCertificateProblem(instance, detail, error.fingerprint);
    case 'proxy':
      return describeProxyProblem(instance, detail, error.proxy);
    case 'timeout':
      return vscode.l10n.t('{0} does not answer in time.', instance);
    case 'network':
      return vscode.l10n.t('{0} cannot be reached ({1}).', instance, detail);
  }
}

/**
 * Says in one sentence what is wrong with a TLS connection.
 *
 * @param code such as `CERT_HAS_EXPIRED` or `ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED`.
 * @param fingerprint of the certificate that came instead of the trusted one.
 */
export function describeCertificateProblem(host: string, code: string, fingerprint?: string): string {
  if (fingerprint !== undefined) {
    return vscode.l10n.t(
      'The certificate of {0} is not the one that you trust; its fingerprint is {1}.',
      host,
      fingerprint,
    );
  }
  if (/DEPTH_ZERO_SELF_SIGNED/.test(code)) {
    return vscode.l10n.t('The certificate of {0} is self-signed: nobody vouches for it ({1}).', host, code);
  }
  if (/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|AUTHORITY_INVALID|CERT_UNTRUSTED|INVALID_CA/.test(code)) {
    return vscode.l10n.t('The certificate of {0} comes from an authority that is not trusted here ({1}).', host, code);
  }
  if (/NOT_YET_VALID/.test(code)) {
    return vscode.l10n.t('The certificate of {0} is not valid yet; check the clock ({1}).', host, code);
  }
  if (/CERT_HAS_EXPIRED|CERT_DATE_INVALID/.test(code)) {
    return vscode.l10n.t('The certificate of {0} has expired ({1}).', host, code);
  }
  if (/ALTNAME|HOSTNAME_MISMATCH|COMMON_NAME_INVALID/.test(code)) {
    return vscode.l10n.t('The certificate of {0} is for another host name ({1}).', host, code);
  }
  if (/CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE|CLIENT_AUTH_CERT_NEEDED/.test(code)) {
    return vscode.l10n.t('{0} requires a client certificate ({1}).', host, code);
  }
  if (
    /CLIENT_CERT_REFUSED|ALERT_(?:UNKNOWN_CA|BAD_CERT|CERTIFICATE|UNSUPPORTED_CERT|NO_CERT|ACCESS_DENIED|DECRYPT_ERROR)/.test(
      code,
    )
  ) {
    return vscode.l10n.t('{0} does not accept your client certificate ({1}).', host, code);
  }
  if (code === 'PLAIN_HTTP_TO_HTTPS_PORT') {
    return vscode.l10n.t('{0} speaks only https at this port: begin the URL with https.', host);
  }
  if (/WRONG_VERSION|PACKET_LENGTH|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_OVERFLOW/.test(code)) {
    return vscode.l10n.t('{0} does not speak https at this port ({1}).', host, code);
  }
  return vscode.l10n.t('No secure connection to {0} is possible ({1}).', host, code);
}

/**
 * Says in one sentence how a proxy failed.
 *
 * @param detail the status with which it refuses, or why it cannot be reached.
 * @param proxy host and port; undefined where only the editor knows.
 */
export function describeProxyProblem(instance: string, detail: string, proxy?: string): string {
  const name = proxy ?? vscode.l10n.t('on the way');
  if (detail === '407') {
    return vscode.l10n.t('The proxy {0} wants credentials, or other ones (status 407).', name);
  }
  if (detail === 'SOCKS_AUTHENTICATION') {
    return vscode.l10n.t('The proxy {0} wants credentials, or other ones ({1}).', name, detail);
  }
  if (detail === 'SOCKS_PROTOCOL') {
    return vscode.l10n.t('The proxy {0} does not speak this version of SOCKS ({1}).', name, detail);
  }
  if (detail.startsWith('SOCKS_')) {
    return vscode.l10n.t('The proxy {0} cannot reach {1} ({2}).', name, instance, detail);
  }
  if (/^5\d\d$/.test(detail)) {
    return vscode.l10n.t('The proxy {0} cannot reach {1} (status {2}).', name, instance, detail);
  }
  if (/^\d{3}$/.test(detail)) {
    return vscode.l10n.t('The proxy {0} refuses to connect to {1} (status {2}).', name, instance, detail);
  }
  if (/^(?:ENOTFOUND|EAI_)/.test(detail)) {
    return vscode.l10n.t('There is no host for the proxy {0} ({1}).', name, detail);
  }
  if (/CERT|SSL|TLS|SIGNED|UNABLE_TO/.test(detail)) {
    return vscode.l10n.t('The certificate of the proxy {0} is not trusted ({1}).', name, detail);
  }
  return vscode.l10n.t('The proxy {0} cannot be reached ({1}).', name, detail);
}

/** Says in one sentence what is wrong with the setting `beacon.tls` of an instance. */
export function describeTlsSettingError({ problem, instance, file }: TlsSettingError): string {
  switch (problem) {
    case 'missing':
      return vscode.l10n.t('There is no file {0}, which the setting beacon.tls names for {1}.', file, instance);
    case 'unreadable':
      return vscode.l10n.t('The file {0}, which the setting beacon.tls names for {1}, cannot be read.', file, instance);
    case 'notCertificates':
      return vscode.l10n.t(
        'The file {0}, set in beacon.tls for {1}, holds no certificate in PEM form.',
        file,
        instance,
      );
    case 'notKey':
      return vscode.l10n.t(
        'The file {0}, set in beacon.tls for {1}, holds no private key in PEM form.',
        file,
        instance,
      );
    case 'notPfx':
      return vscode.l10n.t(
        'The file {0}, set in beacon.tls for {1}, is not of PKCS #12 form, or of an old one that is no longer read.',
        file,
        instance,
      );
    case 'keyDoesNotMatch':
      return vscode.l10n.t('The key {0}, set in beacon.tls for {1}, is not that of the certificate.', file, instance);
    case 'keyAlone':
      return vscode.l10n.t(
        'The setting beacon.tls for {1} names only {0}: a certificate and its key go together.',
        file,
        instance,
      );
    case 'passphraseMissing':
      return vscode.l10n.t('The file {0}, set in beacon.tls for {1}, needs its passphrase.', file, instance);
    case 'passphraseWrong':
      return vscode.l10n.t('The passphrase for the file {0}, set in beacon.tls for {1}, is wrong.', file, instance);
    case 'notFingerprint':
      return vscode.l10n.t('The fingerprint "{0}", set in beacon.tls for {1}, is not one of SHA-256.', file, instance);
  }
}
