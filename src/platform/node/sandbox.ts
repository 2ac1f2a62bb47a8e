import type { AppOptions } from '../../sandbox/app.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** Starts a sandbox instance in this process, reached by HTTP. */
export async function startSandbox(options: AppOptions): Promise<Pick<Sandbox, 'url' | 'tokens' | 'close'>> {
  const server = await import('../../sandbox/server.ts');
  return await server.startSandbox(options);
}
