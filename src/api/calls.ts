import type { ApiPath, Parameters } from './encoding.ts';
import type { RequestFacts } from './errors.ts';

/** How one record is asked for or changed. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request as the resources put it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave for the call's path, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  /** Sent as JSON. */
  readonly body?: Parameters | undefined;
  /** Sent as it is, encoded as forms are. */
  readonly form?: string | undefined;
  /** The ETag of what the caller has: makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The fields of the answer that are relied on. */
  readonly reads?: readonly string[] | undefined;
}

/** A successful answer. */
export interface Reply {
  /** 200 to 299, or 304 if the call was conditional. */
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body as it came. */
  readonly text: string;
  /** The body; undefined if there is none. */
  readonly json: unknown;
  readonly facts: RequestFacts;
  /** The address that answered, after redirects. */
  readonly url: URL;
}
