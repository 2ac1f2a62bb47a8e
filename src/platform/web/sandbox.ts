import type { AppOptions, SandboxApp } from '../../sandbox/app.ts';
import { answerHere, readable } from './transport.ts';

/** An address that nobody else can have: no name ends like this. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const url = 'https://sandbox.invalid';

/** Starts a sandbox instance in this worker. No request to it leaves the worker. */
export async function startSandbox(
  options: AppOptions,
): Promise<{ readonly url: string; readonly tokens: SandboxApp['tokens']; close(): Promise<void> }> {
  const { createSandboxApp } = await import('../../sandbox/app.ts');
  const app = createSandboxApp(url, options);
  const stop = answerHere(url, async (address, init) => {
    const answer = await app.fetch(new Request(address, init));
    init.signal.throwIfAborted();
    return readable(answer);
  });
  return {
    ...{ url, tokens: app.tokens },
    close: async () => {
      stop();
      app.close();
    },
  };
}
