import { request, type RequestOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import { faultOf } from '../api/faults.ts';
import type { Fetch, Transport } from '../api/transport.ts';
import { ProxyFailure } from './connect.ts';
import { CertificateRefusedError } from './networkErrors.ts';
import { checkFingerprint, type InstanceTls } from './tls.ts';

/**
 * The editor's own `fetch`, which asks the operating system and automatic configuration (PAC) for the proxy, and the
 * user for its password.
 */
export function editorFetch(): Fetch {
  // As a property: nothing else may call it, and a dispatcher is never passed, because it would be another undici's.
  return (url, init) => globalThis.fetch(url, init);
}

/**
 * A function like `fetch` over the editor's `node:https`, which finds the proxy as its `fetch` does but takes
 * certificates, too.
 *
 * @param roots the authorities trusted for every instance, PEM.
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
        // Each connection is checked once, when it is secure: one that is there already could not be.
        headers: fingerprint === undefined ? headers : { ...headers, connection: 'close' },
        signal,
      });
      sent.on('error', (error: NodeJS.ErrnoException) =>
        reject(showsCertificate && error.code === 'ECONNRESET' ? new CertificateRefusedError() : error),
      );
      sent.once('response', (response) => {
        const status = response.statusCode ?? 0;
        if (!(response.socket instanceof TLSSocket)) {
          // The editor hands on what a proxy says that opens no tunnel as if the instance had said it.
          reject(new ProxyFailure(undefined, status));
          sent.destroy();
          return;
        }
        const get = (name: string): string | null => [response.headers[name] ?? []].flat().join(', ') || null;
        resolve({ status, headers: { get }, body: response });
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
          try {
            checkFingerprint(socket, fingerprint);
            sent.end(body);
          } catch (error) {
            sent.destroy(error as Error);
          }
        });
      });
    });
}

/**
 * Sends by Beacon's own means until the proxy wants credentials that no setting holds. From then on the editor sends, who has
 * means to get them: Kerberos, or asking the user.
 */
export function withEditorCredentials(own: Transport, editor: Fetch): Fetch {
  let isEditorsTurn = false;
  return async (url, init) => {
    if (isEditorsTurn) {
      return editor(url, init);
    }
    try {
      const { method, headers, body, signal } = init;
      const answer = await own.send({ method, url: new URL(url), headers, body, signal });
      const get = (name: string): string | null => answer.header(name) ?? null;
      const pieces = async function* () {
        yield await answer.bytes();
      };
      return { status: answer.status, headers: { get }, body: pieces() };
    } catch (refusal) {
      if (!wantsCredentials(refusal)) {
        throw refusal;
      }
      // The instance has seen nothing yet, so that even a POST may be sent again.
      const answer = await editor(url, init).catch((error: unknown) => {
        throw wantsCredentials(error) ? refusal : error;
      });
      if (answer.status === 407) {
        throw refusal;
      }
      isEditorsTurn = true;
      return answer;
    }
  };
}

function wantsCredentials(error: unknown): boolean {
  const { kind, detail } = faultOf(error);
  return kind === 'proxy' && detail === '407';
}
