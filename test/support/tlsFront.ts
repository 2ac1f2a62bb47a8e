import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

/** TLS in front of a server that has none. */
export interface TlsFront extends AsyncDisposable {
  readonly port: number;
  /** How many bytes arrived that were meant for the server. */
  readonly received: number;
}

/**
 * Starts a server on a free port that decrypts what it gets and hands it on.
 *
 * @param port where the server behind it listens on 127.0.0.1.
 */
export async function startTlsFront(port: number, options: TlsOptions): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer({ ALPNProtocols: ['http/1.1'], ...options }, (socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const end of [socket, behind]) {
      sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        sockets.delete(end);
        socket.destroy();
        behind.destroy();
      });
    }
    socket.on('data', (data: Buffer) => (received += data.length));
    socket.pipe(behind).pipe(socket);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get received() {
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
