import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A certificate with its key, both PEM, made for one test run. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The SHA-256 fingerprint, as Node writes it. */
  readonly fingerprint: string;
}

export interface CertificateOptions {
  /** The common name. */
  readonly name: string;
  /** Who signs it; itself if absent. */
  readonly issuer?: Certificate;
  /** Whether it may sign others. */
  readonly isAuthority?: boolean;
  /** The names and addresses of the server that it stands for. */
  readonly hosts?: readonly string[];
  /** Whether it has expired. */
  readonly isExpired?: boolean;
}

const dnsName = 2;
const ipAddress = 7;

/** Makes a key and a certificate for it. */
export function makeCertificate({
  name,
  issuer,
  isAuthority = false,
  hosts = [],
  isExpired = false,
}: CertificateOptions): Certificate {
  const { privateKey: key } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // Positive, and without a byte that is there for nothing.
  certificate.serialNumber = `01${randomBytes(16).toString('hex')}`;
  // TLS checks them by the clock of the machine, which in tests is another one than that of the programs.
  certificate.validity.notBefore = new Date('2001-01-01T00:00:00Z');
  certificate.validity.notAfter = new Date(isExpired ? '2002-01-01T00:00:00Z' : '2099-01-01T00:00:00Z');
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.cert).subject.attributes : subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority, critical: true },
    ...(hosts.length > 0 ? [{ name: 'subjectAltName', altNames: hosts.map(altName) }] : []),
  ]);
  certificate.sign(issuer ? forge.pki.privateKeyFromPem(issuer.key) : privateKey, forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
}

/** A certificate and its key in one file, as PKCS #12. */
export function toPfx({ cert, key }: Certificate, passphrase: string): Buffer {
  const container = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(key),
    [forge.pki.certificateFromPem(cert)],
    passphrase,
    { algorithm: 'aes256' },
  );
  return Buffer.from(forge.asn1.toDer(container).getBytes(), 'binary');
}

function altName(host: string): object {
  return /^[\d.]+$|:/.test(host) ? { type: ipAddress, ip: host } : { type: dnsName, value: host };
}
