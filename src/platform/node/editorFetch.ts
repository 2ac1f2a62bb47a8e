import { request, type RequestOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { collected, type Fetch, maxBodyBytes, TransportFault } from '../../api/transport.ts';
import type { InstanceTls } from '../../network/tls.ts';

/** Finds the proxy by the editor's settings, the environment, the system and PAC, and asks the user for its password. */
// As a property: nothing else may call it, and a dispatcher is never passed, because it would be another undici's.
export const editorFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/**
 * A function like `fetch` over the editor's `node:https`, which finds the proxy as its `fetch` does but takes certificates, too. The
 * editor opens a connection for each request of it.
 */
export function editorHttps(roots: readonly string[], tls: InstanceTls): Fetch {
  const { fingerprint, ca, ...shown } = tls;
  const showsCertificate = shown.cert !== undefined || shown.pfx !== undefined;
  const options: RequestOptions = {
    ...shown,
    ca: [...roots, ...(ca === undefined ? [] : [ca])],
    // A resumed session would not show the certificate again: named here, the agent does not put in one of its own.
    ...(fingerprint === undefined ? {} : { rejectUnauthorized: false, session: undefined }),
  };
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, {
        ...options,
        method,
        signal,
        headers: {
          ...headers,
          'accept-encoding': 'gzip',
          // Each connection is checked once, when it is secure: one that is there already could not be.
          ...(fingerprint === undefined ? {} : { connection: 'close' }),
        },
      });
      sent.on('error', (error: NodeJS.ErrnoException) =>
        // The instance closes the connection at the first request after it has received the certificate, without an answer.
        reject(
          showsCertificate && error.code === 'ECONNRESET' ? new TransportFault('ERR_TLS_CLIENT_CERT_REFUSED') : error,
        ),
      );
      sent.once('response', (response) => {
        const status = response.statusCode ?? 0;
        if (!(response.socket instanceof TLSSocket)) {
          // The editor hands on what a proxy says that opens no tunnel as if the instance had said it.
          sent.destroy(new Error(`Proxy response (${status})`));
          return;
        }
        const get = (name: string): string | null => [response.headers[name] ?? []].flat().join(', ') || null;
        const whole = collected(response);
        // Whether anybody waits for the body depends on the headers.
        whole.catch(() => undefined);
        resolve({ status, headers: { get }, body: bodyFrom(whole, get('content-encoding')) });
      });
      // Nothing is written before `end`, which waits until it is certain that the other end is the instance.
      sent.once('socket', (socket) => {
        if (!(socket instanceof TLSSocket)) {
          return;
        }
        if (fingerprint === undefined) {
          sent.end(body);
          return;
        }
        socket.once('secureConnect', () => {
          const found = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
          if (found === fingerprint) {
            sent.end(body);
          } else {
            sent.destroy(new TransportFault('ERR_TLS_CERT_FINGERPRINT', { fingerprint: found }));
          }
        });
      });
    });
}

/**
 * A body that is there as a whole, unpacked as the editor's `fetch` does it.
 *
 * @param encoding the Content-Encoding; others than the one that is asked for are left as they are.
 */
export async function* bodyFrom(
  whole: Promise<readonly Uint8Array[]>,
  encoding: string | null,
): AsyncGenerator<Uint8Array> {
  const pieces = await whole;
  // A 204 or 304 has no body, and may still carry the header of the answer that it stands for.
  if (pieces.length === 0 || encoding?.toLowerCase() !== 'gzip') {
    yield* pieces;
    return;
  }
  const packed = Buffer.concat(pieces);
  yield await promisify(gunzip)(packed, { maxOutputLength: maxBodyBytes }).catch((error: unknown) => {
    if (error instanceof RangeError) {
      throw new TransportFault('BODY_TOO_LONG');
    }
    // It is not the gzip that it says: an answer that cannot be read, of an instance that can be reached.
    return packed;
  });
}
