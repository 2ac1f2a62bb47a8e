import { faultOf } from '../../api/faults.ts';

/** The proxy does not carry the request: it cannot be reached, or refuses. The instance has seen nothing of it. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code = 'ERR_PROXY';
  /** Host and port of the proxy; undefined where only the editor knows. */
  readonly proxy: string | undefined;
  /** The status with which it refuses, such as `407`, or why it cannot be reached, such as `ECONNREFUSED`. */
  readonly detail: string;

  /** @param cause the status with which the proxy answered, or what was thrown when it was called. */
  constructor(proxy: string | undefined, cause: unknown) {
    super('The proxy does not carry the request');
    this.proxy = proxy;
    this.detail = typeof cause === 'number' ? String(cause) : faultOf(cause).detail;
  }
}
