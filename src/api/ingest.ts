import { type Dispatcher, platformTransport } from '#platform/transport.ts';
import { UnavailableError } from './errors.ts';
import { faultOf } from './faults.ts';
import { type Fetch, fetchTransport, textOf } from './transport.ts';

/** What an envelope is posted with: the carrier of requests to that host, as of a client. Never with a token. */
export interface IngestOptions {
  readonly dispatcher?: Dispatcher | undefined;
  readonly fetch?: Fetch | undefined;
  readonly userAgent?: string;
}

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
const connectTimeout = 10_000;

/**
 * Posts an envelope to where a DSN points at, as an SDK does: once, with the public key alone, following no redirect.
 *
 * @param url the address for envelopes, such as `https://host/errortracking/api/v1/projects/api/42/envelope/`.
 * @throws UnavailableError if no whole answer came.
 */
export async function postEnvelope(
  url: string,
  publicKey: string,
  envelope: string,
  { dispatcher, fetch, userAgent = 'beacon-gitlab' }: IngestOptions = {},
): Promise<IngestAnswer> {
  const transport = fetch ? fetchTransport(fetch) : platformTransport(connectTimeout, dispatcher);
  const facts = { method: 'POST', pathTemplate: '…/envelope/', instance: new URL(url).host };
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await transport.send({
      method: 'POST',
      url: new URL(url),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-sentry-envelope',
        'user-agent': userAgent,
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${userAgent}/1.0, sentry_key=${publicKey}`,
      },
      body: envelope,
      signal,
    });
    return {
      status: response.status,
      contentType: (response.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      location: response.header('location'),
      text: textOf(await response.bytes()),
    };
  } catch (error) {
    if (signal.aborted) {
      throw new UnavailableError(facts, 'timeout', 'headers');
    }
    const { kind, detail } = faultOf(error);
    throw new UnavailableError(facts, kind, detail);
  } finally {
    await transport.close();
  }
}
