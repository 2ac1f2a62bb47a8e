import * as product from '../../../src/sandbox/server.ts';
import { Control } from './control.ts';
import { controlRoutes } from './controlRoutes.ts';
import { oauthRoutes, OAuthStore } from './oauth.ts';
import { Transforms } from './transforms.ts';

/** A running sandbox that is also an OAuth provider, and can be controlled from this process. */
export interface Sandbox extends product.Sandbox {
  readonly control: Control;
}

export interface SandboxOptions extends Omit<product.SandboxOptions, 'extend'> {
  /** Called with each request before it is answered. */
  readonly onRequest?: (request: SeenRequest) => unknown;
  /** Whether other processes may control it. */
  readonly isControlledByHttp?: boolean;
}

/** A request that reached the instance. */
export interface SeenRequest {
  readonly method: string;
  /** With its query, without `/api/v4`. */
  readonly path: string;
  readonly token: string | undefined;
  /** As text. */
  readonly body: string;
}

/** Starts a sandbox in this process. */
export async function startSandbox({
  onRequest,
  isControlledByHttp = false,
  ...options
}: SandboxOptions = {}): Promise<Sandbox> {
  const [transforms, oauth] = [new Transforms(), new OAuthStore()];
  const sandbox = await product.startSandbox({
    ...options,
    extend: (server, app) => {
      const { world, url, now } = app;
      server.use('/api/*', async (context, next) => {
        const { pathname, search } = new URL(context.req.url);
        const authorization = context.req.header('authorization')?.replace(/^Bearer /i, '');
        onRequest?.({
          method: context.req.method,
          path: pathname.slice('/api/v4'.length) + search,
          token: context.req.header('private-token') ?? authorization,
          body: await context.req.raw.clone().text(),
        });
        await next();
        context.res.headers.set('date', now().toUTCString());
      });
      server.use('/api/*', transforms.middleware());
      server.route('/', oauthRoutes(world, oauth, url, now));
      if (isControlledByHttp) {
        server.route('/', controlRoutes(new Control(app, transforms, oauth)));
      }
    },
  });
  return { ...sandbox, control: new Control(sandbox.app, transforms, oauth) };
}
