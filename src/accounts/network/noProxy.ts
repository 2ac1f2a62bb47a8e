import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Whether a list of exceptions, as in `http.noProxy` or the variable NO_PROXY, names a host. An entry is
 *
 * - a name, which stands for its subdomains too, also written `.example.com` or `*.example.com`;
 * - an address, such as `10.0.0.7` or `[::1]`, or a range of addresses, such as `10.0.0.0/8`;
 * - `*` for everything;
 *
 * each but a range and `*` with a port or without.
 *
 * @param url what is to be reached.
 */
export function isExcepted(url: URL, entries: readonly string[]): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
    .some((entry) => entry === '*' || isInRange(host, entry) || isNamed(host, port, entry));
}

/** Splits the value of NO_PROXY, whose entries stand between commas or spaces. */
export function splitNoProxy(value: string): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}

/** A host as a URL has it, without the brackets of an IPv6 address and the dot of a complete name. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isInRange(host: string, entry: string): boolean {
  const [, network = '', bits = ''] = /^\[?([\d.a-f:]+)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || Number(bits) > (isIPv4(network) ? 32 : 128)) {
    return false;
  }
  const range = new BlockList();
  range.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  return range.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}

function isNamed(host: string, port: string, entry: string): boolean {
  const { name, port: onlyPort } = splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) {
    return false;
  }
  if (isIP(name) !== 0 || isIP(host) !== 0) {
    return canonical(name) === canonical(host);
  }
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && `.${host}`.endsWith(`.${domain}`);
}

function splitPort(entry: string): { name: string; port: string | undefined } {
  const [, bracketed, bracketedPort] = /^\[([\da-f:.]+)\](?::(\d+))?$/.exec(entry) ?? [];
  if (bracketed !== undefined) {
    return { name: bracketed, port: bracketedPort };
  }
  if (isIP(entry) !== 0) {
    return { name: entry, port: undefined };
  }
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name, port };
}

/** An address in the one spelling that a URL gives it; anything else as it is. */
function canonical(address: string): string {
  return isIP(address) === 6 ? bare(new URL(`http://[${address}]`).hostname) : address;
}
