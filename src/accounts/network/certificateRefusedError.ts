/** The instance hung up on the first request after it was shown the client certificate, without a word. */
export class CertificateRefusedError extends Error {
  override readonly name = 'CertificateRefusedError';
  readonly code = 'ERR_TLS_CLIENT_CERT_REFUSED';

  constructor() {
    super('The instance hung up after it had seen the client certificate');
  }
}
