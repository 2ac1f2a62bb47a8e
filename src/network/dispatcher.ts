import { Agent, DecoratorHandler, type Dispatcher, Pool } from 'undici';
import { type Connect, connector, connectToInstance, connectToProxy, ProxyFailure } from './connect.ts';
import { type Proxy, proxyName, speaksSocks } from './route.ts';
import type { InstanceTls } from './tls.ts';
import { authorizing, tunnelDestinationOf, tunnelsThrough } from './tunnels.ts';

/** What opens connections to one instance. */
export interface DispatcherOptions {
  readonly instanceUrl: URL;
  /** Undefined for a direct connection. */
  readonly proxy: Proxy | undefined;
  /** Whether the certificate of a proxy that is itself called by https has to be trusted. */
  readonly proxyStrictSSL: boolean;
  /** The authorities trusted for every instance, PEM; empty for an instance without TLS and proxy. */
  readonly roots: readonly string[];
  readonly tls: InstanceTls;
}

/** A dispatcher with what closes its connections. */
export interface OpenDispatcher {
  readonly dispatcher: Dispatcher;
  /** Closes the connections; requests under way fail. */
  close(): Promise<void>;
}

/** Opens connections by undici: directly or through a proxy, with the certificates of the instance's setting. */
export function openDispatcher({ instanceUrl, proxy, proxyStrictSSL, roots, tls }: DispatcherOptions): OpenDispatcher {
  const connect = connectToInstance(roots, tls);
  if (proxy === undefined) {
    const dispatcher = new Agent({ connect: connector(connect) });
    return { dispatcher, close: () => dispatcher.destroy() };
  }
  const toProxy = connectToProxy(roots, proxyStrictSSL);
  return instanceUrl.protocol === 'https:' || speaksSocks(proxy)
    ? tunnelling(proxy, toProxy, connect)
    : forwarding(proxy, toProxy);
}

/** Each connection is a tunnel that the proxy opens, with TLS in it from end to end if the instance speaks it. */
function tunnelling(proxy: Proxy, toProxy: Connect, connect: Connect): OpenDispatcher {
  const tunnels = tunnelsThrough(proxy, toProxy);
  const dispatcher = new Agent({
    connect: connector(async (target) => {
      const tunnel = await tunnels.open(tunnelDestinationOf(target));
      return target.protocol === 'https:' ? connect({ ...target, httpSocket: tunnel }) : tunnel;
    }),
  });
  return { dispatcher, close: async () => void (await Promise.all([dispatcher.destroy(), tunnels.close()])) };
}

/** Requests are sent to the proxy, which sends them on: what proxies allow for http, where many refuse tunnels. */
function forwarding(proxy: Proxy, toProxy: Connect): OpenDispatcher {
  const pool = new Pool(proxy.origin, {
    connect: connector((target) =>
      toProxy(target).catch((error: unknown) => {
        throw new ProxyFailure(proxyName(proxy), error);
      }),
    ),
  });
  const dispatcher = pool.compose((dispatch) => (request, handler) => {
    const target = new URL(request.origin ?? proxy.origin);
    return dispatch(
      {
        ...request,
        origin: proxy.origin,
        path: target.origin + request.path,
        headers: { ...(request.headers as Record<string, string>), host: target.host, ...authorizing(proxy) },
      },
      new ProxyRefusalHandler(handler, proxy),
    );
  });
  return { dispatcher, close: () => pool.destroy() };
}

/** Distinguishes a proxy that wants credentials from the instance behind it. */
class ProxyRefusalHandler extends DecoratorHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #proxy: Proxy;

  constructor(handler: Dispatcher.DispatchHandler, proxy: Proxy) {
    super(handler);
    this.#handler = handler;
    this.#proxy = proxy;
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    const [controller, status] = args;
    if (status === 407) {
      controller.abort(new ProxyFailure(proxyName(this.#proxy), status));
      return;
    }
    this.#handler.onResponseStart?.(...args);
  }
}
