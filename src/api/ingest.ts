import { openTransport } from '#platform/transport.ts';
import { faultOf } from './answers.ts';
import { apiError } from './errors.ts';
import { userAgent } from './request.ts';
import { answerOf, type Fetch, plainRequest } from './transport.ts';

/** What came back for an envelope. */
export interface IngestAnswer {
  readonly status: number;
  /** The content type without parameters, in lower case; empty if there was none. */
  readonly contentType: string;
  /** Where the answer sends requests on to; undefined if nowhere. */
  readonly location: string | undefined;
  /** The body as text, up to the bound. */
  readonly text: string;
}

/** Milliseconds from the request to the end of the answer. */
const timeout = 30_000;

/**
 * Posts an envelope to where a DSN points at, as an SDK does: once, with the public key alone, following no redirect.
 *
 * @param url the address for envelopes, such as `https://host/errortracking/api/v1/projects/api/42/envelope/`.
 * @param fetch what sends requests to that host; never with a token.
 * @throws ApiError `unavailable` if no whole answer came.
 */
export async function postEnvelope(
  url: string,
  publicKey: string,
  envelope: string,
  { fetch }: { readonly fetch?: Fetch | undefined } = {},
): Promise<IngestAnswer> {
  const transport = fetch ? { fetch, close: async () => undefined } : openTransport();
  const facts = { method: 'POST', pathTemplate: '…/envelope/', instance: new URL(url).host };
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await transport.fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-sentry-envelope',
        'user-agent': userAgent,
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${userAgent}/1.0, sentry_key=${publicKey}`,
      },
      body: envelope,
      signal,
      ...plainRequest,
    });
    const { status, header, text } = await answerOf(response);
    const [contentType = ''] = (header('content-type') ?? '').toLowerCase().split(/[; \t]/, 1);
    return { status, contentType, location: header('location'), text };
  } catch (error) {
    throw apiError(
      facts,
      signal.aborted
        ? { reason: 'unavailable', kind: 'timeout', detail: 'headers' }
        : { reason: 'unavailable', ...faultOf(error, new URL(url)) },
    );
  } finally {
    await transport.close();
  }
}
