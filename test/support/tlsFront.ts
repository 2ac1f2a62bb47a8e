import { connect } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { type Listening, listening } from './listening.ts';

/** TLS in front of a server that has none. */
export interface TlsFront extends Listening {
  /** How many bytes arrived that were meant for the server. */
  readonly received: number;
}

/**
 * Starts a server on a free port that decrypts what it gets and hands it on.
 *
 * @param port where the server behind it listens on 127.0.0.1.
 */
export async function startTlsFront(port: number, options: TlsOptions): Promise<TlsFront> {
  let received = 0;
  const server = createServer({ ALPNProtocols: ['http/1.1'], ...options }, (socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const end of [socket, behind]) {
      end.on('error', () => undefined);
      end.on('close', () => {
        socket.destroy();
        behind.destroy();
      });
    }
    socket.on('data', (data: Buffer) => (received += data.length));
    socket.pipe(behind).pipe(socket);
  });
  return {
    ...(await listening(server)),
    get received() {
      return received;
    },
  };
}
