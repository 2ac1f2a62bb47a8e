import { once } from 'node:events';
import { request } from 'node:https';
import { TLSSocket } from 'node:tls';
import { plainText } from '../common/inertText.ts';
import type { InstanceTls } from '../network/tls.ts';
import type { ShownCertificate } from './finding.ts';

const timeout = 10_000;

/** What a TLS handshake shows, whether or not it is to be trusted. */
export interface Handshake {
  readonly protocol: string;
  readonly certificate: ShownCertificate;
}

/**
 * Shakes hands by the way that the editor finds, sends nothing, and hangs up. Trusts anybody: it only looks.
 *
 * @throws an error if there is no handshake.
 */
export async function inspectTls(
  instanceUrl: string,
  { ca: _ca, fingerprint: _fingerprint, ...shown }: InstanceTls,
  signal: AbortSignal,
): Promise<Handshake> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const options = { ...shown, rejectUnauthorized: false, session: undefined, ALPNProtocols: ['http/1.1'] };
  const sent = request(instanceUrl, { ...options, signal: ended });
  try {
    const [socket] = (await once(sent, 'socket')) as unknown[];
    if (!(socket instanceof TLSSocket)) {
      throw new TypeError('The connection is not secure');
    }
    await once(socket, 'secureConnect', { signal: ended });
    return { protocol: socket.getProtocol() ?? 'TLS', certificate: certificateOf(socket) };
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
