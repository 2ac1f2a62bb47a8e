import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { plainText } from '../common/inertText.ts';
import { bare } from '../network/route.ts';
import type { InstanceTls } from '../network/tls.ts';
import type { ShownCertificate } from './finding.ts';

/** Milliseconds for a step. */
const checkTimeout = 10_000;

/** Host and port of an instance, as sockets want them. */
interface Target {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

export function targetOf({ hostname, port, protocol }: URL): Target {
  return { host: bare(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/**
 * Opens a connection.
 *
 * @throws the error of node:net; one with the code ETIMEDOUT if it takes too long; an AbortError.
 */
export async function open({ host, port }: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host, port });
  return settled(socket, 'connect', signal);
}

/** What a TLS handshake shows, whether or not it is to be trusted. */
export interface Handshake {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** The certificate of the instance, then its issuers, as far as the instance sends them. */
  readonly chain: readonly ShownCertificate[];
}

/**
 * Shakes hands over a connection, sends nothing, and hangs up. Trusts anybody: it only looks.
 *
 * @throws the error of node:tls if there is no handshake.
 */
export async function inspectTls(
  socket: Socket,
  host: string,
  { cert, key, pfx, passphrase }: InstanceTls,
  signal: AbortSignal,
): Promise<Handshake> {
  const shown = { cert, key, pfx, passphrase };
  const secure = connectTls({
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
    socket,
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await settled(secure, 'secureConnect', signal);
    return { protocol: secure.getProtocol() ?? 'TLS', chain: chainOf(secure) };
  } finally {
    secure.on('error', () => undefined).destroy();
    socket.destroy();
  }
}

async function settled<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  socket.setTimeout(checkTimeout, () => socket.destroy(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' })));
  try {
    await once(socket, event, { signal });
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

function chainOf(socket: TLSSocket): ShownCertificate[] {
  const chain: ShownCertificate[] = [];
  const seen = new Set<string>();
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (certificate?.fingerprint256 !== undefined && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256);
    chain.push({
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      validFrom: new Date(certificate.valid_from),
      validTo: new Date(certificate.valid_to),
      fingerprint: certificate.fingerprint256,
    });
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

/** The common name that a certificate states, or else the organization. Not trustworthy: anyone can write one. */
function nameOf({ CN, O }: { readonly CN?: string | string[]; readonly O?: string | string[] }): string {
  return plainText(String(CN ?? O ?? '?'), 200);
}
