import type { IncomingHttpHeaders } from 'node:http';
import { createSecureContext } from 'node:tls';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { BodyCollector, type FetchResponse, type OpenTransport } from '../../api/transport.ts';
import { bodyFrom } from './editorFetch.ts';

/** Makes direct connections. @param roots the authorities that are trusted, PEM; none for an instance without TLS. */
export function connectTo(roots: readonly string[]) {
  // Made once for all connections: reading some hundred authorities takes its time.
  const secureContext = roots.length === 0 ? undefined : createSecureContext({ ca: [...roots] });
  return (build: typeof buildConnector): buildConnector.connector => {
    const connect = build({ secureContext });
    return (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) {
          return callback(error, null);
        }
        if (target.protocol === 'https:') {
          // Else undici would say that the connection was closed, not why: an alert comes only after the handshake.
          socket.prependListener('error', () => socket.destroy());
        }
        return callback(null, socket);
      });
  };
}

/** Sends by undici, over direct connections, to addresses as `URL.href` gives them. It is loaded with the first request. */
export function openTransport(connecting = connectTo([])): OpenTransport {
  let opened: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    const undici = await import('undici');
    return new undici.Agent({ connect: connecting(undici.buildConnector) });
  };
  return {
    fetch: async (url, { method, headers, body = null, signal }) => {
      const path = url.indexOf('/', 'https://'.length);
      const answer = new ReceivedAnswer(signal);
      const agent = await (opened ??= open());
      agent.dispatch(
        {
          origin: url.slice(0, path),
          path: url.slice(path),
          method,
          body,
          headers: { ...headers, 'accept-encoding': 'gzip' },
          // The caller has its own, which distinguish the phases for every kind of transport.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        answer,
      );
      return await answer.started;
    },
    // What is sent after it fails.
    close: async () => (await (opened ??= open())).destroy(),
  };
}

/** Receives an answer and collects its body. A stream in between, as `request` has, would cost more than all else that is done with it. */
class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #started = Promise.withResolvers<FetchResponse>();
  readonly #ended = Promise.withResolvers<readonly Uint8Array[]>();
  readonly #body = new BodyCollector();
  #controller: Dispatcher.DispatchController | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // Whether anybody waits for the body depends on the headers.
    this.#ended.promise.catch(() => undefined);
    signal.addEventListener('abort', this.#abort);
  }

  get started(): Promise<FetchResponse> {
    return this.#started.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) {
      this.#abort();
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) {
      const get = (name: string) => headers[name]?.toString() || null;
      this.#started.resolve({ status, headers: { get }, body: bodyFrom(this.#ended.promise, get('content-encoding')) });
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // What it throws ends the request, and comes back as its error.
    this.#body.add(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#ended.resolve(this.#body.pieces);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#started.reject(error);
    this.#ended.reject(error);
  }

  readonly #abort = (): void => {
    const reason = this.#signal.reason as Error;
    if (this.#controller) {
      this.#controller.abort(reason);
    } else {
      // There may be no connection yet: nobody has to wait for it.
      this.#started.reject(reason);
    }
  };
}
