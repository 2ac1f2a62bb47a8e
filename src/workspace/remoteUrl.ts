import { decoded } from '../common/instanceUrl.ts';

/** Where a remote of a repository leads. */
export interface RemoteAddress {
  readonly protocol: 'http' | 'https' | 'ssh' | 'git';
  /** In lower case, IPv6 addresses without brackets; for SSH it may be an alias of the user's configuration. */
  readonly host: string;
  /** Undefined if the remote names none. */
  readonly port: number | undefined;
  /** Decoded, without slashes at its ends and without `.git`. */
  readonly path: string;
}

/** The host name behind an SSH alias: the subset of `~/.ssh/config` that decides where a remote leads. */
export type HostNameOf = (alias: string) => string;

/** Longer URLs lead nowhere: git's own buffers, and those of servers, end before. */
const longestUrl = 8192;
/** The longest name of a host in DNS, with a dot at its end. */
const longestHost = 254;

/** Hosts that hosted GitLab answers SSH on, where port 22 is closed. */
const sshHostsOfHosted = new Map(Object.entries<string>({ 'altssh.gitlab.com': 'gitlab.com' }));

/**
 * Reads the URL of a remote as git understands it: a URL, or `user@host:path`.
 *
 * @returns undefined for a local path, a file or anything that leads to no host.
 */
export function parseRemoteUrl(text: string): RemoteAddress | undefined {
  if (text.length > longestUrl) {
    return undefined;
  }
  const remote = text.trim();
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(remote)) {
    return fromUrl(remote);
  }
  // A colon before the first slash makes it SSH; a single letter before it is a drive of Windows, and two colons name a helper of git.
  // No project has a percent sign in its path, which git decodes in URLs alone.
  const scp = /^(?:[^:/\s[\]]+@)?(?:\[(?:[^:/\s[\]]+@)?([^/\s[\]@]+)\]|([^:/\s[\]@]{2,})):(?!:|\/\/)([^%]+)$/.exec(
    remote,
  );
  if (!scp) {
    return undefined;
  }
  const [, inBrackets = '', plain = inBrackets, path = ''] = scp;
  const [, host = plain, port] = /^([^:]+):(\d+)$/.exec(inBrackets) ?? [];
  return address('ssh', host, port === undefined ? undefined : Number(port), path);
}

/**
 * Reads the URI of a virtual folder that GitLab's own extension shows, such as `gitlab-remote://host/label?project=group/project&ref=main`.
 *
 * @returns undefined for any other folder, and for a project that is named by its number alone.
 * @see https://docs.gitlab.com/editor_extensions/visual_studio_code/remote_urls/
 */
export function parseFolderUri({
  scheme,
  authority,
  path,
  query,
}: Readonly<Record<'scheme' | 'authority' | 'path' | 'query', string>>): RemoteAddress | undefined {
  const project = scheme === 'gitlab-remote' ? (new URLSearchParams(query).get('project') ?? '') : '';
  // Before the label stands the path of the instance.
  const root = path.replace(/\/[^/]*\/?$/, '');
  return project.includes('/')
    ? parseRemoteUrl(`https://${authority}${root}/${project.split('/').map(encodeURIComponent).join('/')}`)
    : undefined;
}

/**
 * The project of an instance that a remote leads to. Hosts are compared; ports only for HTTP, where they distinguish
 * instances; SSH has its own ports.
 *
 * @param instanceUrl normalized.
 * @param hostNameOf resolves aliases of SSH.
 * @returns the full path of the project, or undefined if the remote leads elsewhere.
 */
export function projectPathOf(
  remote: RemoteAddress,
  instanceUrl: string,
  hostNameOf: HostNameOf = (alias) => alias,
): string | undefined {
  const instance = new URL(instanceUrl);
  const instanceHost = bareHost(instance.hostname);
  if (remote.protocol === 'http' || remote.protocol === 'https') {
    if (remote.host !== instanceHost || !samePort(remote, instance)) {
      return undefined;
    }
    const root = decoded(instance.pathname).replace(/^\/+|(?<!\/)\/+$/g, '');
    return repositoryOf(root === '' ? remote.path : withoutRoot(remote.path, root));
  }
  const named = hostNameOf(remote.host);
  // One that is written in other letters or digits, such as those of an IPv6 address, is the same.
  const host = bareHost(URL.parse(`https://${authorityOf(bareHost(named))}`)?.hostname ?? named);
  return (sshHostsOfHosted.get(host) ?? host) === instanceHost ? repositoryOf(remote.path) : undefined;
}

/**
 * The URL that the instance of a remote most likely has, to offer it for a sign-in.
 *
 * @returns undefined for a host that is one for SSH alone, by its name or its port.
 */
