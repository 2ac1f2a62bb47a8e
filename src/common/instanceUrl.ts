/** Longer ones are no instance's, nor to be opened: links and files may hold anything. */
const longestUrl = 2048;

/**
 * The URL of an instance, without a slash at its end, by what a user types or pastes: `gitlab.com`, `https://host:8443/gitlab/` or
 * `https://host/api/v4`. Undefined if it is none that an instance can have.
 */
export function normalizeInstanceUrl(input: string): string | undefined {
  // As a host, a token would be asked for in DNS, logged and shown.
  const text = input.length > longestUrl || looksLikeToken(input) ? '' : input.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '' || hasDotSegment(url.pathname)) {
    return undefined;
  }
  return (
    url.origin +
    url.pathname
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\/api\/v4$/, '')
      .replace(/(?<!\/)\/+$/, '')
  );
}

/**
 * Whether a text is a token by the prefix that the platform gives to most kinds, unless an administrator chose another one.
 *
 * @see https://docs.gitlab.com/security/tokens/#token-prefixes
 */
export function looksLikeToken(text: string): boolean {
  return /^gl(?:pat|oas|dt|ptt|cbt)-[\w.-]{15,}$/.test(text.trim());
}

/**
 * Whether a server may find `.` or `..` in a path, by which the request would reach what lies above. What follows a `;`, `?` or `#` is
 * no part of a name to some servers, and some leave out control characters and spaces.
 */
export function hasDotSegment(path: string): boolean {
  let text = path;
  // Servers decode a path once or twice, those in front of them once more.
  for (let times = 0; times < 4 && text.includes('%'); times += 1) {
    // Characters of ASCII alone: the others make no dot segment, and what is no encoding stays as it is.
    text = text.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent);
  }
  return /(?:^|[/\\])\.\.?(?:[/\\;?#]|$)/.test(text.replaceAll(/[\p{Cc}\s]/gu, ''));
}

/** How a user names an instance: by host, port and path, with the scheme where that leaves it open to others. */
export function instanceName(instanceUrl: string): string {
  return isUnencrypted(instanceUrl) ? instanceUrl : instanceUrl.replace(/^https?:\/\//, '');
}

/** Decodes a part of a URL; unchanged if its percent signs are literal. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether a host, as a URL has it, is this computer; a name below `localhost` may lead elsewhere. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])\.?$/.test(hostname);
}

/** Whether requests to an instance can be read in transit: by `http`, to another computer. */
export function isUnencrypted(instanceUrl: string): boolean {
  const { protocol, hostname } = new URL(instanceUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

export function tokenListUrl(instanceUrl: string): string {
  return `${instanceUrl}/-/user_settings/personal_access_tokens`;
}

/** Whether a text has the form of an address of the web, without a user or password before the host. */
export function isWebAddress(text: string): boolean {
  return (
    text.length <= longestUrl &&
    (/^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#][\x21-\x5B\x5D-\x7E]*)?$/i.test(text) ||
      (/^https?:\/\/[\p{L}\p{M}\p{N}._[\]:-]+(?:[/?#][^\p{Cc}\s\\]*)?$/iu.test(text) && URL.canParse(text)))
  );
}

/** An address that an instance gave, if it may be opened: one of the web, which no command, no script and no file is. */
export function webAddress(address: string | null | undefined): string | undefined {
  return typeof address === 'string' && isWebAddress(address) ? address : undefined;
}
