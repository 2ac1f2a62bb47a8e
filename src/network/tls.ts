import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as tls from 'node:tls';
import { instanceName } from '../common/instanceUrl.ts';
import { TlsSettingError, type TlsSettingProblem } from './networkErrors.ts';
import type { InstanceTlsSetting } from './networkSettings.ts';

/** What TLS connections to an instance need beyond the defaults: options of Node's `tls`, and a fingerprint. */
export interface InstanceTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  /** Opens `key` or `pfx`. */
  readonly passphrase?: string;
  /** As Node writes it: upper-case pairs between colons. */
  readonly fingerprint?: string;
}

/** @throws TlsSettingError that names the file and what is wrong with it. */
export async function loadInstanceTls(
  setting: InstanceTlsSetting,
  instanceUrl: string,
  passphrase: string | undefined,
): Promise<InstanceTls> {
  const fail = (problem: TlsSettingProblem, file: string): TlsSettingError =>
    new TlsSettingError(problem, instanceName(instanceUrl), file);
  const read = (file: string): Promise<Buffer> =>
    readFile(pathOf(file)).catch((error: NodeJS.ErrnoException) => {
      throw fail(error.code === 'ENOENT' ? 'missing' : 'unreadable', file);
    });
  const { ca, certificate, key, pfx } = setting;
  const fingerprint = setting.fingerprint === undefined ? undefined : parseFingerprint(setting.fingerprint);
  if (setting.fingerprint !== undefined && fingerprint === undefined) {
    throw fail('notFingerprint', setting.fingerprint);
  }
  if (certificate === undefined ? key !== undefined : key === undefined) {
    throw fail('keyAlone', certificate ?? key ?? '');
  }
  const opening = passphrase === undefined ? {} : { passphrase };
  return {
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(ca === undefined ? {} : { ca: certificatesOf(await read(ca), () => fail('notCertificates', ca)).pem }),
    ...(certificate === undefined || key === undefined ? {} : { ...(await readPair(certificate, key)), ...opening }),
    ...(pfx === undefined ? {} : { pfx: await readPfx(pfx), passphrase: passphrase ?? '' }),
  };

  async function readPair(certificateFile: string, keyFile: string): Promise<{ cert: string; key: string }> {
    const content = await read(certificateFile);
    const { pem: cert, first } = certificatesOf(content, () => fail('notCertificates', certificateFile));
    const pem = (await read(keyFile)).toString('utf8');
    const isLocked = /ENCRYPTED/.test(pem);
    if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
      throw fail('notKey', keyFile);
    }
    if (isLocked && passphrase === undefined) {
      throw fail('passphraseMissing', keyFile);
    }
    let isOfCertificate: boolean;
    try {
      isOfCertificate = first.checkPrivateKey(createPrivateKey({ key: pem, ...opening }));
    } catch {
      throw fail(isLocked ? 'passphraseWrong' : 'notKey', keyFile);
    }
    if (!isOfCertificate) {
      throw fail('keyDoesNotMatch', keyFile);
    }
    return { cert, key: pem };
  }

  async function readPfx(file: string): Promise<Buffer> {
    const content = await read(file);
    try {
      tls.createSecureContext({ pfx: content, passphrase: passphrase ?? '' });
      return content;
    } catch (error) {
      const isLocked = /mac verify failure|bad decrypt/i.test((error as Error).message);
      throw fail(isLocked ? (passphrase === undefined ? 'passphraseMissing' : 'passphraseWrong') : 'notPfx', file);
    }
  }
}

/** The path of a file; `~` stands for the home folder. A relative path has nothing here to be relative to but that. */
function pathOf(file: string): string {
  const path = file.replace(/^~(?=$|[/\\])/, () => homedir());
  return isAbsolute(path) ? path : join(homedir(), path);
}

function certificatesOf(content: Buffer, fail: () => TlsSettingError): { pem: string; first: X509Certificate } {
  const pem = content.toString('utf8');
  const blocks =
    pem.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^]*?-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
  try {
    const [first] = blocks.map((block) => new X509Certificate(block));
    if (first) {
      return { pem, first };
    }
  } catch {
    // Reported below: whatever OpenSSL calls it, these are no certificates.
  }
  throw fail();
}

/** The certificates, PEM, that are trusted for every instance: the editor's, NODE_EXTRA_CA_CERTS and, if wanted, the system's. */
export function trustedRoots(includeSystem: boolean): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...(includeSystem ? systemRoots() : [])])];
}

function systemRoots(): readonly string[] {
  try {
    return tls.getCACertificates('system');
  } catch {
    // A store that cannot be read adds nothing; an instance that needs it fails with an unknown issuer.
    return [];
  }
}

/** Reads a SHA-256 fingerprint as tools show it, such as `ab:cd:…` or `SHA256=abcd…`; undefined if it is none. */
export function parseFingerprint(text: string): string | undefined {
  const digits = text.replace(/^\s*sha-?256(?:\s+fingerprint)?\s*[=:]?/i, '').replace(/[\s:]/g, '');
  return /^[\da-f]{64}$/i.test(digits) ? digits.toUpperCase().match(/../g)?.join(':') : undefined;
}
