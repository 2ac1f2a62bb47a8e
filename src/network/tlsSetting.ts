/** What `beacon.tls` holds for one instance. Paths are absolute or begin with `~`. */
export interface InstanceTlsSetting {
  /** A PEM file with the certificates of authorities to trust besides the others. */
  readonly ca?: string;
  /** A PEM file with the certificate to show to the instance, and those that vouch for it. */
  readonly certificate?: string;
  /** A PEM file with the key of `certificate`. */
  readonly key?: string;
  /** A PKCS #12 file with both, instead of them. */
  readonly pfx?: string;
  /** The SHA-256 fingerprint of the one certificate to trust, by any issuer. */
  readonly fingerprint?: string;
}

/**
 * The key of the entry of `beacon.tls` for an instance: its URL or its host, with or without the port.
 *
 * @param instanceUrl normalized, see `normalizeInstanceUrl`.
 * @returns undefined if there is none.
 */
export function tlsEntryOf(all: Readonly<Record<string, InstanceTlsSetting>>, instanceUrl: string): string | undefined {
  const { host, hostname } = new URL(instanceUrl);
  const entries = Object.keys(all);
  return [instanceUrl, host, hostname]
    .map((name) => entries.find((entry) => canonicalEntry(entry) === canonicalEntry(name)))
    .find((entry) => entry !== undefined);
}

/** The key of an entry in one spelling of several: without the scheme and the slash at the end. */
export function canonicalEntry(entry: string): string {
  return entry
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** The file of an entry that may need a passphrase: the key, or both in one. */
export function lockedFile({ key, pfx }: InstanceTlsSetting): string | undefined {
  return pfx ?? key;
}
