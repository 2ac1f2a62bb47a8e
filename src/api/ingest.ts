import { exchange, type Fetch } from './transport.ts';

export interface IngestAnswer {
  readonly status: number;
  /** Without parameters, in lower case; empty if there was none. */
  readonly contentType: string;
  readonly location: string | undefined;
  readonly text: string;
}

/**
 * Posts an envelope to where a DSN points at, as an SDK does: once, with the public key alone, following no redirect.
 *
 * @param url the address for envelopes, such as `https://host/errortracking/api/v1/projects/api/42/envelope/`.
 * @throws ApiError `unavailable` if no whole answer came.
 */
export async function postEnvelope(
  url: string,
  publicKey: string,
  envelope: string,
  fetch: Fetch,
): Promise<IngestAnswer> {
  const headers = {
    'content-type': 'application/x-sentry-envelope',
    'x-sentry-auth': `Sentry sentry_version=7, sentry_client=beacon-gitlab/1.0, sentry_key=${publicKey}`,
  };
  const facts = { method: 'POST', pathTemplate: '…/envelope/', instance: new URL(url).host };
  const content = { headers, body: envelope };
  const { status, header, text } = await exchange(fetch, facts, new URL(url), content, new AbortController());
  const [contentType = ''] = (header('content-type') ?? '').toLowerCase().split(/[; \t]/, 1);
  return { status, contentType, location: header('location'), text };
}
