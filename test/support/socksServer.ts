import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A SOCKS 5 proxy on a free port of 127.0.0.1. */
export interface SocksServer extends AsyncDisposable {
  readonly port: number;
  /** Host and port of what it was asked for. */
  readonly asked: readonly string[];
}

/**
 * @param hosts the ports on this computer behind the hosts that it knows, by host and port.
 * @param login `user:password`, if it wants one.
 */
export async function startSocks(hosts: Readonly<Record<string, number>>, login?: string): Promise<SocksServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const serve = async (socket: Socket): Promise<void> => {
    const receive = async (): Promise<Buffer> => ((await once(socket, 'data')) as [Buffer])[0];
    await receive();
    socket.write(Buffer.from([5, login === undefined ? 0 : 2]));
    if (login !== undefined) {
      const given = await receive();
      const user = given.subarray(2, 2 + (given[1] ?? 0));
      const password = given.subarray(3 + user.length);
      const isRight = `${user.toString()}:${password.toString()}` === login;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) {
        return;
      }
    }
    // Version, command, reserved, type of the address (a name), its length, the name, the port.
    const request = await receive();
    const length = request[4] ?? 0;
    const target = `${request.subarray(5, 5 + length).toString()}:${request.readUInt16BE(5 + length)}`;
    asked.push(target);
    const port = hosts[target];
    const answer = (status: number): void => void socket.write(Buffer.from([5, status, 0, 1, 127, 0, 0, 1, 0, 0]));
    if (port === undefined) {
      answer(4);
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      answer(0);
      socket.pipe(upstream).pipe(socket);
    });
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    serve(socket).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}