export function instanceUrlOf({ protocol, host, port }: RemoteAddress): string | undefined {
  if (protocol === 'http' || protocol === 'https') {
    return new URL(`${protocol}://${authorityOf(host)}${port === undefined ? '' : `:${port}`}`).origin;
  }
  const known = sshHostsOfHosted.get(host);
  const isNamedSo = /(?:^|[.-])(?:alt)?ssh\d*(?:[.-]|$)/.test(host);
  const isForSsh = protocol === 'ssh' && (isNamedSo || ((port ?? 22) !== 22 && !host.includes('gitlab')));
  return known === undefined && isForSsh ? undefined : `https://${known ?? authorityOf(host)}`;
}

/** Whether two different hosts may be of one company, such as that for SSH of an instance and that of its pages. */
export function areRelated(one: string, other: string): boolean {
  // Below `co.uk` and the like, each has a domain of its own.
  const domainOf = (host: string): string =>
    /[^.]+\.(?:(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[a-z]{2}|[^.]+)$/.exec(host)?.[0] ?? host;
  const isAddress = /[\d\]]$/.test(other);
  return one !== other && !isAddress && (domainOf(one) === domainOf(other) || one.endsWith(`.${other}`));
}

function fromUrl(text: string): RemoteAddress | undefined {
  const url = URL.parse(text);
  const protocol = url?.protocol.replace(/^git\+|(?:\+git)?:$/g, '');
  return url && (protocol === 'http' || protocol === 'https' || protocol === 'ssh' || protocol === 'git')
    ? address(protocol, url.hostname, url.port === '' ? undefined : Number(url.port), url.pathname)
    : undefined;
}

function address(
  protocol: RemoteAddress['protocol'],
  host: string,
  port: number | undefined,
  path: string,
): RemoteAddress | undefined {
  const segments = decoded(path)
    .split('/')
    .filter((segment) => segment !== '');
  // Hosts of schemes that URLs know nothing of are anything: one that no instance can have leads nowhere.
  const bare = bareHost(host);
  return segments.length === 0 ||
    // No project has such a name: in the path of a request it would lead elsewhere.
    segments.some((segment) => /^\.\.?$|[\\\p{Cc}]/u.test(segment)) ||
    bare.length > longestHost ||
    // Git refuses it: to a program it would be an option.
    bare.startsWith('-') ||
    !URL.canParse(`https://${authorityOf(bare)}`)
    ? undefined
    : { protocol, host: bare, port, path: segments.join('/').replace(/\.git$/, '') };
}

function authorityOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

/** A scheme's own port stands for the other's: instances send http on to https. */
function samePort(remote: RemoteAddress, instance: URL): boolean {
  const ownPorts = { 'http:': 80, 'https:': 443, http: 80, https: 443, ssh: 22, git: 9418 };
  const remotePort = remote.port ?? ownPorts[remote.protocol];
  const instancePort = instance.port === '' ? ownPorts[instance.protocol as 'http:' | 'https:'] : Number(instance.port);
  const isOwn = (port: number) => port === 80 || port === 443;
  return remotePort === instancePort || (isOwn(remotePort) && isOwn(instancePort));
}

function withoutRoot(path: string, root: string): string | undefined {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}

/** The project of a repository: at least one level deep; its wiki, its designs and its snippets are repositories beside it. */
export function repositoryOf(path: string | undefined): string | undefined {
  const project = path?.replace(/\.(?:wiki|design)$|(?:\/-)?(?:\/|^)snippets\/\d+$/, '');
  return project?.includes('/') === true ? project : undefined;
}

/** An entry of a git configuration; git writes keys in lower case except for what stands between the dots. */
type ConfigEntry = { readonly key: string; readonly value: string };

/** At most this many rules of a repository count: each is compared with each remote, whenever the repository changes. */
const mostRules = 1000;

/** The entries `url.<base>.insteadOf` of a git configuration. */
export function insteadOfRules(configs: readonly ConfigEntry[]): readonly ConfigEntry[] {
  return configs.filter(({ key }) => /^url\..*\.insteadof$/is.test(key)).slice(0, mostRules);
}

/** The remotes of a git configuration, each with the first of its URLs. */
export function configuredRemotes(configs: readonly ConfigEntry[]): readonly { name: string; fetchUrl: string }[] {
  const urls = new Map<string, string>();
  for (const { key, value } of configs) {
    const name = /^remote\.(.*)\.url$/s.exec(key)?.[1];
    if (name !== undefined && !urls.has(name)) {
      urls.set(name, value);
    }
  }
  return [...urls].map(([name, fetchUrl]) => ({ name, fetchUrl }));
}

/**
 * Applies the rules `url.<base>.insteadOf` of a git configuration as git does: the longest matching beginning is replaced.
 *
 * @param configs entries of the configuration.
 */
export function withInsteadOf(url: string, configs: readonly ConfigEntry[]): string {
  let longest = '';
  let base = '';
  for (const { key, value } of configs) {
    const rule = /^url\.(.*)\.insteadof$/is.exec(key);
    if (rule && url.startsWith(value) && value.length > longest.length) {
      longest = value;
      base = rule[1] ?? '';
    }
  }
  return base + url.slice(longest.length);
}
