import { type Fetch, type FetchResponse, TransportFault } from '../../api/transport.ts';

/**
 * The browser's `fetch`. It follows no redirect, as everywhere: it could take the token along. Where one leads, no browser shows.
 *
 * @throws TransportFault `HIDDEN_REDIRECT`, and `CORS` for an answer that web pages may not read; for the rest what the browser throws.
 */
export const browserFetch: Fetch = async (url, init) => {
  // The browser has its own, and for another one it would ask for permission first.
  const { 'user-agent': _, ...headers } = init.headers;
  const response = await globalThis.fetch(url, { ...init, headers }).catch(async (error: unknown) => {
    throw !init.signal.aborted && (await refusesWebPages(url, init.signal))
      ? new TransportFault('CORS', { cause: error })
      : error;
  });
  if (response.type === 'opaqueredirect') {
    throw new TransportFault('HIDDEN_REDIRECT');
  }
  return readable(response);
};

/** A response whose body can be read in pieces in every browser. */
export function readable({ status, headers, body }: Response): FetchResponse {
  return { status, headers, body: body && piecesOf(body) };
}

/**
 * Whether something answers at an address, and no web page may read it. It is asked anonymously: first for what a page may read, and only
 * where that fails for an answer that stays unseen.
 */
async function refusesWebPages(url: string, signal: AbortSignal): Promise<boolean> {
  const { origin, pathname } = new URL(url);
  const isAnswered = async (init: RequestInit): Promise<boolean> =>
    await globalThis
      .fetch(origin + pathname, {
        ...{ credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal },
        ...init,
      })
      .then(
        async ({ body }) => {
          await body?.cancel();
          return true;
        },
        () => false,
      );
  return !(await isAnswered({ redirect: 'manual' })) && (await isAnswered({ mode: 'no-cors' }));
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isWhole = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield next.value;
    }
    isWhole = true;
  } finally {
    if (!isWhole) {
      await reader.cancel().catch(() => undefined);
    }
  }
}
