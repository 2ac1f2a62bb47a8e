import type { Sandbox } from '../../src/sandbox/server.ts';

/**
 * Headers of a request whose connection is not used again. `fetch` keeps connections by address: when the next sandbox of a process
 * gets the port of the last one, a request could go by a connection of that, which has ended.
 */
export const ownConnection = { connection: 'close' } as const;

/** Calls the API of a sandbox as its owner, elsewhere than in a window; answers with the JSON that it is answered with. */
export async function callAsOwner(
  { url, tokens }: Pick<Sandbox, 'url' | 'tokens'>,
  path: string,
  method = 'GET',
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: { ...ownConnection, 'private-token': tokens.owner, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return await response.json();
}
