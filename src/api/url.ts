import { UnusablePathError } from './errors.ts';

/**
 * How ids, paths and parameters are written into an address, and where the token may follow an address that the instance gives.
 *
 * @see https://docs.gitlab.com/api/rest/#request-requirements
 */

/** A numeric id, or a full path such as `namespace/project` or a username. Paths are given as they read, not URL-encoded. */
export type IdOrPath = number | string;

/** A single value of a parameter. A Date is sent as an ISO 8601 timestamp in UTC. */
type Scalar = string | number | boolean | Date;

/** The value of a parameter: a scalar, an array, a hash, an array of hashes. A parameter that is undefined is left out. */
export type ParameterValue =
  | Scalar
  | readonly ParameterValue[]
  | { readonly [key: string]: ParameterValue | undefined };

/** Parameters by name. */
export type Parameters = Readonly<Record<string, ParameterValue | undefined>>;

/** A path below `/api/v4`: as a template that can be shown, and encoded as it is sent. */
export interface ApiPath {
  readonly template: string;
  readonly encoded: string;
}

type NamesIn<Template extends string> = Template extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | NamesIn<Tail>
    : Rest
  : never;

/**
 * Puts values in the place of a template's `:names`, URL-encoded, so that `/` in a path becomes `%2F`.
 *
 * @throws UnusablePathError if a value is empty, has a dot segment, or is neither an integer nor well-formed Unicode.
 * @see https://docs.gitlab.com/api/rest/#path-parameters
 */
export function apiPath<Template extends string>(
  template: Template,
  values: Record<NamesIn<Template>, IdOrPath>,
): ApiPath {
  const encoded = template.replace(/:(\w+)/g, (_, name: NamesIn<Template>) => {
    const value = values[name];
    const text = String(value);
    const isUsable = typeof value === 'string' ? text !== '' && !hasDotSegment(text) : Number.isSafeInteger(value);
    if (!isUsable || !text.isWellFormed()) {
      throw new UnusablePathError(`Not a usable value for :${name} of a path`);
    }
    return encodeURIComponent(text);
  });
  return { template, encoded };
}

/**
 * Whether a server may find `.` or `..` in a path, between slashes or backslashes. They vanish when the path is normalized,
 * encoded or not, and the request would reach what lies above. What follows a `;`, `?` or `#` is no part of a name to some
 * servers, and some leave out control characters and spaces.
 */
export function hasDotSegment(path: string): boolean {
  let text = path;
  // Servers decode a path once or twice, those in front of them once more.
  for (let times = 0; times < 4; times += 1) {
    // Characters of ASCII alone: the others make no dot segment, and what is no encoding stays as it is.
    text = text.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent);
  }
  return /(?:^|[/\\])\.\.?(?:[/\\;?#]|$)/.test(text.replaceAll(/[\p{Cc}\s]/gu, ''));
}

/**
 * Makes sure that parameters can be sent as they are meant: no null, no number that JSON has not, no invalid date. Callers
 * without types can pass what the types rule out.
 *
 * @throws TypeError with the name of the parameter that cannot.
 * @see https://docs.gitlab.com/api/rest/#null-vs-false
 */
export function checkParameters(parameters: Parameters): void {
  const isSendable = (value: unknown): boolean => {
    if (value instanceof Date) {
      return !Number.isNaN(value.getTime());
    }
    if (typeof value === 'object' && value !== null) {
      return Object.values(value).every(isSendable);
    }
    return typeof value === 'number'
      ? Number.isFinite(value)
      : ['string', 'boolean', 'undefined'].includes(typeof value);
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (!isSendable(value)) {
      throw new TypeError(`Not a usable value of the parameter ${name}`);
    }
  }
}

/**
 * Encodes parameters for a query string or a form body: arrays as `name[]=value`, hashes as `name[key]=value`, arrays of
 * hashes as `name[0][key]=value`, `+` as `%2B`. Empty arrays and hashes have no form and are left out.
 *
 * @returns The encoded parameters without a leading `?`; empty if there are none.
 * @throws TypeError if a hash has a key that this notation cannot express (empty, or with brackets).
 * @see https://docs.gitlab.com/api/rest/#encoding
 */
export function encodeParameters(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => encodePairs(encodeKey(name), value));
  return pairs.join('&');
}

function encodePairs(name: string, value: ParameterValue | undefined): string[] {
  if (value === undefined) {
    return [];
  }
  if (isScalar(value)) {
    return [`${name}=${encodeText(value instanceof Date ? value.toISOString() : String(value))}`];
  }
  if (isList(value)) {
    // Only elements that have keys of their own need a number to hold them together.
    return value.flatMap((element, index) =>
      encodePairs(isScalar(element) ? `${name}[]` : `${name}[${index}]`, element),
    );
  }
  return Object.entries(value).flatMap(([key, element]) => encodePairs(`${name}[${encodeKey(key)}]`, element));
}

function isScalar(value: ParameterValue): value is Scalar {
  return typeof value !== 'object' || value instanceof Date;
}

function isList(value: ParameterValue): value is readonly ParameterValue[] {
  return Array.isArray(value);
}

function encodeKey(key: string): string {
  if (key === '' || /[[\]]/.test(key)) {
    throw new TypeError(`Not a usable name of a parameter: ${JSON.stringify(key)}`);
  }
  return encodeText(key);
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * The instance's web address.
 *
 * @throws TypeError without the address, which may hold a password, if it is none of http or https, or has more than a path.
 */
export function instanceUrlOf(given: string | URL): URL {
  const url = URL.parse(String(given));
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError(
      'The address of an instance is like https://gitlab.example.com, without user, query or fragment',
    );
  }
  url.pathname = pathOf(url);
  return url;
}

/** The path of an instance, without a slash at its end. */
export function pathOf({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '');
}

/**
 * The path and query of an address, at the client's own origin. What host the address names does not matter: behind a
 * proxy an instance knows itself by another one.
 *
 * @param instanceUrl the instance's web address. Its path bounds it: beside `https://host/gitlab` other programs may run.
 * @returns undefined for a path that is not below the instance's.
 */
export function withinInstance(instanceUrl: URL, { pathname, search }: URL): URL | undefined {
  if (!pathname.startsWith(`${pathOf(instanceUrl)}/`) || hasDotSegment(pathname)) {
    return undefined;
  }
  const own = new URL(instanceUrl.origin);
  // By the setters, which leave the origin alone: a path such as `//host` would change it in `new URL(path, origin)`.
  own.pathname = pathname;
  own.search = search;
  return own;
}

/**
 * Reads a `Location`: an address of the instance, the origin of another one, or nowhere that a client may go. One that differs
 * from the client's origin in the scheme alone is followed at the client's own, because behind a proxy an instance may not know
 * that it is called by https.
 *
 * @param from The address that was requested.
 * @see https://docs.gitlab.com/api/rest/#redirects
 */
export function destinationOf(
  instanceUrl: URL,
  from: URL,
  location: string | undefined,
): { readonly url?: URL | undefined; readonly foreignOrigin?: string } {
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (!to || !/^https?:$/.test(to.protocol)) {
    return {};
  }
  if (to.host !== from.host) {
    return { foreignOrigin: to.origin };
  }
  const url = withinInstance(instanceUrl, to);
  // A redirect from http to https alone would be followed in a circle: the client has to be given https.
  return url?.href === from.href && to.origin !== from.origin ? { foreignOrigin: to.origin } : { url };
}
