import type { Sandbox } from '../../src/sandbox/server.ts';

/** Calls a control address of a sandbox; see its README. Answers with the JSON that it is answered with, if any. */
export async function control(
  { url }: Pick<Sandbox, 'url'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${url}/-/sandbox/${path}`, init);
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  }
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
