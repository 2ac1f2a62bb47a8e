import { UnusablePathError } from './errors.ts';

/**
 * How ids, paths and parameters are written into a request.
 *
 * @see https://docs.gitlab.com/api/rest/#request-requirements
 */

/** A numeric id, or a full path such as `namespace/project` or a username. Paths are given as they read, not URL-encoded. */
export type IdOrPath = number | string;

/** A single value of a parameter. A Date is sent as an ISO 8601 timestamp in UTC. */
export type Scalar = string | number | boolean | Date;

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
  const encoded = template.replace(/:(\w+)/g, (_, name: NamesIn<Template>) => encodeSegment(values[name], name));
  return { template, encoded };
}

function encodeSegment(value: IdOrPath, name: string): string {
  const text = String(value);
  const usable = typeof value === 'string' ? text !== '' && !hasDotSegment(text) : Number.isSafeInteger(value);
  if (!usable || !text.isWellFormed()) {
    throw new UnusablePathError(`Not a usable value for :${name} of a path`);
  }
  return encodeURIComponent(text);
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
 * Makes sure that parameters can be sent as they are meant: no null, no number that JSON has not, no invalid
 * date.
 *
 * @throws TypeError with the name of the parameter that cannot.
 * @see https://docs.gitlab.com/api/rest/#null-vs-false
 */
export function checkParameters(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!isSendable(value)) {
      throw new TypeError(`Not a usable value of the parameter ${name}`);
    }
  }
}

/** Callers without types can pass what the types rule out. */
function isSendable(value: unknown): boolean {
  if (value instanceof Date) {
    return !Number.isNaN(value.getTime());
  }
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).every(isSendable);
  }
  return typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean', 'undefined'].includes(typeof value);
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
  return Object.entries(parameters)
    .flatMap(([name, value]) => encodePairs(encodeKey(name), value))
    .join('&');
}

function encodePairs(name: string, value: ParameterValue | undefined): string[] {
  if (value === undefined) {
    return [];
  }
  if (isList(value)) {
    // Only elements that have keys of their own need a number to hold them together.
    return value.flatMap((element, index) =>
      encodePairs(isScalar(element) ? `${name}[]` : `${name}[${index}]`, element),
    );
  }
  if (isScalar(value)) {
    return [`${name}=${encodeText(value instanceof Date ? value.toISOString() : String(value))}`];
  }
  return Object.entries(value).flatMap(([key, element]) => encodePairs(`${name}[${encodeKey(key)}]`, element));
}

function isScalar(value: ParameterValue | undefined): value is Scalar {
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
