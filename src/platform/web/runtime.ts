export const ignoresCase = false;

/** An error with its stack, its fields and its causes. */
export function inspect(value: unknown, causes = 5): string {
  if (!(value instanceof Error)) {
    return typeof value === 'string' ? value : jsonOf(value);
  }
  const { cause, stack, message: _, ...fields } = value;
  const lines = [stack ?? String(value)];
  if (Object.keys(fields).length > 0) {
    lines.push(jsonOf(fields));
  }
  if (cause !== undefined && causes > 0) {
    lines.push(`[cause]: ${inspect(cause, causes - 1)}`);
  }
  return lines.join('\n');
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value); // It contains itself.
  }
}

/** Whether two values are equal as JSON, in whatever order their fields are; sets and maps as the lists of what they hold. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  const [text, otherText] = [one, other].map((value) =>
    JSON.stringify({ value }, (_, inner: unknown) => sorted(inner)),
  );
  return text === otherText;
}

function sorted(value: unknown): unknown {
  if (value instanceof Set || value instanceof Map) {
    return [...(value as Iterable<unknown>)];
  }
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
}

/** Lets other tasks of the worker run. Not by a timer: browsers let those of hidden pages wait for a second. */
export async function yieldThread(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}

/** Nothing reaches a sandbox in a browser but requests of Beacon itself, which are not packed. */
export async function decompress(_bytes: Uint8Array, _encoding: string, _maxBytes: number): Promise<Uint8Array> {
  throw new TypeError('The encoding is unknown');
}
