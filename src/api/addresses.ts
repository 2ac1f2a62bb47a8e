import { hasDotSegment } from './encoding.ts';

/** Addresses that the instance gives: whether, and where, the token may follow them. */

/**
 * The path and query of an address, at the client's own origin. What host the address names does not matter: behind a
 * proxy an instance knows itself by another one.
 *
 * @param instanceUrl the instance's web address. Its path bounds it: beside `https://host/gitlab` other programs may run.
 * @returns undefined for a path that is not below the instance's.
 */
export function withinInstance(instanceUrl: URL, address: URL): URL | undefined {
  const base = `${instanceUrl.pathname.replace(/(?<!\/)\/+$/, '')}/`;
  if (!address.pathname.startsWith(base) || hasDotSegment(address.pathname)) {
    return undefined;
  }
  const { origin } = instanceUrl;
  if (address.href === origin + address.pathname + address.search) {
    // Most are at the client's own origin already, and hold nothing else.
    return address;
  }
  const own = new URL(origin);
  // By the setters, which leave the origin alone: a path such as `//host` would change it in `new URL(path, origin)`.
  own.pathname = address.pathname;
  own.search = address.search;
  return own;
}

/** Where a redirect leads: an address of the instance, another origin, or nowhere that a client may go. */
export type Destination = { readonly url: URL } | { readonly foreignOrigin: string } | undefined;

/**
 * Reads a `Location`. One that differs from the client's origin in the scheme alone is followed at the
 * client's own origin, because behind a proxy an instance may not know that it is called by https.
 *
 * @param from The address that was requested.
 * @see https://docs.gitlab.com/api/rest/#redirects
 */
export function destinationOf(instanceUrl: URL, from: URL, location: string | undefined): Destination {
  if (location === undefined || !URL.canParse(location, from.href)) {
    return undefined;
  }
  const to = new URL(location, from.href);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') {
    return undefined;
  }
  if (to.host !== from.host) {
    return { foreignOrigin: to.origin };
  }
  const url = withinInstance(instanceUrl, to);
  if (url === undefined) {
    return undefined;
  }
  // A redirect from http to https alone would be followed in a circle: the client has to be given https.
  return url.href === from.href && to.origin !== from.origin ? { foreignOrigin: to.origin } : { url };
}
