// The bundler puts these in the place of the package `ip-address`, of which `socks` needs no more, and which is 40 KB long.

/** An IPv4 address. */
export class Address4 {
  readonly #text: string;

  /** @param text four numbers with dots between them. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Its four bytes. */
  toArray(): number[] {
    return this.#text.split('.').map(Number);
  }
}

/** An IPv6 address. */
export class Address6 {
  readonly #groups: readonly string[];

  /**
   * @param text in any form, such as `::ffff:192.0.2.1`.
   * @throws TypeError for what is none, or names a zone.
   */
  constructor(text: string) {
    const [before = [], after = []] = new URL(`http://[${text}]`).hostname
      .slice(1, -1)
      .split('::')
      .map((part) => part.split(':').filter(Boolean));
    const missing = Array.from({ length: 8 - before.length - after.length }, () => '0');
    this.#groups = [...before, ...missing, ...after];
  }

  /** The address of 16 bytes. */
  static fromByteArray(bytes: readonly number[]): Address6 {
    const digits = Buffer.from(bytes).toString('hex');
    return new Address6((digits.match(/.{4}/g) ?? []).join(':'));
  }

  /** All eight groups, of four digits each. */
  canonicalForm(): string {
    return this.#groups.map((group) => group.padStart(4, '0')).join(':');
  }
}
