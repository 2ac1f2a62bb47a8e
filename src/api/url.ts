import { hasDotSegment } from '../common/instanceUrl.ts';
import { UnusablePathError } from './errors.ts';

/** A numeric id, or a full path such as `namespace/project` or a username. Paths are given as they read, not URL-encoded. */
export type IdOrPath = number | string;

/** A scalar, an array, a hash, an array of hashes. A Date is sent as an ISO 8601 timestamp in UTC. */
export type ParameterValue =
  | (string | number | boolean | Date)
  | readonly ParameterValue[]
  | { readonly [key: string]: ParameterValue | undefined };

/** One that is undefined is left out. */
export type Parameters = Readonly<Record<string, ParameterValue | undefined>>;

export interface ApiPath {
  /** Below `/api/v4`, with the names of parameters: it can be shown. */
  readonly template: string;
  /** Below the instance's own address. */
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
  return { template, encoded: `/api/v4${encoded}` };
}

/**
 * Encodes parameters for a query string: arrays as `name[]=value`, hashes as `name[key]=value`, arrays of hashes as
 * `name[0][key]=value`. Empty arrays and hashes have no form and are left out.
 *
 * @throws TypeError for null, a number that JSON has not, an invalid date, a key that is empty or has brackets.
 * @see https://docs.gitlab.com/api/rest/#encoding
 */
export function encodeParameters(parameters: Parameters): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => encodePairs(encodeKey(name), value))
    .join('&');
}

function encodePairs(name: string, value: unknown): string[] {
  if (value === undefined) {
    return [];
  }
  if (isNested(value)) {
    return Object.entries(value).flatMap(([key, element]) => {
      // Only elements that have keys of their own need a number to hold them together.
      const inner = !Array.isArray(value) ? encodeKey(key) : isNested(element) ? key : '';
      return encodePairs(`${name}[${inner}]`, element);
    });
  }
  const plain: unknown = value instanceof Date && Number.isFinite(value.getTime()) ? value.toISOString() : value;
  if (
    typeof plain === 'string' ||
    typeof plain === 'boolean' ||
    (typeof plain === 'number' && Number.isFinite(plain))
  ) {
    return [`${name}=${encodeText(String(plain))}`];
  }
  throw new TypeError(`Not a usable value of the parameter ${name}`);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
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

/** Without a slash at its end. */
export function pathOf({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '');
}

/** @param search encoded, as is the path. */
export function addressAt({ origin }: URL, pathname: string, search: string): URL {
  // The slash ends the origin. A path such as `//host` would change it in `new URL(path, origin)`.
  const url = new URL(`${origin}/${pathname.replace(/^\//, '')}`);
  url.search = search;
  return url;
}

/** Whether a path is below that of an instance: beside `https://host/gitlab` other programs may run. */
export function isWithin(instanceUrl: URL, { pathname }: URL): boolean {
  return pathname.startsWith(`${pathOf(instanceUrl)}/`) && !hasDotSegment(pathname);
}
