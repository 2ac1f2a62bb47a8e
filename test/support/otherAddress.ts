import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An instance by another address of this computer. */
export interface OtherAddress extends AsyncDisposable {
  readonly url: string;
}

/**
 * Lets an instance be reached by `[::1]`: what is at `127.0.0.1` or `localhost` an editor in a browser opens by a proxy of its own, which
 * takes the encoding of addresses apart.
 */
export async function atOtherAddress(instanceUrl: string): Promise<OtherAddress> {
  const { hostname, port } = new URL(instanceUrl);
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(Number(port), hostname);
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
      socket.pipe(other);
    }
  });
  server.listen(0, '::1');
  await once(server, 'listening');
  return {
    url: `http://[::1]:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
