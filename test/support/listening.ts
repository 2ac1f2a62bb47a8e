import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server that listens, with what ends it and all of its connections. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** Lets a server listen on a free port. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
