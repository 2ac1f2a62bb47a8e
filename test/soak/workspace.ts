import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { run } from '../../scripts/processes.ts';
import { listening } from '../support/listening.ts';

/** A repository whose remote leads to a project of the instance. */
export async function prepareWorkspace(folder: string, port: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = async (...args: readonly string[]): Promise<void> =>
    await run('git', args, { cwd: folder, stdio: 'ignore' });
  await git('init');
  await git('remote', 'add', 'origin', `http://127.0.0.1:${port}/harbor/tide-table.git`);
}

/** A port of this computer that nothing listens at. */
export async function freePort(): Promise<number> {
  await using server = await listening(createServer());
  return server.port;
}
