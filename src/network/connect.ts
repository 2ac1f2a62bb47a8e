import { createSecureContext, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { CertificateRefusedError } from './networkErrors.ts';
import { checkFingerprint, type InstanceTls, showsCertificate } from './tls.ts';

const timeout = 10_000;

/**
 * What undici asks for direct connections to an instance; fails before anything is sent if its certificate is not to be trusted.
 *
 * @param roots the authorities trusted for every instance, PEM; empty for one without TLS.
 */
export function connectTo(roots: readonly string[], tls: InstanceTls): buildConnector.connector {
  const { fingerprint, ca, ...shown } = tls;
  const authorities = [...roots, ...(ca === undefined ? [] : [ca])];
  const connect = buildConnector({
    timeout,
    // Made once for all connections: reading some hundred authorities takes its time.
    secureContext: authorities.length === 0 ? undefined : createSecureContext({ ...shown, ca: authorities }),
    // The fingerprint identifies the certificate, so its issuer and host do not matter. A resumed session would not show
    // the certificate again.
    ...(fingerprint === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
  });
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error !== null || target.protocol !== 'https:') {
        return error === null ? callback(null, socket) : callback(error, null);
      }
      socket.prependListener('error', () => socket.destroy());
      // The instance refuses a client certificate only after the handshake, by an alert or by closing the connection.
      socket.prependListener('end', () => {
        if (showsCertificate(tls) && socket.bytesRead === 0 && socket.bytesWritten > 0) {
          socket.destroy(new CertificateRefusedError());
        }
      });
      try {
        checkFingerprint(socket as TLSSocket, fingerprint);
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      return callback(null, socket);
    });
}
