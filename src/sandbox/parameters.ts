import type { Context } from 'hono';
import * as z from 'zod/mini';
import { badParameters } from './authentication.ts';

/** The value of a parameter as it arrives. In queries and forms every scalar is a string. */
export type ReceivedValue = string | number | boolean | null | readonly ReceivedValue[] | ParameterHash;

/** Parameters by name. It has no prototype, so that no name means anything but itself. */
export interface ParameterHash {
  readonly [name: string]: ReceivedValue;
}

/** Beyond these a request is refused. */
const maxDepth = 32;
const maxCount = 4096;

/** A parameter that is true or false: in JSON a boolean, elsewhere one of the strings that the platform accepts. */
export const booleanParameter = z.union(
  [
    z.boolean(),
    z.stringbool({ truthy: ['true', '1', 't', 'yes', 'y', 'on'], falsy: ['false', '0', 'f', 'no', 'n', 'off'] }),
  ],
  { error: problemWith },
);

/** A parameter that is text. A number or boolean in JSON is taken as it is written. */
export const textParameter = z.pipe(
  z.union([z.string(), z.number(), z.boolean()], { error: problemWith }),
  z.transform((value: string | number | boolean) => String(value)),
);

function problemWith({ input }: { readonly input?: unknown }): string {
  if (input === undefined) {
    return 'is missing';
  }
  return input === '' ? 'is empty' : 'is invalid';
}

/**
 * The parameters of a request that a schema declares, one object of the parameters of this file; others are dropped.
 *
 * @throws HTTPException (400) if any are missing or not as declared; it names them all.
 */
export async function declaredParameters<T>(context: Context, schema: z.ZodMiniType<T>): Promise<T> {
  const result = schema.safeParse(await readParameters(context.req.raw));
  if (result.success) {
    return result.data;
  }
  throw badParameters(result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', '));
}

/**
 * Reads all parameters of a request: of the query, and of a JSON, form or multipart body, which wins.
 *
 * @throws HTTPException (400) if the body is not what its type says, if names contradict each other, or beyond the bounds.
 * @see https://docs.gitlab.com/api/rest/#request-payload
 */
export async function readParameters(request: Request): Promise<ParameterHash> {
  const query = nest(new URL(request.url).searchParams);
  return hashOf([...Object.entries(query), ...Object.entries(await readBody(request))]);
}

async function readBody(request: Request): Promise<ParameterHash> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  switch (type) {
    case 'application/json':
      return readJson(await request.text());
    case 'application/x-www-form-urlencoded':
      return nest(new URLSearchParams(await request.text()));
    case 'multipart/form-data':
      return nest(
        [...(await request.formData().catch(refuseBody))].filter(
          (pair): pair is [string, string] => typeof pair[1] === 'string',
        ),
      );
    default:
      return hashOf([]);
  }
}

function refuseBody(): never {
  throw badParameters('message body does not match declared format');
}

/** JSON that is no object names no parameters. */
function readJson(text: string): ParameterHash {
  let json: unknown;
  try {
    json = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    refuseBody();
  }
  const value = copyJson(json, 0);
  return isHash(value) ? value : hashOf([]);
}

function copyJson(json: unknown, depth: number): ReceivedValue {
  if (depth > maxDepth) {
    throw badParameters('parameters are nested too deep');
  }
  if (Array.isArray(json)) {
    return json.map((element: unknown) => copyJson(element, depth + 1));
  }
  if (typeof json === 'object' && json !== null) {
    return hashOf(Object.entries(json).map(([name, value]) => [name, copyJson(value, depth + 1)]));
  }
  return json as string | number | boolean | null;
}

function hashOf(entries: Iterable<readonly [string, ReceivedValue]>): ParameterHash {
  const hash = Object.create(null) as Record<string, ReceivedValue>;
  for (const [name, value] of entries) {
    hash[name] = value;
  }
  return hash;
}

function isHash(value: ReceivedValue): value is ParameterHash {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value while names are taken apart. */
type Node = string | Node[] | Map<string, Node>;

/** Nests `name[key]`, `name[]`, `name[0][key]` and `name[][key]`. Of scalars with one name the last one counts. */
function nest(pairs: Iterable<readonly [string, string]>): ParameterHash {
  const root = new Map<string, Node>();
  let count = 0;
  for (const [name, value] of pairs) {
    count += 1;
    if (count > maxCount) {
      throw badParameters('there are too many parameters');
    }
    const [first = name, ...rest] = keysOf(name);
    root.set(first, put(root.get(first), rest, value, first));
  }
  return hashOf([...root].map(([name, node]) => [name, valueOf(node)]));
}

/** The path to a value: `a[b][]` is `a`, `b`, `''`. A name not in this notation is a single segment. */
function keysOf(name: string): string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || rest === undefined) {
    return [name];
  }
  const keys = [first, ...rest.slice(1, -1).split('][')];
  if (keys.length > maxDepth) {
    throw badParameters('parameters are nested too deep');
  }
  return keys;
}

/** Puts a value at a path of a node, or of a new one; returns the node. */
function put(node: Node | undefined, keys: readonly string[], value: string, name: string): Node {
  const [key, ...rest] = keys;
  if (key === undefined) {
    return node === undefined || typeof node === 'string' ? value : refuseKind(name);
  }
  if (key === '') {
    const list = node === undefined ? [] : Array.isArray(node) ? node : refuseKind(name);
    // The hashes of a list that have no number end where a key comes again.
    const last = list.at(-1);
    const continues = last instanceof Map && rest[0] !== undefined && rest[0] !== '' && !last.has(rest[0]);
    list[continues ? list.length - 1 : list.length] = put(continues ? last : undefined, rest, value, name);
    return list;
  }
  const hash = node === undefined ? new Map<string, Node>() : node instanceof Map ? node : refuseKind(name);
  return hash.set(key, put(hash.get(key), rest, value, name));
}

function refuseKind(name: string): never {
  throw badParameters(`${name} is invalid`);
}

/** What a node stands for: a hash whose keys are all numbers is an array of its values, in their order. */
function valueOf(node: Node): ReceivedValue {
  if (typeof node === 'string') {
    return node;
  }
  if (Array.isArray(node)) {
    return node.map(valueOf);
  }
  const entries = [...node];
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, element]) => valueOf(element))
    : hashOf(entries.map(([key, element]) => [key, valueOf(element)]));
}
