import { BlockList, isIP, isIPv4 } from 'node:net';
import { decoded, isLoopback } from '../common/instanceUrl.ts';

const defaultSocksPort = 1080;

/** What the editor's settings say of proxies and certificates, as a user set them for all workspaces. */
export interface NetworkSettings {
  /** `http.proxySupport`. */
  readonly proxySupport: string;
  /** `http.proxy`; empty if not set. */
  readonly proxy: string;
  /** `http.proxyAuthorization`: the value of the header `Proxy-Authorization`. */
  readonly proxyAuthorization: string | undefined;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL`: whether the certificate of the proxy has to be trusted. The instance's always has to. */
  readonly proxyStrictSSL: boolean;
  /** `http.systemCertificates`: whether what the operating system trusts is trusted. */
  readonly systemCertificates: boolean;
}

/** A proxy, whose secrets are apart from its address. */
export interface Proxy {
  /** `http://host:port`, or with `https` or one of the SOCKS schemes, without credentials. */
  readonly origin: string;
  /** The value of the header `Proxy-Authorization`; holds a password. */
  readonly authorization: string | undefined;
  /** The user name and the password in its URL; undefined without. */
  readonly login: { readonly username: string; readonly password: string } | undefined;
  /** Where it is named: a setting or a variable of the environment. */
  readonly source: string;
}

/**
 * How requests get to an instance:
 *
 * - `direct`, and why no proxy is asked for;
 * - `proxy`, one that a setting or the environment names;
 * - `editor`: only the editor knows, who asks the operating system and automatic configuration (PAC);
 * - `unusable`: a proxy is named that cannot be used as it is written.
 */
export type Route =
  | { readonly kind: 'direct'; readonly reason: 'loopback' | 'proxySupport' | 'noProxy' }
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  | { readonly kind: 'editor' }
  | { readonly kind: 'unusable'; readonly source: string };

/**
 * Resolves the route to an instance, in the order in which the editor does:
 *
 * 1. This computer itself is reached directly, and everything if `http.proxySupport` is `off`.
 * 2. So are the exceptions in `http.noProxy`, or, if that is empty, in NO_PROXY.
 * 3. `http.proxy` comes before the environment: HTTPS_PROXY (for http HTTP_PROXY), ALL_PROXY, and HTTP_PROXY for https too.
 *    The spelling in lower case comes first.
 * 4. Otherwise the editor resolves it.
 *
 * @param instanceUrl the instance's web address.
 * @param environment such as `process.env`.
 */
export function resolveRoute(
  instanceUrl: URL,
  settings: NetworkSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Route {
  const variable = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  if (isLoopback(instanceUrl.hostname)) {
    return { kind: 'direct', reason: 'loopback' };
  }
  if (settings.proxySupport === 'off') {
    return { kind: 'direct', reason: 'proxySupport' };
  }
  const exceptions = settings.noProxy.length > 0 ? settings.noProxy : splitNoProxy(variable('NO_PROXY'));
  if (isExcepted(instanceUrl, exceptions)) {
    return { kind: 'direct', reason: 'noProxy' };
  }
  if (settings.proxy.trim() !== '') {
    return routeByProxy(settings.proxy, 'http.proxy', settings);
  }
  const names =
    instanceUrl.protocol === 'https:' ? ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY', 'ALL_PROXY'];
  const named = names.find((name) => variable(name).trim() !== '');
  return named === undefined ? { kind: 'editor' } : routeByProxy(variable(named), named, settings);
}

/** A proxy as it may be shown: only host and port. */
export function proxyName({ origin }: Proxy): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Whether a proxy opens connections by SOCKS rather than by HTTP. */
export function speaksSocks({ origin }: Proxy): boolean {
  return origin.startsWith('socks');
}

function routeByProxy(value: string, source: string, settings: NetworkSettings): Route {
  const text = value.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || url.hostname === '' || !/^(?:https?|socks(?:4a?|5h?)?):$/.test(url.protocol)) {
    return { kind: 'unusable', source };
  }
  const isSocks = url.protocol.startsWith('socks');
  const origin = isSocks ? `${url.protocol}//${url.hostname}:${url.port || defaultSocksPort}` : url.origin;
  const login =
    url.username + url.password === ''
      ? undefined
      : { username: decoded(url.username), password: decoded(url.password) };
  const authorization = settings.proxyAuthorization ?? (login && basicAuthorization(login));
  return { kind: 'proxy', proxy: { origin, authorization, login, source } };
}

function basicAuthorization({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

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
function isExcepted(url: URL, entries: readonly string[]): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
    .some((entry) => entry === '*' || isInRange(host, entry) || isNamed(host, port, entry));
}

/** Splits the value of NO_PROXY, whose entries stand between commas or spaces. */
function splitNoProxy(value: string): string[] {
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
