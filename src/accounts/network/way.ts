import { isLoopback } from '../instanceUrl.ts';
import { isExcepted, splitNoProxy } from './noProxy.ts';

const defaultSocksPort = 1080;

/** What the editor's settings say of proxies and certificates, as a person set them for all workspaces. */
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
export type Way =
  | { readonly kind: 'direct'; readonly reason: 'loopback' | 'proxySupport' | 'noProxy' }
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  | { readonly kind: 'editor' }
  | { readonly kind: 'unusable'; readonly source: string };

/**
 * Chooses the way to an instance, in the order in which the editor does:
 *
 * 1. This computer itself is reached directly, and everything if `http.proxySupport` is `off`.
 * 2. So are the exceptions in `http.noProxy`, or, if that is empty, in NO_PROXY.
 * 3. `http.proxy` comes before the environment: HTTPS_PROXY (for http HTTP_PROXY), ALL_PROXY, and HTTP_PROXY for https too.
 *    The spelling in lower case comes first.
 * 4. Whatever is left is the editor's to find.
 *
 * @param instanceUrl the instance's web address.
 * @param environment such as `process.env`.
 */
export function chooseWay(
  instanceUrl: URL,
  settings: NetworkSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Way {
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
    return wayByProxy(settings.proxy, 'http.proxy', settings);
  }
  const names =
    instanceUrl.protocol === 'https:' ? ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY', 'ALL_PROXY'];
  const named = names.find((name) => variable(name).trim() !== '');
  return named === undefined ? { kind: 'editor' } : wayByProxy(variable(named), named, settings);
}

/** A proxy in words that may be shown: host and port alone. */
export function proxyName({ origin }: Proxy): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Whether a proxy opens connections by SOCKS rather than by HTTP. */
export function speaksSocks({ origin }: Proxy): boolean {
  return origin.startsWith('socks');
}

function wayByProxy(value: string, source: string, settings: NetworkSettings): Way {
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

/** A part of a URL without its percent signs; as it is, if those were meant literally. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
