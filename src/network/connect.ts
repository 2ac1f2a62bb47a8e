import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { faultOf } from '../api/faults.ts';
import { CertificateRefusedError } from './networkErrors.ts';
import { checkFingerprint, type InstanceTls } from './tls.ts';

/** The proxy does not carry the request: it cannot be reached, or refuses. The instance has seen nothing of it. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code = 'ERR_PROXY';
  /** Host and port of the proxy; undefined where only the editor knows. */
  readonly proxy: string | undefined;
  /** The status with which it refuses, such as `407`, or why it cannot be reached, such as `ECONNREFUSED`. */
  readonly detail: string;

  /** @param cause the status with which the proxy answered, or what was thrown when it was called. */
  constructor(proxy: string | undefined, cause: unknown) {
    super('The proxy does not carry the request');
    this.proxy = proxy;
    this.detail = typeof cause === 'number' ? String(cause) : faultOf(cause).detail;
  }
}

/** Milliseconds for each connection: to the proxy, through it, to the instance. */
export const stepTimeout = 10_000;

/** Opens a connection. */
export type Connect = (target: buildConnector.Options) => Promise<Socket>;

/** Opens connections to an instance; rejects before anything is sent if its certificate is not to be trusted. */
export function connectToInstance(roots: readonly string[], tls: InstanceTls): Connect {
  const { fingerprint, ca, ...shown } = tls;
  const connect = undiciConnect({
    secureContext: contextOf({ ...shown, ca: [...roots, ...(ca === undefined ? [] : [ca])] }),
    // The fingerprint identifies the certificate, so its issuer and host do not matter. A resumed session would not show
    // the certificate again.
    ...(fingerprint === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
  });
  return async (target) => {
    const socket = await connect(target);
    if (target.protocol !== 'https:') {
      return socket;
    }
    nameRefusals(socket, shown.cert !== undefined || shown.pfx !== undefined);
    try {
      if (fingerprint !== undefined) {
        checkFingerprint(socket as TLSSocket, fingerprint);
      }
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

/**
 * Opens connections to a proxy, whose certificate is for its own name: undici would take that from the header `host`.
 *
 * @param strict whether its certificate has to be trusted.
 */
export function connectToProxy(roots: readonly string[], strict: boolean): Connect {
  const connect = undiciConnect({
    secureContext: contextOf({ ca: [...roots] }),
    allowH2: false,
    rejectUnauthorized: strict,
  });
  return (target) => connect({ ...target, servername: target.hostname });
}

/** What undici asks for connections. */
export function connector(connect: Connect): buildConnector.connector {
  const calling = callbackify(connect);
  return (target, callback) =>
    calling(target, (error: Error | null, socket) => (error ? callback(error, null) : callback(null, socket)));
}

/** Made once for all connections: reading some hundred authorities takes its time. Undefined without any. */
function contextOf(options: SecureContextOptions & { readonly ca: string[] }): SecureContext | undefined {
  return options.ca.length === 0 ? undefined : createSecureContext(options);
}

function undiciConnect(options: buildConnector.BuildOptions): Connect {
  const connect = buildConnector({ timeout: stepTimeout, ...options });
  return (target) =>
    new Promise((resolve, reject) =>
      connect(target, (...[error, socket]) => (error === null ? resolve(socket) : reject(error))),
    );
}

/**
 * Turns the instance's refusal of a client certificate into an error of the connection. The instance refuses only after the
 * handshake, by an alert or by closing the connection at the first request.
 */
function nameRefusals(socket: Socket, showsCertificate: boolean): void {
  socket.prependListener('error', () => socket.destroy());
  if (showsCertificate) {
    socket.prependListener('end', () => {
      if (socket.bytesRead === 0 && socket.bytesWritten > 0) {
        socket.destroy(new CertificateRefusedError());
      }
    });
  }
}
