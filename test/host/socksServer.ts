import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Listening, listening } from '../support/listening.ts';

/** A SOCKS 5 proxy on a free port of 127.0.0.1. */
export interface SocksServer extends Listening {
  /** Host and port of what it was asked for. */
  readonly asked: readonly string[];
}

/** @param hosts the ports on this computer behind the hosts that it knows, by host and port. */
export async function startSocks(hosts: Readonly<Record<string, number>>): Promise<SocksServer> {
  const asked: string[] = [];
  const serve = async (socket: Socket): Promise<void> => {
    const receive = async (): Promise<Buffer> => ((await once(socket, 'data')) as [Buffer])[0];
    await receive();
    // No login is wanted.
    socket.write(Buffer.from([5, 0]));
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
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  };
  const server = createServer((socket) => void serve(socket).catch(() => socket.destroy()));
  return { ...(await listening(server)), asked };
}
