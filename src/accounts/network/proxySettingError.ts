/** A proxy is named that cannot be used as it is written. */
export class ProxySettingError extends Error {
  override readonly name = 'ProxySettingError';
  /** The setting or variable that names it. */
  readonly source: string;

  constructor(source: string) {
    super(`The proxy in ${source} cannot be used`);
    this.source = source;
  }
}
