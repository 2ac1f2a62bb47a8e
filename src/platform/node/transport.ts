import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import { BodyTooLongError } from '../../api/faults.ts';
import { BodyCollector, maxBodyBytes, type Transport, type TransportResponse } from '../../api/transport.ts';
import { decompress } from './compression.ts';

export type { Dispatcher };

/**
 * Sends by undici.
 *
 * @param connectTimeout milliseconds.
 * @param dispatcher What opens the connections, such as a ProxyAgent. Its owner closes it.
 */
export function platformTransport(connectTimeout: number, dispatcher?: Dispatcher): Transport {
  // Timeouts for headers and body are the caller's, who can distinguish the phases for every kind of transport.
  const own = dispatcher ?? new Agent({ connect: { timeout: connectTimeout } });
  return {
    async send({ method, url, headers, body, signal }) {
      const answer = new ReceivedAnswer(signal);
      own.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { ...headers, 'accept-encoding': 'gzip' },
          body: body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        answer,
      );
      return await answer.started;
    },
    async close() {
      if (dispatcher === undefined) {
        await own.destroy();
      }
    },
  };
}

/** Receives an answer and collects its body. A stream in between, as `request` has, would cost more than all else that is done with it. */
class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #started = Promise.withResolvers<TransportResponse>();
  readonly #ended = Promise.withResolvers<Uint8Array>();
  readonly #body = new BodyCollector();
  #controller: Dispatcher.DispatchController | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // Whether anybody waits for the body depends on the headers.
    this.#ended.promise.catch(() => undefined);
    signal.addEventListener('abort', this.#abort);
  }

  /** Resolves when the headers are there. */
  get started(): Promise<TransportResponse> {
    return this.#started.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) {
      this.#abort();
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      return;
    }
    const header = (name: string) => joined(headers[name]);
    this.#started.resolve({
      status,
      header,
      bytes: async () => {
        const bytes = await this.#ended.promise;
        return header('content-encoding')?.toLowerCase() === 'gzip' ? await unpack(bytes) : bytes;
      },
    });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // What it throws ends the request, and comes back as its error.
    this.#body.add(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#ended.resolve(this.#body.bytes);
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

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  // A 204 or 304 has no body, and may still carry the header of the answer that it stands for.
  try {
    return bytes.length === 0 ? bytes : await decompress(bytes, 'gzip', maxBodyBytes);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new BodyTooLongError();
    }
    // It is not the gzip that it says: an answer that cannot be read, of an instance that can be reached.
    return bytes;
  }
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
